"""A link: names, lost connections, requests that are repeated and done once, spectators that miss nothing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from bots.sdk.link import (
    Heard,
    Identity,
    Link,
    LinkFailed,
    LinkLost,
    LinkRestored,
    Refused,
    TableLeft,
    open_link,
)
from bots.sdk.tokens import Tokens
from languages import speaking
from protocol import messages as m
from protocol.proof import token_key
from server.config import Config
from server.failed_logins import ELSEWHERE, ELSEWHERE_A_SECOND
from tests.helpers.hall import Hall
from tests.helpers.links import next_of
from tests.helpers.scissors import Scissors, dial_to

ANN = Identity("ann", "here:1")


async def numbers(link: Link, until: type[m.Message]) -> list[tuple[str, int]]:
    """Types and numbers of what is told, up to the first message of that type."""
    told: list[tuple[str, int]] = []
    async for message in link:
        if not isinstance(message, LinkLost | LinkRestored):
            told.append((type(message).__name__, getattr(message, "n", 0)))
        if isinstance(message, until):
            return told
    raise AssertionError("the link ended")


async def test_a_name_is_proved_by_its_token_and_refused_without(hall: Hall, autojump_clock: MockClock) -> None:
    tokens = Tokens()
    for _time in range(2):
        async with open_link(dial_to(hall), ANN, tokens) as link:
            assert link.welcome.name == "ann"
            assert not link.welcome.code, "who has a token needs no code"
    with pytest.raises(Refused) as refused:
        async with open_link(dial_to(hall), ANN):
            raise AssertionError("it was let in")
    assert refused.value.error.code == "name_taken"


@pytest.mark.parametrize("bot", [True, False])
async def test_a_program_that_is_told_to_slow_down_waits_as_it_is_told(
    hall: Hall, autojump_clock: MockClock, bot: bool
) -> None:
    tokens = Tokens()
    async with open_link(dial_to(hall), ANN, tokens):
        pass
    for _ in range(ELSEWHERE + 20):  # from addresses that are not the owner's
        hall.lobby.people.guesses.record_failure("ann", "192.0.2.1", "192.0.2.9", trio.current_time())
    player = hall.lobby.people.find_player("ann")
    assert player is not None
    player.address = "192.0.2.9"
    begun, me = trio.current_time(), replace(ANN, bot=bot)
    if bot:
        async with open_link(dial_to(hall, address="192.0.2.2"), me, tokens) as link:
            assert link.welcome.name == "ann"
        assert 20 / ELSEWHERE_A_SECOND <= trio.current_time() - begun < 20 / ELSEWHERE_A_SECOND + 30
        return
    with pytest.raises(Refused) as refused:
        async with open_link(dial_to(hall, address="192.0.2.2"), me, tokens):
            raise AssertionError("it was let in")
    assert (refused.value.error.code, refused.value.error.wait) == ("slow_down", 20 / ELSEWHERE_A_SECOND)


async def test_two_programs_that_take_the_same_new_name_at_once_do_not_take_the_token_from_each_other(
    hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    late = Tokens(tmp_path)
    async with open_link(dial_to(hall), ANN, Tokens(tmp_path)):
        monkeypatch.setattr(late, "get", lambda _server, _name: "")  # it looked before the other one kept its own
        async with open_link(dial_to(hall), ANN, late) as link:
            assert link.welcome.name == "ann"
    assert Tokens(tmp_path).get("here:1", "ann")


async def test_a_server_that_forgot_the_name_gets_the_key_of_a_new_token(
    hall: Hall, config: Config, autojump_clock: MockClock
) -> None:
    tokens = Tokens()
    async with open_link(dial_to(hall), ANN, tokens):
        token = tokens.get("here:1", "ann")
    other = Hall(hall.nursery, config)
    renewed = set()
    for _time in range(2):
        async with open_link(dial_to(other), ANN, tokens) as link:
            assert link.welcome.name == "ann"
        renewed.add(tokens.get("here:1", "ann"))
    assert len(renewed) == 1
    assert token not in renewed
    held = other.lobby.people.find_player("ann")
    assert held is not None
    assert held.key != token_key(token), "with it and the proof before it the server could compute the secret"


async def test_a_first_welcome_that_was_lost_burns_no_name(
    hall: Hall, tmp_path: Path, autojump_clock: MockClock
) -> None:
    scissors = Scissors(lines=1, extra=1)  # the greeting comes, the welcome does not
    with pytest.raises(LinkFailed):
        async with open_link(dial_to(hall, scissors), ANN, Tokens(tmp_path), face="json"):
            raise AssertionError("it was let in")
    async with open_link(dial_to(hall), ANN, Tokens(tmp_path)) as link:
        assert link.welcome.name == "ann"


async def test_the_token_of_a_name_that_is_somebody_elses_is_not_kept(
    hall: Hall, tmp_path: Path, autojump_clock: MockClock
) -> None:
    await hall.player("ann")
    tokens = Tokens(tmp_path)
    with pytest.raises(Refused) as refused:
        async with open_link(dial_to(hall), ANN, tokens):
            raise AssertionError("it was let in")
    assert refused.value.error.code == "name_taken"
    assert tokens.get("here:1", "ann") == Tokens(tmp_path).get("here:1", "ann") == ""


async def test_a_name_is_proved_by_another_process_with_the_file_that_the_first_one_wrote(
    hall: Hall, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with open_link(dial_to(hall), ANN, Tokens(tmp_path / "tokens")) as link:
        token = Tokens(tmp_path / "tokens").get("here:1", "ann")
    for _process in range(2):
        tokens = Tokens(tmp_path / "tokens")
        async with open_link(dial_to(hall), ANN, tokens) as link:
            assert link.welcome.name == "ann"
        assert tokens.get("here:1", "ann") == token


async def test_who_is_told_why_a_server_goes_reads_the_same_of_the_connection_that_is_lost(
    hall: Hall, autojump_clock: MockClock
) -> None:
    async with open_link(dial_to(hall), ANN) as link:
        for session in list(hall.app.sessions):
            session.end("shutdown")
        bye, lost = await anext(link), await anext(link)
        assert isinstance(bye, m.Bye)
        assert isinstance(lost, LinkLost)
        assert (bye.reason, bye.text) == ("shutdown", lost.reason)


async def test_a_second_login_ends_the_first_for_good(hall: Hall, autojump_clock: MockClock) -> None:
    tokens = Tokens()
    scissors = Scissors()
    async with (
        open_link(dial_to(hall, scissors), ANN, tokens, face="json") as first,
        open_link(dial_to(hall), ANN, tokens) as second,
    ):
        await first.closed.wait()
        with pytest.raises(LinkFailed, match="another connection"):
            await first.ask(m.Ping(id=1), m.Pong)
        with pytest.raises(LinkFailed):
            await numbers(first, m.Over)
        await second.ask(m.Ping(id=1), m.Pong)
    assert scissors.connections == 1


async def test_who_reads_french_reads_refusals_of_hello_in_french_and_others_after_a_lost_connection_too(
    hall: Hall, autojump_clock: MockClock
) -> None:
    with speaking("fr"):
        with pytest.raises(Refused, match=r"Un nom a de 2 à 16 lettres"):
            async with open_link(dial_to(hall), Identity("Zo é", "here:1")):
                raise AssertionError("it was let in")
        async with open_link(dial_to(hall, Scissors(lines=4)), ANN, face="json") as link:
            await link.ask(m.Ping(id=1), m.Pong)
            await next_of(link, LinkRestored)
            with pytest.raises(Refused, match="Cette table n'existe pas"):
                await link.ask(m.LookRequest(id=1, table="t9"), m.Position)


async def test_a_refusal_is_raised_with_the_servers_sentence(hall: Hall, autojump_clock: MockClock) -> None:
    async with open_link(dial_to(hall), ANN) as link:
        with pytest.raises(Refused, match="no such table"):
            await link.ask(m.Join(id=1, table="t9"), m.TableReply)


@pytest.mark.parametrize("extra", [0, 10])
async def test_a_request_whose_answer_is_lost_is_done_once(hall: Hall, autojump_clock: MockClock, extra: int) -> None:
    bob = await hall.player("bob")
    scissors = Scissors(lines=2, extra=extra)
    async with open_link(dial_to(hall, scissors), ANN, face="json") as link:
        assert (await link.ask(m.Say(id=1, text="once"), m.Said)).heard == 1
    assert scissors.connections == 2
    assert (await bob.ask("ping"))["type"] == "pong"
    assert [message["text"] for message in bob.told if message["type"] == "chat"] == ["once"]


class Curious:
    """Asks something as soon as the connection is there again."""

    def __init__(self) -> None:
        self.answers: list[m.Reply] = []

    def on_message(self, link: Link, message: Heard) -> None:
        if isinstance(message, LinkRestored):
            link.post(m.Ping(id=1), self.answers.append)

    def on_caught_up(self, _link: Link) -> None:
        pass


async def test_what_is_asked_on_coming_back_is_asked_after_what_was_not_answered(
    hall: Hall, autojump_clock: MockClock
) -> None:
    curious = Curious()
    scissors = Scissors(lines=1_000, sends=2)
    async with open_link(dial_to(hall, scissors), ANN, face="json", hearer=curious) as link:
        assert (await link.ask(m.Say(id=1, text="half of it is cut off"), m.Said)).heard == 0
        await trio.sleep(1)
    assert scissors.connections == 2
    assert [type(answer) for answer in curious.answers] == [m.Pong]


async def test_a_join_whose_answer_is_lost_gives_a_seat_that_is_really_there(
    hall: Hall, autojump_clock: MockClock
) -> None:
    bob = await hall.player("bob")
    await bob.ask("open", game="toy", seats=2)
    async with open_link(dial_to(hall, Scissors(lines=2)), ANN, face="json") as link:
        assert (await link.ask(m.Join(id=1, table="t1"), m.TableReply)).seat == 2
        assert hall.lobby.tables["t1"].seating.seat_states[1].name == "ann"


async def test_a_match_that_began_and_ended_before_the_answer_to_a_join_came_is_told(
    hall: Hall, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    bob = await hall.player("bob")
    await bob.ask("open", game="toy", seats=2, clock={"main": 0, "increment": 2})

    async def play() -> None:
        await bob.next("table_changed")
        await bob.ask("start", table="t1")
        await bob.play_on()

    nursery.start_soon(play)
    async with open_link(dial_to(hall, Scissors(lines=2, freeze=True)), ANN, face="json") as link:
        assert (await link.ask(m.Join(id=1, table="t1"), m.TableReply)).info.state == "open", "as it was then"
        with trio.fail_after(1_000):
            heard = [await anext(link)]
            while not isinstance(heard[-1], m.Over):
                heard.append(await anext(link))
    assert [type(message) for message in heard[:3]] == [LinkLost, LinkRestored, m.MatchStarted]


async def test_a_silent_connection_is_noticed_and_replaced(hall: Hall, autojump_clock: MockClock) -> None:
    scissors = Scissors(lines=2, freeze=True)
    async with open_link(dial_to(hall, scissors), ANN, face="json") as link:
        before = trio.current_time()
        await link.ask(m.Ping(id=1), m.Pong)
        assert 60 <= trio.current_time() - before < 62
    assert scissors.connections == 2


async def test_a_server_that_says_nothing_for_long_is_asked_and_kept_when_it_answers(
    hall: Hall, autojump_clock: MockClock
) -> None:
    scissors = Scissors()
    async with open_link(dial_to(hall, scissors), ANN, face="json"):
        await trio.sleep(600)
    assert scissors.connections == 1


@pytest.mark.parametrize(("cuts", "part"), [(range(3, 16), 100), ((5, 9), 1)])
async def test_a_spectator_whose_connection_is_cut_hears_every_message_once(
    hall: Hall, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, cuts: Sequence[int], part: int
) -> None:
    """What it missed is told in one part, or in several."""
    monkeypatch.setattr("server.desk.match_requests.STORY_MESSAGES", part)
    for cut in cuts:
        scissors = Scissors(lines=cut)
        async with AsyncExitStack() as stack:
            spectator = await stack.enter_async_context(
                open_link(dial_to(hall, scissors), Identity(f"w-{cut:02d}"), face="json")
            )
            ann = await stack.enter_async_context(open_link(dial_to(hall), Identity(f"ann-{cut:02d}")))
            table = (await ann.ask(m.Open(id=1, game="toy", seats=2), m.TableReply)).info.table
            await ann.ask(m.Add(id=1, table=table, bot="first"), m.TableReply)
            await spectator.ask(m.Watch(id=1, table=table), m.Watching)
            await ann.ask(m.Start(id=1, table=table), m.TableReply)
            for _ in range(3):
                turn = await next_of(ann, m.TurnUpdate)
                assert isinstance(turn, m.TurnUpdate)
                await trio.sleep(0.2)  # so that the spectator comes back at several places
                await ann.ask(m.Act(id=1, table=table, turn=turn.turn, action=turn.legal[0]), m.Accepted)
            told = [number for _kind, number in await numbers(spectator, m.Over) if number]
            assert told == list(range(1, len(told) + 1)), cut
            assert len(told) == 11


async def test_a_table_that_is_gone_is_told(hall: Hall, config: Config, autojump_clock: MockClock) -> None:
    other = Hall(hall.nursery, config)
    halls = iter([hall, other])

    async def dial() -> trio.abc.Stream:
        return await dial_to(next(halls))()

    async with open_link(dial, ANN, face="json") as link:
        await link.ask(m.Open(id=1, game="toy", seats=2), m.TableReply)
        await link.ask(m.Add(id=1, table="t1", bot="first"), m.TableReply)
        await link.ask(m.Start(id=1, table="t1"), m.TableReply)
        await next_of(link, m.TurnUpdate)
        for session in list(hall.app.sessions):
            session.end("shutdown")
        gone = await next_of(link, TableLeft)
        assert gone == TableLeft("t1")


async def test_a_watched_table_that_is_gone_is_told(hall: Hall, config: Config, autojump_clock: MockClock) -> None:
    halls = iter([hall, Hall(hall.nursery, config)])

    async def dial() -> trio.abc.Stream:
        return await dial_to(next(halls))()

    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    async with open_link(dial, Identity("eve"), face="json") as link:
        await link.ask(m.Watch(id=1, table="t1"), m.Watching)
        for session in list(hall.app.sessions):
            session.end("shutdown")
        assert await next_of(link, TableLeft) == TableLeft("t1")


class Notes:
    """A hearer that writes down what it is told; "settled" where nothing missed is still on its way."""

    def __init__(self) -> None:
        self.told: list[Heard | str] = []

    def on_message(self, link: Link, message: Heard) -> None:
        self.told.append(message)

    def on_caught_up(self, link: Link) -> None:
        self.told.append("settled")


async def test_nothing_is_waited_for_from_a_watched_table_that_is_gone(
    hall: Hall, config: Config, autojump_clock: MockClock
) -> None:
    halls = iter([hall, Hall(hall.nursery, config)])

    async def dial() -> trio.abc.Stream:
        return await dial_to(next(halls))()

    notes = Notes()
    ann = await hall.player("ann")
    await ann.ask("open", game="toy", seats=2)
    async with open_link(dial, Identity("eve"), face="json", hearer=notes) as link:
        await link.ask(m.Watch(id=1, table="t1"), m.Watching)
        for session in list(hall.app.sessions):
            session.end("shutdown")
        await trio.sleep(5)
    assert notes.told[notes.told.index(TableLeft("t1")) + 1 :] == ["settled"]


async def test_who_hears_turns_alone_goes_on_though_numbers_between_them_are_left_out(
    hall: Hall, autojump_clock: MockClock
) -> None:
    scissors, numbers = Scissors(), list[int]()
    async with open_link(dial_to(hall, scissors), Identity("ann", hears="turns"), face="json") as link:
        await link.ask(m.Open(id=1, game="toy", seats=2), m.TableReply)
        await link.ask(m.Add(id=1, table="t1", bot="first"), m.TableReply)
        await link.ask(m.Start(id=1, table="t1"), m.TableReply)
        for _ in range(3):
            turn = await next_of(link, m.TurnUpdate)
            assert isinstance(turn, m.TurnUpdate)
            numbers.append(turn.n)
            await link.ask(m.Act(id=1, table="t1", turn=turn.turn, action=turn.legal[0]), m.Accepted)
        await next_of(link, m.Over)
    assert numbers[2] - numbers[0] > 2
    assert scissors.connections == 1
