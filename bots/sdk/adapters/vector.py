"""Many matches at once as one Gymnasium environment, spread over processes.

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

from bots.sdk.adapters import needs
from bots.sdk.bot import Bot
from games.api import Game, Seat

with needs("gymnasium"):
    import numpy as np
    from gymnasium.error import ClosedEnvironmentError, ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from numpy.typing import NDArray

    from bots.sdk.adapters.arrays import Vector
    from bots.sdk.adapters.gymnasium import SeatEnv

Floats: TypeAlias = "NDArray[np.float64]"
Flags: TypeAlias = "NDArray[np.bool_]"
Batch: TypeAlias = "tuple[Vector, Floats, Flags, NDArray[np.int8]]"  # vectors, rewards, which are over, masks


class HallVectorEnv(VectorEnv[Vector, "NDArray[np.int64]", Any]):
    """Each match is a SeatEnv, with the same `bots`, `seat` and `options`. After a match has ended, the next step of
    that place deals another one, whatever its action. `reset(seed=S)` gives the first match the seed S, the second
    S + 1, and so on; what comes of it does not depend on the number of processes. `close` ends them.

    `step` raises ValueError for what is no action, and ResetNeeded before the first match; then nothing changes.
    RuntimeError says what a bot raised, and `reset` begins anew; or that a process is gone, and then all is closed.
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
        """As many processes as there are processors, unless it is said. Raises as SeatEnv does."""
        if matches < 1:
            raise ValueError("There has to be a match.")
        if processes < 0:
            raise ValueError(f"There are no {processes} processes; 0 is one for each processor.")
        count = min(processes or os.cpu_count() or 1, matches)
        make = partial(SeatEnv, game, bots, seat=seat, options=options)  # a bot that is a name is found by each process
        one = make()
        self.num_envs, self._numbers = matches, one.arrays
        self._over: Flags | None = None  # of the last step; None before the first match
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
        """Deals every match anew."""
        super().reset(seed=seed)
        seeds = [None if seed is None else seed + at for at in range(self.num_envs)]
        observations, _, _, masks = self._all([seeds[part] for part in self._parts])
        return observations, {"action_mask": masks}

    def step(self, actions: NDArray[np.int64]) -> tuple[Vector, Floats, Flags, Flags, dict[str, Any]]:
        """One decision in every match."""
        if self._over is None and not self.closed:
            raise ResetNeeded("There is no match yet: call reset.")
        actions = np.asarray(actions)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} matches take as many actions, not an array of {actions.shape}.")
        if actions.dtype.kind not in "iu":
            raise ValueError(f"Actions are whole numbers, not an array of {actions.dtype}.")
        for at in np.flatnonzero((actions < 0) | (actions >= len(self._numbers.actions))):
            if self._over is not None and not self._over[at]:
                self._numbers.action(int(actions[at]))  # which says what is wrong
        observations, rewards, over, masks = self._all([actions[part] for part in self._parts])
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), {"action_mask": masks}

    def close_extras(self, **kwargs: Any) -> None:
        for pipe, process in zip(self._pipes, self._processes, strict=True):
            pipe.close()
            process.kill()  # which may be thinking, or share its pipe with processes that were started later
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
        except BaseException:  # a key was pressed: what is not read yet would be taken for the next answer
            self.close()
            raise
        for answer in answers:
            if isinstance(answer, RuntimeError):
                raise answer
        observations, rewards, self._over, masks = (np.concatenate(parts) for parts in zip(*answers, strict=True))
        return observations, rewards, self._over, masks


def _serve(pipe: Connection, others: list[Connection], make: Callable[[], SeatEnv], matches: int) -> None:
    """In a process of its own: a list of seeds deals, an array of actions steps. Ends with who asks: so nobody else
    may hold the other ends."""
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
            except Exception:  # as text: not every error can be sent
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
