"""The house bots of a server: the bots that are installed on this machine."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import trio

from bots.sdk.bot import Bot, Turn
from bots.sdk.registry import all_bots, bot_plays
from bots.sdk.subprocess_bot import BotAssignment, DecisionRequest, SubprocessBot
from games.api import Action, Game, Knowledge, options_from
from matches.house import Answer, HouseBot, HouseQuestion, ImmediateHouseBot
from protocol.redacted_traceback import redact_error

log = logging.getLogger("magehall.house")

THINK_SECONDS = 0.6  # expected seconds for a decision of a bot that searches, including the exchange with its process


class BotHouse:
    """Implements matches.house.House. A bot that wants `knowledge` runs in a process of its own, where it may search
    for long."""

    def names(self, game: Game) -> Sequence[str]:
        found = {name: kind for name, kind in all_bots().items() if bot_plays(kind, game.id)}
        return sorted(found, key=lambda name: is_searching(found[name]))

    def make(self, game: Game, seats: int, options: Mapping[str, Any], name: str, seed: int) -> HouseBot:
        kind = all_bots()[name]
        if is_searching(kind):
            return HouseBotProcess(game, BotAssignment(name, seed, game.id, game.card_file_text(), seats, options))
        bot, read = kind(seed), options_from(game, options)

        def choose(asked: HouseQuestion) -> Action:
            bot.rng.seed(seed << 32 | asked.number)  # seeded for each decision, so that a restored bot chooses the same
            return bot.choose(Turn(game, asked.seat, asked.view, asked.legal, asked.number, seats=seats, options=read))

        return ImmediateHouseBot(choose)


def is_searching(kind: type[Bot]) -> bool:
    """Returns whether the bot searches, so that the server must not wait for its decisions."""
    return "knowledge" in kind.wants


class HouseBotProcess:
    """A house bot in a process of its own, which starts at the first question and ends with the match. For each
    question a thread waits for the decision. If the process ends early, the bot gets no more questions."""

    seconds = THINK_SECONDS

    def __init__(self, game: Game, place: BotAssignment) -> None:
        self._name, self._aside = place.bot, SubprocessBot(game, place)
        self._is_closed = False

    def ask(self, question: HouseQuestion, answer: Answer) -> None:
        """See HouseBot."""
        if self._is_closed:
            answer(None)
            return
        token, knowledge = trio.lowlevel.current_trio_token(), question.knowledge()
        threading.Thread(target=self._think, args=(question, knowledge, answer, token), daemon=True).start()

    def close(self) -> None:
        """See HouseBot."""
        self._is_closed = True
        self._aside.close()

    def _think(
        self, asked: HouseQuestion, knowledge: Knowledge, answer: Answer, token: trio.lowlevel.TrioToken
    ) -> None:
        """Asks the bot's process for its decision. Runs in a thread."""
        chosen: Action | None = None
        try:
            turn = DecisionRequest(asked.seat, asked.number, asked.clock, asked.view, list(asked.legal), knowledge)
            chosen = self._aside.choose(turn)
        except Exception as error:
            if not self._is_closed:
                why = error if isinstance(error, EOFError) else redact_error(error)
                log.error("house bot %s stopped playing: %s", self._name, why)
            self.close()
        with suppress(trio.RunFinishedError):
            token.run_sync_soon(partial(answer, chosen))
