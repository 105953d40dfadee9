"""Plays a match of bots in this process, without a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from bots.language import _
from bots.sdk.bot import Bot, Turn
from games.api import Action, AddressedEvent, Game, IllegalAction, Options, Outcome, Seat, State
from games.chance import Chance

Observer = Callable[[State, Seat, Action], None]  # a function that is called before each action
LONGEST = 80  # the most characters of a value in an error


class NoAction(IllegalAction):
    """A bot chose something that is not an action of the game."""

    def __init__(self, bot: Bot, turn: Turn, chosen: object) -> None:
        what, game = repr(chosen)[:LONGEST], turn.game.id
        text = _("choose returned {what}, which is not an action of {game}.", what=what, game=game)
        super().__init__("no_action", text)
        self.bot = bot


def chosen(bot: Bot, turn: Turn) -> Action:
    """Asks a bot for its choice.

    Args:
        bot: The bot.
        turn: The decision.

    Returns:
        The action, which may be illegal.

    Raises:
        NoAction: The choice is not an action of the game. Exceptions of the bot pass through.
    """
    action = bot.choose(turn)
    kinds = get_args(turn.game.action_type) or (turn.game.action_type,)
    if type(action) not in kinds and action not in turn.legal:
        raise NoAction(bot, turn, action)
    return action


def play(game: Game, bots: Sequence[Bot], options: Options, chance: Chance, watch: Observer | None = None) -> Outcome:
    """Plays a match to its end.

    Args:
        game: The game.
        bots: The bots in seat order; bots[0] has seat 1.
        options: The options of the game.
        chance: The random numbers of the match.
        watch: A function that is called before each action with the state, the seat and the action.

    Returns:
        The outcome.

    Raises:
        IllegalAction: A bot chose an illegal action.
    """
    state, told = game.start(len(bots), options, chance)
    table = BotAtSeat(state, dict(enumerate(bots, 1)))
    table.tell(told)
    while movers := state.to_move():
        seat = min(movers)
        action = table.ask(seat)
        if watch is not None:
            watch(state, seat, action)
        table.tell(state.apply(seat, action))
    return table.end()


class BotAtSeat:
    """The bots of a match by seat. Seats without a bot are played by the caller."""

    def __init__(self, state: State, bots: Mapping[Seat, Bot]) -> None:
        self._state, self._bots = state, bots
        self._listeners = [(seat, bot) for seat, bot in bots.items() if bot.listens()]
        self._turns = dict.fromkeys(bots, 0)

    def ask(self, seat: Seat) -> Action:
        """Returns the choice of the bot in that seat."""
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

    def tell(self, told: Sequence[AddressedEvent]) -> None:
        """Delivers events to the bots that listen and whose seats may know them."""
        for seat, bot in self._listeners:
            for one in told:
                if one.is_for(seat):
                    bot.hear(one.event)

    def end(self) -> Outcome:
        """Delivers the outcome to every bot and returns it."""
        outcome = self._state.outcome()
        assert outcome is not None
        for bot in self._bots.values():
            bot.end(outcome)
        return outcome
