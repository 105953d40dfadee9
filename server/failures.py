"""Logs unexpected exceptions of a running server without revealing secrets."""

from __future__ import annotations

import logging
import sys

from protocol.redacted_traceback import redact_error
from server.log_fields import extra_fields


def log_failure(log: logging.Logger, text: str, *args: object, **more: object) -> None:
    """Logs the current exception like `log.exception` does, but without its message, which could contain secrets.

    Args:
        log: The logger.
        text: The sentence to log, with a `%s` for each of `args`.
        args: The values in the sentence.
        more: Fields of the log line, for programs that read a JSON log.
    """
    error = sys.exc_info()[1]
    extra = extra_fields("failure", **more)
    log.error(text, *args, exc_info=None if error is None else redact_error(error), extra=extra)
