"""Draws what a person sees in a browser, as fragments of HTML in JSON frames.

A frame is one JSON object on one line. The value of `log` is added to the log. Every other key is the id of an element
of the page, and its value is the element's new content. A frame contains only what has changed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import msgspec
import trio
from markupsafe import Markup, escape

from languages import speaking
from people.choices import Choice
from people.render import escape_line
from people.screen import ScreenContent
from people.settings import PAUSE, PersonSettings
from people.table import PersonTable
from people.text.folding import clamp_columns
from protocol import messages as m
from protocol.errors import Refusal
from server.desk.text_session import TextSession
from server.net.person_face import Line, PersonFace, RequestSender
from server.web.boards import facts, render_board

COLUMNS = 48  # width of the board until the page sends its own, which suits a phone
MOST_CHOICES = 400  # most actions that are shown as buttons; all others can be typed
# the style names for which the page's style sheet has a class
STYLES = frozenset(("title", "key", "good", "bad", "you", "hidden", "dim", "changed"))


class PageFace(PersonFace):
    """What a person sees in one session by a browser."""

    def __init__(self, typist: TextSession, carrier: RequestSender) -> None:
        settings = PersonSettings(
            now=trio.current_time,
            width=lambda: self.width,
            stand_ins=typist,
            server=typist,
            pinned=True,
            pause=lambda: random.uniform(*PAUSE),
        )
        super().__init__(typist, carrier, settings)
        self._next_id = 1_000  # ids of requests begin here, because the page's own requests have lower ids
        self._drawn_last: dict[str, object] = {}
        self._drawn_from: object = None  # the source of `_drawn_parts`
        self._drawn_parts: dict[str, object] = {}  # the board and the choices, as they were drawn last
        self._refreshes = False  # whether a refresh of the page is scheduled

    @property
    def width(self) -> int:
        """The width of the page's board in characters."""
        columns = self._carrier.columns
        return clamp_columns(columns) if columns else COLUMNS

    # -- output --------------------------------------------------------------------------------------------------------

    def handle_line(self, line: str) -> Refusal | None:
        try:
            return super().handle_line(line)
        finally:
            self._refresh_later()

    def render(self, messages: Iterable[m.Message]) -> str:
        self._refresh_later()
        return super().render(messages)

    def _decide_alone(self) -> None:
        super()._decide_alone()
        self._refresh_later()

    def _drawn(self, lines: Iterable[Line], message: m.Message | None = None) -> str:
        log = "".join(_rows(lines))
        frame: dict[str, object] = {"log": log} if log else {}
        if isinstance(message, m.Welcome):
            frame["welcome"] = message.name
        elif isinstance(message, m.Error):
            frame["error"] = {"code": message.code, "text": message.text}
        elif isinstance(message, m.Bye):
            frame["bye"] = message.reason
        return _frame(frame) if frame else ""

    def _refresh_later(self) -> None:
        """Schedules one refresh of the page, for any number of messages before it."""
        if not self._refreshes:
            self._refreshes = True
            self._carrier.call_soon(self._refresh)

    def _refresh(self) -> None:
        """Sends those parts of the page that have changed since the last refresh."""
        self._refreshes = False
        with speaking(self._carrier.language):
            log = self._drawn([*self._person.refresh_board().lines, *self._follow(self._person.poll_effects())])
            parts = self._parts(self._person.screen_content())
        changed = {name: part for name, part in parts.items() if self._drawn_last.get(name) != part}
        self._drawn_last = parts
        self._carrier.send_text(log + (_frame(changed) if changed else ""))
        if self._due:
            self._carrier.call_soon(self._ask)

    # -- contents of the page ------------------------------------------------------------------------------------------

    def _parts(self, seen: ScreenContent) -> dict[str, object]:
        table = self._person.seats.here
        names = table.people if table is not None else []
        return {
            "title": seen.title,
            "table": table.id if table is not None else "",
            **self._board_and_choices(seen),
            "is_page": seen.page is not None,
            "question": "".join(_rows(seen.question)),
            "awaited": seen.awaited,
            "clocks": [[names[seat - 1], round(left), runs] for seat, left, runs in seen.clocks if seat <= len(names)],
        }

    def _board_and_choices(self, seen: ScreenContent) -> dict[str, object]:
        """Returns the board and the choices. They are drawn again only if something that they show has changed."""
        table, choices = self._person.seats.here, seen.choices[:MOST_CHOICES]
        source = (seen.page, choices, self.width, self._carrier.language, *_contents(table))
        if self._drawn_from != source:
            self._drawn_parts = {
                "board": self._board(seen, choices),
                "choices": _choices(choices, self._names_of_numbers()),
            }
            self._drawn_from = source
        return self._drawn_parts

    def _board(self, seen: ScreenContent, choices: Sequence[Choice]) -> str:
        """Returns the page that the person reads, or the board: as the game's template draws it, otherwise as rows."""
        table = self._person.seats.here
        if seen.page is None and table is not None and table.view is not None:
            drawn = render_board(table, choices)
            if drawn is not None:
                return drawn
        board = seen.page or seen.board
        return f'<div class="rows">{"".join(_rows(board(self.width, 0)))}</div>' if board else ""

    def _names_of_numbers(self) -> NamesOfNumbers:
        """Returns the names of the numbers that actions refer to."""
        table = self._person.seats.here
        if table is None or table.view is None:
            return NamesOfNumbers({}, {})
        places = table.game.words.numbers_by_name(table.view, table.people)
        seats = {str(seat): name for seat, name in enumerate(table.people, 1)}
        return NamesOfNumbers({number: name for name, number in places.items() if name not in table.people}, seats)


def _contents(table: PersonTable | None) -> tuple[object, ...]:
    """Returns what the board of a table shows."""
    return (table.id, table.view, table.before, tuple(table.people)) if table is not None else ()


@dataclass(frozen=True)
class NamesOfNumbers:
    """The names of the numbers that actions refer to: `2` is a Ghost on the board, and Bob as a seat."""

    on_board: Mapping[str, str]
    seats: Mapping[str, str]

    def named(self, choice: Choice, label: str) -> str:
        """Returns the label of a choice. If it ends with a number, the name of what the number stands for follows."""
        number = label.rpartition(" ")[2]
        action = choice.action or {}
        is_seat = any(str(value) == number for key, value in action.items() if key in ("seat", "at"))
        names = self.seats if is_seat else self.on_board if label == number else {}
        return f"{label} {names[number]}" if number in names else label


def _frame(parts: dict[str, object]) -> str:
    return msgspec.json.encode(parts).decode("utf-8") + "\n"


def _rows(lines: Iterable[Line]) -> Iterator[str]:
    """Yields each line of text as a row of HTML. All text that came from a player is escaped."""
    for line in lines:
        yield Markup("<div>{}</div>").format(Markup("").join(_span(style, text) for style, text in escape_line(line)))


def _span(style: str, text: str) -> Markup:
    return Markup('<span class="{}">{}</span>').format(style, text) if style in STYLES else escape(text)


def _choices(choices: Sequence[Choice], names: NamesOfNumbers) -> str:
    """Returns the choices as buttons, in groups whose typed lines begin alike."""
    return "".join(_group(list(group), names) for _key, group in groupby(choices, key=_group_key))


def _group_key(choice: Choice) -> str:
    """Returns the words with which all typed lines of a group begin: `cast haste` for `cast haste 1`, `bet` for `bet
    1`."""
    if choice.action is None:
        return choice.line
    words = choice.line.split()
    return " ".join(words[:2] if len(words) > 2 and not words[1][0].isdigit() else words[:1])


def _group(choices: Sequence[Choice], names: NamesOfNumbers) -> str:
    if len(choices) == 1:
        return _button(choices[0], names.named(choices[0], choices[0].label))
    labels = [choice.label.split(" ") for choice in choices]
    common = 0
    while all(len(label) > common + 1 and label[common] == labels[0][common] for label in labels):
        common += 1
    name = names.named(choices[0], " ".join(labels[0][:common]))
    buttons = [
        _button(choice, names.named(choice, " ".join(label[common:])), name)
        for choice, label in zip(choices, labels, strict=True)
    ]
    return Markup('<div class="group" role="group" aria-label="{0}"><span>{0}</span>{1}</div>').format(
        name, Markup("").join(buttons)
    )


def _button(choice: Choice, label: str, group: str = "") -> Markup:
    """Returns a button that types the line of a choice. A long press on it asks what the choice would do, which
    its title also says."""
    return Markup(
        '<button type="button" data-line="{}" data-why="{}" data-of="{}" title="{}" aria-label="{}">{}</button>'
    ).format(
        choice.line,
        "1" if choice.action is not None else "",
        " ".join(facts(choice.action or {})),
        choice.effect_text,
        f"{group} {label}".strip(),
        label,
    )
