"""Finds the rules page of a game in the current language."""

from __future__ import annotations

import re
from pathlib import Path

from games.api import Game
from games.spelling import normalize_spelling
from languages import current_language


def rules_page(game: Game) -> str:
    """Returns the text of a game's rules page.

    A page may describe only the differences from another page, `Game.base_rules`. In this case the sections of that
    other page follow, and each of their headings has the title of the other page.
    """
    page = translated_page_path(game.rules).read_text(encoding="utf-8")
    if game.base_rules is None:
        return page
    base = translated_page_path(game.base_rules).read_text(encoding="utf-8")
    title, _newline, rest = base.partition("\n")
    name = title.partition(",")[0].strip("# ")
    return f"{page.rstrip()}\n" + re.sub(r"(?m)^(## .*)$", rf"\1 ({name})", rest[rest.index("\n## ") :])


def rules_topic(game: Game, topic: str) -> str:
    """Returns the word that the rules page uses for a topic: the topic itself, or another word if it is a synonym."""
    words = game.words
    meant = {normalize_spelling(said): word for said, word in words.synonyms.items()}.get(normalize_spelling(topic))
    return topic if meant is None else words.vocabulary[meant]


def translated_page_path(page: Path) -> Path:
    """Returns the path of a page in the current language, such as `README.fr.md` beside `README.md`; the given path if
    the page is not translated."""
    said = page.with_suffix(f".{current_language()}.md")
    return said if said.is_file() else page
