"""The tokens that prove a player's names, in memory, and in the user's files if a folder is given."""

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
    """One token for each server and name.

    Each token has its own file with mode 0600, in a folder with mode 0700.

    Args:
        folder: The folder of the files; None keeps the tokens in memory only.
        report: A function that is called with a sentence if a token cannot be stored.
        assigned: True if another process made the tokens, for one server only, as a tournament does for its entrants.
            They are not replaced if the server does not know the name yet.
    """

    def __init__(
        self, folder: Path | None = None, report: Callable[[str], None] = _to_stderr, *, assigned: bool = False
    ) -> None:
        self._folder, self._report, self.assigned = folder, report, assigned
        self._known: dict[tuple[str, str], str] = {}

    def get(self, server: str, name: str) -> str:
        """Returns a token.

        Args:
            server: `host:port`.
            name: The player's name.

        Returns:
            The token, or "" if there is none.
        """
        token = self._known.get((server, name), "")
        if not token and self._folder is not None:
            with suppress(OSError, UnicodeDecodeError):
                token = self._file(server, name).read_text(encoding="ascii").strip()
        return token

    def put(self, server: str, name: str, token: str) -> str:
        """Stores a new token, unless another process has stored one first. If the file cannot be written, the token
        stays in memory.

        Args:
            server: `host:port`.
            name: The player's name.
            token: The new token.

        Returns:
            The stored token, which may be the other process's.
        """
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
        """Removes a token that the server did not accept.

        Args:
            server: `host:port`.
            name: The player's name.
        """
        self._known.pop((server, name), None)
        if self._folder is not None:
            with suppress(OSError):
                self._file(server, name).unlink()

    def _file(self, server: str, name: str) -> Path:
        assert self._folder is not None
        return self._folder / quote(f"{server}:{name}", safe=":")


def _first(file: Path, token: str) -> str:
    """Writes the token unless the file already has one. Returns the token in the file. The file is complete at all
    times. Raises OSError, UnicodeDecodeError."""
    number, half = tempfile.mkstemp(dir=file.parent)  # mkstemp makes it readable for this user only
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
            os.replace(half, file)  # the existing file is empty, from a program that ended too early
        return token
    finally:
        with suppress(FileNotFoundError):
            os.unlink(half)


def state_folder() -> Path:
    """Returns the folder for this user's files, which may not exist yet. Tokens are in its folder `tokens`."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if base.startswith("/") else home_folder() / ".local" / "state") / "magehall"


def home_folder() -> Path:
    """Returns this user's home folder. For a user unknown to the system, as in a container, it is the root folder."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
