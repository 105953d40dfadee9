"""Writes a finished match as a replay file, reads it back, and verifies it against the rules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from games.api import (
    Action,
    AddressedEvent,
    CardsRefused,
    Game,
    IllegalAction,
    Seat,
    action_from,
    changed_options,
    options_from,
    to_map,
)
from games.chance import seed_commitment
from matches.fold import Entry, Match, MatchHeader
from matches.language import _
from protocol import replay as line
from protocol.entries import ActionRefused, ActionTaken, LogEntry, ServerStalled, UndoWanted
from protocol.messages import ClockRule, Map, SeatInfo
from protocol.replay import BadReplay, HashChain

ROUNDING = 0.001  # precision of the clocks in a replay file, in seconds


@dataclass(frozen=True)
class Record:
    """A finished match. With the game's rules, all messages of the match can be computed from it."""

    game: Game
    header: MatchHeader
    entries: tuple[Entry, ...]


def iter_replay_lines(
    game: Game,
    header: MatchHeader,
    entries: Iterable[Entry],
    check: Callable[[Entry, Match], None] | None = None,
) -> Iterator[bytes]:
    """Yields the lines of the match's replay file, each with its line end. Raises ValueError at the end if the match is
    not over.

    `check` is called before each entry is applied.
    """
    clock = ClockRule(float(header.clock.main), float(header.clock.increment))
    chain, match = HashChain(), Match(game, msgspec.structs.replace(header, clock=clock, grace=float(header.grace)))
    match.begin({})
    yield chain.add_hash(_begun(match))
    for entry in entries:
        if check is not None:
            check(entry, match)
        yield chain.add_hash(_played(entry, match))
    if match.over is None:
        raise ValueError(_("the match is not over"))
    yield chain.add_hash(
        line.ReplayEnd(**{name: getattr(match.over, name) for name in line.ReplayEnd.__struct_fields__})
    )


def encode_local_replay(
    game: Game,
    options: Mapping[str, Any],
    names: Sequence[str],
    seed: bytes,
    done: Iterable[tuple[Seat, Action]],
    salt: bytes = bytes(16),
) -> bytes:
    """Returns the replay file of a match that was played in this process without a clock. `names` has the players, seat
    1 first.

    Raises ValueError if the match is not over.
    """
    header = MatchHeader(
        table="here",
        game=game.id,
        options=dict(options),
        seats=tuple(SeatInfo(seat, name, "bot") for seat, name in enumerate(names, 1)),
        clock=ClockRule(),
        seed=seed,
        salt=salt,
        nonces=(),
        grace=0.0,
    )
    return b"".join(iter_replay_lines(game, header, [ActionTaken(0.0, seat, action) for seat, action in done]))


def read_replay(data: bytes, games: Mapping[str, Game]) -> Record:
    """Reads a replay file, and checks its hashes and the order of its lines, but not the rules. Raises BadReplay."""
    begun, between, over = line.parse_replay_lines(data)
    game = _game_of(begun, games)
    header = MatchHeader(
        table=begun.table,
        game=begun.game,
        options=begun.options,
        seats=begun.seats,
        clock=begun.clock,
        seed=bytes.fromhex(over.seed),
        salt=bytes.fromhex(over.salt),
        nonces=begun.nonces,
        grace=begun.grace,
        magehall=begun.magehall,
    )
    return Record(game, header, tuple(_entries(between, game, len(begun.seats))))


def verify_replay(data: bytes, games: Mapping[str, Game]) -> Record:
    """Like `read`, but also replays the match by the rules, and checks that each line is correct. Raises BadReplay."""
    record = read_replay(data, games)
    header = record.header
    lines = [raw + b"\n" for raw in data.split(b"\n")[:-1]]
    if seed_commitment(header.seed, header.salt) != msgspec.json.decode(lines[0])["commitment"]:
        raise BadReplay(1, _("The commitment does not fit seed and salt, in line {last}.", last=len(lines)))
    again = iter_replay_lines(record.game, header, record.entries, _check)
    for number, there in enumerate(lines, 1):
        try:
            follows = next(again)
        except IllegalAction as error:
            raise BadReplay(number, _("The rules refuse this action: {text}", text=error.text)) from None
        except ValueError as error:
            raise BadReplay(number, _("That cannot be: {error}.", error=error)) from None
        if there != follows:
            raise BadReplay(number, _difference(msgspec.json.decode(there), msgspec.json.decode(follows)))
    return record


# -- writing -----------------------------------------------------------------------------------------------------------


def _begun(match: Match) -> line.ReplayStart:
    game, header = match.game, match.header
    return line.ReplayStart(
        replay=line.VERSION,
        table=header.table,
        game=header.game,
        rules_version=game.rules_version,
        options=changed_options(game, header.options),
        seats=header.seats,
        clock=header.clock,
        grace=header.grace,
        nonces=header.nonces,
        commitment=seed_commitment(header.seed, header.salt),
        cards=game.cards_digest,
        source=game.card_file_text(),
        magehall=header.magehall,
        told=_heard(match.told),
        state=line.view_digest(match.state.view(None)),
    )


def _played(entry: Entry, match: Match) -> LogEntry:
    """Applies an entry to the match, and returns the entry's line for the replay file. Raises IllegalAction if the
    rules refuse an action."""
    if not isinstance(entry, ActionTaken):
        match.apply(entry, {})
        return entry
    seat, turn = entry.seat, match.turns[entry.seat]
    left = match.clocks.seconds_left(seat, entry.at)
    match.apply(entry, {})
    return line.ReplayDecision(
        at=entry.at,
        seat=seat,
        turn=turn,
        action=to_map(entry.action),
        why=entry.why,
        left=round(max(0.0, left), 3),
        main=match.clocks.main_time_left(seat),
        told=_heard(match.told),
        state=line.view_digest(match.state.view(None)),
    )


def _heard(told: list[AddressedEvent]) -> tuple[line.ReplayEvent, ...]:
    return tuple(line.ReplayEvent(to_map(one.event), one.only or 0, one.but or 0) for one in told)


# -- reading -----------------------------------------------------------------------------------------------------------


def _game_of(begun: line.ReplayStart, games: Mapping[str, Game]) -> Game:
    """Returns the game with the cards of that match. Raises BadReplay if the match cannot be played with it."""
    game = games.get(begun.game)
    if game is None:
        raise BadReplay(1, _("There is no game {game!r} here.", game=begun.game))
    try:
        if begun.source:
            game = game.with_cards(begun.source)
        options_from(game, begun.options)
    except (CardsRefused, ValueError) as error:
        raise BadReplay(1, str(error)) from None
    if begun.cards != game.cards_digest:
        raise BadReplay(1, _("It was played with other cards of {game} than those here.", game=game.id))
    if begun.rules_version != game.rules_version:
        text = _(
            "It was played by rules version {there} of {game}; here is {here}.",
            there=begun.rules_version,
            game=game.id,
            here=game.rules_version,
        )
        raise BadReplay(1, text)
    seats = len(begun.seats)
    numbered = [info.seat for info in begun.seats] == list(range(1, seats + 1))
    if not (numbered and game.min_seats <= seats <= game.max_seats and len(begun.nonces) in (0, seats)):
        raise BadReplay(1, _("{title} is not played with such seats and nonces.", title=game.title))
    return game


def _entries(between: list[line.Between], game: Game, seats: int) -> Iterator[Entry]:
    """Yields the entries in the file, which begin in line 2."""
    before = 0.0
    for number, one in enumerate(between, 2):
        if one.at < before:
            raise BadReplay(
                number, _("It happened {seconds:.3f} seconds before the line above.", seconds=before - one.at)
            )
        before = one.at
        named = one.seconds if isinstance(one, ServerStalled) else {one.seat} if hasattr(one, "seat") else ()
        if not all(seat <= seats for seat in named):
            raise BadReplay(number, _("There are {seats} seats.", seats=seats))
        try:
            yield _entry(one, game)
        except ValueError as error:
            raise BadReplay(number, str(error)) from None


def _entry(one: line.Between, game: Game) -> Entry:
    """Returns the entry in a line. Raises ValueError if it has an action that the game does not know."""
    match one:
        case line.ReplayDecision():
            action = action_from(game, one.action)
            # interned, because msgspec omits only the default's own object
            return ActionTaken(one.at, one.seat, action, sys.intern(one.why))
        case ActionRefused():
            refused = None if one.action is None else action_from(game, one.action)
            return ActionRefused(one.at, one.seat, one.rule, one.text, refused)
        case _:
            return one


def _check(entry: Entry, match: Match) -> None:
    """Checks that the entry can occur at this point of the match, apart from the rules of the game. Raises ValueError
    if not."""
    if match.over is not None:
        raise ValueError(_("the match was over"))
    if isinstance(entry, UndoWanted) and entry.on:
        if match.undos.latest_decision is None:
            raise ValueError(_("there was no decision to take back"))
        if any(type(one.event).reveals for one in match.told):
            raise ValueError(_("the decision had revealed something, and could not be taken back"))
    if not isinstance(entry, ActionTaken):
        return
    if entry.seat not in match.asked:
        raise ValueError(_("seat {seat} had nothing to decide", seat=entry.seat))
    left = match.clocks.seconds_left(entry.seat, entry.at)
    if (left < -ROUNDING and not entry.why) or (left > ROUNDING and entry.why == "time"):
        raise ValueError(_("{left:.3f} seconds were left", left=left))


def _difference(there: Map, follows: Map) -> str:
    """Returns a sentence that says how a line differs from the correct one."""
    for name, value in follows.items():
        if there.get(name) != value and name != "hash":
            return _(
                "`{name}` is {told}, but {right} follows from what was done.",
                name=name,
                told=_clipped(there.get(name)),
                right=_clipped(value),
            )
    return _("It is not written as it has to be.")


def _clipped(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."
