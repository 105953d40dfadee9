"""Exit codes of commands, and the sentence on stderr that explains a failure."""

from __future__ import annotations

import errno
from typing import NoReturn

from client.language import _

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
_OF_A_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


def fail(text: str, code: int = FAILED) -> NoReturn:
    """Ends the command with one sentence on stderr. The sentence may quote a file or a server."""
    tell(text)
    raise SystemExit(code)


def tell(text: str) -> None:
    """Prints one sentence on stderr."""
    from bots.sdk.stderr import to_stderr  # a slow import, and most commands succeed

    to_stderr(f"magehall: {text}")


def full_disk(error: BaseException) -> str:
    """Returns the sentence for output that could not be written because the disk is full or failing, or "" for another
    error."""
    if not isinstance(error, OSError) or error.errno not in _OF_A_DISK:
        return ""
    return _("The output cannot be written: {strerror}.", strerror=error.strerror)


def escaped(text: str) -> str:
    """Returns the lines with all control characters escaped."""
    from protocol.printable import escape  # a slow import, and most commands succeed

    return "\n".join(map(escape, text.split("\n")))
