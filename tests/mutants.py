"""Breaks the code by hand, one small mistake at a time, and tells which mistakes no test notices: `make mutants`.

A sample of all mistakes is drawn from a seed, so that a run can be repeated. First the tests run once, and it is
written down which functions each of them runs. Then each mistake is made in a copy of the tree, in a fork of a process
that has read all tests, and the tests that run its function are run there: the quickest in a first round, more in a
second for what has survived. A test that fails has noticed it. The copies are thrown away.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import os
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from tests.helpers.nearness import Nearness, Record, record
from tests.helpers.trees import ROOT, Tree, copy_tree

WHERE = ("games", "protocol", "matches", "tournaments", "server", "bots/sdk")
GOAL = 92  # of a hundred
_OPPOSITES: list[tuple[type[ast.cmpop], type[ast.cmpop]]] = [
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
]
FLIPPED = dict(_OPPOSITES) | {other: one for one, other in _OPPOSITES}


@dataclass(frozen=True)
class Mutant:
    """One mistake: the text between two places of a file is replaced."""

    path: str
    honest: str  # the file without it
    function: int  # the line where its innermost function begins; 0 in none
    line: int
    start: int
    end: int
    text: str

    @property
    def place(self) -> str:
        """The function, as the record calls it."""
        return f"{self.path}:{self.function}"

    def source(self) -> str:
        """The file with the mistake."""
        return self.honest[: self.start] + self.text + self.honest[self.end :]

    def diff(self) -> str:
        """The lines that differ."""
        lines = list(difflib.unified_diff(self.honest.splitlines(), self.source().splitlines(), lineterm="", n=0))
        return "\n".join(f"    {line}" for line in lines[3:] if line != "+")


def mutants_of(path: str) -> Iterator[Mutant]:
    """Every mistake that can be made in a file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = text.splitlines()

    def place(line: int, column: int) -> int:
        return starts[line - 1] + len(lines[line - 1].encode()[:column].decode())

    for node, function in _code_in(ast.parse(text), 0):
        for wrong in _wrong(node):
            assert isinstance(node, ast.stmt | ast.expr)
            assert node.end_lineno is not None
            assert node.end_col_offset is not None
            start, end = place(node.lineno, node.col_offset), place(node.end_lineno, node.end_col_offset)
            gone = "\n" * (node.end_lineno - node.lineno)  # what follows stays in its line
            wrong = f"{wrong[:-1]}{gone})" if wrong.endswith(")") else f"{wrong}{gone}"
            yield Mutant(path, text, function, node.lineno, start, end, wrong)


def _code_in(node: ast.AST, function: int) -> Iterator[tuple[ast.AST, int]]:
    """What runs, and where its function begins: no annotations, decorators, asserts, log lines,
    texts with values, or functions that only say what others must have."""
    yield node, function
    children: list[ast.AST]
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            function = min(part.lineno for part in (node, *node.decorator_list))
            children = [] if ast.unparse(node.body[-1]) == "..." else [*_defaults(node.args), *node.body]
        case ast.ClassDef():
            children = list(node.body)
        case ast.AnnAssign():
            children = [node.value] if node.value else []
        case ast.keyword(arg="strict" | "frozen"):  # as good as an assert
            children = []
        case ast.keyword(arg="n", value=ast.Constant(value=0)):  # a message's number, which each hearer's own replaces
            children = []
        case ast.keyword(arg="id", value=ast.Constant(value=1)):  # a request's, which its link sets anew
            children = []
        case ast.BinOp(left=ast.List() as list_, op=ast.Mult(), right=ast.BinOp(op=ast.Add()) as length):
            yield length, function  # but no list that is one longer, of which nobody uses the last place
            children = [list_, length.left]
        case ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            children = []
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="log")) | ast.Name(id="log_failure"))):
            children = []
        case _:
            children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _code_in(child, function)


def _defaults(arguments: ast.arguments) -> list[ast.expr]:
    """But for those of parameters that nobody reads."""
    named = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(named), reversed(arguments.defaults), strict=False)]
    pairs += [
        (one, default) for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default
    ]
    return [default for one, default in pairs if not one.arg.startswith("_")]


def _wrong(node: ast.AST) -> Iterator[str]:
    """What could stand in a node's place by mistake. `<` and `<=` beside a ROUNDING are both right, nothing gets to an
    `assert_never`, and who asks whether something is so takes None for False: there True is the mistake."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if "ROUNDING" not in ast.unparse(node):
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
        case ast.Return(value=value) if value is not None and ast.unparse(value) not in ("None", "False"):
            yield "return None"
        case ast.Expr(value=ast.Call(func=func)) if not ast.unparse(func).startswith(
            ("log.", "log_failure", "assert_never")
        ):
            yield "pass"
        case ast.Expr(value=ast.Await(value=ast.Call())) | ast.AugAssign() | ast.Raise() | ast.Delete():
            yield "pass"
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield "pass"


def importers(paths: list[str]) -> dict[str, list[str]]:
    """For each file, those that import it or something from it."""
    known = set(paths)
    found: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
            match node:
                case ast.Import(names=names):
                    modules = [name.name for name in names]
                case ast.ImportFrom(module=str(module), names=names):
                    modules = [module, *(f"{module}.{name.name}" for name in names)]
                case _:
                    continue
            stems = [module.replace(".", "/") for module in modules]
            for file in known & {f"{stem}{end}" for stem in stems for end in (".py", "/__init__.py")}:
                found[file].append(path)
    return found


def python_files(places: Sequence[str]) -> list[str]:
    """Those files and the files in those folders, as paths from the root."""
    files = {file for place in places for file in (ROOT / place, *(ROOT / place).rglob("*.py"))}
    return sorted(str(file.relative_to(ROOT)) for file in files if file.is_file())


def kept(file: Path | None, tree: Path, jobs: int) -> Record:
    """The record in that file, made now if there is none."""
    if file and file.is_file():
        made: Record = json.loads(file.read_text(encoding="utf-8"))
        return made
    made = record(tree, jobs)
    if file:
        file.write_text(json.dumps(made), encoding="utf-8")
    return made


def main() -> int:
    """Prints the survivors and the share noticed; 1 if that is below the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=60, help="how many mistakes")
    parser.add_argument("--seed", type=int, default=1, help="another sample for each number")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    parser.add_argument("--record", type=Path, help="a file that keeps which test runs what, for the next run")
    parser.add_argument("--quick", action="store_true", help="in functions only, and no second round: more survive")
    parser.add_argument("where", nargs="*", default=WHERE, help="folders or files")
    asked = parser.parse_args()
    paths = python_files(asked.where)
    every = [mutant for path in paths for mutant in mutants_of(path) if mutant.function or not asked.quick]
    sample = random.Random(asked.seed).sample(every, min(asked.sample, len(every)))
    print(f"{len(sample)} of {len(every)} mistakes in {len(paths)} files, seed {asked.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(asked.jobs) as pool, ExitStack() as stack:
        made = kept(asked.record, copy_tree(Path(folder) / "record"), asked.jobs)
        nearness = Nearness(made, importers(python_files(WHERE)))
        trees: Queue[Tree] = Queue()
        for number in range(asked.jobs):
            trees.put(stack.enter_context(closing(Tree(Path(folder) / str(number)))))

        def noticed(mutant: Mutant, tests: list[str], anew: bool) -> bool:
            tree = trees.get()
            try:
                return tree.notices(mutant.path, mutant.source(), tests, nearness.seconds(tests), anew)
            finally:
                trees.put(tree)

        def survives(mutant: Mutant) -> bool:
            tests, more = nearness.first(mutant.place), nearness.second(mutant.place)
            if noticed(mutant, tests, anew=False):
                return False
            if not asked.quick:
                anew = mutant.place in nearness.read_for  # it has run in the process that forks, without the mistake
                if noticed(mutant, [*tests, *more] if anew else more, anew):
                    return False
                tests += more
            print(f"{mutant.path}:{mutant.line} survives {len(tests)} tests\n{mutant.diff()}", flush=True)
            return True

        left = sum(pool.map(survives, sample))
    share = 100 - 100 * left / max(1, len(sample))
    print(f"{len(sample) - left} of {len(sample)} noticed: {share:.0f} %, the goal is {GOAL} %")
    return int(share < GOAL)


if __name__ == "__main__":
    sys.exit(main())
