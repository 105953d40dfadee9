"""What has to be true at the end of a simulation, by the rows on the disk and what each guest was told."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from games.api import Game, action_from
from matches.fold import Entry, Match, MatchHeader
from matches.record import iter_replay_lines, verify_replay
from protocol import messages as m
from protocol.entries import ActionTaken, ChatSent
from protocol.messages.parts import TURNS
from server.table.records import read_header, read_match
from tests.helpers.told import told_again
from tests.simulation.guests import Guest, Played


class Broken(AssertionError):
    """A promise was not kept."""


def check(rows: Mapping[str, Mapping[int, bytes]], guests: list[Guest], games: Mapping[str, Game]) -> None:
    """Every match that a guest played or watched is in its log as the guest was told. Raises Broken."""
    tables = sorted({played.table for guest in guests for played in guest.played})
    matches = {table: _match(rows, table, games) for table in tables}
    for guest in guests:
        for played in guest.played:
            header, entries = matches[played.table]
            try:
                _check_told(played, games[header.game], header, entries)
                _check_done(played, games[header.game], header, entries)
            except Broken as error:
                raise Broken(f"{guest.name} at {played.table}: {error}") from None


def _match(
    rows: Mapping[str, Mapping[int, bytes]], table: str, games: Mapping[str, Game]
) -> tuple[MatchHeader, list[Entry]]:
    """A match by its log, done again by the rules."""
    kept = rows[table]
    game = games[read_header(kept).header.game]
    header, entries = read_match(game, kept)
    record = verify_replay(b"".join(iter_replay_lines(game, header, entries)), games)
    if list(record.entries) != entries:
        raise Broken(f"{table} is not its own replay")
    return header, entries


def _check_told(played: Played, game: Game, header: MatchHeader, entries: list[Entry]) -> None:
    """Each message came once and in order, as it follows from the log."""
    story = told_again(game, header, entries, played.seat)
    first = getattr(played.heard[0], "n", 0) if played.heard else 1
    heard = [_plain(message) for message in played.heard]
    numbers = {message["n"] for message in heard}
    # A turn that was decided long ago is not told to who comes back, and some hear of events only then.
    may_miss = (m.TurnUpdate, m.Happened) if played.seat and played.hears == TURNS else (m.TurnUpdate,)
    wanted = [
        _plain(message) for message in story[first - 1 :] if not isinstance(message, may_miss) or message.n in numbers
    ]
    if heard != wanted:
        at = next((at for at, (one, two) in enumerate(zip(heard, wanted, strict=False)) if one != two), None)
        if at is None:
            raise Broken(f"{len(heard)} messages were heard, {len(wanted)} were told")
        raise Broken(f"heard {heard[at]} instead of {wanted[at]}")
    if not isinstance(played.heard[-1], m.Over):
        raise Broken("the end was not heard")


def _plain(message: m.Message) -> dict[str, object]:
    """A message but for how long a decision may take, which is told as of now after a cut."""
    plain: dict[str, object] = msgspec.json.decode(msgspec.json.encode(message))
    plain.pop("left", None)
    return plain


def _check_done(played: Played, game: Game, header: MatchHeader, entries: list[Entry]) -> None:
    """What was acknowledged is in the log once, and in order."""
    match, done = Match(game, header), {}
    match.begin({})
    for entry in entries:
        if isinstance(entry, ActionTaken) and entry.seat == played.seat:
            done[match.turns[played.seat]] = (entry.why, entry.action)
        match.apply(entry, {})
    for turn, action in played.acts:
        if done.get(turn) != ("", action_from(game, action)):  # type: ignore[arg-type]
            raise Broken(f"turn {turn} was acknowledged as {action}, and the log has {done.get(turn)}")
    turns = [turn for turn, _action in played.acts]
    if turns != sorted(set(turns)):
        raise Broken(f"the turns were acknowledged as {turns}")
    spoken = [entry.text for entry in entries if isinstance(entry, ChatSent)]
    said = [text for turn, text in played.said if text in spoken or turn in turns]  # else the match was over by then
    if [text for text in spoken if text in said] != said:
        raise Broken(f"said and acknowledged: {played.said}; the log has {spoken}")
