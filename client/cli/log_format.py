"""Formats the lines of the server's log: as text for people, or as JSON for programs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class TextFormatter(logging.Formatter):
    """Formats a log record as one line of text: time with its zone, level, part of the program, sentence."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """Returns the local time to the millisecond, with the offset from UTC."""
        return datetime.fromtimestamp(record.created).astimezone().isoformat(" ", "milliseconds")


class JsonFormatter(logging.Formatter):
    """Formats a log record as a JSON object on one line: `time` (UTC), `level`, `part`, `event`, `text`, and the fields
    of that event."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line. A field of the event never replaces one of the names above."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "part": record.name,
            "event": getattr(record, "event", "message"),
            "text": record.getMessage(),
        }
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        more = {key: value for key, value in getattr(record, "fields", {}).items() if key not in entry}
        return json.dumps({**entry, **more}, ensure_ascii=False, default=str)
