"""How a command ends: its exit codes, and the sentence on stderr that goes with a failure."""

from __future__ import annotations

import errno
from typing import NoReturn

from client.language import _

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
_OF_A_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


def fail(text: str, code: int = FAILED) -> NoReturn:
    """Ends the command with one sentence on stderr. A file or a server may be quoted in it."""
    tell(text)
    raise SystemExit(code)


def tell(text: str) -> None:
    """One sentence on stderr."""
    from bots.sdk.stderr import to_stderr  # takes a moment, and most commands end well

    to_stderr(f"magehall: {text}")


def full_disk(error: BaseException) -> str:
    """The sentence for output that could not be written, as the disk is full or fails; "" for another error."""
    if not isinstance(error, OSError) or error.errno not in _OF_A_DISK:
        return ""
    return _("The output cannot be written: {strerror}.", strerror=error.strerror)


def escaped(text: str) -> str:
    """The lines, with everything spelled out that a terminal could take for a command."""
    from protocol.printable import escape  # takes a moment, and most commands end well

    return "\n".join(map(escape, text.split("\n")))
