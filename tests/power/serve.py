"""A server whose disk is recorded while players decide: `python -m tests.power.serve FOLDER TABLES`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import trio

from server.config import Config
from server.store import latest
from server.store.sqlite import open_store
from tests.helpers.hall import Hall
from tests.helpers.peer import Peer
from tests.power.disk import ACKS


async def main(folder: Path, tables: int) -> None:
    """Plays some matches side by side and writes down each decision that was acknowledged."""
    latest.ENOUGH, latest.PIECE, latest.FORGOTTEN_AT_ONCE = 80, 10, 20  # so that many cuts come while rows are moved
    store = open_store(folder)
    acks = os.open(folder / ACKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    async def play(peer: Peer, table: str, seat: int) -> None:
        for number in range(1, 4):
            turn = await peer.next("turn")
            action = turn["legal"][0]
            answer = await peer.ask("act", table=table, turn=number, action=action)
            assert answer["type"] == "accepted", answer
            os.write(acks, f"{table} {seat} {number} {action['card']}\n".encode())

    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, Config(port=0, requests_at_once=10_000), store=store)
        async with trio.open_nursery() as playing:
            for number in range(tables):
                peers = [await hall.player(f"p{number}-{seat}") for seat in (1, 2)]
                table = (await peers[0].ask("open", game="toy", seats=2))["info"]["table"]
                await peers[1].ask("join", table=table)
                await peers[0].ask("start", table=table)
                for seat, peer in enumerate(peers, 1):
                    playing.start_soon(play, peer, table, seat)
        os._exit(0)


if __name__ == "__main__":
    trio.run(main, Path(sys.argv[1]), int(sys.argv[2]))
