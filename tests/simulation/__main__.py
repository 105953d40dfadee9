"""`python -m tests.simulation`: runs seeds, prints a table and the seeds that failed."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from tests.simulation.world import Result, run, run_twice


def campaign(seeds: Sequence[int]) -> Iterator[Result]:
    """Every seed twice, on all cores."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        yield from pool.map(run_twice, seeds, chunksize=4)


def table(results: Sequence[Result]) -> str:
    """What the seeds came to, a line each."""
    failed = [result for result in results if result.failure]
    rows = {
        "seeds, each run twice": len(results),
        "matches": sum(one.matches for one in results),
        "actions acknowledged": sum(one.acts for one in results),
        "connections that broke": sum(one.breaks for one in results),
        "restarts": sum(one.restarts for one in results),
        "commits that failed": sum(one.failed_commits for one in results),
        "hours simulated": round(sum(one.seconds for one in results) / 3_600, 1),
        "seeds that failed": len(failed),
    }
    lines = [f"{name:<28} {value:>10}" for name, value in rows.items()]
    return "\n".join([*lines, *(f"  --seed {one.seed}: {one.failure[:600]}" for one in failed)])


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--seed", type=int, help="this one alone, with all that happened")
    parser.add_argument("--game", default="", help="with --seed: its game; otherwise drawn, too")
    given = parser.parse_args()
    if given.seed is not None:
        result = run(given.seed, given.game, keeps_story=True)
        print("\n".join(result.story))
        print(result.failure or f"nothing failed; {result.digest}")
        return int(bool(result.failure))
    results = list(campaign(range(given.first, given.first + given.seeds)))
    print(table(results))
    return int(any(result.failure for result in results))


if __name__ == "__main__":
    sys.exit(main())
