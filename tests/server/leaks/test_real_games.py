"""The leak gate's scenes with every real game: lateness, errors, take-overs, absence, aborts and tournaments.

A scene ends where the rules tell the two worlds apart, as when the default of a late seat shows a card. Leaks that
need nothing of a game are planted in each channel.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import pytest

from games.registry import all_games
from matches.fold import Match
from protocol import messages as m
from protocol.entries import MatchAborted, PresenceChanged
from server.cups import live_cup
from server.net.text_face import TextFace
from server.table import live as live_module
from server.table.live import LiveMatch
from server.table.table import Table
from tests.helpers.wire import FACES
from tests.server.leaks.forked import ForkedState
from tests.server.leaks.happenings import (
    SCENES,
    a_program_errs_three_times,
    all_run_out_of_time,
    one_goes_and_comes_back,
    one_is_known_not_to_come_back,
    the_server_errs,
)
from tests.server.leaks.plants import Plant, answer_anew, pass_gate, replaced, wrap
from tests.server.leaks.two_worlds import Case, Leak, Scene
from tests.server.leaks.world import SECRET
from tournaments.schedule import deal_seed

EVERY_GAME = pytest.mark.parametrize("game_id", sorted(all_games()))


def scene_cases(game_id: str, scene: Scene | None, moments: range) -> Iterator[Case]:
    """Observers, faces and moments in turn."""
    game = all_games()[game_id]
    seats = min(3, game.max_seats)
    for number in moments:
        observer = (None, 1, seats)[number % 3]
        yield Case(game, seats, observer, 4 * number, number=number, face=FACES[number // 3 % len(FACES)], scene=scene)


def tournament_cases(game_id: str, numbers: range) -> Iterator[Case]:
    game = all_games()[game_id]
    seats = min(3, game.max_seats)
    for number in numbers:
        observer, face = 1 + number % seats, FACES[number % len(FACES)]
        yield Case(game, seats, observer, 5 * number, number=number, face=face, steps=3, tournament=True)


@pytest.mark.parametrize(
    ("scene", "game_id"),
    [
        pytest.param(scene, game_id, id=f"{scene.__name__}-{game_id}")
        for at, scene in enumerate(SCENES)
        for game_id in sorted(all_games())[at % 2 :: 2]  # the others are for the long campaign
    ],
)
async def test_whatever_happens_in_a_real_game_no_observer_is_sent_a_different_byte(
    game_id: str, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(scene_cases(game_id, scene, range(2, 7)), monkeypatch) > 0


@EVERY_GAME
async def test_in_a_tournament_of_a_real_game_no_observer_is_sent_a_different_byte(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert await pass_gate(tournament_cases(game_id, range(1, 4)), monkeypatch) > 3


@pytest.mark.soak
@EVERY_GAME
async def test_whatever_happens_in_many_real_matches_no_observer_is_sent_a_different_byte(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for scene in SCENES:
        compared = await pass_gate(scene_cases(game_id, scene, range(36)), monkeypatch)
        print(f"\n{game_id}: {scene.__name__}: {compared} comparisons of different truths, no different byte")
        assert compared > 5
    assert await pass_gate(tournament_cases(game_id, range(1, 20)), monkeypatch) > 30


# -- planted leaks -----------------------------------------------------------------------------------------------------

PLANTS: dict[str, tuple[Plant, Callable[[str], Iterator[Case]]]] = {}


def planted(scene: Scene | None) -> Callable[[Plant], Plant]:
    """Marks a leak that has to be caught in that scene, or while a match is watched."""

    def mark(leak: Plant) -> Plant:
        PLANTS[leak.__name__] = leak, lambda game_id: scene_cases(game_id, scene, range(12))
        return leak

    return mark


def hidden(match: Match) -> int:
    """A number in which the hidden parts of a match show."""
    assert isinstance(match.state, ForkedState)
    views = [repr(match.state.inner.view(seat)) for seat in range(1, match.state.seats + 1)]
    return int(hashlib.sha256("".join(views).encode()).hexdigest()[:6], 16)


@planted(all_run_out_of_time)
def a_default_is_logged_with_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def do(original: Any, match: Match, entry: Any, outgoing: Any) -> None:
        if entry.why == "time":
            logging.getLogger("magehall.match").debug("late: %s", hidden(match))
        original(match, entry, outgoing)

    wrap(monkeypatch, Match, "_do", do)


@planted(a_program_errs_three_times)
def an_error_is_counted_by_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def do(original: Any, match: Match, entry: Any, outgoing: Any) -> None:
        if entry.why == "illegal":
            match.late[entry.seat] += hidden(match)
        original(match, entry, outgoing)

    wrap(monkeypatch, Match, "_do", do)


@planted(one_is_known_not_to_come_back)
def the_house_bot_that_takes_over_is_named_by_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def go(original: Any, match: Match, entry: PresenceChanged, outgoing: Any) -> None:
        by = f"{entry.by}-{hidden(match)}" if entry.by else ""
        original(match, PresenceChanged(entry.at, entry.seat, entry.how, by), outgoing)

    wrap(monkeypatch, Match, "_go", go)


@planted(one_goes_and_comes_back)
def who_comes_back_moves_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    def go(original: Any, match: Match, entry: PresenceChanged, outgoing: Any) -> None:
        if entry.how == "back":
            match.counts = [count + hidden(match) for count in match.counts]
        original(match, entry, outgoing)

    wrap(monkeypatch, Match, "_go", go)


@planted(the_server_errs)
def an_abort_tells_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(original: Callable[[LiveMatch], None], live: LiveMatch) -> None:
        told = hidden(live.match)
        monkeypatch.setattr(live_module, "MatchAborted", lambda at, text: MatchAborted(at, f"{text} {told}"))
        original(live)

    wrap(monkeypatch, LiveMatch, "_crash", crash)


@planted(None)
def a_late_spectator_is_shown_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    def watch(original: Callable[..., m.Watching], here: Any, request: m.Watch) -> m.Message:
        answer = original(here, request)
        match = here.lobby.tables[request.table].match
        return replaced(answer, view=match.state.inner.view(1)) if match is not None else answer

    answer_anew(monkeypatch, m.Watch, watch)


@planted(None)
def the_typed_line_of_an_event_tells_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def typed(original: Callable[..., str], face: TextFace, message: m.Message) -> str:
        shown = original(face, message)
        if not isinstance(message, m.Happened):
            return shown
        match = face._typist._lobby.tables[message.table].match
        return f"{shown}* {hidden(match) if match is not None else 0}\n"

    wrap(monkeypatch, TextFace, "_heard", typed)


@planted(None)
def the_lobby_tells_what_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def info(original: Callable[..., m.TableInfo], table: Table) -> m.TableInfo:
        return replaced(original(table), options={"luck": hidden(table.match)} if table.match else {})

    wrap(monkeypatch, Table, "table_info", info)


def the_seed_of_a_deal_stands_in_seated(monkeypatch: pytest.MonkeyPatch) -> None:
    def seated(info: m.TableInfo, seat: int) -> m.Seated:
        return m.Seated(info=replaced(info, options={"deal": deal_seed(SECRET, 1).hex()}), seat=seat)

    monkeypatch.setattr(live_cup, "Seated", seated)


PLANTS["the_seed_of_a_deal_stands_in_seated"] = (
    the_seed_of_a_deal_stands_in_seated,
    lambda game_id: tournament_cases(game_id, range(1, 2)),
)


@pytest.mark.parametrize(
    ("game_id", "name"),
    [
        pytest.param(game_id, name, marks=[pytest.mark.soak] if (at + turn) % 2 else [])
        for turn, name in enumerate(PLANTS)
        for at, game_id in enumerate(sorted(all_games()))
    ],
)
async def test_the_gate_catches_a_leak_in_a_real_game(game_id: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, cases = PLANTS[name]
    leak(monkeypatch)
    late = 6 if (game_id, name) == ("mages-110m", "a_late_spectator_is_shown_a_seat") else 0  # it does not show before
    with pytest.raises(Leak):
        await pass_gate(islice(cases(game_id), late, None), monkeypatch)
