"""Lets a person step through the match that was just played, with all hands open. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from games.api import Game, StyledLine
from matches.moments import Moment
from matches.record import Record, verify_replay
from people.effects import Effects
from people.language import _
from people.pages import Review
from protocol.errors import Refusal
from protocol.replay import BadReplay

WORD = "review"


class ReviewState:
    """The review of the person's last match. `match` is None until that match is over and its replay has arrived."""

    def __init__(self) -> None:
        self.match: Review | None = None
        self.comes = False  # whether the replay was requested and has not arrived yet
        self.waits = False  # whether the person has typed `review` before the replay arrived

    @property
    def is_on(self) -> bool:
        """Whether typed lines step through the last match now."""
        return self.match is not None and self.match.on

    def forget_match(self) -> None:
        """Forgets the match of the review, because another match has ended or its memory must be freed."""
        self.match, self.waits = None, False

    def note_replay_expected(self, *, comes: bool) -> None:
        """Notes whether the replay of the last match is on its way."""
        self.comes = comes

    def reveal_match(self, data: bytes, games: Mapping[str, Game], width: int, *, short: bool) -> Effects:
        """Verifies the replay of a finished match, and shows what was hidden at its end, compactly if `short`. Reports
        an invalid replay and does not keep it."""
        effects = Effects()
        try:
            self.match = Review(verify_replay(data, games))
        except BadReplay as error:
            effects.add_line(
                _(
                    "The replay that the server gave does not hold: line {line}: {text}",
                    line=error.line,
                    text=error.text,
                ),
                "bad",
            )
            return effects
        effects.lines += self.match.open_renderer(width).hidden_lines(self.match.current_moment(), short=short)
        if self.waits:
            self.waits = False
            self.step_and_show(WORD, width, effects)
        return effects

    def is_step_word(self, line: str, *, awaited: bool) -> bool:
        """Returns whether the typed line steps through the last match. It never does while a decision is `awaited`."""
        return self.match is not None and not awaited and self.match.is_step_word(line)

    def end_stepping(self) -> None:
        """Ends the stepping, so that typed lines no longer move through the match."""
        if self.match is not None:
            self.match.end_stepping()

    def set_match(self, record: Record) -> None:
        """Makes that finished match the one to review."""
        self.match = Review(record)

    def step_and_show(self, word: str, width: int, effects: Effects) -> None:
        """Carries out `review`, or a step (`n`, `p`, `q`, a number), and shows the new moment. Raises Refusal if there
        is no finished match."""
        match = self.move(word, effects)
        if match is not None:
            show_moment(match, match.current_moment(), width, effects)

    def move(self, word: str, effects: Effects) -> Review | None:
        """Carries out `review`, or a step, without showing it. Returns the match if its new moment must be shown,
        otherwise None. Raises Refusal if there is no finished match."""
        match = self.match
        if match is None and self.comes:
            self.waits = True
            effects.add_line(_("The match is on its way from the server; then you step through it."), "dim")
            return None
        if match is None:
            raise Refusal("not_over", _("There is no finished match to step through yet."))
        if word == "q":
            match.end_stepping()
            return None
        match.step(word)
        return match


def show_moment(match: Review, moment: Moment, width: int, effects: Effects) -> None:
    """Adds to `effects` what shows that moment of the match: lines for the events since the moment before it, and a
    page."""
    effects.lines += match.open_renderer(width).event_lines(moment)
    effects.page = partial(_page, match, moment)


def _page(shown: Review, moment: Moment, width: int, height: int) -> list[StyledLine]:
    """Returns the page of one moment: its title, the decision made then, and the table before that decision."""
    pages = shown.open_renderer(width)
    head: list[StyledLine] = [
        [("title", _("{title} of {last}: n, p, a number, q", title=pages.title_text(moment), last=shown.last - 1))]
    ]
    head += pages.decision_lines(moment)
    return [*head, *pages.table_lines(moment, max(height - len(head), 0))]
