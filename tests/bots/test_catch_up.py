"""What a player has heard of a table, and what a new connection asks for."""

import msgspec
import pytest

from matches.catch_up import CatchUp
from protocol import messages as m
from protocol.connection import UnreadTurn
from protocol.errors import RemoteProtocolError

INFO = m.TableInfo(
    table="t1", game="toy", state="playing", owner="", seats=(), clock=m.ClockRule(), options={}, commitment=""
)


def test_a_table_that_was_left_is_not_taken_up_again() -> None:
    tables = CatchUp()
    tables.note(m.TableReply(info=INFO, seat=1))
    assert tables.reconnected([INFO]).resume == (("t1", 0),)
    assert tables.behind
    tables.note(m.Resumed(table="t1", n=0, seat=1, after=0, clocks=()))
    assert not tables.behind
    tables.note(m.Left(table="t1"))
    plan = tables.reconnected([INFO])
    assert (plan.resume, plan.watch, plan.gone) == ((), (), ())
    assert not tables.behind


def test_a_turn_that_was_decided_is_not_told_again_and_one_that_is_awaited_is_with_the_time_that_is_left() -> None:
    for running in (False, True):
        tables = CatchUp()
        tables.note(m.TableReply(info=INFO, seat=2))
        tables.reconnected([INFO])
        clocks = (m.SeatClock(1, 9.0, not running, 9.0), m.SeatClock(2, 9.0, running, 7.0 if running else 0.0))
        tables.resumed(m.Resumed(table="t1", n=2, seat=2, after=0, clocks=clocks))
        turn = UnreadTurn(table="t1", n=1, turn=1, left=30.0, main=9.0)
        told = [*tables.take(turn), *tables.take(m.Happened(table="t1", n=2, event={}))]
        assert [type(message) for message in told] == ([UnreadTurn, m.Happened] if running else [m.Happened])
        assert not running or turn.left == 7.0
        assert not tables.behind
        (later,) = tables.take(m.Turn(table="t1", n=3, turn=2, view={}, legal=(), left=30.0, main=9.0))
        assert isinstance(later, m.Turn)
        assert later.left == 30.0


def test_who_left_a_table_and_watches_it_now_hears_it_again() -> None:
    info = INFO
    tables = CatchUp()
    tables.leave("t1")
    assert tables.take(m.Happened(table="t1", n=4, event={})) == ()
    tables.note(m.Watching(table="t1", n=4, info=info))
    assert len(tables.take(m.Happened(table="t1", n=5, event={}))) == 1


def test_a_match_that_ends_while_its_spectator_catches_up_is_told_to_the_end_once() -> None:
    tables = CatchUp()
    tables.note(m.Watching(re=1, table="t1", n=1, info=INFO))
    tables.reconnected(())
    assert tables.watching_again(m.Watching(re=2, table="t1", n=2, info=INFO))
    over = m.Over(table="t1", n=3, results=(), reason="points", text="", seed="", salt="")
    assert tables.take(over) == ()
    log = (m.Chat(sender="ann", text="hm", table="t1", n=2), over)
    told = tables.told(m.Story(re=3, table="t1", messages=tuple(msgspec.to_builtins(one) for one in log)))
    assert told == list(log)


def test_a_seat_that_was_lost_and_taken_again_is_taken_up_even_if_the_answer_was_lost() -> None:
    tables = CatchUp()
    tables.note(m.TableReply(info=msgspec.structs.replace(INFO, state="open"), seat=1))
    assert tables.reconnected(()).gone == ("t1",)
    assert tables.reconnected((INFO,)).resume == (("t1", 0),)


def test_a_match_that_was_heard_to_its_end_is_not_asked_for_again_by_any_other_answer() -> None:
    tables = CatchUp()
    joined = m.TableReply(info=msgspec.structs.replace(INFO, state="open"), seat=1)
    assert tables.missed(joined) == ""
    over = msgspec.structs.replace(INFO, state="over")
    assert tables.reconnected((over,)).resume == ()
    assert tables.missed(m.TableReply(info=over)) == ""
    assert tables.missed(m.Pong()) == ""
    assert tables.missed(joined) == "t1"
    assert tables.behind
    assert tables.missed(joined) == ""


def test_what_a_spectator_hears_meanwhile_waits_for_the_last_part_of_the_log() -> None:
    tables = CatchUp()
    tables.note(m.Watching(re=1, table="t1", n=1, info=INFO))
    tables.reconnected(())
    assert tables.watching_again(m.Watching(re=2, table="t1", n=4, info=INFO))
    events = [m.Happened(table="t1", n=n, event={}) for n in range(2, 6)]
    assert tables.take(events[-1]) == ()
    parts = [tuple(msgspec.to_builtins(one) for one in some) for some in (events[:2], events[2:3])]
    assert tables.told(m.Story(re=3, table="t1", messages=parts[0], more=True)) == events[:2]
    assert tables.behind
    assert tables.told(m.Story(re=4, table="t1", messages=parts[1])) == events[2:]
    assert not tables.behind


def test_a_message_that_is_missing_is_named_unless_not_all_are_told() -> None:
    first, third = (m.Happened(table="t1", n=n, event={}) for n in (1, 3))
    tables, with_gaps = CatchUp(), CatchUp(gaps=True)
    assert tables.take(first) == with_gaps.take(first) == (first,)
    with pytest.raises(RemoteProtocolError, match=r"Message 2 of table t1 is missing\."):
        tables.take(third)
    assert with_gaps.take(third) == (third,)
    assert with_gaps.take(third) == ()


def test_the_time_that_was_left_on_one_connection_is_not_told_on_the_next() -> None:
    tables = CatchUp()
    tables.note(m.TableReply(info=INFO, seat=1))
    tables.reconnected([INFO])
    tables.resumed(m.Resumed(table="t1", n=2, seat=1, after=0, clocks=(m.SeatClock(1, 9.0, True, 7.0),)))
    tables.reconnected([INFO])
    tables.resumed(m.Resumed(table="t1", n=2, seat=1, after=0, clocks=(m.SeatClock(1, 9.0),)))
    assert tables.take(m.Turn(table="t1", n=1, turn=1, view={}, legal=(), left=30.0, main=9.0)) == ()


def over(number: int) -> m.Over:
    return m.Over(table="t1", n=number, results=(), reason="points", text="", seed="", salt="")


def happened(number: int) -> m.Happened:
    return m.Happened(table="t1", n=number, event={})


def started(you: int) -> m.Started:
    return m.Started(
        table="t1", n=1, game="toy", rules_version="1", options={}, seats=(), clock=m.ClockRule(), commitment="",
        nonces=(), grace=1.0, you=you,
    )  # fmt: skip


def test_a_seat_is_known_by_whatever_tells_of_it_and_missed_when_it_is_not_listed() -> None:
    resumed = m.Resumed(table="t1", n=5, seat=1, after=3)
    told: m.Message
    for told in (m.Seated(info=INFO, seat=1), m.TableReply(info=INFO, seat=1), resumed, started(1)):
        tables = CatchUp()
        if not isinstance(told, m.Started):  # which comes only to who has not left
            tables.leave("t1")
        if isinstance(told, m.Reply):
            tables.note(told)
        else:
            tables.take(told)
        assert tables.reconnected([INFO]).resume == (("t1", tables.last("t1")),)
        assert tables.reconnected(()).gone == ("t1",)
        assert tables.reconnected(()).gone == ()
    tables = CatchUp()
    tables.take(started(0))
    tables.note(m.TableReply(info=INFO))
    tables.note(m.TableReply(info=msgspec.structs.replace(INFO, state="over"), seat=1))
    assert tables.reconnected(()).gone == ()
    tables.note(resumed)
    assert tables.last("t1") == 3
    assert tables.behind
    assert len(tables.take(happened(4))) == 1


def test_what_was_left_is_forgotten_whether_one_sat_or_watched_there() -> None:
    tables = CatchUp()
    tables.note(m.TableReply(info=INFO, seat=1))
    tables.note(m.Watching(table="t1", n=4, info=INFO))
    tables.leave("t1")
    assert tables.last("t1") == 0
    plan = tables.reconnected(())
    assert (plan.watch, plan.gone) == ((), ())
    over_there = msgspec.structs.replace(INFO, state="over")
    assert tables.reconnected([over_there]).resume == ()


def test_after_its_end_a_match_is_watched_no_more_and_numbers_begin_anew() -> None:
    tables = CatchUp()
    tables.note(m.TableReply(info=INFO, seat=1))
    tables.note(m.Watching(table="t1", n=0, info=INFO))
    assert len(tables.take(over(1))) == 1
    assert tables.last("t1") == 0
    plan = tables.reconnected(())
    assert (plan.watch, plan.gone) == ((), ())


def test_a_seat_is_behind_until_the_last_message_that_was_missed_or_the_end() -> None:
    for last in (happened(3), over(2)):
        tables = CatchUp()
        tables.note(m.TableReply(info=INFO, seat=1))
        tables.reconnected([INFO])
        tables.take(happened(1))
        assert tables.behind, "the answer is not there yet"
        tables.resumed(m.Resumed(table="t1", n=3, seat=1, after=0, clocks=(m.SeatClock(1, 9.0, True, 7.0),)))
        if last.n == 3:
            tables.take(happened(2))
        assert tables.behind
        tables.take(last)
        assert not tables.behind
    turn = m.Turn(table="t1", n=1, turn=1, view={}, legal=(), left=30.0, main=9.0)
    tables.take(turn)
    assert turn.left == 30.0, "the clock was that of the match before"


def test_questions_of_a_connection_that_is_lost_are_answered_no_more() -> None:
    tables = CatchUp()
    tables.asked(5, "t1")
    tables.asked(6, "t2")
    assert [tables.answers(number) for number in (5, 5)] == ["t1", None]
    tables.reconnected(())
    assert tables.answers(6) is None


def test_who_watches_on_and_missed_nothing_needs_no_log() -> None:
    tables = CatchUp()
    tables.note(m.Watching(table="t1", n=4, info=INFO))
    assert tables.reconnected(()).watch == ("t1",)
    assert tables.behind
    assert not tables.watching_again(m.Watching(table="t1", n=4, info=INFO))
    assert not tables.behind
    assert len(tables.take(happened(5))) == 1


def test_a_watched_table_that_the_server_refuses_is_waited_for_no_more() -> None:
    tables = CatchUp()
    tables.note(m.Watching(re=1, table="t1", n=1, info=INFO))
    assert tables.reconnected([]).watch == ("t1",)
    assert tables.behind
    assert tables.stops_watching("t1")
    assert not tables.behind
    assert not tables.stops_watching("t1")
    assert tables.reconnected([]).watch == ()
