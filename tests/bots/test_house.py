"""The bots that the server seats itself: those that decide at once, told the options of their table."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
from typing import ClassVar

import msgspec
import pytest
import trio

from bots.sdk import Bot, Turn, subprocess_bot
from client import house
from client.house import BotHouse
from client.processes.limits import descendant_pids
from games.api import Action, State, action_from, options_from
from games.chance import Chance
from games.mages_110m.cards import OWN_FILE
from games.registry import get_game
from matches.house import HouseBot, HouseQuestion
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
        BotHouse().make(TOY, 2, {"rounds": rounds}, "reader", 1).ask(asked(state), said.append)
        assert said == [legal[rounds]]


def test_bots_that_think_come_after_those_that_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house, "all_bots", lambda: {"brooder": Thinker, "reader": Reader})
    assert BotHouse().names(TOY) == ["reader", "brooder"]


def test_a_turn_without_knowledge_says_what_a_bot_has_to_want() -> None:
    state, _ = TOY.start(2, ToyOptions(), Chance.of_number(1))
    turn = Turn(TOY, 1, state.view(1), state.legal_actions(1))
    with pytest.raises(LookupError, match="the bot needs wants"):
        turn.determinize(Reader(1).rng)


def asked(state: State, seat: int = 1) -> HouseQuestion:
    return HouseQuestion(seat, state.view(seat), state.legal_actions(seat), 1, lambda: state.knowledge(seat))


async def said_by(bot: HouseBot, question: HouseQuestion) -> Action | None:
    """What it answers; the time is real here."""
    said: list[Action | None] = []
    there = trio.Event()

    def take(action: Action | None) -> None:
        said.append(action)
        there.set()

    bot.ask(question, take)
    with trio.fail_after(20):
        await there.wait()
    return said[0]


def test_a_bot_that_thinks_has_a_process_until_its_match_is_over(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        game = get_game("mages-110m")
        state, _ = game.start(2, options_from(game, {}), Chance.of_number(1))
        seat = min(state.to_move())
        before = descendant_pids()
        bot = BotHouse().make(game, 2, {}, "thinker", 1)
        assert bot.seconds
        assert descendant_pids() == before
        for _ in range(2):
            assert await said_by(bot, asked(state, seat)) in state.legal_actions(seat)
        (process,) = descendant_pids() - before
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getpriority(os.PRIO_PROCESS, process) == min(19, ours + subprocess_bot.NICENESS), (
            "the server comes first"
        )
        os.kill(process, signal.SIGKILL)
        assert await said_by(bot, asked(state, seat)) is None
        assert "house bot thinker stopped playing: its process has ended" in caplog.text
        assert await said_by(bot, asked(state, seat)) is None
        assert descendant_pids() == before
        caplog.clear()
        other = BotHouse().make(game, 2, {}, "thinker", 1)
        question, answers = asked(state, seat), list[Action | None]()
        other.ask(question, answers.append)
        while descendant_pids() == before:  # noqa: ASYNC110 (the kernel sets no event)
            await trio.sleep(0.01)
        other.close()
        while descendant_pids() != before:  # noqa: ASYNC110 (it may just have begun)
            await trio.sleep(0.01)
        assert not caplog.text

    trio.run(main)


class Noter(Bot):
    """Notes what it is told, and by what chance it would go."""

    wants = ("view", "legal", "knowledge")
    noted: ClassVar[list[tuple[Turn, float]]] = []

    def choose(self, turn: Turn) -> Action:
        self.noted.append((turn, self.rng.random()))
        return turn.legal[-1]


def test_a_bot_aside_knows_its_table_s_cards_and_goes_on_with_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess_bot, "all_bots", lambda: {"noter": Noter})
    own = get_game("mages-110m")
    cards = OWN_FILE.read_text().replace("squares = 11", "squares = 12", 1)
    game = own.with_cards(cards)
    state, _ = game.start(2, options_from(game, {"late_reserve": 2}), Chance.of_number(1))
    seat = min(state.to_move())
    question = subprocess_bot.DecisionRequest(
        seat, 7, 2.5, state.view(seat), list(state.legal_actions(seat)), state.knowledge(seat)
    )
    place = subprocess_bot.BotAssignment("noter", 5, "mages-110m", game.card_file_text(), 2, {"late_reserve": 2})
    before = msgspec.structs.replace(question, number=6)
    for questions in ((question,), (before, question)):
        asked = (place, *questions)
        lines, out = io.BytesIO(b"".join(msgspec.json.encode(one) + b"\n" for one in asked)), io.BytesIO()
        subprocess_bot.serve_decisions(lines, out)
        for answer in out.getvalue().splitlines():
            assert action_from(game, msgspec.json.decode(answer)) == state.legal_actions(seat)[-1]
    (first, chance), (_before, other), (second, again) = Noter.noted
    assert chance == random.Random(5 << 32 | 7).random() != other
    assert first.game.cards_digest == game.cards_digest != ""
    assert (first.view, first.knowledge, first.options) == (state.view(seat), state.knowledge(seat), state.options)
    assert (first.number, first.seats, first.clock, first.legal) == (7, 2, 2.5, state.legal_actions(seat))
    assert (second.view, again) == (first.view, chance)


def test_a_bot_aside_is_asked_one_question_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answers name no question: each is to the line before it."""
    game = get_game("mages-110m")
    state, _ = game.start(2, options_from(game, {}), Chance.of_number(1))
    seat = min(state.to_move())
    legal = list(state.legal_actions(seat))
    alone = subprocess_bot.SubprocessBot(game, subprocess_bot.BotAssignment("noter", 5, game.id, "", 2, {}))
    held: list[bool] = []

    def answered(self: subprocess_bot.SubprocessBot, _asked: subprocess_bot.DecisionRequest) -> bytes:
        held.append(self._one_at_a_time.locked())
        return msgspec.json.encode(legal[0]) + b"\n"

    monkeypatch.setattr(subprocess_bot.SubprocessBot, "_answer", answered)
    question = subprocess_bot.DecisionRequest(seat, 1, None, state.view(seat), legal, state.knowledge(seat))
    assert alone.choose(question) == legal[0]
    assert held == [True]


class Process:
    """In the place of a bot's process: answers each question with the first action of the toy."""

    def __init__(self, command: list[str], **_how: object) -> None:
        self.command, self.ended = command, list[str]()
        self.stdin, self.stdout = io.BytesIO(), io.BytesIO(b'{"do":"play","card":3}\n' * 9)

    def kill(self) -> None:
        self.ended.append("killed")

    def wait(self) -> None:
        self.ended.append("waited for")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """Those that were started."""
    started: list[Process] = []

    def start(command: list[str], **how: object) -> Process:
        started.append(Process(command, **how))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    return started
