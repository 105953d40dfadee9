"""The overview tables on the pages of the protocol, and the example bots in other languages."""

from __future__ import annotations

from pathlib import Path

from protocol import limits
from protocol import messages as m
from protocol.errors import CODES, GOODBYES
from protocol.messages.exchanges import EXCHANGES
from protocol.page.markdown import heading_link, markdown_table, message_tag

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "bots" / "other_languages"

_LANGUAGES = {".pl": "perl", ".sh": "bash"}


def overview_tables() -> dict[str, str]:
    """Returns the generated blocks of the protocol pages, by the names of their markers in the pages."""
    made = {
        "requests": requests_table(),
        "errors": errors_table(),
        "goodbyes": markdown_table(("reason", "meaning"), [(f"`{name}`", text) for name, text in GOODBYES.items()]),
        "limits": limits_table(),
        "audience": receivers_table(),
    }
    for path in sorted(BOTS.iterdir()):
        if path.suffix in _LANGUAGES:
            text = path.read_text(encoding="utf-8").rstrip("\n")
            made[f"bot-{_LANGUAGES[path.suffix]}"] = f"```{_LANGUAGES[path.suffix]}\n{text}\n```\n"
    return made


def requests_table() -> str:
    """Returns the table of requests: who may send each, its answer and its weight."""
    rows = [
        (
            heading_link(message_tag(row.request)),
            row.asker.value,
            heading_link(message_tag(row.answer)),
            f"{row.weight:g}",
        )
        for row in EXCHANGES.values()
    ]
    return markdown_table(("request", "from", "answer", "weight"), rows)


def receivers_table() -> str:
    """Returns a table that says who receives each message."""
    head = ("message", "the seat it is about", "other seats", "spectators", "others")
    return markdown_table(head, [(heading_link(message_tag(kind)), *kind.recipients) for kind in m.TOLD])


def errors_table() -> str:
    """Returns the table of error codes."""
    rows = [
        (f"`{code.name}`", code.translated_text, "yes" if code.again else "", "yes" if code.closes else "")
        for code in CODES.values()
    ]
    return markdown_table(("code", "meaning", "`again`", "`closes`"), rows)


def limits_table() -> str:
    """Returns the table of limits with the default, the bounds and the reason of each."""
    rows = [(f"`{one.name}`", f"{one.default:,}", _set(one), one.reason) for one in limits.all_limits().values()]
    return markdown_table(("limit", "value", "may be", "remark"), rows)


def _set(one: limits.Limit) -> str:
    """Returns the range that a server may set a limit to, or "" for a fixed limit."""
    return "" if one.kind is limits.FIXED else f"{one.bounds.least:,} to {one.bounds.most:,}"
