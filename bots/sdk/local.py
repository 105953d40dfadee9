"""Plays matches between bots in this process, without a server."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from bots.language import _
from bots.sdk.bot import Bot, Turn
from games.api import Action, AddressedEvent, Game, IllegalAction, Options, Outcome, Seat, State
from games.chance import Chance

Observer = Callable[[State, Seat, Action], None]  # called before each action, with the seat that does it
LONGEST = 80  # the most characters of a bot's wrong choice that an error quotes


class NoAction(IllegalAction):
    """Raised when a bot's choice is not an action of the game at all."""

    def __init__(self, bot: Bot, turn: Turn, chosen: object) -> None:
        what, game = repr(chosen)[:LONGEST], turn.game.id
        text = _("choose returned {what}, which is not an action of {game}.", what=what, game=game)
        super().__init__("no_action", text)
        self.bot = bot


def ask_bot(bot: Bot, turn: Turn) -> Action:
    """Calls a bot's `choose` and checks the type of its choice.

    Args:
        bot: The bot.
        turn: The decision to make.

    Returns:
        The chosen action, which may be illegal.

    Raises:
        NoAction: The choice is not an action of the game. Exceptions of the bot pass through.
    """
    action = bot.choose(turn)
    kinds = get_args(turn.game.action_type) or (turn.game.action_type,)
    if type(action) not in kinds and action not in turn.legal:
        raise NoAction(bot, turn, action)
    return action


def play(game: Game, bots: Sequence[Bot], options: Options, chance: Chance, watch: Observer | None = None) -> Outcome:
    """Plays a match between bots to its end.

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
    table = SeatedBots(state, dict(enumerate(bots, 1)))
    table.deliver_events(told)
    while movers := state.to_move():
        seat = min(movers)
        action = table.choose_action(seat)
        if watch is not None:
            watch(state, seat, action)
        table.deliver_events(state.apply(seat, action))
    return table.deliver_outcome()


class SeatedBots:
    """The bots of a match, by seat. The caller decides for seats without a bot."""

    def __init__(self, state: State, bots: Mapping[Seat, Bot]) -> None:
        self._state, self._bots = state, bots
        self._listeners = [(seat, bot) for seat, bot in bots.items() if bot.listens()]
        self._turns = dict.fromkeys(bots, 0)

    def choose_action(self, seat: Seat) -> Action:
        """Returns the action that the bot in that seat chooses in the current state."""
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
        return ask_bot(bot, turn)

    def deliver_events(self, told: Sequence[AddressedEvent]) -> None:
        """Delivers each event to the bots that override `hear` and whose seat may know the event."""
        for seat, bot in self._listeners:
            for one in told:
                if one.is_for(seat):
                    bot.hear(one.event)

    def deliver_outcome(self) -> Outcome:
        """Delivers the outcome of the finished match to every bot. Returns the outcome."""
        outcome = self._state.outcome()
        assert outcome is not None
        for bot in self._bots.values():
            bot.end(outcome)
        return outcome
