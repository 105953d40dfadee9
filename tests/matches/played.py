"""Whole matches by chance, with what happens at tables besides: talk, absences, refusals, a stall, lateness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from games.api import Game
from games.chance import Chance, numbered_seed
from matches.fold import Entry, Match, MatchHeader
from matches.record import Record, iter_replay_lines
from protocol.entries import ActionRefused, ActionTaken, ChatSent, MatchAborted, PresenceChanged, ServerStalled
from protocol.messages import ClockRule, SeatInfo
from protocol.replay import HashChain

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Flo")


def played(
    game: Game, seats: int = 0, number: int = 1, *, options: Mapping[str, Any] | None = None, most: int = 10_000
) -> Record:
    """The match of that number; it is aborted after so many decisions."""
    seats = seats or game.min_seats
    header = MatchHeader(
        table="t1",
        game=game.id,
        options=dict(options or {}),
        seats=tuple(SeatInfo(seat, NAMES[seat - 1], "person") for seat in range(1, seats + 1)),
        clock=ClockRule(main=60, increment=5),
        seed=numbered_seed(number),
        salt=bytes(range(16)),
        nonces=("moth", *("",) * (seats - 1)),
        grace=120.0,
    )
    match, chance = Match(game, header), Chance.of_number(number)
    match.begin({})
    entries: list[Entry] = []
    now = 0.0

    def happens(entry: Entry) -> None:
        match.apply(entry, {})
        entries.append(entry)

    while match.over is None:
        done = sum(isinstance(entry, ActionTaken) for entry in entries)
        seat = chance.choice("seat", sorted(match.asked))
        if done == 2:
            happens(ChatSent(now, "Ada", "Good luck! \u2603"))
            happens(ActionRefused(now, seat, "", f"That is no action of {game.id}."))
            happens(ActionRefused(now, seat, "not_now", "Not now.", match.state.legal_actions(seat)[0]))
        if done == 4:
            happens(PresenceChanged(now, 2, "away"))
            happens(ServerStalled(now + 0.5, dict.fromkeys(sorted(match.asked), 0.5)))
            happens(PresenceChanged(now + 0.7, 2, "back"))
            now += 0.7
        if done == most:
            happens(MatchAborted(now, "Ada closed the table; the match does not count."))
            break
        deadline = match.clocks.deadline(seat)
        if done == 6 or now + 5 > deadline:
            now = max(now, deadline)
            happens(ActionTaken(now, seat, match.state.default_action(seat, chance), "time"))
            continue
        if done == 8:
            happens(PresenceChanged(now, 2, "left", "random"))
        now += chance.below("time", 5_000) / 1000
        action = chance.choice("action", match.state.legal_actions(seat))
        happens(ActionTaken(now, seat, action, "house" if match.how[seat] != "played" else ""))
    return Record(game, header, tuple(entries))


def file_of(record: Record) -> bytes:
    """The file of a match."""
    return b"".join(iter_replay_lines(record.game, record.header, record.entries))


def plain(data: bytes) -> list[dict[str, Any]]:
    """The lines of a file as maps, without their hashes."""
    lines = [msgspec.json.decode(raw) for raw in data.splitlines()]
    for line in lines:
        del line["hash"]
    return lines


def forged(lines: list[dict[str, Any]]) -> bytes:
    """A file of these lines whose hashes fit."""
    chain = HashChain()
    return b"".join(chain.add_hash(line) for line in lines)  # type: ignore[arg-type]  # a map is written like a line
