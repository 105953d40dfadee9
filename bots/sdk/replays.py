"""The replay of a finished match, from the server that has it."""

from __future__ import annotations

from bots.sdk.link import Link
from protocol.messages import Replay, ReplayLines


async def fetch_replay(link: Link, table: str) -> bytes:
    """The file, as `magehall verify` reads it. Raises Refused while the match is not over, LinkFailed."""
    lines: list[str] = []
    while True:
        part = await link.ask(Replay(id=1, table=table, after=len(lines)), ReplayLines)
        lines += part.lines
        if not part.more:
            return "".join(f"{line}\n" for line in lines).encode()
