"""One person's state, in parts that each assign their own attributes. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.api import Game
from matches.admission import KnownGames
from people.effects import Effects
from people.following import Following
from people.glances import Glances
from people.guided import Guided
from people.opening import Opening
from people.page import PageShown
from people.prompt import Prompt
from people.rematch import Rematch
from people.reviewing import Reviewing
from people.seats import Seats
from people.settings import PersonSettings
from people.turning import Turning


class TypingState:
    """The part of a person's state that their own commands need, on a terminal and on a telnet line alike. `width`
    gives the columns of the terminal, `nonce` is the person's share in the chance of a deal."""

    def __init__(self, name: str, width: Callable[[], int], nonce: str = "") -> None:
        self.name, self.width, self.nonce = name, width, nonce
        self.seats, self.prompt, self.review = Seats(), Prompt(), Reviewing()
        self.turning, self.rematch, self.guided = Turning(), Rematch(), Guided()

    def rename(self, name: str) -> None:
        """The server calls the person so."""
        self.name = name


class PersonState(TypingState):
    """What a person has read and typed so far, as far as it still matters."""

    def __init__(self, name: str, games: Mapping[str, Game], settings: PersonSettings) -> None:
        super().__init__(name, settings.width, settings.nonce)
        self.games = dict(games)
        self.known_games = KnownGames(self.games)  # with the cards of their tables
        self.settings = settings
        self.page, self.glances, self.opening = PageShown(), Glances(), Opening()
        self.prompt.memory.confirm(on=settings.confirms)
        if settings.tutor is not None:
            self.guided.begin("", settings.tutor)
        self.following = Following(self.turning)
        self.lost = False  # the connection, at present

    def note_connection(self, *, lost: bool) -> None:
        """The connection is lost, or there again."""
        self.lost = lost

    def place_page(self, effects: Effects) -> Effects:
        """Shows the page of these effects in the board's place or, where nothing is pinned, as lines."""
        page, effects.page = effects.page, None
        if page is not None and self.settings.pinned:
            self.page.show(page)
        elif page is not None:
            effects.lines += page(self.settings.width(), 0)
        return effects
