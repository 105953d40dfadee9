"""The sentences that stand in the code, and the catalogues that have them in other languages.

`python -m tests.helpers.catalogues` writes the catalogues anew, as text and compiled: new sentences are added, empty,
and stale ones go.
"""

from __future__ import annotations

import ast
import re
import string
import sys
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import polib

from bots.sdk.registry import all_bots
from games.api import Game
from languages import ENGLISH, NAMES
from magehall.home import PACKAGES
from tests.helpers.commands import help_texts

ROOT = Path(__file__).parents[2]
SPOKEN = [name for name in NAMES if name != ENGLISH]
PLURAL = {"fr": "nplurals=2; plural=(n > 1);"}
CARD_FIELDS = ("title", "text")  # of a card file, where they are plain texts
IN_TEMPLATE = re.compile(r"""\b_\(["']([^"']+)["'][,)]""")  # a sentence in a template of a page
LESSON_FIELDS = ("title", "before", "here", "after", "other", "end")


@cache
def folders() -> list[Path]:
    """Every folder of ours that has a catalogue: where a `language.py` is."""
    return sorted(path.parent for package in PACKAGES for path in (ROOT / package).rglob("language.py"))


@cache
def parsed(path: Path) -> ast.Module:
    """A module of ours."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All that stands in a module of ours, breadth first."""
    return list(ast.walk(parsed(path)))


def sentences(folder: Path) -> dict[str, str]:
    """By each sentence of the folder's code and cards, in their order, its form for several; "" for most."""
    found: dict[str, str] = {}
    for path in sorted(folder.rglob("*.py")):
        if path.parent == folder or not any(parent in folders() for parent in path.parents if folder in parent.parents):
            for node in nodes(path):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    found |= _said(node, node.func.id, path)
    for file in sorted(folder.rglob("templates/*.html")):
        found |= dict.fromkeys(IN_TEMPLATE.findall(file.read_text(encoding="utf-8")), "")
    if folder == ROOT / "bots":
        kinds = [kind for kind in all_bots().values() if kind.__module__.startswith("bots.")]
        found |= {(kind.__doc__ or "").strip().split("\n")[0]: "" for kind in kinds}  # as `magehall bots` lists them
    if folder == ROOT / "client":
        found |= dict.fromkeys(help_texts(), "")
    for file in folder.glob("cards.toml"):
        found |= dict.fromkeys(_texts(tomllib.loads(file.read_text(encoding="utf-8")), CARD_FIELDS), "")
    for file in sorted(folder.glob("lessons-*.toml")):
        found |= dict.fromkeys(_texts(tomllib.loads(file.read_text(encoding="utf-8")), LESSON_FIELDS), "")
    return found


def _said(call: ast.Call, function: str, path: Path) -> dict[str, str]:
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    match function:
        case "_" | "N_" if texts:
            return {texts[0]: ""}
        case "ngettext":
            assert len(texts) == 2, f"{path}:{call.lineno}: both forms are written out"
            return {texts[0]: texts[1]}
    return {}


def _texts(entry: object, wanted: Collection[str]) -> Iterator[str]:
    """The texts in these fields of a file."""
    if isinstance(entry, dict):
        for key, value in entry.items():
            if key in wanted and isinstance(value, str) and value:
                yield value
            elif not (key in wanted and isinstance(value, dict)):
                yield from _texts(value, wanted)
    elif isinstance(entry, list):
        for one in entry:
            yield from _texts(one, wanted)


def folder_of(game: Game) -> Path:
    """The folder with a game's code."""
    return Path(sys.modules[type(game).__module__].__file__ or "").parent


@cache
def english_words(*packages: Path) -> set[str]:
    """The words of the English sentences of these folders that none of their French ones has."""
    entries = [entry for folder in packages for entry in catalogue(folder, "fr")]
    ours = words(" ".join(f"{entry.msgid} {entry.msgid_plural}" for entry in entries))
    return ours - words(" ".join(" ".join((entry.msgstr, *entry.msgstr_plural.values())) for entry in entries))


def words(text: str) -> set[str]:
    """The words of a text, without the fields of sentences."""
    return {word.lower() for word in re.findall(r"(?<!\w)[^\W\d_]{2,}(?!\w)", re.sub(r"\{[^}]*\}", " ", text))}


def catalogue(folder: Path, name: str) -> polib.POFile:
    """The folder's catalogue in that language; an empty one where there is no file."""
    file = folder / f"{name}.po"
    return polib.pofile(str(file), wrapwidth=0) if file.is_file() else polib.POFile(wrapwidth=0)


def fields(text: str) -> set[str]:
    """The fields that a sentence names."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def write(folder: Path, name: str) -> int:
    """Writes the folder's catalogue anew; returns how many sentences have no translation."""
    before = {entry.msgid: entry for entry in catalogue(folder, name)}
    after = polib.POFile(wrapwidth=0)
    after.metadata = {"Content-Type": "text/plain; charset=utf-8", "Language": name, "Plural-Forms": PLURAL[name]}
    for one, several in sentences(folder).items():
        old = before.get(one)
        entry = polib.POEntry(msgid=one, msgid_plural=several)
        if several:
            entry.msgstr_plural = old.msgstr_plural if old and old.msgstr_plural else {0: "", 1: ""}
        else:
            entry.msgstr = old.msgstr if old else ""
        after.append(entry)
    after.save(str(folder / f"{name}.po"))
    (folder / f"{name}.mo").write_bytes(after.to_binary())
    return len(after.untranslated_entries())


if __name__ == "__main__":
    for one in folders():
        for spoken in SPOKEN:
            print(f"{one.relative_to(ROOT)}/{spoken}.po: {write(one, spoken)} sentences are not translated")
