"""Makes every game a PettingZoo environment with one agent for each seat: `seat_1`, `seat_2`, ...

env = HallEnv("ikasamage", seats=4)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, termination, truncation, info = env.last()
    env.step(None if termination else env.action_space(agent).sample(info["action_mask"]))
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, SupportsIndex

from bots.sdk.adapters import requires_extra
from games.api import Game, IllegalAction, Seat, State, plain_lines
from games.chance import SEED_BYTES, Chance

with requires_extra("pettingzoo"):
    from gymnasium.error import ResetNeeded
    from gymnasium.spaces import Box, Discrete
    from pettingzoo import AECEnv

    from bots.sdk.adapters.arrays import RENDER_MODES, ArrayEncoding, Vector, check_render_mode


class HallEnv(AECEnv):  # type: ignore[misc]  # pettingzoo has no types
    """A match in which each agent plays one seat.

    An observation is the vector of the agent's view, float32. `info["action_mask"]` of the agent that has to decide is
    int8, with 1 for each legal action; when the match is over, it has only 0. Rewards are 0 until the end of the match,
    and then each seat's share of the win; these add up to 1. If several agents have to decide at the same time, they
    act one after another in seat order, and do not see each other's choices before all have acted. `step` raises
    ValueError for an illegal action. `step`, `observe` and `render` raise ResetNeeded before the first `reset`.

    Args:
        game: The game, or its id.
        seats: The number of players; 0 for the game's smallest number.
        options: The values of the game's options, by name.
        render_mode: "ansi" or None.

    Raises:
        KeyError: The game does not exist.
        ValueError: The game does not take the number of players or an option.
    """

    metadata = {"render_modes": RENDER_MODES, "is_parallelizable": False}

    def __init__(
        self,
        game: str | Game,
        seats: int = 0,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.arrays = arrays = ArrayEncoding(game, seats, options)
        self.metadata = {**self.metadata, "name": f"{arrays.game.id}_v{arrays.game.rules_version}"}
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, arrays.seats + 1)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents, 1)}
        self.observation_spaces = {agent: arrays.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: arrays.action_space() for agent in self.possible_agents}
        self._random = random.Random()
        self.agent_selection = self.possible_agents[0]
        self.match: State  # the full state of the current match, hidden cards included

    def observation_space(self, agent: str) -> Box:
        """Returns the Gymnasium space that contains every observation of an agent.

        Args:
            agent: The agent.

        Returns:
            A Box of float32, of shape `(layout.size,)`.
        """
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Returns the space that contains the ids of all actions.

        Args:
            agent: The agent.

        Returns:
            A Discrete space.
        """
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a new match, up to its first decision.

        Args:
            seed: The same seed gives the same match, and the same matches at later calls of `reset` without a seed.
            options: Not used.
        """
        if seed is not None:
            self._random = random.Random(seed)
        arrays = self.arrays
        chance = Chance(self._random.randbytes(SEED_BYTES))
        self.match, _ = arrays.game.start(arrays.seats, arrays.options, chance)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> Vector:
        """Returns what an agent observes now.

        Args:
            agent: The agent.

        Returns:
            The vector of the agent's view, float32 of shape `(layout.size,)`.

        Raises:
            ResetNeeded: There is no match.
        """
        return self.arrays.observation(self._dealt().view(self._seat_of[agent]))

    def step(self, action: SupportsIndex | None) -> None:
        """Carries out an action of the selected agent, the one that has to decide.

        Args:
            action: The id of a legal action; None for an agent whose match is over.

        Raises:
            ResetNeeded: There is no match.
            ValueError: The action is illegal or missing, or no action has that id.
            TypeError: The id is not an integer.
        """
        match, agent = self._dealt(), self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to do something.")
        move = self.arrays.action(action)
        try:
            match.apply(self._seat_of[agent], move)
        except IllegalAction as error:
            raise ValueError(f"action {action} of {agent} is not legal: {error.text}") from None
        self.infos[agent] = {}
        if self._ask():
            return
        outcome = match.outcome()
        assert outcome is not None
        self.rewards = dict(zip(self.agents, outcome.shares, strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"action_mask": self.arrays.action_mask(())} for agent in self.agents}
        self._deads_step_first()

    def _dealt(self) -> State:
        """Returns the state of the current match. Raises ResetNeeded before the first `reset`."""
        try:
            return self.match
        except AttributeError:
            raise ResetNeeded("There is no match yet: call reset.") from None

    def _ask(self) -> bool:
        """Selects the agent that has to decide next. Returns False if the match is over."""
        seat: Seat = min(self.match.to_move(), default=0)
        if not seat:
            return False
        self.agent_selection = agent = self.possible_agents[seat - 1]
        self.infos[agent] = {"action_mask": self.arrays.action_mask(self.match.legal_actions(seat))}
        return True

    def render(self) -> str | None:
        """Returns the board as the selected agent sees it, as text; None if the environment has no render mode."""
        if self.render_mode is None:
            return None
        view = self._dealt().view(self._seat_of[self.agent_selection])
        return "\n".join(plain_lines(self.arrays.game.words.render_board(view, self.possible_agents, 80)))

    def close(self) -> None:
        """Does nothing, because the environment holds no resources."""
