"""A tournament's settings in a TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from client.cli import tournament
from client.tournament.plan import TournamentPlan
from tests.helpers.confinement import UNCONFINED

WHOLE = """
game = "ikasamage"
bots = ["greedy", "Bob=random", { bot = "bots/mine.py:Mine", label = "Ada", memory = 512, option = { depth = 3 } }]
seats = 3
rounds = 4
format = "gauntlet"
deals = "fresh"
clock = "30+5"
seed = 9
tolerate = true
options = { foul_play = true }
"""
MINE = "from magehall import Bot\nclass Mine(Bot):\n    pass\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "course" / "bots").mkdir(parents=True)
    (tmp_path / "course" / "bots" / "mine.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(folder: Path, text: str, *words: str) -> tuple[Result, list[TournamentPlan]]:
    """Runs the command with that file as far as its plan."""
    (folder / "course" / "friday.toml").write_text(text)
    plans: list[TournamentPlan] = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tournament, "_hold", lambda plan, *_more, **_named: plans.append(plan))
        return CliRunner().invoke(tournament.app, ["run", "course/friday.toml", *UNCONFINED, *words]), plans


def test_a_file_sets_what_the_options_set_and_its_paths_start_from_its_folder(folder: Path) -> None:
    result, plans = run(folder, WHOLE)
    assert result.exit_code == 0, result.output
    plan = plans[0]
    assert plan.bots == ("greedy", "Bob=random", "Ada=bots/mine.py:Mine,memory=512,option.depth=3")
    assert (plan.game, plan.seats, plan.rounds, plan.format, plan.deals) == ("ikasamage", 3, 4, "gauntlet", "fresh")
    assert (plan.clock.main, plan.clock.increment, plan.seed, plan.tolerate) == (30, 5, 9, True)
    assert plan.options == {"foul_play": True}
    assert plan.where == str(folder / "course"), "there `resume` finds the bots again"


def test_the_command_line_overrides_a_tournament_file(folder: Path) -> None:
    here = folder / "own.py"
    here.write_text(MINE)
    bots = ("--bot", "own.py:Mine", "--bot", "greedy", "--bot", "random")
    _result, plans = run(folder, WHOLE, "--rounds", "2", "--data", "kept", *bots)
    assert (plans[0].rounds, plans[0].format) == (2, "gauntlet")
    assert plans[0].bots[0] == "own.py:Mine"
    assert plans[0].where == str(folder), "a bot that was typed is looked for where it was typed"
    assert plans[0].folder == folder / "kept"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('rounds = "4"', "rounds is written as rounds = 7."),
        ("rounds = true", "rounds is written as rounds = 7."),
        ("seats = 2.5", "seats is written as seats = 7."),
        ("tolerate = 1", "tolerate is written as tolerate = true."),
        ("clock = 60", 'clock is written as clock = "...".'),
        ('formt = "swiss"', "there is no setting 'formt'. Do you mean format? There are: game, bots, options, "),
        ('secret = "00"', "secret is given on the command line only, as --secret."),
        ("json = true", "json is given on the command line only, as --json."),
        ('bots = "greedy"', 'bots is a list, such as bots = ["greedy", "random"].'),
        ("bots = []", "bots is a list"),
        ('bots = [{ name = "greedy" }]', 'each entrant is a text, or a table with bot = "...".'),
        ('bots = [{ bot = "greedy", tabels = 2 }]', "there is no setting 'tabels'. Do you mean tables?"),
        ("options = 3", "options is a table"),
        ("options = { foul_play = 2026-12-24 }", "foul_play has a value that no option takes."),
        ("clock =", "is not valid TOML: Invalid value (at line 2, column 8)."),
        ("game = 3", 'game is written as game = "...".'),
    ],
)
def test_a_mistake_in_a_tournament_file_is_named_with_the_way_out(folder: Path, line: str, told: str) -> None:
    rest = "" if line.startswith("bots") else 'bots = ["greedy", "random", "random"]'
    result, plans = run(folder, f"{rest}\n{line}\n")
    assert (result.exit_code, plans) == (2, [])
    assert told in result.output
    assert result.output.startswith("magehall: course/friday.toml")


def test_a_tournament_file_that_cannot_be_read_is_named(folder: Path) -> None:
    result = CliRunner().invoke(tournament.app, ["run", "nowhere.toml"])
    assert (result.exit_code, result.output) == (
        2,
        "magehall: nowhere.toml cannot be read: No such file or directory.\n",
    )


def test_the_example_of_a_tournament_file_can_be_played(folder: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "friday.toml"
    (folder / "course" / "search.py").write_bytes(example.with_name("search.py").read_bytes())
    result, plans = run(folder, example.read_text(encoding="utf-8"))
    assert result.exit_code == 0, result.output
    assert (plans[0].rounds, len(plans[0].bots)) == (8, 4)
