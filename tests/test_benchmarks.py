"""The benchmarks' table, file and comparison, with figures made by hand; and that keys and events reach a screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from benchmarks import keys
from benchmarks.__main__ import main
from benchmarks.child import server
from benchmarks.compare import compare
from benchmarks.figure import Figure, Report
from benchmarks.plot import plot
from benchmarks.reference import beside_loop, loop
from benchmarks.table import line

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


def test_the_loop_does_the_same_in_each_run() -> None:
    assert loop(0) == 0
    assert loop(1_000) == 7_549


def test_a_ratio_is_taken_round_by_round() -> None:
    figure = Figure("toy", "/s", [10.0, 40.0, 30.0], reference="loop", beside=[20.0, 40.0, 40.0])
    assert figure.ratio is not None
    assert (figure.ratio.least, figure.ratio.median, figure.ratio.most) == (0.5, 0.75, 1.0)
    assert (figure.value.least, figure.value.median, figure.value.most) == (10.0, 30.0, 40.0)


def test_the_loop_is_measured_around_each_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    speeds = iter([100.0, 50.0, 100.0])

    def rate() -> float:
        calls.append("loop")
        return next(speeds)

    def measure() -> float:
        calls.append("figure")
        return 30.0

    monkeypatch.setattr("benchmarks.reference.loop_rate", rate)
    assert beside_loop(measure, 2) == pytest.approx((30.0, 75.0))
    assert calls == ["loop", "figure", "loop", "figure", "loop"]


def test_noise_is_the_notch_of_a_box_plot() -> None:
    assert Figure("toy", "/s", [90.0, 98.0, 100.0, 102.0]).value.noise == pytest.approx(1.57 * (100.5 - 96) / 99 / 2)
    assert Figure("toy", "/s", [5.0]).value.noise == 0


def test_a_line_of_the_table_shows_spread_ratio_and_target() -> None:
    words = line(fast()).split()
    assert words[2:] == ["99", "100", "101", "/s", "0.495", "0.5", "0.505", "loop", "90", "reached"]
    assert line(late()).split() == ["toy:", "p99", "2", "2.01", "2.02", "ms"]


def test_a_target_may_be_for_the_ratio() -> None:
    figure = msgspec.structs.replace(fast(), target=0.6, target_is_ratio=True)
    assert figure.reached is False
    assert line(figure).endswith("0.6 loop MISSED")
    assert msgspec.structs.replace(figure, better="less").reached is True


def test_the_same_figures_are_not_marked_on_a_faster_machine() -> None:
    text, worse = verdicts(fast(), fast(beside=2.5))
    assert " 1.000 " in text
    assert worse == 0


def test_a_slower_engine_is_marked() -> None:
    text, worse = verdicts(fast(), fast(0.9))
    assert text.endswith("WORSE")
    assert worse == 1
    assert verdicts(fast(0.9), fast())[0].endswith("better")


def test_more_milliseconds_are_worse() -> None:
    assert verdicts(late(), late(1.1))[0].endswith("WORSE")
    assert verdicts(late(), late(0.9))[0].endswith("better")


def test_a_change_within_the_noise_is_not_marked() -> None:
    noisy = Figure("toy", "/s", [80.0, 90.0, 100.0, 110.0, 120.0])
    slower = Figure("toy", "/s", [72.0, 81.0, 90.0, 99.0, 108.0])
    assert verdicts(noisy, slower)[1] == 0


def test_what_a_machine_alone_decides_is_never_marked() -> None:
    before, after = (Figure("reference: the loop", "/s", [rate], "neither") for rate in (100.0, 50.0))
    assert verdicts(before, after)[1] == 0


def test_a_figure_of_one_run_only_is_told() -> None:
    lines, worse = compare(Report("3", 0.0, [fast()]), Report("3", 0.0, [late()]))
    assert [text.split("  ")[-1].strip() for text in lines[1:]] == ["only in the old run", "only in the new run"]
    assert worse == 0


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


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["engin"], {"engine": lambda: iter([])})
    assert "there is no part engin; there are engine" in capsys.readouterr().err


def test_what_grows_is_drawn_and_nothing_else() -> None:
    figures = [Figure(f"{tables} tables, on disk: p99", "ms", [float(tables)], "less") for tables in (1, 10, 1_000)]
    picture = ElementTree.fromstring(plot([*figures, Figure("memory of a session", "KiB", [8.0])]))
    drawn = picture.iter("{http://www.w3.org/2000/svg}polyline")
    (points,) = [one.get("points", "") for one in drawn if one.get("points")]
    (first, second, third) = (tuple(map(float, point.split(","))) for point in points.split())
    assert first[0] < second[0] < third[0]
    assert first[1] > second[1] > third[1]  # upwards
    assert third[0] - second[0] == pytest.approx(2 * (second[0] - first[0]), abs=0.2)
    assert plot([Figure("memory of a session", "KiB", [8.0])]) == ""


def test_keys_reach_the_screen_while_others_talk_and_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "WARM_UP", 2)
    with server("hall") as process:
        run = keys.typed(process, 0, seated=True, keys=3)
    assert len(run.latencies) == 3
    assert all(0 < took < keys.DEADLINE for took in run.latencies)
