"""Writes the matches of the lab to files: the replay of each match, and every decision as a row of numbers."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import EEXIST
from pathlib import Path
from typing import Any

from games.api import Action, Game, Outcome, Seat, State
from games.encoding import NumericEncoding
from matches.record import encode_local_replay


class MatchRecorder:
    """Records the actions of one match and, if an encoding is given, its decisions as numbers. The lab calls `watch`
    before each action."""

    def __init__(self, numbers: NumericEncoding | None = None) -> None:
        self._numbers = numbers
        self._done: list[tuple[Seat, Action]] = []
        self._rows: list[tuple[Seat, int, array[float], list[int], int]] = []

    def watch(self, state: State, seat: Seat, action: Action) -> None:
        self._done.append((seat, action))
        if self._numbers is not None:
            legal = self._numbers.legal(state.legal_actions(seat))
            features = self._numbers.vector(state.view(seat))
            self._rows.append((seat, len(self._done), features, legal, self._numbers.ids[action]))

    def replay(self, game: Game, options: dict[str, Any], names: Sequence[str], seed: bytes) -> bytes:
        """Returns the contents of the replay file of the match."""
        return encode_local_replay(game, options, names, seed, self._done)

    def rows(self, match: str, outcome: Outcome) -> list[dict[str, Any]]:
        """Returns one row for each decision of the match, in the form that `save_rows` writes. `match` is the name of
        its replay."""
        return [
            {
                "match": match,
                "seat": seat,
                "number": number,
                "features": features,
                "legal": legal,
                "action": action,
                "share": outcome.shares[seat - 1],
                "score": outcome.scores[seat - 1],
            }
            for seat, number, features, legal, action in self._rows
        ]


def save_replay(file: Path, replay: bytes) -> None:
    """Writes a replay to the file. Does nothing if the file has this replay already. Raises FileExistsError if it has
    another one."""
    if file.exists():
        if file.read_bytes() != replay:
            raise FileExistsError(EEXIST, os.strerror(EEXIST), str(file))
        return
    with _whole(file) as half:
        half.write_bytes(replay)


@contextmanager
def _whole(file: Path) -> Iterator[Path]:
    """A context manager that yields the path of a temporary file to write, and renames that file to `file` at the end,
    so that `file` is never incomplete."""
    half = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        yield half
        half.replace(file)
    finally:
        half.unlink(missing_ok=True)


def save_rows(file: Path, rows: Sequence[dict[str, Any]], numbers: NumericEncoding) -> None:
    """Writes the decisions of matches to a Parquet file. Raises ImportError if pyarrow is not installed.

    The columns are: `match`, the name of its replay; `seat`; `number` of the decision; `features`, the seat's view as
    `NumericEncoding` encodes it; `mask`, 1 for each legal action; `action`, its id; `share` of the win and `score` of
    the seat at the end.
    """
    import pyarrow as pa  # installed by the extra magehall[parquet]
    import pyarrow.parquet as pq

    size, count = numbers.layout.size, len(numbers.actions)
    features, masks = array("f"), bytearray(count * len(rows))
    for place, row in enumerate(rows):
        features.extend(row["features"])
        for one in row["legal"]:
            masks[place * count + one] = 1
    whole = pa.array(features, pa.float32()).cast(pa.uint32())
    columns = {name: [row[name] for row in rows] for name in ("match", "seat", "number", "action", "share", "score")}
    table = pa.table(
        {
            "match": columns["match"],
            "seat": pa.array(columns["seat"], pa.uint8()),
            "number": pa.array(columns["number"], pa.uint32()),
            "features": pa.FixedSizeListArray.from_arrays(whole, size),
            "mask": pa.FixedSizeListArray.from_arrays(pa.array(masks, pa.uint8()), count),
            "action": pa.array(columns["action"], pa.uint32()),
            "share": pa.array(columns["share"], pa.float32()),
            "score": pa.array(columns["score"], pa.int32()),
        }
    )
    with _whole(file) as half:
        pq.write_table(table, half, compression="zstd")
