"""A match of bots in this process, without a server: for measuring rules and bots, and for a bot's own tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bots.sdk.bot import Bot, Turn
from games.api import Action, Game, Options, Outcome, Seat, State, Told
from games.chance import Chance

Observer = Callable[[State, Seat, Action], None]  # called before each action is done


def play(game: Game, bots: Sequence[Bot], options: Options, chance: Chance, watch: Observer | None = None) -> Outcome:
    """Plays to the end; bots[0] has seat 1. Raises IllegalAction if a bot breaks the rules."""
    state, told = game.start(len(bots), options, chance)
    listeners = [(seat, bot) for seat, bot in enumerate(bots, 1) if bot.listens()]
    _tell(listeners, told)
    turns = [0] * len(bots)
    while movers := state.to_move():
        seat = min(movers)
        turns[seat - 1] += 1
        bot = bots[seat - 1]
        turn = Turn(
            game,
            seat,
            state.view(seat),
            state.legal_actions(seat),
            turns[seat - 1],
            seats=len(bots),
            options=options,
            knowledge=state.knowledge(seat) if "knowledge" in bot.wants else None,
        )
        action = bot.choose(turn)
        if watch is not None:
            watch(state, seat, action)
        _tell(listeners, state.apply(seat, action))
    outcome = state.outcome()
    assert outcome is not None
    for bot in bots:
        bot.end(outcome)
    return outcome


def _tell(listeners: Sequence[tuple[Seat, Bot]], told: Sequence[Told]) -> None:
    for seat, bot in listeners:
        for one in told:
            if one.heard_by(seat):
                bot.hear(one.event)
