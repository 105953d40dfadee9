"""Exit codes of commands, and functions that print the reason for a failure on stderr."""

from __future__ import annotations

import errno
from typing import NoReturn

from client.language import _

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
_OF_A_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


def fail(text: str, code: int = FAILED) -> NoReturn:
    """Prints one sentence on stderr and ends the command. Control characters are escaped, because it may quote a file
    or a server."""
    tell(text)
    raise SystemExit(code)


def tell(text: str) -> None:
    """Prints one sentence on stderr."""
    from bots.sdk.stderr import to_stderr  # imported late, because it is slow and most commands succeed

    to_stderr(f"magehall: {text}")


def full_disk(error: BaseException) -> str:
    """Returns the sentence for a command whose output could not be written because the disk is full or failing; "" if
    the error is another one."""
    if not isinstance(error, OSError) or error.errno not in _OF_A_DISK:
        return ""
    return _("The output cannot be written: {strerror}.", strerror=error.strerror)


def escaped(text: str) -> str:
    """Returns the text with all control characters except line ends escaped."""
    from protocol.printable import escape  # imported late, because it is slow and most commands succeed

    return "\n".join(map(escape, text.split("\n")))
