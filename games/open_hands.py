"""Draws a table with all hands open: the public board, and below it what each seat alone sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice

from games.api import StyledLine, View, Words, plain_lines


def draw_open_hands(
    words: Words,
    public: View,
    views: Sequence[View],
    names: Sequence[str],
    heads: Sequence[str],
    width: int,
    height: int = 0,
) -> list[StyledLine]:
    """Draws the whole table.

    Args:
        words: The text interface of the game.
        public: The view of a spectator.
        views: The views of all seats, seat 1 first.
        names: The players' names in seat order.
        heads: A heading for each seat, above what that seat alone sees.
        width: The largest number of columns of a line.
        height: The preferred number of lines; 0 for no limit. The drawing takes more lines if it needs them.

    Returns:
        Styled lines.
    """
    hidden = seat_only_lines(words, public, views, names, heads, width, short=bool(height))
    room = height and full_board_height(words, public, names, width, height - len(hidden))
    return [*words.render_board(public, names, width, room), *hidden]


def seat_only_lines(
    words: Words,
    public: View,
    views: Sequence[View],
    names: Sequence[str],
    heads: Sequence[str],
    width: int,
    *,
    short: bool,
) -> list[StyledLine]:
    """Returns, below a heading for each seat, the lines of that seat's board that are not on the public board.

    With `short`, all seats use the one drawing of `Words.render_boards` for which these lines are fewest in total.
    """
    boards = partial(_boards, words, names, width - 2, short)
    known = {text for board in boards(public) for text in plain_lines(board)}

    def own_of(board: list[StyledLine]) -> list[StyledLine]:
        rows = [[(style, text.replace(words.own_row_mark, "", 1)) for style, text in line] for line in board]
        return [line for text, line in zip(plain_lines(rows), rows, strict=True) if text not in known]

    of_seats = [[own_of(board) for board in drawing] for drawing in zip(*map(boards, views), strict=True)]
    lines = list[StyledLine]()
    for head, own in zip(heads, min(of_seats, key=lambda each: sum(map(len, each))), strict=True):
        if own:
            lines.append([("hidden", head)])
            lines += [[("", "  "), *line] for line in own]
    return lines


def _boards(words: Words, names: Sequence[str], width: int, short: bool, view: View) -> Iterable[list[StyledLine]]:
    """Returns all drawings of a view, or only the longest one."""
    return islice(words.render_boards(view, names, width), None if short else 1)


def decision_height(words: Words, view: View, names: Sequence[str], width: int, usual: int, most: int) -> int:
    """Returns a height in lines that shows everything a decision needs: at least `usual`, at most `most`."""
    return min(
        most, max(usual, min(len(board) for board in islice(words.render_boards(view, names, width), words.whole)))
    )


def full_board_height(words: Words, view: View, names: Sequence[str], width: int, least: int) -> int:
    """Returns the smallest height in lines, at least `least`, in which one of the drawings of the view loses no
    line."""
    return max(least, min(map(len, words.render_boards(view, names, width))))
