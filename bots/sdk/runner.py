"""Plays a bot over a link: calls the bot's methods for the messages that arrive, and sends its choices as requests.

A runner plays at any number of tables in one process, with one instance of the bot for each match. While one instance
thinks, the other matches wait. After an illegal action, the runner reports it and asks the bot again, as often as the
server allows. If a method of the bot raises an exception, the runner reports it and leaves that table, where a house
bot plays on.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import trio

from bots.language import _
from bots.sdk.bot import Bot, Turn
from bots.sdk.heartbeat import Heartbeat
from bots.sdk.link import Heard, Link, LinkLost, LinkRestored, MatchRewound, TableLeft
from bots.sdk.seeds import bot_seed
from bots.sdk.stderr import print_to_stderr
from games.api import Action, Game, Outcome, to_map
from matches.admission import Admission, AtTable, KnownGames, Match, UnplayableMatch
from matches.seat import JoinedTable, start_request_if_full
from people.text.sentences import translate_word
from protocol import limits
from protocol import messages as m
from protocol.errors import TOO_LATE
from protocol.printable import escape_text


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that is over for the bot, because it has ended or because the bot has left it.

    Attributes:
        table: The id of the match's table.
        game: The id of the game.
        seat: The bot's seat.
        how: How the match ended for the bot's seat: a word of `SeatResult.how`, or `aborted`, `crashed`, `unplayable`
            or `gone`.
        place: The bot's place; 0 if there is no result, or the bot left before the end.
        score: The bot's score.
    """

    table: str
    game: str
    seat: int
    how: str
    place: int = 0
    score: int = 0


@dataclass
class BotTable(JoinedTable):
    """A running match of the bot."""

    bot: Bot
    seed: int
    due: m.TurnUpdate | None = None  # the decision that the bot still has to make; None if there is none
    refused: int = 0  # the number of illegal actions that were sent for the open decision

    def make_finished_match(self, how: str, place: int = 0, score: int = 0) -> FinishedMatch:
        """Returns the FinishedMatch for this match."""
        return FinishedMatch(self.id, self.game.id, self.seat, how, place, score)


Report = Callable[[str], None]


class Runner:
    """Plays a bot. The runner is the subscriber of a link.

    The seed of a bot instance derives from the runner's seed, its seat, and the match's `word`, which a tournament
    assigns so that its matches can be repeated. For a match without a word, the seat's nonce or the table's id takes
    its place.

    Args:
        kind: The class of the bot.
        games: The games that the bot may play, by id.
        seed: The number from which the seeds of all bot instances derive.
        report: A function that is called with a text about each fault of the bot, and about each event of the
            connection.
        on_finish: A function that is called with each match that is over for the bot.

    Attributes:
        finished: The matches that are over for the bot, in order.
        sent_away: The ids of tables, and the names of cups, from which the bot was removed.
        lapsed: Those tables in `sent_away` at which the server did not keep the bot's seat while it was disconnected.
    """

    reads_turns = True  # the link delivers turns undecoded, because JoinedTable.parse_turn decodes them

    def __init__(
        self,
        kind: type[Bot],
        games: Mapping[str, Game],
        seed: int,
        *,
        report: Report = print_to_stderr,
        on_finish: Callable[[FinishedMatch], None] | None = None,
    ) -> None:
        self.finished: list[FinishedMatch] = []
        self._kind, self._seed = kind, seed
        self._report, self._on_finish = report, on_finish
        self._listens = kind.listens()
        self._link: Link
        self._heart = Heartbeat()
        self._games = KnownGames(games)
        self._admission = Admission(self._games, self._hear_of_table, self._refuse)
        self._tables: dict[str, BotTable] = {}
        self._due: dict[str, BotTable] = {}
        self.sent_away: set[str] = set()
        self._waits_at = ""  # the id of the table at which the bot waits for a match to begin or to end; "" for none
        self.lapsed: set[str] = set()
        # By table id: the house bots that the runner added at its own open tables, in the order in which it added them.
        self._fillers: dict[str, tuple[str, ...]] = {}
        # the cups that the bot has entered, by name; True if the cup is over for the bot
        self._cups: dict[str, bool] = {}
        self._more = trio.Event()

    async def wait_until_finished(self, matches: int, table: str = "") -> None:
        """Waits until a number of matches are over for the bot, or until it was removed from a given table.

        Args:
            matches: The number of matches, counted from the start of the runner.
            table: The id of the table; "" for none.
        """
        self._waits_at = table
        while len(self.finished) < matches and table not in self.sent_away:
            await self._more.wait()

    def keep_bots_seated(self, table: str, bots: Sequence[str]) -> None:
        """Remembers the house bots at an open table of the bot's own, so that the runner adds them again if the server
        loses them.

        Args:
            table: The id of the table.
            bots: The names of the house bots, in the order in which they were added.
        """
        self._fillers[table] = tuple(bots)
        for gone in (self.sent_away, self.lapsed):  # a restored server may assign the id of an earlier table again
            gone.discard(table)

    async def wait_until_over(self, cup: str) -> None:
        """Waits until a cup is over for the bot: finished, stopped, or the bot was removed from it.

        Args:
            cup: The name of the cup as the server spells it.
        """
        self._cups.setdefault(cup, False)
        while not self._cups[cup]:
            await self._more.wait()

    # -- receiving messages --------------------------------------------------------------------------------------------

    def on_message(self, link: Link, message: Heard) -> None:
        """Processes a message; see `LinkSubscriber`.

        Args:
            link: The link.
            message: The message.
        """
        self._link = link
        if isinstance(message, m.TurnUpdate):  # turns and events are the most frequent messages
            self._admission.process_message(link, message)
            return
        if type(message) is m.Happened:
            if self._listens:
                self._admission.process_message(link, message)
            return
        match message:
            case LinkLost(reason=reason, seconds=seconds):
                self._say(
                    _(
                        "Connection lost: {reason}. Next attempt in {seconds:.1f} s.",
                        reason=reason.rstrip("."),
                        seconds=seconds,
                    )
                )
            case LinkRestored():
                self._say(_("Connected again."))
                for cup in self._cups:  # asks about each cup, which may have ended while the link was disconnected
                    link.post(m.CupRequest(id=1, cup=cup), self._cup_answered)
                listed = {info.table for info in link.welcome.seats}
                over = {done.table for done in self.finished}
                for table_id in sorted({self._waits_at, *self._fillers} - {"", *listed, *self._tables, *over}):
                    self._fillers.pop(table_id, None)
                    self.lapsed.add(table_id)
                    self._sent_away(table_id, _("the seat was not kept so long"))
                for info in link.welcome.seats:
                    if info.state == "open" and info.owner == link.identity.name:
                        self._fill(info)
            case m.Seated(info=info, seat=seat):
                self._say(
                    _("table {table}: seated at {game}, seat {seat}.", table=info.table, game=info.game, seat=seat)
                )
            case m.SentAway(table="", cup=cup, by=by):
                self._say(_("cup {cup}: sent away by {by}.", cup=cup, by=by))
                self._sent_away_from_cup(cup)
            case m.SentAway(table=table, by=""):
                self._sent_away(table, _("gone, since nothing happened there"))
            case m.SentAway(table=table, why=why, by=by):
                self._sent_away(table, _("sent away by {by}", by=by) if why == "kicked" else _("closed by {by}", by=by))
            case m.CupChanged(info=info):
                self._take_cup(info)
            case m.TableChanged(info=info):
                start = start_request_if_full(info, link.identity.name)
                if start is not None:
                    link.post(start, partial(self._start_answered, info.table))
            case _:
                self._admission.process_message(link, message)

    def on_caught_up(self, link: Link) -> None:
        """Lets the bot make all decisions that are due at its tables; see `LinkSubscriber`.

        Args:
            link: The link.
        """
        while self._due:
            due, self._due = self._due, {}
            for table in due.values():
                self._decide(table)

    def _fill(self, info: m.TableInfo) -> None:
        """Adds the house bots that an open table lost when the server was restored from a backup. These are the ones
        that were added last, because a backup has everything that happened before it was made."""
        there = sum(seat.kind == "house" for seat in info.seats)
        free = sum(seat.kind == "empty" for seat in info.seats)
        missing = self._fillers.get(info.table, ())[there:][:free]
        if not missing:
            return
        self._say(
            _(
                "table {table}: the server lost its house bots, as after a restore from a backup; {bots} added again.",
                table=info.table,
                bots=", ".join(missing),
            )
        )
        for bot in missing:
            self._link.post(m.Add(id=1, table=info.table, bot=bot), partial(self._added, info.table, bot))

    def _added(self, table: str, bot: str, reply: m.Reply) -> None:
        if isinstance(reply, m.Error):
            self._say(_("table {table}: {bot} not added: {text}", table=table, bot=bot, text=reply.text))

    def _cup_answered(self, reply: m.Reply) -> None:
        if isinstance(reply, m.CupReply):
            self._take_cup(reply.info)
            # Otherwise the bot was removed from the cup while it was disconnected.
            if self._link.identity.name not in [one.entrant for one in reply.info.entrants]:
                self._sent_away_from_cup(reply.info.cup)

    def _take_cup(self, info: m.CupInfo) -> None:
        self._say(
            _(
                "cup {cup}: {state}, {played} matches played.",
                cup=info.cup,
                state=translate_word(info.state),
                played=info.played,
            )
        )
        self._done_with(info.cup, over=info.state in ("finished", "stopped"))

    def _sent_away_from_cup(self, cup: str) -> None:
        self.sent_away.add(cup)
        self._done_with(cup)

    def _say(self, text: str) -> None:
        """Reports a text as one line. Its line breaks are escaped, because the text may quote the server."""
        self._report(escape_text(text))

    def _done_with(self, cup: str, *, over: bool = True) -> None:
        self._cups[cup] = over
        self._wake()

    def _wake(self) -> None:
        self._more.set()
        self._more = trio.Event()

    def _start_answered(self, table: str, reply: m.Reply) -> None:
        if isinstance(reply, m.Error) and reply.code != "already_started":
            self._say(_("table {table}: not started: {text}", table=table, text=reply.text))

    def _hear_of_table(self, message: AtTable) -> None:
        if isinstance(message, m.MatchStarted):
            self._sit_down(message)
            return
        if isinstance(message, MatchRewound):
            self._rewind(message.table)
            return
        table = self._tables.get(getattr(message, "table", ""))
        if table is None:
            return
        match message:
            case m.Happened():
                self._tell(table, message)
            case m.TurnUpdate():
                table.due, table.refused = message, 0
                self._due[table.id] = table
            case m.Undone() if message.done:
                table.due = None
                if self._listens:
                    self._take_back(table, message)
            case m.Late() if message.seat == table.seat:
                table.due = None
                why = _("too late") if message.why == "time" else _("too many illegal actions")
                self._say(
                    _(
                        "table {table}: {why}; the default was done (number {count}).",
                        table=table.id,
                        why=why,
                        count=message.count,
                    )
                )
            case m.Presence() if message.seat == table.seat and message.by:
                table.due = None
                self._say(
                    _(
                        "table {table}: the house bot {by} plays on for us ({how}).",
                        table=table.id,
                        by=message.by,
                        how=translate_word(message.how),
                    )
                )
            case m.Over():
                self._end(table, message)
            case TableLeft():
                self._say(_("table {table}: the match is gone.", table=table.id))
                self._finish(table.make_finished_match("gone"))

    def _rewind(self, table: str) -> None:
        """Drops the bot instance and the result of a match of which the server has lost the latest entries. The server
        sends the match again from its beginning, and a new instance plays it."""
        self._stand_up(table)
        last = next((done for done in reversed(self.finished) if done.table == table), None)
        if last is not None:
            self.finished.remove(last)
        self._say(
            _(
                "table {table}: the server lost the latest moves, as after a restore from a backup; the match"
                " goes on from an earlier position.",
                table=table,
            )
        )

    # -- playing a match -----------------------------------------------------------------------------------------------

    def _sit_down(self, started: m.MatchStarted) -> None:
        if not started.you:
            return
        own = started.word or started.nonces[started.you - 1] or started.table
        try:
            seed = bot_seed(self._seed, own, started.you)
            self._heart.begin_call(self._link)
            bot = self._kind(seed)
        except Exception:
            self._give_up(
                FinishedMatch(started.table, started.game, started.you, "crashed"), _raised(_("creating the bot"))
            )
            return
        finally:
            self._heart.end_call()
        game, seats = self._games.game_of(started), len(started.seats)
        self._tables[started.table] = BotTable(started.table, game, started.you, seats, started.options, bot, seed)

    def _tell(self, table: BotTable, message: m.Happened) -> None:
        self._heart.begin_call(self._link)
        try:
            table.bot.hear(table.parse_event(message))
        except Exception:
            self._give_up(table.make_finished_match("crashed"), _raised("hear"))
        finally:
            self._heart.end_call()

    def _take_back(self, table: BotTable, message: m.Undone) -> None:
        self._heart.begin_call(self._link)
        try:
            happened = [m.Happened(table=table.id, n=message.n, event=event) for event in message.events]
            table.bot.undone([table.parse_event(one) for one in happened])
        except Exception:
            self._give_up(table.make_finished_match("crashed"), _raised("undone"))
        finally:
            self._heart.end_call()

    def _decide(self, table: BotTable) -> None:
        asked, table.due = table.due, None
        if asked is None:
            return
        try:
            turn = table.parse_turn(asked)
            # The bot's random numbers are seeded for each decision, so that a restarted process draws the same ones.
            if (rng := getattr(table.bot, "rng", None)) is not None:
                rng.seed(bot_seed(table.seed, asked.turn, table.refused))
            self._heart.begin_call(self._link, turn.clock, partial(self._took_too_long, table, turn))
            action = table.bot.choose(turn)
            if not isinstance(action, Action):
                raise TypeError(_("choose returned {action!r}, which is not an action", action=action))
            act = table.act_request(asked.turn, action)
        except Exception:
            self._give_up(table.make_finished_match("crashed"), _raised("choose"))
            return
        finally:
            self._heart.end_call()
        self._link.post(act, partial(self._answered, table, asked, action))

    def _took_too_long(self, table: BotTable, turn: Turn) -> None:
        """Reports that `choose` has not returned in the time of the decision. The thread of the heartbeat calls this
        method."""
        self._say(
            _(
                "table {table}, turn {turn}: choose takes longer than the {seconds:.1f} s that it had.",
                table=table.id,
                turn=turn.number,
                seconds=turn.clock,
            )
        )

    def _answered(self, table: BotTable, asked: m.TurnUpdate, action: Action, reply: m.Reply) -> None:
        if not isinstance(reply, m.Error) or reply.code in TOO_LATE:
            return  # the message `late` already reports a decision that came too late
        if reply.code not in ("illegal_action", "bad_action"):
            self._say(
                _("table {table}, turn {turn}: refused: {text}", table=table.id, turn=asked.turn, text=reply.text)
            )
            return
        self._say(
            _(
                "table {table}, turn {turn}: {action} is illegal: {text}",
                table=table.id,
                turn=asked.turn,
                action=to_map(action),
                text=reply.text,
            )
        )
        table.refused += 1
        allowed = self._link.welcome.limits.get("illegal_a_decision", limits.ILLEGAL_A_DECISION)
        if table.due is None and table.refused < allowed:
            table.due = asked
            self._due[table.id] = table

    def _sent_away(self, table: str, why: str) -> None:
        self._say(_("table {table}: {why}.", table=table, why=why))
        self.sent_away.add(table)
        self._wake()
        mine = self._tables.get(table)
        if mine is not None:
            self._finish(mine.make_finished_match("left"))

    # -- the end of a match --------------------------------------------------------------------------------------------

    def _end(self, table: BotTable, over: m.Over) -> None:
        if over.aborted:
            self._say(_("table {table}: aborted. {text}", table=table.id, text=over.text))
            self._finish(table.make_finished_match("aborted"))
            return
        scores = tuple(result.score for result in over.results)
        places = tuple(result.place for result in over.results)
        mine = over.results[table.seat - 1]
        self._heart.begin_call(self._link)
        try:
            table.bot.end(Outcome(scores, places, over.reason, over.text))
        except Exception:
            self._report(_("table {table}: end raised\n{traced}", table=table.id, traced=traceback.format_exc()))
        finally:
            self._heart.end_call()
        self._finish(table.make_finished_match(mine.how, mine.place, mine.score))
        # After the bot has left, the server does not list the finished table in the welcome any more.
        self._link.post(m.Leave(id=1, table=table.id), lambda _reply: None)

    def _refuse(self, match: Match, why: UnplayableMatch) -> None:
        assert isinstance(match, m.MatchStarted)  # a bot gets messages only of tables where it plays
        self._give_up(FinishedMatch(match.table, match.game, match.you, "unplayable"), escape_text(str(why)))

    def _give_up(self, done: FinishedMatch, why: str) -> None:
        self._report(_("table {table}: {why}", table=escape_text(done.table), why=why))
        self._stand_up(done.table)
        leave = m.Leave(id=1, table=done.table, crashed=done.how == "crashed")
        self._link.post(leave, lambda _reply: self._finish(done))  # finished only when the server knows the reason

    def _stand_up(self, table_id: str) -> None:
        table = self._tables.pop(table_id, None)
        if table is not None:
            table.due = None

    def _finish(self, done: FinishedMatch) -> None:
        self._stand_up(done.table)
        self.finished.append(done)
        if self._on_finish is not None:
            self._on_finish(done)
        self._wake()


def _raised(doing: str) -> str:
    return _("{doing} raised; the bot leaves\n{traced}", doing=doing, traced=traceback.format_exc())
