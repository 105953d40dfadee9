"""The verifier in Perl accepts true replays and names the fault of others, from docs/protocol-verification.md alone."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from games.api import to_map
from games.registry import all_games
from tests.matches.golden import FOLDER
from tests.matches.played import file_of, forged, plain, played

VERIFIER = Path(__file__).parents[2] / "matches" / "verify.pl"
PERL = VERIFIER.read_text(encoding="utf-8")
GAMES = [game for game in all_games() if re.search(rf"\b{game}'? => ", PERL)]  # whose deals it knows


@pytest.fixture
def perl(tmp_path: Path) -> Any:
    """Runs the verifier on that replay of a game; returns what it prints."""
    return functools.partial(run, tmp_path)


def run(folder: Path, game: str, data: bytes) -> str:
    replay, cards = folder / "a.jsonl", folder / "cards.json"
    replay.write_bytes(data)
    cards.write_text(json.dumps([to_map(card) for card in all_games()[game].cards()]), encoding="utf-8")
    done = subprocess.run(["perl", str(VERIFIER), str(replay), str(cards)], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    said = done.stdout.removeprefix(f"{replay}: ").removesuffix("\n")
    assert done.returncode == (0 if said.startswith("chain and commitment hold") else 1), said
    return said


def test_the_verifier_is_short() -> None:
    assert len(VERIFIER.read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_finds_that_a_replay_holds_and_the_cards_are_those_of_the_seed(game: str, perl: Any) -> None:
    holds = "chain and commitment hold, and the cards are those of the seed"
    assert perl(game, (FOLDER / f"{game}.jsonl").read_bytes()) == holds
    for number in range(2, 5):
        seats = all_games()[game].max_seats - number % 2
        assert perl(game, file_of(played(all_games()[game], seats, number, most=3))) == holds


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("flips", [2, pytest.param(200, marks=pytest.mark.soak)])
def test_a_stranger_finds_a_flipped_byte_and_names_its_line(game: str, flips: int, perl: Any) -> None:
    data = (FOLDER / f"{game}.jsonl").read_bytes()
    for place in range(0, len(data), len(data) // flips):
        flipped = data[:place] + bytes((data[place] ^ 1,)) + data[place + 1 :]
        assert perl(game, flipped).startswith(f"line {1 + data[:place].count(10)}: "), place
    assert perl(game, data[:-1]).endswith("the file ends within a line")


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_finds_cards_that_the_seed_does_not_give_though_all_hashes_fit(game: str, perl: Any) -> None:
    lines = plain(file_of(played(all_games()[game], most=3)))
    told = [one["event"] for one in lines[0]["told"]]
    hand = next(event for event in told if event["what"] == "you_drew")
    held = hand["cards" if "cards" in hand else "gems"]
    held[0] = held[1] if held[0] != held[1] else "king"
    assert perl(game, forged(lines)).startswith("line 1: ")


def test_a_stranger_finds_another_seed(perl: Any) -> None:
    lines = plain(file_of(played(all_games()["ikasamage"], most=3)))
    lines[-1]["seed"] = "f" * 64
    assert perl("ikasamage", forged(lines)) == "line 1: the commitment does not fit seed and salt"


def test_a_deal_that_the_page_does_not_describe_is_said_not_to_be_checked(perl: Any) -> None:
    data = file_of(played(all_games()["magecraft"], options={"boards": "chosen"}, most=3))
    assert perl("magecraft", data) == "chain and commitment hold; the deal was not checked"
