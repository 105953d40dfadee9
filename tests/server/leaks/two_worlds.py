"""Two servers that are asked the same, whose matches differ only in what one observer cannot know.

Whatever that observer is sent must be the same bytes in both. The second world is the first one, dealt anew for the
observer after a given number of actions; what other players then do secretly may differ too, as long as it looks the
same by the rules. A comparison ends where the rules themselves reveal a difference.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import TypeAlias

import trio
import trio.testing

from games.api import Action, AddressedEvent, Event, Game, Seat, State
from games.chance import Chance
from games.testing.exam import _heard, _revealing
from protocol.entries import ActionTaken
from protocol.proof import make_proof, token_key
from tests.helpers.chance import SALT, TOKEN
from tests.helpers.wire import FACES, Face
from tests.server.leaks.forked import ForkedGame, Redeal
from tests.server.leaks.watched import allowance
from tests.server.leaks.world import World

DECISIONS_A_DELAY = 5  # more than the steps after which the comparison of a table with open hands ends


class Leak(AssertionError):
    """An observer was sent what it cannot know."""


Scene: TypeAlias = Callable[[World], AsyncGenerator[float, None]]  # what happens in a world; each part ends with a wait


@dataclass(frozen=True)
class Case:
    """One comparison: who observes, when the worlds part, which deal."""

    game: Game
    seats: int
    observer: Seat | None
    at: int
    number: int = 1
    face: Face = "json"
    retell: Callable[[State], list[AddressedEvent]] | None = None
    steps: int = 6  # after the worlds parted
    redeal: Redeal = lambda state, observer, chance: state.redeal(observer, chance)
    scene: Scene | None = None  # what happens once the worlds parted, instead of the steps
    strict: bool = False  # what late seats and house bots do is the same in both worlds, and compared
    tournament: bool = False
    sentences: int = 0  # so many of all actions the observer asks `why` of, each time others
    counted: bool = False  # whether the servers' work is compared, too
    delay: int = 0  # after which spectators see all hands; decisions take long then
    pages: bool = False  # whether the pages for browsers are read as well
    restart: bool = False  # whether the servers are killed and started again after the worlds parted


async def compare(case: Case) -> int:
    """As `_compare`, a Leak free of the groups that nurseries make."""
    try:
        return await _compare(case)
    except BaseExceptionGroup as group:
        leaks = group.subgroup(Leak)
        if leaks is None:
            raise
        raise Leak(*(str(leaf) for leaf in _leaves(leaks))) from None


def _leaves(group: BaseExceptionGroup) -> list[BaseException]:
    nested = (_leaves(one) if isinstance(one, BaseExceptionGroup) else [one] for one in group.exceptions)
    return [one for some in nested for one in some]


async def _compare(case: Case) -> int:
    """Plays both worlds side by side. Returns how many clients' bytes were compared while the truths differed.

    Raises Leak, also where seed or salt stand in anything sent before the end.
    """
    compared = 0
    chance = Chance.of_number(case.number).fork("players")
    async with trio.open_nursery() as nursery:
        worlds = []
        for at in (None, case.at):
            game = ForkedGame(case.game, case.observer, at, case.number, case.retell, case.redeal)
            worlds.append(World(game, case.seats, case.observer, case.face, case.delay, case.sentences, case.pages))
            await nursery.start(worlds[-1].live)
            await worlds[-1].begin(tournament=case.tournament)
        one, two = worlds
        seen: list[Action] = []
        for done in range(case.at + case.steps):
            if one.over() or two.over():
                break  # everybody may ask for the replay, which holds the truth
            parted = done >= case.at
            if parted and case.scene is not None:
                compared = await _play(case.scene, worlds, case)
                break
            if parted:
                probes = chance.shuffle("probes", seen)[:3]
                if done == case.at + 1 and case.observer is None:
                    for world in worlds:
                        for face in FACES:
                            await world.spectate(f"late-{face}", face)
                if done == case.at + 2:
                    for world in worlds:
                        await world.come_back()
                if case.restart and done == case.at + 3:
                    await _restart(worlds, nursery)
                for _ in zip(*(world.probe(probes) for world in worlds), strict=True):
                    await trio.testing.wait_all_tasks_blocked()
                compared += _same(worlds, case)
            pair = _next(one.state, two.state, case, chance, seen)
            if pair is None:
                break
            seat, mine, theirs = pair
            await trio.sleep(case.delay / DECISIONS_A_DELAY)
            await one.act(seat, mine)
            await two.act(seat, theirs)
            if not one.over() and not two.over():
                compared += _same(worlds, case)
        nursery.cancel_scope.cancel()
    return compared


async def _restart(worlds: list[World], nursery: trio.Nursery) -> None:
    """Both servers die at the same moment, and the next ones begin at the same moment."""
    for world in worlds:
        world.kill()
    for world in worlds:
        await world._gone.wait()
    for world in worlds:
        await world.restart(nursery)


async def _play(scene: Scene, worlds: list[World], case: Case) -> int:
    """The same happens in both worlds, in the same time, until the rules tell them apart. Returns how many times bytes
    were compared."""
    async with aclosing(scene(worlds[0])) as one, aclosing(scene(worlds[1])) as two:
        return await _play_side_by_side((one, two), worlds, case)


async def _play_side_by_side(parts: Sequence[AsyncGenerator[float, None]], worlds: list[World], case: Case) -> int:
    compared = 0
    while True:
        before = [(world.state.clone(), len(world.table.entries)) for world in worlds]
        waits: list[float] = []
        for part in parts:
            with suppress(StopAsyncIteration):
                waits.append(await anext(part))
        if not waits:
            return compared
        await trio.sleep(waits[0])
        await trio.testing.wait_all_tasks_blocked()
        if not case.strict and _told_apart(worlds, before, case):
            return compared
        compared += _same(worlds, case)


def _told_apart(worlds: list[World], before: list[tuple[State, int]], case: Case) -> bool:
    """Whether what was decided since, for late seats and by the house, is heard differently by the rules."""
    heard: list[list[tuple[Seat, list[Event]]]] = []
    for world, (state, entries) in zip(worlds, before, strict=True):
        done = [entry for entry in world.table.entries[entries:] if isinstance(entry, ActionTaken)]
        heard.append([(one.seat, _heard(state.apply(one.seat, one.action), case.observer)) for one in done])
    (one, _), (two, _) = before
    return any(mine != theirs for mine, theirs in zip(*heard, strict=False)) or one.outcome() != two.outcome()


def _next(one: State, two: State, case: Case, chance: Chance, seen: list[Action]) -> tuple[Seat, Action, Action] | None:
    """Who acts next and how in each world; None where the rules will tell the worlds apart."""
    movers = sorted(one.to_move())
    if movers != sorted(two.to_move()):
        raise Leak("whose turn it is differs")
    seat = chance.choice("seat", movers)
    legal = one.legal_actions(seat)
    seen += [action for action in legal if action not in seen][:8]
    mine = chance.choice("action", legal)
    if seat == case.observer:
        theirs = mine
    else:
        looks = one.observed_action(seat, mine, case.observer)
        alike = [other for other in two.legal_actions(seat) if two.observed_action(seat, other, case.observer) == looks]
        if not alike:
            return None
        theirs = mine if one == two else chance.choice("alike", alike)
    first, second = one.clone(), two.clone()
    heard = _heard(first.apply(seat, mine), case.observer)
    as_well = _heard(second.apply(seat, theirs), case.observer)
    if _revealing(heard, as_well, str(case)) or first.outcome() != second.outcome():
        return None
    return seat, mine, theirs


def _same(worlds: list[World], case: Case) -> int:
    one, two = worlds
    for mine, theirs in zip(one.watched, two.watched, strict=True):
        _alike(mine.name, "sent", mine.shown, theirs.shown)
        moments = [repr(client.times).encode() for client in (mine, theirs)]
        _alike(mine.name, "sent at such times", *moments)
        paid = [repr(allowance(world.hall, mine.name)).encode() for world in worlds]
        _alike(mine.name, "charged", *paid)
    _alike("The log", "told", one.ledger.log, two.ledger.log)
    if case.counted:
        _alike("The server", "kept busy for as many lines as", *(b"%d" % world.ledger.lines for world in worlds))
    for world in worlds:
        seed = world.table.seed
        proofs = [make_proof(TOKEN, TOKEN, player.name) for player in world.players]
        for secret in (
            seed.hex(),
            repr(seed),
            SALT.hex(),
            repr(SALT),
            TOKEN,
            token_key(TOKEN).hex(),
            *proofs,
            *world.secrets,
        ):
            if secret.encode() in world.ledger.log:
                raise Leak(f"The log is told {secret}")
        if world.over():
            continue
        for client in (*world.players, *world.watched):
            for piece in (seed.hex().encode(), seed, SALT.hex().encode(), SALT):
                if piece in client.shown:
                    raise Leak(f"{client.name} is sent the seed or the salt: {piece!r}")
    return len(one.watched) if one.state != two.state else 0


def _alike(observer: str, how: str, mine: bytes | bytearray, theirs: bytes | bytearray) -> None:
    if mine == theirs:
        return
    at = next((place for place, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
    at = min(len(mine), len(theirs)) if at is None else at
    shown = [bytes(told[max(0, at - 80) : at + 80]) for told in (mine, theirs)]
    raise Leak(f"{observer} is {how} {shown[0]!r} or {shown[1]!r}")
