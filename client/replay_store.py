"""Stores the replays of matches that the user played or watched: one file per match in the user's state folder, only
the newest ones."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from time import localtime, strftime
from typing import BinaryIO

from bots.sdk.tokens import state_folder
from client.language import _
from matches.match_filter import MatchSummary
from protocol.replay import BadReplay, parse_replay_lines

MOST = 200  # most stored replays; each has 20 to 600 KB
MOST_BYTES = 2**26  # most bytes that are read of a file
STDIN = "-"
_STAMP = "%Y%m%d-%H%M%S"
_NAME = re.compile(r"[0-9]{8}-[0-9]{6}-[a-z0-9_-]+-([0-9a-f]{8})\.jsonl")


class ReplayNotFound(Exception):
    """There is no such replay, or it cannot be read. The text says why."""


def replay_folder() -> Path:
    """Returns the folder of the replays, which may not exist."""
    return state_folder() / "matches"


def store_replay(data: bytes) -> str:
    """Stores a replay, unless the same one is stored already. Returns its name without the folder. Raises OSError,
    BadReplay."""
    begun = parse_replay_lines(data)[0]
    word = data[-67:-59].decode()  # the beginning of the replay's last hash, which identifies the match
    place = replay_folder()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not any(path for path in _files() if _word(path) == word):
        game = re.sub("[^a-z0-9-]", "_", begun.game)[:32]
        path = place / f"{_stamp()}-{game}-{word}.jsonl"
        half = path.with_suffix(".part")
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(data)
        half.replace(path)
    for old in _files()[MOST:]:
        old.unlink(missing_ok=True)
    return word


def stored_replays() -> Iterator[MatchSummary]:
    """Yields a summary of each stored replay that can be read, newest first."""
    for path in _files():
        try:
            begun, between, over = parse_replay_lines(path.read_bytes())
        except (OSError, BadReplay):
            continue
        date = strftime("%Y-%m-%d %H:%M", localtime(path.stat().st_mtime))
        decisions = sum(line.__struct_config__.tag == "did" for line in between)
        players = tuple(seat.name for seat in begun.seats)
        end = over.results, over.aborted, over.text
        yield MatchSummary(_word(path), date, str(path), begun.game, players, decisions, *end)


def read_replay(spec: str) -> bytes:
    """Returns the bytes of the replay that `spec` names: a file, the stored replay whose name begins with it, the
    newest stored one (`last`), or stdin (`-`). Raises NoReplay."""
    try:
        if spec == STDIN:
            return _read(sys.stdin.buffer, spec)
        if Path(spec).is_file() or Path(spec).is_fifo():
            with Path(spec).open("rb") as file:
                return _read(file, spec)
        files = _files()
        fitting = files[:1] if spec == "last" else [path for path in files if _word(path).startswith(spec)]
        if len(fitting) == 1:
            return fitting[0].read_bytes()
    except OSError as error:
        raise ReplayNotFound(
            _("The replay {spec} cannot be read: {strerror}.", spec=spec, strerror=error.strerror)
        ) from None
    if fitting:
        raise ReplayNotFound(_("Several replays begin with {spec!r}; write more of the name.", spec=spec))
    raise ReplayNotFound(
        _("There is no file and no kept replay {spec!r}; `magehall matches` lists those that are kept.", spec=spec)
    )


def _read(file: BinaryIO, spec: str) -> bytes:
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ReplayNotFound(
            _("{spec} has more than {most} MiB: that is no replay.", spec=spec, most=MOST_BYTES // 2**20)
        )
    return data


def _stamp() -> str:
    """Returns the current time as a text that sorts after those of all stored replays, even if the clock was set
    back."""
    now, latest = strftime(_STAMP), max((path.name[:15] for path in _files()), default="")
    if now <= latest:
        with suppress(ValueError, OverflowError):  # a person may have put a file with another name there
            return (datetime.fromisoformat(latest.replace("-", "T")) + timedelta(seconds=1)).strftime(_STAMP)
    return now


def _files() -> list[Path]:
    try:
        return sorted((path for path in replay_folder().iterdir() if _NAME.fullmatch(path.name)), reverse=True)
    except OSError:
        return []


def _word(path: Path) -> str:
    found = _NAME.fullmatch(path.name)
    assert found is not None
    return found[1]
