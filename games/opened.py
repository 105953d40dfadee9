"""A table with all hands open, as lines: what everybody sees, and below it what each seat alone does. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import Line, View, Words, plain

SHORT = 8  # lines of a board of which only the differences are shown


def open_board(
    words: Words, public: View, views: Sequence[View], names: Sequence[str], width: int, height: int = 0
) -> list[Line]:
    """The whole table; with a `height` in about so many lines. `views` are those of all seats, first seat first."""
    hidden = hidden_lines(words, public, views, names, width, short=bool(height))
    room = max(height - len(hidden), min(height, SHORT))
    return [*words.board(public, names, width, room), *hidden]


def hidden_lines(
    words: Words, public: View, views: Sequence[View], names: Sequence[str], width: int, *, short: bool = False
) -> list[Line]:
    """What only one seat sees: the lines of its board, or of its short one, that the public board does not have."""

    def board(view: View) -> dict[str, Line]:
        drawn = words.board(view, names, width - 2 * short, SHORT * short)
        return dict(zip(plain(drawn), drawn, strict=True))

    known, lines = board(public), list[Line]()
    for name, view in zip(names, views, strict=True):
        own = [line for text, line in board(view).items() if text not in known]
        if own:
            lines.append([("hidden", f"Only {name} sees:")])
            lines += [[("", "  "), *line] for line in own]
    return lines
