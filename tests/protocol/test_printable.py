"""What is counted of letters that pile up."""

import pytest

from protocol.printable import MARKS, break_lines, escape_text, most_stacked_marks, text_columns


@pytest.mark.parametrize(("text", "marks"), [("", 0), ("ab", 0), ("e\u0301b", 1), ("e\u0301\u0301a\u0301", 2)])
def test_marks_are_counted_letter_by_letter(text: str, marks: int) -> None:
    assert most_stacked_marks(text) == marks


@pytest.mark.parametrize(
    ("text", "width", "broken"),
    [
        ("", 5, ("",)),
        ("one two", 7, ("one two",)),
        ("one two", 6, ("one", "two")),
        ("a  b   c", 5, ("a b c",)),
        ("abcdef", 3, ("abc", "def")),
        ("ab abcdefg h", 3, ("ab", "abc", "def", "g h")),
        ("魔法 魔", 4, ("魔法", "魔")),
        ("魔法魔", 5, ("魔法", "魔")),
        ("e\u0301e\u0301e", 2, ("e\u0301e\u0301", "e")),
        ("a\x1b[2J", 80, (escape_text("a\x1b[2J"),)),
    ],
)
def test_a_text_is_broken_at_spaces_or_else_within_words_and_no_piece_is_too_wide(
    text: str, width: int, broken: tuple[str, ...]
) -> None:
    assert break_lines(text, width) == broken
    assert max(map(text_columns, broken)) <= width


PILE = "\u0301" * MARKS


@pytest.mark.parametrize("before", ["", "e", "ee", f"e{PILE}e"])
def test_of_a_pile_of_marks_only_those_that_are_too_high_are_spelled_out(before: str) -> None:
    assert escape_text(f"{before}{PILE}") == f"{before}{PILE}"
    assert escape_text(f"{before}{PILE}\u0301\u0301b\u0301") == f"{before}{PILE}\\u{{301}}\\u{{301}}b\u0301"


def test_a_vowel_that_stands_beside_its_letter_takes_a_column_and_one_above_it_none() -> None:
    assert text_columns("\u0085क") == 1, "which no terminal shows"
    assert text_columns("क") == 1
    assert text_columns("क\u0940") == 2
    assert text_columns("क\u0947") == 1
    assert text_columns("魔") == 2


def test_what_shows_nothing_is_spelled_out_to_the_last_of_its_kind() -> None:
    for letter in "\ufe00\ufe0f\U000e0100\U000e01ef\u3164":
        assert escape_text(f"a{letter}") == f"a\\u{{{ord(letter):x}}}"
    for letter in "\ufdff\ufe10\u3163":
        assert escape_text(letter) == letter
