"""`auto`: a person lets things be until something concerns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import trio

from games.api import to_map
from games.chance import Chance
from games.registry import all_games
from people.render import plain_text
from people.settings import PAUSE
from people.typed import handle_line
from protocol import messages as m
from server.config import Config
from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse
from tests.helpers.paper import new_person
from tests.people.at_a_table import said, seated

RACE = all_games()["mages-110m"]
CONCERN = "a spell that touches you, or may take a mage over the line"
LET_BE = {"do": "let_be"}


class Racer:
    """Ann in seat 2 of a race of three, whose pauses are 1, 2, 3, ... seconds."""

    def __init__(self) -> None:
        self.now, self._pauses, self._turns = 0.0, 0.0, 0
        self.person = new_person("ann", lambda: self.now, RACE)
        self.person.settings.pause = self._pause
        seats = tuple(m.SeatInfo(seat, name, "person") for seat, name in enumerate(("bob", "ann", "cid"), 1))
        began = m.MatchStarted(
            table="t1",
            n=1,
            game=RACE.id,
            rules_version=RACE.rules_version,
            options={},
            seats=seats,
            clock=m.ClockRule(),
            commitment="c0",
            nonces=("", "", ""),
            grace=120.0,
            you=2,
        )
        self.person.on_message(began)

    def _pause(self) -> float:
        self._pauses += 1.0
        return self._pauses

    def sees(self, spell: str, hand: str = "humming", **bob: Any) -> list[str]:
        """Bob casts a spell, and Ann is asked about it. Returns the lines that she reads."""
        holds = {"hand": [spell.split()[0], "patient_beaver"], **bob}
        state = RACE.build_position(
            {"turn_of": 1, "mage": [holds, {"hand": hand.split()}, {"hand": ["patient_beaver"]}]}, Chance.of_number(1)
        )
        (cast,) = RACE.words.parse_actions(f"cast {spell}", state.view(1), state.legal_actions(1))
        state.apply(1, cast)
        assert 2 in state.to_move(), "a spell without a die"
        self._turns += 1
        legal = [to_map(action) for action in state.legal_actions(2)]
        view, number = to_map(state.view(2)), self._turns
        turn = m.TurnUpdate(table="t1", n=number + 1, turn=number, view=view, legal=legal, left=330.0, main=300.0)
        self.person.on_message(turn)
        return [plain_text(line) for line in self.person.ask_for_decisions().lines]

    def decides(self) -> list[Mapping[str, Any]]:
        """The decisions that are made by now."""
        return [ask.fields["action"] for ask in self.person.poll_effects().asks if ask.kind is m.Act]


@pytest.fixture
def racer() -> Racer:
    return Racer()


def is_asked(racer: Racer) -> bool:
    assert racer.person.seats.here is not None
    return racer.person.seats.here.is_asked


def test_what_does_not_concern_a_person_is_let_be_after_a_pause_and_said(racer: Racer) -> None:
    shown = said(racer.person, "auto on")
    assert shown.startswith(f"You let things be until something concerns you: {CONCERN}.\n")
    assert racer.sees("woodworm_choir") == []
    assert not is_asked(racer)
    racer.now = 0.9
    assert racer.decides() == []
    racer.now = 1.0
    made = racer.person.poll_effects()
    assert [plain_text(line) for line in made.lines] == ["auto: let"]
    assert [dict(ask.fields["action"]) for ask in made.asks] == [LET_BE]
    assert racer.decides() == []
    assert " auto" in racer.person.build_frame(80, 24).toolbar


@pytest.mark.parametrize(
    ("spell", "bob"),
    [
        ("lead_trousers 2", {}),
        ("sudden_hedge", {}),
        ("tax_collector", {}),
        ("polite_breeze", {"square": 11}),
        ("dramatic_pose", {"square": 11, "power": 3}),
    ],
    ids=["aimed at her", "at all others", "at all", "over the line", "over the line by a surge"],
)
@pytest.mark.parametrize("hand", ["humming", "loud_cough"])
def test_a_person_is_asked_about_what_concerns_them_whatever_they_hold(
    racer: Racer, spell: str, bob: dict[str, int], hand: str
) -> None:
    handle_line(racer.person, "auto on")
    assert "`let` it be" in " ".join(racer.sees(spell, hand, **bob)).replace("\n", " ")
    assert is_asked(racer)
    racer.now = 1_000.0
    assert racer.decides() == []


@pytest.mark.parametrize("spell", ["woodworm_choir", "lead_trousers 3", "polite_breeze", "dramatic_pose"])
def test_the_time_of_an_automatic_answer_does_not_depend_on_what_is_held(spell: str) -> None:
    times = []
    for hand in ("humming", "loud_cough", "formal_protest loud_cough mirror_of_manners small_print"):
        racer = Racer()
        handle_line(racer.person, "auto on")
        assert racer.sees(spell, hand) == []
        times.append(racer.person.next_action_time())
    assert times == [1.0] * 3


def test_auto_ends_with_an_own_answer_with_auto_off_and_with_the_match(racer: Racer) -> None:
    handle_line(racer.person, "auto on")
    racer.sees("woodworm_choir", "loud_cough")
    made = handle_line(racer.person, "counter loud_cough")
    assert [ask.fields["action"] for ask in made.asks] == [{"do": "counter", "card": "loud_cough"}]
    assert [plain_text(line) for line in made.lines] == ["auto is off."]
    assert racer.sees("woodworm_choir") != []
    handle_line(racer.person, "auto oui")
    assert not is_asked(racer), "also the question that stands there"
    again = racer.person.on_typed_line("auto off")
    assert plain_text(again.lines[0]) == "You are asked for every decision again."
    assert "about to take effect" in plain_text(again.lines[-1])
    assert is_asked(racer)
    handle_line(racer.person, "auto")
    racer.person.on_message(m.Over(table="t1", n=9, results=(), reason="", text="", seed="", salt=""))
    assert " auto" not in racer.person.build_frame(80, 24).toolbar


def test_who_lets_something_be_is_told_once_of_auto(racer: Racer) -> None:
    racer.sees("woodworm_choir")
    told = [plain_text(line) for line in handle_line(racer.person, "let").lines]
    assert told == [f"auto on does this by itself until something concerns you: {CONCERN}."]
    racer.sees("woodworm_choir")
    assert handle_line(racer.person, "let").lines == []


def test_where_every_decision_concerns_a_person_auto_says_so() -> None:
    person = seated(3, 5)
    assert said(person, "auto on") == "! In Toy every decision concerns you."
    assert said(person, "auto perhaps") == "! Type auto on or auto off."


@pytest.mark.parametrize("hand", [["loud_cough"] * 2, ["humming"] * 2], ids=["a counter-spell", "none"])
async def test_by_telnet_others_see_an_automatic_answer_as_late_as_a_persons(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch, hand: list[str]
) -> None:
    draws: list[tuple[float, float]] = []

    def uniform(least: float, most: float) -> float:
        draws.append((least, most))
        return 1.7

    monkeypatch.setattr("server.net.text_face.random.uniform", uniform)
    position = {"turn_of": 1, "mage": [{"hand": ["woodworm_choir"] * 2}, {"hand": hand}]}
    start = RACE.build_position(position, Chance.of_number(1))
    monkeypatch.setattr(type(RACE), "start", lambda *_all: (start, []))
    hall = Hall(nursery, Config(port=0, house_seconds=0.0), {RACE.id: RACE}, FirstHouse("first"))
    bob, ann = await hall.typist(), await hall.typist()
    await bob.types("hello bob", f"open {RACE.id} 2")
    await ann.types("hello ann", "join")
    await bob.types("start")
    await ann.types("auto on")
    await trio.sleep(5.0)
    await bob.types("cast woodworm_choir")
    await trio.sleep(5.0)
    cast, answer = hall.lobby.tables["t1"].entries
    assert answer.at - cast.at == pytest.approx(1.7)
    assert draws == [PAUSE]
    assert "auto: let\n" in await ann.heard()
