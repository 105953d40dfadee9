"""Lines for people fit into their terminal, and lose nothing."""

from __future__ import annotations

import pytest

from people.text.folding import LEAST_COLUMNS, join_wrapped_rows, shift_prompt_mark, wrap_lines
from people.text.help import help_page
from protocol.printable import text_columns

LINES = (
    "The match begins: 1 ann, 2 greedy, 3 random. Commitment to the deal: " + "0123456789abcdef" * 4,
    "> Place your bet: bet and a fighter's number, such as: bet 3 (330 s)",
    "* ann casts Fireball (burns, mana 3) on 3 Gandalf the Grey, who is now at 12.",
    "    1  cast fireball 3",
    "  who [NAME]             list the players, from after that name, and what they do there",
    "ひらがな " * 30,
    "x" * 300,
    "  " + "y" * 300,
    "a" * 19 + " " + "b" * 19 + "  c",
    "",
)


@pytest.mark.parametrize("width", [LEAST_COLUMNS, 39, 60, 80, 81, 500])
@pytest.mark.parametrize("line", LINES)
def test_a_folded_line_fits_and_keeps_every_letter_and_stands_in(line: str, width: int) -> None:
    first, *others = wrap_lines([line], width)
    assert all(text_columns(row) <= width for row in (first, *others))
    assert "".join([first, *others]).replace(" ", "") == line.replace(" ", "")
    assert all(row.startswith("  ") for row in others), "none looks like a line of its own"
    if text_columns(line) <= width:
        assert (first, others) == (line, [])


def test_a_row_of_a_list_is_folded_below_its_second_column() -> None:
    assert list(wrap_lines(["  who [NAME]   who is here, and what they do there"], 36)) == [
        "  who [NAME]   who is here, and what",
        "               they do there",
    ]


def test_no_line_of_a_board_begins_as_a_prompt_does() -> None:
    board = [">1 ann: 3 gold", " 2 bob: 2 gold", ">12 carl", "> here", "a > b"]
    assert [shift_prompt_mark(line) for line in board] == [
        " 1>ann: 3 gold",
        " 2 bob: 2 gold",
        " 12>carl",
        " >here",
        "a > b",
    ]


def test_a_number_stays_with_its_word() -> None:
    line = "t1   ikasamage, open: 1 ann, 2 greedy, 3 greedy-2, 4 greedy-3, 5 greedy-4, 6 random"
    assert list(wrap_lines([line], 80)) == [line.removesuffix(" 6 random"), "     6 random"]


@pytest.mark.parametrize("width", [30, 40, 60, 79, 80, 200])
def test_a_page_that_was_made_for_80_columns_is_folded_anew_for_narrower_ones(width: int) -> None:
    page = help_page("", {}).split("\n")
    rows = list(wrap_lines(join_wrapped_rows(page, width), width))
    assert max(map(text_columns, rows)) <= width
    assert "".join("".join(page).split()) == "".join("".join(rows).split())
    if width >= 80:
        assert rows == page
