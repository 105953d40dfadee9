"""The pages for people: their links lead somewhere, and long ones have a table of contents."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.helpers.commands import commands
from tests.helpers.site import CONFIG, ROOT, pages

WITH_CONTENTS = ["PROTOCOL.md", "PROTOCOL-REFERENCE.md", "HOUSE.md", "CONTRIBUTING.md", "bots/README.md"]
WITH_CONTENTS += sorted(f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md"))


@cache
def headings(path: Path) -> tuple[str, ...]:
    """Returns the headings of a page from the second level on, each with its marks, without those within code."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return tuple(re.findall(r"^#+ .*$", text, re.MULTILINE))


def anchor(heading: str) -> str:
    """Returns the anchor of a heading as GitHub writes it."""
    return re.sub(r"[^\w -]", "", heading.lstrip("#").strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]*)\)", page.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        name, _, wanted = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        assert path.exists(), target
        assert not wanted or wanted in {anchor(heading) for heading in headings(path)}, target


@pytest.mark.parametrize("page", WITH_CONTENTS)
def test_a_page_begins_with_links_to_all_of_its_sections(page: str) -> None:
    found = [anchor(heading) for heading in headings(ROOT / page) if heading.startswith("## ")]
    before = (ROOT / page).read_text(encoding="utf-8").partition("\n## ")[0]
    assert re.findall(r"^- \[.*?\]\(#(.*?)\)$", before, re.MULTILINE) == found


def test_the_site_has_every_page_of_docs() -> None:
    listed = re.findall(r": (\S+\.md)$", CONFIG, re.MULTILINE)
    assert len(set(listed)) == len(listed)
    assert {page for page in WITH_CONTENTS if page.startswith("docs/")} <= set(listed)


def test_the_readme_has_at_most_900_words_and_shows_two_pictures() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.split()) <= 900
    assert len(re.findall(r"^!\[.+\]\(docs/pictures/\w+\.svg\)$", text, re.MULTILINE)) == 2


@cache
def options() -> dict[str, set[str]]:
    """Returns the options of every command, by its words; those of a command that is listed twice together."""
    found: dict[str, set[str]] = {}
    for words, command in commands():
        found.setdefault(words, {"--help"}).update(name for param in command.params for name in param.opts)
    return found


def command_lines(page: Path) -> list[list[str]]:
    """Returns the words after `magehall` of each command on a page, in code blocks and in sentences."""
    blocks = re.split(r"^ *```.*$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = re.findall(r"^(?:\$ |sudo -u magehall )?magehall (.*)", "\n".join(blocks[1::2]), re.MULTILINE)
    found += re.findall(r"`magehall\s([^`]+)`", "\n".join(blocks[::2]))
    return [re.findall(r"'[^']*'|\S+", re.split(r"   +|#", line.strip())[0]) for line in found]


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_on_a_page_exists_with_its_options(page: Path) -> None:
    for words in command_lines(page):
        command, known = "", set(options()[""])
        for word in words:
            name = word.partition("=")[0]
            if f"{command} {word}".strip() in options():
                command = f"{command} {word}".strip()
                known |= options()[command]
            assert not re.match(r"--\w", name) or name in known, " ".join(words)
        assert command or words[0].startswith("--"), " ".join(words)


def test_the_check_of_commands_notices_a_wrong_option() -> None:
    assert "--cross" in options()["lab"]
    assert "--no-such-option" not in options()["lab"]
    assert ["lab", "magecraft", "--cross", "--deals", "20"] not in command_lines(ROOT / "README.md")
    assert ["tournament", "audit", "FILE"] in command_lines(ROOT / "docs" / "tournaments.md")
