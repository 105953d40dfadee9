"""Catalogues: every sentence of the code stands in each of them once, with the same fields, and nothing else does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from magehall.home import PACKAGES
from tests.helpers.catalogues import ROOT, SPOKEN, catalogue, fields, folders, nodes, parsed, sentences

LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
BINDS = re.compile(r"^ +(?:async )?for (?:.*, )?_(?:, .*)? in .*:$|^ +(?:[^=(\n]*, )?_(?:, [^=(\n]*)? = ", re.MULTILINE)
CATALOGUES = [pytest.param(folder, name, id=f"{folder.name}-{name}") for folder in folders() for name in SPOKEN]


def translations(entry: polib.POEntry) -> list[str]:
    return [*entry.msgstr_plural.values()] if entry.msgid_plural else [entry.msgstr]


def test_every_package_that_speaks_has_a_catalogue() -> None:
    speaking = {path.relative_to(ROOT).parts[0] for path in folders()}
    assert speaking == {*PACKAGES}


@pytest.mark.parametrize(("folder", "name"), CATALOGUES)
def test_a_catalogue_has_the_sentences_of_the_code_and_no_others(folder: Path, name: str) -> None:
    in_code, kept = sentences(folder), catalogue(folder, name)
    advice = "python -m tests.helpers.catalogues writes it anew"
    assert {entry.msgid: entry.msgid_plural for entry in kept} == in_code, advice
    assert not [entry.msgid for entry in kept if not all(translations(entry))]


@pytest.mark.parametrize(("folder", "name"), CATALOGUES)
def test_a_translation_has_the_fields_of_its_sentence(folder: Path, name: str) -> None:
    for entry in catalogue(folder, name):
        for text in translations(entry):
            assert fields(text) == fields(entry.msgid) | fields(entry.msgid_plural), entry.msgid


@pytest.mark.parametrize("folder", [pytest.param(folder, id=folder.name) for folder in folders()])
def test_french_has_spaces_that_do_not_break_before_its_signs(folder: Path) -> None:
    for entry in catalogue(folder, "fr"):
        for text in translations(entry):
            assert not re.search(r"(?<=\S) [:;!?»](?!\w)|« ", text), text


@pytest.mark.parametrize(("folder", "name"), CATALOGUES)
def test_the_compiled_catalogue_is_made_of_the_one_that_is_written(folder: Path, name: str) -> None:
    assert (folder / f"{name}.mo").read_bytes() == catalogue(folder, name).to_binary()


@pytest.mark.parametrize("folder", [pytest.param(folder, id=folder.name) for folder in folders()])
def test_sentences_are_said_when_they_are_needed_and_not_when_a_module_is_read(folder: Path) -> None:
    for path in folder.rglob("*.py"):
        early = [node for node in at_once(parsed(path)) if isinstance(node, ast.Call)]
        assert not [node.lineno for node in early if ast.unparse(node.func) in ("_", "ngettext")], path


def at_once(tree: ast.AST) -> Iterator[ast.AST]:
    """The parts that run while the module is read."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, LATER):
            yield node
            yield from at_once(node)


def test_a_refusal_has_its_sentence_in_the_language_of_whoever_reads_it() -> None:
    for package in ("protocol", "people", "server"):
        for path in (ROOT / package).rglob("*.py"):
            for node in nodes(path):
                match node:
                    case ast.Call(func=ast.Name(id="Refusal"), args=[_, ast.Constant(value=text), *_]):
                        assert not text, f"{path}:{node.lineno}"
                    case ast.Call(func=ast.Name(id="Refusal"), args=[_, ast.JoinedStr(), *_]):
                        pytest.fail(f"{path}:{node.lineno}")


def test_what_a_command_says_stands_in_a_catalogue() -> None:
    for path in (ROOT / "client" / "cli").rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("fail", "print", "typer.echo", "to_stderr"):
                assert not re.search(r"[A-Za-z]{2,} [a-z]{2,}", literal(node)), f"{path}:{node.lineno}"


def literal(call: ast.Call) -> str:
    """The text that a call is given as it is, without its fields."""
    arg = call.args[0] if call.args else None
    parts = arg.values if isinstance(arg, ast.JoinedStr) else [arg]
    return " ".join(str(part.value) for part in parts if isinstance(part, ast.Constant))


def test_the_name_of_what_looks_sentences_up_stands_for_nothing_else_where_it_is_imported() -> None:
    for folder in folders():
        for path in folder.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if re.search(r"language import .*\b_\b", text):
                assert not BINDS.findall(text), path
