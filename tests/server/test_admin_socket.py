"""What is read from the operator's socket."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
from trio.testing import memory_stream_pair

from client.cli.admin import _ask
from server.desk.operator import Command
from server.net.admin import LINE_BYTES, Answer, _line, let_operator_in


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


async def test_the_operator_gets_in_however_long_the_name_of_the_data_folder_is(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    async def obey(command: Command) -> list[str]:
        return [command.do]

    folder = tmp_path / ("of many letters, é " * 9)
    folder.mkdir()
    await nursery.start(let_operator_in, folder, SimpleNamespace(obey=obey))
    assert await trio.to_thread.run_sync(_ask, folder, Command("who")) == Answer(True, ["who"])
    nursery.cancel_scope.cancel()
