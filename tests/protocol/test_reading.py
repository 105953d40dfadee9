"""What a typed line means depends on where it is typed."""

import pytest

from protocol.errors import Refusal
from protocol.messages import Rules
from protocol.text.reading import read
from protocol.text.where import Memory, Where


def test_a_game_is_named_where_there_are_several_and_one_is_at_no_table() -> None:
    def ask(*games: str, game: str = "") -> object:
        return read("rules", Where(games=games, tables=lambda _state: (), game=game), Memory())

    for asked in (ask("toy"), ask("toy", "chess", game="toy")):
        assert (getattr(asked, "kind", None), getattr(asked, "fields", None)) == (
            Rules,
            {"game": "toy", "about": "contents"},
        )
    for games in ((), ("toy", "chess")):
        with pytest.raises(Refusal, match="Say which game"):
            ask(*games)
