"""Texts by columns: wide letters take two, accents none, and no board is wider than its terminal."""

from __future__ import annotations

import re
from itertools import count

import pytest

from games.api import options_from, plain_lines
from games.chance import Chance
from games.columns import (
    clip_name,
    clip_names,
    clip_text,
    clip_with_dots,
    pack_spans,
    pad_text,
    text_columns,
    wrap_text,
)
from games.registry import get_game

WIDE_TITLE = "大きな火の玉と長い名前のカード"


def test_names_that_would_become_the_same_keep_their_ends() -> None:
    assert clip_names(("greedy:hard", "greedy:easy", "bob"), 10) == ["greedy:har", "greedy:eas", "bob"]
    assert clip_names(("greedy:hard", "greedy:easy", "greedy:happy"), 6) == ["gree~d", "gre~sy", "gre~py"]
    assert max(map(text_columns, clip_names(("大きな火の玉", "大きな火の花"), 6))) <= 6


def test_a_wide_letter_takes_two_columns_and_an_accent_none() -> None:
    assert text_columns("abc") == 3
    assert text_columns("火の玉") == 6
    assert text_columns("e\u0301") == 1


def test_a_text_is_cut_and_padded_by_columns() -> None:
    assert clip_text("火の玉", 5) == "火の"
    assert [clip_text(text, -1) for text in ("ab", "火の玉", "")] == ["", "", ""], "there is no room at all"
    assert pad_text("火の玉", 5) == "火の "
    assert pad_text("ab", 4) == "ab  "


def test_a_sentence_that_is_cut_says_so_and_a_name_keeps_the_number_that_tells_it_from_others() -> None:
    assert clip_with_dots("You advance 2 through hurdles.", 30) == "You advance 2 through hurdles."
    assert clip_with_dots("You advance 2 through hurdles.", 23) == "You advance 2.."
    assert clip_with_dots("incomprehensible", 8) == "incomp..", "all columns are used"
    assert [clip_name(name, 6) for name in ("hurdler", "hurdler-2", "anna")] == ["hurdle", "hurd-2", "anna"]
    assert [clip_name(name, 6) for name in ("an-1", "anna-1", "ann-12", "anna-x")] == [
        "an-1",
        "anna-1",
        "ann-12",
        "anna-x",
    ]
    assert [clip_name(name, 6) for name in ("hurdler-12", "hurdler-123")] == ["hur-12", "hurdle"], (
        "no number is as long"
    )


@pytest.mark.parametrize("width", [7, 12, 20])
def test_wide_text_is_wrapped_within_its_columns_and_nothing_is_lost(width: int) -> None:
    text = f"fire 火の玉{WIDE_TITLE} und später noch mehr"
    rows = wrap_text(text, width, "- ", "  ")
    assert all(text_columns(row) <= width for row in rows)
    assert "".join("".join(row[2:] for row in rows).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "width", "rows"),
    [
        ("où es-tu été", 8, ["- où", "  es-tu", "  été"]),
        ("là-bas", 8, ["- là-bas"]),
        ("là-bas à", 9, ["- là-bas", "  à"]),
        ("là-bas à", 10, ["- là-bas à"]),
        ("à là-bas", 6, ["- à", "  là-b", "  as"]),
        ("玉 á 火", 4, ["- 玉", "  á", "  火"]),
        ("玉 á 火", 9, ["- 玉 á 火"]),
        ("玉火", 3, ["- 玉", "  火"]),
    ],
)
def test_letters_beyond_ascii_are_wrapped_behind_the_indent_and_at_spaces_as_others(
    text: str, width: int, rows: list[str]
) -> None:
    assert wrap_text(text, width, "- ", "  ") == rows


@pytest.mark.parametrize(
    ("width", "rows"),
    [
        (17, ["ab, cdef, ghi, kl"]),
        (16, ["ab, cdef, ghi", "  kl"]),
        (9, ["ab, cdef", "  ghi, kl"]),
        (8, ["ab, cdef", "  ghi", "  kl"]),
        (7, ["ab", "  cdef", "  ghi", "  kl"]),
        (5, ["ab", "  cde", "  ghi", "  kl"]),
    ],
)
def test_parts_are_joined_in_rows_that_are_as_full_as_they_can_be_and_the_later_ones_stand_further_in(
    width: int, rows: list[str]
) -> None:
    parts = [("key", "ab"), ("", "cdef"), ("good", "ghi"), ("", "kl")]
    lines = pack_spans(parts, width)
    assert plain_lines(lines) == rows
    spans = [span for line in lines for span in line if span[1].strip(", ")]
    assert spans == [(style, text[: width - 2]) for style, text in parts]


@pytest.mark.parametrize("id_", ["magecraft", "mages-110m", "ikasamage"])
def test_no_board_with_wide_titles_is_wider_than_forty_columns(id_: str) -> None:
    game = get_game(id_)  # with cards that an owner may replace
    source = game.rules.with_name("cards.toml").read_text(encoding="utf-8")
    numbers = count(100)
    wide = re.sub(r'(\btitle = |\ben = )"[^"]*"', lambda it: f'{it[1]}"{WIDE_TITLE}{next(numbers)}"', source)
    state, _told = game.with_cards(wide).start(game.min_seats, options_from(game, {}), Chance.of_number(1))
    names = [f"mage-{number}" for number in range(game.min_seats)]
    seat = min(state.to_move())
    rows = plain_lines(game.with_cards(wide).words.render_board(state.view(seat), names, 40))
    assert WIDE_TITLE[:5] in "".join(rows)
    assert max(map(text_columns, rows)) <= 40


def test_a_vowel_with_a_width_of_its_own_counts_wherever_a_text_is_cut() -> None:
    text = "000\u093e0\u093e"  # Devanagari: it stands behind the letter before
    assert text_columns(text) == 6
    assert [text_columns(clip_text(text, width)) for width in range(7)] == list(range(7))
    assert text_columns(text[:3]) + text_columns(text[3:]) == 6
