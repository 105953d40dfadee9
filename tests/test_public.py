"""`magehall`, the public module: what it offers, and that it works beside folders that have our packages' names."""

from __future__ import annotations

import ast
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import magehall
from bots.random import RandomBot
from bots.sdk.registry import NoSuchBot
from magehall import (
    Action,
    BadReplay,
    Bot,
    IllegalAction,
    Turn,
    ask_again,
    check,
    get_bot,
    get_game,
    load_replay,
    play,
    turn_at,
)
from magehall.home import PACKAGES, import_packages
from tests.helpers.confinement import UNCONFINED

ROOT = Path(__file__).parents[1]
KINDS = ("packages", "folders without __init__.py", "plain modules")

MY_BOT = """
from magehall import Bot, Turn
from games.cheaty_mages.moves import Pass

class MyBot(Bot):
    games = ("ikasamage",)

    def choose(self, turn: Turn):
        return next((action for action in turn.legal if isinstance(action, Pass)), turn.legal[0])
"""
SCRIPT = """
from magehall import play
from my_bot import MyBot

def test_my_bot():
    print(play("ikasamage", [MyBot, "greedy", "random"], seed=1).text)

if __name__ == "__main__":
    test_my_bot()
"""


def strangers(folder: Path, kind: str) -> Path:
    """The folder, which now holds somebody else's `games`, `bots`, ..: none of them can be imported."""
    for name in PACKAGES:
        if kind == "plain modules":
            (folder / f"{name}.py").write_text("raise RuntimeError('a stranger')\n")
            continue
        (folder / name).mkdir()
        (folder / name / "mine.py").write_text("raise RuntimeError('a stranger')\n")
        if kind == "packages":
            (folder / name / "__init__.py").write_text("raise RuntimeError('a stranger')\n")
    (folder / "my_bot.py").write_text(MY_BOT)
    (folder / "test_script.py").write_text(SCRIPT)
    return folder


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python as an author starts it there, with nothing kept from before."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True, timeout=60, check=False
    )


# -- names that clash --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_script_beside_strangers_plays(tmp_path: Path, kind: str) -> None:
    done = python(strangers(tmp_path, kind), "test_script.py")
    assert (done.stdout.split(" ")[-1], done.stderr) == ("gold.\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("-m", "test_script"), marks=pytest.mark.soak),  # which finds modules as a script does
        ("-c", "import test_script; test_script.test_my_bot()"),
        ("-m", "pytest", "-s", "-p", "no:cacheprovider", "--rootdir=."),
    ],
)
def test_so_does_a_module_a_line_or_a_test(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = python(strangers(tmp_path, "packages"), *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    assert "gold.\n" in done.stdout


def test_the_command_checks_a_bot_beside_strangers(tmp_path: Path) -> None:
    arguments = ("-m", "magehall", "bot", "check", "my_bot.py:MyBot", "--matches", "1", *UNCONFINED)
    done = python(strangers(tmp_path, "plain modules"), *arguments)
    assert done.stdout.split("\n")[-2] == "my_bot.py:MyBot: nothing found"
    said = done.stderr.removeprefix("magehall is starting.\n")  # on a busy machine
    assert [line.partition(":")[0] for line in said.splitlines()] == ["Confinement"]


def test_the_command_holds_a_tournament_there(tmp_path: Path) -> None:
    words = ("tournament", "run", "ikasamage", "--bot", "my_bot.py:MyBot", "--bot", "random", "--rounds", "1")
    done = python(strangers(tmp_path, "packages"), "-m", "magehall", *words, "--seats", "3", *UNCONFINED)
    assert done.returncode == 0, done.stderr
    assert "MyBot" in done.stdout


@pytest.mark.parametrize(("kind", "place"), [("packages", "games"), ("plain modules", "games.py")])
def test_a_stranger_imported_before_is_named_in_one_sentence(tmp_path: Path, kind: str, place: str) -> None:
    strangers(tmp_path, kind)
    for init in (*tmp_path.glob("games/__init__.py"), *tmp_path.glob("games.py")):
        init.write_text("")
    done = python(tmp_path, "-c", "import games, magehall")
    assert done.stderr.split("\n")[-2] == (
        f"ImportError: magehall has a package 'games', but that name is taken here by {tmp_path / place}: "
        "rename that, or import magehall before it."
    )


def test_a_stranger_without_a_file_is_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = ModuleType("server")
    monkeypatch.setitem(sys.modules, "server", stranger)
    with pytest.raises(ImportError, match="'server', but that name is taken here by a module without a file:"):
        import_packages()
    stranger.__path__ = ["/home/ann/server"]
    with pytest.raises(ImportError, match="'server', but that name is taken here by /home/ann/server:"):
        import_packages()


@pytest.mark.parametrize("kind", KINDS[:2])
def test_what_only_the_stranger_has_is_told_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.syspath_prepend(strangers(tmp_path, kind))
    with pytest.raises(ModuleNotFoundError) as told:
        __import__("bots.mine")
    assert str(told.value) == (
        f"There is no bots.mine in magehall, whose package 'bots' hides the folder {tmp_path / 'bots'}: rename it."
    )
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'bots\.yours'$"):
        __import__("bots.yours")


def test_an_installation_that_is_not_whole_says_so(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "magehall", tmp_path / "magehall")
    done = python(tmp_path, "-c", "import magehall")
    assert done.stderr.split("\n")[-2] == (
        f"ImportError: magehall is not whole: {tmp_path} holds no package 'languages'; install it anew."
    )


# -- what it offers ----------------------------------------------------------------------------------------------------


def test_every_name_is_documented_typed_and_what_it_is_where_it_comes_from() -> None:
    tree = ast.parse(Path(magehall.__file__).read_text(encoding="utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    imported = {}
    for node in typed.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module
        for alias in node.names:
            imported[alias.name] = getattr(__import__(node.module, fromlist=[alias.name]), alias.name)
    assert sorted(imported) == sorted(magehall.__all__) == dir(magehall)
    for name, value in imported.items():
        assert getattr(magehall, name) is value
        assert name in magehall.__doc__.replace(",", " ").split()


def test_what_is_not_wanted_is_not_imported(tmp_path: Path) -> None:
    done = python(
        tmp_path, "-c", "import magehall, sys; print(sorted({'msgspec', 'trio', 'typer'} & set(sys.modules)))"
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_a_name_that_is_not_there_is_an_error_like_any_module_s() -> None:
    with pytest.raises(AttributeError, match="module 'magehall' has no attribute 'wand'"):
        _ = magehall.wand  # type: ignore[attr-defined]  # that is the point


# -- a match here ------------------------------------------------------------------------------------------------------


class Last(Bot):
    """Does what is last in the list."""

    def choose(self, turn: Turn) -> magehall.Action:
        return turn.legal[-1]


def test_names_classes_and_objects_play_and_the_seed_repeats_the_match() -> None:
    first = play("ikasamage", ["random", Last, get_bot("greedy")(3)], seed=5)
    assert first == play(get_game("ikasamage"), ["random", Last, get_bot("greedy")(3)], seed=5)
    others = [play("ikasamage", ["random", Last, "greedy"], seed=seed) for seed in range(4)]
    assert len(set(others)) > 1
    assert len(first.places) == 3


def test_the_truth_can_be_watched() -> None:
    seen: list[tuple[int, magehall.Action]] = []

    def watch(state: magehall.State, seat: int, action: magehall.Action) -> None:
        assert action in state.legal_actions(seat)
        seen.append((seat, action))

    play("mages-110m", ["hurdler", "random"], watch=watch)
    assert {seat for seat, _action in seen} == {1, 2}


def test_a_match_is_saved_and_its_decisions_are_asked_again(tmp_path: Path) -> None:
    outcome = play("magecraft", [Last, "evoker"], seed=3, save=tmp_path / "a.jsonl")
    assert outcome == play("magecraft", [Last, "evoker"], seed=3, save=tmp_path / "b.jsonl")
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    record = load_replay(tmp_path / "a.jsonl")
    assert [seat.name for seat in record.header.seats] == ["Last", "evoker"]
    answers = list(ask_again(Last, record, seat=1))
    assert all(one.says == one.done and not one.refusal for one in answers)
    unsaid, first, second = (list(ask_again(RandomBot, record, **seed)) for seed in ({}, {"seed": 1}, {"seed": 2}))
    assert unsaid == first != second
    turn = turn_at(record, answers[4].number)
    assert (turn.seat, turn.number, turn.legal[-1]) == (1, 5, answers[4].done)
    (again,) = ask_again(Last, record, number=answers[4].number)
    assert again == answers[4]
    assert list(ask_again(Last, record, number=answers[4].number, seat=2)) == []
    with pytest.raises(ValueError, match="The match has no decision 9999"):
        list(ask_again(Last, record, number=9999))
    for number in (0, -1, len(record.entries) + 1):
        with pytest.raises(ValueError, match=f"The match has no decision {number}"):
            turn_at(record, number)
    data = (tmp_path / "a.jsonl").read_bytes()
    (tmp_path / "a.jsonl").write_bytes(data.replace(b'"seat":1', b'"seat":2', 1))
    with pytest.raises(BadReplay, match="line 1: Its hash does not fit"):
        load_replay(tmp_path / "a.jsonl")


def test_what_cannot_be_played_is_told_in_a_sentence() -> None:
    with pytest.raises(KeyError, match="There is no game 'chess'"):
        play("chess", ["random"] * 2)
    with pytest.raises(NoSuchBot, match="There is no bot 'nobody'"):
        play("ikasamage", ["nobody"] * 3)
    with pytest.raises(ValueError, match="has no option 'wands'"):
        play("ikasamage", ["random"] * 3, options={"wands": 3})
    with pytest.raises(ValueError, match="greedy does not play mages-110m; it plays: ikasamage, cheaty-mages"):
        play("mages-110m", ["random", "greedy"])


def test_what_a_game_raises_can_be_caught_by_its_public_name() -> None:
    with pytest.raises(magehall.PositionRefused, match="3 to 6 players"):
        get_game("ikasamage").build_position({"seats": 9}, magehall.chance(1))


def test_what_numbers_and_turns_lack_is_told_in_a_sentence() -> None:
    game, seat = get_game("mages-110m"), 1
    options = magehall.options_from(game, {})
    with pytest.raises(ValueError, match="takes 2 to 4 players, not 9"):
        magehall.NumericEncoding(game, 9, options)
    with pytest.raises(TypeError, match="'float' object cannot be interpreted as an integer"):
        magehall.NumericEncoding(game, 2, options).action(0.5)  # type: ignore[arg-type]
    state, _told = game.start(2, options, magehall.chance(1))
    turn = Turn(game, seat, state.view(seat), state.legal_actions(seat), knowledge=state.knowledge(seat))
    with pytest.raises(LookupError, match="without the table's seats and options"):
        turn.determinize(random.Random(1))


@pytest.mark.parametrize("game", ["ikasamage", "magecraft", "mages-110m"])
def test_a_bot_that_forgets_to_return_is_told_so(game: str) -> None:
    class Forgets(Bot):
        def choose(self, turn: Turn) -> Action:
            return None  # type: ignore[return-value]

    with pytest.raises(IllegalAction, match=f"choose returned None, which is not an action of {game}"):
        play(game, [Forgets] * 3)


def test_a_bot_is_checked_in_the_games_that_it_plays() -> None:
    report = check("hurdler", matches=1)
    assert (report.ok, [facts.game for facts in report.facts]) == (True, ["mages-110m"])
    assert check(Last, "ikasamage", matches=1).bot == "Last"
