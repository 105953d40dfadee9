"""Breaks the code by hand, one small mistake at a time, and tells which mistakes no test notices: `make mutants`.

A sample of all mistakes is drawn from a seed, so that a run can be repeated. Each is made in a copy of the tree, and
the tests nearest to its file are run there; the copies are thrown away.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parent.parent
WHERE = ("games", "protocol", "matches", "server", "bots/sdk")
GOAL = 95  # of a hundred
_OPPOSITES: list[tuple[type[ast.cmpop], type[ast.cmpop]]] = [
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
]
FLIPPED = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}
SDK = ("admission", "check", "lab", "link", "registry", "runner", "seat", "seeds")
SERVER = (
    *("authority", "crashes", "every_error", "fair_shares", "lobby", "lost_connections", "misbehaving_bots", "names"),
    *("outbox", "player", "refunds", "spectators", "text_face", "abuse_bytes"),
)
SLOW = "not e01 and not at_every and not real_match"  # in the first round
NEAREST = {  # for the files below a folder: the tests of the first round, and those of the second
    **{f"games/{name}": ((f"tests/games/{name}",), ("tests/games",)) for name in ("cheaty_mages", "magecraft")},
    "games/mages_110m": (("tests/games/mages_110m",), ("tests/games",)),
    "games": (("tests/games/test_chance.py", "tests/games/test_exam.py"), ("tests/games",)),
    "protocol/page": (("tests/e2e/test_protocol_page.py",), ("tests/e2e/test_schema.py",)),
    "protocol": (
        ("tests/protocol", "tests/server/test_text_face.py", "tests/server/test_names.py", "tests/server/test_talk.py"),
        ("tests/server",),
    ),
    "matches": (("tests/matches", "tests/server/test_chaos.py"), ("tests/server",)),
    "server/page": (("tests/e2e/test_protocol_page.py",), ("tests/e2e/test_schema.py",)),
    "server/tournament": (("tests/server/tournament",), ("tests/e2e/test_tournament.py",)),
    "server": (tuple(f"tests/server/test_{name}.py" for name in SERVER), ("tests/server", "tests/bots")),
    "bots/sdk": (tuple(f"tests/bots/test_{name}.py" for name in SDK), ("tests/bots", "tests/client/test_visit.py")),
}


@dataclass(frozen=True)
class Mutant:
    """One mistake: the text between two places of a file is replaced."""

    path: str
    honest: str  # the file without it
    line: int
    start: int
    end: int
    text: str

    def source(self) -> str:
        """The file with the mistake."""
        return self.honest[: self.start] + self.text + self.honest[self.end :]

    def diff(self) -> str:
        """The lines that differ."""
        lines = list(difflib.unified_diff(self.honest.splitlines(), self.source().splitlines(), lineterm="", n=0))
        return "\n".join(f"    {line}" for line in lines[3:])


def mutants_of(path: str) -> Iterator[Mutant]:
    """Every mistake that can be made in a file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for node in _code_in(ast.parse(text)):
        for wrong in _wrong(node):
            assert isinstance(node, ast.stmt | ast.expr)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start, end = place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
            yield Mutant(path, text, node.lineno, start, end, wrong)


def _code_in(node: ast.AST) -> Iterator[ast.AST]:
    """What runs: no annotations, decorators, asserts, log lines or texts with values in them."""
    yield node
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            children: list[ast.AST] = [*node.args.defaults, *node.body]
        case ast.ClassDef():
            children = list(node.body)
        case ast.AnnAssign():
            children = [node.value] if node.value else []
        case ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            children = []
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")))):
            children = []
        case _:
            children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _code_in(child)


def _wrong(node: ast.AST) -> Iterator[str]:
    """What could stand in a node's place by mistake."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            yield f"({ast.unparse(ast.Compare(left, [FLIPPED[type(op)]()], [right]))})"
        case ast.BoolOp(op=op, values=values):
            yield f"({ast.unparse(ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values))})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"({ast.unparse(operand)})"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield f"({ast.unparse(ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right))})"
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() as value):
            yield str(value + 1)
        case ast.Return(value=value) if value is not None and ast.unparse(value) != "None":
            yield "return None"
        case ast.Expr(value=ast.Call(func=func)) if not ast.unparse(func).startswith("log."):
            yield "pass"
        case ast.Expr(value=ast.Await(value=ast.Call())) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "pass"


def tests_for(path: str, last: bool) -> tuple[str, ...]:
    """The tests that are to notice a mistake in that file, in the first round or the last."""
    return next(rounds for folder, rounds in NEAREST.items() if path.startswith(f"{folder}/"))[last]


def noticed(mutant: Mutant, tree: Path, last: bool, seconds: float) -> bool:
    """Makes the mistake in a copy of the tree, runs the tests, and puts it right."""
    file = tree / mutant.path
    file.write_text(mutant.source(), encoding="utf-8")
    try:
        return not passes(tests_for(mutant.path, last), tree, last, seconds)
    finally:
        file.write_text(mutant.honest, encoding="utf-8")


def passes(tests: tuple[str, ...], tree: Path, last: bool, seconds: float) -> bool:
    """Whether these tests pass in that tree; to take too long is to fail."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    command += [] if last else ["-k", SLOW]
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=tree, env=environment, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
    ) as run:
        try:
            return run.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, 9)
            return False


def copy_tree(to: Path) -> Path:
    """A copy of all files that belong to the project."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, to / name)
    return to


def main() -> int:
    """Prints the survivors and the share noticed; 1 if that is below the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="how many mistakes")
    parser.add_argument("--seed", type=int, default=1, help="another sample for each number")
    parser.add_argument("--seconds", type=float, default=600.0, help="how long the tests may run for each")
    parser.add_argument("where", nargs="*", default=WHERE, help="folders or files")
    asked = parser.parse_args()
    files = sorted({file for place in asked.where for file in (ROOT / place, *(ROOT / place).rglob("*.py"))})
    paths = [str(file.relative_to(ROOT)) for file in files if file.is_file()]
    every = [mutant for path in paths for mutant in mutants_of(path)]
    sample = random.Random(asked.seed).sample(every, min(asked.sample, len(every)))
    print(f"{len(sample)} of {len(every)} mistakes in {len(paths)} files, seed {asked.seed}", flush=True)
    cores = os.cpu_count() or 1
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(cores) as pool:
        trees: Queue[Path] = Queue()
        for number in range(cores):
            trees.put(copy_tree(Path(folder) / str(number)))

        def lent(job: Callable[[Path], bool]) -> bool:
            tree = trees.get()
            try:
                return job(tree)
            finally:
                trees.put(tree)

        left = sample
        for last in (False, True):
            honest = sorted({tests_for(mutant.path, last) for mutant in left})
            works = [partial(passes, tests, last=last, seconds=asked.seconds) for tests in honest]
            for tests, green in zip(honest, pool.map(lent, works), strict=True):
                if not green:
                    print(f"Without any mistake these fail: {' '.join(tests)}")
                    return 2
            print(f"round {1 + last}: {len(left)} mistakes", flush=True)
            breaks = [partial(noticed, mutant, last=last, seconds=asked.seconds) for mutant in left]
            survived = []
            for mutant, caught in zip(left, pool.map(lent, breaks), strict=True):
                if not caught:
                    survived.append(mutant)
                    print(f"{mutant.path}:{mutant.line} survives\n{mutant.diff()}", flush=True)
            left = survived
    share = 100 - 100 * len(left) / max(1, len(sample))
    print(f"{len(sample) - len(left)} of {len(sample)} noticed: {share:.0f} %, the goal is {GOAL} %")
    return int(share < GOAL)


if __name__ == "__main__":
    sys.exit(main())
