"""The connections in memory that the tests of servers use are streams as trio understands them."""

from __future__ import annotations

from trio.testing import check_half_closeable_stream

from tests.helpers.streams import MemoryStream, memory_streams


async def test_connections_in_memory_keep_the_contract_of_streams() -> None:
    async def both_ends() -> tuple[MemoryStream, MemoryStream]:
        return memory_streams()

    await check_half_closeable_stream(both_ends, None)
