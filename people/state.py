"""One person's state, in parts that each assign their own attributes. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from games.api import Game
from matches.admission import KnownGames
from people.effects import Effects
from people.following import Following
from people.glances import Glances
from people.opening import Opening
from people.page import PageShown
from people.prompt import Prompt
from people.rematch import Rematch
from people.reviewing import Reviewing
from people.seats import Seats
from people.settings import PersonSettings
from people.turning import Turning


class PersonState:
    """What a person has read and typed so far, as far as it still matters."""

    def __init__(self, name: str, games: Mapping[str, Game], settings: PersonSettings) -> None:
        self.name = name
        self.games = dict(games)
        self.known_games = KnownGames(self.games)  # with the cards of their tables
        self.settings = settings
        self.seats, self.prompt, self.page, self.review = Seats(), Prompt(), PageShown(), Reviewing()
        self.glances, self.turning, self.opening, self.rematch = Glances(), Turning(), Opening(), Rematch()
        self.prompt.memory.confirm(on=settings.confirms)
        self.following = Following(self.turning)
        self.lost = False  # the connection, at present

    def rename(self, name: str) -> None:
        """The server calls the person so."""
        self.name = name

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
