"""Where games are found."""

from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest

from bots.sdk.bot import Bot
from bots.sdk.registry import all_bots
from client.cli import app
from games import registry
from games.registry import all_games, get_game


def test_two_games_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    magecraft = get_game("magecraft")
    monkeypatch.setattr(registry, "_plugged", lambda: [magecraft])
    with pytest.raises(registry.PluginError, match="Two games are called magecraft"):
        all_games.__wrapped__()


def test_two_bots_of_one_name_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mine(Bot):
        """Not the one that everybody knows."""

    monkeypatch.setattr(
        "bots.sdk.registry.plugin_attributes", lambda _group, _name: iter([{"mine": Mine, "greedy": Mine}])
    )
    with pytest.raises(registry.PluginError, match="Two bots are called greedy"):
        all_bots.__wrapped__()


@pytest.mark.parametrize(("group", "known"), [("magehall.games", all_games), ("magehall.bots", all_bots)])
@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("games.api:Game", "Game.* has no attribute '(GAMES|BOTS)'"),
        ("no_such_module", "No module named 'no_such_module'"),
    ],
)
def test_a_plug_in_that_cannot_be_used_is_named(
    group: str,
    known: Any,
    value: str,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def found(**wanted: Any) -> EntryPoints:
        return EntryPoints([EntryPoint("parlour", value, group)]).select(**wanted)

    monkeypatch.setattr(registry, "entry_points", found)
    with pytest.raises(
        registry.PluginError, match=rf"^The plug-in parlour \({value}, {group}\) .*: .*{reason}"
    ) as raised:
        known.__wrapped__()
    with pytest.raises(SystemExit, match="1"):
        app._ended_by(raised.value)
    told = capsys.readouterr().err
    assert "The plug-in parlour" in told
    assert "Traceback" not in told
