"""Cuts a game's rules page for people: to its table of contents, one section, one rule, or the rules that mention a
word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from people.language import _

CONTENTS = "contents"
_SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_UNREAD = ("Balance", "Chance", "Describing a position", "The card file")  # sections only for authors of bots or cards


def find_rules_section(page: str, topic: str) -> str:
    """Returns the part of a rules page on a topic, without Markdown. The topic is `contents`, the number of a section
    or rule, or a word that rules mention. For "" the page is returned unchanged."""
    if not topic:
        return page
    sections = dict(_sections(page))
    if topic == CONTENTS:
        title = page.partition("\n")[0].removeprefix("# ")
        rows = [f"  {heading}" for heading in sections]
        return "\n".join([title, *rows, _("rules 4 shows section 4, rules 4.2 one rule, rules WORD what mentions it.")])
    found = list(_matching(sections, topic))
    return (
        _plain("\n".join(found))
        if found
        else _("No rule mentions {topic!r}; rules shows the contents.", topic=topic[:32])
    )


def rule_sections(page: str) -> list[tuple[str, list[str]]]:
    """Returns the sections of a rules page that are for players, without Markdown: each heading with the section's
    rules, one line each. The first heading is the page's title, with its introduction."""
    title, _newline, introduction = _SECTION.split(page)[0].partition("\n")
    sections = [(title.removeprefix("# "), introduction), *_sections(page)]
    return [(_plain(heading), [_plain(rule) for rule in _rules(text)]) for heading, text in sections]


def without_author_sections(page: str) -> str:
    """Returns the rules page without the sections that are only for authors of bots or cards."""
    head, *parts = re.split(r"(?m)^(?=## )", page)
    return head + "".join(part for part in parts if not part.removeprefix("## ").startswith(_UNREAD))


def _sections(page: str) -> Iterator[tuple[str, str]]:
    parts = _SECTION.split(page)[1:]
    for heading, text in zip(parts[::2], parts[1::2], strict=True):
        if not heading.startswith(_UNREAD):
            yield heading, text.strip()


def _matching(sections: dict[str, str], topic: str) -> Iterator[str]:
    if _NUMBER.fullmatch(topic) and "." not in topic:
        for heading, text in sections.items():
            if re.match(rf"{topic}(?![0-9])", heading):
                yield "\n".join([heading, *_rules(text)])
        return
    sought = rf"\*\*{re.escape(topic)}\*\*" if _NUMBER.fullmatch(topic) else rf"\b{re.escape(topic)}"
    for heading, text in sections.items():
        rules = [rule for rule in _rules(text) if re.search(sought, rule, re.IGNORECASE)]
        if rules:
            yield "\n".join([heading, *rules])


def _rules(text: str) -> list[str]:
    """Returns the rules in a section: each paragraph, and each entry of a list or table, as one line."""
    blocks = re.split(r"\n\s*\n|\n(?=[-*] )", "\n".join(_without_tables(text.split("\n"))))
    return [" ".join(block.split()) for block in blocks if block.strip()]


def _without_tables(lines: list[str]) -> Iterator[str]:
    """Yields the lines with each row of a Markdown table turned into an entry of a list: the row's first cell, then
    each other cell after the head of its column."""
    head: list[str] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if not line.startswith("|"):
            head = []
            yield line
        elif not head:
            head = _cells(line)
        elif not line.startswith(("|-", "| -")):
            first, *others = _cells(line)
            said = [
                _("{what}: {text}", what=what, text=cell) if what else cell
                for what, cell in zip(head[1:], others, strict=False)
                if cell not in ("", "-")
            ]
            yield f"- {_('; ').join([first, *said])}"
        if line.startswith("|") and not below.startswith("|"):
            yield ""


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _plain(text: str) -> str:
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(\*\*|\*|`)([^*`\s][^*`]*)\1", r"\2", text)
