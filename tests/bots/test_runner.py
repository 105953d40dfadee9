"""A bot over a link: it plays whole matches, misses nothing when its connection is cut, and errs in the open."""

from __future__ import annotations

from trio.testing import MockClock

from bots.sdk import Bot
from bots.sdk.link import Face, Identity, open_link
from bots.sdk.runner import Finished, Runner
from protocol.messages import ClockRule, Join, TableReply
from tests.bots.conftest import Notes, Scissors, dial_to, keeping
from tests.server.conftest import Hall
from tests.toy import TOY, Chose

GAMES = {TOY.id: TOY}
FACES: tuple[Face, ...] = ("json", "msgpack")


async def play_one(
    hall: Hall, kind: type[Bot], scissors: Scissors | None = None, face: Face = "json", **clock: float
) -> tuple[Finished, list[str]]:
    """One match of the bot against a house bot, with a known deal."""
    reports: list[str] = []
    runner = Runner(kind, GAMES, 7, report=reports.append)
    table = hall.lobby.open("toy", 2, "", {}, ClockRule(**clock), seed=bytes(32))
    name = f"{table.id}-ann"
    async with open_link(dial_to(hall, scissors), Identity(name, bot=True), face=face, hearer=runner) as link:
        await link.ask(Join(id=1, table=table.id), TableReply)
        hall.lobby.add_bot(table, "first")
        hall.lobby.start(table)
        await runner.wait_until_finished(1)
    return runner.finished[0], reports


def story(bot: Bot) -> tuple[list[object], list[object], list[str]]:
    """What it was asked, what it heard, and who chose: choices are made at once, so their order is nobody's."""
    assert isinstance(bot, Notes)
    turns = [note for note in bot.heard if isinstance(note, tuple)]
    chosen = sorted(str(note) for note in bot.heard if isinstance(note, Chose))
    return turns, [note for note in bot.heard if not isinstance(note, tuple | Chose)], chosen


async def test_a_bot_plays_a_match_in_each_face(hall: Hall, autojump_clock: MockClock) -> None:
    stories = []
    for face in FACES:
        made: list[Bot] = []
        done, reports = await play_one(hall, keeping(Notes, made), face=face)
        assert (done.how, reports) == ("played", [])
        stories.append(story(made[0]))
    assert stories[0] == stories[1]
    assert [len(part) for part in stories[0]] == [3, 5, 6]


async def test_a_cut_at_any_message_boundary_loses_nothing(hall: Hall, autojump_clock: MockClock) -> None:
    made: list[Bot] = []
    whole = Scissors()
    await play_one(hall, keeping(Notes, made), whole)
    lines = whole.received.count(b"\n")
    assert lines > 12
    for line in range(2, lines):
        for extra in (0, 20):
            scissors = Scissors(line, extra)
            done, _reports = await play_one(hall, keeping(Notes, made), scissors)
            assert (done.how, scissors.connections) == ("played", 2)
            assert story(made[-1]) == story(made[0]), (line, extra)
