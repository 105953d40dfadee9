"""What is kept on the server: tables, matches that were played, requests that may be asked for again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import msgspec

from protocol import limits
from tests.attacks.floods import open_tables
from tests.attacks.peer import Peer, Refused
from tests.attacks.scene import Scene, attack

CLIENTS = 40
NAMES_FOR_TABLES = 32
MATCHES = 2_000
KEPT = 32


@attack(processes=2, ceiling=64, keeps=20)
def open_tables_by_one_client(scene: Scene) -> None:
    """2,000 open tables by one client, which takes as many names as it needs."""
    scene.ready()
    for owner in scene.crowd(NAMES_FOR_TABLES // 2, "owner", addresses=1):
        if scene.going:
            scene.held["tables"] += open_tables(owner, 64)
    scene.listen([])


@attack(processes=2, ceiling=128, keeps=128)
def matches_played_to_their_end(scene: Scene) -> None:
    """Matches against house bots, resigned at once and so played to their end by the house, up to 2,000."""
    scene.ready()
    played = 0
    while scene.going and played < MATCHES // 2:
        with suppress(OSError, Refused):  # a name has the requests for some twenty matches
            played += _matches(scene, Peer(scene.port, f"quick{scene.part}x{played}"), 20)
    scene.held["matches"] = played


def _matches(scene: Scene, player: Peer, most: int) -> int:
    """How many matches were played under this name."""
    for played in range(most):
        if not scene.going:
            return played
        table = player.must("open", game="ikasamage", seats=3)["info"]["table"]
        for _ in range(2):
            player.must("add", table=table, bot="random")
        player.must("start", table=table)
        player.must("resign", table=table)
    return most


@attack(processes=2, ceiling=CLIENTS * limits.HERE_BYTES / 2**20, keeps=CLIENTS * limits.AWAY_BYTES / 2**20)
def kept_requests(scene: Scene) -> None:
    """Forty names that each send 32 requests full of empty maps; the server keeps what may be asked for again."""
    maps: list[dict[str, int]] = [{}] * 64
    action = {f"k{key}": [maps] * 9 for key in range(26)}  # a byte each on the wire

    def frame(number: int) -> bytes:
        body = msgspec.msgpack.encode({"type": "act", "id": number, "table": "t1", "turn": 1, "action": action})
        return len(body).to_bytes(4, "big") + body

    def script(number: int) -> Iterator[bytes]:
        hello = msgspec.msgpack.encode({"type": "hello", "id": 1, "name": f"keeper{scene.part}x{number}"})
        yield len(hello).to_bytes(4, "big") + hello
        for kept in range(2, 2 + KEPT):
            yield frame(kept)

    scene.ready()
    scene.flood(CLIENTS // 2, script, {"kept": b"not_seated"}, most=CLIENTS // 2)
