"""What is read from the operator's socket."""

from __future__ import annotations

import pytest
import trio
from trio.testing import memory_stream_pair

from server.net.admin import _line


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
