"""The tokens that prove a player's names: in memory, and in files of the user's own if a folder is given."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from bots.language import _


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr)


class Tokens:
    """One token for each server and name. Files have mode 0600, one a token, in a folder with mode 0700."""

    def __init__(self, folder: Path | None = None, report: Callable[[str], None] = _to_stderr) -> None:
        self._folder, self._report = folder, report
        self._known: dict[tuple[str, str], str] = {}

    def get(self, server: str, name: str) -> str:
        """The token for a name on a server (`host:port`); "" if there is none."""
        token = self._known.get((server, name), "")
        if not token and self._folder is not None:
            with suppress(OSError, UnicodeDecodeError):
                token = self._file(server, name).read_text(encoding="ascii").strip()
        return token

    def put(self, server: str, name: str, token: str) -> str:
        """Keeps a new token, unless another process was first; returns the one that is kept. If it cannot be written,
        reports that and keeps it for this process only."""
        self._known[server, name] = token
        if self._folder is None:
            return token
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._known[server, name] = _first(self._file(server, name), token)
        except (OSError, UnicodeDecodeError) as error:
            self._report(
                _(
                    "The name {name} is yours only until this program ends: its token cannot be kept ({error}).",
                    name=name,
                    error=error,
                )
            )
        return self._known[server, name]

    def drop(self, server: str, name: str) -> None:
        """Forgets a token that no server took."""
        self._known.pop((server, name), None)
        if self._folder is not None:
            with suppress(OSError):
                self._file(server, name).unlink()

    def _file(self, server: str, name: str) -> Path:
        assert self._folder is not None
        return self._folder / quote(f"{server}:{name}", safe=":")


def _first(file: Path, token: str) -> str:
    """Writes the token unless one is there; returns the one that is. The file is whole at every moment. Raises OSError,
    UnicodeDecodeError."""
    number, half = tempfile.mkstemp(dir=file.parent)  # nobody else can read it
    try:
        with os.fdopen(number, "wb"):
            os.write(number, f"{token}\n".encode("ascii"))
            os.fsync(number)
        try:
            os.link(half, file)
        except FileExistsError:
            there = file.read_text(encoding="ascii").strip()
            if there:
                return there
            os.replace(half, file)  # of a program that ended before it had written
        return token
    finally:
        with suppress(FileNotFoundError):
            os.unlink(half)


def state_folder() -> Path:
    """The folder for this user's own files between runs, which may not exist yet. Tokens are in `tokens`."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if base.startswith("/") else home_folder() / ".local" / "state") / "magehall"


def home_folder() -> Path:
    """This user's; of one whom the system does not know, as in a container, the root, where nothing can be written."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
