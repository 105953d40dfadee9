"""What a match needs of house bots. The command line hands them in: neither matches nor the server know a bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from games.api import Action, Game, Knowledge, Seat, View
from languages import plain
from matches.language import N_, _

STRENGTHS = (N_("easy"), N_("normal"), N_("hard"))
THINKER = "thinker"  # the strongest bot of a game whose own bot has no hard level


@dataclass(frozen=True, slots=True)
class Question:
    """A decision of a house bot's seat. It says what a player in that seat would be told, and no more."""

    seat: Seat
    view: View
    legal: Sequence[Action]
    number: int  # of the seat's turns so far, this one included
    knowledge: Callable[[], Knowledge]  # all that the seat knows, for a bot that asks for it now
    clock: float | None = None  # seconds left for the decision; None where no clock runs


Answer: TypeAlias = Callable[[Action | None], None]
"""Takes what a bot chose; None for a bot that cannot say any more."""


class HouseBot(Protocol):
    """One bot for one match. Its chance is a function of its seed and the turn's number, not of what it was asked
    before, so that another one can go on after a restart."""

    seconds: float  # that it may think about a decision; 0: it answers while it is asked

    def ask(self, question: Question, answer: Answer) -> None:
        """Calls `answer` once, at once or later. Must not wait. What it raises is the bot's
        failure."""
        ...

    def close(self) -> None:
        """It is asked no more, or has nothing more to say: nothing of it stays behind. May be called again."""
        ...


class AtOnce:
    """A house bot that answers while it is asked."""

    seconds = 0.0

    def __init__(self, choose: Callable[[Question], Action]) -> None:
        self._choose = choose

    def ask(self, question: Question, answer: Answer) -> None:
        """See HouseBot."""
        answer(self._choose(question))

    def close(self) -> None:
        """See HouseBot."""


class House(Protocol):
    """The bots that a server can seat. They see what a player in that seat would see."""

    def names(self, game: Game) -> Sequence[str]:
        """The bots that play this game, those that answer at once before those that think."""
        ...

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        """A bot for one match with these options of its table; the name is one of `names(game)`."""
        ...


def of_strength(game: Game, names: Sequence[str], typed: str) -> str:
    """The house bot of that strength, in the current language or in English; what means none is returned as it is.

    Args:
        game: Whose usual bot is the normal one.
        names: The bots that play it.
        typed: One of STRENGTHS, or a name.
    """
    word = next((one for one in STRENGTHS if plain(typed) in (one, plain(_(one)))), "")
    own = game.house_bot
    wanted = {"easy": (f"{own}:easy", own), "normal": (own,), "hard": (f"{own}:hard", THINKER, own)}.get(word, ())
    return next((name for name in wanted if name in names), typed)
