"""What a player has heard of a table, and what a new connection asks for."""

import msgspec

from matches.catch_up import CatchUp
from protocol import messages as m
from protocol.connection import UndecodedTurn

INFO = m.TableInfo(
    table="t1", game="toy", state="playing", owner="", seats=(), clock=m.ClockRule(), options={}, commitment=""
)


def test_a_table_that_was_left_is_not_taken_up_again() -> None:
    tables = CatchUp()
    tables.update_from_reply(m.TableReply(info=INFO, seat=1))
    assert tables.plan_catch_up([INFO]).resume == (("t1", 0),)
    assert tables.is_behind
    tables.update_from_reply(m.Resumed(table="t1", n=0, seat=1, after=0, clocks=()))
    assert not tables.is_behind
    tables.update_from_reply(m.Left(table="t1"))
    plan = tables.plan_catch_up([INFO])
    assert (plan.resume, plan.watch, plan.gone) == ((), (), ())
    assert not tables.is_behind


def test_a_match_that_was_over_and_left_is_taken_up_again_once_the_server_lost_its_end() -> None:
    tables = CatchUp(gaps=True)
    tables.update_from_reply(m.TableReply(info=INFO, seat=1))
    tables.process_message(over(9))
    tables.update_from_reply(m.Left(table="t1"))
    assert tables.plan_catch_up([msgspec.structs.replace(INFO, state="over")]).resume == ()
    plan = tables.plan_catch_up([INFO])
    assert (plan.resume, plan.rewound) == ((("t1", 0),), ("t1",))
    tables.update_from_reply(m.Resumed(table="t1", n=4, seat=1, after=0, clocks=()))
    assert tables.process_message(m.Happened(table="t1", n=4, event={}))


def test_a_table_that_is_open_again_after_a_restore_is_heard_from_its_first_message() -> None:
    tables = CatchUp(gaps=True)
    tables.update_from_reply(m.TableReply(info=INFO, seat=1))
    tables.process_message(m.Happened(table="t1", n=5, event={}))
    plan = tables.plan_catch_up([msgspec.structs.replace(INFO, state="open")])
    assert (plan.resume, plan.rewound) == ((), ("t1",))
    assert tables.process_message(m.Happened(table="t1", n=1, event={}))


def test_a_turn_that_was_decided_is_not_told_again_and_one_that_is_awaited_is_with_the_time_that_is_left() -> None:
    for running in (False, True):
        tables = CatchUp()
        tables.update_from_reply(m.TableReply(info=INFO, seat=2))
        tables.plan_catch_up([INFO])
        clocks = (m.SeatClock(1, 9.0, not running, 9.0), m.SeatClock(2, 9.0, running, 7.0 if running else 0.0))
        tables.handle_resumed(m.Resumed(table="t1", n=2, seat=2, after=0, clocks=clocks))
        turn = UndecodedTurn(table="t1", n=1, turn=1, left=30.0, main=9.0)
        told = [*tables.process_message(turn), *tables.process_message(m.Happened(table="t1", n=2, event={}))]
        assert [type(message) for message in told] == ([UndecodedTurn, m.Happened] if running else [m.Happened])
        assert not running or turn.left == 7.0
        assert not tables.is_behind
        (later,) = tables.process_message(m.TurnUpdate(table="t1", n=3, turn=2, view={}, legal=(), left=30.0, main=9.0))
        assert isinstance(later, m.TurnUpdate)
        assert later.left == 30.0


def test_who_left_a_table_and_watches_it_now_hears_it_again() -> None:
    info = INFO
    tables = CatchUp()
    tables.forget_table("t1")
    assert tables.process_message(m.Happened(table="t1", n=4, event={})) == ()
    tables.update_from_reply(m.Watching(table="t1", n=4, info=info))
    assert len(tables.process_message(m.Happened(table="t1", n=5, event={}))) == 1


def test_a_match_that_ends_while_its_spectator_catches_up_is_told_to_the_end_once() -> None:
    tables = CatchUp()
    tables.update_from_reply(m.Watching(re=1, table="t1", n=1, info=INFO))
    tables.plan_catch_up(())
    assert tables.handle_watching(m.Watching(re=2, table="t1", n=2, info=INFO))
    over = m.Over(table="t1", n=3, results=(), reason="points", text="", seed="", salt="")
    assert tables.process_message(over) == ()
    log = (m.Chat(sender="ann", text="hm", table="t1", n=2), over)
    told = tables.handle_past_messages(
        m.PastMessages(re=3, table="t1", messages=tuple(msgspec.to_builtins(one) for one in log))
    )
    assert told == list(log)


def test_a_seat_that_was_lost_and_taken_again_is_taken_up_even_if_the_answer_was_lost() -> None:
    tables = CatchUp()
    tables.update_from_reply(m.TableReply(info=msgspec.structs.replace(INFO, state="open"), seat=1))
    assert tables.plan_catch_up(()).gone == ("t1",)
    assert tables.plan_catch_up((INFO,)).resume == (("t1", 0),)


def test_a_match_that_was_heard_to_its_end_is_not_asked_for_again_by_any_other_answer() -> None:
    tables = CatchUp()
    joined = m.TableReply(info=msgspec.structs.replace(INFO, state="open"), seat=1)
    assert tables.table_to_resume(joined) == ""
    over = msgspec.structs.replace(INFO, state="over")
    assert tables.plan_catch_up((over,)).resume == ()
    assert tables.table_to_resume(m.TableReply(info=over)) == ""
    assert tables.table_to_resume(m.Pong()) == ""
    assert tables.table_to_resume(joined) == "t1"
    assert tables.is_behind
    assert tables.table_to_resume(joined) == ""


def test_what_a_spectator_hears_meanwhile_waits_for_the_last_part_of_the_log() -> None:
    tables = CatchUp()
    tables.update_from_reply(m.Watching(re=1, table="t1", n=1, info=INFO))
    tables.plan_catch_up(())
    assert tables.handle_watching(m.Watching(re=2, table="t1", n=4, info=INFO))
    events = [m.Happened(table="t1", n=n, event={}) for n in range(2, 6)]
    assert tables.process_message(events[-1]) == ()
    parts = [tuple(msgspec.to_builtins(one) for one in some) for some in (events[:2], events[2:3])]
    assert tables.handle_past_messages(m.PastMessages(re=3, table="t1", messages=parts[0], more=True)) == events[:2]
    assert tables.is_behind
    assert tables.handle_past_messages(m.PastMessages(re=4, table="t1", messages=parts[1])) == events[2:]
    assert not tables.is_behind


def over(number: int) -> m.Over:
    return m.Over(table="t1", n=number, results=(), reason="points", text="", seed="", salt="")


def test_a_watched_table_that_the_server_refuses_is_waited_for_no_more() -> None:
    tables = CatchUp()
    tables.update_from_reply(m.Watching(re=1, table="t1", n=1, info=INFO))
    assert tables.plan_catch_up([]).watch == ("t1",)
    assert tables.is_behind
    assert tables.handle_refusal("t1")
    assert not tables.is_behind
    assert not tables.handle_refusal("t1")
    assert tables.plan_catch_up([]).watch == ()
