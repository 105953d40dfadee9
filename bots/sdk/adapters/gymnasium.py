"""Makes every game a Gymnasium environment: the learner plays one seat, and bots play the other seats.

env = SeatEnv("mages-110m", ["hurdler"])
observation, info = env.reset(seed=1)
observation, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

from bots.sdk.adapters import requires_extra
from bots.sdk.bot import Bot
from bots.sdk.local import SeatedBots
from bots.sdk.registry import check_plays, get_bot
from games.api import Game, Seat, State, plain_lines
from games.chance import SEED_BYTES, Chance

with requires_extra("gymnasium"):
    import gymnasium
    import numpy as np

    from bots.sdk.adapters.arrays import RENDER_MODES, ArrayEncoding, Mask, Vector, check_render_mode


class SeatEnv(gymnasium.Env[Vector, np.int64]):
    """A match in which the learner plays one seat.

    An observation is the vector of the seat's view, float32. `info["action_mask"]` is int8, with 1 for each legal
    action. The reward is 0 until the end of the match, and then the seat's share of the win, 0 to 1. An illegal action
    loses the match at once, and `info["illegal"]` says why it is illegal. `step` raises ValueError for an id without an
    action, TypeError for an id that is not an integer, and ResetNeeded after the end of the match. All methods that
    need a match raise ResetNeeded before the first `reset`.

    Args:
        game: The game, or its id.
        bots: The bots of the other seats, clockwise from the learner's: names as for `get_bot`, or classes.
        seat: The learner's seat; 0 to draw it at random for each match.
        options: The values of the game's options, by name.
        render_mode: "ansi" or None.

    Raises:
        KeyError: The game does not exist.
        NoSuchBot: A bot does not exist.
        ValueError: The game does not take the seats or an option, or a bot does not play the game.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str | type[Bot]],
        *,
        seat: Seat = 1,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.arrays = arrays = ArrayEncoding(game, len(bots) + 1, options)
        self.kinds = [get_bot(bot) if isinstance(bot, str) else bot for bot in bots]
        for bot, kind in zip(bots, self.kinds, strict=True):
            check_plays(bot if isinstance(bot, str) else bot.__name__, kind, arrays.game.id)
        if not 0 <= seat <= arrays.seats:
            raise ValueError(f"There is no seat {seat} of {arrays.seats}.")
        check_render_mode(render_mode)
        self._wanted, self.render_mode = seat, render_mode
        self.observation_space, self.action_space = arrays.observation_space(), arrays.action_space()
        self.seat: Seat  # the learner's seat in the current match
        self.match: State  # the full state of the current match, hidden cards included

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Deals a new match, and plays it up to the learner's first decision.

        Args:
            seed: The same seed gives the same match; None continues with the environment's current random numbers.
            options: Not used.

        Returns:
            The observation, and a map with `action_mask`.
        """
        super().reset(seed=seed)
        arrays, rng = self.arrays, self.np_random
        self.seat = self._wanted or int(rng.integers(1, arrays.seats + 1))
        self.match, told = arrays.game.start(arrays.seats, arrays.options, Chance(rng.bytes(SEED_BYTES)))
        seats = [(self.seat + step) % arrays.seats + 1 for step in range(arrays.seats - 1)]
        bots = {seat: kind(int.from_bytes(rng.bytes(8), "big")) for seat, kind in zip(seats, self.kinds, strict=True)}
        self._others = SeatedBots(self.match, bots)
        self._others.deliver_events(told)
        self._over = False
        self._play_on()
        return self._observation(), self._info()

    def step(self, action: SupportsIndex) -> tuple[Vector, float, bool, bool, dict[str, Any]]:
        """Carries out the learner's action, and then the bots' actions up to the learner's next decision.

        Args:
            action: The id of an action.

        Returns:
            The observation, the reward, whether the match is over, False (matches are never truncated), and a map with
                `action_mask`.

        Raises:
            ResetNeeded: There is no match, or it is over.
            ValueError: No action has that id.
            TypeError: The id is not an integer.
        """
        match = self._dealt()
        if self._over:
            raise gymnasium.error.ResetNeeded("The match is over.")
        move = self.arrays.action(action)
        if refusal := match.refusal_reason(self.seat, move):
            self._over = True
            return self._observation(), 0.0, True, False, {**self._info(), "illegal": refusal.text}
        self._others.deliver_events(match.apply(self.seat, move))
        self._play_on()
        self._over = not match.to_move()
        reward = self._others.deliver_outcome().shares[self.seat - 1] if self._over else 0.0
        return self._observation(), reward, self._over, False, self._info()

    def action_masks(self) -> Mask:
        """Returns the mask of the learner's legal actions. Some learning libraries expect a method of this name."""
        return self.arrays.action_mask(self._dealt().legal_actions(self.seat))

    def render(self) -> str | None:
        """Returns the board as the learner's seat sees it, as text; None if the environment has no render mode."""
        if self.render_mode is None:
            return None
        names = [f"seat {seat}" for seat in range(1, self.arrays.seats + 1)]
        return "\n".join(plain_lines(self.arrays.game.words.render_board(self._dealt().view(self.seat), names, 80)))

    def _dealt(self) -> State:
        """Returns the state of the current match. Raises ResetNeeded before the first `reset`."""
        if not hasattr(self, "match"):
            raise gymnasium.error.ResetNeeded("There is no match yet: call reset.")
        return self.match

    def _play_on(self) -> None:
        """Lets the bots act until the learner has to decide, or until the match is over."""
        state, others = self.match, self._others
        while (movers := state.to_move()) and (seat := min(movers)) != self.seat:
            others.deliver_events(state.apply(seat, others.choose_action(seat)))

    def _observation(self) -> Vector:
        return self.arrays.observation(self.match.view(self.seat))

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks()}


gymnasium.register("magehall/Seat-v0", f"{__name__}:SeatEnv", disable_env_checker=True)
