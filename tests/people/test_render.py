"""Lines for terminals: nothing a peer wrote can command one, nothing is wider than it, colour only adds."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

import pytest

from games.api import STYLES
from people.render import ansi_text, arrange_columns, highlight_name, plain_text, wrap_rows


@cache
def dangerous() -> list[str]:
    """Every control and format character there is."""
    every = map(chr, range(sys.maxunicode + 1))
    return [character for character in every if unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")]


def test_c04_every_control_and_format_character_of_a_peer_is_escaped() -> None:
    assert len(dangerous()) > 200
    for character in dangerous():
        (row,) = wrap_rows([[("", f"a{character}b")]], 80)
        assert plain_text(row) == f"a\\u{{{ord(character):x}}}b"


def test_a_message_of_nothing_but_dangerous_characters_leaves_printable_ascii() -> None:
    for row in wrap_rows([[("key", "".join(dangerous()))]], 80):
        assert plain_text(row).isascii()
        assert plain_text(row).isprintable()


@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_row_is_wider_than_the_terminal(width: int) -> None:
    texts = ["short", "many words " * 20, "x" * 300, "  indented " + "w" * 90 + " and more words", " " * 90 + "end"]
    for text in texts:
        folded = [plain_text(row) for row in wrap_rows([[("", text)]], width)]
        assert max(map(len, folded)) <= width
        assert "".join("".join(folded).split()) == "".join(text.split())


def test_rows_after_the_first_stand_further_in() -> None:
    folded = [plain_text(row) for row in wrap_rows([[("", "  one two three four five six")]], 20)]
    assert folded == ["  one two three four", "    five six"]


def test_styles_survive_folding() -> None:
    folded = list(wrap_rows([[("key", "ann: "), ("", "hello there my friends")]], 20))
    assert folded[0][0] == ("key", "ann:")
    assert plain_text(folded[0]) == "ann: hello there my"


def test_colour_adds_nothing_but_colour() -> None:
    for style in STYLES:
        shown = ansi_text([(style, "might")])
        assert shown.replace("\x1b[0m", "").endswith("might")
        assert (shown == "might") == (style == "")
        assert plain_text([(style, "might")]) == "might"


def test_only_the_whole_own_name_is_highlighted() -> None:
    line = highlight_name([("", "Ann, annabel and ann-2 greet ann.")], "ann")
    assert [text for style, text in line if style == "you"] == ["Ann", "ann"]
    assert plain_text(line) == "Ann, annabel and ann-2 greet ann."


def test_long_lists_stand_in_columns_that_fit() -> None:
    texts = [f"{number:>4}  cast fireball {number}" for number in range(1, 32)]
    listed = arrange_columns(texts, 80)
    assert max(map(len, listed)) <= 80
    assert len(listed) == 11
    assert sorted(word for row in listed for word in row.split()) == sorted(
        word for text in texts for word in text.split()
    )
    assert arrange_columns(texts, 25) == texts
    assert arrange_columns([], 80) == []
