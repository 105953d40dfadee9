"""Stores the tokens that prove a player's names: in memory, and in files of the user if a folder is given."""

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
    """The tokens of a user: one for each server and player's name.

    On disk, each token has a file of its own with mode 0600, in a folder with mode 0700.

    Args:
        folder: The folder of the files; None keeps the tokens in memory only.
        report: A function that is called with a sentence for the user if a token cannot be stored.
        assigned: True if another process made the tokens for this one and for one server only, as a tournament does for
            its entrants. Such a token is not replaced by a new one if the server does not know the name yet.
    """

    def __init__(
        self, folder: Path | None = None, report: Callable[[str], None] = _to_stderr, *, assigned: bool = False
    ) -> None:
        self._folder, self._report, self.assigned = folder, report, assigned
        self._known: dict[tuple[str, str], str] = {}

    def get(self, server: str, name: str) -> str:
        """Returns the token that proves a name on a server.

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
        """Stores a new token for a name, unless another process has stored one first. If the file cannot be written,
        the token is kept in memory only.

        Args:
            server: `host:port`.
            name: The player's name.
            token: The new token.

        Returns:
            The token that is stored now, which may be that of another process.
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
        """Removes the token of a name, because the server did not accept it.

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
    """Writes the token to the file, unless the file already has one. Returns the token in the file. Other processes
    never see a partly written file. Raises OSError, UnicodeDecodeError."""
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
            os.replace(half, file)  # the existing file is empty, left by a program that ended before it wrote the token
        return token
    finally:
        with suppress(FileNotFoundError):
            os.unlink(half)


def state_folder() -> Path:
    """Returns the folder for the files that magehall keeps for this user, which may not exist yet. Tokens are in its
    folder `tokens`."""
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if base.startswith("/") else home_folder() / ".local" / "state") / "magehall"


def home_folder() -> Path:
    """Returns the home folder of this user; the root folder for a user whom the system does not know, as in a
    container."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")
