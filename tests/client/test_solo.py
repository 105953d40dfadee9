"""Matches against house bots alone: which are kept, with which one goes on, and how they count."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import trio

from client.cli import solo
from client.house import BotHouse
from games.registry import all_games
from people.leaving import goodbye_text, leave_warning
from people.typed import handle_line
from protocol import messages as m
from server.app import App, serve
from server.config import Config
from server.player_stats import MatchStats
from server.store.rows import Store
from tests.people.at_a_table import said, seated


def deal(store: Store | None) -> None:
    """Begins a match there and leaves it."""

    async def play() -> None:
        async with trio.open_nursery() as life:
            app: App = await life.start(partial(serve, Config(port=0), all_games(), BotHouse(), store=store))
            assert not app.lobby.tables, "the others are not to be seen"
            app.lobby.people.register_name("Ann", b"key")
            ann = app.lobby.people.find_player("Ann")
            assert ann is not None
            table = app.lobby.open_table("ikasamage", 3, "Ann", {}, m.ClockRule())
            table.seat_player(ann)
            for _bot in range(2):
                app.lobby.add_bot(table, "random")
            app.lobby.start_match(table)
            await app.lobby.journal.wait_until_written()
            life.cancel_scope.cancel()

    trio.run(play)


def reading(*lines: str) -> Callable[[str], str]:
    left = iter(lines)
    return lambda _prompt: next(left)


def test_each_unfinished_match_stays_as_it_is_and_the_tenth_replaces_the_oldest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for _match in range(11):
        with solo.open_solo_folder(None) as place:
            deal(place.store)
    left = solo.unfinished_matches()
    assert [one.info.table for one in left] == [f"t{number}" for number in range(11, 2, -1)]
    assert {(one.folder, one.player_name) for one in left} == {(solo.saved_match_folders()[0], "Ann")}
    with solo.open_solo_folder(left[3]) as place:
        assert place.store is not None
        assert [one for one in place.store.current_subjects() if one.startswith("t")] == ["t8"]
        with solo.open_solo_folder(None) as beside:
            assert beside.known_as == "alone-2", "another terminal has a folder of its own"
        assert solo.unfinished_matches() == [], "what is played now is not offered"
    assert solo.ask_which_match(reading("7"), print) == left[6]
    shown: list[str] = []
    assert solo.ask_which_match(reading("x 1", "x 99", "what", "n"), shown.append) is None
    assert shown[0] == "1 Your match of ikasamage against random, random-2 is not finished."
    assert solo.unfinished_matches() == left[1:]


def test_where_nothing_can_be_kept_a_match_is_played_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "magehall").write_text("no folder")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with solo.open_solo_folder(None) as place:
        assert place.store is None
    assert not solo.may_have_unfinished()


def test_q_is_asked_once_where_the_match_is_kept() -> None:
    person = seated(3)
    person.settings.quiet = person.settings.saves = True
    assert said(person, "q") == "The match is kept, and magehall alone goes on with it. Type q again to leave."
    assert [ask.kind for ask in handle_line(person, "q").asks] == [m.Quit]
    said(person, "q")
    said(person, "aim")
    assert "Type q again" in said(person, "q")
    assert "magehall goes on with it" in leave_warning(person, "Ctrl-C")
    assert goodbye_text(person) == "Goodbye. The match is kept; magehall alone goes on with it."
    person.settings.saves = False
    assert [ask.kind for ask in handle_line(person, "q").asks] == [m.Quit]


def test_the_matches_of_several_servers_are_added_up() -> None:
    renown = MatchStats({"toy": [1, 0, 2]}, {"bob": [3, 1, 2]})
    renown.merge(MatchStats({"toy": [1], "magecraft": [0, 1]}, {"bob": [1, 1, 0], "greedy": [1, 0, 1]}))
    assert renown.games == {"toy": [2, 0, 2], "magecraft": [0, 1]}
    assert renown.met == {"bob": [4, 2, 2], "greedy": [1, 0, 1]}


def test_learn_plays_with_the_options_of_the_lessons(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "magehall", "learn", "magecraft", "--plain"]
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=50)
    (replay,) = (tmp_path / "magehall" / "matches").glob("*-magecraft-*.jsonl")
    with replay.open(encoding="utf-8") as lines:
        assert json.loads(next(lines))["options"] == {"mastery": False}
