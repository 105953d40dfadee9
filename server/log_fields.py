"""Structured fields of log lines, for programs that read the log."""

from __future__ import annotations

from typing import Any


def extra_fields(event: str, **more: object) -> dict[str, Any]:
    """Returns the argument `extra` for a logging call: the name of the event, and its fields.

    A text log shows only the sentence of a log line; a JSON log also has each field under its name. The fields must not
    contain a secret of a match, a token or a password, although only the operator reads the log.

    Args:
        event: One word for the kind of event, such as `session_ended`.
        more: The fields of such an event: `name`, `address`, `table`, `session`, `code`, `seconds` and others. A field
            whose value is None or "" is left out.
    """
    return {"event": event, "fields": {key: value for key, value in more.items() if value not in (None, "")}}
