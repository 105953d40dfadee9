"""The rules page of a game in the language of whoever reads it."""

from __future__ import annotations

import re
from pathlib import Path

from games.api import Game
from games.spelling import folded
from languages import language


def rules_page(game: Game) -> str:
    """The page, and below it the sections of the one from which it says what differs, each with that one's name."""
    page = in_language(game.rules).read_text(encoding="utf-8")
    if game.base_rules is None:
        return page
    base = in_language(game.base_rules).read_text(encoding="utf-8")
    title, _newline, rest = base.partition("\n")
    name = title.partition(",")[0].strip("# ")
    return f"{page.rstrip()}\n" + re.sub(r"(?m)^(## .*)$", rf"\1 ({name})", rest[rest.index("\n## ") :])


def topic_of(game: Game, topic: str) -> str:
    """The topic in the words of the page, where it is another word for one of them."""
    words = game.words
    meant = {folded(said): word for said, word in words.synonyms.items()}.get(folded(topic))
    return topic if meant is None else words.vocabulary[meant]


def in_language(page: Path) -> Path:
    """`README.fr.md` beside `README.md` is it in French; where there is none, they are the game's own."""
    said = page.with_suffix(f".{language()}.md")
    return said if said.is_file() else page
