"""A counter-spell that somebody might hold costs the table the same time as one that nobody holds."""

from typing import Any

import pytest
import trio

from games.api import AddressedEvent, Options, State
from games.chance import Chance
from games.mages_110m.game import Mages110m
from tests.games.mages_110m.given import GAME, given
from tests.helpers.hall import Hall

HOLDS, HOLDS_NOT = "no hop", "hop kick"


class Prepared(Mages110m):
    """A race that begins with a spell in the first mage's hand and given hands for the others."""

    def __init__(self, *others: str) -> None:
        super().__init__(GAME.deck)
        self._others = others

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, list[AddressedEvent]]:
        return given("hop glow", *self._others, dice="6"), []


async def told_over_time(hall: Hall, *others: str, answers: bool) -> list[tuple[float, dict[str, Any]]]:
    """What the caster is told after casting, and when: the others let it be after a second, or fall asleep."""
    hall.app.lobby.games = {"mages-110m": Prepared(*others)}
    number = len(hall.lobby.tables) + 1
    table, suffix = f"t{number}", "abc"[number]
    ann = await hall.player(f"ann{suffix}")
    rivals = [await hall.player(f"rival{suffix}{seat}", bot=True) for seat in range(2, len(others) + 2)]
    await ann.ask("open", game="mages-110m", seats=len(others) + 1, clock={"main": 20, "increment": 5})
    for rival in rivals:
        await rival.ask("join", table=table)
    await ann.ask("start", table=table)
    turn = await ann.next("turn")
    begun = trio.current_time()
    action = next(one for one in turn["legal"] if one["do"] == "cast" and "hop" in one.values())
    assert (await ann.ask("act", table=table, turn=turn["turn"], action=action))["type"] == "accepted"
    if answers:
        await trio.sleep(1)
        for rival in rivals:
            asked = await rival.next("turn")
            let_be = next(one for one in asked["legal"] if one["do"] == "let_be")
            await rival.ask("act", table=table, turn=asked["turn"], action=let_be)
    heard = []
    while True:
        message = await ann.until(lambda message: True)
        message.pop("table", None)
        heard.append((round(trio.current_time() - begun, 4), message))
        if message["type"] == "event" and message["event"]["what"] == "answers":
            return heard


@pytest.mark.parametrize("answers", [True, False])
async def test_g02_the_caster_is_told_the_same_at_the_same_time_whoever_could_answer(hall: Hall, answers: bool) -> None:
    with_counter = await told_over_time(hall, HOLDS, HOLDS_NOT, answers=answers)
    without = await told_over_time(hall, HOLDS_NOT, HOLDS_NOT, answers=answers)
    assert with_counter[:-1] == without[:-1]
    assert with_counter[-1][0] == without[-1][0] == (1 if answers else 25)
    assert with_counter == without or not answers  # of who sleeps chance may play the counter-spell, which all see
