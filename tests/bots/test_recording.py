"""What the lab keeps of its matches: replays that hold, and rows of numbers."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from bots.sdk.lab import make_plan, measure
from bots.sdk.lab.deals import UnsuitableSettings
from bots.sdk.lab.recording import MatchRecorder
from games.api import Outcome, options_from
from games.chance import Chance, deal_key
from games.encoding import NumericEncoding
from games.registry import get_game
from magehall import load_replay
from tests.bots.coin import COIN, CoinState, Say

RACE = get_game("mages-110m")


def test_every_match_is_kept_as_a_replay_that_holds(tmp_path: Path) -> None:
    found = measure(make_plan(RACE, ["hurdler", "random"], deals=2, record=str(tmp_path)))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"deal-00000{deal}-{turn}.jsonl" for deal in (1, 2) for turn in (1, 2)]
    records = [load_replay(file) for file in files]
    assert [seat.name for seat in records[1].header.seats] == ["random", "hurdler"]
    assert found == measure(make_plan(RACE, ["hurdler", "random"], deals=2)), "to keep them changes nothing"
    before = files[0].read_bytes()
    measure(make_plan(RACE, ["hurdler", "random"], deals=1, record=str(tmp_path)))
    assert files[0].read_bytes() == before
    with pytest.raises(FileExistsError, match="deal-000001-1"):  # they would mix with these, or take their place
        measure(make_plan(RACE, ["random"], deals=1, record=str(tmp_path)))
    assert sorted(tmp_path.iterdir()) == files
    assert files[0].read_bytes() == before


def test_every_decision_is_a_row_of_numbers(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    measure(make_plan(RACE, ["hurdler", "random"], deals=1, once=True, record=str(tmp_path), rows=True))
    record = load_replay(tmp_path / "deal-000001-1.jsonl")
    rows = parquet.read_table(tmp_path / "deal-000001.parquet").to_pylist()
    assert len(rows) == len(record.entries)
    numbers = NumericEncoding(RACE, 2, options_from(RACE, {}))
    for number, (row, entry) in enumerate(zip(rows, record.entries, strict=True), 1):
        assert (row["match"], row["number"]) == ("deal-000001-1", number)
        assert numbers.actions[row["action"]] == entry.action  # type: ignore[union-attr]
        assert row["mask"][row["action"]] == 1
        assert len(row["features"]) == numbers.layout.size
    first = rows[0]
    state, _ = RACE.start(2, options_from(RACE, {}), Chance(deal_key(record.header.seed)))
    assert first["features"] == list(numbers.vector(state.view(first["seat"])))
    assert [id for id, legal in enumerate(first["mask"]) if legal] == sorted(
        numbers.legal(state.legal_actions(first["seat"]))
    )
    assert sorted({row["seat"]: row["share"] for row in rows}.values()) == [0, 1]


def test_a_row_says_what_its_seat_saw_could_do_and_did_and_how_it_came_out() -> None:
    recorder = MatchRecorder(NumericEncoding(COIN, 2, COIN.options_type()))
    recorder.watch(CoinState(), 1, Say(False))
    recorder.watch(CoinState((False,)), 2, Say(True))
    outcome = Outcome((3, 8), (2, 1), "heads", "Seat 2 wins.")
    rows = [tuple(row.values()) for row in recorder.rows("deal-000001-1", outcome)]
    assert rows == [
        ("deal-000001-1", 1, 1, array("f", [0, 0]), [0, 1], 1, 0.0, 3),
        ("deal-000001-1", 2, 2, array("f", [1, 0]), [0, 1], 0, 1.0, 8),
    ]


def test_numbers_without_a_folder_are_refused_and_so_is_no_deal_at_all() -> None:
    with pytest.raises(UnsuitableSettings, match="there is none"):
        make_plan(RACE, rows=True)
    with pytest.raises(UnsuitableSettings, match="at least one deal"):
        make_plan(RACE, deals=0)
