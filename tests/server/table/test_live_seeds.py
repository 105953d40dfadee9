"""The seed of a deal: nobody guesses it before the end, and the end tells it and nothing of any other match."""

from __future__ import annotations

import os
import random
import secrets
import time
from collections.abc import Iterator

import pytest
import trio

from games.chance import SEED_BYTES, numbered_seed, seed_commitment
from server.table import table as tables
from tests.helpers.hall import Hall


def guesses(around: float, pid: int) -> Iterator[bytes]:
    """What has betrayed other servers: the time, the process, small numbers, as bytes of all kinds."""
    times = [int(around) + second for second in range(-60, 61)]
    for number in (*range(2_000), pid, *times, *(1_000 * second for second in times)):
        yield number.to_bytes(SEED_BYTES, "big")
        yield number.to_bytes(SEED_BYTES, "little")
        yield random.Random(number).randbytes(SEED_BYTES)
        yield numbered_seed(number)


async def told_of(hall: Hall) -> tuple[str, bytes]:
    """What is told of a new table's deal, and its salt, which others are told at the end only."""
    peer = await hall.player(f"ann{len(hall.lobby.tables)}")
    info = (await peer.ask("open", game="toy", seats=2))["info"]
    return info["commitment"], hall.lobby.tables[info["table"]].salt


async def test_g17_no_seed_is_found_by_guessing(hall: Hall) -> None:
    told = [await told_of(hall) for _ in range(8)]
    found = [
        1 for seed in guesses(time.time(), os.getpid()) for said, salt in told if seed_commitment(seed, salt) == said
    ]
    assert not found
    assert len({hall.lobby.tables[table].seed for table in hall.lobby.tables}) == len(told)
    assert all(len(table.seed) == SEED_BYTES for table in hall.lobby.tables.values())


@pytest.mark.parametrize(
    "weak",
    [
        lambda: random.Random(int(time.time())).randbytes(SEED_BYTES),
        lambda: random.Random(os.getpid()).randbytes(SEED_BYTES),
        lambda: numbered_seed(int(time.time())),
        lambda: (1_234).to_bytes(SEED_BYTES, "big"),
    ],
    ids=["the time", "the process", "a numbered seed", "a small number"],
)
async def test_g17_a_weak_seed_is_found(hall: Hall, monkeypatch: pytest.MonkeyPatch, weak: object) -> None:
    class Weak:
        """Of the system's chance, but for seeds."""

        @staticmethod
        def token_bytes(count: int) -> bytes:
            assert callable(weak)
            made = weak() if count == SEED_BYTES else secrets.token_bytes(count)
            assert isinstance(made, bytes)
            return made

    monkeypatch.setattr(tables, "secrets", Weak)
    said, salt = await told_of(hall)
    assert any(seed_commitment(seed, salt) == said for seed in guesses(time.time(), os.getpid()))


async def test_g14_the_end_tells_the_deal_of_this_match_and_nothing_else(hall: Hall) -> None:
    ann, bob = await hall.table_of("ann", "bob")
    overs = []
    for _match in range(2):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(bob.play_on)
            overs.append(await ann.play_on())
        await ann.ask("open", game="toy", seats=2)
        await bob.ask("join", table="t2")
        await ann.ask("start", table="t2")
    for over in overs:
        assert set(over) == {"type", "table", "n", "results", "reason", "text", "seed", "salt"}
    assert overs[0]["seed"] != overs[1]["seed"]
    assert overs[0]["salt"] != overs[1]["salt"]
