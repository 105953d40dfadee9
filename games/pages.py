"""Finds the rules page of a game in the current language."""

from __future__ import annotations

import re
from pathlib import Path

from games.api import Game
from games.spelling import fold_spelling
from languages import language


def rules_page(game: Game) -> str:
    """Returns the text of a game's rules page.

    A page may describe only the differences from another page, `Game.base_rules`. In this case the sections of that
    other page follow, and each of their headings has the title of the other page.
    """
    page = translated_page(game.rules).read_text(encoding="utf-8")
    if game.base_rules is None:
        return page
    base = translated_page(game.base_rules).read_text(encoding="utf-8")
    title, _newline, rest = base.partition("\n")
    name = title.partition(",")[0].strip("# ")
    return f"{page.rstrip()}\n" + re.sub(r"(?m)^(## .*)$", rf"\1 ({name})", rest[rest.index("\n## ") :])


def topic_of(game: Game, topic: str) -> str:
    """Returns the word that the rules page uses for a topic: the topic itself, or another word if it is a synonym."""
    words = game.words
    meant = {fold_spelling(said): word for said, word in words.synonyms.items()}.get(fold_spelling(topic))
    return topic if meant is None else words.vocabulary[meant]


def translated_page(page: Path) -> Path:
    """Returns the path of a page in the current language, such as `README.fr.md` beside `README.md`; the given path if
    the page is not translated."""
    said = page.with_suffix(f".{language()}.md")
    return said if said.is_file() else page
