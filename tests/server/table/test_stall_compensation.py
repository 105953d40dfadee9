"""Time that the server stood still is given back: all of it if it did not run, a bounded part if it was busy."""

import pytest

from server.table.stall_compensation import A_DECISION, A_MATCH, StallCompensation
from tests.helpers.hall import Hall


def test_e10_a_server_that_did_not_run_gives_everything_back() -> None:
    refunds = StallCompensation()
    for _ in range(3):
        assert refunds.seconds_to_refund(3_600.0, [0, 5, 7], {1, 2}, None) == {0: 3_600.0, 1: 3_600.0, 2: 3_600.0}


def test_e08_a_busy_server_gives_back_a_bounded_time_for_each_decision() -> None:
    refunds = StallCompensation()
    given = [refunds.seconds_to_refund(0.8, [0, 5], {1}, set())[1] for _ in range(4)]
    assert given == [0.8, 0.8, pytest.approx(A_DECISION - 1.6), 0.0]
    assert refunds.seconds_to_refund(0.8, [0, 6], {1}, set())[1] == 0.8  # another decision


def test_e08_a_busy_server_gives_back_a_bounded_time_in_a_match() -> None:
    refunds = StallCompensation()
    given = [refunds.seconds_to_refund(1.5, [0, turn], {1}, set())[1] for turn in range(40)]
    assert sum(given) == pytest.approx(A_MATCH)
    assert given[-1] == 0.0


def test_e08_who_kept_the_server_busy_gets_nothing_back() -> None:
    assert StallCompensation().seconds_to_refund(1.0, [0, 5, 5], {1, 2}, {2}) == {0: 1.0, 1: 1.0, 2: 0.0}


async def test_e08_a_flood_by_the_own_name_does_not_lengthen_a_decision(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    table = hall.lobby.tables["t1"]
    before = table.seat_clocks()
    asked = sorted(table.require_match().asked)
    table.compensate_stall(1.0, hall.lobby.people.find_player("ann"), stopped=False)
    after = table.seat_clocks()
    given = {seat: after[seat - 1].left - before[seat - 1].left for seat in asked}
    assert given == {seat: pytest.approx(0.0 if seat == 1 else 1.0) for seat in asked}


async def test_where_no_name_keeps_the_server_busy_all_get_their_time_back(hall: Hall) -> None:
    await hall.table_of("ann", "bob")
    table = hall.lobby.tables["t1"]
    before = [clock.left for clock in table.seat_clocks()]
    table.compensate_stall(A_DECISION + 1.0, None, stopped=False)
    assert [clock.left for clock in table.seat_clocks()] == [pytest.approx(left + A_DECISION) for left in before]


async def test_the_name_that_causes_most_work_is_known(hall: Hall) -> None:
    ann, bob = await hall.player("ann"), await hall.player("bob")
    assert hall.lobby.limits.busiest_player() is not None
    for peer, asked in ((ann, 5), (bob, 10)):
        for _ in range(asked):
            await peer.ask("ping")
    assert hall.lobby.limits.busiest_player() is hall.lobby.people.find_player("bob")
    assert hall.lobby.limits.busiest_player() is None
    stranger = await hall.connect()
    for _ in range(5):
        await stranger.ask("ping")
    await ann.ask("ping")
    assert hall.lobby.limits.busiest_player() is None, "a stranger has no seat whose time could be withheld"
