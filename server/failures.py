"""Our own errors in the log of a running server."""

from __future__ import annotations

import logging
import sys

from protocol.withheld import withheld


def log_failure(log: logging.Logger, text: str, *args: object) -> None:
    """Logs the error that is dealt with right now, as `log.exception` does, but for its words."""
    error = sys.exc_info()[1]
    log.error(text, *args, exc_info=None if error is None else withheld(error))
