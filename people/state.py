"""The state of one person's session, composed of objects for its parts. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from games.api import Game
from matches.admission import KnownGames, Match
from people.board_refresh import BoardRefresh
from people.effects import Effects
from people.following import NextTableSearch
from people.guided import GuidedMatch
from people.open_hands import OpenHandsPage
from people.page import ShownPage
from people.prompt import Prompt
from people.rematch import Rematch
from people.reviewing import WORD, ReviewState
from people.seats import JoinedTables
from people.settings import PersonSettings
from people.spectating import MatchRotation


class PersonState:
    """The state that the messages and typed lines so far have left, in one object for each part of the session."""

    def __init__(self, name: str, games: Mapping[str, Game], settings: PersonSettings) -> None:
        self.name, self.games, self.settings = name, games, settings
        self.known_games = KnownGames(games)  # also the variants of games with a table's own cards
        self.seats, self.prompt, self.review = JoinedTables(), Prompt(), ReviewState()
        self.turning, self.rematch, self.guided = MatchRotation(), Rematch(), GuidedMatch()
        self.page, self.glances, self.opening = ShownPage(), BoardRefresh(), OpenHandsPage()
        self.prompt.memory.set_confirm(on=settings.confirms)
        self.prompt.memory.set_bell(on=settings.rings)
        if settings.tutor is not None:
            self.guided.begin_match("", settings.tutor)
        self.following = NextTableSearch(self.turning)
        self.lost = False  # whether the connection is lost now

    def rename(self, name: str) -> None:
        """Sets the name that the server uses for the person."""
        self.name = name

    def game_at(self, match: Match) -> Game:
        """Returns the game of a match that has passed the admission, with the card file of its table."""
        server = self.settings.server
        return self.known_games.game_of(match) if server is None else server.game_of_match(match)

    def note_connection(self, *, lost: bool) -> None:
        """Notes that the connection is lost, or with `lost` False that it is restored."""
        self.lost = lost

    def step_review(self, word: str, effects: Effects) -> None:
        """Carries out `review`, or a step through the last match. Raises Refusal if there is no finished match."""
        server, here = self.settings.server, self.seats.here
        if server is None:
            self.review.step_and_show(word, self.settings.width(), effects)
            return
        if word == WORD and here is not None and (finished := server.finished_record(here.id)) is not None:
            self.review.set_match(finished)
        effects.seeks = self.review.move(word, effects)

    def show_page(self, effects: Effects) -> Effects:
        """Shows the page of these effects instead of the board, or adds it as lines if the board is not pinned. Returns
        the effects without the page."""
        page, effects.page = effects.page, None
        if page is not None and self.settings.pinned:
            self.page.show_page(page)
        elif page is not None:
            effects.lines += page(self.settings.width(), 0)
        return effects
