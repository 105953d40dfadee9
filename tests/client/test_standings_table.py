"""Standings on the command line: as wide as the terminal, or as a file takes them."""

from __future__ import annotations

import pytest

from client.cli.standings_table import render_standings
from tests.tournaments.cups_played import played
from tournaments.bundle import cup_standings


def test_a_table_is_no_wider_than_the_terminal_and_whole_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    cup, _replays = played()
    rows = cup_standings(cup)
    whole = render_standings(rows, cup.settings, cup.entrant_names, cup.finished_matches())
    assert max(map(len, whole)) > 80
    assert "Not in" not in "".join(whole)
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lines = render_standings(rows, cup.settings, cup.entrant_names, cup.finished_matches())
    assert max(map(len, lines)) <= 70
    assert lines[7] == "Not in 70 columns: place."
    assert lines[8] == "A wider terminal, a file or a pipe has all columns."
