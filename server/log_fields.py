"""Fields of log lines, for programs that read the log."""

from __future__ import annotations

from typing import Any


def fields(event: str, **more: object) -> dict[str, Any]:
    """Returns the `extra` of a logging call: the name of what happened, and its fields.

    A text log shows the sentence alone; a JSON log has each field under its name. The log gets no secret of a match, no
    token and no password, although only the operator reads it.

    Args:
        event: One word for the kind of line, such as `session_ended`.
        more: Fields of that kind: `name`, `address`, `table`, `session`, `code`, `seconds` and others. None and ""
            are left out.
    """
    return {"event": event, "fields": {key: value for key, value in more.items() if value not in (None, "")}}
