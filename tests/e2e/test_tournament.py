"""Tournaments as users hold them: real processes, real sockets, entrants of every kind."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import trio
from typer.testing import CliRunner

from client.cli import tournament as tournament_commands
from client.cli.tournament import next_step_text, render_result, result_to_map
from client.processes.limits import descendant_pids
from client.tournament.entrants import EntrantProcess
from client.tournament.plan import TournamentPlan
from client.tournament.rerun import rerun_match
from client.tournament.run import TournamentResult, run_tournament
from client.tournament.specs import parse_entrant, player_names
from client.tournament.tournament_folder import load_plan, save_plan
from games.registry import all_games
from matches.record import Record
from protocol.messages import ClockRule, SeatResult
from protocol.names import is_name, is_reserved, lookalike_key
from server.table.archive import load_finished_match
from tests.helpers.processes import all_end_but
from tournaments.standings import StandingsRow

SECRET = bytes(range(32))
NASTY = Path(__file__).with_name("nasty.py")
DYING = Path(__file__).with_name("dying.py")
AT_START = Path(__file__).with_name("nasty_at_start.py")


def test_c06_players_of_entrants_called_as_house_bots_have_names_of_their_own() -> None:
    bots = ("greedy", "random", "evoker", "hurdler")
    names = [name for own in player_names([*bots, "greedy#2", "a" * 40, "server", "\u00e9"], 64) for name in own]
    assert all(is_name(name) and not is_reserved(name, bots) for name in names)
    assert len(set(map(lookalike_key, names))) == len(names)
    assert player_names(["random"], 1, ["P1-random"]) == [["p2-random"]], "that is somebody from elsewhere"


@pytest.fixture
def nobody_stays(warm: Callable[[], None]) -> Iterator[None]:
    """Whatever a test starts has ended with it."""
    warm()
    before = descendant_pids()
    yield
    all_end_but(before)


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_entrants_that_misbehave_in_every_way_change_nothing_but_their_own_result() -> None:
    kinds = ("Steady", "Asleep", "Vanishing", "Illegal", "CrashingMidMatch")
    bots = tuple(f"{NASTY}:{kind}" for kind in kinds)
    plan = TournamentPlan(
        "ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET, clock=ClockRule(0.0, 1.0), concurrency=6
    )
    result = await run_tournament(plan)
    assert {row.entrant: row.ended for row in result.rows} == {
        "Steady": {"played": 3},
        "Asleep": {"late": 3},
        "Vanishing": {"crashed": 3},
        "Illegal": {"illegal": 3},
        "CrashingMidMatch": {"crashed": 3},
    }
    assert [(row.rank, row.score, row.place) for row in result.rows] == [(1, 1.0, 1.0), *[(2, 0.0, 3.0)] * 4]
    assert not result.is_sound
    assert "A seat that was not played to the end counts as last, in the score and in the rating." in render_result(
        plan, result
    )
    assert set(result.troubles) == set(result.labels) - {"Steady"}
    assert "ZeroDivisionError: planted" in result.troubles["CrashingMidMatch"]
    assert "magehall: its process ended with exit code 3." in result.troubles["Vanishing"]
    assert re.search(r"^magehall: match \d: it took too long, and lost its seat\.$", result.troubles["Asleep"], re.M)
    assert "owner" not in result.troubles["Asleep"]


@pytest.mark.usefixtures("nobody_stays")
@pytest.mark.timeout(300)  # processes of bots are started again and again
async def test_d23_a_bot_whose_process_dies_plays_its_next_match_however_many_are_played_at_once(
    tmp_path: Path,
) -> None:
    bots = tuple(f"{DYING}:{kind}" for kind in ("Sometimes", "Always", "AfterEachMatch"))
    results = []
    for at_once in (1, 3):
        plan = TournamentPlan("ikasamage", bots, seats=3, rounds=3, seed=7, secret=SECRET, concurrency=at_once)
        plan = replace(plan, folder=tmp_path / f"{at_once}")
        save_plan(plan)
        results.append(result := await run_tournament(plan))
        ended = {row.entrant: row.ended for row in result.rows}
        assert ended["Always"] == {"crashed": 5, "absent": 4}
        assert ended["AfterEachMatch"] == {"played": 9}
        assert ended["Sometimes"].keys() == {"played", "crashed"}
        out = "its process died in 5 matches in a row: 1, 2, 3, 4, 5"
        assert result.out == {"Always": out}
        assert f"Always is out: {out}." in render_result(plan, result)
        assert result_to_map(plan, result)["out"] == {"Always": out}
        assert "magehall: its process ended with exit code 3." in result.troubles["Always"]
    assert (results[0].rows, results[0].out) == (results[1].rows, results[1].out)
    assert [match.results for match in results[0].matches] == [
        tuple(replace_name(one, other) for one, other in zip(match.results, first.results, strict=True))
        for match, first in zip(results[1].matches, results[0].matches, strict=True)
    ]
    standings = CliRunner().invoke(tournament_commands.app, ["standings", "cup", "--data", str(tmp_path / "1")])
    assert f"Always is out: {out}." in standings.stdout


def replace_name(result: SeatResult, other: SeatResult) -> SeatResult:
    """The same with the name of the other one's player: with several at once there are several players."""
    return msgspec.structs.replace(result, name=other.name)


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_an_entrant_that_cannot_start_fails_the_cup_before_its_first_match_or_is_left_out() -> None:
    bots = ("random", f"{AT_START}:Broken", "greedy", f"{NASTY}:Misspelt")
    plan = TournamentPlan("ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET)
    result = await run_tournament(plan)
    assert (result.matches, result.rows, result.not_started) == ([], [], ("Broken", "Misspelt"))
    assert render_result(plan, result)[1] == "Broken, Misspelt could not start: nothing was played."
    for folder, typed in (("cup", "cup"), ("a cup", "'a cup'"), ("7", "./7"), ("/a/7", "/a/7")):
        assert next_step_text(Path(folder), result) == f"To go on: magehall tournament resume {typed}"
    assert "ZeroDivisionError: planted" in result.troubles["Broken"]
    assert "Misspelt" in result.troubles["Misspelt"]
    result = await run_tournament(replace(plan, tolerate=True))
    assert {row.entrant: row.ended for row in result.rows} == {"random": {"played": 3}, "greedy": {"played": 3}}
    assert (result.labels, result.not_started, result.is_sound) == (["random", "greedy"], ("Broken", "Misspelt"), False)
    assert "ZeroDivisionError: planted" in result.troubles["Broken"]
    assert render_result(plan, result)[0].endswith(", without Broken, Misspelt")
    assert next_step_text(Path("cup"), result) == "Kept in cup"
    assert [one["bot"] for one in result_to_map(plan, result)["entrants"]] == ["random", "greedy"]


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_a_bot_that_cannot_be_made_cannot_start_and_its_options_count() -> None:
    bots = (f"{NASTY}:NeedsAFile", "random", f"there={NASTY}:NeedsAFile,option.file=/dev/null")
    plan = TournamentPlan("ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET, local=True)
    result = await run_tournament(plan)
    assert (result.matches, result.not_started) == ([], ("NeedsAFile",))
    assert "FileNotFoundError: [Errno 2] No such file or directory: 'no such file'" in result.troubles["NeedsAFile"]
    result = await run_tournament(replace(plan, tolerate=True))
    assert {row.entrant: row.ended for row in result.rows} == {"random": {"played": 3}, "there": {"played": 3}}
    assert set(result.troubles) == {"NeedsAFile"}


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_a_bot_of_other_games_cannot_start(tmp_path: Path) -> None:
    code = 'from magehall import Bot\n\n\nclass Racer(Bot):\n    games = ("mages-110m",)\n    choose = print\n'
    (tmp_path / "racer.py").write_text(code)
    bots = (f"{tmp_path}/racer.py:Racer", "random", "random")
    result = await run_tournament(
        TournamentPlan("ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET, local=True)
    )
    assert (result.matches, result.not_started) == ([], ("Racer",))
    assert "Racer does not play" in result.troubles["Racer"]
    assert "it plays: mages-110m." in result.troubles["Racer"]


@pytest.mark.usefixtures("nobody_stays")
@pytest.mark.parametrize("local", [False, True])
async def test_d17_a_bot_that_is_never_made_cannot_start(monkeypatch: pytest.MonkeyPatch, local: bool) -> None:
    monkeypatch.setattr("client.tournament.run.START_SECONDS", 0.0)
    monkeypatch.setattr("client.tournament.workers.LOAD_SECONDS", 1.0)
    bots = (f"{NASTY}:SlowToSitDown,option.seconds=600,tables=1",) * 2
    result = await run_tournament(
        TournamentPlan("mages-110m", bots, seats=2, rounds=1, seed=7, secret=SECRET, local=local)
    )
    assert (result.matches, result.not_started) == ([], ("SlowToSitDown#1", "SlowToSitDown#2"))
    assert all(words.endswith(" in time.") for words in result.troubles.values())


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_a_tournament_that_is_kept_goes_on_without_an_entrant_that_cannot_start(tmp_path: Path) -> None:
    bots = ("random", f"{AT_START}:Broken", "greedy")
    plan = TournamentPlan(
        "ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET, tolerate=True, folder=tmp_path / "kept"
    )
    result = await run_tournament(plan)
    assert (result.labels, result.not_started) == (["random", "greedy"], ("Broken",))
    assert {row.entrant: row.ended for row in result.rows} == {"random": {"played": 3}, "greedy": {"played": 3}}
    assert load_plan(tmp_path / "kept").bots == ("random", "greedy")  # what goes on after a kill is what was played
    again = await run_tournament(load_plan(tmp_path / "kept"))
    assert (again.rows, again.matches, again.not_started) == (result.rows, result.matches, ())


@pytest.mark.usefixtures("nobody_stays")
@pytest.mark.parametrize("local", [False, True])
async def test_d17_what_each_entrant_played_is_its_own_where_one_of_two_with_the_same_name_cannot_start(
    tmp_path: Path, local: bool
) -> None:
    bots = (f"{AT_START}:Steady", f"{NASTY}:Steady", "greedy")
    plan = TournamentPlan("ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET, tolerate=True, local=local)
    result = await run_tournament(replace(plan, folder=tmp_path / "kept"))
    assert (result.labels, result.not_started) == (["Steady", "greedy"], ("Steady#1",))
    for match in result.matches:
        sat = [result.labels[entrant] for entrant in match.pairing.entrants]
        assert [seat.name.split("-")[1] for seat in match.results] == sat


@pytest.mark.usefixtures("nobody_stays")
@pytest.mark.parametrize("local", [False, True])
async def test_d17_once_it_has_begun_a_tournament_does_not_go_on_without_an_entrant(
    tmp_path: Path, local: bool
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(NASTY.read_text())

    def interrupt(done: int, _planned: int) -> None:
        if done == 2:
            os.kill(os.getpid(), signal.SIGINT)

    bots = (f"{mine}:Steady", "greedy", "random")
    plan = TournamentPlan("ikasamage", bots, seats=3, rounds=60, seed=7, secret=SECRET, tolerate=True, local=local)
    plan = replace(plan, folder=tmp_path / "kept")
    save_plan(plan)
    part = await run_tournament(plan, interrupt)
    mine.write_text(AT_START.read_text())
    again = await run_tournament(load_plan(tmp_path / "kept"))
    assert (again.labels, again.not_started) == (["Steady", "greedy", "random"], ("Steady",))
    assert [match for match in again.matches if match in part.matches] == part.matches
    assert [row.ended.keys() for row in again.rows] == [{"played"}] * 3, "no match was lost because of it"
    assert load_plan(tmp_path / "kept").bots == bots, "it goes on once the entrant can start again"
    assert render_result(plan, again)[0].endswith(
        f"{len(again.matches)} of 180 matches, 3 seats, fresh deals, seed 7; Steady could not start"
    )
    said = "\n".join(render_result(plan, again)) + msgspec.json.encode(result_to_map(plan, again)).decode()
    assert SECRET.hex() not in said, "it goes on with deals from there"
    assert next_step_text(tmp_path / "kept", again).startswith("To go on: ")


@pytest.mark.usefixtures("nobody_stays")
async def test_d17_where_too_few_entrants_are_left_nothing_is_played_and_the_reason_is_said() -> None:
    bots = ("random", f"{AT_START}:Broken", "greedy")
    plan = TournamentPlan("ikasamage", bots, seats=3, rounds=1, seed=7, secret=SECRET, format="gauntlet", tolerate=True)
    result = await run_tournament(replace(plan, local=True))
    assert (result.matches, result.not_started) == ([], ("Broken",))
    assert result.troubles["Broken"].endswith("\nThere are fewer entrants than the 3 seats of a table.")


def test_a_complaint_is_bounded_and_holds_nothing_that_a_terminal_obeys() -> None:
    entrant = EntrantProcess(parse_entrant("x"), "x", 1, "ikasamage")
    entrant.last_words += b"\xff\x1b[31m first\n" + b"line \x1b]0;title\x07 \xe2\x80\xae\n" * 500
    complaint = entrant.stderr_tail(lines=3)
    assert complaint.count("\n") == 2
    assert complaint.replace("\n", "").isprintable()


async def test_the_same_seed_gives_the_same_result_one_by_one_or_all_at_once() -> None:
    results = []
    for at_once in (1, 6):
        plan = TournamentPlan(
            "ikasamage", ("random", "greedy"), seats=3, rounds=2, seed=3, secret=SECRET, concurrency=at_once
        )
        result = await run_tournament(plan)
        assert result.is_sound
        results.append(msgspec.json.encode(result_to_map(plan, result)))
    assert results[0] == results[1]
    lines = render_result(plan, result)
    assert lines[0] == "ikasamage: 4 of 4 matches, 3 seats, fresh deals, seed 3"
    assert [line.split()[:2] for line in lines[2:4]] == [["(1)", "greedy"], ["(2)", "random"]]


async def test_the_standings_say_which_deals_were_played_and_what_the_same_ones_gained() -> None:
    plan = TournamentPlan(
        "ikasamage", ("random",) * 6, seats=3, rounds=2, seed=3, secret=SECRET, deals="duplicate", local=True
    )
    lines = render_result(plan, await run_tournament(plan))
    assert "3 seats, duplicate deals, seed 3" in lines[0]
    assert re.fullmatch(
        r"Playing the same deal at several tables (removed|added) \d+ % (of|to) the variance .*", lines[-2]
    )


@pytest.mark.usefixtures("nobody_stays")
async def test_an_interrupt_ends_it_with_the_standings_so_far() -> None:
    def interrupt(done: int, _planned: int) -> None:
        if done == 3:
            os.kill(os.getpid(), signal.SIGINT)

    plan = TournamentPlan("ikasamage", ("random", "random"), seats=3, rounds=200, seed=3, secret=SECRET, concurrency=2)
    result = await run_tournament(plan, interrupt)
    assert result.interrupted
    assert 3 <= len(result.matches) < 400
    assert {row.entrant for row in result.rows} == {"random#1", "random#2"}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("chess --bot random", "no game 'chess'"),
        ("ikasamage --bot nobody", "no bot 'nobody'"),
        ("ikasamage --bot no/such.py:Bot", "no file 'no/such.py'"),
        ("ikasamage --bot hurdler", "does not play ikasamage"),
        (f"ikasamage --bot {NASTY}:", "names no class"),
        ("ikasamage --bot random --seats 9", "takes 3 to 6 players, not 9"),
        ("ikasamage --bot random --option nonsense=1", "nonsense"),
        ("ikasamage --bot random --option nonsense", "NAME=VALUE"),
        ("ikasamage --bot random --clock soon", "MAIN+INC"),
        ("ikasamage --bot random --report no/such/page.html", "no folder no/such"),
        ("ikasamage --bot random --report .", ". cannot be written: it is a folder, or named twice"),
        ("ikasamage --bot random --report page --csv page", "page cannot be written: it is a folder, or named twice"),
        (
            "ikasamage --bot random --csv /proc/table.csv",
            "/proc/table.csv cannot be written: No such file or directory.",
        ),
        ("ikasamage --bot random --rounds 99999999999999999999", "is not within 1<=x<="),
        ("ikasamage --bot random --rounds 1 --data :memory:", "needs a folder"),
        ("ikasamage --bot random --rounds 20001", "20001 matches; a cup has at most 20000"),
        ("ikasamage --bot Éva=random", "'Éva' is not a label"),
        ("mages-110m --seats 2 --bot remote:Zed --bot remote:zed", "zed is listed twice"),
    ],
)
def test_what_cannot_be_held_is_refused_in_a_sentence(arguments: str, text: str) -> None:
    done = CliRunner().invoke(tournament_commands.app, ["run", *arguments.split()])
    assert done.exit_code == 2
    assert text in done.stderr
    assert done.stdout == ""


def test_a_tournament_whose_port_is_taken_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    command = ["run", "mages-110m", "--bot", "random", "--bot", "random", "--seats", "2"]
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        for kept in ([], ["--data", str(tmp_path / "kept")]):
            done = CliRunner().invoke(tournament_commands.app, [*command, "--port", str(port), *kept])
            assert (done.exit_code, done.stdout) == (1, "")
            expected = f"magehall: The server cannot listen at 127.0.0.1, port {port}: Address already in use.\n"
            assert done.stderr.endswith(expected)
    assert list(tmp_path.iterdir()) == []


def test_where_its_server_cannot_listen_or_its_folder_is_a_file_it_is_said_in_a_sentence(tmp_path: Path) -> None:
    command = ["run", "mages-110m", "--bot", "random", "--bot", "random", "--seats", "2", "--data"]
    done = CliRunner().invoke(tournament_commands.app, [*command, str(tmp_path / "kept"), "--host", "192.0.2.1"])
    assert (done.exit_code, done.stdout) == (1, "")
    assert "The server cannot listen at 192.0.2.1, port 0: " in done.stderr
    file = tmp_path / "file"
    file.touch()
    done = CliRunner().invoke(tournament_commands.app, [*command, str(file)])
    assert f"cannot be saved in {file}: Not a directory." in done.stderr


@pytest.mark.parametrize(
    ("interrupted", "ended", "code"),
    [(False, {"played": 4}, 0), (False, {"played": 3, "late": 1}, 1), (False, None, 1), (True, {"played": 2}, 130)],
)
def test_the_exit_code_tells_how_it_went(
    monkeypatch: pytest.MonkeyPatch, interrupted: bool, ended: dict[str, int] | None, code: int
) -> None:
    async def held(plan: TournamentPlan, _on_match: object) -> TournamentResult:
        rows = [StandingsRow(1, "random", 4, 1.0, None, None, 1.0, None, ended, 0)] if ended else []
        return TournamentResult(
            ("random",), ["random"], 4, [], rows, {}, interrupted, over=bool(ended) and not interrupted
        )

    monkeypatch.setattr(tournament_commands, "run_tournament", held)
    done = CliRunner().invoke(tournament_commands.app, ["run", "ikasamage", "--bot", "random", "--json"])
    assert done.exit_code == code
    told = msgspec.json.decode(done.stdout)
    assert (told["interrupted"], told["thinking"]) == (interrupted, [None])


@pytest.mark.timeout(300)
async def test_a_match_that_is_played_again_goes_the_same_way_unless_a_bot_has_changed(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(NASTY.read_text())
    plan = TournamentPlan("mages-110m", (f"{mine}:Steady", "hurdler"), seats=2, rounds=1, seed=7, secret=SECRET)
    plan = replace(plan, folder=tmp_path / "kept", unconfined=True)
    save_plan(plan)
    result = await run_tournament(plan)
    assert len(result.matches) == 2
    command = ["replay-match", "cup", "2", "--data", str(tmp_path / "kept"), "--json"]
    shown = await trio.to_thread.run_sync(CliRunner().invoke, tournament_commands.app, command)
    assert msgspec.json.decode(shown.stdout)["results"] == msgspec.to_builtins(list(result.matches[1].results))
    again = await rerun_match(plan, *kept_match(tmp_path / "kept", result, 2))
    assert again is not None
    assert (again.results, again.difference) == (result.matches[1].results, "")
    mine.write_text(NASTY.read_text().replace("return turn.legal[0]", "return turn.legal[-1]", 1))
    again = await rerun_match(plan, *kept_match(tmp_path / "kept", result, 2))
    assert again is not None
    assert re.fullmatch(r"Step \d+ was Steady: .*, and now Steady: .*\.", again.difference)


def kept_match(
    folder: Path, result: TournamentResult, number: int
) -> tuple[Record, tuple[SeatResult, ...], tuple[int, ...]]:
    match = result.matches[number - 1]
    return load_finished_match(folder, match.table, all_games()), match.results, ()


def test_a_match_that_was_not_played_cannot_be_played_again(tmp_path: Path) -> None:
    words = ["run", "mages-110m", "--bot", "random", "--bot", "hurdler", "--seats", "2", "--rounds", "1", "--local"]
    runner = CliRunner()
    assert runner.invoke(tournament_commands.app, [*words, "--data", str(tmp_path)]).exit_code == 0
    for words, text in (
        (["cup", "3", "--data", str(tmp_path)], "Match 3 is not over; 2 matches are."),
        (["cap", "1", "--data", str(tmp_path)], "There is no cup cap in "),
        ([str(tmp_path / "none"), "1"], "There is no tournament in "),
    ):
        done = runner.invoke(tournament_commands.app, ["replay-match", *words, "--play"])
        assert (done.exit_code, done.stdout) == (2, "")
        assert text in done.stderr
