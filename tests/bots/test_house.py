"""The bots that the server seats itself: those that decide at once, told the options of their table."""

from __future__ import annotations

import pytest

from bots.sdk import Bot, Turn
from client import house
from client.house import BotHouse
from games.api import Action
from games.chance import Chance
from server.house import Question
from tests.helpers.toy import TOY, ToyOptions


class Reader(Bot):
    """Takes the card that the options of the table name."""

    def choose(self, turn: Turn) -> Action:
        assert turn.seats == 2
        assert isinstance(turn.options, ToyOptions)
        return turn.legal[turn.options.rounds]


class Thinker(Reader):
    wants = ("legal", "knowledge")


def test_house_bots_learn_the_options_and_the_size_of_their_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "all_bots", lambda: {"reader": Reader})
    state, _ = TOY.start(2, ToyOptions(), Chance.of_number(1))
    legal = state.legal_actions(1)
    for rounds in (1, 2):
        said: list[Action | None] = []
        asked = Question(1, state.view(1), legal, 1, lambda: state.knowledge(1))
        BotHouse().make(TOY, 2, {"rounds": rounds}, "reader", 1).ask(asked, said.append)
        assert said == [legal[rounds]]


def test_bots_that_think_come_after_those_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "all_bots", lambda: {"brooder": Thinker, "reader": Reader})
    assert BotHouse().names(TOY) == ["reader", "brooder"]


def test_a_turn_without_knowledge_says_what_a_bot_has_to_want() -> None:
    state, _ = TOY.start(2, ToyOptions(), Chance.of_number(1))
    turn = Turn(TOY, 1, state.view(1), state.legal_actions(1))
    with pytest.raises(LookupError, match="the bot needs wants"):
        turn.imagine(Reader(1).rng)
