"""A match of bots in this process, without a server: for measuring rules and bots, and for a bot's own tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from bots.language import _
from bots.sdk.bot import Bot, Turn
from games.api import Action, Game, IllegalAction, Options, Outcome, Seat, State, Told
from games.chance import Chance

Observer = Callable[[State, Seat, Action], None]  # called before each action is done
LONGEST = 80  # characters of what is shown


class NoAction(IllegalAction):
    """A bot chose something that is no action of the game."""

    def __init__(self, bot: Bot, turn: Turn, chosen: object) -> None:
        what, game = repr(chosen)[:LONGEST], turn.game.id
        text = _("choose returned {what}, which is no action of {game}.", what=what, game=game)
        super().__init__("no_action", text)
        self.bot = bot


def chosen(bot: Bot, turn: Turn) -> Action:
    """What the bot does now. Raises NoAction, and whatever the bot raises."""
    action = bot.choose(turn)
    kinds = get_args(turn.game.action_type) or (turn.game.action_type,)
    if type(action) not in kinds and action not in turn.legal:
        raise NoAction(bot, turn, action)
    return action


def play(game: Game, bots: Sequence[Bot], options: Options, chance: Chance, watch: Observer | None = None) -> Outcome:
    """Plays to the end; bots[0] has seat 1. Raises IllegalAction if a bot breaks the rules."""
    state, told = game.start(len(bots), options, chance)
    table = Seated(state, dict(enumerate(bots, 1)))
    table.tell(told)
    while movers := state.to_move():
        seat = min(movers)
        action = table.ask(seat)
        if watch is not None:
            watch(state, seat, action)
        table.tell(state.apply(seat, action))
    return table.end()


class Seated:
    """Bots at a match, by seat; a seat without one is somebody else's."""

    def __init__(self, state: State, bots: Mapping[Seat, Bot]) -> None:
        self._state, self._bots = state, bots
        self._listeners = [(seat, bot) for seat, bot in bots.items() if bot.listens()]
        self._turns = dict.fromkeys(bots, 0)

    def ask(self, seat: Seat) -> Action:
        """What the bot of that seat does now."""
        self._turns[seat] += 1
        state, bot = self._state, self._bots[seat]
        turn = Turn(
            state.game,
            seat,
            state.view(seat),
            state.legal_actions(seat),
            self._turns[seat],
            seats=state.seats,
            options=state.options,
            knowledge=state.knowledge(seat) if "knowledge" in bot.wants else None,
        )
        return chosen(bot, turn)

    def tell(self, told: Sequence[Told]) -> None:
        """Every bot that listens hears what its seat hears."""
        for seat, bot in self._listeners:
            for one in told:
                if one.heard_by(seat):
                    bot.hear(one.event)

    def end(self) -> Outcome:
        """The match is over: every bot is told how."""
        outcome = self._state.outcome()
        assert outcome is not None
        for bot in self._bots.values():
            bot.end(outcome)
        return outcome
