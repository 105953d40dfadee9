"""The contents of a person's screen at one moment, for any renderer: a terminal, plain lines or a web page. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

from games.api import StyledLine
from matches.results import sorted_by_place
from people.choices import Choice, current_choices
from people.confirming import is_decision_held
from people.language import _
from people.page import Page
from people.render import plain_text
from people.state import PersonState
from people.table import PersonTable
from people.text.sentences import ending_text
from protocol.messages import Over

MARK = "*"  # stands before each row of the board that has changed since the person's last turn


@dataclass(frozen=True)
class ScreenContent:
    """The contents of a screen without the log. The log consists of the lines of every Effects so far, which the
    renderer keeps. The renderer also wraps and escapes all lines."""

    title: str  # the title of the window: the game, and whether the person must decide
    board: Page | None  # the board of the current table; None if there is none
    page: Page | None  # the page to show instead of the board; None if the board is shown
    question: list[StyledLine]  # the decision to make, or the lesson about it
    prompt: str  # the text before the input
    awaited: bool  # whether the match waits for the person's decision
    clocks: list[tuple[int, float, bool]]  # for each seat: its number, its seconds left, and whether its clock runs
    offers: Callable[[], list[Choice]] = field(repr=False)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The choices of the person now; computed on demand."""
        return tuple(self.offers())


def build_screen(person: PersonState) -> ScreenContent:
    """Returns the contents of the person's current screen."""
    table, page = person.seats.here, person.page.shown  # read once, because this is called from a terminal's thread
    awaited = table is not None and table.is_asked
    where = table.game.title if table is not None else "magehall"
    return ScreenContent(
        title=_("{where}: your turn", where=where) if awaited else where,
        board=partial(_board, table) if table is not None and table.view is not None else None,
        page=page,
        question=[] if table is None or page is not None else _question(person, table),
        prompt=_("yes or undo> ") if is_decision_held(person) else _("your turn> ") if awaited else "> ",
        awaited=awaited,
        clocks=table.clocks_at(person.settings.now()) if table is not None else [],
        offers=partial(current_choices, person),
    )


def _board(table: PersonTable, width: int, height: int) -> list[StyledLine]:
    """Returns the rows of the board, with MARK before each row that has changed since the person's last decision."""
    view = table.view
    if view is None:
        return []
    words, known = table.game.words, None
    now = words.render_board(view, table.people, width, height)
    if table.before is not None:  # all layouts of the earlier board, as it may have had more or fewer rows
        known = {plain_text(row) for board in words.render_boards(table.before, table.people, width) for row in board}
    return [[_mark(row, known), *row] for row in now]


def _mark(row: StyledLine, known: set[str] | None) -> tuple[str, str]:
    changed = known is not None and bool(plain_text(row)) and plain_text(row) not in known
    return ("changed", MARK) if changed else ("", " ")


def _ending(person: PersonState, table: PersonTable, over: Over) -> list[StyledLine]:
    """Returns how the match ended, the places and scores, the totals of the evening, and what the person may type
    next."""
    words = table.game.words
    came = ", ".join(
        f"{place}. {one.name} {words.format_score(one.score)}" for place, one in sorted_by_place(over.results)
    )
    evening = person.seats.evening.totals_text(table.game.id, words, over.results)
    may = _("Type: rematch, review (F2) or quit.") if table.seat else _("Type: review (F2), next or quit.")
    said = (("title", ending_text(over, words.ending_sentence)), ("", came), ("key", evening), ("you", may))
    return [[(style, text)] for style, text in said if text]


def _question(person: PersonState, table: PersonTable) -> list[StyledLine]:
    turn = table.turn
    if table.over is not None:
        return _ending(person, table, table.over)
    if turn is None or not table.is_asked:
        return []
    if (tutor := person.guided.tutor_at(table.id)) is not None and tutor.lines:
        return tutor.lines
    return [[("you", _("Your turn: ")), ("", table.game.words.decision_prompt(turn.view, turn.legal))]]
