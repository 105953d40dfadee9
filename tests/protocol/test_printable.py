"""What is counted of letters that pile up."""

import pytest

from protocol.printable import longest_pile


@pytest.mark.parametrize(("text", "marks"), [("", 0), ("ab", 0), ("e\u0301b", 1), ("e\u0301\u0301a\u0301", 2)])
def test_marks_are_counted_letter_by_letter(text: str, marks: int) -> None:
    assert longest_pile(text) == marks
