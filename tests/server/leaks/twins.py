"""Two towns side by side: the same happens in both, at the same time, and all that leaves them is compared."""

from __future__ import annotations

import base64
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import pytest
import trio
import trio.testing

from games.api import State
from games.testing.exam import _heard
from protocol import messages as m
from protocol.connection import ServerConnection
from protocol.entries import ActionTaken
from server.net.session import Session
from tests.helpers.wire import Face
from tests.server.leaks.other_secrets import OtherSecrets
from tests.server.leaks.town import Observer, Parts, Setting, Town
from tests.server.leaks.two_worlds import Leak, _alike, _leaves
from tests.server.leaks.watched import BusyCounted, in_order, logs_recorded, this_world

Scene: TypeAlias = Callable[[Town], Parts]
ERRS = "the_server_errs_at_a_table"  # the only scene where it may
MUCH_BUSIER = 0.3  # seconds of a processor: much more than chance, or other work on the machine, makes of it
RESTART = -1.0  # what a scene yields where both servers are killed and begin anew


@dataclass(frozen=True)
class Play:
    """One comparison."""

    scene: Scene
    setting: Setting
    observer: Observer
    face: Face = "json"
    number: int = 0
    secrets: bool = True  # whether seeds and the like differ, too: not where they are told
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Seen:
    """What was compared while the worlds differed: how many streams, and which messages and errors were in them."""

    compared: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    counts: bool = False  # since the worlds differ
    watched: frozenset[str] = frozenset()


async def compare_towns(play: Play, monkeypatch: pytest.MonkeyPatch, seen: Seen | None = None) -> Seen:
    """Plays both. Raises Leak at the first difference, or where a secret stands in what leaves."""
    seen = Seen() if seen is None else seen
    with logs_recorded(), in_order(), monkeypatch.context() as patch:
        secrets = OtherSecrets(play.number)
        secrets.install(patch)
        _record_messages(patch, seen)
        _without_threads(patch)
        patch.setattr("server.desk.passwords.DOUBLINGS", 1)  # which takes the same time for every password
        busy = BusyCounted()
        trio.lowlevel.add_instrument(busy)
        try:
            async with trio.open_nursery() as nursery:
                await _play(play, secrets, nursery, seen)
                nursery.cancel_scope.cancel()
        except BaseExceptionGroup as group:
            leaks = group.subgroup(Leak)
            if leaks is None:
                raise
            raise Leak(*(str(leaf) for leaf in _leaves(leaks))) from None
        finally:
            trio.lowlevel.remove_instrument(busy)
    return seen


def _record_messages(patch: pytest.MonkeyPatch, seen: Seen) -> None:
    """Every message that a watched client of the second world is sent is counted, and every error by its code."""
    emit = Session._emit

    def counted(session: Session, messages: Iterable[m.Message], *args: Any, **more: Any) -> None:
        messages = list(messages)
        name = session.player.name if session.player is not None else ""
        if seen.counts and this_world() and (not name or name in seen.watched):
            for message in messages:
                seen.kinds[type(message).__name__] += 1
                if isinstance(message, m.Error):
                    seen.kinds[message.code] += 1
                if isinstance(message, m.Bye):
                    seen.kinds[f"bye {message.reason}"] += 1
        emit(session, messages, *args, **more)

    patch.setattr(Session, "_emit", counted)
    ask = ServerConnection.encode_are_you_there

    def asked(*args: Any) -> bytes:
        seen.kinds["AreYouThere"] += seen.counts and this_world()
        return ask(*args)

    patch.setattr(ServerConnection, "encode_are_you_there", asked)


def _without_threads(patch: pytest.MonkeyPatch) -> None:
    """So that the time to an answer is the same each time."""
    run_sync = trio.to_thread.run_sync
    for name, module in list(sys.modules.items()):
        for attribute, value in list(vars(module).items()) if name.startswith("server.") else ():
            if value is run_sync:
                patch.setattr(module, attribute, _at_once)
    patch.setattr("trio.to_thread.run_sync", _at_once)


async def _at_once(function: Callable[..., Any], *args: Any, **_more: Any) -> Any:
    await trio.lowlevel.checkpoint()
    return function(*args)


async def _play(play: Play, secrets: OtherSecrets, nursery: trio.Nursery, seen: Seen) -> None:
    both = [Town(world, play.setting, play.observer, play.number, play.face, **play.more) for world in (0, 1)]
    for town in both:
        await nursery.start(town.live)
    await _side_by_side([town.begin() for town in both], both, secrets, nursery, None)
    secrets.apart = play.secrets
    for town in both:
        await town.open()
    for town in both:
        await town.start()
    await trio.sleep(1.0)
    secrets.apart = False  # of a match that somebody begins and ends meanwhile all may be told
    for town in both:
        town.game.apart = False
        town.ledger.busy = town.ledger.lines = 0  # what a schedule takes, the second time finds kept
    _same(both, secrets, seen)
    seen.counts, seen.watched = True, frozenset(client.name for client in both[1].watched)
    try:
        await _side_by_side([play.scene(town) for town in both], both, secrets, nursery, seen)
    finally:
        seen.counts = False
        for town in both:
            _no_secret(town, secrets)
    one, two = (town.ledger.busy for town in both)
    if abs(one - two) > MUCH_BUSIER and max(one, two) > 3 * min(one, two):
        raise Leak(f"The server is busy for {one:.2f} or {two:.2f} seconds")
    if play.scene.__name__ != ERRS and any(b"incident" in town.ledger.log for town in both):
        raise RuntimeError(f"the server erred: {both[0].ledger.log.decode()[-3_000:]}")


class _Course:
    """What happens in one town, part by part; parts may have parts."""

    def __init__(self, scene: Parts) -> None:
        self._stack = [scene]

    async def next(self) -> float:
        """The seconds until the next part. Raises StopAsyncIteration at the end."""
        while True:
            try:
                got = await anext(self._stack[-1])
            except StopAsyncIteration:
                if len(self._stack) == 1:
                    raise
                self._stack.pop()
            else:
                if isinstance(got, float | int):
                    return got
                self._stack.append(got)

    async def close(self) -> None:
        for part in reversed(self._stack):
            await part.aclose()


async def _side_by_side(
    scenes: list[Parts],
    both: list[Town],
    secrets: OtherSecrets,
    nursery: trio.Nursery,
    seen: Seen | None,
) -> None:
    async with AsyncExitStack() as stack:
        parts = [_Course(scene) for scene in scenes]
        for part in parts:
            stack.push_async_callback(part.close)
        while True:
            before = [_positions(town) for town in both]
            waits: list[float] = []
            for part in parts:
                with suppress(StopAsyncIteration):
                    waits.append(await part.next())
            if not waits:
                return
            if waits[0] == RESTART:
                for town in both:
                    town.kill()
                for town in both:
                    await town.restart(nursery)
            await trio.sleep(max(0.0, waits[0]))
            await trio.testing.wait_all_tasks_blocked()
            if seen is not None and both[0].differ and _told_apart(both, before):
                return
            if seen is not None:
                _same(both, secrets, seen)


def _positions(town: Town) -> dict[str, tuple[State, int]]:
    """The truth at every table, and how long its log is."""
    return {table.id: (table.require_match().state.clone(), len(table.entries)) for table in town.tables}


def _told_apart(both: list[Town], before: list[dict[str, tuple[State, int]]]) -> bool:
    """Whether what was decided since is told differently by the rules of the game to those who may hear of it."""
    one, two = (_by_the_rules(town, was) for town, was in zip(both, before, strict=True))
    return one != two


def _by_the_rules(town: Town, before: dict[str, tuple[State, int]]) -> list[Any]:
    """All that one may know of what was decided since, at each table."""
    told: list[Any] = []
    for table_id, (state, entries) in before.items():
        table = town.hall.lobby.tables.get(table_id)
        if table is None:
            continue
        seat = next((seat_state.number for seat_state in table.seating.seat_states if seat_state.name == "p1"), None)
        observer = seat if town.observer == "p1" else None
        hides = town.setting == "duplicate" and observer is None  # nobody else may watch there
        for entry in table.entries[entries:]:
            if isinstance(entry, ActionTaken):
                heard = _heard(state.apply(entry.seat, entry.action), observer)
                told += [] if hides else [heard]
        told.append(state.outcome())
    return told


def _same(both: list[Town], secrets: OtherSecrets, seen: Seen) -> None:
    for (what, mine), (_, theirs) in zip(both[0].channels(), both[1].channels(), strict=True):
        subject, _, verb = what.partition(" is " if " is " in what else " ")
        _alike(subject, verb, mine, theirs)
        seen.compared += 1


def _no_secret(town: Town, secrets: OtherSecrets) -> None:
    """No secret stands literally in what anybody is sent, players included, nor what was done secretly in the log."""
    for name, data in _all_that_leaves(town):
        for secret in dict.fromkeys(secrets.drawn):
            if any(writing in data for writing in writings(secret)):
                raise Leak(f"{name} is sent a secret: {secret.hex()}")
    for done in town.private:
        if done.encode() in town.ledger.log:
            raise Leak(f"The log is told {done}")


def writings(secret: bytes) -> Iterable[bytes]:
    """How bytes may be written."""
    return secret, secret.hex().encode(), base64.b64encode(secret).rstrip(b"="), repr(secret)[2:-1].encode()


def _all_that_leaves(town: Town) -> Iterable[tuple[str, bytes]]:
    for client in town.clients.values():
        yield client.name, bytes(client.shown)
    yield "The log", bytes(town.ledger.log)
    yield "The operator", bytes(town.said)
