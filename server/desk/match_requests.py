"""Handlers of requests about a match, from its players and spectators."""

from __future__ import annotations

from functools import partial

from protocol import messages as m
from protocol.errors import Refusal
from server.desk.context import Context, Steps, handles
from server.language import _
from server.table.table import Table

STORY_MESSAGES = 100  # most messages in one answer to `log`
REPLAY_LINES = 100  # most lines in one answer to `replay`
# interval between checks whether the missed messages of one table are sent, so that those of the next can follow
CATCH_UP_SECONDS = 0.02


@handles(m.Act)
def handle_act(here: Context, request: m.Act, table: Table, seat: int) -> None:
    table.apply_decision(seat, request, here.peer.send_answer)


@handles(m.LookRequest)
def handle_look(_here: Context, request: m.LookRequest, table: Table, hearer: int) -> m.Message:
    match = table.require_match()
    return m.Position(re=request.id, table=table.id, n=match.counts[hearer], view=match.state.view(hearer or None))


@handles(m.Legal)
def handle_legal(_here: Context, request: m.Legal, table: Table, seat: int) -> m.Message:
    if table.require_match().over is not None:
        raise Refusal("game_over")
    turn = table.open_turn(seat)
    if turn is None or table.seating.seat_state(seat).house is not None:
        raise Refusal("not_your_turn")
    return m.TurnReply(re=request.id, turn=turn)


@handles(m.Why)
def handle_why(_here: Context, request: m.Why, table: Table, seat: int) -> m.Message:
    match = table.require_match()
    if match.over is not None:
        raise Refusal("game_over")
    action = table.require_live_match().parse_action(request.action)
    refusal = match.state.refusal_reason(seat, action)
    if refusal is None:
        text = table.game.words.preview_action(match.state.view(seat), action, table.seating.names())
        return m.Reason(re=request.id, table=table.id, legal=True, text=text)
    return m.Reason(re=request.id, table=table.id, legal=False, rule=refusal.code, text=refusal.text)


@handles(m.Log)
def handle_log(here: Context, request: m.Log, table: Table, hearer: int) -> Steps:
    story, end = table.message_log(hearer, request.after), request.after + STORY_MESSAGES
    while not story.advance(end + 1):
        yield 0.0
    here.check_table_unchanged(table)
    more = len(story.told) > end
    here.peer.send_answer(
        m.PastMessages(re=request.id, table=table.id, messages=tuple(story.told[request.after : end]), more=more)
    )


@handles(m.Replay)
def handle_replay(here: Context, request: m.Replay) -> Steps:
    lobby, end = here.lobby, request.after + REPLAY_LINES
    if request.table in lobby.tables:
        table = here.get_table(request)
        writing = lobby.replays.replay_at(table)
    else:
        writing = yield from lobby.replays.read_stored_replay(request.table, here.peer.charge)
    if lobby.cups.hides_replay(request.table, writing.word):
        raise Refusal("not_over", _("The same deal will be played again in its cup. Ask again when the cup is over."))
    if request.after > writing.length:
        raise Refusal("bad_cursor", _("The replay has no line with that number."))
    there = len(writing.lines)
    while not writing.advance(end + 1):
        yield 0.0
    here.peer.charge((len(writing.lines) - there) / lobby.config.lines_a_request)
    here.peer.send_answer(
        m.ReplayLines(
            re=request.id,
            table=request.table,
            after=request.after,
            lines=tuple(writing.lines[request.after : end]),
            more=writing.length > end,
        )
    )


@handles(m.Resume)
def handle_resume(here: Context, request: m.Resume, table: Table, seat: int) -> Steps:
    # the missed messages of one table are sent before those of the next, even if the client reads slowly
    while here.peer.catches_up(table.id):
        yield CATCH_UP_SECONDS
    table.check_resume_point(seat, request.after, here.player.session_word)
    story = table.message_log(seat, request.after)
    while not story.advance():
        yield 0.0
    here.check_table_unchanged(table)
    missed = story.told[request.after :]
    here.peer.send_answer(
        m.Resumed(
            re=request.id,
            table=table.id,
            after=request.after,
            n=request.after + len(missed),
            seat=seat,
            clocks=table.seat_clocks(),
        )
    )
    here.peer.send_missed_messages(
        table.id, missed, table.open_turn(seat) if table.deciding_seat(here.player) else None
    )
    table.reconnect_player(here.player, here.peer)


@handles(m.Hands)
def handle_hands(here: Context, request: m.Hands, table: Table, _hearer: int) -> Steps:
    if not table.delay:
        raise Refusal("hidden_hands")
    live = table.require_live_match()
    delayed, until = live.delayed_view(), live.match_time() - table.delay
    while not delayed.advance(until, live.seats_in_play()):
        yield 0.0
    here.check_table_unchanged(table)
    here.peer.send_answer(delayed.open_hands_message(request.id, until))


@handles(m.Pause)
def handle_pause(here: Context, request: m.Pause, table: Table, seat: int) -> None:
    text = _("You want a pause.") if request.on else _("You go on.")
    table.request_pause(
        seat, on=request.on, answer=partial(here.peer.send_answer, m.DoneReply(re=request.id, text=text))
    )


@handles(m.Undo)
def handle_undo(here: Context, request: m.Undo, table: Table, seat: int) -> None:
    text = _("The decision stays.")
    if request.on:
        text = _("You agree.") if table.require_match().undos.wanting else _("You ask to take your decision back.")
    table.request_undo(
        seat, on=request.on, answer=partial(here.peer.send_answer, m.DoneReply(re=request.id, text=text))
    )


@handles(m.Resign)
def handle_resign(here: Context, request: m.Resign, table: Table, _seat: int) -> None:
    table.check_can_resign(here.player)
    here.peer.send_answer(m.Resigned(re=request.id, table=table.id))
    table.resign(here.player)
