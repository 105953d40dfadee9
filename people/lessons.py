"""The lessons of a guided match: read from a file of the game, and shown before and after each decision. Pure.

The deal of a guided match is always the same, so a lesson may refer to the cards as long as the player has done what
the lessons proposed. A player who decides otherwise plays on, and gets the lessons that still fit the match.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.api import Action, Game, StyledLine
from games.chance import numbered_seed
from games.spelling import typed_action_text
from languages import Catalogue
from matches.turn import Turn
from people.language import _
from protocol.errors import Refusal

SAID = ("title", "before", "after", "other", "here")  # fields of a lesson with texts for the person, to be translated


class NoLessons(Exception):
    """Raised if a game has no lessons, or if its file of lessons cannot be read. The exception's text says why."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson. `when` is a shell pattern: the lesson fits a decision if a legal action matches it. `do` is the
    action that the lesson proposes."""

    title: str
    when: str
    do: str
    before: str
    after: str  # shown after the person has done the proposed action
    other: str  # shown after the person has done another action
    here: str = ""  # about the cards of the deal; shown only if the person has followed all proposals so far
    then: tuple[str, ...] = ()  # actions that the same lesson proposes for the decisions after the first


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lessons of a game, and the seed, bots and options of their match, in which the person has seat 1."""

    seed: int
    bots: tuple[str, ...]
    end: str  # shown after the last lesson
    lesson: tuple[Lesson, ...]
    options: dict[str, Any] = {}  # the game options of the match


def load_course(game: Game) -> Course:
    """Reads the file of lessons beside the game's rules. Returns its course in the current language. Raises
    NoLessons."""
    path = game.rules.with_name(f"lessons-{game.id}.toml")
    try:
        course = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Course)
    except FileNotFoundError:
        raise NoLessons(_("{title} has no lessons.", title=game.title)) from None
    except (OSError, ValueError) as error:  # malformed TOML, UTF-8 or fields
        raise NoLessons(_("The lessons of {title} cannot be read: {error}", title=game.title, error=error)) from None
    return _in_words(course, Catalogue(str(path)))


def create_tutor(game: Game, advise: Callable[[Turn], Action]) -> Tutor:
    """Returns a tutor for the lessons of that game. Raises Refusal if the game has none."""
    try:
        return Tutor(load_course(game), advise, game.id)
    except NoLessons as error:
        raise Refusal("bad_field", str(error)) from None


def guided_seed(game: Game) -> bytes:
    """Returns the seed of the game's guided match, which is public; b"" if the game has no lessons."""
    return _seed(game.rules.with_name(f"lessons-{game.id}.toml"))


@cache
def _seed(path: Path) -> bytes:
    try:
        return numbered_seed(int(tomllib.loads(path.read_text(encoding="utf-8"))["seed"]))
    except (OSError, ValueError, KeyError, TypeError):
        return b""


def _in_words(course: Course, catalogue: Catalogue) -> Course:
    """Returns the course with its texts in the current language, as the game's catalogue translates them."""
    said = [
        msgspec.structs.replace(one, **{name: catalogue.translate(getattr(one, name)) for name in SAID})
        for one in course.lesson
    ]
    return msgspec.structs.replace(course, end=catalogue.translate(course.end), lesson=tuple(said))


class Tutor:
    """Teaches a course to one person. `advise` returns the action that a house bot would choose; the tutor proposes it
    when the lesson's own proposal does not apply."""

    def __init__(self, course: Course, advise: Callable[[Turn], Action], game: str = "") -> None:
        self.game = game  # the game's id
        self._end, self._advise = course.end, advise
        self._left = list(enumerate(course.lesson, 1))
        self._count = len(course.lesson)
        self._as_proposed = True  # whether the person has followed all proposals so far
        self._turn = 0  # the number of the person's latest turn
        self._now: Lesson | None = None
        self._then: list[str] = []  # the proposals of the current lesson for the decisions to come
        self.proposed: Action | None = None  # the action that the tutor proposes for the current decision
        self.lines: list[StyledLine] = []  # the lines of the lesson for the current decision
        self.is_read = False  # whether the person has typed a line since the current lesson was shown

    def lines_before(self, turn: Turn) -> list[StyledLine]:
        """Returns the lines to show before the decision of this turn; [] if no lesson fits."""
        if turn.number == self._turn:  # the server has sent the same turn again
            return self.lines
        self._turn, self.is_read = turn.number, False
        legal = {turn.game.words.format_action(action): action for action in turn.legal}
        if self._now is not None and self._then and self._then[0] in legal:
            self.proposed = legal[self._then.pop(0)]
            self.lines = [[("title", _("The lesson goes on: {title}", title=self._now.title))], self._proposal(turn)]
            return self.lines
        self.lines, self._now, self.proposed = [], None, None
        fitting = [one for one in self._left if any(fnmatchcase(text, one[1].when) for text in legal)]
        if not fitting or len(legal) == 1:
            return []
        number, lesson = fitting[0]
        self._left.remove(fitting[0])
        self._now, self._then = lesson, list(lesson.then)
        self._as_proposed = self._as_proposed and lesson.do in legal
        if self._as_proposed:
            self.proposed = legal[lesson.do]
        else:
            meant = [action for text, action in legal.items() if fnmatchcase(text, lesson.when)]
            advice = self._advise(turn)
            self.proposed = advice if advice in meant else meant[0]
        here = f" {lesson.here}" if lesson.here and self._as_proposed else ""
        self.lines = [
            [("title", _("Lesson {number} of {count}: {title}", number=number, count=self._count, title=lesson.title))],
            [("", f"{lesson.before}{here}")],
            *([("dim", row)] for row in turn.game.words.legend.split("\n") if row and number == 1),
            self._proposal(turn),
        ]
        return self.lines

    def mark_read(self) -> None:
        """Marks the current lesson as read."""
        self.is_read = True

    def lines_after(self, turn: Turn, action: Action) -> list[StyledLine]:
        """Returns the lesson's comment on the action that the person has done in this turn."""
        lesson, proposed = self._now, self.proposed
        self.lines, self.proposed = [], None
        if len(turn.legal) > 1:
            self._as_proposed = self._as_proposed and action == proposed
        if lesson is None or proposed is None or (self._as_proposed and self._then):
            return []
        self._now = None
        lines: list[StyledLine] = [[("good", lesson.after if action == proposed else lesson.other)]]
        if not self._left:
            lines.append([("title", self._end)])
        return lines

    def repeat_lines(self, turn: Turn) -> list[StyledLine]:
        """Returns the line that repeats the proposal, after an action or a typed line was refused."""
        return [self._proposal(turn)] if self.proposed is not None else []

    def _proposal(self, turn: Turn) -> StyledLine:
        assert self.proposed is not None
        return [("", _("Type: ")), ("key", typed_action_text(turn.game.words, self.proposed))]
