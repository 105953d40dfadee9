"""The benchmarks' table, file and comparison, with figures made by hand; and that keys and events reach a screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from benchmarks import keys
from benchmarks.__main__ import main
from benchmarks.child import server
from benchmarks.compare import compare
from benchmarks.figure import Figure, Report

RATES = [99.0, 100.0, 101.0]


def fast(factor: float = 1.0, beside: float = 1.0) -> Figure:
    """A figure with a reference; both may be from a faster machine."""
    values, others = [rate * factor * beside for rate in RATES], [200.0 * beside] * 3
    return Figure("toy: actions", "/s", values, reference="loop", beside=others, target=90)


def late(factor: float = 1.0) -> Figure:
    """A figure where less is better, without a reference."""
    return Figure("toy: p99", "ms", [2.0 * factor, 2.01 * factor, 2.02 * factor], "less")


def verdicts(old: Figure, new: Figure) -> tuple[str, int]:
    lines, worse = compare(Report("3", 0.0, [old]), Report("3", 0.0, [new]))
    return lines[1], worse


def test_a_ratio_is_taken_round_by_round() -> None:
    figure = Figure("toy", "/s", [10.0, 40.0, 30.0], reference="loop", beside=[20.0, 40.0, 40.0])
    assert figure.ratio is not None
    assert (figure.ratio.least, figure.ratio.median, figure.ratio.most) == (0.5, 0.75, 1.0)
    assert (figure.value.least, figure.value.median, figure.value.most) == (10.0, 30.0, 40.0)


def test_a_change_within_the_noise_is_not_marked() -> None:
    noisy = Figure("toy", "/s", [80.0, 90.0, 100.0, 110.0, 120.0])
    slower = Figure("toy", "/s", [72.0, 81.0, 90.0, 99.0, 108.0])
    assert verdicts(noisy, slower)[1] == 0


def test_beside_busy_programs_only_processor_time_is_judged() -> None:
    clock = msgspec.structs.replace(late(), wall=True)
    slower = msgspec.structs.replace(late(1.5), wall=True)
    lines, worse = compare(Report("3", 0.0, [fast(), clock]), Report("3", 0.5, [fast(0.8), slower]))
    assert lines[0] == "other programs took 50% of the machine in the new run"
    assert [text.split()[-1] for text in lines[2:]] == ["WORSE", "busy"]
    assert worse == 1
    assert compare(Report("3", 0.5, [fast()]), Report("3", 0.0, [fast(0.92)]))[1] == 0


def test_a_run_of_one_part_is_kept_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def good() -> Iterator[Figure]:
        yield from (fast(), late())

    def bad() -> Iterator[Figure]:
        yield from (fast(0.5), late())

    old, new = tmp_path / "old.json", tmp_path / "new.json"
    assert main(["engine", "--json", str(old)], {"engine": good, "wire": bad}) == 0
    assert main(["wire", "--json", str(new)], {"engine": good, "wire": bad}) == 0
    assert msgspec.json.decode(old.read_bytes(), type=Report).figures == list(good())
    capsys.readouterr()
    assert main(["--compare", str(old), str(new)]) == 1
    out = capsys.readouterr().out
    assert out.count("WORSE") == 1
    assert out.endswith("1 worse by more than the noise\n")
    assert main(["--compare", str(old), str(old)]) == 0


def test_keys_reach_the_screen_while_others_talk_and_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "WARM_UP", 2)
    with server("hall") as process:
        run = keys.typed(process, 0, seated=True, keys=3)
    assert len(run.latencies) == 3
    assert all(0 < took < keys.DEADLINE for took in run.latencies)
