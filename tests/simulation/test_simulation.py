"""Faulty matches: whatever happens to network, disk and server, nothing acknowledged is lost and nobody needs help."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.simulation.__main__ import campaign, table
from tests.simulation.servers import GAMES
from tests.simulation.world import run, run_twice

SEEDS = {"toy": (0, 1), "ikasamage": (13,)}  # beside them a cup goes on
SHORT = (35,)  # one match that is soon over, though connections break, a server is killed and commits fail


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_faulty_match_is_played_to_its_end_and_repeats_itself(game: str) -> None:
    """Itself it repeats whatever is played; in the long campaign every match is played twice."""
    for seed in SEEDS.get(game, SHORT):
        result = (run_twice if game == "toy" else run)(seed, game)
        assert not result.failure, f"python -m tests.simulation --seed {seed} --game {game}: {result.failure}"
        assert result.matches
        assert result.acts


def test_a_seed_gives_the_same_bytes_in_another_process_with_other_hashes() -> None:
    one = run(5, "toy")
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    command = [sys.executable, "-m", "tests.simulation", "--seed", "5", "--game", "toy"]
    other = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert other.stdout.splitlines()[-1].endswith(one.digest)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_two_thousand_faulty_matches() -> None:
    results = list(campaign(range(2_000)))
    print(f"\n{table(results)}")
    assert not [result.seed for result in results if result.failure]
