"""Without its extra, an adapter says in one sentence what to install."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("adapter", "missing", "extra"),
    [
        ("pettingzoo", "pettingzoo", "pettingzoo"),
        ("gymnasium", "gymnasium", "gymnasium"),
        ("vector", "gymnasium.vector", "gymnasium"),
        ("openspiel", "pyspiel", "openspiel"),
    ],
)
def test_an_extra_that_is_missing_is_told_in_one_sentence(
    adapter: str, missing: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"bots.sdk.adapters.{adapter}", raising=False)
    with pytest.raises(ImportError) as told:
        importlib.import_module(f"bots.sdk.adapters.{adapter}")
    assert str(told.value) == f"{missing.partition('.')[0]} is not installed; type: pip install 'magehall[{extra}]'"


def test_what_everybody_installs_imports_none_of_them() -> None:
    code = "import sys, bots.sdk.local, client.cli.app; print({'numpy', 'gymnasium', 'pyspiel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
