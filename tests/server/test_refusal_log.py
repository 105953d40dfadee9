"""Refusals by a limit as the log sums them."""

from __future__ import annotations

import logging

import pytest

from server.refusal_log import ADDRESSES, RefusalLog


def test_refusals_by_a_limit_are_summed_by_code_and_address(caplog: pytest.LogCaptureFixture) -> None:
    refusals = RefusalLog()
    for address, times in (("10.0.0.1", 5), ("10.0.0.2", 3), ("10.0.0.3", 2), ("10.0.0.4", 1)):
        for _ in range(times):
            refusals.count_refusal("server_full", address)
    refusals.count_refusal("talk_too_fast", None)
    refusals.count_refusal("not_your_turn", "10.0.0.1")
    with caplog.at_level(logging.INFO):
        refusals.log_counts()
        refusals.log_counts()
    assert [record.getMessage() for record in caplog.records] == [
        "refused 11 times in a minute: server_full (10.0.0.1 5, 10.0.0.2 3, 10.0.0.3 2, ...)",
        "refused 1 times in a minute: talk_too_fast (here 1)",
    ]
    told = caplog.records[0].__dict__
    assert (told["event"], told["fields"]["code"], told["fields"]["count"]) == ("refused", "server_full", 11)


def test_refusals_of_very_many_addresses_take_little_memory(caplog: pytest.LogCaptureFixture) -> None:
    refusals = RefusalLog()
    for number in range(3 * ADDRESSES):
        refusals.count_refusal("server_full", number)
    with caplog.at_level(logging.INFO):
        refusals.log_counts()
    assert f"refused {3 * ADDRESSES} times in a minute: server_full (others {2 * ADDRESSES}, " in caplog.text
