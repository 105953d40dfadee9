"""Messages as lines for people, where no table's context but names is needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from protocol import messages as m

GONE = {
    "left": "left",
    "late": "was late too often",
    "illegal": "sent too many illegal actions",
    "resigned": "resigned",
}


class Named(Protocol):
    """What these lines need to know of a table: who sits there."""

    def names(self) -> list[str]:
        """The names of the seats, first seat first."""
        ...


def render_reply(message: m.Message, table: Named | None) -> list[str]:
    """Lines for a message; [] for those that a person need not see."""
    match message:
        case m.Page():
            return message.text.rstrip("\n").split("\n")
        case m.Pong():
            return ["pong"]
        case m.Players():
            return _people("Here are", message.players)
        case m.BotList():
            return _people("Bots", message.bots)
        case m.GameList():
            return [f"{g.game:<14} {g.min_seats}-{g.max_seats} players  {g.title}: {g.about}" for g in message.games]
        case m.CardList():
            return [_card_line(card) for card in message.cards]
        case m.TableList():
            return [table_line(info) for info in message.tables] or ["There are no tables; open one."]
        case m.TableChanged():
            return [table_line(message.info)]
        case m.Reason():
            return ["That would be legal." if message.legal else f"No: {message.text}"]
        case m.Clocks():
            return [_clock_line(clock, table) for clock in message.clocks]
        case m.Said():
            return [] if message.heard else ["Nobody else hears you."]
        case m.Resigned():
            return ["You gave the match up."]
        case m.Error():
            return [f"! {message.text}"]
        case m.Chat():
            to = " (to you)" if message.private else ""
            return [f"{message.sender}{to}: {message.text}"]
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


def _people(what: str, people: Sequence[m.PlayerInfo]) -> list[str]:
    rows = [f"{one.name} ({one.kind}{', at ' + ' '.join(one.tables) if one.tables else ''})" for one in people]
    return [f"{what}: {', '.join(rows) or 'nobody'}"]


def _card_line(card: dict[str, object]) -> str:
    facts = card.get("facts")
    numbers = ", ".join(f"{key} {value}" for key, value in facts.items()) if isinstance(facts, dict) else ""
    return f"{card['title']} ({card['name']}): {card['kind']}, {card['count']}x. {numbers}. {card['text']}"


def _name(seat: int, table: Named | None) -> str:
    return table.names()[seat - 1] if table else f"seat {seat}"


def _clock_line(clock: m.SeatClock, table: Named | None) -> str:
    now = f", deciding, {clock.left:.0f} s left" if clock.running else ""
    return f"{_name(clock.seat, table)}: {clock.main:.0f} s main time{now}"


def _presence_line(message: m.Presence) -> str:
    if message.by:
        gone = GONE.get(message.how, message.how)
        return f"- {message.name} {gone}; {message.by} plays seat {message.seat} from now on."
    return f"- {message.name} {'lost the connection; the seat is held.' if message.how == 'away' else 'is back.'}"


def _result_lines(message: m.Over) -> list[str]:
    lines = [f"The match is over. {message.text}"]
    for result in sorted(message.results, key=lambda result: result.place):
        how = "" if result.how == "played" else f" ({GONE.get(result.how, result.how)})"
        lines.append(f"  {result.place}. {result.name}: {result.score}{how}")
    lines.append(f"The deal's seed was {message.seed}, its salt {message.salt}.")
    return lines
