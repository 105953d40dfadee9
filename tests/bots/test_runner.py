"""A bot over a link: it plays whole matches, misses nothing when its connection is cut, and errs in the open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import pytest
import trio
from trio.testing import MockClock

from bots.sdk import Bot, Turn
from bots.sdk.link import Face, Identity, open_link, tcp
from bots.sdk.runner import FinishedMatch, Runner
from bots.sdk.seat import take_seat
from games.api import Action, CardsRefused, Event, Game
from protocol.limits import ILLEGAL_A_DECISION
from protocol.messages import ClockRule, CupEnter, CupReply, SentAway
from protocol.messages.parts import LIVE, TURNS, Hears
from server.app import serve
from server.config import Config
from server.net.session import Session
from tests.bots.notes import Notes, keeping
from tests.helpers.hall import Hall
from tests.helpers.house import FirstHouse
from tests.helpers.peer import Peer
from tests.helpers.scissors import Scissors, dial_to
from tests.helpers.toy import TOY, Chose, Play, ToyGame

GAMES: dict[str, Game] = {TOY.id: TOY}
FACES: tuple[Face, ...] = ("json", "msgpack")


async def play_one(
    hall: Hall,
    kind: type[Bot],
    scissors: Scissors | None = None,
    face: Face = "json",
    games: Mapping[str, Game] = GAMES,
    hears: Hears = LIVE,
    **clock: float,
) -> tuple[FinishedMatch, list[str]]:
    """One match of the bot against a house bot, with a known deal."""
    reports: list[str] = []
    runner = Runner(kind, games, 7, report=reports.append)
    table = hall.lobby.open_table("toy", 2, "", {}, ClockRule(**clock), seed=bytes(32))
    name = f"{table.id}-ann"
    me = Identity(name, bot=True, hears=hears)
    async with open_link(dial_to(hall, scissors), me, face=face, hearer=runner) as link:
        await take_seat(link, table=table.id)
        hall.lobby.add_bot(table, "first")
        hall.lobby.start_match(table)
        await runner.wait_until_finished(1)
    return runner.finished[0], reports


def story(bot: Bot) -> tuple[Sequence[object], list[object], list[str]]:
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


async def test_a_cut_in_the_middle_of_any_request_loses_nothing(hall: Hall, autojump_clock: MockClock) -> None:
    made: list[Bot] = []
    whole = Scissors()
    await play_one(hall, keeping(Notes, made), whole)
    sends = 1_000_000 - whole.sends
    assert sends == 6  # hello, join, three turns, leave
    for send in range(2, sends):  # after the last one nobody waits
        scissors = Scissors(sends=send)
        done, _reports = await play_one(hall, keeping(Notes, made), scissors)
        assert (done.how, scissors.connections) == ("played", 2)
        assert story(made[-1]) == story(made[0]), send


class Reader(Notes):
    """The views of its turns are enough for it."""

    hear = Bot.hear


@pytest.mark.parametrize(("kind", "hears", "least"), [(Notes, LIVE, 13), (Reader, TURNS, 10)])
async def test_a_cut_at_any_message_boundary_loses_nothing(
    hall: Hall, autojump_clock: MockClock, kind: type[Notes], hears: Hears, least: int
) -> None:
    made: list[Bot] = []
    whole = Scissors()
    await play_one(hall, keeping(kind, made), whole, hears=hears)
    lines = whole.received.count(b"\n")
    assert lines >= least
    for line in range(2, lines):
        for extra in (0, 20):
            scissors = Scissors(line, extra)
            done, _reports = await play_one(hall, keeping(kind, made), scissors, hears=hears)
            assert (done.how, scissors.connections) == ("played", 2)
            assert story(made[-1]) == story(made[0]), (line, extra)


@pytest.mark.soak
async def test_a_cut_at_any_byte_loses_nothing(hall: Hall, autojump_clock: MockClock) -> None:
    made: list[Bot] = []
    whole = Scissors()
    await play_one(hall, keeping(Notes, made), whole)
    welcomed = whole.received.index(b"\n", whole.received.index(b"\n") + 1) + 1
    greeted = whole.received.index(b"\n") + 1
    for extra in range(welcomed - greeted, len(whole.received) - greeted - 20):
        done, _reports = await play_one(hall, keeping(Notes, made), Scissors(lines=1, extra=extra))
        assert done.how == "played"
        assert story(made[-1]) == story(made[0]), extra
        if extra % 500 == 0:
            await trio.sleep(hall.app.config.keep_seconds + 1)  # the server forgets finished tables


class Stubborn(Bot):
    """Tries a card that nobody holds, twice; then gives in."""

    tries = 0

    def choose(self, turn: Turn) -> Action:
        self.tries += 1
        return Play(99) if self.tries <= 2 else turn.legal[0]


class Falls(Bot):
    """Raises at its second turn."""

    def choose(self, turn: Turn) -> Action:
        return turn.legal[0] if turn.number == 1 else turn.legal[99]


class OtherToy(ToyGame):
    """The toy game, for which cards can be replaced: `source` is their digest, too."""

    def __init__(self, source: str = "", version: str = "1") -> None:
        self.source = self.cards_digest = source
        self.rules_version = version

    def with_cards(self, text: str) -> Game:
        if text == "refused":
            raise CardsRefused("line 1: no card")
        return OtherToy(text)

    def card_file_text(self) -> str:
        return self.source


async def test_an_illegal_action_is_reported_and_put_to_the_bot_again(hall: Hall, autojump_clock: MockClock) -> None:
    done, reports = await play_one(hall, Stubborn)
    assert done.how == "played"
    sentence = "table t1, turn 1: {'do': 'play', 'card': 99} is illegal: You do not have that card."
    assert reports == [sentence, sentence]
    assert hall.lobby.tables["t1"].require_match().late[1] == 0


async def test_a_bot_is_asked_no_more_once_so_many_of_its_actions_were_illegal(
    hall: Hall, autojump_clock: MockClock
) -> None:
    asked = list[int]()

    class Hopeless(Bot):
        def choose(self, turn: Turn) -> Action:
            asked.append(turn.number)
            return Play(99)

    await play_one(hall, Hopeless)
    assert set(Counter(asked).values()) == {ILLEGAL_A_DECISION}


async def test_a_bot_that_raises_leaves_the_match_and_the_house_plays_on(hall: Hall, autojump_clock: MockClock) -> None:
    done, reports = await play_one(hall, Falls)
    assert (done.how, done.place) == ("crashed", 0)
    assert "choose raised; the bot leaves" in reports[0]
    assert "IndexError" in reports[0]
    await hall.lobby.tables["t1"].done.wait()
    assert hall.lobby.tables["t1"].require_match().how[1] == "crashed"


async def test_a_match_that_a_bot_leaves_costs_its_other_matches_nothing(hall: Hall, autojump_clock: MockClock) -> None:
    made: list[Bot] = []

    class FirstFalls(Notes):
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            made.append(self)

        def hear(self, event: Event) -> None:
            if self is made[0]:
                raise ValueError("planted")

    scissors, reports = Scissors(), list[str]()
    runner = Runner(FirstFalls, GAMES, 7, report=reports.append)
    async with open_link(dial_to(hall, scissors), Identity("ann", bot=True), hearer=runner) as link:
        for _ in range(2):
            await take_seat(link, "toy", seats=2, bots=["first"])
        await runner.wait_until_finished(2)
    assert [done.how for done in runner.finished] == ["crashed", "played"]
    assert (scissors.connections, len(reports)) == (1, 1)


async def test_a_turn_of_a_match_that_is_over_already_is_not_decided(hall: Hall) -> None:
    asked: list[Turn] = []

    class Asked(Notes):
        def choose(self, turn: Turn) -> Action:
            asked.append(turn)
            return super().choose(turn)

    runner = Runner(Asked, GAMES, 7)
    table = hall.lobby.open_table("toy", 2, "", {}, ClockRule(), seed=bytes(32))
    async with open_link(dial_to(hall), Identity("ann", bot=True), hearer=runner) as link:
        await take_seat(link, table=table.id)
        hall.lobby.add_bot(table, "first")
        hall.lobby.start_match(table)
        table.require_live_match().abort("It was closed.")  # before anybody has read the first turn
        await runner.wait_until_finished(1)
    assert ([done.how for done in runner.finished], asked) == (["aborted"], [])


async def test_a_bot_is_told_when_it_was_too_late(hall: Hall, autojump_clock: MockClock) -> None:
    class Dozes(Notes):
        def choose(self, turn: Turn) -> Action:
            autojump_clock.jump(3)
            return super().choose(turn)

    done, reports = await play_one(hall, Dozes, main=0.0, increment=1.0)
    late = [f"table t1: too late; the default was done (number {count})." for count in (1, 2, 3)]
    assert reports == late
    assert done.how == "played"  # the third default was the last decision of the match


async def test_a_bot_is_told_when_a_house_bot_takes_its_seat(hall: Hall, autojump_clock: MockClock) -> None:
    class Resigns(Notes):
        def choose(self, turn: Turn) -> Action:
            table = hall.lobby.tables["t1"]
            player = table.seating.seat_states[0].player
            assert player is not None
            table.resign(player)
            return super().choose(turn)

    done, reports = await play_one(hall, Resigns)
    assert (done.how, done.place) == ("resigned", 2)
    assert reports == ["table t1: the house bot first plays on for us (resigned)."]


async def test_a_bot_hears_which_events_no_longer_count_once_a_decision_was_taken_back(hall: Hall) -> None:
    class Remembers(Notes):
        def undone(self, events: Sequence[Event]) -> None:
            self.heard.append(("undone", *events))

    bots: list[Bot] = []
    runner, people = Runner(keeping(Remembers, bots), GAMES, 7), [await hall.player(name) for name in ("ann", "bob")]

    async def play(peer: Peer, turn: int) -> None:
        asked = await peer.until(lambda message: message["type"] == "turn" and message["turn"] == turn)
        await peer.ask("act", table="t1", turn=turn, action=asked["legal"][0])

    async with open_link(dial_to(hall), Identity("rob", bot=True), hearer=runner) as link:
        await take_seat(link, "toy", seats=3, options={"rounds": 1})
        for peer in people:
            await peer.ask("join", table="t1")
        hall.lobby.start_match(hall.lobby.tables["t1"])
        await people[0].until(lambda message: message.get("event") == {"what": "chose", "seat": 1})  # the bot's choice
        await people[0].ask("act", table="t1", turn=1, action=(await people[0].next("turn"))["legal"][0])
        for peer in people:
            await peer.ask("undo", table="t1")
        for peer in people:
            await play(peer, 2)
        await runner.wait_until_finished(1)
    (bot,) = bots
    assert isinstance(bot, Remembers)
    told = [note for note in bot.heard if isinstance(note, Chose) or (isinstance(note, tuple) and "undone" in note)]
    assert told == [Chose(1), Chose(2), ("undone", Chose(2)), Chose(2), Chose(3)]


async def test_a_bot_whose_table_is_closed_is_done_with_it(hall: Hall, autojump_clock: MockClock) -> None:
    class Watches(Notes):
        def choose(self, turn: Turn) -> Action:
            hall.lobby.tables["t1"].seating.send_to_all(SentAway(table="t1", why="closed", by="eve"))
            return super().choose(turn)

    done, reports = await play_one(hall, Watches)
    assert (done.how, reports) == ("left", ["table t1: closed by eve."])


@pytest.mark.parametrize("away", [0, 60])
async def test_a_bot_that_waits_at_a_table_keeps_its_seat_over_a_lost_connection_or_hears_that_it_is_gone(
    hall: Hall, autojump_clock: MockClock, away: float
) -> None:
    reports = list[str]()
    runner = Runner(Notes, GAMES, 7, report=reports.append)
    bob = await hall.player("bob")
    there_from = 0.0

    async def dial() -> trio.abc.Stream:
        if trio.current_time() < there_from:
            raise OSError("no way through")
        return hall.dial()

    async def lose_and_find() -> None:
        nonlocal there_from
        there_from = trio.current_time() + away
        ann = hall.lobby.people.find_player("ann")
        assert ann is not None
        assert isinstance(ann.listener, Session)
        ann.listener.end("slow_reader")  # which says nothing more
        await trio.sleep(away + 20)
        await bob.ask("join", table="t1")
        await bob.play_on()

    await trio.sleep(200)  # long after the server began, which holds seats longer
    async with open_link(dial, Identity("ann", bot=True), hearer=runner) as link, trio.open_nursery() as nursery:
        await take_seat(link, "toy", seats=2)
        nursery.start_soon(lose_and_find)
        with trio.fail_after(600):
            await runner.wait_until_finished(1, "t1")
        nursery.cancel_scope.cancel()
    assert [done.how for done in runner.finished] == ([] if away else ["played"])
    assert runner.sent_away == ({"t1"} if away else set())
    assert (reports[-1] == "table t1: the seat was not kept so long.") == bool(away)


async def test_a_bot_that_is_sent_away_from_a_cup_is_done_with_it(hall: Hall, autojump_clock: MockClock) -> None:
    ann, reports = await hall.player("ann"), list[str]()
    runner = Runner(Notes, GAMES, 7, report=reports.append)
    await ann.ask("cup_open", cup="friday", game="toy")
    async with open_link(dial_to(hall), Identity("bob", bot=True), hearer=runner) as link:
        await link.ask(CupEnter(id=1, cup="friday"), CupReply)
        await ann.ask("cup_kick", cup="friday", entrant="bob")
        await runner.wait_until_over("friday")
    assert reports == ["cup friday: sent away by ann."]


async def test_a_bot_that_was_sent_away_while_its_connection_was_lost_finds_out(
    hall: Hall, autojump_clock: MockClock
) -> None:
    ann = await hall.player("ann")
    runner = Runner(Notes, GAMES, 7, report=lambda _text: None)
    await ann.ask("cup_open", cup="friday", game="toy")
    scissors = Scissors(lines=3)  # greeting, welcome, and the answer to the request
    async with open_link(dial_to(hall, scissors), Identity("bob", bot=True), face="json", hearer=runner) as link:
        await link.ask(CupEnter(id=1, cup="friday"), CupReply)
        await ann.ask("cup_kick", cup="friday", entrant="bob")
        with trio.fail_after(60):
            await runner.wait_until_over("friday")
    assert scissors.connections == 2


async def test_a_bot_plays_with_the_cards_of_the_match(hall: Hall, autojump_clock: MockClock) -> None:
    hall.lobby.games = {"toy": OtherToy("house cards")}
    games: list[Game] = []

    class Looks(Notes):
        def choose(self, turn: Turn) -> Action:
            games.append(turn.game)
            return super().choose(turn)

    done, reports = await play_one(hall, Looks, games={"toy": OtherToy()})
    assert (done.how, reports) == ("played", [])
    assert {game.cards_digest for game in games} == {"house cards"}


@pytest.mark.parametrize(
    ("there", "here", "why"),
    [
        (
            {"toy": OtherToy("refused")},
            {"toy": OtherToy()},
            "table t1: The server plays with cards that cannot be read here: line 1: no card",
        ),
        (
            {"toy": OtherToy(version="2")},
            {"toy": OtherToy()},
            "table t1: The server plays toy by other rules than this program (version 2 there, 1 here).",
        ),
        ({"toy": OtherToy()}, {}, "table t1: This program does not know the game toy; it has: none."),
    ],
)
async def test_a_bot_leaves_a_match_that_it_cannot_play(
    hall: Hall, autojump_clock: MockClock, there: dict[str, Game], here: dict[str, Game], why: str
) -> None:
    hall.lobby.games = there
    done, reports = await play_one(hall, Notes, games=here)
    assert (done.how, reports) == ("unplayable", [why])


async def test_a_match_is_played_over_real_sockets_in_each_face() -> None:
    async with trio.open_nursery() as nursery:
        app = await nursery.start(serve, Config(port=0), GAMES, FirstHouse("first"))
        for face in FACES:
            runner = Runner(Notes, GAMES, 7)
            me = Identity(f"ann-{face}", bot=True)
            async with open_link(tcp("127.0.0.1", app.port), me, face=face, hearer=runner) as link:
                await take_seat(link, "toy", seats=2, bots=["first"])
                await runner.wait_until_finished(1)
            assert runner.finished[0].how == "played"
        nursery.cancel_scope.cancel()
