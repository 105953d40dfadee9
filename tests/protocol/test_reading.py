"""What a typed line means depends on where it is typed."""

import pytest

from protocol.errors import Refusal
from protocol.messages import Resign, Rules
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


def test_resigning_asks_once_but_where_it_is_forbidden_and_the_answer_says_so() -> None:
    def said(*, may_resign: bool) -> object:
        where = Where(games=(), tables=lambda _state: (), table="t1", may_resign=may_resign)
        return read("resign", where, Memory())

    assert "Type resign again" in str(said(may_resign=True))
    assert getattr(said(may_resign=False), "kind", None) is Resign


def test_a_game_is_meant_by_a_part_of_its_name_and_a_typo_is_answered_with_the_closest() -> None:
    def opened(word: str) -> object:
        where = Where(games=("cheaty-mages", "magecraft", "mages-110m"), tables=lambda _state: ())
        return getattr(read(f"open {word}", where, Memory()), "fields", {}).get("game")

    assert [opened(word) for word in ("110m", "Cheaty", "magecraft", "mages", "chess")] == [
        "mages-110m", "cheaty-mages", "magecraft", "mages", "chess",
    ]  # fmt: skip
    with pytest.raises(Refusal, match=r"There is no game 'magecaft'\. Do you mean magecraft\?"):
        opened("magecaft")
