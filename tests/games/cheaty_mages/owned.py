"""Card files of one's own: the tiny arena, and one with few cards whose every figure differs from the printed one."""

from __future__ import annotations

import re
from pathlib import Path

from games import cheaty_mages

FOLDER = Path(cheaty_mages.__file__).parent
TEXT = (FOLDER / "cards.toml").read_text(encoding="utf-8")
TINY = (FOLDER / "tiny-arena.toml").read_text(encoding="utf-8")


def changed(text: str, *changes: tuple[str, str]) -> str:
    """The text with each change made once."""
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return text


FEW = changed(  # two or three seats, four rounds, three fighters, of whom two are bet on, and one judge
    re.sub(r"count = [1-9]", "count = 1", TEXT[: TEXT.index("[[judge]]")] + TEXT[TEXT.index("# In the arena;") :]),
    ("rounds = 3\nfighters = 5\nbets = 3\n", "rounds = 4\nfighters = 3\nbets = 2\ndraws_after_no_winner = false\n"),
    ("{ 3 = 8, 4 = 8, 5 = 6, 6 = 5 }", "{ 2 = 6, 3 = 5 }"),
    ("{ 3 = 4, 4 = 4, 5 = 3, 6 = 3 }", "{ 2 = 3, 3 = 2 }"),
    ("{ 3 = 8, 4 = 8, 5 = 6, 6 = 6 }", "{ 2 = 6, 3 = 6 }"),
    ("# In the arena;", '[[judge]]\nname = "ann"\ntitle = "Ann"\nrefuses = ["forbidden"]\n\n# In the arena;'),
    ('refuses = ["forbidden"]', 'refuses = ["forbidden"]\njudgement = { limit = 4, verdict = "eject" }'),
)
