"""Replays on the command line: listed, stepped through, checked, asked again; and kept when a match ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from client import replay_store
from client.cli.app import app
from client.cli.replay import _step
from client.replay_store import ReplayNotFound
from games.registry import all_games
from matches.fold import Entry
from matches.moments import Moment, count_decisions, moments
from matches.record import verify_replay
from people.pages import MomentRenderer, parse_viewing_seat
from protocol.messages import Happened
from protocol.replay import BadReplay
from tests.helpers.hall import Hall
from tests.helpers.paper import PaperScreen, play_toy
from tests.helpers.scissors import Scissors
from tests.helpers.toy import TOY
from tests.matches.golden import FOLDER, replay
from tests.matches.played import file_of, forged, plain, played

IKASAMAGE = str(FOLDER / "ikasamage.jsonl")
RECORD = verify_replay((FOLDER / "ikasamage.jsonl").read_bytes(), all_games())
PEOPLE = ["Ada", "Bob", "Cleo"]
cli = CliRunner()


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept from before."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")


def magehall(*words: str) -> Result:
    return cli.invoke(app, list(words))


def ask(*words: str) -> subprocess.CompletedProcess[str]:
    """`magehall bot ask`, in a process of its own, as it moves its stdout."""
    command = [sys.executable, "-m", "magehall", "bot", "ask", IKASAMAGE, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


# -- stepping through --------------------------------------------------------------------------------------------------


def test_in_a_pipe_the_whole_match_is_printed_and_nothing_that_is_not_public() -> None:
    shown = magehall("replay", IKASAMAGE).stdout
    titles = [line for line in shown.splitlines() if line.startswith(("Before decision", "The end"))]
    assert titles == [*(f"Before decision {number}" for number in range(1, 71)), "The end"]
    assert "The match is over." in shown
    assert "Ada: Good luck! \u2603" in shown
    everything = magehall("replay", IKASAMAGE, "--all").stdout
    for secret in ("Hand:", "Only Ada sees", "alone)", "was refused", "> Ada: bet"):
        assert secret not in shown
        assert secret in everything
    for one in (shown, everything):
        assert one.splitlines()[1].startswith("The match begins"), "and not after what it began with"


def test_one_decision_as_a_seat_saw_it() -> None:
    for seat in ("1", "Ada", "ada", "ADA"):
        shown = magehall("replay", IKASAMAGE, "--turn", "9", "--as", seat).stdout
        assert shown.startswith("Before decision 9, as Ada sees it\n")
        assert "Your turn: Cast a spell or pass" in shown
        assert shown.endswith("> Ada: cast mana_boost 2\n")
    other = magehall("replay", IKASAMAGE, "--turn", "9", "--as", "Bob").stdout
    assert "mana_boost 2" not in other
    assert "Your turn" not in other


class Poison:
    """Whoever looks at it fails the test."""

    def __getattribute__(self, name: str) -> Any:
        raise AssertionError(f"the page looks at {name}")

    def __iter__(self) -> Any:
        raise AssertionError("the page looks at all of it")


class OnlyView:
    """A state that shows one seat's view and nothing else."""

    def __init__(self, moment: Moment) -> None:
        self.state = self
        self._hearer, self._view = moment.hearer or None, moment.view()

    def view(self, seat: int | None) -> Any:
        assert seat == self._hearer
        return self._view


@pytest.mark.parametrize("game", sorted(all_games()))
def test_the_page_of_a_seat_is_made_from_what_it_was_told_and_its_own_decisions_alone(game: str) -> None:
    record = verify_replay(replay(all_games()[game]), all_games())
    people = [info.name for info in record.header.seats]
    poison: Any = Poison()
    for hearer in range(len(people) + 1):
        pages = MomentRenderer(record.game, people, hearer, False, 80)
        for moment in moments(record, hearer):
            decision: Any = moment.decision
            if decision is not None and decision.seat != hearer:
                decision = SimpleNamespace(seat=decision.seat)
            match: Any = OnlyView(moment)
            known = Moment(moment.number, hearer, match, moment.told, poison, poison, decision, moment.turn)
            assert pages.page_lines(known) == pages.page_lines(moment)


def test_json_gives_the_turn_that_the_seat_was_told() -> None:
    turn = json.loads(magehall("replay", IKASAMAGE, "--turn", "9", "--json").stdout)
    assert (turn["type"], turn["turn"], turn["view"]["you"]["seat"]) == ("turn", 3, 1)
    assert {"do": "cast", "card": "mana_boost", "fighter": 2} in turn["legal"]
    lines = magehall("replay", IKASAMAGE, "--as", "3", "--json").stdout.splitlines()
    assert [json.loads(line)["turn"] for line in lines] == list(range(1, len(lines) + 1))
    refused = magehall("replay", IKASAMAGE, "--turn", "9", "--as", "3", "--json")
    assert refused.exit_code == 1
    assert refused.stderr.startswith("magehall: That seat had no decision at that point. Its own decisions are: 2,")
    refused = magehall("replay", IKASAMAGE, "--turn", "71", "--json")
    assert "There is no decision at that point: it is the end of the match." in refused.stderr
    assert magehall("replay", IKASAMAGE, "--json", "--all").exit_code == 2, "a turn tells what one seat may know"


def test_keys_step_both_ways(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed = iter(["n", "", "p", "p", "p", "70", "n", "n", "999", "what", "q"])
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt.split()[0])
        return next(typed)

    monkeypatch.setattr("builtins.input", answer)
    _step(RECORD, MomentRenderer(RECORD.game, PEOPLE, 0, False, 80), 1, 71, colour=False)
    numbers = (1, 2, 3, 2, 1, 1, 70, 71, 71, 71, 71)
    assert asked == [f"[{number}/71]" for number in numbers]
    assert capsys.readouterr().out.count("n goes on, p goes back") == 1


def test_what_cannot_be_shown_is_told_in_a_sentence(tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes((FOLDER / "ikasamage.jsonl").read_bytes()[:5000])
    for words, text, code in (
        (("replay", "nix"), "There is no file and no kept replay 'nix'", 1),
        (("replay", str(cut)), "line 15: The file ends within a line.", 1),
        (("replay", IKASAMAGE, "--turn", "99"), "The match has 70 decisions; 71 is its end.", 2),
        (("replay", IKASAMAGE, "--as", "Zoe"), "There is no seat 'Zoe'; there are: 1 Ada, 2 Bob, 3 Cleo.", 2),
        (("replay", IKASAMAGE, "--as", "4"), "There is no seat '4'", 2),
        (("replay", IKASAMAGE, "--as", "Ada", "--all"), "--all and --as exclude each other.", 2),
        (("matches", "--since", "yesterday"), "is not a day. Write it like 2026-01-31", 2),
        (("matches", "--until", "2026-02-30"), "is not a day. Write it like 2026-01-31", 2),
    ):
        done = magehall(*words)
        assert (text in done.stderr, done.exit_code) == (True, code), (words, done.stderr)
    assert parse_viewing_seat("", PEOPLE) == 0


# -- checking, asking again --------------------------------------------------------------------------------------------


def test_verify_names_what_does_not_hold(tmp_path: Path) -> None:
    lines = plain(file_of(RECORD))
    lines[1]["action"]["on"] = [1]
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(forged(lines))
    done = magehall("verify", IKASAMAGE, str(bad), "nix")
    assert done.exit_code == 1
    holds, found, missing = done.stdout.splitlines()
    assert holds.startswith(f"{IKASAMAGE}: holds. Ikasamage!, 3 seats, 70 decisions")
    assert found.startswith(f"{bad}: line 2: `told` is ")
    assert missing.startswith("nix: There is no file")
    assert magehall("verify", IKASAMAGE).exit_code == 0
    told = [json.loads(line) for line in magehall("verify", IKASAMAGE, str(bad), "--json").stdout.splitlines()]
    assert [(one["ok"], one["line"]) for one in told] == [(True, None), (False, 2)]


def test_h03_a_replay_may_come_through_a_pipe_and_what_is_too_long_for_one_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = file_of(RECORD)
    assert "-: holds." in cli.invoke(app, ["verify", "-"], input=data).stdout
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cp", IKASAMAGE, str(tmp_path / "pipe")]):
        assert "pipe: holds." in magehall("verify", str(tmp_path / "pipe")).stdout
    monkeypatch.setattr(replay_store, "MOST_BYTES", 2**20)
    for command in ("verify", "replay"):
        done = cli.invoke(app, [command, "-"], input=b"{" * (2**20 + 1))
        assert ("- has more than 1 MiB: that is no replay." in done.output, done.exit_code) == (True, 1)


def test_a_bot_is_asked_again_and_its_answer_stands_beside_what_was_done(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from magehall import Bot\n\n\nclass Mine(Bot):\n    heard = 0\n\n"
        "    def hear(self, event):\n        self.heard += 1\n\n"
        "    def choose(self, turn):\n        print(turn.number, self.heard)\n        return turn.legal[0]\n"
    )
    done = ask(f"{mine}:Mine", "--turn", "9", "--json")
    heard = [told for moment in moments(RECORD, 1) for told in moment.told if moment.number <= 9]
    events = sum(isinstance(told, Happened) for told in heard)
    assert done.stderr == f"3 {events}\n"  # the bot prints its turn, and how much it heard as that seat
    answer = json.loads(done.stdout)
    assert (answer["turn"], answer["seat"], answer["done"]) == (
        9,
        1,
        {"do": "cast", "card": "mana_boost", "fighter": 2},
    )
    assert answer["same"] is (answer["says"] == answer["done"])
    shown = ask(f"{mine}:Mine", "--as", "Ada").stdout.splitlines()
    assert len(shown) == 1 + sum(getattr(entry, "seat", 0) == 1 and is_decision(entry) for entry in RECORD.entries)
    assert shown[-1].endswith(f"of {len(shown) - 1} answers are the same as in the match.")
    everybody = ask(f"{mine}:Mine").stdout.splitlines()
    assert len(everybody) == count_decisions(RECORD) + 1
    mine.write_text(mine.read_text().replace("turn.legal[0]", "len(turn.legal)"))
    assert "Mine: choose returned 31, which is not an action of ikasamage." in ask(f"{mine}:Mine", "--turn", "9").stderr
    mine.write_text(mine.read_text().replace("len(turn.legal)", "1 / 0"))
    for words, text, code in (
        ((f"{mine}:Mine", "--turn", "9"), "ZeroDivisionError", 1),
        (("hurdler", "--turn", "1"), "does not play 'ikasamage'", 2),
        (("greedy", "--turn", "71"), "The match has no decision 71.", 2),
        (("greedy", "--turn", "9", "--as", "3"), "Seat 3 had nothing to decide before decision 9.", 2),
    ):
        done = ask(*words)
        assert (text in done.stderr, done.returncode, done.stdout) == (True, code, ""), done.stderr


def is_decision(entry: Entry) -> bool:
    return type(entry).__name__ == "ActionTaken"


# -- what is kept ------------------------------------------------------------------------------------------------------


def listed(*words: str) -> list[str]:
    return [one["name"] for one in json.loads(magehall("matches", *words, "--json").stdout)]


def test_kept_matches_are_listed_and_found_by_player_game_day_and_winner(tmp_path: Path) -> None:
    assert magehall("matches").stdout.startswith("No such match is saved in ")
    names = [replay_store.store_replay((FOLDER / f"{game}.jsonl").read_bytes()) for game in ("ikasamage", "mages-110m")]
    assert replay_store.store_replay((FOLDER / "ikasamage.jsonl").read_bytes()) == names[0]  # once is enough
    for path in (tmp_path / "magehall" / "matches").iterdir():
        assert path.stat().st_mode & 0o777 == 0o600
        day = 1_700_000_000 if "ikasamage" in path.name else 1_700_000_000 + 5 * 86_400
        os.utime(path, (day, day))
    assert sorted(listed()) == sorted(names)
    assert listed("--game", "ikasamage") == [names[0]]
    typo = magehall("matches", "--game", "ikasamagi")
    assert (typo.exit_code, typo.stdout) == (2, "")
    assert "There is no game 'ikasamagi'; there are: cheaty-mages, ikasamage, magecraft, mages-110m." in typo.stderr
    assert listed("--player", "cleo") == [names[0]]
    assert listed("--won", "Ada", "--game", "mages-110m") == []  # it was aborted
    assert listed("--since", "2023-11-17") == [names[1]]
    assert listed("--until", "2023-11-17") == [names[0]]
    rows = magehall("matches").stdout.splitlines()
    assert any(
        row.startswith(f"{names[0]}  2023-11-1") and "ikasamage     1. Cleo 8, 2. Ada 7, 3. Bob 4" in row
        for row in rows
    )
    assert any(row.endswith("mages-110m    aborted") for row in rows)
    assert magehall("replay", names[0][:5], "--turn", "1").stdout.startswith("Before decision 1\n")
    assert magehall("verify", "last").exit_code == 0
    with pytest.raises(ReplayNotFound, match="Several replays begin with"):
        replay_store.read_replay("")


def test_only_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_store, "MOST", 2)
    names = []
    for number in range(4):
        monkeypatch.setattr(replay_store, "strftime", lambda *_form, number=number: f"20260101-00000{number}")
        names.append(replay_store.store_replay(file_of(played(TOY, 2, number))))
    assert [one.name for one in replay_store.stored_replays()] == [names[3], names[2]]
    monkeypatch.setattr(replay_store, "strftime", lambda *_form: "20251231-235959")  # the clock was set back
    names += [replay_store.store_replay(file_of(played(TOY, 2, number))) for number in (4, 5, 6)]
    assert [one.name for one in replay_store.stored_replays()] == [names[6], names[5]]


def test_a_server_cannot_choose_where_a_match_is_kept_nor_keep_what_is_no_replay(tmp_path: Path) -> None:
    lines = plain(file_of(played(TOY, 2)))
    lines[0]["game"] = "../../../x" * 9
    replay_store.store_replay(forged(lines))
    (path,) = tmp_path.rglob("*.jsonl")
    assert path.parent == tmp_path / "magehall" / "matches"
    assert len(path.name) < 70
    with pytest.raises(BadReplay):
        replay_store.store_replay(b"junk\n")


def test_nothing_in_a_hostile_replay_reaches_the_terminal_as_a_command(tmp_path: Path) -> None:
    lines = plain(file_of(RECORD))
    escape, file = "\x1b[2J", tmp_path / "evil.jsonl"
    lines[0]["seats"][0]["name"] = lines[-1]["results"][0]["name"] = f"Ada{escape}"
    for line in lines:
        if line["line"] == "spoke":
            line["text"] = escape
    file.write_bytes(forged(lines))
    assert magehall("verify", str(file)).exit_code == 0
    replay_store.store_replay(file.read_bytes())
    shown = [magehall("replay", str(file), *more) for more in ((), ("--all",), ("--as", "Zoe"), ("--json",))]
    shown += [magehall("matches"), magehall("matches", "--json")]
    lines[0]["rules_version"] = escape
    file.write_bytes(forged(lines))
    shown += [magehall("verify", str(file)), magehall("replay", str(file))]
    for done in shown:
        assert done.output
        assert "\x1b" not in done.output


async def test_a_match_is_kept_when_it_is_over_and_the_visit_ends_then(hall: Hall) -> None:
    screen = PaperScreen(["?", "1", "?", "1", "?", "1"], open_end=True)
    got: list[bytes] = []

    def keep(data: bytes) -> str:
        got.append(data)
        return "ab12"

    assert await play_toy(hall, screen, keep=keep) == 0
    assert screen.shown[-1] == "The match is kept; magehall replay ab12 shows it."
    (data,) = got
    assert list(verify_replay(data, {TOY.id: TOY}).entries) == hall.lobby.tables["t1"].entries


async def test_a_match_that_cannot_be_kept_is_told_so(hall: Hall) -> None:
    def full(_data: bytes) -> str:
        raise OSError("No space left on device")

    screen = PaperScreen(["?", "1", "?", "1"])  # the input ends before the match does
    assert await play_toy(hall, screen, keep=full) == 0
    assert screen.shown[-1] == "The match cannot be saved: No space left on device"


async def test_nobody_waits_for_a_replay_on_a_connection_that_is_lost(hall: Hall) -> None:
    whole = Scissors()
    await play_toy(hall, PaperScreen(["?", "1", "?", "1", "?", "1"], open_end=True), whole, keep=lambda _data: "ab12")
    screen = PaperScreen(["?", "1", "?", "1", "?", "1"], open_end=True)
    scissors = Scissors(whole.received.count(b"\n") - 1)
    assert await play_toy(hall, screen, scissors, keep=lambda _data: "ab12") == 0
    assert (screen.count("The match is over."), screen.count("is kept")) == (1, 0)
    assert scissors.connections == 1


async def test_typed_in_a_match_that_runs_the_replay_is_refused_with_its_sentence(hall: Hall) -> None:
    screen = PaperScreen(["replay", "?", "1", "?", "1", "?", "1"], open_end=True)
    assert await play_toy(hall, screen, keep=lambda _data: "ab12") == 0
    assert screen.count("! The match is not over; its replay is available afterwards.") == 1
    assert screen.count("The match is kept") == 1
