"""A live server on a real port, with house bots that do the first legal thing."""

import secrets
from collections.abc import Sequence

import pytest
import trio

from games.api import Action, Game
from games.registry import all_games
from server.app import App, serve
from server.config import Config
from server.house import Choose


class FirstHouse:
    """House bots that do the first thing that is legal, so that what they do can be foretold."""

    def names(self, game: Game) -> Sequence[str]:
        return ("greedy", "random")

    def make(self, game: Game, name: str, seed: int) -> Choose:
        def choose(seat: int, view: object, legal: Sequence[Action], number: int) -> Action:
            return legal[0]

        return choose


def without_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secret bytes are 00 01 02 ... from now on: seeds, salts, tokens, challenges. Ada begins in a match of three."""
    monkeypatch.setattr(secrets, "token_bytes", lambda count=32: bytes(range(count)))


async def open_hall(nursery: trio.Nursery) -> App:
    """A server that lives as long as the nursery; its `port` is free for the taking."""
    app: App = await nursery.start(serve, Config(port=0), all_games(), FirstHouse())
    return app
