"""How a command ends: its exit codes, and the sentence on stderr that goes with a failure."""

from __future__ import annotations

import sys
from typing import NoReturn

FAILED, MISUSED, INTERRUPTED = 1, 2, 130


def fail(text: str, code: int = FAILED) -> NoReturn:
    """Ends the command with one sentence on stderr. A file or a server may be quoted in it."""
    print(f"magehall: {escaped(text)}", file=sys.stderr)
    raise SystemExit(code)


def escaped(text: str) -> str:
    """The lines, with everything spelled out that a terminal could take for a command."""
    from protocol.printable import escape  # takes a moment, and most commands end well

    return "\n".join(map(escape, text.split("\n")))
