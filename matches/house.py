"""The interface of house bots, which play for the server. The command line passes the bots in, so the packages
`matches` and `server` import none of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from games.api import Action, Game, Knowledge, Seat, View
from languages import strip_accents
from matches.language import N_, _

STRENGTHS = (N_("easy"), N_("normal"), N_("hard"))
THINKER = "thinker"  # the strongest bot of a game whose own bot has no hard level


@dataclass(frozen=True, slots=True)
class HouseQuestion:
    """A decision of a house bot's seat. It contains only what a player in that seat would know."""

    seat: Seat
    view: View
    legal: Sequence[Action]
    number: int  # number of the seat's decisions so far, including this one
    knowledge: Callable[[], Knowledge]  # everything that the seat knows, computed when called
    clock: float | None = None  # seconds left for the decision; None without a clock


Answer: TypeAlias = Callable[[Action | None], None]
"""A function that the bot calls with the action that it chose; with None if the bot has failed."""


class HouseBot(Protocol):
    """A house bot in one seat of one match.

    Its randomness depends only on its seed and the turn number, not on earlier questions, so that another instance can
    continue after a restart.
    """

    seconds: float  # seconds that it may think per decision; 0: it answers before `ask` returns

    def ask(self, question: HouseQuestion, answer: Answer) -> None:
        """Calls `answer` once, immediately or later. Must not block. An exception counts as a failure of the bot."""
        ...

    def close(self) -> None:
        """Releases everything the bot uses, because it gets no more questions. A second call must do no harm."""
        ...


class ImmediateHouseBot:
    """A house bot that calls `answer` before `ask` returns."""

    seconds = 0.0

    def __init__(self, choose: Callable[[HouseQuestion], Action]) -> None:
        self._choose = choose

    def ask(self, question: HouseQuestion, answer: Answer) -> None:
        """See HouseBot."""
        answer(self._choose(question))

    def close(self) -> None:
        """See HouseBot."""


class HouseBots(Protocol):
    """The bots that a server can seat. They get only what a player in that seat would see."""

    def names(self, game: Game) -> Sequence[str]:
        """Returns the names of the bots for this game. Bots that answer at once come before those that think."""
        ...

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        """Creates a bot for one match with these table options. The name is one of `names(game)`."""
        ...


def house_bot_of_strength(game: Game, names: Sequence[str], typed: str) -> str:
    """Returns the name of the house bot that has the typed strength. Returns `typed` itself if it is not a strength, or
    if no bot in `names` has that strength.

    Args:
        game: The game. Its `house_bot` names the bot of normal strength.
        names: The names of the bots that play this game.
        typed: One of STRENGTHS, in the current language or in English, or a bot's name.
    """
    word = next((one for one in STRENGTHS if strip_accents(typed) in (one, strip_accents(_(one)))), "")
    own = game.house_bot
    of = {"easy": (f"{own}:easy", own), "normal": (own,), "hard": (f"{own}:hard", THINKER, own)}
    wanted = (*of[word], "random") if word in of else ()
    return next((name for name in wanted if name in names), typed)
