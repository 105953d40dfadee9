"""What a terminal shows at one moment, but for the log and what is typed: board, whose turn it is, question, toolbar.

A function of what the person has heard and of the terminal's size. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.api import Line
from games.columns import clip, clip_names, columns_of
from games.opened import board_height, whole_height
from people.language import N_, _
from people.page import Page
from people.render import rows
from people.screen import Screen, screen
from people.state import PersonState
from people.table import PersonTable
from people.text.sentences import LONG_CLOCK
from people.text.times import minutes

BESIDE = 110  # columns from which board and log stand side by side
KEPT_OF_LOG = 5  # rows at least, and one or two on a short screen
LEAST_LOG = 1  # row, where what a decision needs takes the others
TALL = 24  # rows
SHORT_ANSWER = 6  # rows of an answer for which the log grows; a longer one stands in the board's place
LEAST_BOARD = 4  # rows
BACK = N_(" Enter shows the board again")


@dataclass(frozen=True)
class Frame:
    """Rows of a terminal. `board_width` is 0 where board and log have the whole width."""

    board: list[Line]
    board_width: int
    status: Line
    question: list[Line]
    prompt: str
    toolbar: str
    clocks: tuple[str, str]  # what `clock_rows` gave
    title: str  # of the terminal's window
    calls: int  # grows with each decision that the person is asked for
    longer: int | None  # rows of a page in the board's place for which there is no room; None without a page
    paged: list[Line]  # the answer that is such a page, which the log does not need


def frame(person: PersonState, columns: int, height: int) -> Frame:
    """For a terminal of that size."""
    table, seen = person.seats.here, screen(person)  # called from the terminal's thread, so this is read only once
    page = seen.page
    beside = columns >= BESIDE
    width = columns * 3 // 5 if beside else columns
    question = _question(seen, columns)
    paged: list[Line] = []
    kept = 0 if beside else KEPT_OF_LOG if height >= TALL else 1
    tutor = person.guided.at(table.id) if table is not None else None
    lesson = tutor.lines if tutor is not None and question else []
    if len(lesson) > 2 and _whole(table, width - 1) > height - 3 - len(question) - kept:  # it covers some of the board
        if tutor is not None and tutor.is_read:
            question = list(rows([lesson[0], lesson[-1]], columns))  # its title, and what to type
        else:
            page, question = _as_page([*lesson[:2], lesson[-1], *lesson[2:-1]]), []
    room = height - 3 - len(question)  # without status, input and toolbar
    log = room if beside else KEPT_OF_LOG if height >= TALL else 2
    answer = list(rows(person.page.answer, columns - width - 1 if beside else columns)) if page is None else []
    if len(answer) > log and len(answer) > min(max(SHORT_ANSWER, room - _whole(table, width - 1)), room - LEAST_BOARD):
        page, question, room, paged = _as_page(person.page.answer), [], height - 3, person.page.answer
    elif height < TALL and page is None and table is not None:
        least = max(1, len(answer))
        log, asked = _for_the_board(table, width - 1, height - 3, max(log, least), len(question), least)
        question = question if tutor is not None else question[:asked]  # a lesson stands whole
        room = height - 3 - len(question)
    elif len(answer) > log:
        log = len(answer)
    elif table is not None and table.adding and page is None and not beside:
        sums = sum(1 for _row in rows(table.adding, columns))
        log = max(log, min(sums, room - _whole(table, width - 1)))
    longer = None
    if page is not None:
        space = room if beside or paged else room - 2
        board, longer = _part(list(rows(page(width, space), width)), space, person.page.above)
    else:
        space = room if beside else _rows_of_board(table, width - 1, room, log, len(answer))
        board = seen.board(width - 1, space) if seen.board else []
    question = question[: max(height - 3, 0)]
    if not beside:
        board = board[: max(height - 3 - len(question), 0)]  # a terminal of a few rows has room for one of both
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
    """The rows that change while nothing happens but that time passes: the status and the toolbar."""
    return clip(_status(person, person.seats.here, columns), columns), toolbar(person, columns)


def log_alone(shown: Frame) -> Frame:
    """The same, where the log has the board's place too."""
    return replace(shown, board=[], toolbar=_(BACK))


def _as_page(lines: list[Line]) -> Page:
    return lambda _width, _height: lines


def _for_the_board(table: PersonTable, width: int, room: int, log: int, asked: int, least: int) -> tuple[int, int]:
    """The rows of the log, `least` or more, and the question on a short screen: no row of the board is lost, if it can
    be helped."""
    wanted = _whole(table, width)
    while wanted > room - asked - log and (log > least or asked > 1):
        if log > least:  # what the decision needs comes before what was said
            log = least
        else:
            asked -= 1
    return log, asked


def _rows_of_board(table: PersonTable | None, width: int, room: int, log: int, answer: int) -> int:
    """The rows of the board beside so many of the log, which gives some of its own for what a decision needs, but none
    of an answer."""
    usual, most = max(room - log, LEAST_BOARD), max(room - max(LEAST_LOG, answer), LEAST_BOARD)
    if table is None or table.view is None or log > KEPT_OF_LOG:
        return usual
    return board_height(table.game.words, table.view, table.people, width, usual, most)


def _whole(table: PersonTable | None, width: int) -> int:
    """The smallest height in which the board of that table loses no row."""
    view = table.view if table is not None else None
    if table is None or view is None:
        return 0
    return whole_height(table.game.words, view, table.people, width, LEAST_BOARD)


def turn_page(person: PersonState, by: int, shown: Frame) -> None:
    """Moves a page that is too long on by so many rows or by all that are seen but one, or back if negative."""
    rows = max(abs(by), len(shown.board) - 2)  # the last one tells of more
    person.page.scroll(rows if by > 0 else -rows, shown.longer or 0)


def _part(page: list[Line], space: int, above: int) -> tuple[list[Line], int]:
    """The rows of a page that are seen, the last of which tells of more; and how many rows it is too long."""
    longer = max(0, len(page) - space)
    above = min(above, longer)
    shown = page[above : above + space]
    if above < longer:
        shown[-1:] = [[("dim", _("-- {count} more rows: Page Down --", count=longer - above + 1))]]
    return shown, longer


def _question(seen: Screen, columns: int) -> list[Line]:
    """What is to be decided, in two rows, or three that are narrow; a lesson in as many as it takes."""
    folded = list(rows(seen.question, columns))
    return folded if len(seen.question) > 1 else folded[: 2 if columns >= 80 else 3]


def _status(person: PersonState, table: PersonTable | None, columns: int) -> str:
    """Whose turn it is, and the time that each seat has left."""
    if person.lost:
        return _("The connection is lost; the client comes back by itself.")
    if table is None:
        text = _("At no table: tables lists them, open GAME makes one, h is help.")
        return text if columns_of(text) <= columns else _("At no table: tables, open GAME, h")
    if table.state == "over":
        return _("The match is over.")
    if table.state == "open":
        return _("The match has not begun.")
    texts = list(_clocks(table, person.settings.now()))
    return next((text for text in texts if columns_of(text) <= columns), texts[-1])


def _clocks(table: PersonTable, now: float) -> Iterator[str]:
    """Whose turn it is and what each seat has left, in fewer and fewer columns."""
    names = clip_names(table.people, 12)
    running = _(" and ").join(f"{seat} {names[seat - 1]}" for seat in sorted(table.running))
    waiting = _("Waiting for {names}.", names=running) if running else _("Waiting.")
    whose = _("Your turn.") if table.is_asked else waiting
    if table.paused_at is not None:
        whose = _("Paused: resume, or any decision, ends it.")
    clocks = [(seat, minutes(left), runs) for seat, left, runs in table.clocks_at(now) if left < LONG_CLOCK]
    if not clocks:
        left = table.seconds_left(now)
        yield whose + (_(" Time left: {listed}", listed=minutes(left)) if left is not None else "")
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
    """One line under the input: where the person is, and which keys help."""
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
