"""Messages as lines for people, as far as nothing is needed of the table but the names of its seats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from games.api import Line, View, Words
from languages import ENGLISH, language, speaking
from matches.results import forfeits_text, placed
from people.language import N_, _, again
from people.text.cards import Titled
from people.text.folding import COLUMNS
from people.text.listed import cup_line, entrant_lines, in_order, player_said, table_line
from people.text.standings import whole_table
from people.text.stats import stats_lines
from people.text.times import minutes
from protocol import limits
from protocol import messages as m
from protocol.errors import CODES
from protocol.language import _ as of_protocol
from protocol.messages.parts import Map
from protocol.printable import pieces

TALK_COLUMNS = 72  # of a row of talk; the numbers of `log` stand before it
LONG_CLOCK = 3_600.0  # seconds; with more there is no hurry, and nobody needs to be told what is left

GONE = {
    "left": N_("left"),
    "kicked": N_("was sent away"),
    "late": N_("was late too often"),
    "illegal": N_("sent too many illegal actions"),
    "resigned": N_("resigned"),
    "crashed": N_("crashed"),
}


# Words of messages that stand in sentences: states of tables and cups, kinds of players.
_WORDS = (
    *(N_("open"), N_("playing"), N_("over"), N_("running"), N_("paused"), N_("stopped"), N_("finished")),
    *(N_("person"), N_("bot"), N_("house"), N_("fresh"), N_("duplicate"), N_("rotated")),
    *(N_("played"), N_("late"), N_("illegal"), N_("absent"), N_("aborted"), N_("gone"), N_("unplayable")),
)
SERVER = N_("The server")
OPERATORS = (N_("the operator"), N_("The operator"), SERVER)  # who did something, where it was no player
# How matches are aborted: what is kept and told to all is English, and is known again by these.
CLOSED = N_("{by} closed the table; the match does not count.")
ERRED = N_("The server erred (incident {incident}); the match does not count.")
CUP_STOPPED = N_("The cup was stopped; the match does not count.")


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
            more = [_("(more: who after {name})", name=message.players[-1].name)] if message.more else []
            return _people(_("Here are"), message.players) + more
        case m.PlayerStats():
            return stats_lines(message)
        case m.BotList():
            return _people(_("Bots"), message.bots)
        case m.GameList():
            return [
                _(
                    "{game:<14} {min_seats}-{max_seats} players  {title}: {about}",
                    game=g.game,
                    min_seats=g.min_seats,
                    max_seats=g.max_seats,
                    title=g.title,
                    about=g.about,
                )
                for g in message.games
            ]
        case m.CardList():
            return [line for card in message.cards for line in card_lines(card)]
        case m.TableList():
            last = message.tables[-1].table if message.tables else ""
            is_over = message.which == "finished"
            if not message.tables:
                return [_("No match has ended lately.") if is_over else _("There are no tables; open one.")]
            which = "finished after" if is_over else "after"
            rest = _("(more: tables {which} {table})", which=which, table=last)
            return [table_line(info) for info in in_order(message.tables)] + [rest] * message.more
        case m.TableChanged():
            return [*kicked_lines(message), table_line(message.info)]
        case m.Service():
            return [f"- {with_reason(_(_SERVICE.get(message.state, message.state)), message.reason)}"]
        case m.ReplayLines():
            more = (
                [_("(more: replay {table} {after})", table=message.table, after=message.after + len(message.lines))]
                if message.more
                else []
            )
            return [*message.lines, *more]
        case m.Reason():
            legal = _("That would be legal. {text}", text=message.text).rstrip()
            return [legal if message.legal else _("No: {text}", text=message.text)]
        case m.Clocks():
            return [_clock_line(clock, table) for clock in message.clocks]
        case m.Said():
            return [] if message.heard else [_("Nobody else hears you.")]
        case m.Done():
            return [message.text]
        case m.Ignoring():
            listed = ", ".join(message.players)
            return [_("You ignore {listed}.", listed=listed) if listed else _("You ignore no player.")]
        case m.SentAway(by=""):
            return [_("- {table} is gone: nothing happened there.", table=message.table)]
        case m.SentAway():
            kicked = message.why == "kicked"
            said = _("- {by} sent you away from {table}.") if kicked else _("- {by} closed {table}.")
            by = _(message.by) if message.by in OPERATORS else message.by
            return [with_reason(said.format(by=by, table=message.table or message.cup), message.reason)]
        case m.Resigned():
            return [_("You gave the match up.")]
        case m.Error():
            return [f"! {error_text(message)}"]
        case m.CupList():
            return [cup_line(info) for info in message.cups] or [_("There are no cups; open one: cup open CUP GAME.")]
        case m.CupReply():
            return [cup_line(message.info), *entrant_lines(message.info), *_ending_lines(message.info)]
        case m.CupChanged():
            return [f"* {cup_line(message.info)}", *_ending_lines(message.info)]
        case m.CupEntrant(how="replaced"):
            words = {"player": message.player, "entrant": message.entrant, "cup": message.cup}
            return [_("* {player} plays for {entrant} in {cup} from now on.", **words)]
        case m.CupEntrant():
            said = _("* {entrant} enters {cup}. Entrants now: {count}.")
            said = said if message.how == "entered" else _("* {entrant} leaves {cup}. Entrants now: {count}.")
            return [said.format(entrant=message.entrant, cup=message.cup, count=message.entrants)]
        case m.CupStandings():
            return standings_lines(message, COLUMNS)
        case m.Invited():
            return [
                _("* {by} invites you to a cup: enter {cup}", by=message.by, cup=message.info.cup),
                f"  {cup_line(message.info)}",
            ]
        case m.Paired():
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
        case m.Result():
            return [
                _(
                    "* {cup}, match {match} at {table}: {placed}",
                    cup=message.cup,
                    match=message.match,
                    table=message.table,
                    placed=_placed(message.results),
                )
            ]
        case m.Chat():
            return talk_lines(message, TALK_COLUMNS)
        case m.Watching():
            return [_("You watch {table}.", table=message.table), table_line(message.info)]
        case m.OpenHands(views=()):
            if message.at < 0:
                return [
                    _(
                        "All hands are shown with a delay here; the first ones in {minutes}.",
                        minutes=minutes(-message.at),
                    )
                ]
            decisions = limits.OPEN_HANDS_DECISIONS
            return [
                _(
                    "All hands are shown with a delay here, once each player has made {decisions} more decisions.",
                    decisions=decisions,
                )
            ]
        case m.Left():
            back = _(
                "Your seat is held for {held:.0f} seconds; join {table} brings you back.",
                held=message.held,
                table=message.table,
            )
            held = f" {back}" if message.held else ""
            return [_("You left {table}.{held}", table=message.table, held=held)]
        case m.Bye():
            return [_("Goodbye. {text}", text=message.text)]
        case m.Started():
            names = ", ".join(f"{info.seat} {info.name}" for info in message.seats)
            begins = _(
                "The match begins: {names}. Commitment to the deal: {commitment}",
                names=names,
                commitment=message.commitment,
            )
            return [begins, open_hands_text(message.table, message.delay)] if message.delay else [begins]
        case m.Presence():
            return [_presence_line(message)]
        case m.Late():
            why = _("ran out of time") if message.why == "time" else _("sent too many illegal actions")
            return [
                _(
                    "- {name} {why}; the default was done for them ({count}).",
                    name=_name(message.seat, table),
                    why=why,
                    count=message.count,
                )
            ]
        case m.Over():
            return _result_lines(message)
        case _:
            return []


_SERVICE = {
    "open": N_("The server accepts new players again, and matches begin."),
    "closed": N_("For now the server accepts no new players and starts no match; running matches go on."),
    "draining": N_("The server ends after the last running match and starts no other."),
}


def with_reason(text: str, reason: str) -> str:
    """A sentence, and what whoever did it gives as the reason."""
    return _("{text} The reason: {reason}", text=text, reason=reason) if reason else text


def kicked_lines(message: m.TableChanged) -> list[str]:
    """Who was sent away from an open table; [] where nobody was."""
    if not message.kicked:
        return []
    text = _("- {name} was removed from {table}.", name=message.kicked, table=message.info.table)
    return [with_reason(text, message.reason)]


def owner_lines(info: m.TableInfo, before: str, name: str) -> list[str]:
    """Whose table it is now, for who reads under that name, where it was another one's before; else []."""
    if not before or not info.owner or info.owner == before:
        return []
    if info.owner == name and info.state == "playing":
        return [_("- {table} is yours now: you may remove spectators and mute players.", table=info.table)]
    if info.owner == name:
        return [_("- {table} is yours now: you may add bots, start the match and remove players.", table=info.table)]
    return [_("- {table} belongs to {owner} now.", table=info.table, owner=info.owner)]


def ending_text(over: m.Over, said: Callable[[str, Sequence[str], int], str]) -> str:
    """How a match ended, in the current language. `said` is the game's `Words.ending`; what comes over the wire is
    English."""
    if language() == ENGLISH or not over.results:
        return again(over.text, (CLOSED, ERRED), OPERATORS)
    with speaking(ENGLISH):
        by_forfeits = over.text == forfeits_text(over.results)
    if by_forfeits:
        return forfeits_text(over.results)
    best = max(one.score for one in over.results)
    winners = [one.name for place, one in placed(over.results) if place == 1]
    return said(over.reason, winners, best) or over.text


def word(of: str) -> str:
    """A word of messages in the current language: a state, a kind of player, how somebody's match ended."""
    return _(of)


def open_hands_text(table: str, delay: int) -> str:
    """What who sits down there agrees to."""
    return _(
        "Spectators of {table} see all hands, {minutes} later, and not before each player has made {decisions} more "
        "decisions.",
        table=table,
        minutes=minutes(delay),
        decisions=limits.OPEN_HANDS_DECISIONS,
    )


def only_texts(names: Sequence[str]) -> list[str]:
    """What stands above what each of these alone sees."""
    return [_("Only {name} sees:", name=name) for name in names]


def hands_title(message: m.OpenHands) -> str:
    """What stands above all hands."""
    return _(
        "All hands at {table}, as they were {minutes} after the beginning:",
        table=message.table,
        minutes=minutes(message.at),
    )


def _ending_lines(info: m.CupInfo) -> list[str]:
    """What is told of a cup that is over: how to see who won, and the secret of its deals."""
    if not info.secret:
        return []
    shown = [_("  standings {cup} shows how it ended.", cup=info.cup)] if info.played else []
    return [*shown, _("  All its deals came from the secret {secret}", secret=info.secret)]


def _placed(results: Sequence[m.SeatResult]) -> str:
    if not results:
        return _("aborted, it does not count")
    return ", ".join(f"{place}. {one.name} {one.score}" for place, one in placed(results))


def _people(what: str, people: Sequence[m.PlayerInfo]) -> list[str]:
    return [_("{what}: {people}", what=what, people=", ".join(map(player_said, people)) or _("nobody"))]


def card_lines(card: Map) -> list[str]:
    """One card in two lines: its name and numbers, and what it does."""
    heading = card.get("heading")
    if not heading:
        facts = "".join(f", {name} {value}" for name, value in card.get("facts", {}).items())
        heading = f"{card['kind']}{facts}" + (_(", {count} copies", count=card["count"]) if card["count"] != 1 else "")
    return [
        _("{title} ({name}): {heading}", title=card["title"], name=card["name"], heading=heading),
        f"  {card['text']}",
    ]


def another_match() -> str:
    """What may be typed once a match is over."""
    return _("For another match: rematch, tables, join TABLE, or open GAME. q quits.")


def error_text(message: m.Error) -> str:
    """What a person reads of an error, with what to type next once a match is over."""
    text = of_protocol(message.text)
    if text == of_protocol(CODES["game_over"].message):
        text = f"{text} {another_match()}"
    return text


def legal_head() -> str:
    """What stands above the actions that may be done."""
    return _("You may do (type the action or its number):")


def numbered(actions: Iterable[str]) -> list[str]:
    """What may be done, below that head."""
    return [f"  {number:>3}  {action}" for number, action in enumerate(actions, 1)]


def talk_rows(message: m.Chat, width: int) -> list[tuple[str, str]]:
    """Who talks and what they say, in rows of at most so many columns. Each row begins with who talks, so that none
    can pass for a line of the server's."""
    who = _("{sender}{private}: ", sender=message.sender, private=_(" (to you)") if message.private else "")
    first, *more = pieces(message.text, max(width - len(who) - 2, 4))
    return [(who, first), *((f"{who}  ", part) for part in more)]


def talk_lines(message: m.Chat, width: int) -> list[str]:
    """The same, each row as a line."""
    return [f"{who}{part}" for who, part in talk_rows(message, width)]


def more_line(story: m.Story) -> list[str]:
    """How to read on, if the log has more."""
    last = max((int(told["n"] if isinstance(told, dict) else told.n) for told in story.messages), default=0)
    return [_("(more: log {last})", last=last)] if story.more else []


def standings_lines(message: m.CupStandings, width: int) -> list[str]:
    """The standings of a cup as a table for a terminal of that width."""
    lines = whole_table(message, width) if message.rows else [_("  No match is over yet.")]
    return [_("{cup} is {state}.", cup=message.cup, state=_(message.state)), *lines]


def hint_text(bot: str, shown: str, written: str, foreseen: str, cards: Iterable[Titled]) -> str:
    """What a bot would do, as people and as programs write it, and why: what that brings, where it is `foreseen`, else
    what the card does that it would play."""
    played = [card for card in cards if card.name in written.split()[1:]]
    why = "".join(_(" {title}: {text}", title=card.title, text=card.text) for card in played[:1])
    why = f" {foreseen}" if foreseen else why
    return _("{bot} would do this: {shown}.{why}", bot=bot, shown=shown, why=why)


def left_text(seconds: float) -> str:
    """How long a decision may take, after the question; "" where there is no hurry."""
    return _(" ({seconds:.0f} s)", seconds=seconds) if seconds < LONG_CLOCK else ""


def _name(seat: int, table: Named | None) -> str:
    return table.names()[seat - 1] if table else _("seat {seat}", seat=seat)


def _clock_line(clock: m.SeatClock, table: Named | None) -> str:
    if clock.main >= LONG_CLOCK:
        time, left = _("as much time as they like"), ""
    else:
        time, left = (
            _("{minutes} of main time", minutes=minutes(clock.main)),
            _(", {minutes} left", minutes=minutes(clock.left)),
        )
    return (
        _("{name}: {time}", name=_name(clock.seat, table), time=time) + _(", deciding{left}", left=left) * clock.running
    )


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


def _result_lines(message: m.Over) -> list[str]:
    lines = [_("The match is over. {text}", text=message.text)]
    for place, result in placed(message.results):
        how = "" if result.how == "played" else f" ({_(GONE.get(result.how, result.how))})"
        lines.append(_("  {place}. {name}: {score}{how}", place=place, name=result.name, score=result.score, how=how))
    if message.seed:
        lines.append(_("The deal's seed was {seed}, its salt {salt}.", seed=message.seed, salt=message.salt))
    return lines


def hand_lines(words: Words, view: View, names: Sequence[str], width: int) -> list[Line]:
    """What the view's seat holds."""
    return words.hand(view, names, width) or [[("", _("You hold nothing there."))]]
