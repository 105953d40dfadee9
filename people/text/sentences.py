"""Writes messages of the server as lines for people. These lines need no state other than the names of a table's
seats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Any, Protocol, TypeAlias, TypeVar

from games.api import StyledLine, View, Words
from languages import ENGLISH, speaking
from matches.results import forfeits_text, sorted_by_place
from people.language import N_, _, again
from people.text.cards import Titled
from people.text.listings import cup_line, table_line
from people.text.standings import full_standings
from people.text.times import format_minutes
from protocol import limits
from protocol import messages as m
from protocol.errors import CODES
from protocol.language import _ as of_protocol
from protocol.messages.parts import Map
from protocol.printable import break_lines

TALK_COLUMNS = 72  # columns of a row of a chat message; `log` puts its numbers before them
LONG_CLOCK = 3_600.0  # seconds; if at least this time is left, it is not shown

GONE = {
    "left": N_("left"),
    "kicked": N_("was sent away"),
    "late": N_("was late too often"),
    "illegal": N_("sent too many illegal actions"),
    "resigned": N_("resigned"),
    "crashed": N_("crashed"),
}


# Words of the protocol that lines show translated: states of tables and cups, kinds of players, ends of seats.
_WORDS = (
    *(N_("open"), N_("playing"), N_("over"), N_("running"), N_("paused"), N_("stopped"), N_("finished")),
    *(N_("person"), N_("bot"), N_("house"), N_("fresh"), N_("duplicate"), N_("rotated")),
    *(N_("played"), N_("late"), N_("illegal"), N_("absent"), N_("aborted"), N_("gone"), N_("unplayable")),
)
SERVER = N_("The server")
OPERATORS = (N_("the operator"), N_("The operator"), SERVER)  # names in a message's `by` that belong to no player
# The reasons for which matches are aborted. They are stored and sent in English; the client recognizes and translates
# them by these texts.
CLOSED = N_("{by} closed the table; the match does not count.")
ERRED = N_("The server erred (incident {incident}); the match does not count.")
CUP_STOPPED = N_("The cup was stopped; the match does not count.")


class Named(Protocol):
    """The part of a table that the lines of messages need: the names of its seats."""

    def names(self) -> list[str]:
        """Returns the names of the players in seat order."""
        ...


_M = TypeVar("_M", bound=m.Message)
_Says: TypeAlias = Callable[[_M, Named | None], list[str]]
SAYS: dict[type[m.Message], _Says[Any]] = {}
"""The function that returns the lines of a message, by the type of the message."""


def register_lines(kind: type[_M]) -> Callable[[_Says[_M]], _Says[_M]]:
    """Returns a decorator that registers the function that returns the lines of messages of this type. The functions
    for answers to commands are in `commands.py`."""

    def register(lines: _Says[_M]) -> _Says[_M]:
        SAYS[kind] = lines
        return lines

    return register


register_lines(m.TableChanged)(lambda message, _table: [*kicked_lines(message), table_line(message.info)])


@register_lines(m.Service)
def _service(message: m.Service, _table: Named | None) -> list[str]:
    return [f"- {with_reason(_(_SERVICE.get(message.state, message.state)), message.reason)}"]


@register_lines(m.SentAway)
def _sent_away(message: m.SentAway, _table: Named | None) -> list[str]:
    if not message.by:
        return [_("- {table} is gone: nothing happened there.", table=message.table)]
    kicked = message.why == "kicked"
    said = _("- {by} sent you away from {table}.") if kicked else _("- {by} closed {table}.")
    by = _(message.by) if message.by in OPERATORS else message.by
    return [with_reason(said.format(by=by, table=message.table or message.cup), message.reason)]


register_lines(m.Error)(lambda message, _table: [f"! {error_text(message)}"])
register_lines(m.CupChanged)(lambda message, _table: [f"* {cup_line(message.info)}", *ending_lines(message.info)])


@register_lines(m.CupEntrant)
def _cup_entrant(message: m.CupEntrant, _table: Named | None) -> list[str]:
    if message.how == "replaced":
        words = {"player": message.player, "entrant": message.entrant, "cup": message.cup}
        return [_("* {player} plays for {entrant} in {cup} from now on.", **words)]
    said = _("* {entrant} enters {cup}. Entrants now: {count}.")
    said = said if message.how == "entered" else _("* {entrant} leaves {cup}. Entrants now: {count}.")
    return [said.format(entrant=message.entrant, cup=message.cup, count=message.entrants)]


@register_lines(m.Invited)
def _invited(message: m.Invited, _table: Named | None) -> list[str]:
    return [
        _("* {by} invites you to a cup: enter {cup}", by=message.by, cup=message.info.cup),
        f"  {cup_line(message.info)}",
    ]


@register_lines(m.Paired)
def _paired(message: m.Paired, _table: Named | None) -> list[str]:
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(message.entrants, 1))
    return [
        _(
            "* {cup}, match {match} begins at {table}: {names}",
            cup=message.cup,
            match=message.match,
            table=message.table,
            names=names,
        )
    ]


@register_lines(m.Result)
def _result(message: m.Result, _table: Named | None) -> list[str]:
    return [
        _(
            "* {cup}, match {match} at {table}: {placed}",
            cup=message.cup,
            match=message.match,
            table=message.table,
            placed=_placed(message.results),
        )
    ]


register_lines(m.Chat)(lambda message, _table: talk_lines(message, TALK_COLUMNS))


@register_lines(m.MatchStarted)
def _started(message: m.MatchStarted, _table: Named | None) -> list[str]:
    names = ", ".join(f"{info.seat} {info.name}" for info in message.seats)
    begins = _(
        "The match begins: {names}. Commitment to the deal: {commitment}",
        names=names,
        commitment=message.commitment,
    )
    return [begins, open_hands_text(message.table, message.delay)] if message.delay else [begins]


register_lines(m.Presence)(lambda message, _table: [_presence_line(message)])


@register_lines(m.Late)
def _late(message: m.Late, table: Named | None) -> list[str]:
    why = _("ran out of time") if message.why == "time" else _("sent too many illegal actions")
    return [
        _(
            "- {name} {why}; the default was done for them ({count}).",
            name=name_at(message.seat, table),
            why=why,
            count=message.count,
        )
    ]


register_lines(m.Paused)(lambda message, table: [_paused_line(message, table)])
register_lines(m.Undone)(lambda message, table: [_undone_line(message, table)])
register_lines(m.Over)(lambda message, table: _result_lines(message, table))
_SERVICE = {
    "open": N_("The server accepts new players again, and matches begin."),
    "closed": N_("For now the server accepts no new players and starts no match; running matches go on."),
    "draining": N_("The server ends after the last running match and starts no other."),
}


def with_reason(text: str, reason: str) -> str:
    """Returns the text, followed by the reason that the acting player or operator gave, if there is one."""
    return _("{text} The reason: {reason}", text=text, reason=reason) if reason else text


def kicked_lines(message: m.TableChanged) -> list[str]:
    """Returns a line on the player whom the owner has removed from an open table; [] if the message is about no such
    player."""
    if not message.kicked:
        return []
    text = _("- {name} was removed from {table}.", name=message.kicked, table=message.info.table)
    return [with_reason(text, message.reason)]


def owner_lines(info: m.TableInfo, before: str, name: str) -> list[str]:
    """Returns a line on the new owner of a table, for a reader whose name is `name`; [] if the owner is still
    `before`."""
    if not before or not info.owner or info.owner == before:
        return []
    if info.owner == name and info.state == "playing":
        return [_("- {table} is yours now: you may remove spectators and mute players.", table=info.table)]
    if info.owner == name:
        return [_("- {table} is yours now: you may add bots, start the match and remove players.", table=info.table)]
    return [_("- {table} belongs to {owner} now.", table=info.table, owner=info.owner)]


def ending_text(over: m.Over, said: Callable[[str, Sequence[str], int], str]) -> str:
    """Returns how a match ended, in the current language and with names. `said` is the game's `Words.ending_sentence`.
    The text in the message is in English and has seat numbers instead of names."""
    if not over.results:
        return again(over.text, (CLOSED, ERRED), OPERATORS)
    with speaking(ENGLISH):
        by_forfeits = over.text == forfeits_text(over.results)
    if by_forfeits:
        return forfeits_text(over.results)
    best = max(one.score for one in over.results)
    winners = [one.name for place, one in sorted_by_place(over.results) if place == 1]
    return said(over.reason, winners, best) or over.text


def translate_word(of: str) -> str:
    """Returns a word of the protocol in the current language: a state, a kind of player, or how a seat ended."""
    return _(of)


def open_hands_text(table: str, delay: int) -> str:
    """Returns the sentence on the table's open hands, to which everyone who joins the table agrees."""
    return _(
        "Spectators of {table} see all hands, {minutes} later, and not before each player has made {decisions} more "
        "decisions.",
        table=table,
        minutes=format_minutes(delay),
        decisions=limits.OPEN_HANDS_DECISIONS,
    )


def seat_headings(names: Sequence[str]) -> list[str]:
    """Returns for each name the heading of the lines that only this player's seat sees."""
    return [_("Only {name} sees:", name=name) for name in names]


def hands_heading(message: m.OpenHands) -> str:
    """Returns the heading of a page with all hands."""
    return _(
        "All hands at {table}, as they were {minutes} after the beginning:",
        table=message.table,
        minutes=format_minutes(message.at),
    )


def ending_lines(info: m.CupInfo) -> list[str]:
    """Returns lines on a finished cup: how to see its standings, and the secret from which its deals came; [] for a cup
    that is not finished."""
    if not info.secret:
        return []
    shown = [_("  standings {cup} shows how it ended.", cup=info.cup)] if info.played else []
    return [*shown, _("  All its deals came from the secret {secret}", secret=info.secret)]


def _placed(results: Sequence[m.SeatResult]) -> str:
    if not results:
        return _("aborted, it does not count")
    return ", ".join(f"{place}. {one.name} {one.score}" for place, one in sorted_by_place(results))


def card_lines(card: Map) -> list[str]:
    """Returns two lines on a card: its title, name and numbers, and the text of its effect."""
    return [
        _("{title} ({name}): {heading}", title=card["title"], name=card["name"], heading=card_heading(card)),
        f"  {card['text']}",
    ]


def card_heading(card: Map) -> str:
    """Returns the kind and the numbers of a card."""
    if heading := card.get("heading"):
        return str(heading)
    facts = "".join(f", {name} {value}" for name, value in card.get("facts", {}).items())
    return f"{card['kind']}{facts}" + (_(", {count} copies", count=card["count"]) if card["count"] != 1 else "")


def another_match_text() -> str:
    """Returns the sentence that says what a person may type when a match is over."""
    return _("rematch plays again, review steps through the match, tables lists others; q quits.")


def error_text(message: m.Error) -> str:
    """Returns the text of an error in the current language. If the error is that the match is over, says what may be
    typed instead."""
    text = of_protocol(message.text)
    if text == of_protocol(CODES["game_over"].message):
        text = f"{text} {another_match_text()}"
    return text


def legal_heading() -> str:
    """Returns the heading of the list of legal actions."""
    return _("You may do (type the action or its number):")


def numbered_rows(actions: Iterable[str]) -> list[str]:
    """Returns one row for each action, with its number from 1."""
    return [f"  {number:>3}  {action}" for number, action in enumerate(actions, 1)]


def talk_rows(message: m.Chat, width: int) -> list[tuple[str, str]]:
    """Returns a chat message as rows of at most `width` columns, each as (sender, part of the text). Each row begins
    with the sender, so that none looks like a line of the server."""
    who = _("{sender}{private}: ", sender=message.sender, private=_(" (to you)") if message.private else "")
    first, *more = break_lines(message.text, max(width - len(who) - 2, 4))
    return [(who, first), *((f"{who}  ", part) for part in more)]


def talk_lines(message: m.Chat, width: int) -> list[str]:
    """Returns the rows of `talk_rows` as plain text."""
    return [f"{who}{part}" for who, part in talk_rows(message, width)]


def next_page_lines(story: m.PastMessages) -> list[str]:
    """Returns a line with the command that shows the next messages of the log; [] if there are no more."""
    last = max((int(told["n"] if isinstance(told, dict) else told.n) for told in story.messages), default=0)
    return [_("(more: log {last})", last=last)] if story.more else []


def standings_lines(message: m.CupStandings, width: int) -> list[str]:
    """Returns the state of a cup and its standings as a table of at most `width` columns."""
    lines = full_standings(message, width) if message.rows else [_("  No match is over yet.")]
    return [_("{cup} is {state}.", cup=message.cup, state=_(message.state)), *lines]


def hint_text(bot: str, shown: str, written: str, foreseen: str, cards: Iterable[Titled]) -> str:
    """Returns a sentence with the action that a bot would do, `shown`, and its effect: the preview `foreseen` or,
    without one, the text of the card that the typed form `written` names."""
    played = [card for card in cards if card.name in written.split()[1:]]
    why = "".join(_(" {title}: {text}", title=card.title, text=card.text) for card in played[:1])
    why = f" {foreseen}" if foreseen else why
    return _("{bot} would do this: {shown}.{why}", bot=bot, shown=shown, why=why)


def time_left_text(seconds: float) -> str:
    """Returns the seconds left for a decision, in brackets after the question; "" from LONG_CLOCK seconds on."""
    return _(" ({seconds:.0f} s)", seconds=ceil(seconds)) if seconds < LONG_CLOCK else ""


def name_at(seat: int, table: Named | None) -> str:
    """Returns the name of the player in that seat; without a table, `seat` and the number."""
    return table.names()[seat - 1] if table else _("seat {seat}", seat=seat)


def _presence_line(message: m.Presence) -> str:
    if message.by:
        gone = _(GONE.get(message.how, message.how))
        return _(
            "- {name} {gone}; {by} plays seat {seat} from now on.",
            name=message.name,
            gone=gone,
            by=message.by,
            seat=message.seat,
        )
    held = {
        "away": N_("- {name} lost the connection; the seat is held."),
        "left": N_("- {name} left; the seat is held."),
    }
    return _(held.get(message.how, N_("- {name} is back.")), name=message.name)


def _paused_line(message: m.Paused, table: Named | None) -> str:
    name = name_at(message.seat, table) if message.seat else ""
    if message.on:
        return _("- The match is paused, and no clock runs. resume, or any decision, ends the pause.")
    if message.seat in message.wanting:
        return _("- {name} asks for a pause: pause agrees.", name=name)
    if not name:
        return _("- The pause is over: the time for pauses is used up.")
    return _("- {name} goes on; no pause now.", name=name)


def _undone_line(message: m.Undone, table: Named | None) -> str:
    decided = name_at(message.decided, table)
    name = name_at(message.seat, table) if message.seat else ""
    if message.done:
        return _("- {name} took a decision back, and the match is as it was before:", name=decided)
    if message.wanting == (message.seat,):
        return _("- {name} asks to take this back: undo agrees, no refuses.", name=name)
    if message.wanting:
        return _("- {name} agrees.", name=name)
    if not name:
        return _("- The decision stays, as not all agreed in time.")
    return _("- {name} says no: the decision stays.", name=name)


def _result_lines(message: m.Over, table: Named | None) -> list[str]:
    game = getattr(table, "game", None)
    score_text = game.words.format_score if game is not None else str
    lines = [_("The match is over. {text}", text=message.text)]
    for place, result in sorted_by_place(message.results):
        how = "" if result.how == "played" else f" ({_(GONE.get(result.how, result.how))})"
        score = score_text(result.score)
        lines.append(_("  {place}. {name}: {score}{how}", place=place, name=result.name, score=score, how=how))
    if message.seed:
        lines.append(_("The deal's seed was {seed}, its salt {salt}.", seed=message.seed, salt=message.salt))
    return lines


def hand_lines(words: Words, view: View, names: Sequence[str], width: int) -> list[StyledLine]:
    """Returns the lines that show the hand of the seat whose view it is."""
    return words.render_hand(view, names, width) or [[("", _("You hold nothing there."))]]
