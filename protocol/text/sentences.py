"""Messages as lines for people, as far as nothing is needed of the table but the names of its seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from protocol import messages as m
from protocol.messages.parts import Map
from protocol.printable import pieces
from protocol.text.cards import Titled
from protocol.text.standings import standings_table
from protocol.text.stats import stats_lines

LEGAL_HEAD = "You may do (type the action or its number):"
TALK_COLUMNS = 72  # of a row of talk; the numbers of `log` stand before it
LONG_CLOCK = 3_600.0  # seconds; with more there is no hurry, and nobody needs to be told what is left

GONE = {
    "left": "left",
    "late": "was late too often",
    "illegal": "sent too many illegal actions",
    "resigned": "resigned",
    "crashed": "crashed",
}


class Named(Protocol):
    """What these lines need to know of a table: who sits there."""

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        ...


def render_reply(message: m.Message, table: Named | None) -> list[str]:
    """Lines for a message; [] if a person need not see it."""
    match message:
        case m.Page():
            return message.text.rstrip("\n").split("\n")
        case m.Pong():
            return ["pong"]
        case m.Players():
            more = [f"(more: who {message.players[-1].name})"] if message.more else []
            return _people("Here are", message.players) + more
        case m.PlayerStats():
            return stats_lines(message)
        case m.BotList():
            return _people("Bots", message.bots)
        case m.GameList():
            return [f"{g.game:<14} {g.min_seats}-{g.max_seats} players  {g.title}: {g.about}" for g in message.games]
        case m.CardList():
            return [line for card in message.cards for line in card_lines(card)]
        case m.TableList():
            more = [f"(more: tables {message.tables[-1].table})"] if message.more else []
            return [table_line(info) for info in message.tables] + more or ["There are no tables; open one."]
        case m.TableChanged():
            return [table_line(message.info)]
        case m.ReplayLines():
            more = [f"(more: replay {message.table} {message.after + len(message.lines)})"] if message.more else []
            return [*message.lines, *more]
        case m.Reason():
            legal = f"That would be legal. {message.text}".rstrip()
            return [legal if message.legal else f"No: {message.text}"]
        case m.Clocks():
            return [_clock_line(clock, table) for clock in message.clocks]
        case m.Said():
            return [] if message.heard else ["Nobody else hears you."]
        case m.Done():
            return [message.text]
        case m.SentAway():
            what = "sent you away from" if message.why == "kicked" else "closed"
            return [f"- {message.by} {what} {message.table}."]
        case m.Resigned():
            return ["You gave the match up."]
        case m.Error():
            return [f"! {message.text}"]
        case m.CupList():
            return [cup_line(info) for info in message.cups] or ["There are no cups; open one: cup open CUP GAME."]
        case m.CupReply():
            return [cup_line(message.info), *_entrant_lines(message.info)]
        case m.CupChanged():
            secret = message.info.secret
            return [
                f"* {cup_line(message.info)}",
                *([f"  All its deals came from the secret {secret}"] if secret else []),
            ]
        case m.CupStandings():
            lines = standings_table(message.rows) if message.rows else ["  No match is over yet."]
            return [f"{message.cup} is {message.state}.", *lines]
        case m.Invited():
            return [f"* {message.by} invites you to a cup: enter {message.info.cup}", f"  {cup_line(message.info)}"]
        case m.Paired():
            names = ", ".join(f"{seat} {name}" for seat, name in enumerate(message.entrants, 1))
            return [f"* {message.cup}, match {message.match} begins at {message.table}: {names}"]
        case m.Result():
            return [f"* {message.cup}, match {message.match} at {message.table}: {_placed(message.results)}"]
        case m.Chat():
            return [f"{who}{part}" for who, part in talk_rows(message, TALK_COLUMNS)]
        case m.Watching():
            return [f"You watch {message.table}.", table_line(message.info)]
        case m.Left():
            back = f"Your seat is held for {message.held:.0f} seconds; join {message.table} brings you back."
            held = f" {back}" if message.held else ""
            return [f"You left {message.table}.{held}"]
        case m.Bye():
            return [f"Goodbye. {message.text}"]
        case m.Started():
            names = ", ".join(f"{info.seat} {info.name}" for info in message.seats)
            return [f"The match begins: {names}. Commitment to the deal: {message.commitment}"]
        case m.Presence():
            return [_presence_line(message)]
        case m.Late():
            why = "ran out of time" if message.why == "time" else "sent too many illegal actions"
            return [f"- {_name(message.seat, table)} {why}; the default was done for them ({message.count})."]
        case m.Over():
            return _result_lines(message)
        case _:
            return []


def table_line(info: m.TableInfo) -> str:
    """One table in one line."""
    seats = ", ".join(f"{seat.seat} {seat.name or '(empty)'}" for seat in info.seats)
    spectators = f", {info.spectators} watching" if info.spectators else ""
    return f"{info.table:<4} {info.game}, {info.state}{spectators}: {seats}"


def cup_line(info: m.CupInfo) -> str:
    """One cup in one line."""
    of = f" of {info.planned}" if info.planned else ""
    return (
        f"{info.cup} (by {info.owner}), {info.game}, {info.seats} seats, {info.format}, {info.deals} deals, "
        f"rounds {info.rounds}: {info.state}, {info.played}{of} matches played"
    )


def _entrant_lines(info: m.CupInfo) -> list[str]:
    lines = []
    for one in info.entrants:
        state = "has left" if one.dropped else "is ready" if one.here else "is away"
        lines.append(f"  {one.entrant} {state}, {one.tables} table{'s' if one.tables > 1 else ''} at once")
    playing = [f"  played now: {', '.join(info.playing)}"] if info.playing else []
    return lines + playing


def _placed(results: Sequence[m.SeatResult]) -> str:
    if not results:
        return "aborted, it does not count"
    return ", ".join(f"{one.place}. {one.name} {one.score}" for one in sorted(results, key=lambda one: one.place))


def _people(what: str, people: Sequence[m.PlayerInfo]) -> list[str]:
    rows = [f"{one.name} ({one.kind}{', at ' + ' '.join(one.tables) if one.tables else ''})" for one in people]
    return [f"{what}: {', '.join(rows) or 'nobody'}"]


def card_lines(card: Map) -> list[str]:
    """One card in two lines: its name and numbers, and what it does."""
    heading = card.get("heading")
    if not heading:
        facts = "".join(f", {name} {value}" for name, value in card.get("facts", {}).items())
        heading = f"{card['kind']}{facts}" + (f", {card['count']} copies" if card["count"] != 1 else "")
    return [f"{card['title']} ({card['name']}): {heading}", f"  {card['text']}"]


def numbered(actions: Iterable[str]) -> list[str]:
    """What may be done, below LEGAL_HEAD."""
    return [f"  {number:>3}  {action}" for number, action in enumerate(actions, 1)]


def talk_rows(message: m.Chat, width: int) -> list[tuple[str, str]]:
    """Who talks and what they say, in rows of at most so many columns. Each row begins with who talks, so that none
    can pass for a line of the server's."""
    who = f"{message.sender}{' (to you)' if message.private else ''}: "
    first, *more = pieces(message.text, max(width - len(who) - 2, 4))
    return [(who, first), *((f"{who}  ", part) for part in more)]


def more_line(story: m.Story) -> list[str]:
    """How to read on, if the log has more."""
    last = max((int(told["n"] if isinstance(told, dict) else told.n) for told in story.messages), default=0)
    return [f"(more: log {last})"] if story.more else []


def hint_text(bot: str, written: str, cards: Iterable[Titled]) -> str:
    """What a bot would do, and what the card does that it would play."""
    played = [card for card in cards if card.name in written.split()[1:]]
    why = "".join(f" {card.title}: {card.text}" for card in played[:1])
    return f"{bot} would do this: {written}.{why}"


def left_text(seconds: float) -> str:
    """How long a decision may take, after the question; "" where there is no hurry."""
    return f" ({seconds:.0f} s)" if seconds < LONG_CLOCK else ""


def minutes(seconds: float) -> str:
    """Seconds as a clock shows them: 5:25."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _name(seat: int, table: Named | None) -> str:
    return table.names()[seat - 1] if table else f"seat {seat}"


def _clock_line(clock: m.SeatClock, table: Named | None) -> str:
    if clock.main >= LONG_CLOCK:
        time, left = "as much time as they like", ""
    else:
        time, left = f"{minutes(clock.main)} of main time", f", {minutes(clock.left)} left"
    return f"{_name(clock.seat, table)}: {time}" + f", deciding{left}" * clock.running


def _presence_line(message: m.Presence) -> str:
    if message.by:
        gone = GONE.get(message.how, message.how)
        return f"- {message.name} {gone}; {message.by} plays seat {message.seat} from now on."
    held = {"away": "lost the connection; the seat is held.", "left": "left; the seat is held."}
    return f"- {message.name} {held.get(message.how, 'is back.')}"


def _result_lines(message: m.Over) -> list[str]:
    lines = [f"The match is over. {message.text}"]
    for result in sorted(message.results, key=lambda result: result.place):
        how = "" if result.how == "played" else f" ({GONE.get(result.how, result.how)})"
        lines.append(f"  {result.place}. {result.name}: {result.score}{how}")
    if message.seed:
        lines.append(f"The deal's seed was {message.seed}, its salt {message.salt}.")
    return lines
