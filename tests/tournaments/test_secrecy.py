"""While a deal is played at several tables of a cup, none of them may be watched."""

from __future__ import annotations

from tests.tournaments.cups_played import settings
from tournaments.cup import RUNNING, STOPPED, Cup, CupStateChanged, EntrantEntered, MatchPaired


def test_a_table_is_hidden_while_its_deal_is_played_elsewhere_and_no_more_once_the_cup_was_stopped() -> None:
    cup = Cup(settings())
    for number in range(6):
        cup.apply(EntrantEntered(100.0, f"e{number}", (f"e{number}",)))
    cup.apply(CupStateChanged(101.0, RUNNING))
    first = next(iter(cup.waiting_pairings()))
    cup.apply(MatchPaired(102.0, first.number, "t1"))
    assert (cup.has_shared_deal("t1"), cup.is_hidden("t1"), cup.has_shared_deal("t2")) == (True, True, False)
    cup.apply(CupStateChanged(103.0, STOPPED))
    assert (cup.has_shared_deal("t1"), cup.is_hidden("t1")) == (False, False)
