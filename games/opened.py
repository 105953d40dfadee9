"""A table with all hands open, as lines: what everybody sees, and below it what each seat alone does. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice

from games.api import Line, View, Words, plain


def open_board(
    words: Words,
    public: View,
    views: Sequence[View],
    names: Sequence[str],
    heads: Sequence[str],
    width: int,
    height: int = 0,
) -> list[Line]:
    """The whole table; with a `height` in about so many lines, or as many as it takes. `views` are those of all
    seats, first seat first; each of `heads` stands above what that seat alone sees."""
    hidden = hidden_lines(words, public, views, names, heads, width, short=bool(height))
    room = height and whole_height(words, public, names, width, height - len(hidden))
    return [*words.board(public, names, width, room), *hidden]


def hidden_lines(
    words: Words,
    public: View,
    views: Sequence[View],
    names: Sequence[str],
    heads: Sequence[str],
    width: int,
    *,
    short: bool,
) -> list[Line]:
    """What only one seat sees: the lines of its board that no public board has; `short` takes, for all seats alike, the
    drawing that has the fewest of them."""
    boards = partial(_boards, words, names, width - 2, short)
    known = {text for board in boards(public) for text in plain(board)}

    def own_of(board: list[Line]) -> list[Line]:
        rows = [[(style, text.replace(words.own_mark, "", 1)) for style, text in line] for line in board]
        return [line for text, line in zip(plain(rows), rows, strict=True) if text not in known]

    of_seats = [[own_of(board) for board in drawing] for drawing in zip(*map(boards, views), strict=True)]
    lines = list[Line]()
    for head, own in zip(heads, min(of_seats, key=lambda each: sum(map(len, each))), strict=True):
        if own:
            lines.append([("hidden", head)])
            lines += [[("", "  "), *line] for line in own]
    return lines


def _boards(words: Words, names: Sequence[str], width: int, short: bool, view: View) -> Iterable[list[Line]]:
    """All drawings of that view, or the longest alone."""
    return islice(words.boards(view, names, width), None if short else 1)


def board_height(words: Words, view: View, names: Sequence[str], width: int, usual: int, most: int) -> int:
    """The lines for a board of that view: `usual`, or as many of `most` as it takes to show all that a decision
    needs."""
    return min(most, max(usual, min(len(board) for board in islice(words.boards(view, names, width), words.whole))))


def whole_height(words: Words, view: View, names: Sequence[str], width: int, least: int) -> int:
    """The smallest height, `least` or more, in which a board of that view loses no row."""
    return max(least, min(map(len, words.boards(view, names, width))))
