"""How a command ends: its exit codes, and the sentence on stderr that goes with a failure."""

from __future__ import annotations

import sys
from typing import NoReturn

FAILED, MISUSED, INTERRUPTED = 1, 2, 130


def fail(text: str, code: int = FAILED) -> NoReturn:
    """Ends the command with one sentence on stderr."""
    print(f"magehall: {text}", file=sys.stderr)
    raise SystemExit(code)
