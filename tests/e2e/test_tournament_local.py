"""Tournaments without sockets: they come out as those over sockets do, whatever happens to their processes."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from client.cli.app import app
from client.cli.rewriting import ReportRewriter
from client.cli.tournament import result_to_map
from client.processes.limits import descendant_pids
from client.tournament.plan import TournamentPlan
from client.tournament.replay_frames import ReplayRenderer
from client.tournament.run import TournamentResult, run_tournament
from client.tournament.tournament_folder import save_plan
from client.tournament.workers import CannotContinue
from games.registry import get_game

NASTY = Path(__file__).with_name("nasty.py")
KINDS = ("Steady", "Illegal", "CrashingMidMatch")
PLAN = TournamentPlan(
    "ikasamage",
    (*(f"{NASTY}:{kind}" for kind in KINDS), "greedy", "random"),
    seats=3,
    rounds=2,
    seed=7,
    secret=bytes(range(32)),
    concurrency=2,
)


def told(plan: TournamentPlan, result: TournamentResult) -> dict[str, Any]:
    """All that came out; what a bot said on its way is said elsewhere by another process."""
    return {**result_to_map(plan, result), "troubles": sorted(result.troubles)}


async def test_without_sockets_the_same_table_comes_out_with_the_same_endings() -> None:
    local = told(PLAN, await run_tournament(replace(PLAN, local=True)))
    assert {row.entrant: row.ended for row in local["standings"]} == {
        "Steady": {"played": 6},
        "Illegal": {"illegal": 6},
        "CrashingMidMatch": {"crashed": 6},
        "greedy": {"played": 6},
        "random": {"played": 6},
    }
    assert local == told(PLAN, await run_tournament(PLAN))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "bots"), [("magecraft", ("evoker", "random")), ("mages-110m", ("hurdler", "random", "random"))]
)
async def test_every_game_comes_out_the_same_without_sockets(game: str, bots: tuple[str, ...]) -> None:
    plan = replace(PLAN, game=game, bots=bots, rounds=30)
    assert told(plan, await run_tournament(replace(plan, local=True))) == told(plan, await run_tournament(plan))


async def test_a_tournament_that_leaves_somebody_out_of_its_only_round_is_sound() -> None:
    plan = replace(PLAN, bots=("random",) * 4, rounds=1, format="swiss", local=True)
    result = await run_tournament(plan)
    assert (len(result.matches), len(result.rows)) == (1, 3)
    assert result.is_sound


async def test_a_bot_whose_time_is_up_is_interrupted() -> None:
    plan = replace(PLAN, bots=(f"{NASTY}:Asleep,clock=0+0.3", "greedy", "random"), rounds=1, local=True)
    result = await run_tournament(plan)
    assert {row.entrant: row.ended for row in result.rows}["Asleep"] == {"late": 3}


async def test_a_bot_that_exits_returns_nothing_or_sits_down_slowly_loses_its_seat_and_is_told_why() -> None:
    kinds = ("Exiting", "Wordless", "SlowToSitDown")
    bots = (*(f"{NASTY}:{kind},clock=0+0.3" for kind in kinds), "random")
    result = await run_tournament(replace(PLAN, bots=bots, rounds=1, local=True))
    assert {row.entrant: row.ended for row in result.rows} == {
        "random": {"played": 3},
        **{kind: {"crashed": 3} for kind in kinds},
    }
    assert result.troubles["Exiting"].startswith("choose raised\nTraceback")
    assert result.troubles["Exiting"].endswith("SystemExit: 3\n")
    assert result.troubles["Wordless"] == "choose returned None, which is not an action"
    assert result.troubles["SlowToSitDown"] == "creating the bot took longer than a decision may"


def kill_what_plays() -> None:
    """Kills every process of another session, as those of a tournament are, that has started none itself."""
    playing = list[int]()
    for pid in descendant_pids():
        with suppress(OSError):
            if os.getsid(pid) != os.getsid(0) and not Path(f"/proc/{pid}/task/{pid}/children").read_text():
                playing.append(pid)
    for pid in playing:  # all are known by now: who starts them has none left once they are killed
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)


async def test_f01_stopped_and_its_processes_killed_a_tournament_without_sockets_comes_out_the_same(
    tmp_path: Path,
) -> None:
    plan = replace(PLAN, bots=("greedy,clock=9+3", "random", "random"), rounds=8, local=True)
    seen: list[int] = []

    def on_match(done: int, _planned: int) -> None:
        seen.append(done)
        if len(seen) == 3:
            kill_what_plays()
        if len(seen) == 6 and done == 5:
            os.kill(os.getpid(), signal.SIGINT)

    def page(rewriter: ReportRewriter) -> str:
        assert rewriter.render_new_matches(1), "there are others"
        rewriter.write_files(ended=True)
        return (tmp_path / "page.html").read_text()

    save_plan(replace(plan, folder=tmp_path))
    rewriter = ReportRewriter(tmp_path, tmp_path / "page.html", None, ReplayRenderer())
    assert not rewriter.render_new_matches(), "nothing was played"
    rewriter.write_files()
    assert not (tmp_path / "page.html").exists()
    part = await run_tournament(replace(plan, folder=tmp_path), on_match)
    assert part.interrupted
    drawn = page(rewriter)
    assert (" matches, interrupted." in drawn, plan.secret.hex() in drawn) == (True, False)
    assert 5 <= len(part.matches) < 24
    seen.clear()
    whole = await run_tournament(replace(plan, folder=tmp_path), on_match)
    assert seen == list(range(len(part.matches), 25))
    assert [match for match in whole.matches if match in part.matches] == part.matches
    assert told(plan, whole) == told(plan, await run_tournament(plan))
    drawn = page(rewriter)
    assert ("24 of 24 matches, finished." in drawn, plan.secret.hex() in drawn) == (True, True)
    assert drawn.count(">step through</a>") == 2, "what was drawn before is kept"
    data = ["--data", str(tmp_path)]
    done = CliRunner().invoke(app, ["tournament", "export", "cup", str(tmp_path / "cup.zip"), *data])
    assert done.exit_code == 0, done.output
    done = CliRunner().invoke(app, ["tournament", "audit", str(tmp_path / "cup.zip")])
    assert (done.exit_code, "is valid. cup, 24 matches" in done.stdout) == (0, True), done.output


@pytest.mark.parametrize("local", [True, False])
async def test_f11_a_tournament_does_not_go_on_under_other_rules_or_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, local: bool
) -> None:
    plan = replace(PLAN, bots=("greedy", "random", "random"), rounds=3, local=local, folder=tmp_path)
    part = await run_tournament(plan, lambda done, _all: os.kill(os.getpid(), signal.SIGINT) if done == 1 else None)
    assert part.interrupted
    for field in ("rules_version", "cards_digest"):
        with monkeypatch.context() as patched:
            patched.setattr(get_game(plan.game), field, "another")
            with pytest.raises(CannotContinue, match="began with other rules or cards than those"):
                await run_tournament(plan)
    assert told(plan, await run_tournament(plan)) == told(plan, await run_tournament(replace(plan, folder=None)))
    monkeypatch.setattr(get_game(plan.game), "rules_version", "another")
    assert (await run_tournament(plan)).over, "what is over is told under any rules"


async def test_a_bot_that_ends_every_process_is_named_and_ends_the_tournament() -> None:
    with pytest.raises(CannotContinue, match=r"(?s)ended its process 3 times.*Vanishing"):
        await run_tournament(replace(PLAN, bots=(f"{NASTY}:Vanishing", "greedy", "random"), local=True))
