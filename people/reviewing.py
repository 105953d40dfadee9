"""The match just played, step by step, with all hands open. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from games.api import Game, Line
from matches.moments import Moment
from matches.record import Record, verify
from people.effects import Effects
from people.language import _
from people.pages import Review
from protocol.errors import Refusal
from protocol.replay import BadReplay

WORD = "review"


class Reviewing:
    """The last match, once it is over and its replay has arrived."""

    def __init__(self) -> None:
        self.match: Review | None = None
        self.comes = False  # the replay was requested
        self.waits = False  # the person has asked for the review meanwhile

    @property
    def is_on(self) -> bool:
        """Whether typed lines step through the last match."""
        return self.match is not None and self.match.on

    def forget(self) -> None:
        """Forgets the last match, because another one has ended."""
        self.match, self.waits = None, False

    def expect(self, *, comes: bool) -> None:
        """Notes whether a replay is expected."""
        self.comes = comes

    def finish(self, data: bytes, games: Mapping[str, Game], width: int, *, short: bool) -> Effects:
        """Takes the replay of a finished match, and shows what was hidden, in few words if `short`. Ignores an invalid
        replay."""
        effects = Effects()
        try:
            self.match = Review(verify(data, games))
        except BadReplay as error:
            effects.say(
                _(
                    "The replay that the server gave does not hold: line {line}: {text}",
                    line=error.line,
                    text=error.text,
                ),
                "bad",
            )
            return effects
        effects.lines += self.match.pages(width).hidden(self.match.moment(), short=short)
        if self.waits:
            self.waits = False
            self.step(WORD, width, effects)
        return effects

    def takes(self, line: str, *, awaited: bool) -> bool:
        """Returns whether the line steps through the last match. While a decision is `awaited`, it does not."""
        return self.match is not None and not awaited and self.match.takes(line)

    def end(self) -> None:
        """Stops stepping through the match."""
        if self.match is not None:
            self.match.end()

    def take(self, record: Record) -> None:
        """Makes that match the last one."""
        self.match = Review(record)

    def step(self, word: str, width: int, effects: Effects) -> None:
        """Carries out `review` or one of its steps. Raises Refusal if no match is over."""
        match = self.turn(word, effects)
        if match is not None:
            show(match, match.moment(), width, effects)

    def turn(self, word: str, effects: Effects) -> Review | None:
        """Moves to the given moment. Returns the match if that moment must be shown. Raises Refusal if no match is
        over."""
        match = self.match
        if match is None and self.comes:
            self.waits = True
            effects.say(_("The match is on its way from the server; then you step through it."), "dim")
            return None
        if match is None:
            raise Refusal("not_over", _("There is no finished match to step through yet."))
        if word == "q":
            match.end()
            return None
        match.step(word)
        return match


def show(match: Review, moment: Moment, width: int, effects: Effects) -> None:
    """Shows that moment of the match: the events since the one before, and a page."""
    effects.lines += match.pages(width).told(moment)
    effects.page = partial(_page, match, moment)


def _page(shown: Review, moment: Moment, width: int, height: int) -> list[Line]:
    """Returns the decision of that moment, and the table before it."""
    pages = shown.pages(width)
    head: list[Line] = [
        [("title", _("{title} of {last}: n, p, a number, q", title=pages.title(moment), last=shown.last - 1))]
    ]
    head += pages.decided(moment)
    return [*head, *pages.table(moment, max(height - len(head), 0))]
