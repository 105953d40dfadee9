"""With --confirm a decision waits for a yes, and until then it can be taken back; what was sent cannot."""

from __future__ import annotations

import pytest

from games.api import to_map
from people.confirming import NOTHING_WAITS
from people.frame import build_frame
from people.person import Person
from people.render import plain_text
from people.typed import handle_line
from protocol import messages as m
from tests.helpers.paper import new_person
from tests.helpers.toy import TOY, Play, ToyView
from tests.people.at_a_table import asked, said, seated


def careful(*cards: int) -> Person:
    person = seated(*cards)
    said(person, "confirm on")
    return person


@pytest.mark.parametrize("word", ["yes", "y"])
def test_a_decision_is_sent_when_its_player_says_yes(word: str) -> None:
    person = careful(3, 5)
    assert said(person, "play 3") == "play 3 is not sent yet.\nyes sends it, undo takes it back."
    assert build_frame(person, 80, 24).prompt == "yes or undo> "
    kind, fields = asked(person, word)
    assert (kind, fields["turn"], fields["action"]) == (m.Act, 1, {"do": "play", "card": 3})
    assert asked(person, "undo") == (m.Undo, {"table": "t1", "on": True})


def test_what_was_taken_back_or_replaced_is_never_sent() -> None:
    person = careful(3, 5)
    said(person, "play 3")
    assert said(person, "undo") == "Taken back; it was not sent."
    assert build_frame(person, 80, 24).prompt == "your turn> "
    assert said(person, "yes").startswith("! ")
    for word in ("no", "n", "non"):
        said(person, "play 3")
        assert said(person, word) == "Taken back; it was not sent."
        assert said(person, "no").startswith("! "), "it answers nothing"
    said(person, "play 3")
    said(person, "play 5")
    assert asked(person, "yes")[1]["action"] == {"do": "play", "card": 5}


def test_a_decision_that_the_game_warns_of_waits_for_a_yes_without_confirm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        type(TOY.words), "danger_warning", lambda _self, _view, action: "You are out." * (action == Play(3))
    )
    person = seated(3, 5)
    assert asked(person, "play 5")[0] is m.Act
    person = seated(3, 5)
    assert said(person, "play 3") == "play 3 is not sent yet.\nyes sends it, undo takes it back."
    assert asked(person, "yes")[1]["action"] == {"do": "play", "card": 3}


def test_other_lines_leave_it_waiting_and_a_turn_that_is_over_drops_it() -> None:
    person = careful(3, 5)
    said(person, "play 3")
    said(person, "aim")
    assert person.prompt.held is not None
    view, legal = to_map(ToyView(2, (0, 1), (), (3,))), [to_map(Play(3))]
    person.on_message(m.TurnUpdate(table="t1", n=3, turn=2, view=view, legal=legal, left=330.0, main=300.0))
    person.ask_for_decisions()
    assert build_frame(person, 80, 24).prompt == "your turn> "
    assert said(person, "yes") == f"! {NOTHING_WAITS}"


def test_a_line_for_several_turns_is_shown_and_taken_back_whole() -> None:
    person = careful(3, 5)
    assert said(person, "play 3 5").startswith("play 3, then play 5 is not sent yet.")
    assert person.prompt.memory.waiting
    said(person, "undo")
    assert person.prompt.memory.waiting == []


def test_without_the_option_a_decision_goes_at_once_and_undo_asks_the_table_to_take_it_back() -> None:
    person = seated(3, 5)
    assert [ask.kind for ask in handle_line(person, "play 3").asks] == [m.Act]
    assert asked(person, "undo") == (m.Undo, {"table": "t1", "on": True})
    person = new_person()
    assert said(person, "undo") == f"! {NOTHING_WAITS}"


def test_who_is_asked_to_agree_says_yes_undo_or_no() -> None:
    person = seated(3, 5)
    chose = {"what": "chose", "seat": 2}
    told = m.Undone(table="t1", n=3, seat=2, decided=2, wanting=(2,), done=False, events=[chose])
    assert [plain_text(line) for line in person.on_message(told).lines] == [
        "- bob asks to take this back: undo agrees, no refuses.",
        "  * bob has chosen.",
    ]
    for word, on in (("yes", True), ("undo", True), ("no", False)):
        assert asked(person, word) == (m.Undo, {"table": "t1", "on": on})
    refused = m.Undone(table="t1", n=4, seat=1, decided=2, wanting=(), done=False, events=[chose])
    assert [plain_text(line) for line in person.on_message(refused).lines] == ["- ann says no: the decision stays."]
    assert said(person, "no") == f"! {NOTHING_WAITS}"
    person.on_message(told)
    person.on_message(m.Happened(table="t1", n=5, event=chose))
    assert said(person, "no") == f"! {NOTHING_WAITS}"
    late = m.Undone(table="t1", n=6, seat=0, decided=2, wanting=(), done=False, events=[chose])
    (line,) = person.on_message(late).lines
    assert plain_text(line) == "- The decision stays, as not all agreed in time."


def test_what_was_taken_back_is_said_and_the_own_turn_is_void() -> None:
    person = careful(3, 5)
    handle_line(person, "play 3")
    assert person.prompt.held is not None
    told = m.Undone(
        table="t1", n=3, seat=1, decided=2, wanting=(1, 2), done=True, events=[{"what": "chose", "seat": 2}]
    )
    heard = person.on_message(told)
    assert [plain_text(line) for line in heard.lines] == [
        "- bob took a decision back, and the match is as it was before:",
        "  * bob has chosen.",
    ]
    assert [ask.kind for ask in person.ask_for_decisions().asks] == [m.LookRequest]
    assert person.ask_for_decisions().asks == []
    assert person.prompt.held is None
    assert person.seats.here is not None
    assert person.seats.here.turn is None
