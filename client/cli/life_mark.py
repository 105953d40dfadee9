"""A file in the data folder of a running server. If the next server finds it, the previous one was killed."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from server.log_fields import extra_fields
from server.store.atomic_files import atomic_write

log = logging.getLogger("magehall.serve")

NAME = "running"


class RunningServer(msgspec.Struct, frozen=True):
    """The contents of the file: facts about the running server."""

    process: int
    started: str  # time of the start, in UTC
    build: str


class RunningServerFile:
    """The file in one data folder, which only one server at a time uses. Does nothing if the folder is None."""

    def __init__(self, folder: Path | None) -> None:
        self._file = folder / NAME if folder is not None else None

    def mark_started(self, build: str) -> None:
        """Logs a warning if the previous server was killed, and writes the file for this server.

        Args:
            build: The version of this server.
        """
        if self._file is None:
            return
        with suppress(OSError, msgspec.MsgspecError):
            last = msgspec.json.decode(self._file.read_bytes(), type=RunningServer)
            told = extra_fields("last_was_killed", process=last.process, started=last.started, build=last.build)
            log.warning(
                "the last server (process %d, build %a, started %a) or its machine was killed: its log has no end",
                last.process,
                last.build,
                last.started,
                extra=told,
            )
        life = RunningServer(os.getpid(), datetime.now(UTC).isoformat(timespec="seconds"), build)
        # a full disk must not stop the server from starting
        with suppress(OSError), atomic_write(self._file, mode=0o600) as half:
            half.write_bytes(msgspec.json.encode(life))

    def mark_stopped(self) -> None:
        """Removes the file, because this server ends normally."""
        if self._file is not None:
            with suppress(OSError):
                self._file.unlink()
