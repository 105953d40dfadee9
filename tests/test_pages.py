"""The pages for people: their links lead somewhere, and the README is short and has its pictures."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.site import ROOT, pages


@cache
def anchors(path: Path) -> frozenset[str]:
    """Returns the anchors of a page: its headings, as GitHub writes them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), target


def test_the_readme_has_at_most_900_words_and_shows_two_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 900
    assert len(re.findall(r"^!\[.+\]\(docs/pictures/\w+\.svg\)$", text, re.MULTILINE)) == 2
