"""The wheel, as setuptools builds it for pip, installed into an empty environment: nothing that is needed stays behind.

The environment gets its dependencies by a `.pth` file, from the one that runs the tests. Python reads no `.pth` file
of a folder found that way, so what an editable installation offers there does not come along: magehall itself can
come from the wheel alone. The soak test lets pip build it and fetch the dependencies instead.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from filelock import FileLock

from magehall import home

ROOT = Path(__file__).parents[2]
PACKAGES = ("magehall", *home.PACKAGES)
SUFFIXES = (".py", ".mo", ".md", ".toml", ".json", ".typed")

BUILD = "from setuptools.build_meta import build_wheel; build_wheel('out')"  # pip would call that, and takes longer

MY_BOT = """\
from magehall import Action, Bot, Turn


class MyBot(Bot):
    def choose(self, turn: Turn) -> Action:
        if turn.number > 3:
            return turn.seat
        return self.rng.choice(turn.legal)
"""


def run(command: Sequence[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """A command there, without a stdin and without the paths of this environment."""
    env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    env["XDG_STATE_HOME"] = str(folder)
    return subprocess.run(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False
    )


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that all processes of the tests have in common; one of them has it at a time."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "shared"
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "lock"):
        yield folder


@pytest.fixture(scope="module")
def wheel(shared: Path) -> Path:
    """Built from a copy, so that nothing left by an earlier build gets in, and none is left here."""
    folder = shared / "wheel"
    if made := list(folder.glob("out/*.whl")):
        return made[0]
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    (folder / "out").mkdir()
    built = run([sys.executable, "-c", BUILD], folder)
    assert built.returncode == 0, built.stderr
    return next(folder.glob("out/*.whl"))


def environment(folder: Path) -> Path:
    """An empty environment's folder of commands."""
    assert run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], folder).returncode == 0
    return folder / "venv" / "bin"


def install(python: Path, what: Path, *options: str) -> None:
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
        "--no-compile",
        *options,
        what,
    ]
    done = run(command, what.parent)
    assert done.returncode == 0, done.stderr


def unpack(wheel: Path, packages: Path, commands: Path) -> None:
    """As pip would install it, which takes longer; what Python compiled of a module here it need not compile there."""
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(packages)
        names = packed.namelist()
    for name in names:
        here, there = ROOT / name, packages / name
        compiled = Path(cache_from_source(str(here)))
        if here.suffix == ".py" and compiled.is_file() and here.read_bytes() == there.read_bytes():
            shutil.copystat(here, there)
            place = Path(cache_from_source(str(there)))
            place.parent.mkdir(exist_ok=True)
            shutil.copy(compiled, place)
    (told,) = packages.glob("*.dist-info/entry_points.txt")
    scripts = ConfigParser()
    scripts.read(told, encoding="utf-8")
    for name, target in scripts["console_scripts"].items():
        module, _, function = target.partition(":")
        script = f"#!{commands / 'python'}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n"
        (commands / name).write_text(script, encoding="utf-8")
        (commands / name).chmod(0o755)


@pytest.fixture(scope="module")
def commands(wheel: Path, shared: Path) -> Path:
    """Where `magehall` and `python` are in the environment that has the wheel."""
    folder = shared / "environment"
    if folder.is_dir():
        return folder / "venv" / "bin"
    folder.mkdir()
    found = environment(folder)
    (packages,) = found.parent.glob("lib/python*/site-packages")
    unpack(wheel, packages, found)
    ours = sysconfig.get_paths()
    (packages / "dependencies.pth").write_text(f"{ours['purelib']}\n{ours['platlib']}\n", encoding="utf-8")
    return found


def test_everything_in_the_packages_is_in_the_wheel(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    files = (file for name in PACKAGES for file in (ROOT / name).rglob("*") if file.suffix in SUFFIXES)
    assert {str(file.relative_to(ROOT)) for file in files} <= packed
    assert {f"{name}/py.typed" for name in PACKAGES} <= packed


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("play", "The match is over."),
        ("cards mages-110m --lang fr", ": "),
        *(
            pytest.param(*each, marks=pytest.mark.soak)
            for each in (
                ("games", "ikasamage: "),
                ("rules cheaty-mages", "\n# "),
                ("bots", "random: "),
                ("tournament run mages-110m --bot random --bot hurdler --rounds 1", "hurdler"),
            )
        ),
    ],
)
def test_the_command_works(commands: Path, tmp_path: Path, words: str, text: str) -> None:
    done = run([commands / "magehall", *words.split()], tmp_path)
    assert done.returncode == 0, done.stderr
    assert text in f"\n{done.stdout}"


def test_the_public_module_plays_beside_a_clone_called_magehall(commands: Path, tmp_path: Path) -> None:
    (tmp_path / "magehall").mkdir()
    code = "import magehall; print(magehall.__file__, magehall.play('ikasamage', ['greedy'] * 3).reason); "
    code += "assert all(game.cards() and game.rules.read_text() for game in magehall.all_games().values())"
    done = run([commands / "python", "-c", code], tmp_path)
    assert done.stderr == ""
    file, reason = done.stdout.split()
    assert Path(file).is_relative_to(commands.parent)
    assert reason == "money"


@pytest.mark.soak
def test_a_type_checker_finds_the_types(commands: Path, tmp_path: Path) -> None:
    (tmp_path / "my_bot.py").write_text(MY_BOT, encoding="utf-8")
    done = run([sys.executable, "-m", "mypy", "--strict", "--python-executable", commands / "python", "."], tmp_path)
    assert done.stdout == (
        'my_bot.py:7: error: Incompatible return value type (got "int", expected "Action")  [return-value]\n'
        "Found 1 error in 1 file (checked 1 source file)\n"
    )


@pytest.mark.soak
def test_pip_brings_all_that_it_needs(wheel: Path, tmp_path: Path) -> None:
    found = environment(tmp_path)
    install(found / "python", wheel.parents[1])
    done = run([found / "magehall", "play"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The match is over." in done.stdout
