"""The balance lab, on a game of one decision a match that the tests bring along, and on real ones."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from bots.sdk import lab
from bots.sdk.lab import LabPlan, LabReport, deals, make_plan, measure, render_report
from bots.sdk.lab.deals import UnsuitableSettings
from client.cli.lab import KINDS, LabSettings, run_lab
from games.magecraft import GAMES
from tests.bots.coin import COIN, Either, Heads, Tails

MAGECRAFT = GAMES[0]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def coin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game and its bots, in this process."""
    bots = {"heads": Heads, "tails": Tails, "either": Either}
    for module in (lab, deals):
        monkeypatch.setattr(module, "get_game", {"coin": COIN}.__getitem__)
    monkeypatch.setattr(deals, "get_bot", bots.__getitem__)


def measured(*bots: str, deals: int = 10, seed: int = 1, once: bool = False) -> LabReport:
    return measure(make_plan(COIN, bots, deals=deals, seed=seed, once=once))


@pytest.mark.usefixtures("coin")
def test_the_same_seed_gives_the_same_figures() -> None:
    first = measured("either", "either", deals=40, seed=3)
    assert first == measured("either", "either", deals=40, seed=3)
    assert first.wins != measured("either", "either", deals=40, seed=4).wins


@pytest.mark.usefixtures("coin")
def test_bots_rotate_over_the_seats_so_that_a_seat_that_always_wins_favours_nobody() -> None:
    assert measured("heads", "heads").wins["seat"]["1"].value == 1
    mixed = measured("heads", "tails")
    assert mixed.matches == 20
    assert {name: one.value for name, one in mixed.wins["bot"].items()} == {"heads": 1, "tails": 0}
    assert mixed.wins["seat"]["1"].value == 0.5


@pytest.mark.usefixtures("coin")
def test_a_deal_is_one_observation_however_often_it_is_played() -> None:
    (seat, bot) = (measured("heads", "tails").wins[heading] for heading in ("seat", "bot"))
    assert (seat["1"].deals, seat["1"].of) == (10, 20)
    assert (seat["1"].value, bot["heads"].value) == (0.5, 1)
    assert (seat["1"].low or 0) < 0.4  # one win in each deal, which another deal need not have
    assert (bot["heads"].low or 0) > 0.6  # ten deals, not twenty matches: 0.73


@pytest.mark.usefixtures("coin")
def test_deals_can_be_played_once() -> None:
    report = measured("heads", "tails", once=True)
    assert (report.deals, report.matches) == (10, 10)
    assert report.wins["seat"]["1"].value == 1


@pytest.mark.usefixtures("coin")
def test_endings_shared_wins_and_decisions_are_counted() -> None:
    report = measured("tails", "tails")
    assert report.shares["ended by"]["nobody"].value == 1
    assert report.shares["wins"]["shared"].value == 1
    assert report.shares["turns"]["without a choice"].value == 0
    assert report.wins["seat"]["1"].value == 0.5
    both = report.wins["bot"]["tails"]
    assert (both.low, both.value, both.high) == (0.5, 0.5, 0.5)  # which has all the seats
    length = report.lengths["decisions"]
    assert (length.mean, length.low, length.high, length.median, length.p90) == (2, None, None, 2, 2)
    ends = measured("either", "either", deals=50).shares["ended by"]
    assert sum(one.value for one in ends.values()) == pytest.approx(1)
    assert {one.of for one in ends.values()} == {100}


@pytest.mark.usefixtures("coin")
def test_what_is_wrong_with_a_plan_is_refused() -> None:
    with pytest.raises(ValueError, match="takes 2 players, not"):
        make_plan(COIN, ["heads"], 3)
    with pytest.raises(ValueError, match="at least one"):
        make_plan(COIN, ["heads"], deals=0)
    with pytest.raises(ValueError, match="no option"):
        make_plan(COIN, ["heads"], options={"luck": 1})


@pytest.mark.usefixtures("coin")
def test_what_is_not_said_of_a_plan_is_a_thousand_deals_of_the_game_s_own_bots_the_house_bot_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = {"either": Either, "heads": Heads, "heads:easy": Heads, "tails": Tails}
    own = {name: type(kind.__name__, (kind,), {"games": ("coin",)}) for name, kind in kinds.items()}
    monkeypatch.setattr(lab, "all_bots", lambda: {**own, "random": Either})
    assert make_plan(COIN) == LabPlan("coin", ("tails", "either"), 1_000)
    assert make_plan(COIN, ["heads"]).bots == ("heads", "heads")
    monkeypatch.setattr(lab, "all_bots", dict)
    monkeypatch.setattr(lab, "bot_name_or_random", lambda _game, wanted: wanted)
    assert make_plan(COIN).bots == ("tails", "tails")


@pytest.mark.usefixtures("coin")
def test_an_interrupt_before_the_first_deal_leaves_nothing_to_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_all: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(lab, "play_deals", interrupted)
    with pytest.raises(KeyboardInterrupt):
        measured("heads", "tails")


def test_more_bots_than_seats_are_refused_as_some_would_never_play() -> None:
    with pytest.raises(UnsuitableSettings, match="3 bots for 2 seats"):
        make_plan(MAGECRAFT, ["evoker", "random", "scholar"], 2)


def test_a_bot_that_does_not_play_the_game_is_refused() -> None:
    with pytest.raises(UnsuitableSettings, match="greedy does not play magecraft; it plays: ikasamage, cheaty-mages"):
        make_plan(MAGECRAFT, ["evoker", "greedy"])


@pytest.mark.usefixtures("coin")
def test_people_read_80_columns_with_a_mark_where_the_fair_share_is_excluded() -> None:
    text = render_report(COIN, measured("heads", "tails"))
    assert max(map(len, text.split("\n"))) <= 80
    assert text.replace("\n", " ").startswith(
        "10 deals of Coin with 2 seats, heads against tails, seed 1; each was played with the bots in every rotation:"
        " 20 matches. Intervals: 95 % over deals. `*`: the interval excludes the fair share, 50.0 %; one fair share in"
        " twenty does by chance."
    )
    assert "| heads       | 20 | 100.0 % | 66.2 to 100.0 % | 2.00 * |" in text
    assert "| 1            | 20 | 50.0 % | 20.9 to 79.1 % |   1.00 |" in text
    assert "| turns without a choice | 30 |   0.0 % |   0.0 to 33.8 % |" in text
    assert "| decisions | 1.50 |        - |    1.5 |   2 |" in text
    assert "Interrupted" not in text
    long = "/home/somebody/with/a/long/name/bots/my_bot.py:MyBot"
    plan = LabPlan("coin", (long, long), 1)
    assert "my_bot.py:MyBot |" in render_report(COIN, renamed(measured("heads", "tails"), plan.bots))


def renamed(report: LabReport, bots: tuple[str, ...]) -> LabReport:
    wins = {"bot": {bots[0]: report.wins["bot"]["heads"], "other": report.wins["bot"]["tails"]}}
    return msgspec.structs.replace(report, bots=bots, wins=wins)


@pytest.fixture
def forks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processes that play are forked. That they come out of nothing is for the tests of the command, below."""
    fork = multiprocessing.get_context("fork")
    monkeypatch.setattr("bots.sdk.lab.deals.multiprocessing.get_context", lambda _kind: fork)


@pytest.mark.usefixtures("forks")
def test_two_processes_find_what_one_finds() -> None:
    plan = make_plan(MAGECRAFT, ["evoker", "random"], deals=3)
    assert measure(plan, jobs=1) == measure(plan, jobs=2)


def test_a_longer_run_begins_with_the_deals_of_a_shorter_one() -> None:
    plan = make_plan(MAGECRAFT, ["evoker", "random"], deals=3)
    alone = [deals.play_deal(plan, deal) for deal in (2, 0, 1)]
    assert list(deals.play_deals(plan, 1, deals.play_deal)) == [alone[1], alone[2], alone[0]]


def test_a_game_adds_figures_of_its_own() -> None:
    report = measure(make_plan(MAGECRAFT, deals=2))
    assert report.bots == ("evoker", "scholar")
    assert set(report.wins) == {"seat", "bot", "turn order", "character", "learnt", "cast"}
    assert report.shares["learnt by anybody"]["fireball"].of == 4
    assert report.lengths["rounds"].mean > 4
    assert sum(one.of for one in report.wins["character"].values()) == 8


# -- as a command ------------------------------------------------------------------------------------------------------


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "magehall", "lab", *words]


PRINTS = """
from magehall import Bot

print("loaded")

class Prints(Bot):
    def __init__(self, seed):
        super().__init__(seed)
        print("made", flush=True)

    def choose(self, turn):
        return self.rng.choice(turn.legal)
"""


@pytest.fixture
def prints(tmp_path: Path) -> str:
    """A bot that prints a line for each match."""
    (tmp_path / "prints.py").write_text(PRINTS)
    return f"{tmp_path}/prints.py:Prints"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_programs_get_json_and_nothing_else_on_stdout(prints: str, jobs: str) -> None:
    words = ["--bots", prints, "--deals", "5", "--jobs", jobs, "--json", "--option", "mastery=false"]
    done = subprocess.run(command("magecraft", *words), capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert (done.returncode, done.stderr.count("made")) == (0, 20)
    assert done.stderr.count("loaded") <= 3  # once to look at it, once in each process that plays
    report = json.loads(done.stdout)
    assert set(report) == set(LabReport.__struct_fields__)
    assert (report["deals"], report["matches"], report["options"]) == (5, 10, {"mastery": False})
    keys = {"value", "low", "high", "of", "deals"}
    assert all(set(one) == keys for labels in report["wins"].values() for one in labels.values())


RAISES = (
    "return self.plan(turn)",
    "WRONG raised in deal 1.\n",
    "AttributeError: 'Wrong' object has no attribute 'plan'",
)
CHEATS = (
    "return turn.game.words.parse_actions('bet 1 1 1', turn.view, turn.legal)[0]",
    "WRONG did in deal 1 what is illegal",
    ".",
)


FORGETS = ("turn.legal[0]", "WRONG erred in deal 1: choose returned None, which is not an action of ikasamage", ".")
OF_ANOTHER_GAME = (
    "return __import__('games.mages_110m.moves').mages_110m.moves.Pass()",
    "WRONG erred in deal 1: choose returned Pass(), which is not an action of ikasamage",
    ".",
)
EXITS = ("raise SystemExit(3)", "WRONG raised in deal 1.\n", "SystemExit: 3")
CANNOT_BE_MADE = (
    "pass\n    def __init__(self):\n        pass",
    "WRONG raised in deal 1.\n",
    "__init__() takes 1 positional argument but 2 were given",
)


@pytest.mark.usefixtures("forks")
@pytest.mark.parametrize(
    ("does", "says", "ends", "jobs"),
    [
        (*FORGETS, 1),
        (*OF_ANOTHER_GAME, 1),
        (*EXITS, 1),
        (*CANNOT_BE_MADE, 1),
        (*RAISES, 1),
        (*RAISES, 2),
        (*CHEATS, 1),
        pytest.param(*CHEATS, 2, marks=pytest.mark.soak),
    ],
)
def test_a_wrong_bot_is_named_with_its_own_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], does: str, says: str, ends: str, jobs: int
) -> None:
    text = f"from magehall import Bot\n\n\nclass Wrong(Bot):\n    def choose(self, turn):\n        {does}\n"
    (tmp_path / "wrong.py").write_text(text)
    name = f"{tmp_path}/wrong.py:Wrong"
    with pytest.raises(SystemExit) as ended:
        run_lab(LabSettings("measure", "ikasamage", [name, "random"], 3, 2, 1, {}, once=True), jobs=jobs, as_json=False)
    _out, err = capfd.readouterr()
    told = err[err.index("magehall: ") :].strip()
    assert ended.value.code == 1
    assert told.startswith(says.replace("WRONG", f"magehall: {name}"))
    assert told.endswith(ends)
    assert "local.py" not in told
    assert "deals.py" not in told


def test_a_process_that_dies_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(PRINTS.replace("return self", "__import__('os').abort()\n        return self"))
    words = ["--bots", f"{tmp_path}/dies.py:Prints", "--deals", "2", "--jobs", "2"]
    done = subprocess.run(command("magecraft", *words), capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("ended early. A bot or another program ended it.\n")


@pytest.mark.parametrize(
    ("raised", "code", "told"),
    [
        (KeyboardInterrupt(), 130, "magehall: Interrupted before there was a result."),
        (OSError(28, "No space left on device"), 1, "cannot be saved: [Errno 28] No space left on device."),
        (UnsuitableSettings("Too many."), 2, "magehall: Too many."),
    ],
)
def test_how_a_lab_ends_early(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], raised: BaseException, code: int, told: str
) -> None:
    def study(*_all: object) -> NoReturn:
        raise raised

    monkeypatch.setitem(KINDS, "measure", study)
    with pytest.raises(SystemExit) as ended:
        run_lab(LabSettings("measure", "magecraft", (), 2, 1, 1, {}), jobs=1, as_json=False)
    assert ended.value.code == code
    assert told in capsys.readouterr().err


def test_a_fault_of_our_own_is_no_mistake_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "measure", lambda *_all: int("a fault"))
    with pytest.raises(ValueError, match="a fault"):
        run_lab(LabSettings("measure", "magecraft", (), 2, 1, 1, {}), jobs=1, as_json=False)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_after_an_interrupt_the_figures_so_far_are_printed_and_no_process_stays(prints: str, jobs: str) -> None:
    words = command("magecraft", "--bots", prints, "--deals", "100000", "--jobs", jobs, "--json")
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True
    ) as process:
        assert process.stderr is not None
        for _ in range(40):  # at least four for each deal
            process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate(timeout=60)  # ends when no process holds the pipes any more
    assert (process.returncode, err.replace("made", "").replace("loaded", "").strip()) == (130, "")
    report = json.loads(out)
    assert report["interrupted"]
    assert 0 < report["deals"] < 100_000


@pytest.mark.usefixtures("coin")
def test_an_interrupt_leaves_the_deals_that_were_played_and_the_report_says_so() -> None:
    def stop(done: int, _all: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    report = measure(make_plan(COIN, ["heads", "tails"], deals=10), on_deal=stop)
    assert (report.interrupted, report.deals, report.matches) == (True, 3, 6)
    assert "Interrupted" in render_report(COIN, report)
    assert not measured("heads", "tails").interrupted


def test_no_process_stays_where_the_lab_itself_is_killed(prints: str) -> None:
    words = command("magecraft", "--bots", prints, "--deals", "100000", "--jobs", "2")
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, process_group=0) as process:
        assert process.stderr is not None
        for _ in range(40):
            process.stderr.readline()
        process.kill()
        try:
            process.communicate(timeout=30)  # ends when no process holds the pipes any more
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
