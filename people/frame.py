"""Lays out the screen of a terminal at one moment, without the log and the input: board, clocks, question, toolbar.

The layout is a function of the person's state and the terminal's size. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.api import StyledLine
from games.columns import clip_names, clip_text, text_columns
from games.open_hands import decision_height, full_board_height
from people.language import N_, _
from people.page import Page
from people.render import wrap_rows
from people.screen import ScreenContent, build_screen
from people.state import PersonState
from people.table import PersonTable
from people.text.sentences import LONG_CLOCK
from people.text.times import format_minutes

BESIDE = 110  # the least number of columns of a terminal that shows board and log side by side
KEPT_OF_LOG = 5  # the number of rows that the log below a board keeps; on a screen shorter than TALL, one or two
LEAST_LOG = 1  # the number of rows that the log keeps if the board needs its other rows
TALL = 24  # rows of a terminal; a shorter one gets less log
SHORT_ANSWER = 6  # the log grows for an answer of at most this many rows; a longer answer is shown instead of the board
LEAST_BOARD = 4  # the least number of rows of a board
BACK = N_(" Enter shows the board again")


@dataclass(frozen=True)
class Frame:
    """The rows of a terminal. `board_width` is the number of columns of a board beside the log; 0 if the board is above
    the log, so that both have the whole width."""

    board: list[StyledLine]
    board_width: int
    status: StyledLine
    question: list[StyledLine]
    prompt: str
    toolbar: str
    clocks: tuple[str, str]  # the status row and the toolbar, as `clock_rows` returns them
    title: str  # the title of the terminal's window
    calls: int  # how often the person was asked for a decision so far, so that the bell rings for a new one
    longer: int | None  # how many rows of the shown page do not fit on the screen; None if no page is shown
    paged: list[StyledLine]  # the lines of an answer that is shown as a page, which the log can therefore omit


def build_frame(person: PersonState, columns: int, height: int) -> Frame:
    """Returns the frame for a terminal of that many columns and rows."""
    table, seen = (
        person.seats.here,
        build_screen(person),
    )  # read once, because this is called from the terminal's thread
    page = seen.page
    beside = columns >= BESIDE
    width = columns * 3 // 5 if beside else columns
    question = _question(seen, columns)
    paged: list[StyledLine] = []
    kept = 0 if beside else KEPT_OF_LOG if height >= TALL else 1
    tutor = person.guided.tutor_at(table.id) if table is not None else None
    lesson = tutor.lines if tutor is not None and question else []
    # the whole lesson would cover a part of the board
    if len(lesson) > 2 and _whole(table, width - 1) > height - 3 - len(question) - kept:
        if tutor is not None and tutor.is_read:
            question = list(wrap_rows([lesson[0], lesson[-1]], columns))  # the lesson's title, and what to type
        else:
            page, question = _as_page([*lesson[:2], lesson[-1], *lesson[2:-1]]), []
    room = height - 3 - len(question)  # rows for board and log; status, input and toolbar take three rows
    log = room if beside else KEPT_OF_LOG if height >= TALL else 2
    answer = list(wrap_rows(person.page.answer, columns - width - 1 if beside else columns)) if page is None else []
    if len(answer) > log and len(answer) > min(max(SHORT_ANSWER, room - _whole(table, width - 1)), room - LEAST_BOARD):
        page, question, room, paged = _as_page(person.page.answer), [], height - 3, person.page.answer
    elif height < TALL and page is None and table is not None:
        least = max(1, len(answer))
        log, asked = _for_the_board(table, width - 1, height - 3, max(log, least), len(question), least)
        question = question if tutor is not None else question[:asked]  # a lesson is never shortened
        room = height - 3 - len(question)
    elif len(answer) > log:
        log = len(answer)
    elif table is not None and table.adding and page is None and not beside:
        sums = sum(1 for _row in wrap_rows(table.adding, columns))
        log = max(log, min(sums, room - _whole(table, width - 1)))
    longer = None
    if page is not None:
        space = room if beside or paged else room - 2
        board, longer = _part(list(wrap_rows(page(width, space), width)), space, person.page.above)
    else:
        space = room if beside else _rows_of_board(table, width - 1, room, log, len(answer))
        board = seen.board(width - 1, space) if seen.board else []
    question = question[: max(height - 3, 0)]
    if not beside:
        board = board[: max(height - 3 - len(question), 0)]  # a very small terminal shows only the question
    covered = page is not None or (bool(answer) and len(board) < _whole(table, width - 1))
    clocks = clock_rows(person, columns)
    return Frame(
        board=board,
        board_width=width if beside and board else 0,
        status=[("title" if seen.awaited else "", clocks[0])],
        question=question,
        prompt=seen.prompt,
        toolbar=_(BACK) if covered else clocks[1],
        clocks=clocks,
        title=seen.title,
        calls=person.prompt.calls,
        longer=longer,
        paged=paged,
    )


def clock_rows(person: PersonState, columns: int) -> tuple[str, str]:
    """Returns the status row and the toolbar, the two rows that change as time passes without any message."""
    return clip_text(_status(person, person.seats.here, columns), columns), toolbar(person, columns)


def without_board(shown: Frame) -> Frame:
    """Returns the frame without a board, so that the log gets the board's rows too."""
    return replace(shown, board=[], toolbar=_(BACK))


def _as_page(lines: list[StyledLine]) -> Page:
    return lambda _width, _height: lines


def _for_the_board(table: PersonTable, width: int, room: int, log: int, asked: int, least: int) -> tuple[int, int]:
    """Returns how many rows the log, at least `least`, and the question get on a short screen, so that the board loses
    as few rows as possible."""
    wanted = _whole(table, width)
    while wanted > room - asked - log and (log > least or asked > 1):
        if log > least:  # the question keeps its rows before earlier log lines do
            log = least
        else:
            asked -= 1
    return log, asked


def _rows_of_board(table: PersonTable | None, width: int, room: int, log: int, answer: int) -> int:
    """Returns the number of rows of a board above `log` rows of the log. A board that needs more rows takes them from
    the log, but the `answer` rows of an answer to the latest typed line stay visible."""
    usual, most = max(room - log, LEAST_BOARD), max(room - max(LEAST_LOG, answer), LEAST_BOARD)
    if table is None or table.view is None or log > KEPT_OF_LOG:
        return usual
    return decision_height(table.game.words, table.view, table.people, width, usual, most)


def _whole(table: PersonTable | None, width: int) -> int:
    """Returns the smallest number of rows in which the table's whole board fits; 0 without a board."""
    view = table.view if table is not None else None
    if table is None or view is None:
        return 0
    return full_board_height(table.game.words, view, table.people, width, LEAST_BOARD)


def turn_page(person: PersonState, by: int, shown: Frame) -> None:
    """Scrolls a long page by `by` rows, or by a screenful if that is more; towards its beginning if `by` is
    negative."""
    rows = max(abs(by), len(shown.board) - 2)  # the last visible row only says how many rows follow
    person.page.scroll(rows if by > 0 else -rows, shown.longer or 0)


def _part(page: list[StyledLine], space: int, above: int) -> tuple[list[StyledLine], int]:
    """Returns the visible rows of a page, the last of which says how many rows follow, and the number of rows that do
    not fit into `space` rows."""
    longer = max(0, len(page) - space)
    above = min(above, longer)
    shown = page[above : above + space]
    if above < longer:
        shown[-1:] = [[("dim", _("-- {count} more rows: Page Down --", count=longer - above + 1))]]
    return shown, longer


def _question(seen: ScreenContent, columns: int) -> list[StyledLine]:
    """Returns the rows of the question: at most two, or three in fewer than 80 columns; of a lesson, all rows."""
    folded = list(wrap_rows(seen.question, columns))
    return folded if len(seen.question) > 1 else folded[: 2 if columns >= 80 else 3]


def _status(person: PersonState, table: PersonTable | None, columns: int) -> str:
    """Returns the status row: whose turn it is and each seat's time left, or why no match is running here."""
    if person.lost:
        return _("The connection is lost; the client comes back by itself.")
    if table is None:
        text = _("At no table: tables lists them, open GAME makes one, h is help.")
        return text if text_columns(text) <= columns else _("At no table: tables, open GAME, h")
    if table.state == "over":
        return _("The match is over.")
    if table.state == "open":
        return _("The match has not begun.")
    texts = list(_clocks(table, person.settings.now()))
    return next((text for text in texts if text_columns(text) <= columns), texts[-1])


def _clocks(table: PersonTable, now: float) -> Iterator[str]:
    """Yields texts for the status row of a running match, whose turn it is and each seat's time left, each text shorter
    than the one before."""
    names = clip_names(table.people, 12)
    running = _(" and ").join(f"{seat} {names[seat - 1]}" for seat in sorted(table.running))
    waiting = _("Waiting for {names}.", names=running) if running else _("Waiting.")
    whose = _("Your turn.") if table.is_asked else waiting
    if table.paused_at is not None:
        whose = _("Paused: resume, or any decision, ends it.")
    clocks = [(seat, format_minutes(left), runs) for seat, left, runs in table.clocks_at(now) if left < LONG_CLOCK]
    if not clocks:
        left = table.seconds_left(now)
        yield whose + (_(" Time left: {listed}", listed=format_minutes(left)) if left is not None else "")
        yield whose
        return
    marked = [f"{'>' if runs else ''}{seat} {left}" for seat, left, runs in clocks]
    with_names = [f"{'>' if runs else ''}{seat} {names[seat - 1]} {left}" for seat, left, runs in clocks]
    yield whose + _(" Time left: {listed}", listed="  ".join(with_names))
    yield whose + _(" Time left: {listed}", listed="  ".join(marked))
    yield _("Time left: {listed}", listed="  ".join(with_names))
    yield _("Time left: {listed}", listed=" ".join(marked))
    yield _("Left: {listed}", listed=" ".join(marked))
    yield " ".join(marked)


def toolbar(person: PersonState, width: int) -> str:
    """Returns the line below the input: the person's table and seat, and the keys that are useful there."""
    table = person.seats.here
    parts: list[str] = []
    if table is None:
        parts.append(_("no table"))
    else:
        by, auto = f" ({table.played_by})" if table.played_by else "", " auto" if table.auto else ""
        parts.append(f"{table.id} {_('seat {seat}', seat=table.seat) if table.seat else _('watching')}{by}{auto}")
    parts.append(_("F1 aim, Tab, ? legal, h help, q quit") if width > 60 else _("? legal, h help"))
    for more in (person.name, table.game.title if table is not None else ""):
        if more and len(" | ".join([more, *parts])) < width:
            parts.insert(0, more)
    return f" {' | '.join(parts)}"[:width]
