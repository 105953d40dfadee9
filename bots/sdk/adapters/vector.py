"""A Gymnasium vector environment that plays many matches at the same time, in several processes.

envs = HallVectorEnv("magecraft", ["evoker"], matches=64, processes=2)
observations, infos = envs.reset(seed=1)
observations, rewards, terminated, truncated, infos = envs.step(infos["action_mask"].argmax(axis=1))
"""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from bots.sdk.adapters import requires_extra
from bots.sdk.bot import Bot
from games.api import Game, Seat

with requires_extra("gymnasium"):
    import numpy as np
    from gymnasium.error import ClosedEnvironmentError, ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from bots.sdk.adapters.arrays import Vector
    from bots.sdk.adapters.gymnasium import SeatEnv

Floats: TypeAlias = "NDArray[np.float64]"
Flags: TypeAlias = "NDArray[np.bool_]"
# The results of a step for many matches: observations, rewards, flags for the matches that are over, and masks.
Batch: TypeAlias = "tuple[Vector, Floats, Flags, NDArray[np.int8]]"


class HallVectorEnv(VectorEnv[Vector, "NDArray[np.int64]", Any]):
    """Many matches at the same time, each a SeatEnv with the same bots, seat and options.

    After a match has ended, the next step deals a new one in its place and ignores its action. `reset(seed=S)` gives
    the first match the seed S, the second S + 1, and so on. Results do not depend on the number of processes.

    `step` raises ValueError for an invalid action and ResetNeeded before the first `reset`; in both cases nothing
    changes. RuntimeError reports an exception of a bot, after which `reset` starts again, or a process that died, after
    which the environment is closed.

    Args:
        game: The game, or its id.
        bots: The bots of the other seats, as for SeatEnv.
        matches: The number of matches.
        processes: The number of processes; 0 for one on each processor.
        seat: The learner's seat; 0 to draw it at random for each match.
        options: The values of the game's options, by name.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}

    def __init__(
        self,
        game: str | Game,
        bots: Sequence[str | type[Bot]],
        matches: int,
        *,
        processes: int = 0,
        seat: Seat = 1,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Starts the processes. Raises the exceptions of SeatEnv, and ValueError for an invalid number of matches or
        processes."""
        if matches < 1:
            raise ValueError("There has to be a match.")
        if processes < 0:
            raise ValueError(f"There are no {processes} processes; 0 is one for each processor.")
        count = min(processes or os.cpu_count() or 1, matches)
        # Bots that are given by name are looked up in each process, because `make` is called there.
        make = partial(SeatEnv, game, bots, seat=seat, options=options)
        one = make()
        self.num_envs, self._numbers = matches, one.arrays
        self._over: Flags | None = None  # flags for the matches that the last step ended; None before the first `reset`
        self.single_observation_space, self.single_action_space = one.observation_space, one.action_space
        self.observation_space = batch_space(one.observation_space, matches)
        self.action_space = batch_space(one.action_space, matches)
        bounds = [matches * at // count for at in range(count + 1)]
        self._parts = [slice(*pair) for pair in pairwise(bounds)]
        self._pipes: list[Connection] = []
        self._processes: list[multiprocessing.Process] = []
        for part in self._parts:
            mine, theirs = multiprocessing.Pipe()
            self._pipes.append(mine)
            args = theirs, self._pipes, make, part.stop - part.start
            process = multiprocessing.Process(target=_serve, args=args, daemon=True)
            process.start()
            self._processes.append(process)
            theirs.close()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Deals all matches.

        Args:
            seed: The seed of the first match; see the class. None continues with the matches' current random numbers.
            options: Not used.

        Returns:
            Observations, float32 of shape `(matches, layout.size)`, and infos with `action_mask`, int8 of shape
                `(matches, number of actions)`.
        """
        super().reset(seed=seed)
        seeds = [None if seed is None else seed + at for at in range(self.num_envs)]
        observations, _, _, masks = self._all([seeds[part] for part in self._parts])
        return observations, {"action_mask": masks}

    def step(self, actions: NDArray[np.int64]) -> tuple[Vector, Floats, Flags, Flags, dict[str, Any]]:
        """Carries out one action of the learner in every match.

        Args:
            actions: Action ids, integers of shape `(matches,)`.

        Returns:
            Observations, rewards, flags for the matches that are over, truncated flags (always False), and a map with
                `action_mask`.
        """
        if self._over is None and not self.closed:
            raise ResetNeeded("There is no match yet: call reset.")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} matches take as many actions, not an array of {actions.shape}.")
        if actions.dtype.kind not in "iu":
            raise ValueError(f"Actions are whole numbers, not an array of {actions.dtype}.")
        for at in np.flatnonzero((actions < 0) | (actions >= len(self._numbers.actions))):
            if self._over is not None and not self._over[at]:
                self._numbers.action(int(actions[at]))  # raises an error that says what is wrong
        observations, rewards, over, masks = self._all([actions[part] for part in self._parts])
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), {"action_mask": masks}

    def close_extras(self, **kwargs: Any) -> None:
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.close()
            # not asked to end, as a bot may be thinking there, or later processes may hold its pipe open
            process.kill()
            process.join()
            process.close()

    def _all(self, requests: Sequence[object]) -> Batch:
        if self.closed:
            raise ClosedEnvironmentError("The environment is closed.")
        try:
            for pipe, request in zip(self._pipes, requests, strict=True):
                pipe.send(request)
            answers = [pipe.recv() for pipe in self._pipes]
        except (EOFError, ConnectionError):
            self.close()
            raise RuntimeError("A process that plays some of the matches is gone.") from None
        except BaseException:  # for example Ctrl-C: a later call would read the answer to this request as its own
            self.close()
            raise
        for answer in answers:
            if isinstance(answer, RuntimeError):
                raise answer
        observations, rewards, self._over, masks = (np.concatenate(parts) for parts in zip(*answers, strict=True))
        return observations, rewards, self._over, masks


def _serve(pipe: Connection, others: list[Connection], make: Callable[[], SeatEnv], matches: int) -> None:
    """The main function of a process that plays some of the matches. A list of seeds as request deals new matches, an
    array of actions does a step in each. The process ends when its parent closes the pipe; it closes its own copies of
    the parent's pipes, because they would keep these pipes open."""
    for other in others:
        other.close()
    envs = [make() for _ in range(matches)]
    over = np.zeros(matches, np.bool_)
    try:
        while True:
            request = pipe.recv()
            answer: Batch | RuntimeError
            try:
                answer = _answer(envs, over, request)
            except Exception:  # sent as text, because not every exception can be pickled
                answer = RuntimeError(traceback.format_exc())
            pipe.send(answer)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        return


def _answer(envs: list[SeatEnv], over: Flags, request: list[int | None] | NDArray[np.int64]) -> Batch:
    vectors, masks, rewards = [], [], np.zeros(len(envs))
    for at, env in enumerate(envs):
        if isinstance(request, list):
            vector, info = env.reset(seed=request[at])
            over[at] = False
        elif over[at]:
            vector, info = env.reset()
            over[at] = False
        else:
            vector, reward, terminated, _, info = env.step(request[at])
            rewards[at], over[at] = reward, terminated
        vectors.append(vector)
        masks.append(info["action_mask"])
    return np.stack(vectors), rewards, over.copy(), np.stack(masks)
