"""Where bots are found: by name, in a file of one's own, and what is said when they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

import bots
from bots.random import RandomBot
from bots.sdk.registry import NoSuchBot, all_bots, get_bot


def test_a_folder_without_bots_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = set(all_bots())
    (tmp_path / "no_bots_here").mkdir()
    (tmp_path / "no_bots_here" / "__init__.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(bots, "__path__", [*bots.__path__, str(tmp_path)])
    assert set(all_bots.__wrapped__()) == known


def test_a_name_finds_a_bot_of_the_house() -> None:
    assert get_bot("random") is all_bots()["random"]


def test_a_file_finds_its_class_and_the_helpers_beside_it(tmp_path: Path) -> None:
    (tmp_path / "helper_of_a_test_bot.py").write_text("def first(items):\n    return items[0]\n")
    (tmp_path / "own.py").write_text(
        "from helper_of_a_test_bot import first\nfrom magehall import Bot\n\n\n"
        "class Own(Bot):\n    def choose(self, turn):\n        return first(turn.legal)\n"
    )
    assert get_bot(f"{tmp_path}/own.py:Own").__name__ == "Own"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("nobody", "There is no bot 'nobody'; there are: "),
        ("no.py:Bot", "There is no file 'no.py'"),
        ("{folder}/broken.py:Bot", "broken.py fails to load: NameError"),
        ("{folder}/plain.py:Missing", "has no class 'Missing'"),
        ("{folder}/wanting.py:Wanting", "wants is 'knowledge'; it is a tuple of some of 'view', 'legal', 'knowledge'"),
        ("{folder}/wishing.py:Wishing", r"wants is ('view', 'luck'); it is a tuple of"),
        ("{folder}/notes.txt:Bot", "/notes.txt' is no Python file."),
        ("{folder}/plain.py:Plain", "has no class 'Plain' that is a magehall.Bot"),
    ],
)
def test_what_cannot_be_found_is_told_in_a_sentence(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "broken.py").write_text("undefined\n")
    (tmp_path / "notes.txt").write_text("a list\n")
    (tmp_path / "plain.py").write_text("class Plain:\n    pass\n")
    (tmp_path / "wanting.py").write_text("from magehall import Bot\n\n\nclass Wanting(Bot):\n    wants = 'knowledge'\n")
    wishing = "from magehall import Bot\n\n\nclass Wishing(Bot):\n    wants = ('view', 'luck')\n"
    (tmp_path / "wishing.py").write_text(wishing)
    with pytest.raises(NoSuchBot) as told:
        get_bot(name.format(folder=tmp_path))
    assert text in str(told.value)


def test_a_bot_may_have_another_class_beside_it_that_is_told_of_its_subclasses() -> None:
    told: list[type] = []

    class Listed:
        def __init_subclass__(cls) -> None:
            told.append(cls)

    class Mine(RandomBot, Listed):
        pass

    assert told == [Mine]
