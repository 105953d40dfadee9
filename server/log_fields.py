"""Structured fields of log lines, for programs that read the log."""

from __future__ import annotations

from typing import Any


def fields(event: str, **more: object) -> dict[str, Any]:
    """Returns the `extra` argument of a logging call: the name of the event, and its fields.

    A text log shows only the sentence; a JSON log has each field under its name. Fields must contain no secret of a
    match, no token and no password, although only the operator reads the log.

    Args:
        event: One word for the kind of event, such as `session_ended`.
        more: Fields of that kind: `name`, `address`, `table`, `session`, `code`, `seconds` and others. None and "" are
            left out.
    """
    return {"event": event, "fields": {key: value for key, value in more.items() if value not in (None, "")}}
