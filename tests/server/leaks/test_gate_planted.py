"""Leaks planted one at a time into a running server, at least one in each channel. The gate has to catch every one.

The first table is made of the messages: a leak in every one that can be told, a new one included. The second holds what
no message carries: prices, waits, times, the log, the operator's socket, the network, reports, files for programs.
"""

from __future__ import annotations

import logging
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

import msgspec
import pytest
import trio

from client import nearby
from client.tournament.report import CupReport
from games.api import IllegalAction, StyledLine, to_all
from matches.fold import Match
from matches.referee import Referee
from people.person import Person
from protocol import messages as m
from protocol.connection import ServerConnection
from protocol.entries import ActionRefused, PresenceChanged, ServerStalled
from protocol.errors import Refusal
from protocol.telnet import HERE
from server.answers import error_message
from server.cups.cups import CupRegistry
from server.cups.live_cup import LiveCup
from server.desk.lobby import Lobby
from server.desk.operator import OperatorCommand, OperatorCommands, OperatorOutcome
from server.desk.text_session import TextSession
from server.net.outbox import Outbox
from server.net.session import Session
from server.player import Player
from server.player_stats import MatchStats
from server.table.delayed_view import DelayedView
from server.table.live import LiveMatch
from server.table.seating import Seating
from server.table.table import Table
from server.token_bucket import TokenBucket
from tests.helpers.toy import Dealt, Play, ToyState
from tests.server.leaks.forked import ForkedState
from tests.server.leaks.gate_scenes import PLAYS
from tests.server.leaks.plants import Plant, answer_anew, wrap
from tests.server.leaks.twins import compare_towns
from tests.server.leaks.two_worlds import Leak
from tests.server.leaks.watched import this_world, work_counted
from tournaments.cup import PAUSED, Cup

# -- what a leak can tell ----------------------------------------------------------------------------------------------


def hidden(where: Lobby | Table | Match) -> str:
    """What is secret there, and different in the other world: hands, and the seeds of what is played."""
    if isinstance(where, Match):
        return _held(where) + where.header.seed.hex()[:6]
    if isinstance(where, Table):
        return (_held(where.match) if where.match is not None else "") + where.seed.hex()[:6]
    return " ".join(hidden(table) for table in where.tables.values() if table.id not in ("t1",))


def _held(match: Match) -> str:
    state = match.state.inner if isinstance(match.state, ForkedState) else match.state
    assert isinstance(state, ToyState)
    return "".join(f"{card:x}" for hand in state.hands for card in hand)


def number(where: Lobby | Table | Match, most: int = 10_000) -> int:
    """The same as a number."""
    return zlib.crc32(hidden(where).encode()) % most


def tainted(message: Any, told: str) -> Any:
    """The message with a secret in one of its fields."""
    for field in msgspec.structs.fields(type(message)):
        value, name = getattr(message, field.name), field.name
        if name in ("table", "re", "seat", "you", "n"):
            continue
        if isinstance(value, str):
            return msgspec.structs.replace(message, **{name: f"{value}{told}"})
        if isinstance(value, msgspec.Struct):
            return msgspec.structs.replace(message, **{name: tainted(value, told)})
        if isinstance(value, int | float) and not isinstance(value, bool):
            return msgspec.structs.replace(message, **{name: value + zlib.crc32(told.encode())})
        if isinstance(value, tuple):
            return msgspec.structs.replace(message, **{name: (*value, told)})
        if isinstance(value, dict) or value is None:
            return msgspec.structs.replace(message, **{name: {**(value or {}), "luck": told}})
    if not hasattr(message, "re"):
        return message
    return msgspec.structs.replace(message, re=message.re + zlib.crc32(told.encode()) % 97 + 1)


# -- a leak in every message -------------------------------------------------------------------------------------------

SAID_IN = {  # where somebody who may not know is told such a message; all that only ask are in the first
    "all_is_asked-duplicate-p1": (
        *("Page", "Pong", "Players", "PlayerStats", "GameList", "BotList", "CardList", "TableList", "Position"),
        *(
            "TurnReply",
            "Reason",
            "Clocks",
            "PastMessages",
            "ReplayLines",
            "CupList",
            "CupReply",
            "CupStandings",
            "Error",
            "CupLogLines",
        ),
        "Bye",
    ),
    "strangers_knock-table-p1": ("Ignoring", "Service"),
    "entrants_change-fresh-everybody": ("Invited",),
    "a_round_is_played-fresh-p1": ("TurnUpdate", "Happened"),
    "all_is_asked-table-everybody": ("Accepted",),
    "all_is_changed_by_strangers-fresh-p1": (
        *("TableReply", "Watching", "Left", "Resumed", "Resigned", "MatchStarted", "Over", "Chat", "Said"),
        *("TableChanged", "Presence"),
    ),
    "all_is_changed_by_the_operator-table-p1": ("SentAway", "DoneReply"),
    "a_cup_is_paused_and_goes_on-duplicate-p1": ("CupChanged",),
    "all_run_out_of_time-table-p1": ("Late",),
    "all_pause-table-p1": ("Paused",),
    "a_decision_is_taken_back-table-p1": ("Undone",),
    "players_come_and_go-duplicate-p1": ("Welcome",),
    "the_server_errs_at_a_table-fresh-p1": ("Result", "Paired", "Seated"),
    "all_are_silent-table-p1": ("AreYouThere",),
    "hands_are_open_later-open-p1": ("OpenHands",),
}
WHERE = {kind: name for name, kinds in SAID_IN.items() for kind in kinds}


@pytest.mark.parametrize("kind", [kind.__name__ for kind in (*m.REPLIES, *m.TOLD)])
async def test_the_gate_catches_a_leak_in_each_message(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind that stands nowhere above is looked for in all scenes."""
    emit = Session._emit

    def leaking(session: Session, messages: Iterable[m.Message], *args: Any, **more: Any) -> None:
        told = hidden(session._lobby)
        emit(session, [tainted(one, told) if type(one).__name__ == kind else one for one in messages], *args, **more)

    monkeypatch.setattr(Session, "_emit", leaking)
    if kind == "AreYouThere":
        ask = ServerConnection.encode_are_you_there
        lobby = _lobbies(monkeypatch)
        monkeypatch.setattr(
            ServerConnection, "encode_are_you_there", lambda self, left: ask(self, left + number(lobby()))
        )
    with pytest.raises(Leak):
        await play_all([WHERE[kind]] if kind in WHERE else PLAYS, monkeypatch)


async def play_all(names: Iterable[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a leak is found."""
    for name in names:
        await compare_towns(PLAYS[name], monkeypatch)


def _lobbies(monkeypatch: pytest.MonkeyPatch) -> Callable[[], Lobby]:
    """The lobby of the server whose task runs: of two that were made the one of this world."""
    made: dict[int, Lobby] = {}
    init = Lobby.__init__

    def noted(lobby: Lobby, *args: Any) -> None:
        init(lobby, *args)
        made[this_world()] = lobby

    monkeypatch.setattr(Lobby, "__init__", noted)
    return lambda: made[this_world()]


# -- a leak in everything else -----------------------------------------------------------------------------------------

PLANTS: dict[str, tuple[Plant, tuple[str, ...], bool]] = {}


def planted(*plays: str, counted: bool = False) -> Callable[[Plant], Plant]:
    """Marks a leak that has to be caught in one of these plays; `counted`: by the work that the server does."""

    def mark(leak: Plant) -> Plant:
        PLANTS[leak.__name__] = leak, plays, counted
        return leak

    return mark


@planted("a_match_is_aborted-duplicate-everybody")
def an_aborted_match_of_a_shared_deal_tells_its_seed(patch: pytest.MonkeyPatch) -> None:
    def end(original: Any, match: Match, outcome: Any, text: str, outgoing: Any) -> None:
        if outcome is None:
            text += f" {match.header.seed.hex()}"
        original(match, outcome, text, outgoing)

    wrap(patch, Match, "_end", end)


@planted("a_match_is_aborted-duplicate-p1")
def an_aborted_match_of_a_shared_deal_tells_its_seed_to_its_players_alone(patch: pytest.MonkeyPatch) -> None:
    def end(original: Any, match: Match, outcome: Any, text: str, outgoing: Any) -> None:
        original(match, outcome, text, outgoing)
        for hearer, messages in outgoing.items():
            for place, one in enumerate(messages):
                if isinstance(one, m.Over) and one.aborted and hearer:
                    messages[place] = msgspec.structs.replace(one, seed=match.header.seed.hex())

    wrap(patch, Match, "_end", end)


def _tell_secret_if(patch: pytest.MonkeyPatch, state: str) -> None:
    def info(original: Any, live: LiveCup, *, entrants: bool = True) -> m.CupInfo:
        made: m.CupInfo = original(live, entrants=entrants)
        secret = live.cup.settings.secret.hex() if live.cup.state == state else made.secret
        return msgspec.structs.replace(made, secret=secret)

    wrap(patch, LiveCup, "cup_info", info)


@planted("a_cup_is_paused_and_goes_on-duplicate-p1")
def a_paused_cup_tells_its_secret(patch: pytest.MonkeyPatch) -> None:
    _tell_secret_if(patch, PAUSED)


@planted("a_paused_cup_is_killed-duplicate-everybody")
def a_paused_cup_tells_its_secret_once_it_was_killed(patch: pytest.MonkeyPatch) -> None:
    recall = CupRegistry.restore_cup

    def recalled(cups: CupRegistry, rows: Any) -> None:
        recall(cups, rows)
        _tell_secret_if(patch, PAUSED)

    patch.setattr(CupRegistry, "restore_cup", recalled)


@planted("all_is_asked-duplicate-p1")
def a_number_of_the_secret_stands_in_the_list_of_cups(patch: pytest.MonkeyPatch) -> None:
    def info(original: Any, live: LiveCup, *, entrants: bool = True) -> m.CupInfo:
        made: m.CupInfo = original(live, entrants=entrants)
        return made if entrants else msgspec.structs.replace(made, planned=live.cup.settings.secret[0])

    wrap(patch, LiveCup, "cup_info", info)


@planted("a_match_of_the_deal_is_over-duplicate-everybody")
def the_replay_of_a_shared_deal_is_given_while_it_goes_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CupRegistry, "hides_replay", lambda *_: False)


@planted("a_match_is_aborted-duplicate-everybody")
def the_replay_of_an_aborted_match_of_a_shared_deal_is_given(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CupRegistry, "hides_replay", lambda *_: False)


@planted("a_match_of_the_deal_is_over-duplicate-p1")
def all_may_watch_a_shared_deal(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CupRegistry, "has_shared_deal", lambda *_: False)


@planted("a_match_is_aborted-duplicate-p1")
def the_report_shows_a_match_whose_deal_goes_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Cup, "publishable_tables", lambda cup: [match.table for match in cup.results.values()])


@planted("a_decision_is_taken_back-table-p1")
def a_decision_stays_if_others_hold_strong_cards(patch: pytest.MonkeyPatch) -> None:
    wrap(patch, Match, "has_revealed", lambda _original, match: number(match, 2) == 1)


@planted("a_decision_is_taken_back-table-spectators")
def what_was_taken_back_is_told_with_its_cards(patch: pytest.MonkeyPatch) -> None:
    def undo(original: Any, match: Match, entry: Any, outgoing: Any) -> None:
        latest = match.undos.latest_decision
        if latest is not None and isinstance(latest.action, Play):
            match.told.append(to_all(Dealt((latest.action.card,))))
        original(match, entry, outgoing)

    wrap(patch, Match, "_undo", undo)


@planted("a_cup_is_paused_and_goes_on-duplicate-everybody")
def the_report_of_a_paused_cup_tells_its_secret(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(CupReport, "is_over", property(lambda report: report.state in ("finished", "stopped", PAUSED)))


@planted("all_is_asked-duplicate-everybody")
def the_word_for_bots_is_made_of_the_seed_of_the_deal(patch: pytest.MonkeyPatch) -> None:
    def begin(original: Any, match: Match, outgoing: Any) -> None:
        word = match.header.word and f"{match.header.seed[0]}{match.header.word}"
        match.header = msgspec.structs.replace(match.header, word=word)
        original(match, outgoing)

    wrap(patch, Match, "begin", begin)


@planted("all_is_asked-table-p1")
def the_standing_of_a_player_counts_what_is_held(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def told(original: Any, renown: MatchStats, name: str, re: int = 0) -> m.PlayerStats:
        made: m.PlayerStats = original(renown, name, re)
        return msgspec.structs.replace(made, opponents=(*made.opponents, m.Met("x", number(lobby()), 0, 0)))

    wrap(patch, MatchStats, "to_message", told)


# prices, refunds, waits, times


@planted("all_is_asked-table-p1")
def a_question_costs_what_is_held(patch: pytest.MonkeyPatch) -> None:
    def look(original: Any, here: Any, request: m.LookRequest, table: Table, hearer: int) -> m.Message:
        if table.match is not None:
            here.peer.charge(number(table, 7) / 10)
        answer: m.Message = original(here, request, table, hearer)
        return answer

    answer_anew(patch, m.LookRequest, look)


@planted("all_is_asked-table-spectators")
def what_is_held_is_given_back_to_who_asks(patch: pytest.MonkeyPatch) -> None:
    def clock(original: Any, here: Any, request: m.Clock) -> m.Message:
        here.peer.charge(-number(here.lobby) / 100_000)
        answer: m.Message = original(here, request)
        return answer

    answer_anew(patch, m.Clock, clock)


@planted("all_is_asked-table-p1")
def the_allowance_fills_faster_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def wait(original: Any, meter: TokenBucket, now: float) -> float:
        waits: float = original(meter, now)
        return waits and waits + number(lobby(), 9) / 1_000

    wrap(patch, TokenBucket, "refill_wait", wait)


@planted("all_is_asked-duplicate-p1")
def a_long_answer_takes_longer_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def log(original: Any, here: Any, request: m.Log, table: Table, hearer: int) -> Any:
        yield number(table, 50) / 100
        yield from original(here, request, table, hearer)

    answer_anew(patch, m.Log, log)


@planted("the_server_stands_still-table-p1")
def a_stall_gives_more_back_to_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def record(original: Any, live: LiveMatch, entry: Any, accepted: Any = None) -> None:
        if isinstance(entry, ServerStalled):
            more = number(live.match, 100) / 100
            entry = ServerStalled(entry.at, {seat: seconds + more for seat, seconds in entry.seconds.items()})
        original(live, entry, accepted)

    wrap(patch, LiveMatch, "record_entry", record)


@planted("house_bots_take_over-fresh-p1")
def a_house_bot_waits_longer_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def ask(original: Any, referee: Referee, seat_state: Any, now: float) -> Any:
        thought = original(referee, seat_state, now)
        thought.at += number(referee._match, 50) / 100
        return thought

    wrap(patch, Referee, "_ask_house", ask)


@planted("all_run_out_of_time-fresh-p1")
def a_clock_has_more_time_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def begin(original: Any, match: Match, outgoing: Any) -> None:
        original(match, outgoing)
        match.clocks.extend_deadlines({1: number(match, 50) / 100})

    wrap(patch, Match, "begin", begin)


@planted("all_is_asked-table-p1", counted=True)
def an_answer_is_worked_out_for_longer_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def look(original: Any, here: Any, request: m.LookRequest, table: Table, hearer: int) -> m.Message:
        for _ in range(number(table, 200) if table.match is not None else 0):
            pass
        answer: m.Message = original(here, request, table, hearer)
        return answer

    answer_anew(patch, m.LookRequest, look)


@planted("all_is_asked-table-p1", counted=True)
def the_server_sleeps_over_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def tables(original: Any, here: Any, request: m.Tables) -> m.Message:
        time.sleep(number(here.lobby) / 1e9)
        answer: m.Message = original(here, request)
        return answer

    answer_anew(patch, m.Tables, tables)


@planted("all_is_asked-duplicate-everybody", "all_is_asked-fresh-everybody", "all_is_asked-table-p1")
def a_function_in_c_takes_longer_with_another_seed(patch: pytest.MonkeyPatch) -> None:
    def tables(original: Any, here: Any, request: m.Tables) -> m.Message:
        sum(range(number(here.lobby, 2) * 1_500_000))
        answer: m.Message = original(here, request)
        return answer

    answer_anew(patch, m.Tables, tables)


# refusals, sentences, what cannot be read


def _errors_of(patch: pytest.MonkeyPatch, code: str) -> None:
    refuse = Session._refuse

    def refused(session: Session, error: Refusal) -> None:
        if error.code.name == code:
            error.text += hidden(session._lobby)
        refuse(session, error)

    patch.setattr(Session, "_refuse", refused)


@planted("all_is_asked-table-p1")
def what_cannot_be_read_is_answered_with_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _errors_of(patch, "bad_json")


@planted("strangers_knock-table-p1")
def a_wrong_proof_is_answered_with_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _errors_of(patch, "bad_proof")


@planted("all_is_changed_by_strangers-fresh-p1")
def who_comes_too_late_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _errors_of(patch, "already_started")


@planted("the_disk_is_full-duplicate-p1")
def a_full_disk_is_told_with_what_is_held(patch: pytest.MonkeyPatch) -> None:
    def message(error: Refusal, *args: Any, **more: Any) -> m.Error:
        made = error_message(error, *args, **more)
        told = hidden(lobby()) if error.code.name == "storage" else ""
        return msgspec.structs.replace(made, text=made.text + told)

    lobby = _lobbies(patch)
    patch.setattr("server.net.session.error_message", message)


@planted("one_errs_until_it_is_out-table-everybody", "one_errs_until_it_is_out-table-p1")
def others_are_told_what_was_tried_in_vain(patch: pytest.MonkeyPatch) -> None:
    def record(original: Any, live: LiveMatch, entry: Any, accepted: Any = None) -> None:
        original(live, entry, accepted)
        if isinstance(entry, ActionRefused) and entry.action is not None:
            for listener in live._seating.receiver_sessions():
                listener.push((m.Chat(sender="server", text=f"{entry.seat} tried {entry.action}"),))

    wrap(patch, LiveMatch, "record_entry", record)


@planted("all_is_asked-duplicate-p1")
def why_foresees_more_than_the_view_tells(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def why(original: Any, here: Any, request: m.Why, *asked: Any) -> m.Message:
        told: m.Reason = original(here, request, *asked)
        return msgspec.structs.replace(told, text=f"{told.text}{hidden(lobby())}") if told.legal else told

    answer_anew(patch, m.Why, why)


@planted("all_is_asked-fresh-p1", "all_is_asked-duplicate-p1", "all_is_asked-table-p1")
def a_reason_of_the_rules_tells_who_has_the_card(patch: pytest.MonkeyPatch) -> None:
    def refusal(original: Any, state: ForkedState, seat: int, action: Any) -> Any:
        why = original(state, seat, action)
        return IllegalAction(why.code, f"{why.text} {state.inner}") if why is not None else None

    wrap(patch, ForkedState, "refusal_reason", refusal)


@planted(
    "house_bots_take_over-table-spectators", "all_is_asked-table-p1", "everybody_talks-open-p1", "all_is_asked-fresh-p1"
)
def a_hint_tells_what_others_hold(patch: pytest.MonkeyPatch) -> None:
    def hint(original: Any, typist: TextSession, table: Any) -> str:
        told: str = original(typist, table)
        return told and f"{told} {hidden(typist._lobby)}"

    wrap(patch, TextSession, "hint_text", hint)


@planted("all_is_asked-table-p1", "all_is_asked-fresh-p1", "all_is_asked-duplicate-p1")
def a_hint_is_of_a_bot_that_knows_more(patch: pytest.MonkeyPatch) -> None:
    def view(original: Any, state: ForkedState, seat: Any) -> Any:
        return original(state, seat % 3 + 1 if seat else seat)

    def hint(original: Any, typist: TextSession, table: Any) -> str:
        with patch.context() as within:
            wrap(within, ForkedState, "view", view)
            told: str = original(typist, table)
            return told

    wrap(patch, TextSession, "hint_text", hint)


@planted("everybody_talks-table-p1", "everybody_talks-table-everybody")
def what_is_told_to_one_is_told_to_all(patch: pytest.MonkeyPatch) -> None:
    def tell(original: Any, here: Any, request: m.Tell) -> m.Message:
        for player in here.lobby.people.connected_players():
            player.listener.push((m.Chat(sender=here.player.name, text=request.text, private=True),))
        answer: m.Message = original(here, request)
        return answer

    answer_anew(patch, m.Tell, tell)


# what comes and goes


@planted("house_bots_take_over-fresh-p1")
def a_house_bot_that_takes_over_is_called_by_the_hand(patch: pytest.MonkeyPatch) -> None:
    def go(original: Any, match: Match, entry: PresenceChanged, outgoing: Any) -> None:
        by = f"first-{number(match)}" if entry.by else ""
        original(match, PresenceChanged(entry.at, entry.seat, entry.how, by), outgoing)

    wrap(patch, Match, "_go", go)


@planted("the_server_errs_at_a_table-duplicate-everybody")
def an_incident_is_numbered_by_the_seed(patch: pytest.MonkeyPatch) -> None:
    def crash(original: Any, live: LiveMatch) -> None:
        logging.getLogger("magehall.table").error("incident %d", number(live.match))
        original(live)

    wrap(patch, LiveMatch, "_crash", crash)


@planted("the_server_errs_at_a_table-fresh-p1")
def the_text_of_an_abort_tells_what_was_held(patch: pytest.MonkeyPatch) -> None:
    def abort(original: Any, live: LiveMatch, text: str) -> None:
        original(live, f"{text} {_held(live.match)}")

    wrap(patch, LiveMatch, "abort", abort)


@planted("the_server_is_killed-table-p1")
def a_server_that_begins_anew_tells_what_is_held(patch: pytest.MonkeyPatch) -> None:
    def take_up(original: Any, table: Table, *kept: Any) -> None:
        original(table, *kept)
        table.options["luck"] = hidden(table)

    wrap(patch, Table, "resume_match", take_up)


@planted("players_come_and_go-table-p1")
def who_comes_back_is_told_the_story_of_the_next_seat(patch: pytest.MonkeyPatch) -> None:
    def story(original: Any, table: Table, hearer: int, after: int) -> Any:
        return original(table, hearer % 3 + 1 if hearer else hearer, 0)

    wrap(patch, Table, "message_log", story)


@planted("all_is_asked-table-spectators")
def spectators_hear_what_a_seat_hears(patch: pytest.MonkeyPatch) -> None:
    def deliver(original: Any, seating: Seating, outgoing: Any, *rest: Any) -> None:
        both = 0 in outgoing and 1 in outgoing
        original(seating, {**outgoing, 0: outgoing[1]} if both else outgoing, *rest)

    wrap(patch, Seating, "deliver", deliver)


@planted("hands_are_open_later-open-p1")
def open_hands_count_no_decisions(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(LiveMatch, "seats_in_play", lambda _live: frozenset())


@planted("hands_are_open_later-open-spectators")
def open_hands_are_shown_at_once(patch: pytest.MonkeyPatch) -> None:
    wrap(patch, DelayedView, "advance", lambda original, delayed, *_: original(delayed, float("inf"), ()))


# the log, the operator, the network


@planted("all_is_asked-fresh-p1", "all_is_asked-duplicate-p1", "a_round_is_played-table-p1")
def a_line_of_the_log_tells_what_was_played(patch: pytest.MonkeyPatch) -> None:
    def act(original: Any, table: Table, seat: int, request: m.Act, answer: Any) -> None:
        logging.getLogger("magehall.table").debug("%s %s", seat, request.action)
        original(table, seat, request, answer)

    wrap(patch, Table, "apply_decision", act)


@planted("the_server_is_killed-fresh-everybody")
def the_log_tells_a_key(patch: pytest.MonkeyPatch) -> None:
    def proves(original: Any, player: Player, hello: m.Hello, challenge: str) -> bool:
        logging.getLogger("magehall.people").debug("%s has %s", player.name, player.key.hex())
        return bool(original(player, hello, challenge))

    wrap(patch, Player, "is_proved_by", proves)


@planted("all_is_asked-duplicate-p1")
def a_failure_is_logged_with_what_it_was_about(patch: pytest.MonkeyPatch) -> None:
    def reason(original: Any, here: Any, request: m.Why, table: Table, seat: int) -> m.Message:
        logging.getLogger("magehall.table").info("asked why: %s", hash(_held(table.require_match())) % 7)
        logging.getLogger("magehall.table").info("asked why: %s", number(table))
        answer: m.Message = original(here, request, table, seat)
        return answer

    answer_anew(patch, m.Why, reason)


def _operator_says(patch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    def obey(original: Any, operator: OperatorCommands, command: OperatorCommand) -> Any:
        async def obeyed() -> OperatorOutcome:
            outcome: OperatorOutcome = await original(operator, command)
            if command.do not in words:
                return outcome
            return outcome._replace(lines=[*outcome.lines, hidden(operator._lobby)])

        return obeyed()

    wrap(patch, OperatorCommands, "execute", obey)


@planted("all_is_asked-fresh-p1")
def the_operator_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _operator_says(patch, ("tables",))


@planted("all_is_asked-table-spectators")
def the_operator_is_told_who_holds_what(patch: pytest.MonkeyPatch) -> None:
    _operator_says(patch, ("who", "bans"))


@planted("all_is_asked-fresh-p1")
def the_network_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)
    patch.setattr("client.cli.serving.waiting_lines", lambda infos: (*nearby.waiting_lines(infos), hidden(lobby())[:9]))


@planted("all_is_asked-fresh-p1")
def an_announcement_is_named_after_what_is_held(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def info(original: Any, announced: Any, lines: Any = None) -> Any:
        announced._port = 7 + number(lobby(), 1_000)
        return original(announced, lines)

    wrap(patch, nearby._Announcement, "_info", info)


# faces and languages


@planted("all_is_asked-table-p1")
def people_read_what_is_held(patch: pytest.MonkeyPatch) -> None:
    def see(original: Any, person: Person, *seen: Any) -> list[StyledLine]:
        return [*original(person, *seen), [("", str(hidden(lobby())))]]

    lobby = _lobbies(patch)
    wrap(patch, Person, "_see", see)


@planted("all_is_asked-table-p1", "all_is_asked-fresh-p1", "all_is_asked-duplicate-p1", "a_round_is_played-table-p1")
def one_face_alone_tells_what_is_held(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def send(original: Any, connection: ServerConnection, messages: Any) -> Any:
        if connection.face == "msgpack":
            messages = [tainted(one, hidden(lobby())) if isinstance(one, m.Position) else one for one in messages]
        return original(connection, messages)

    wrap(patch, ServerConnection, "send_all", send)


# how a connection is written to, and how it begins and ends


@planted("all_is_asked-table-everybody", "all_is_asked-table-spectators", "all_is_asked-fresh-p1")
def an_answer_leaves_in_two_writes_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    def release(original: Any, outbox: Outbox) -> None:
        if len(outbox._unsent) > 40 and number(outbox._owner._lobby, 2):  # type: ignore[attr-defined]
            del outbox._unsent[: outbox._wire.try_send(bytes(outbox._unsent[:20]))]
        original(outbox)

    wrap(patch, Outbox, "release", release)


@planted("a_round_is_played-table-everybody", "a_round_is_played-duplicate-everybody")
def who_is_told_first_depends_on_a_seed(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def wait_for(_original: Any, seating: Seating, position: int) -> None:
        seated = seating._seated()
        for listener in seated[::-1] if number(lobby(), 2) else seated:
            listener.hold_until_committed(position)

    wrap(patch, Seating, "hold_until_committed", wait_for)


@planted("connections_end_badly-table-p1")
def a_stranger_is_cut_later_with_a_strong_hand(patch: pytest.MonkeyPatch) -> None:
    close = Session._close

    async def slowly(session: Session) -> None:
        if session.player is None:
            await trio.sleep(number(session._lobby) / 10_000)
        await close(session)

    patch.setattr(Session, "_close", slowly)


@planted("connections_end_badly-table-p1")
def who_asks_whether_anybody_is_there_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    lobby = _lobbies(patch)

    def put(original: Any, outbox: Outbox, data: bytes, re: int = 0, **more: Any) -> None:
        original(outbox, data + hidden(lobby()).encode() if data == HERE else data, re, **more)

    wrap(patch, Outbox, "send_bytes", put)


def _goodbyes_of(patch: pytest.MonkeyPatch, reason: str) -> None:
    emit = Session._emit

    def told(session: Session, messages: Iterable[m.Message], *args: Any, **more: Any) -> None:
        emit(session, [_with_more(one, hidden(session._lobby), reason) for one in messages], *args, **more)

    patch.setattr(Session, "_emit", told)


def _with_more(message: m.Message, told: str, reason: str) -> m.Message:
    if not isinstance(message, m.Bye) or message.reason != reason:
        return message
    return msgspec.structs.replace(message, text=message.text + told)


@planted("the_server_ends_in_good_order-fresh-p1")
def a_server_that_ends_tells_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _goodbyes_of(patch, "shutdown")


@planted("connections_end_badly-table-p1")
def who_gives_no_name_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _goodbyes_of(patch, "login_timeout")


@planted("connections_end_badly-table-p1")
def a_browser_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _errors_of(patch, "wrong_protocol")


@planted("connections_end_badly-table-p1")
def half_a_line_is_answered_with_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _errors_of(patch, "truncated")


# what a process writes


@planted("a_round_is_played-table-p1")
def what_is_held_is_printed(patch: pytest.MonkeyPatch) -> None:
    def record(original: Any, live: LiveMatch, *entry: Any) -> None:
        print(hidden(live.match))
        original(live, *entry)

    wrap(patch, LiveMatch, "record_entry", record)


@planted("a_round_is_played-table-p1")
def another_logger_tells_what_is_held(patch: pytest.MonkeyPatch) -> None:
    def record(original: Any, live: LiveMatch, *entry: Any) -> None:
        logging.getLogger("server.table").warning("%s", hidden(live.match))
        original(live, *entry)

    wrap(patch, LiveMatch, "record_entry", record)


@planted("all_is_changed_through_the_socket-table-p1")
def the_operator_who_makes_a_code_is_told_what_is_held(patch: pytest.MonkeyPatch) -> None:
    _operator_says(patch, ("code",))


@pytest.mark.parametrize("name", PLANTS)
async def test_the_gate_catches_a_leak_in_each_channel(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    leak, plays, counted = PLANTS[name]
    leak(monkeypatch)
    with work_counted() if counted else nullcontext(), pytest.raises(Leak):
        await play_all(plays, monkeypatch)


def test_enough_leaks_are_planted() -> None:
    assert len(PLANTS) + len(m.REPLIES) + len(m.TOLD) >= 100
