"""What is counted of letters that pile up."""

import pytest

from protocol.printable import columns_of, escape, longest_pile, pieces


@pytest.mark.parametrize(("text", "marks"), [("", 0), ("ab", 0), ("e\u0301b", 1), ("e\u0301\u0301a\u0301", 2)])
def test_marks_are_counted_letter_by_letter(text: str, marks: int) -> None:
    assert longest_pile(text) == marks


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
        ("a\x1b[2J", 80, (escape("a\x1b[2J"),)),
    ],
)
def test_a_text_is_broken_at_spaces_or_else_within_words_and_no_piece_is_too_wide(
    text: str, width: int, broken: tuple[str, ...]
) -> None:
    assert pieces(text, width) == broken
    assert max(map(columns_of, broken)) <= width
