"""A replay as a file: its lines hold together, and what is wrong with them is said with the line's number."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest

from protocol.entries import ActionRefused, ChatSent, LogEntry, MatchAborted
from protocol.messages import ClockRule, SeatInfo
from protocol.replay import BadReplay, HashChain, ReplayEnd, ReplayStart, parse_replay_lines

BEGUN = ReplayStart(
    replay=1,
    table="t1",
    game="toy",
    rules_version="1",
    options={},
    seats=(SeatInfo(1, "ann", "person"),),
    clock=ClockRule(),
    grace=0.0,
    nonces=(),
    commitment="",
    told=(),
    state="",
)
SAID = ChatSent(at=1.0, sender="ann", text="hm")
OVER = ReplayEnd(results=(), reason="", text="", seed="0" * 64, salt="0" * 32, aborted=True)


def file_of(*lines: LogEntry) -> list[bytes]:
    """These lines as they stand in a file, each with its end."""
    chain = HashChain()
    return [chain.add_hash(line) for line in lines]


WHOLE = (BEGUN, SAID, MatchAborted(at=2.0, text="that was all"), OVER)


def test_what_was_sealed_is_opened_in_parts() -> None:
    assert parse_replay_lines(b"".join(file_of(*WHOLE))) == (WHOLE[0], list(WHOLE[1:-1]), OVER)
    assert parse_replay_lines(b"".join(file_of(BEGUN, OVER)))[1] == []


@pytest.mark.parametrize(
    ("lines", "number", "text"),
    [
        ([], 1, "The line `over` is missing at the end."),
        ([BEGUN], 1, "The line `over` is missing at the end."),
        ([BEGUN, SAID, SAID], 3, "The line `over` is missing at the end."),
        ([SAID, OVER], 1, "A replay begins with a line `match`."),
        ([msgspec.structs.replace(BEGUN, replay=2), OVER], 1, "Replays of version 1 can be read here, one in a file."),
        ([BEGUN, BEGUN, OVER], 2, "Replays of version 1 can be read here, one in a file."),
        ([BEGUN, SAID, BEGUN, OVER], 3, "Replays of version 1 can be read here, one in a file."),
        ([BEGUN, OVER, SAID, OVER], 2, "Lines follow the line `over`."),
        ([BEGUN, ActionRefused(at=0.0, seat=17, rule="", text=""), OVER], 2, "It is no line of a replay: "),
    ],
)
def test_lines_that_are_no_whole_match_are_refused(lines: Sequence[LogEntry], number: int, text: str) -> None:
    with pytest.raises(BadReplay) as found:
        parse_replay_lines(b"".join(file_of(*lines)))
    assert (found.value.line, found.value.text[: len(text)]) == (number, text)
    assert str(found.value) == f"line {number}: {found.value.text}"


def test_what_was_changed_or_cut_is_found_in_its_line() -> None:
    first, second, third, last = file_of(*WHOLE)
    damaged = {
        (2, "It does not end with its hash."): [first, second[:-2] + b"\n", third, last],
        (3, "Its hash does not fit: this line was changed, or one before it is missing."): [first, second, last],
        (1, "Its hash does not fit: this line was changed, or one before it is missing."): [second, third, last],
        (5, "The file ends within a line."): [first, second, third, last, b"{"],
        (4, "The file ends within a line."): [first, second, third, last[:-1]],
    }
    for (number, text), lines in damaged.items():
        with pytest.raises(BadReplay) as found:
            parse_replay_lines(b"".join(lines))
        assert (found.value.line, found.value.text) == (number, text)


def test_what_a_damaged_file_says_is_escaped_and_cut_before_it_is_told() -> None:
    told = BadReplay(1, f"\x1b{'x' * 300}").text
    assert told.startswith("\\u{1b}x")
    assert len(told) == 200
