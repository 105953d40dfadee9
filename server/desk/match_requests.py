"""Handlers of requests about a match, from its players and spectators."""

from __future__ import annotations

from functools import partial

from protocol import messages as m
from protocol.errors import Refusal
from server.desk.context import Context, Steps, answers
from server.language import _
from server.table.table import Table

STORY_MESSAGES = 100  # most messages in one answer to `log`
REPLAY_LINES = 100  # most lines in one answer to `replay`
# interval between checks whether the missed messages of one table are sent, so that those of the next can follow
CATCH_UP_SECONDS = 0.02


@answers(m.Act)
def act(here: Context, request: m.Act, table: Table, seat: int) -> None:
    table.act(seat, request, here.peer.give)


@answers(m.LookRequest)
def look(_here: Context, request: m.LookRequest, table: Table, hearer: int) -> m.Message:
    match = table.running()
    return m.Position(re=request.id, table=table.id, n=match.counts[hearer], view=match.state.view(hearer or None))


@answers(m.Legal)
def legal(_here: Context, request: m.Legal, table: Table, seat: int) -> m.Message:
    if table.running().over is not None:
        raise Refusal("game_over")
    turn = table.turn(seat)
    if turn is None or table.seating.seat_state(seat).house is not None:
        raise Refusal("not_your_turn")
    return m.TurnReply(re=request.id, turn=turn)


@answers(m.Why)
def why(_here: Context, request: m.Why, table: Table, seat: int) -> m.Message:
    match = table.running()
    if match.over is not None:
        raise Refusal("game_over")
    action = table.live().read_action(request.action)
    refusal = match.state.refusal(seat, action)
    if refusal is None:
        text = table.game.words.preview(match.state.view(seat), action, table.seating.names())
        return m.Reason(re=request.id, table=table.id, legal=True, text=text)
    return m.Reason(re=request.id, table=table.id, legal=False, rule=refusal.code, text=refusal.text)


@answers(m.Log)
def log(here: Context, request: m.Log, table: Table, hearer: int) -> Steps:
    story, end = table.story(hearer, request.after), request.after + STORY_MESSAGES
    while not story.grow(end + 1):
        yield 0.0
    here.check_goes_on(table)
    more = len(story.told) > end
    here.peer.give(
        m.PastMessages(re=request.id, table=table.id, messages=tuple(story.told[request.after : end]), more=more)
    )


@answers(m.Replay)
def replay(here: Context, request: m.Replay) -> Steps:
    lobby, end = here.lobby, request.after + REPLAY_LINES
    if request.table in lobby.tables:
        table = here.table(request)
        writing = lobby.replays.of(table)
    else:
        writing = yield from lobby.replays.of_the_past(request.table, here.peer.charge)
    if lobby.cups.hides(request.table, writing.word):
        raise Refusal("not_over", _("The same deal will be played again in its cup. Ask again when the cup is over."))
    if request.after > writing.length:
        raise Refusal("bad_cursor", _("The replay has no line with that number."))
    there = len(writing.lines)
    while not writing.grow(end + 1):
        yield 0.0
    here.peer.charge((len(writing.lines) - there) / lobby.config.lines_a_request)
    here.peer.give(
        m.ReplayLines(
            re=request.id,
            table=request.table,
            after=request.after,
            lines=tuple(writing.lines[request.after : end]),
            more=writing.length > end,
        )
    )


@answers(m.Resume)
def resume(here: Context, request: m.Resume, table: Table, seat: int) -> Steps:
    # the missed messages of one table are sent before those of the next, even if the client reads slowly
    while here.peer.catches_up(table.id):
        yield CATCH_UP_SECONDS
    table.check_cursor(seat, request.after, here.player.session)
    story = table.story(seat, request.after)
    while not story.grow():
        yield 0.0
    here.check_goes_on(table)
    missed = story.told[request.after :]
    here.peer.give(
        m.Resumed(
            re=request.id,
            table=table.id,
            after=request.after,
            n=request.after + len(missed),
            seat=seat,
            clocks=table.clock_report(),
        )
    )
    here.peer.catch_up(table.id, missed, table.turn(seat) if table.awaited(here.player) else None)
    table.back(here.player, here.peer)


@answers(m.Hands)
def hands(here: Context, request: m.Hands, table: Table, _hearer: int) -> Steps:
    if not table.delay:
        raise Refusal("hidden_hands")
    live = table.live()
    delayed, until = live.delayed(), live.now() - table.delay
    while not delayed.grow(until, live.deciding()):
        yield 0.0
    here.check_goes_on(table)
    here.peer.give(delayed.told(request.id, until))


@answers(m.Pause)
def pause(here: Context, request: m.Pause, table: Table, seat: int) -> None:
    text = _("You want a pause.") if request.on else _("You go on.")
    table.pause(seat, on=request.on, answer=partial(here.peer.give, m.DoneReply(re=request.id, text=text)))


@answers(m.Undo)
def undo(here: Context, request: m.Undo, table: Table, seat: int) -> None:
    text = _("The decision stays.")
    if request.on:
        text = _("You agree.") if table.running().undos.wanting else _("You ask to take your decision back.")
    table.undo(seat, on=request.on, answer=partial(here.peer.give, m.DoneReply(re=request.id, text=text)))


@answers(m.Resign)
def resign(here: Context, request: m.Resign, table: Table, _seat: int) -> None:
    table.check_resign(here.player)
    here.peer.give(m.Resigned(re=request.id, table=table.id))
    table.resign(here.player)
