"""Exit codes of commands, and functions that print the reason for a failure on stderr."""

from __future__ import annotations

import errno
from typing import NoReturn

from client.language import _

FAILED, MISUSED, INTERRUPTED = 1, 2, 130
_OF_A_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)


def exit_with_error(text: str, code: int = FAILED) -> NoReturn:
    """Prints one sentence on stderr and ends the command. Control characters are escaped, because it may quote a file
    or a server."""
    print_error(text)
    raise SystemExit(code)


def print_error(text: str) -> None:
    """Prints one sentence on stderr."""
    from bots.sdk.stderr import print_to_stderr  # imported late, because it is slow and most commands succeed

    print_to_stderr(f"magehall: {text}")


def disk_error_text(error: BaseException) -> str:
    """Returns the sentence for a command whose output could not be written because the disk is full or failing; "" if
    the error is another one."""
    if not isinstance(error, OSError) or error.errno not in _OF_A_DISK:
        return ""
    return _("The output cannot be written: {strerror}.", strerror=error.strerror)


def escape_controls(text: str) -> str:
    """Returns the text with all control characters except line ends escaped."""
    from protocol.printable import escape_text  # imported late, because it is slow and most commands succeed

    return "\n".join(map(escape_text, text.split("\n")))
