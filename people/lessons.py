"""A guided match: lessons from a file, one for each decision, told before it and after it. Pure.

The deal is fixed, so a lesson may speak of the cards that are there as long as its reader did what was proposed.
Whoever does something else plays on, and is told the lessons that fit wherever the match has gone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from games.api import Action, Game, Line
from games.chance import numbered_seed
from games.spelling import shown
from languages import Catalogue
from matches.turn import Turn
from people.language import _
from protocol.errors import Refusal

SAID = ("title", "before", "after", "other", "here")  # of a lesson, to the person


class NoLessons(Exception):
    """There are none for that game, or they cannot be read; the text says why."""


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One lesson. `when` is a shell pattern: the lesson fits where such an action may be done. `do` is proposed."""

    title: str
    when: str
    do: str
    before: str
    after: str  # to who did it
    other: str  # to who did something else
    here: str = ""  # about the cards that are there, to who did all that was proposed so far
    then: tuple[str, ...] = ()  # what is proposed at the decisions that follow, which belong to the same lesson


class Course(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lessons of a game, and the match in which they are told; the person has seat 1."""

    seed: int
    bots: tuple[str, ...]
    end: str  # said after the last lesson
    lesson: tuple[Lesson, ...]
    options: dict[str, Any] = {}  # of its table


def course_of(game: Game) -> Course:
    """The file of lessons beside the game's rules. Raises NoLessons."""
    path = game.rules.with_name(f"lessons-{game.id}.toml")
    try:
        course = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Course)
    except FileNotFoundError:
        raise NoLessons(_("{title} has no lessons.", title=game.title)) from None
    except (OSError, ValueError) as error:  # TOML, UTF-8 or fields that are no lesson
        raise NoLessons(_("The lessons of {title} cannot be read: {error}", title=game.title, error=error)) from None
    return _in_words(course, Catalogue(str(path)))


def tutor_of(game: Game, advise: Callable[[Turn], Action]) -> Tutor:
    """Tells the lessons of that game. Raises Refusal where it has none."""
    try:
        return Tutor(course_of(game), advise, game.id)
    except NoLessons as error:
        raise Refusal("bad_field", str(error)) from None


def guided_seed(game: Game) -> bytes:
    """The seed of the game's guided match, whose deal everybody can know; b"" where there is none."""
    return _seed(game.rules.with_name(f"lessons-{game.id}.toml"))


@cache
def _seed(path: Path) -> bytes:
    try:
        return numbered_seed(int(tomllib.loads(path.read_text(encoding="utf-8"))["seed"]))
    except (OSError, ValueError, KeyError, TypeError):
        return b""


def _in_words(course: Course, catalogue: Catalogue) -> Course:
    """The course in the current language, as the game's catalogue has it."""
    said = [
        msgspec.structs.replace(one, **{name: catalogue.say(getattr(one, name)) for name in SAID})
        for one in course.lesson
    ]
    return msgspec.structs.replace(course, end=catalogue.say(course.end), lesson=tuple(said))


class Tutor:
    """Tells a course to one person. `advise` gives what a house bot would do, where the file proposes what cannot be
    done any more."""

    def __init__(self, course: Course, advise: Callable[[Turn], Action], game: str = "") -> None:
        self.game = game  # its id
        self._end, self._advise = course.end, advise
        self._left = list(enumerate(course.lesson, 1))
        self._count = len(course.lesson)
        self._as_proposed = True  # everything so far
        self._turn = 0  # the number of the last one
        self._now: Lesson | None = None
        self._then: list[str] = []  # of that lesson, still to be proposed
        self.proposed: Action | None = None  # at the decision that is awaited
        self.lines: list[Line] = []  # about that decision
        self.is_read = False  # something was typed since they were told

    def before(self, turn: Turn) -> list[Line]:
        """What is said before a decision; [] where no lesson fits."""
        if turn.number == self._turn:  # asked once more
            return self.lines
        self._turn, self.is_read = turn.number, False
        legal = {turn.game.words.write(action): action for action in turn.legal}
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

    def read(self) -> None:
        """Something was typed since the lesson was told."""
        self.is_read = True

    def after(self, turn: Turn, action: Action) -> list[Line]:
        """What is said once that was done."""
        lesson, proposed = self._now, self.proposed
        self.lines, self.proposed = [], None
        if len(turn.legal) > 1:
            self._as_proposed = self._as_proposed and action == proposed
        if lesson is None or proposed is None or (self._as_proposed and self._then):
            return []
        self._now = None
        lines: list[Line] = [[("good", lesson.after if action == proposed else lesson.other)]]
        if not self._left:
            lines.append([("title", self._end)])
        return lines

    def again(self, turn: Turn) -> list[Line]:
        """What is said to who typed what cannot be done."""
        return [self._proposal(turn)] if self.proposed is not None else []

    def _proposal(self, turn: Turn) -> Line:
        assert self.proposed is not None
        return [("", _("Type: ")), ("key", shown(turn.game.words, self.proposed))]
