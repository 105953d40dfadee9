"""The screen of a person at one moment, for any renderer: a terminal, plain lines or a page. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from games.api import Line
from matches.results import placed
from people.choices import Choice, choices
from people.confirming import is_held
from people.language import _
from people.page import Page
from people.render import plain_text
from people.state import PersonState
from people.table import PersonTable
from people.text.sentences import ending_text
from protocol.messages import Over

MARK = "*"  # before rows that changed since the person's last turn


@dataclass(frozen=True)
class Screen:
    """The screen without the log, which consists of the lines of every Effects so far. The renderer folds and escapes
    lines."""

    title: str  # of the window: the game, and whether the person must decide
    board: Page | None  # the board of the current table
    page: Page | None  # shown instead of the board
    question: list[Line]  # the decision to make, or the lesson about it
    prompt: str  # before the input
    awaited: bool  # whether the person must decide
    clocks: list[tuple[int, float, bool]]  # each seat with its seconds, and whether its clock runs
    offers: Callable[[], list[Choice]] = field(repr=False)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The lines that may be typed now; computed on demand."""
        return tuple(self.offers())


def screen(person: PersonState) -> Screen:
    """Returns the person's current screen."""
    table, page = person.seats.here, person.page.shown  # read once, because this is called from a terminal's thread
    awaited = table is not None and table.is_asked
    where = table.game.title if table is not None else "magehall"
    return Screen(
        title=_("{where}: your turn", where=where) if awaited else where,
        board=partial(_board, table) if table is not None and table.view is not None else None,
        page=page,
        question=[] if table is None or page is not None else _question(person, table),
        prompt=_("yes or undo> ") if is_held(person) else _("your turn> ") if awaited else "> ",
        awaited=awaited,
        clocks=table.clocks_at(person.settings.now()) if table is not None else [],
        offers=partial(choices, person),
    )


def _board(table: PersonTable, width: int, height: int) -> list[Line]:
    """Returns the board, with a mark before each row that changed since the person's last decision."""
    view = table.view
    if view is None:
        return []
    words, known = table.game.words, None
    now = words.board(view, table.people, width, height)
    if table.before is not None:  # that view may have had more or fewer lines
        known = {plain_text(row) for board in words.boards(table.before, table.people, width) for row in board}
    return [[_mark(row, known), *row] for row in now]


def _mark(row: Line, known: set[str] | None) -> tuple[str, str]:
    changed = known is not None and bool(plain_text(row)) and plain_text(row) not in known
    return ("changed", MARK) if changed else ("", " ")


def _ending(person: PersonState, table: PersonTable, over: Over) -> list[Line]:
    """Returns how the match ended, by how much, and what may be typed next."""
    words = table.game.words
    came = ", ".join(f"{place}. {one.name} {words.score(one.score)}" for place, one in placed(over.results))
    evening = person.seats.evening.text(table.game.id, words, over.results)
    may = _("Type: rematch, review (F2) or quit.") if table.seat else _("Type: review (F2), next or quit.")
    said = (("title", ending_text(over, words.ending)), ("", came), ("key", evening), ("you", may))
    return [[(style, text)] for style, text in said if text]


def _question(person: PersonState, table: PersonTable) -> list[Line]:
    turn = table.turn
    if table.over is not None:
        return _ending(person, table, table.over)
    if turn is None or not table.is_asked:
        return []
    if (tutor := person.guided.at(table.id)) is not None and tutor.lines:
        return tutor.lines
    return [[("you", _("Your turn: ")), ("", table.game.words.ask(turn.view, turn.legal))]]
