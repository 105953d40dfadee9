"""Messages as lines for people, as far as they only need the names of a table's seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import Any, Protocol, TypeAlias, TypeVar

from games.api import StyledLine, View, Words
from languages import ENGLISH, speaking
from matches.results import forfeits_text, placed
from people.language import N_, _, again
from people.text.cards import Titled
from people.text.listings import cup_line, table_line
from people.text.standings import whole_table
from people.text.times import minutes
from protocol import limits
from protocol import messages as m
from protocol.errors import CODES
from protocol.language import _ as of_protocol
from protocol.messages.parts import Map
from protocol.printable import pieces

TALK_COLUMNS = 72  # columns of a row of talk, after the numbers of `log`
LONG_CLOCK = 3_600.0  # seconds; more is no hurry, so the time left is not shown

GONE = {
    "left": N_("left"),
    "kicked": N_("was sent away"),
    "late": N_("was late too often"),
    "illegal": N_("sent too many illegal actions"),
    "resigned": N_("resigned"),
    "crashed": N_("crashed"),
}


# Words in messages: states of tables and cups, kinds of players.
_WORDS = (
    *(N_("open"), N_("playing"), N_("over"), N_("running"), N_("paused"), N_("stopped"), N_("finished")),
    *(N_("person"), N_("bot"), N_("house"), N_("fresh"), N_("duplicate"), N_("rotated")),
    *(N_("played"), N_("late"), N_("illegal"), N_("absent"), N_("aborted"), N_("gone"), N_("unplayable")),
)
SERVER = N_("The server")
OPERATORS = (N_("the operator"), N_("The operator"), SERVER)  # authors of actions who are not players
# Reasons of aborted matches. They are stored and sent in English, and recognized by these texts.
CLOSED = N_("{by} closed the table; the match does not count.")
ERRED = N_("The server erred (incident {incident}); the match does not count.")
CUP_STOPPED = N_("The cup was stopped; the match does not count.")


class Named(Protocol):
    """The part of a table that these lines need: its names."""

    def names(self) -> list[str]:
        """Returns the names of the seats, first seat first."""
        ...


_M = TypeVar("_M", bound=m.Message)
_Says: TypeAlias = Callable[[_M, Named | None], list[str]]
SAYS: dict[type[m.Message], _Says[Any]] = {}
"""The function that makes the lines of a message, by its type."""


def says(kind: type[_M]) -> Callable[[_Says[_M]], _Says[_M]]:
    """Registers a function that makes the lines of such a message. Those of answers are beside their commands."""

    def register(lines: _Says[_M]) -> _Says[_M]:
        SAYS[kind] = lines
        return lines

    return register


says(m.TableChanged)(lambda message, _table: [*kicked_lines(message), table_line(message.info)])


@says(m.Service)
def _service(message: m.Service, _table: Named | None) -> list[str]:
    return [f"- {with_reason(_(_SERVICE.get(message.state, message.state)), message.reason)}"]


@says(m.SentAway)
def _sent_away(message: m.SentAway, _table: Named | None) -> list[str]:
    if not message.by:
        return [_("- {table} is gone: nothing happened there.", table=message.table)]
    kicked = message.why == "kicked"
    said = _("- {by} sent you away from {table}.") if kicked else _("- {by} closed {table}.")
    by = _(message.by) if message.by in OPERATORS else message.by
    return [with_reason(said.format(by=by, table=message.table or message.cup), message.reason)]


says(m.Error)(lambda message, _table: [f"! {error_text(message)}"])
says(m.CupChanged)(lambda message, _table: [f"* {cup_line(message.info)}", *ending_lines(message.info)])


@says(m.CupEntrant)
def _cup_entrant(message: m.CupEntrant, _table: Named | None) -> list[str]:
    if message.how == "replaced":
        words = {"player": message.player, "entrant": message.entrant, "cup": message.cup}
        return [_("* {player} plays for {entrant} in {cup} from now on.", **words)]
    said = _("* {entrant} enters {cup}. Entrants now: {count}.")
    said = said if message.how == "entered" else _("* {entrant} leaves {cup}. Entrants now: {count}.")
    return [said.format(entrant=message.entrant, cup=message.cup, count=message.entrants)]


@says(m.Invited)
def _invited(message: m.Invited, _table: Named | None) -> list[str]:
    return [
        _("* {by} invites you to a cup: enter {cup}", by=message.by, cup=message.info.cup),
        f"  {cup_line(message.info)}",
    ]


@says(m.Paired)
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


@says(m.Result)
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


says(m.Chat)(lambda message, _table: talk_lines(message, TALK_COLUMNS))


@says(m.MatchStarted)
def _started(message: m.MatchStarted, _table: Named | None) -> list[str]:
    names = ", ".join(f"{info.seat} {info.name}" for info in message.seats)
    begins = _(
        "The match begins: {names}. Commitment to the deal: {commitment}",
        names=names,
        commitment=message.commitment,
    )
    return [begins, open_hands_text(message.table, message.delay)] if message.delay else [begins]


says(m.Presence)(lambda message, _table: [_presence_line(message)])


@says(m.Late)
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


says(m.Paused)(lambda message, table: [_paused_line(message, table)])
says(m.Undone)(lambda message, table: [_undone_line(message, table)])
says(m.Over)(lambda message, table: _result_lines(message, table))
_SERVICE = {
    "open": N_("The server accepts new players again, and matches begin."),
    "closed": N_("For now the server accepts no new players and starts no match; running matches go on."),
    "draining": N_("The server ends after the last running match and starts no other."),
}


def with_reason(text: str, reason: str) -> str:
    """Returns a sentence with the actor's reason."""
    return _("{text} The reason: {reason}", text=text, reason=reason) if reason else text


def kicked_lines(message: m.TableChanged) -> list[str]:
    """Returns lines on players removed from an open table; [] if there are none."""
    if not message.kicked:
        return []
    text = _("- {name} was removed from {table}.", name=message.kicked, table=message.info.table)
    return [with_reason(text, message.reason)]


def owner_lines(info: m.TableInfo, before: str, name: str) -> list[str]:
    """Returns a line on the new owner of the table, for the reader of that name; [] if the owner is the same."""
    if not before or not info.owner or info.owner == before:
        return []
    if info.owner == name and info.state == "playing":
        return [_("- {table} is yours now: you may remove spectators and mute players.", table=info.table)]
    if info.owner == name:
        return [_("- {table} is yours now: you may add bots, start the match and remove players.", table=info.table)]
    return [_("- {table} belongs to {owner} now.", table=info.table, owner=info.owner)]


def ending_text(over: m.Over, said: Callable[[str, Sequence[str], int], str]) -> str:
    """Returns how a match ended, in the current language. `said` is the game's `Words.ending`; the wire's text is
    English and names seats."""
    if not over.results:
        return again(over.text, (CLOSED, ERRED), OPERATORS)
    with speaking(ENGLISH):
        by_forfeits = over.text == forfeits_text(over.results)
    if by_forfeits:
        return forfeits_text(over.results)
    best = max(one.score for one in over.results)
    winners = [one.name for place, one in placed(over.results) if place == 1]
    return said(over.reason, winners, best) or over.text


def word(of: str) -> str:
    """Translates a word of messages: a state, a kind of player, how a seat ended."""
    return _(of)


def open_hands_text(table: str, delay: int) -> str:
    """Returns what joining that table agrees to."""
    return _(
        "Spectators of {table} see all hands, {minutes} later, and not before each player has made {decisions} more "
        "decisions.",
        table=table,
        minutes=minutes(delay),
        decisions=limits.OPEN_HANDS_DECISIONS,
    )


def only_texts(names: Sequence[str]) -> list[str]:
    """Returns the head above what only one of these seats sees."""
    return [_("Only {name} sees:", name=name) for name in names]


def hands_title(message: m.OpenHands) -> str:
    """Returns the head above all hands."""
    return _(
        "All hands at {table}, as they were {minutes} after the beginning:",
        table=message.table,
        minutes=minutes(message.at),
    )


def ending_lines(info: m.CupInfo) -> list[str]:
    """Returns lines on a finished cup: how to see the standings, and the secret of its deals."""
    if not info.secret:
        return []
    shown = [_("  standings {cup} shows how it ended.", cup=info.cup)] if info.played else []
    return [*shown, _("  All its deals came from the secret {secret}", secret=info.secret)]


def _placed(results: Sequence[m.SeatResult]) -> str:
    if not results:
        return _("aborted, it does not count")
    return ", ".join(f"{place}. {one.name} {one.score}" for place, one in placed(results))


def card_lines(card: Map) -> list[str]:
    """Returns one card in two lines: its name and numbers, and its effect."""
    heading = card.get("heading")
    if not heading:
        facts = "".join(f", {name} {value}" for name, value in card.get("facts", {}).items())
        heading = f"{card['kind']}{facts}" + (_(", {count} copies", count=card["count"]) if card["count"] != 1 else "")
    return [
        _("{title} ({name}): {heading}", title=card["title"], name=card["name"], heading=heading),
        f"  {card['text']}",
    ]


def another_match() -> str:
    """Returns what may be typed once a match is over."""
    return _("rematch plays again, review steps through the match, tables lists others; q quits.")


def error_text(message: m.Error) -> str:
    """Returns an error for a person, with what to type next if a match is over."""
    text = of_protocol(message.text)
    if text == of_protocol(CODES["game_over"].message):
        text = f"{text} {another_match()}"
    return text


def legal_head() -> str:
    """Returns the head above the legal actions."""
    return _("You may do (type the action or its number):")


def numbered(actions: Iterable[str]) -> list[str]:
    """Returns the legal actions, numbered."""
    return [f"  {number:>3}  {action}" for number, action in enumerate(actions, 1)]


def talk_rows(message: m.Chat, width: int) -> list[tuple[str, str]]:
    """Returns the sender and text of a chat message, in rows of at most that many columns. Each row begins with the
    sender, so that none looks like a line of the server."""
    who = _("{sender}{private}: ", sender=message.sender, private=_(" (to you)") if message.private else "")
    first, *more = pieces(message.text, max(width - len(who) - 2, 4))
    return [(who, first), *((f"{who}  ", part) for part in more)]


def talk_lines(message: m.Chat, width: int) -> list[str]:
    """Returns the rows of `talk_rows` as lines."""
    return [f"{who}{part}" for who, part in talk_rows(message, width)]


def more_line(story: m.PastMessages) -> list[str]:
    """Returns how to read on, if the log has more."""
    last = max((int(told["n"] if isinstance(told, dict) else told.n) for told in story.messages), default=0)
    return [_("(more: log {last})", last=last)] if story.more else []


def standings_lines(message: m.CupStandings, width: int) -> list[str]:
    """Returns the standings of a cup as a table for a terminal of that width."""
    lines = whole_table(message, width) if message.rows else [_("  No match is over yet.")]
    return [_("{cup} is {state}.", cup=message.cup, state=_(message.state)), *lines]


def hint_text(bot: str, shown: str, written: str, foreseen: str, cards: Iterable[Titled]) -> str:
    """Returns a bot's choice, in both notations, and why: its preview if `foreseen`, else the effect of its card."""
    played = [card for card in cards if card.name in written.split()[1:]]
    why = "".join(_(" {title}: {text}", title=card.title, text=card.text) for card in played[:1])
    why = f" {foreseen}" if foreseen else why
    return _("{bot} would do this: {shown}.{why}", bot=bot, shown=shown, why=why)


def left_text(seconds: float) -> str:
    """Returns the time for a decision, to follow the question; "" if there is no hurry."""
    return _(" ({seconds:.0f} s)", seconds=ceil(seconds)) if seconds < LONG_CLOCK else ""


def name_at(seat: int, table: Named | None) -> str:
    """Returns the name of the player in that seat."""
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
    score_text = game.words.score if game is not None else str
    lines = [_("The match is over. {text}", text=message.text)]
    for place, result in placed(message.results):
        how = "" if result.how == "played" else f" ({_(GONE.get(result.how, result.how))})"
        score = score_text(result.score)
        lines.append(_("  {place}. {name}: {score}{how}", place=place, name=result.name, score=score, how=how))
    if message.seed:
        lines.append(_("The deal's seed was {seed}, its salt {salt}.", seed=message.seed, salt=message.salt))
    return lines


def hand_lines(words: Words, view: View, names: Sequence[str], width: int) -> list[StyledLine]:
    """Returns the hand of the view's seat."""
    return words.hand(view, names, width) or [[("", _("You hold nothing there."))]]
