"""What a runner reports and asks for when it is told something, without a server."""

from __future__ import annotations

from typing import Any, cast

import pytest
from msgspec.structs import replace

from bots.sdk import Bot, Turn
from bots.sdk.link import Heard, Identity, Link, LinkLost, LinkRestored
from bots.sdk.runner import FinishedMatch, Runner
from bots.sdk.seeds import bot_seed
from bots.sdk.stderr import print_to_stderr
from games.api import Action, to_map
from games.chance import Chance
from protocol import messages as m
from protocol.messages.parts import EntrantInfo
from tests.helpers.toy import TOY

SEATS = (m.SeatInfo(1, "ann", "bot"), m.SeatInfo(2, "bob", "person"))
INFO = m.TableInfo(
    table="t1", game="toy", state="open", owner="ann", seats=SEATS, clock=m.ClockRule(), options={}, commitment="",
)  # fmt: skip
CUP = m.CupInfo(
    cup="may", owner="ann", game="toy", state="running", seats=2, format="swiss", deals="fresh", rounds=3,
    clock=m.ClockRule(), options={}, commitment="", entrants=(EntrantInfo("ann"),), played=4,
)  # fmt: skip
STARTED = m.MatchStarted(
    table="t1", n=1, game="toy", rules_version=TOY.rules_version, options={}, seats=SEATS, clock=m.ClockRule(),
    commitment="", nonces=("", ""), grace=1.0, you=1,
)  # fmt: skip
STATE, _ = TOY.start(2, TOY.options_type(), Chance.of_number(1))
LEGAL = [to_map(one) for one in STATE.legal_actions(1)]
TURN = m.TurnUpdate(table="t1", n=2, turn=1, left=9.0, main=9.0, view=to_map(STATE.view(1)), legal=LEGAL)


class First(Bot):
    """Does the first thing, and remembers what it drew for it."""

    drawn: list[float]

    def choose(self, turn: Turn) -> Action:
        self.drawn.append(self.rng.random())
        return turn.legal[0]


class Wire:
    """Stands for the link: what is asked, and who waits for the answer."""

    def __init__(self, seats: tuple[m.TableInfo, ...], allowed: int) -> None:
        limits = {"illegal_a_decision": allowed} if allowed else {}
        self.identity = Identity("ann", bot=True)
        self.can_send_signs = False
        self.welcome = m.Welcome(name="ann", version=1, server="x", limits=limits, seats=seats)
        self.asked: list[tuple[m.Request, Any]] = []

    def post(self, request: m.Request, take: Any) -> None:
        self.asked.append((request, take))


class Place:
    """A runner with what it reported and finished."""

    def __init__(self, *seats: m.TableInfo, kind: type[Bot] = First, allowed: int = 0) -> None:
        self.told: list[str] = []
        self.finished: list[FinishedMatch] = []
        self.wire = Wire(seats, allowed)
        self.drawn: list[float] = []
        noted = type("Noted", (kind,), {"drawn": self.drawn})
        self.runner = Runner(noted, {"toy": TOY}, 7, report=self.told.append, on_finish=self.finished.append)

    def hear(self, *messages: Heard) -> list[str]:
        """What is reported of these messages."""
        self.told.clear()
        for message in messages:
            self.runner.on_message(cast(Link, self.wire), message)
        return self.told[:]

    def decide(self) -> None:
        """All that arrived was heard."""
        self.runner.on_caught_up(cast(Link, self.wire))

    def answer(self, reply: m.Reply) -> list[str]:
        """What is reported of the answer to the oldest question."""
        self.told.clear()
        _request, take = self.wire.asked.pop(0)
        take(reply)
        return self.told[:]

    def asks(self) -> list[m.Request]:
        return [request for request, _take in self.wire.asked]


def playing(allowed: int = 0) -> Place:
    """A match has begun, and the bot is asked; so many of its actions may be illegal, if it is said."""
    place = Place(allowed=allowed)
    assert place.hear(STARTED, TURN) == []
    return place


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (LinkLost("it broke.", 2.34), ["Connection lost: it broke. Next attempt in 2.3 s."]),
        (LinkRestored(), ["Connected again."]),
        (m.Seated(info=INFO, seat=2), ["table t1: seated at toy, seat 2."]),
        (m.SentAway(table="t1", why="", by=""), ["table t1: gone, since nothing happened there."]),
        (m.SentAway(table="t1", why="kicked", by="bob"), ["table t1: sent away by bob."]),
        (m.SentAway(table="t1", why="closed", by="bob"), ["table t1: closed by bob."]),
        (m.SentAway(table="", why="kicked", by="bob", cup="may"), ["cup may: sent away by bob."]),
        (m.CupChanged(info=CUP), ["cup may: running, 4 matches played."]),
        (m.Late(table="t1", n=3, seat=1, count=2), []),
        (m.Chat(sender="bob", text="hm"), []),
    ],
)
def test_what_happens_beside_matches_is_reported(message: m.Message, said: list[str]) -> None:
    assert Place().hear(message) == said


def test_an_illegal_action_is_put_to_the_bot_again_with_other_chance_as_often_as_the_server_allows() -> None:
    place = playing(allowed=2)
    place.decide()
    refusal = m.Error(code="illegal_action", text="No.")
    said = [f"table t1, turn 1: {LEGAL[0]} is illegal: No."]
    assert place.answer(refusal) == said
    place.decide()
    assert place.answer(refusal) == said
    place.decide()
    assert place.asks() == []
    assert len(set(place.drawn)) == 2
    place.hear(replace(TURN, n=3, turn=2))
    place.decide()
    assert place.answer(m.Error(code="bad_action", text="No.")) == [said[0].replace("turn 1", "turn 2")]
    place.decide()
    assert len(place.asks()) == 1


def test_a_report_goes_to_stderr_and_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_to_stderr("it said \x1b[2J\nand went")
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "it said \\u{1b}[2J\nand went\n")


@pytest.mark.parametrize(
    ("word", "nonces", "own"), [("w7", ("mine", ""), "w7"), ("", ("mine", "yours"), "mine"), ("", ("", "yours"), "t1")]
)
def test_the_chance_of_a_bot_comes_of_the_match_s_word_or_its_nonce_or_the_table(
    word: str, nonces: tuple[str, str], own: str
) -> None:
    place = Place()
    place.hear(replace(STARTED, word=word, nonces=nonces), TURN)
    assert place.runner._tables["t1"].seed == bot_seed(7, own, 1)
