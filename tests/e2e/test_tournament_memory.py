"""With rotated deals nobody knows anything of an earlier match: a process plays one, and what it wrote is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.processes.sandbox import sandbox_error
from client.tournament import run
from client.tournament.plan import TournamentPlan
from client.tournament.run import run_tournament

BOTS = tuple(f"{Path(__file__).with_name('remembering.py')}:{kind}" for kind in ("Remembering", "Noting"))
ENTRANTS = (*BOTS, "random")


@pytest.mark.skipif(bool(sandbox_error()), reason=sandbox_error())
async def test_d17_with_rotated_deals_no_bot_finds_anything_of_an_earlier_match() -> None:
    plan = TournamentPlan(
        "ikasamage", ENTRANTS, seats=3, rounds=2, seed=1, secret=bytes(32), deals="rotated", concurrency=1
    )
    result = await run_tournament(plan)
    assert {row.entrant: row.ended for row in result.rows} == {
        "Remembering": {"played": 6},
        "Noting": {"played": 6},
        "random": {"played": 6},
    }, result.troubles


async def test_a_bot_that_remembers_is_seen_to_where_its_process_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail."""
    monkeypatch.setattr(run, "GRACE_SECONDS", 0.2)
    plan = TournamentPlan(
        "ikasamage", ENTRANTS, seats=3, rounds=1, seed=1, secret=bytes(32), deals="fresh", concurrency=1
    )
    result = await run_tournament(plan)
    rows = {row.entrant: row.ended for row in result.rows}
    assert rows["Remembering"] == {"played": 1, "crashed": 2}
    assert rows["random"] == {"played": 3}
