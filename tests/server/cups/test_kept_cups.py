"""A server with a cup is killed, again and again: no result is lost, and no match is played twice."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from bots.sdk.link import Identity, open_link
from bots.sdk.runner import Runner
from bots.sdk.tokens import Tokens
from protocol.messages import ClockRule
from server.cups.cup_rows import cup_subject, is_same_game, read_cup
from server.cups.kept_cups import CupUnreadable, read_stored_cup
from server.store.sqlite import open_store
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.restarts import running
from tests.helpers.toy import TOY, ToyGame
from tests.server.cups.test_cups import Any, Crashing, Highest, Lowest, here, opened
from tests.server.desk.test_cup_requests import finish, play
from tests.server.desk.test_cup_requests import opened as opened_by_ann
from tournaments.cup import CupSettings, Entry
from tournaments.standings import CountedMatch

KINDS = (Highest, Any, Lowest, Any)
NAMES = tuple(f"e{number}" for number in range(len(KINDS)))


class OtherToy(ToyGame):
    rules_version = "2"


class Machine:
    """Where the server runs, or does not."""

    hall: Hall | None = None

    async def dial(self) -> trio.abc.Stream:
        """A connection to whichever server runs now."""
        if self.hall is None:
            raise OSError("nobody listens")
        return self.hall.dial()

    async def play(self, number: int) -> None:
        """A bot, as a process that outlives the server."""
        runner = Runner(KINDS[number], {TOY.id: TOY}, number, report=lambda _text: None)
        async with open_link(self.dial, Identity(NAMES[number], bot=True), Tokens(), hearer=runner) as link:
            await link.closed.wait()


async def cup(kills: Iterable[int], **more: object) -> list[CountedMatch]:
    """Plays a cup to its end; the server is killed after each of these numbers of commits, from the start on."""
    machine, disk = Machine(), Disk(delay=0.01)
    played: list[CountedMatch] | None = None
    begun = 0
    async with trio.open_nursery() as nursery:
        for kill in (*kills, 0):
            async with running(disk) as hall:
                machine.hall = hall
                if not disk.commits:
                    for number in range(len(KINDS)):
                        nursery.start_soon(machine.play, number)
                    await here(hall, NAMES)
                    live = opened(hall, [[name] for name in NAMES], at_once=2, clock=ClockRule(600.0, 30.0), **more)
                    hall.lobby.cups.change_state(live, "running")
                    await hall.lobby.journal.wait_until_written()
                    begun = disk.commits
                played = await until(hall, disk, begun + kill if kill else 0)
                machine.hall = None
            if played is not None:
                break
        nursery.cancel_scope.cancel()
    assert played is not None
    return played


async def until(hall: Hall, disk: Disk, commits: int) -> list[CountedMatch] | None:
    """The results, or None once there were so many commits."""
    live = hall.lobby.cups.get("friday")
    while not live.cup.is_over:
        if commits and disk.commits >= commits:
            return None
        await trio.sleep(0.02)
    await hall.lobby.journal.wait_until_written()
    return live.cup.finished_matches()


def told(played: list[CountedMatch]) -> list[tuple[int, list[int], list[str]]]:
    """What came out, without where it was played."""
    return [(one.pairing.number, [r.score for r in one.results], [r.how for r in one.results]) for one in played]


async def test_f01_a_cup_whose_server_is_killed_at_any_commit_ends_as_one_that_was_not() -> None:
    whole = told(await cup([]))
    assert len(whole) == 8
    assert all(how == "played" for _number, _scores, ends in whole for how in ends)
    for first in (1, 2, 3, 5, 8, 13):
        assert told(await cup(range(first, 60, 17))) == whole, first


async def test_f01_how_a_seat_ended_is_the_same_after_a_kill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.server.cups.test_kept_cups.KINDS", (Highest, Crashing, Lowest, Any))
    whole = told(await cup([]))
    assert sum(ends.count("crashed") for _number, _scores, ends in whole) == 6
    assert told(await cup(range(3, 60, 11))) == whole


async def test_f01_no_match_of_a_cup_is_begun_twice_after_a_kill() -> None:
    played = await cup(range(9, 60, 5))
    assert [one.pairing.number for one in played] == list(range(1, 9))
    tables = [one.table for one in played]
    assert len(set(tables)) == len(tables)


async def test_a_cup_that_is_over_its_entrants_and_its_secret_are_there_after_a_restart() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("cup_open", cup="friday", game="toy", seats=2)
        await ann.ask("cup_enter", cup="friday", tables=3)
        clock = {"main": 5.0, "increment": 1.0}
        before = (await ann.ask("cup_clock", cup="friday", entrant="ann", clock=clock))["info"]
        assert before["entrants"][0]["clock"] == clock
        await ann.ask("cup_open", cup="monday", game="toy", seats=2)
        stopped = (await ann.ask("cup_stop", cup="monday"))["info"]
        await ann.ask("cup_open", cup="april", game="toy", seats=2)
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert [one["cup"] for one in (await ann.ask("cups"))["cups"]] == ["friday", "monday", "april"], "oldest first"
        assert (await ann.ask("cup", cup="friday"))["info"] == before
        assert (await ann.ask("cup", cup="monday"))["info"] == stopped
        assert len(stopped["secret"]) == 64
        assert (await ann.ask("cup_open", cup="monday", game="toy"))["code"] == "cup_taken"


async def test_g11_of_a_cup_that_cannot_be_read_nobody_is_shown_a_deal_that_is_still_played() -> None:
    disk = Disk()
    names = ("bob", "carl", "dora", "emil")
    async with running(disk) as hall:
        ann, peers = await opened_by_ann(hall, *names, seats=2, rounds=1, deals="duplicate")
        await ann.ask("cup_start", cup="friday")
        for peer in peers:
            if (await peer.next("started"))["table"] == "t1":
                hall.nursery.start_soon(play, peer)
        await trio.sleep(1)
        assert [hall.lobby.tables[table].state for table in ("t1", "t2")] == ["over", "playing"]
    kept = disk.rows[cup_subject("friday")]
    kept[0] = kept[0][:-3]
    async with running(disk) as hall:
        ann = await hall.again("ann", ann.token)
        assert (await ann.ask("cups")).get("cups", []) == []
        assert (await ann.ask("tables"))["tables"][-1]["state"] == "playing"
        assert (await ann.ask("replay", table="t1"))["code"] == "not_over"
        assert (await ann.ask("watch", table="t2"))["code"] == "not_over"


async def test_who_was_sent_away_from_a_cup_stays_away_after_a_restart_until_invited() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob = await hall.player("ann"), await hall.player("bob", bot=True)
        await ann.ask("cup_open", cup="friday", game="toy")
        await bob.ask("cup_enter", cup="friday")
        await ann.ask("cup_kick", cup="friday", entrant="bob")
    async with running(disk) as hall:
        ann, bob = await hall.again("ann", ann.token), await hall.again("bob", bob.token, bot=True)
        assert (await bob.ask("cup_enter", cup="friday"))["code"] == "cup_state"
        await ann.ask("cup_invite", cup="friday", player="bob")
    async with running(disk) as hall:
        bob = await hall.again("bob", bob.token, bot=True)
        assert (await bob.ask("cup_enter", cup="friday"))["type"] == "cup_info"


async def test_f04_a_cup_waits_while_nothing_can_be_written_and_goes_on_when_there_is_room() -> None:
    disk = Disk(delay=0.01)
    async with trio.open_nursery() as nursery:
        async with running(disk) as hall:
            machine = Machine()
            machine.hall = hall
            for number in range(len(KINDS)):
                nursery.start_soon(machine.play, number)
            await here(hall, NAMES)
            live = opened(hall, [[name] for name in NAMES], at_once=2, clock=ClockRule(600.0, 30.0))
            hall.lobby.cups.change_state(live, "running")
            await trio.sleep(0.1)
            disk.full = True
            await trio.sleep(60)
            disk.full = False
            played = await until(hall, disk, 0)
        nursery.cancel_scope.cancel()
    assert played is not None
    assert told(played) == told(await cup([]))


async def test_what_is_told_of_a_cup_is_told_when_it_is_on_disk() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, bob, eve = [await hall.player(name) for name in ("ann", "bob", "eve")]
        await ann.ask("cup_open", cup="friday", game="toy", seats=2)
        for peer in (ann, bob):
            await peer.ask("cup_enter", cup="friday")
        await eve.ask("follow", cup="friday")
        await hall.lobby.journal.wait_until_written()
        disk.delay = 1.0
        before = trio.current_time()
        for peer, request in ((ann, "cup_start"), (ann, "cup_pause")):
            await peer.ask(request, cup="friday")
            assert trio.current_time() - before >= 1
            before = trio.current_time()
        assert (await eve.next("paired"))["table"] == "t1"
        (rows,) = [rows for subject, rows in disk.rows.items() if subject.startswith("cup:")]
        assert len(rows) >= 5, "the pairing stands there already"


async def test_f04_who_runs_a_cup_goes_on_hearing_of_it_after_a_full_disk() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await ann.ask("cup_open", cup="friday", game="toy", seats=2)
        await hall.lobby.journal.wait_until_written()
        live = hall.lobby.cups.get("friday")
        heard: list[Entry] = []
        live.on_entry = heard.append
        disk.full = True
        assert (await ann.ask("cup_enter", cup="friday"))["code"] == "storage"
        assert hall.lobby.cups.get("friday") is live
        assert live.cup.entrant_names == []
        disk.full = False
        await trio.sleep(2)
        assert (await ann.ask("cup_enter", cup="friday"))["type"] == "cup_info"
        assert len(heard) == 2, "the first one did not happen, which nobody could know"
        await ann.ask("cup_open", cup="monday", game="toy", seats=2)
        await hall.lobby.journal.wait_until_written()
    async with running(disk) as hall:
        assert [one.cup.settings.cup for one in hall.lobby.cups.list_cups()] == ["friday", "monday"]
        assert hall.lobby.cups.get("friday").cup.entrant_names == ["ann"]


async def test_f04_a_cup_that_made_room_for_one_that_could_not_be_kept_is_there_again() -> None:
    disk = Disk()
    async with running(disk) as hall:
        hall.limit(cups=1)
        ann = await hall.player("ann")
        await ann.ask("cup_open", cup="friday", game="toy", seats=2)
        await ann.ask("cup_stop", cup="friday")
        await hall.lobby.journal.wait_until_written()
        disk.full = True
        assert (await ann.ask("cup_open", cup="sunday", game="toy", seats=2))["code"] == "storage"
        assert [live.cup.settings.cup for live in hall.lobby.cups.list_cups()] == ["friday"]


async def test_f04_a_cup_that_could_not_be_kept_was_never_opened() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann = await hall.player("ann")
        await hall.lobby.journal.wait_until_written()
        disk.full = True
        assert (await ann.ask("cup_open", cup="friday", game="toy", seats=2))["code"] == "storage"
        assert hall.lobby.cups.list_cups() == []


async def test_f11_a_cup_waits_while_its_game_or_its_rules_are_not_installed(caplog: pytest.LogCaptureFixture) -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, peers = await opened_by_ann(hall, "bob", "carl", seats=2, rounds=2)
        await ann.ask("cup_start", cup="friday")
        await peers[0].next("started")
        await ann.ask("cup_open", cup="monday", game="toy", seats=2)
        await ann.ask("cup_enter", cup="monday")
    kept = {subject: rows.copy() for subject, rows in disk.rows.items() if subject[0] in "ct"}
    for games in ({}, {TOY.id: OtherToy()}):
        async with running(disk, games=games) as hall:
            ann = await hall.again("ann", ann.token)
            await trio.sleep(1_000)
            assert (await ann.ask("cup", cup="friday"))["info"]["state"] == "running"
            refused = await ann.ask("cup_start", cup="monday")
            assert refused["code"] == ("cup_state" if games else "no_such_game")
    assert caplog.text.count("cup friday waits: ") == 2
    assert "other rules or cards" in caplog.text
    assert {subject: rows for subject, rows in disk.rows.items() if subject[0] in "ct"} == kept
    async with running(disk) as hall:
        peers = [await hall.again(name, f"the token of {name}", bot=True) for name in ("bob", "carl")]
        await finish(hall, peers)
        matches = hall.lobby.cups.get("friday").cup.finished_matches()
        assert [bool(one.results) for one in matches] == [True] * 4


def test_a_cup_that_cannot_be_read_is_told_in_a_sentence_without_what_is_in_it(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    store.commit_now([(cup_subject("friday"), 0, b"the secret"), ("t1", 0, b"")])
    store.close()
    with pytest.raises(CupUnreadable, match=r"The cup friday in .* cannot be read \(ValidationError\)\.") as why:
        read_stored_cup(tmp_path, "friday")
    assert "secret" not in str(why.value)
    with pytest.raises(CupUnreadable, match=r"There is no cup monday in .*\. There are: none\."):
        read_stored_cup(tmp_path, "monday")


async def test_f04_standings_do_not_keep_a_result_that_never_happened() -> None:
    disk = Disk()
    async with running(disk) as hall:
        ann, peers = await opened_by_ann(hall, "bob", "carl", seats=2, rounds=2)
        await ann.ask("cup_start", cup="friday")
        await finish(hall, peers)
        live = hall.lobby.cups.get("friday")
        before = await ann.ask("standings", cup="friday")
        live.tally.rows = live.tally.rows[:1]  # as if the last of what was counted had never happened
        live.replace_state(read_cup(disk.read(cup_subject("friday"))))
        after = await ann.ask("standings", cup="friday")
        assert after["rows"] == before["rows"]


def test_a_cup_that_does_not_say_its_rules_fits_no_game() -> None:
    now = CupSettings("c", "o", "toy", 2, ClockRule(), "round_robin", "fresh", 1, 1, bytes(32), rules=TOY.rules_version)
    assert is_same_game(now, TOY)
    assert not is_same_game(replace(now, rules=""), TOY)
    assert not is_same_game(replace(now, cards="others"), TOY)
