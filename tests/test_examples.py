"""The short programs for researchers, run, and the figures on their page."""

from __future__ import annotations

import re
import runpy
from abc import ABC
from pathlib import Path

import pytest

from bots.sdk.lab import make_plan, measure
from bots.sdk.registry import get_bot
from examples import a_game
from examples.a_game import HighCard, HighCardState, HighCardWords
from games.api import Game, Outcome, State, Words, options_from
from games.encoding import NumericEncoding
from games.registry import get_game
from magehall import play
from tests.matches.played import file_of, played

ROOT = Path(__file__).parents[1]
CONTRACT = (ROOT / "games" / "README.md").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples"
PAGE = (ROOT / "docs" / "researchers.md").read_text(encoding="utf-8")
FIGURES = re.findall(
    r"^\| `([\w-]+)` (\d) \| ([\d,]+) \| ([\d,]+) \| (.*?) \| ([\d,]+) \| .* \| ([\d,]+) \|$", PAGE, re.M
)


def number(text: str) -> int:
    return int(text.replace(",", ""))


def run(name: str, *arguments: str) -> None:
    runpy.run_path(str(EXAMPLES / name))["main"](list(arguments))


def test_random_play_says_what_kind_of_game_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    run("random_play.py", "mages-110m", "--matches", "2")
    assert "all actions         130\n" in capsys.readouterr().out


def test_the_game_in_one_file_passes_the_exam_and_prints_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    a_game.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("no secret leaks.")
    assert lines[1] == "# high-card, 3 seats, deal 1"
    assert lines[-1].startswith('= {"scores":')


@pytest.mark.parametrize(
    ("contract", "example"), [(State, HighCardState), (Words, HighCardWords), (Game, HighCard)], ids=str
)
def test_the_page_lists_what_a_first_version_of_a_game_needs(contract: type[ABC], example: type) -> None:
    row = next(row for row in CONTRACT.splitlines() if row.startswith(f"| `{contract.__name__}` |"))
    needed = set(re.findall(r"`(\w+)`", row.split(";")[0])) - {contract.__name__}
    without_default = {name for name in contract.__annotations__ if not hasattr(contract, name)}
    assert needed == contract.__abstractmethods__ | without_default
    own = {name for name in (*vars(example), *example.__annotations__) if hasattr(contract, name) or name in needed}
    more = {name for name in own if not name.startswith("_")} - needed
    assert more <= {"knowledge"}, "the example has no more than a first version needs"


def test_the_searching_bot_beats_a_random_one() -> None:
    assert play("mages-110m", [get_bot(f"{EXAMPLES / 'search.py'}:Search"), "random"], seed=1).shares == (1.0, 0.0)
    lines = (EXAMPLES / "search.py").read_text(encoding="utf-8").split('"""', 2)[2].splitlines()
    assert len([line for line in lines if line.strip()]) <= 40


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("random_play.py", ["chess"], "invalid choice: 'chess'"),
        ("random_play.py", ["ikasamage", "--seats", "9"], "Ikasamage! takes 3 to 6 players, not 9."),
        ("search.py", [], "the following arguments are required: game"),
        ("train.py", ["--opponents", "nobody"], "There is no bot 'nobody'; there are: "),
        ("train.py", ["--opponents", "evoker"], "evoker does not play mages-110m; it plays: magecraft."),
        ("train.py", ["--matches", "0"], "--matches is 1 or more"),
        ("imitate.py", ["no/such/folder"], "There is no replay in no/such/folder."),
        ("replays.py", ["no_such_file.jsonl"], "No such file or directory: 'no_such_file.jsonl'"),
        ("replays.py", [__file__], "It does not end with its hash."),
    ],
)
def test_what_they_cannot_use_is_told_in_a_sentence(
    name: str, arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(name, *arguments)
    assert why in capsys.readouterr().err + str(ended.value)


def test_the_searching_bot_sits_down_with_as_many_as_a_game_needs() -> None:
    main, asked = runpy.run_path(str(EXAMPLES / "search.py"))["main"], []

    def noted(game: str, bots: list[object], seed: int) -> Outcome:
        asked.append((game, bots[1:], seed))
        return Outcome((1, 0, 0), (1, 2, 2), "money", "Over.")

    main.__globals__["play"] = noted
    main(["ikasamage", "--seed", "7"])
    assert asked == [("ikasamage", ["random", "random"], 7)]


def test_training_prints_how_it_goes(capsys: pytest.CaptureFixture[str]) -> None:
    run("train.py", "--matches", "6")
    assert capsys.readouterr().out.count("of the win in the last 1") == 6


@pytest.mark.soak
def test_training_helps(capsys: pytest.CaptureFixture[str]) -> None:
    run("train.py", "--matches", "600")
    shares = [float(share) for share in re.findall(r": ([\d.]+) of", capsys.readouterr().out)]
    assert shares[-1] > 0.6


def test_a_bot_is_learnt_from_recorded_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    measure(make_plan(get_game("mages-110m"), ["hurdler"], deals=6, once=True, record=str(tmp_path)))
    run("imitate.py", str(tmp_path), "--out", str(tmp_path / "policy.npz"), "--rounds", "2")
    assert int(re.findall(r"round 2: does what was done in (\d+)%", capsys.readouterr().out)[0]) > 20
    monkeypatch.setenv("POLICY", str(tmp_path / "policy.npz"))
    assert play("mages-110m", [get_bot(f"{EXAMPLES / 'imitate.py'}:Imitator"), "random"], seed=1).reason == "line"


def test_replays_are_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["replays.py"])
    runpy.run_path(str(EXAMPLES / "replays.py"), run_name="__main__")
    assert "match.jsonl: Ikasamage!, 68 decisions\n  1 greedy: Cast " in capsys.readouterr().out


def test_replays_of_matches_that_were_closed_early_are_read_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "early.jsonl"
    file.write_bytes(file_of(played(get_game("ikasamage"), 3, most=1)))
    runpy.run_path(str(EXAMPLES / "replays.py"))["main"]([file])
    assert capsys.readouterr().out.count("; 0.0 choices at a time") == 2


def test_the_page_has_the_sizes_of_the_games() -> None:
    assert len(FIGURES) == 6
    for game_id, seats, actions, size, _legal, _decisions, longest in FIGURES:
        game = get_game(game_id)
        numbers = NumericEncoding(game, int(seats), options_from(game, {}))
        found = len(numbers.actions), numbers.layout.size, numbers.longest
        assert found == (number(actions), number(size), number(longest)), f"{game_id} {seats}"


@pytest.mark.soak
def test_the_page_has_what_random_play_prints(capsys: pytest.CaptureFixture[str]) -> None:
    for game_id, seats, *_, legal, decisions, _longest in FIGURES:
        run("random_play.py", game_id, "--seats", seats, "--matches", "100")
        printed = capsys.readouterr().out
        mean, most = legal.split(", ")
        assert f"legal actions       {mean}, at most {most}\n" in printed
        assert f"decisions a match   {number(decisions)}, " in printed


def test_every_file_that_the_page_links_to_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert len(links) > 10
    for link in links:
        assert (ROOT / "docs" / link).is_file(), link
