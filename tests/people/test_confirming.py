"""With --confirm a decision waits for a yes, and until then it can be taken back; what was sent cannot."""

from __future__ import annotations

import pytest

from games.api import to_map
from people.confirming import NOT_ANY_MORE
from people.frame import frame
from people.human import Human
from people.typed import typed
from protocol import messages as m
from tests.helpers.toy import Play, ToyView
from tests.people.at_a_table import asked, said, seated


def careful(*cards: int) -> Human:
    human = seated(*cards)
    human.confirms = True
    return human


@pytest.mark.parametrize("word", ["yes", "y"])
def test_a_decision_is_sent_when_its_player_says_yes(word: str) -> None:
    human = careful(3, 5)
    assert said(human, "play 3") == "play 3 is not sent yet.\nyes sends it, undo takes it back."
    assert frame(human, 80, 24).prompt == "yes or undo> "
    kind, fields = asked(human, word)
    assert (kind, fields["turn"], fields["action"]) == (m.Act, 1, {"do": "play", "card": 3})
    assert said(human, "undo") == f"! {NOT_ANY_MORE}"


def test_what_was_taken_back_or_replaced_is_never_sent() -> None:
    human = careful(3, 5)
    said(human, "play 3")
    assert said(human, "undo") == "Taken back; nobody has seen it."
    assert frame(human, 80, 24).prompt == "your turn> "
    assert said(human, "yes").startswith("! ")
    for word in ("no", "n", "non"):
        said(human, "play 3")
        assert said(human, word) == "Taken back; nobody has seen it."
        assert said(human, "no").startswith("! "), "it answers nothing"
    said(human, "play 3")
    said(human, "play 5")
    assert asked(human, "yes")[1]["action"] == {"do": "play", "card": 5}


def test_other_lines_leave_it_waiting_and_a_turn_that_is_over_drops_it() -> None:
    human = careful(3, 5)
    said(human, "play 3")
    said(human, "aim")
    assert human.held is not None
    view, legal = to_map(ToyView(2, (0, 1), (), (3,))), [to_map(Play(3))]
    human.hear(m.Turn(table="t1", n=3, turn=2, view=view, legal=legal, left=330.0, main=300.0))
    human.settle()
    assert frame(human, 80, 24).prompt == "your turn> "
    assert said(human, "yes") == f"! {NOT_ANY_MORE}"


def test_a_line_for_several_turns_is_shown_and_taken_back_whole() -> None:
    human = careful(3, 5)
    assert said(human, "play 3 5").startswith("play 3, then play 5 is not sent yet.")
    assert human.memory.waiting
    said(human, "undo")
    assert human.memory.waiting == []


def test_without_the_option_a_decision_goes_at_once_and_undo_says_so() -> None:
    human = seated(3, 5)
    assert [ask.kind for ask in typed(human, "play 3").asks] == [m.Act]
    assert said(human, "undo") == f"! {NOT_ANY_MORE}"
