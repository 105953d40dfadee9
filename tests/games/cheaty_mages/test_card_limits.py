"""A card file's figures: the least and the most of each is taken, and one beyond is refused in so many words."""

from __future__ import annotations

import pytest

from games.api import CardsRefused
from games.chance import Chance
from games.cheaty_mages.editions import read_edition
from games.cheaty_mages.game import IKASAMAGE
from games.cheaty_mages.moves import Bet
from tests.games.cheaty_mages.owned import FEW, TEXT, TINY, changed


def own(*changes: tuple[str, str], more: str = "") -> str:
    """The tiny arena (two seats, two fighters, three spells) with these changes, and more cards at its end."""
    return changed(TINY, *changes) + more


def spells(*counts: int) -> str:
    """Kinds of spells, of each so many cards."""
    row = '[[spell]]\nname = "s{0}"\ntitle = "S{0}"\nkind = "direct"\ncount = {1}\ntext = "-"\n'
    return "".join(row.format(number, count) for number, count in enumerate(counts))


def fighters(count: int) -> str:
    """So many fighters, none of the power of another."""
    row = '[[fighter]]\nname = "f{0}"\ntitle = "F{0}"\npower = {1}\nprize = 1\n'
    return "".join(row.format(number, 20 + number) for number in range(count))


def seats(dealt: str, others: str) -> tuple[tuple[str, str], ...]:
    """The hands for other numbers of seats, as changes."""
    return (
        ("dealt = { 2 = 1 }", f"dealt = {{ {dealt} }}"),
        ("drawn = { 2 = 0 }", f"drawn = {{ {others} }}"),
        ("limit = { 2 = 1 }", f"limit = {{ {others} }}"),
    )


def refusal(text: str, edition: str = "ikasamage") -> str:
    with pytest.raises(CardsRefused) as refused:
        read_edition(text, edition)
    return str(refused.value)


@pytest.mark.parametrize(
    ("place", "before", "after", "says"),
    [
        ("[haus]", "[house]", "[haus]", "this section does not exist"),
        ("[house]", "rounds = 3", "round = 3", "there is no figure 'round'"),
        ("[hands]", "dealt = {", "given = {", "Object contains unknown field `given`"),
        ("[hands]", "[hands]", "[hands]\nlimits = 1", "Object contains unknown field `limits`"),
        ("[edition.other]", "[edition.ikasamage]", "[edition.other]", "the editions are ikasamage and cheaty-mages"),
        ("[edition.ikasamage]", "starting_money = 0", "starting_money = true", "starting_money is a whole number"),
        ("[edition.ikasamage]", "[edition.ikasamage]", "[edition.ikasamage]\nspells = 2", "spells is a table"),
        ("[edition.cheaty-mages.spells.dupe]", "spells.duplicate]", "spells.dupe]", "it changes a spell 'dupe'"),
        ("[edition.cheaty-mages]", "starting_money = 2", "starting_money = 2.0", "starting_money is a whole number"),
    ],
)
def test_a_refusal_names_the_line_and_the_section(place: str, before: str, after: str, says: str) -> None:
    text = changed(TEXT, (before, after))
    line = text[: text.index(place)].count("\n") + 1
    assert refusal(text).startswith(f"line {line}, {place}: {says}")


@pytest.mark.parametrize("where", ["edition", "house"])
def test_a_section_that_is_a_number_is_refused_by_its_name(where: str) -> None:
    assert refusal(f"{where} = 1").startswith(f"line 1, [{where}]: {where} is a table")


def test_a_file_that_says_nothing_of_the_house_has_the_printed_one() -> None:
    house = read_edition(changed(TEXT, ("rounds = 3\nfighters = 5\nbets = 3\n", "")), "ikasamage").house
    assert (house.rounds, house.fighters, house.bets) == (3, 5, 3)


@pytest.mark.parametrize(
    ("bets", "wrong", "says"),
    [
        (1, (1, 2), "Bet on one fighter of 1 to 3."),
        (2, (1, 2, 3), "Bet on one or two different fighters of 1 to 3."),
        (3, (1, 2, 4), "Bet on one, two or three different fighters of 1 to 3."),
    ],
)
def test_a_bet_too_large_is_refused_by_the_house_of_the_file(bets: int, wrong: tuple[int, ...], says: str) -> None:
    own = IKASAMAGE.with_cards(changed(FEW, ("bets = 2", f"bets = {bets}")))
    match, _told = own.start(2, own.options_type(), Chance.of_number(1))
    (seat,) = match.to_move()
    refusal = match.refusal_reason(seat, Bet(wrong))
    assert refusal is not None
    assert refusal.text == says
    assert max(len(action.on) for action in match.legal_actions(seat) if isinstance(action, Bet)) == bets


def test_a_file_s_figures_of_an_edition_are_for_that_edition() -> None:
    richer = changed(TEXT, ("[edition.ikasamage]\nstarting_money = 0", "[edition.ikasamage]\nstarting_money = 7"))
    assert [read_edition(richer, name).starting_money for name in ("ikasamage", "cheaty-mages")] == [7, 2]
