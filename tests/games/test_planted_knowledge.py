"""Knowledge that says too much, planted in real games: the exam must find it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from games.api import Seat, options_from
from games.cheaty_mages import views_of
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.truth import Arena
from games.cheaty_mages.views import ArenaKnowledge
from games.mages_110m.truth import RaceTruth
from games.registry import get_game
from games.testing.exam import examine_position, examine_redeals
from games.testing.failed import ExamFailed

FOUND = r"the knowledge betrays|imagined from what is hidden"
NEW_PILE = Path(__file__).parent / "cheaty_mages" / "positions" / "new_pile.toml"


def test_the_exam_finds_a_list_that_says_in_which_order_the_fighters_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views_of.knowledge_of

    def knowledge_of(arena: Arena, seat: Seat | None) -> ArenaKnowledge:
        names = tuple(arena.deck.fighters[fighter].name for fighter in arena.fighter_pile)
        return msgspec.structs.replace(honest(arena, seat), fighter_pile=names)

    game = get_game("ikasamage")
    monkeypatch.setattr(ArenaState, "knowledge", knowledge_of)
    with pytest.raises(ExamFailed, match=FOUND):
        examine_redeals(game, 3, options_from(game, {}), 1)


@pytest.mark.parametrize("game_id", ["ikasamage", "cheaty-mages"])
def test_the_exam_finds_that_it_is_known_of_which_pile_a_card_was_when_nobody_can_tell(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = NEW_PILE.read_text(encoding="utf-8")
    monkeypatch.setattr(Arena, "_blend", lambda *_: None)
    with pytest.raises(ExamFailed, match=FOUND):
        sum(examine_position(get_game(game_id), position, number) for number in range(60))


def test_the_exam_finds_that_it_is_known_how_old_a_card_of_a_race_was_when_nobody_can_tell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = get_game("mages-110m")
    monkeypatch.setattr(RaceTruth, "_may_be_either", lambda *_: False)
    with pytest.raises(ExamFailed, match=FOUND):
        sum(examine_redeals(game, 4, options_from(game, {}), number) for number in range(20, 40))  # few deals show it
