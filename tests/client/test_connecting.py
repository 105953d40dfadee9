"""Under which name somebody comes to a server, the one of the last time if it is free; and what is said on the way."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trio

from bots.sdk.link import Refused
from client.cli.hosting import _known_as
from client.cli.own_table import missing_bots, tables_in_state
from client.cli.play import join_or_resume
from client.cli.unfinished import UnfinishedChoice, choose_plan, tables_of_host
from client.connecting import CannotPlay, ConnectOptions, _hold, default_name, is_played_elsewhere, open_session
from client.left_seats import LeftSeat, load_left_seats
from client.stand_in import LocalStandIns
from games.registry import all_games
from protocol import messages as m
from server.app import App, serve
from server.config import Config
from tests.helpers.disk import Disk
from tests.helpers.house import FirstHouse


async def name_at(app: App, name: str = "", *, only_looks: bool = False) -> str:
    options = ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, name=name, plain=True)
    async with open_session(options, only_looks=only_looks) as visit:
        return visit.name


async def test_who_comes_back_without_a_name_is_who_they_were(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    assert await name_at(app) == default_name()
    assert await name_at(app, "Merlin") == "Merlin"
    assert await name_at(app) == "Merlin"
    async with open_session(ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, plain=True)) as visit:
        assert visit.name == "Merlin"
        assert await name_at(app, only_looks=True) == default_name()
    assert await name_at(app) == "Merlin"
    nursery.cancel_scope.cancel()


async def test_g17_the_chance_of_a_bot_that_plays_on_for_a_person_is_another_one_each_time(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else others at the table know when it bluffs."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    seeds = set()
    for _ in range(3):
        async with open_session(ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, plain=True)) as visit:
            assert isinstance(visit.person.settings.stand_ins, LocalStandIns)
            seeds.add(visit.person.settings.stand_ins.seed)
    assert len(seeds) == 3
    nursery.cancel_scope.cancel()


async def test_a_name_is_held_by_one_program_at_a_time(tmp_path: Path) -> None:
    async with AsyncExitStack() as first:
        assert _hold(first, tmp_path, "here:7110:ann")
        async with AsyncExitStack() as second:
            assert not _hold(second, tmp_path, "here:7110:ann")
            assert _hold(second, tmp_path, "here:7110:bob")
    async with AsyncExitStack() as third:
        assert _hold(third, tmp_path, "here:7110:ann")


async def test_a_server_that_goes_on_at_another_port_knows_its_host(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    own = _known_as(tmp_path / "hall")
    assert own != _known_as(tmp_path / "other")
    disk, ports, names = Disk(), [0], list[str]()
    for known_as in ("", own, own):  # the first time as whoever plays at that address, then there again, then elsewhere
        config = Config(port=ports[-1] if len(ports) == 2 else 0)
        async with trio.open_nursery() as life:
            app: App = await life.start(partial(serve, config, all_games(), FirstHouse("first"), store=disk))
            ports.append(app.port)
            options = ConnectOptions(
                "ikasamage", host="127.0.0.1", port=app.port, known_as=known_as, name="Ann", plain=True
            )
            async with open_session(options) as visit:
                names.append(visit.name)
            life.cancel_scope.cancel()
    assert names == ["Ann", "Ann", "Ann"]
    assert ports[1] == ports[2] != ports[3]
    nursery.cancel_scope.cancel()


async def test_who_leaves_a_match_is_asked_back_to_it_until_it_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0, house_seconds=0.0), all_games(), FirstHouse("first"))
    bots = ("first", "first")
    options = ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, name="Ann", bots=bots, seats=3, plain=True)
    seat = LeftSeat("127.0.0.1", app.port, "t1", "Ann")
    async with open_session(options) as visit:
        await join_or_resume(visit, options)
        await visit._until(lambda: visit.person.seats.tables["t1"].state == "playing")
        assert load_left_seats() == [seat], "a terminal that is killed has no time to note it"
        assert is_played_elsewhere(seat), "and nobody is asked back to where they are"
    assert load_left_seats() == [seat]
    assert not is_played_elsewhere(seat)
    async with open_session(replace(options, name="")) as visit:
        assert visit.name == "Ann"
        assert [seat.table for seat in visit.welcome.seats] == ["t1"]
        await visit.wait_until_seated()
        await visit.ask(m.Resign(id=1, table="t1"), m.Resigned)
        await visit._until(lambda: visit.person.seats.tables["t1"].state == "over")
    assert load_left_seats() == []
    nursery.cancel_scope.cancel()


async def test_who_opens_a_table_by_a_command_is_not_told_to_open_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], nursery: trio.Nursery
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    for name in ("Ann", "Bob"):
        options = ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, name=name, plain=True)
        async with open_session(options) as visit:
            await join_or_resume(visit, options)
    assert "There are no tables" not in (shown := capsys.readouterr().out)
    assert "ikasamage, open: 1 Ann" in shown
    nursery.cancel_scope.cancel()


async def test_what_keeps_somebody_from_a_seat_is_told_once_by_who_hears_of_it(
    nursery: trio.Nursery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    options = ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, seats=9, plain=True)
    async with open_session(options) as visit:
        with pytest.raises(Refused, match="takes 3 to 6 players, not 9"):
            await join_or_resume(visit, options)
    assert "not 9" not in capsys.readouterr().out
    nursery.cancel_scope.cancel()


async def test_options_describe_a_table_of_ones_own_and_are_told_to_whoever_looks_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], nursery: trio.Nursery
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    options = ConnectOptions("magecraft", host="127.0.0.1", port=app.port, name="Ann", plain=True)
    async with open_session(options) as waiting, open_session(replace(options, name="Bob")) as other:
        await join_or_resume(waiting, options)
        await join_or_resume(other, replace(options, options={"boards": "chosen", "mastery": False}))
    assert [dict(table.options) for table in app.lobby.tables.values()] == [{}, {"boards": "chosen", "mastery": False}]
    shown = capsys.readouterr().out
    assert "t1   magecraft, open: 1 Ann" in shown
    assert "t2   magecraft mastery=false boards=chosen, open: 1 Bob" in shown
    nursery.cancel_scope.cancel()


def table_of(*names: str, state: str = "open", here: bool = True, **more: Any) -> m.TableInfo:
    """A table of ikasamage; a name that a house bot has is one."""
    kinds = {"": "empty", "first": "house", "first-2": "house"}
    seats = tuple(m.SeatInfo(n, one, kinds.get(one, "person"), here=here) for n, one in enumerate(names, 1))
    info = m.TableInfo(
        table="t1", game="ikasamage", state=state, owner=names[0], seats=seats, clock=m.ClockRule(), options={},
        commitment="c0",
    )  # fmt: skip
    return msgspec.structs.replace(info, **more)


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ({"any_game": True}, []),
        ({}, []),
        ({"seats": 4}, None),
        ({"seats": 4, "bots": ("first",)}, []),
        ({"seats": 4, "bots": ("first", "first")}, ["first"]),
        ({"seats": 5, "bots": ("first",)}, None),
        ({"seats": 4, "bots": ("first",), "delay": 60}, None),
        ({"seats": 4, "bots": ("first",), "options": {"printed": True}}, None),
        ({"seats": 4, "bots": ("first",), "clock": m.ClockRule(main=1.0)}, None),
        ({"game": "magecraft"}, None),
    ],
)
def test_an_open_table_is_taken_up_if_it_is_what_the_options_describe(
    words: dict[str, Any], missing: list[str] | None
) -> None:
    there = table_of("Ann", "first", "", "")
    assert missing_bots(there, ConnectOptions(**{"game": "ikasamage", **words})) == missing


async def test_who_comes_back_to_an_open_table_sits_there_and_at_no_second_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    options = ConnectOptions(
        "ikasamage", host="127.0.0.1", port=app.port, name="Ann", bots=("first",), seats=3, plain=True
    )
    for _again in range(3):
        async with open_session(options) as visit:
            await join_or_resume(visit, options)
            assert visit.person.seats.here is not None
            assert (visit.person.seats.here.id, visit.person.seats.here.seat) == ("t1", 1)
            assert [list(table.seating.names()) for table in app.lobby.tables.values()] == [["Ann", "first", ""]]
    other = replace(options, game="magecraft", bots=(), seats=2)
    async with open_session(other) as visit:
        await join_or_resume(visit, other)
        assert [table.game.id for table in app.lobby.tables.values()] == ["magecraft"]
    nursery.cancel_scope.cancel()


async def test_a_guest_sits_down_where_somebody_waits_and_not_at_a_table_that_was_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    ann, bob, cid = (
        ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, name=name, plain=True)
        for name in ("Ann", "Bob", "Cid")
    )
    async with open_session(ann) as visit:
        await join_or_resume(visit, ann)  # and loses the connection
    async with open_session(bob) as waiting, open_session(cid) as guest:
        await join_or_resume(waiting, replace(bob, seats=4))
        await join_or_resume(guest, cid)
        assert [seat.name for seat in app.lobby.tables["t2"].table_info().seats] == ["Bob", "Cid", "", ""]
    nursery.cancel_scope.cancel()


async def test_a_new_table_that_cannot_have_its_bots_is_closed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse("first"))
    options = ConnectOptions("ikasamage", host="127.0.0.1", port=app.port, name="Ann", bots=("grady",), plain=True)
    async with open_session(options) as visit:
        with pytest.raises(Refused, match="The bots for ikasamage are: first"):
            await join_or_resume(visit, options)
        assert not app.lobby.tables
    nursery.cancel_scope.cancel()


def test_nobody_is_asked_about_tables_that_fit_or_where_no_other_one_is_described() -> None:
    shared = [table_of("Ann", "Bob", "", "")]
    played = [table_of("Ann", "Bob", "first", state="playing")]
    assert tables_of_host([*shared, *played, table_of("Ann", "first", ""), table_of("Bob", "Cid", "")], "Ann") == [
        *shared,
        *played,
    ]
    any_table, another = ConnectOptions("ikasamage", any_game=True), ConnectOptions("magecraft")
    assert choose_plan(played, any_table, None, None) is UnfinishedChoice.BACK
    assert choose_plan(shared, ConnectOptions("ikasamage", seats=4), None, None) is UnfinishedChoice.BACK
    for tables in (shared, played):
        with pytest.raises(CannotPlay, match="Say --resume to go back there"):
            choose_plan(tables, another, None, None)
        assert choose_plan(tables, another, UnfinishedChoice.BESIDE, None) is UnfinishedChoice.BESIDE
        assert choose_plan(tables, another, None, lambda _prompt: "c") is UnfinishedChoice.CLOSE
        with pytest.raises(EOFError):
            choose_plan(tables, another, None, lambda _prompt: "q")


def test_spectators_are_offered_matches_that_are_played_before_those_that_were_left() -> None:
    left = table_of("Ann", "Bob", state="playing", here=False)
    played = table_of("Cid", "Dee", state="playing", table="t2")
    opened = table_of("Eve", "", table="t3")
    tables = [left, opened, played]
    assert tables_in_state(tables, "playing") == [played, left]
    assert tables_in_state(tables, "open") == [opened]
