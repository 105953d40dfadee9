"""Messages as lines for people."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from people.text.commands import render_reply
from people.text.sentences import (
    talk_rows,
)
from protocol import messages as m
from protocol.messages.parts import GameInfo, PlayerInfo, SeatInfo, SeatResult

TABLE = m.TableInfo(
    table="t1", game="toy", state="open", owner="ann", seats=(SeatInfo(1, "ann", "person"), SeatInfo(2)),
    clock=m.ClockRule(), options={"rounds": 2, "fast": True, "deck": "old"}, commitment="",
)  # fmt: skip
CUP = m.CupInfo(
    cup="may", owner="ann", game="toy", state="running", seats=2, format="swiss", deals="fresh", rounds=3,
    clock=m.ClockRule(main=60.0, increment=2.5), options={}, commitment="", played=4,
)  # fmt: skip
TABLE_LINE = "t1   toy rounds=2 fast=true deck=old, open: 1 ann, 2 (empty)"
CUP_LINE = "may (by ann), toy, 2 seats, Swiss, fresh deals, rounds 3, clock 60+2.5: running, 4 matches played"
RESULTS = (SeatResult(1, "ann", 5, 2, "resigned"), SeatResult(2, "bob", 7, 1))


class Two:
    """Who sits at the table."""

    def names(self) -> list[str]:
        return ["ann", "bob"]


def told(kind: type[m.Message], **fields: Any) -> list[str]:
    """The lines for that message."""
    return render_reply(kind(**fields), Two())


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        (m.Page(title="help", text="one\ntwo\n\n"), ["one", "two"]),
        (m.Pong(), ["pong"]),
        (m.Players(players=(PlayerInfo("ann", "person", ("t1", "t2")),)), ["Here are: ann (person, at t1 t2)"]),
        (
            m.Players(players=(PlayerInfo("ann", "person"), PlayerInfo("bob", "bot")), more=True),
            ["Here are: ann (person), bob (bot)", "(more: who after bob)"],
        ),
        (m.BotList(bots=()), ["Bots: nobody"]),
        (
            m.GameList(games=(GameInfo("toy", "Toy", "cards", 2, 4, "1", {}),)),
            ["toy            2-4 players  Toy: cards"],
        ),
        (m.TableList(tables=()), ["There are no tables; open one."]),
        (
            m.TableList(tables=(TABLE,), more=True),
            [TABLE_LINE, "(more: tables after t1)"],
        ),
        (m.TableChanged(info=TABLE), [TABLE_LINE]),
        (m.ReplayLines(table="t1", after=4, lines=("a", "b")), ["a", "b"]),
        (m.ReplayLines(table="t1", after=4, lines=("a", "b"), more=True), ["a", "b", "(more: replay t1 6)"]),
        (m.Reason(table="t1", legal=True), ["That would be legal."]),
        (m.Reason(table="t1", legal=True, text="You win."), ["That would be legal. You win."]),
        (m.Reason(table="t1", legal=False, text="Not now."), ["No: Not now."]),
        (m.Said(heard=1), []),
        (m.Said(heard=0), ["Nobody else hears you."]),
        (m.DoneReply(text="It is done."), ["It is done."]),
        (m.SentAway(table="t1", why="", by=""), ["- t1 is gone: nothing happened there."]),
        (m.SentAway(table="t1", why="kicked", by="ann"), ["- ann sent you away from t1."]),
        (m.SentAway(table="t1", why="closed", by="the operator"), ["- the operator closed t1."]),
        (m.SentAway(table="", why="kicked", by="ann", cup="may"), ["- ann sent you away from may."]),
        (m.Resigned(table="t1"), ["You gave the match up."]),
        (m.Error(code="bad_field", text="No."), ["! No."]),
        (m.CupList(cups=()), ["There are no cups; open one: cup open CUP GAME."]),
        (m.CupList(cups=(CUP,)), [CUP_LINE]),
        (m.CupReply(info=CUP), [CUP_LINE]),
        (m.CupChanged(info=CUP), [f"* {CUP_LINE}"]),
        (m.CupStandings(cup="may", state="open", rows=()), ["may is open.", "  No match is over yet."]),
        (m.Invited(info=CUP, by="ann"), ["* ann invites you to a cup: enter may", f"  {CUP_LINE}"]),
        (
            m.Paired(cup="may", match=3, table="t1", entrants=("bob", "ann")),
            ["* may, match 3 begins at t1: 1 bob, 2 ann"],
        ),
        (
            m.Result(cup="may", match=3, table="t1", results=RESULTS),
            ["* may, match 3 at t1: 1. bob 7, 2. ann 5"],
        ),
        (m.Result(cup="may", match=3, table="t1", results=()), ["* may, match 3 at t1: aborted, it does not count"]),
        (m.Chat(sender="ann", text="hm"), ["ann: hm"]),
        (m.Chat(sender="ann", text="hm", private=True), ["ann (to you): hm"]),
        (m.Watching(table="t1", n=1, info=TABLE), ["You watch t1.", TABLE_LINE]),
        (
            m.OpenHands(table="t1", at=-65.0),
            ["All hands are shown with a delay here; the first ones in 1:05."],
        ),
        (
            m.OpenHands(table="t1", at=5.0),
            ["All hands are shown with a delay here, once each player has made 12 more decisions."],
        ),
        (m.OpenHands(table="t1", at=5.0, views=({},)), []),
        (m.Left(table="t1"), ["You left t1."]),
        (m.Left(table="t1", held=59.6), ["You left t1. Your seat is held for 60 seconds; join t1 brings you back."]),
        (m.Bye(reason="quit", text="You said quit."), ["Goodbye. You said quit."]),
        (m.Presence(table="t1", n=1, seat=2, name="bob", how="away"), ["- bob lost the connection; the seat is held."]),
        (m.Presence(table="t1", n=1, seat=2, name="bob", how="left"), ["- bob left; the seat is held."]),
        (m.Presence(table="t1", n=1, seat=2, name="bob", how="back"), ["- bob is back."]),
        (
            m.Presence(table="t1", n=1, seat=2, name="bob", how="late", by="greedy"),
            ["- bob was late too often; greedy plays seat 2 from now on."],
        ),
        (
            m.Late(table="t1", n=1, seat=2, count=3),
            ["- bob ran out of time; the default was done for them (3)."],
        ),
        (
            m.Late(table="t1", n=1, seat=1, count=1, why="illegal"),
            ["- ann sent too many illegal actions; the default was done for them (1)."],
        ),
        (
            m.Over(table="t1", n=9, results=RESULTS, reason="points", text="bob wins.", seed="", salt=""),
            ["The match is over. bob wins.", "  1. bob: 7", "  2. ann: 5 (resigned)"],
        ),
        (
            m.Over(table="t1", n=9, results=(), reason="", text="Closed.", seed="5eed", salt="5a17"),
            ["The match is over. Closed.", "The deal's seed was 5eed, its salt 5a17."],
        ),
        (m.Accepted(table="t1", turn=1), []),
    ],
)
def test_a_message_is_told_in_lines(message: m.Message, shown: list[str]) -> None:
    assert render_reply(message, Two()) == shown


def test_clocks_are_told_by_name_and_those_without_hurry_without_numbers() -> None:
    clocks = (m.SeatClock(1, 3_599.9, True, 65.0), m.SeatClock(2, 3_600.0, True, 4_000.0), m.SeatClock(2, 7.0))
    shown = [
        "{}: 59:59 of main time, deciding, 1:05 left",
        "{}: as much time as they like, deciding",
        "{}: 0:07 of main time",
    ]
    message = m.Clocks(table="t1", clocks=clocks)
    assert render_reply(message, Two()) == [
        line.format(name) for line, name in zip(shown, ("ann", "bob", "bob"), strict=True)
    ]
    assert render_reply(message, None)[1] == shown[1].format("seat 2")


def test_a_cup_that_is_over_names_the_way_to_its_standings_and_the_secret_of_its_deals() -> None:
    secret = "  All its deals came from the secret 5ec"
    shown = "  standings may shows how it ended."
    assert told(m.CupChanged, info=replace(CUP, secret="5ec"))[1:] == [shown, secret]
    assert told(m.CupReply, info=replace(CUP, secret="5ec", played=0))[1:] == [secret]


def test_every_row_of_talk_begins_with_who_talks_however_little_room_there_is() -> None:
    chat = m.Chat(sender="ann", text="one two three")
    for width in (14, 16):
        assert talk_rows(chat, width) == [("ann: ", "one two"), ("ann:   ", "three")]
    assert talk_rows(chat, 1)[:2] == [("ann: ", "one"), ("ann:   ", "two")]
    assert talk_rows(replace(chat, text="abcde"), 1) == [("ann: ", "abcd"), ("ann:   ", "e")]
