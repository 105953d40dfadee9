"""What is read from the operator's socket."""

from __future__ import annotations

import pytest
import trio
from trio.testing import memory_stream_pair

from server.desk.operator import Operator
from server.net.admin import LINE_BYTES, _line, _obey
from tests.helpers.hall import Hall


@pytest.mark.parametrize("pieces", [(b'{"do"', b':"list"}\n'), (b'{"do":"list"}\n',), (b'{"do":', b'"list"}', b"\n")])
async def test_a_command_is_read_to_its_end_in_however_many_pieces_it_comes(
    nursery: trio.Nursery, pieces: tuple[bytes, ...]
) -> None:
    operator, server = memory_stream_pair()

    async def type_them() -> None:
        for piece in pieces:
            await operator.send_all(piece)
            await trio.testing.wait_all_tasks_blocked()

    nursery.start_soon(type_them)
    assert await _line(server) == b'{"do":"list"}\n'  # type: ignore[arg-type]  # any stream will do


async def test_a_command_without_an_end_is_read_no_further_than_a_line_may_be(nursery: trio.Nursery) -> None:
    operator, server = memory_stream_pair()
    nursery.start_soon(operator.send_all, b"x" * 3 * LINE_BYTES)
    assert len(await _line(server)) <= 2 * LINE_BYTES  # type: ignore[arg-type]


async def test_what_was_done_is_answered_with_yes_and_what_was_not_with_no_and_why(hall: Hall) -> None:
    operator = Operator(hall.lobby, hall.nursery, hall.app.stopping.set)
    for line, ok, text in (
        (b'{"do":"tables"}\n', True, "There are no tables."),
        (b'{"do":"kick","who":"zoe"}\n', False, "Nobody is known as zoe."),
        (b'{"do":"dance"}\n', False, "There is no command dance."),
        (b'{"do":7}\n', False, "That is no command: "),
        (b"{\xff", False, "That is no command: "),
        (b"", False, "That is no command: "),
    ):
        answer = await _obey(operator, line)
        assert answer.ok is ok, line
        assert len(answer.lines) == 1
        assert answer.lines[0].startswith(text)
