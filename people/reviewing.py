"""The match just played, step by step and with everything open, without leaving the client. Pure."""

from __future__ import annotations

from functools import partial

from games.api import Line
from matches.moments import Moment
from matches.record import verify
from people.human import Human
from people.language import N_, _
from people.pages import Review
from people.table import Effects
from protocol.errors import Refusal
from protocol.replay import BadReplay

WORD = "review"
HELP = N_("step through the last match with everything open: n, p, a number, q; F2 begins")


def finished(human: Human, data: bytes) -> Effects:
    """The replay of a match that is over has come: says what nobody could see. A replay that does not hold is none."""
    effects = Effects()
    try:
        human.review = Review(verify(data, human.games))
    except BadReplay as error:
        effects.say(
            _("The replay that the server gave does not hold: line {line}: {text}", line=error.line, text=error.text),
            "bad",
        )
        return effects
    effects.lines += human.review.pages(human.width()).hidden(human.review.moment(), short=human.pinned)
    if human.review_waits:
        human.review_waits = False
        review(human, WORD, effects)
    return effects


def is_meant(human: Human, line: str) -> bool:
    """Whether the line begins to step through the last match, or goes on with that; any other line ends it."""
    shown, awaited = human.review, human.here is not None and human.here.turn is not None
    if line == WORD or (shown is not None and not awaited and shown.takes(line)):
        return True
    if shown is not None:
        shown.on = False
    return False


def review(human: Human, word: str, effects: Effects) -> None:
    """Carries out `review` or one of its steps. Raises Refusal where no match is over."""
    shown = human.review
    if shown is None and human.replay_comes:
        human.review_waits = True
        effects.say(_("The match is on its way from the server; then you step through it."), "dim")
        return
    if shown is None:
        raise Refusal("not_over", _("There is no finished match to step through yet."))
    if word == "q":
        shown.on = False
        return
    if not shown.on:
        shown.on, shown.number = True, 1
    elif word in ("n", "p"):
        shown.number += -1 if word == "p" else 1
    elif word != WORD:
        shown.number = int(word)
    shown.number = min(max(shown.number, 1), shown.last)
    moment = shown.moment()
    effects.lines += shown.pages(human.width()).told(moment)
    human.show(partial(_page, shown, moment), effects)


def _page(shown: Review, moment: Moment, width: int, height: int) -> list[Line]:
    """What was decided at that moment, and the table before it."""
    pages = shown.pages(width)
    head: list[Line] = [
        [("title", _("{title} of {last}: n, p, a number, q", title=pages.title(moment), last=shown.last - 1))]
    ]
    head += pages.decided(moment)
    return [*head, *pages.table(moment, max(height - len(head), 0))]
