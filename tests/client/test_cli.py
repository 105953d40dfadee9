"""The command line: results on stdout, mistakes as one sentence on stderr, exit codes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from typer.testing import CliRunner

from client.cli.app import app
from client.connecting import default_name
from games.registry import all_games, get_game
from languages import speaking
from magehall import __main__ as entrance
from people.text.cards import find_cards

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "magehall"]
cli = CliRunner()
CUP = ("tournament", "run", "ikasamage", "--bot", "random", "--bot", "greedy")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A user with nothing kept from before, on no terminal."""
    return {**os.environ, "XDG_STATE_HOME": str(tmp_path), "COLUMNS": "80"}


def magehall(*words: str, environment: dict[str, str], typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], input=typed, capture_output=True, text=True, timeout=60, cwd=ROOT, env=environment
    )


# -- looking things up -------------------------------------------------------------------------------------------------


def test_games_are_listed_for_people_and_for_programs() -> None:
    listed = json.loads(cli.invoke(app, ["games", "--json"]).stdout)
    assert [one["game"] for one in listed] == list(all_games())
    assert "ikasamage: " in cli.invoke(app, ["games"]).stdout


def test_the_rules_are_the_page_of_the_game() -> None:
    page = all_games()["ikasamage"].rules.read_text(encoding="utf-8")
    told = cli.invoke(app, ["rules", "ikasamage"]).stdout
    assert page.startswith(told.partition("## 11.")[0])
    assert "## Balance" in page
    assert "## Balance" not in told


def test_one_card_is_found_by_name_or_title() -> None:
    for name in ("fireball", "Fireball", "fireb"):
        (card,) = json.loads(cli.invoke(app, ["cards", "ikasamage", name, "--json"]).stdout)
        assert card["name"] == "fireball"
    assert cli.invoke(app, ["cards", "ikasamage", "dispel magic"]).stdout.count("\n") == 2


def test_every_card_can_be_looked_up_by_its_title() -> None:
    for game in all_games().values():
        cards = game.cards()
        for card in cards:
            assert card in find_cards(cards, card.title)
    with speaking("fr"):
        cards = get_game("ikasamage").cards()
        assert [card.title for card in find_cards(cards, "amnesie")] == ["Amnésie"]


def test_bots_are_listed_with_what_they_play() -> None:
    listed = {one["bot"]: one for one in json.loads(cli.invoke(app, ["bots", "--json"]).stdout)}
    assert listed["random"]["games"] == []


def test_the_version_is_said() -> None:
    result = cli.invoke(app, ["--version"])
    assert (result.exit_code, result.stdout.split(" ")[0]) == (0, "magehall")


@pytest.mark.parametrize(
    "words",
    [
        *([], ["play"], ["watch"], ["serve"], ["games"], ["rules"], ["cards"], ["bots"], ["lab"]),
        *(["bot"], ["bot", "run"], ["bot", "check"], ["tournament"], ["tournament", "run"]),
        *(["data"], ["data", "backup"], ["data", "check"], ["data", "prune"]),
    ],
)
def test_every_command_explains_itself(words: list[str]) -> None:
    result = cli.invoke(app, [*words, "--help"])
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: magehall{''.join(' ' + word for word in words)}")
    assert not [row for row in result.stdout.splitlines()[1:] if row.endswith("...")], "a sentence is cut off"
    for option in result.stdout.split("\n  -"):
        assert not ("Default: " in option and "[default: " in option), "a default is said twice, and not alike"


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["rules", "chess"], 2, "There is no game 'chess'"),
        (["rules", "magecaft"], 2, "Do you mean magecraft?"),
        (["cards", "ikasamage", "queen"], 1, "has no card called 'queen'"),
        (["cards", "ikasamage", "--lang", "xx"], 2, "'xx' is not an available language. Choose one of: en, fr."),
        (["cards", "ikasamage", "--file", "no/such/file"], 1, "cannot be read"),
        (["play", "--table", "t1"], 2, "--table needs --host"),
        (["play", "--host", "localhost", "--seed", "7"], 2, "--seed only works without --host"),
        (["play", "--seats", "9"], 1, "takes 3 to 6 players, not 9"),
        (["play", "--bots", "deep_thought"], 1, "There is no bot 'deep_thought'"),
        (["play", "--lang", "xx"], 2, "'xx' is not an available language. Choose one of: en, fr."),
        (
            ["play", "--host", "localhost", "--lang", "xx"],
            2,
            "'xx' is not an available language. Choose one of: en, fr.",
        ),
        (["play", "--port", "1", "--host", "127.0.0.1"], 1, "No server answers at 127.0.0.1:1: Connection refused."),
        (["play", "--host", "127.0.0.1:1"], 1, "No server answers at 127.0.0.1:1: Connection refused."),
        (["watch", "--host", "127.0.0.1:1", "--plain"], 1, "No server answers at 127.0.0.1:1: Connection refused."),
        (["stats", "--host", "127.0.0.1:1"], 1, "No server answers at 127.0.0.1:1: Connection refused."),
        (["play", "--host", "[::1]:1"], 1, "No server answers at ::1:1: "),
        (["play", "--host", "127.0.0.1:70000"], 2, "70000 is not a port. Ports are numbers from 1 to 65535."),
        (["serve", "--clock", "soon"], 2, "A clock is seconds"),
        (["serve", "--cards", "chess=x.toml"], 2, "--cards takes GAME=FILE"),
        (["serve", "--host", "256.1.1.1", "--data", ":memory:"], 1, "cannot listen at 256.1.1.1"),
        (["lab", "chess"], 2, "There is no game 'chess'"),
        (["lab", "fate", "ikasamage"], 2, "Type `magehall lab GAME`, `magehall lab luck GAME` or"),
        (["lab", "luck"], 2, "Type `magehall lab GAME`, `magehall lab luck GAME` or"),
        (
            ["lab", "solve", "mages-110m", "--seats", "3"],
            2,
            "`lab solve` works for two seats: leave --seats out, or write --seats 2.",
        ),
        (["lab", "luck", "ikasamage", "--cross"], 2, "--once, --record and --cross only work with `magehall lab GAME`"),
        (["lab", "ikasamage", "--parquet"], 2, "--parquet needs --record DIR, and pyarrow"),
        (["lab", "luck", "ikasamage", "--bots", "greedy,random"], 2, "Luck is measured with one bot in every seat."),
        (
            ["lab", "solve", "mages-110m"],
            2,
            "114 cards are shuffled at once; 7 are as many as can be tried. With --cards FILE a game has fewer.",
        ),
        (["lab", "solve", "mages-110m", "--cards", "no.toml"], 2, "No such file or directory: 'no.toml'"),
        (["lab", "solve", "mages-110m", "--option", "x=1"], 2, "has no option 'x'"),
        (["lab", "ikasamage", "--seats", "9"], 2, "takes 3 to 6 players, not 9"),
        (["lab", "ikasamage", "--record", "/dev/null/x"], 2, "/dev/null/x cannot be written: Not a directory."),
        (["play", "--delay", "3m"], 2, "--delay needs --host: a match without a server has no spectators."),
        ([*CUP, "--workers", "dask://"], 2, "--workers must be dask://HOST:PORT, not 'dask://'."),
        ([*CUP, "--workers", "dask://here"], 2, "--workers must be dask://HOST:PORT, not 'dask://here'."),
        (
            [*CUP, "--local", "--bot", "cmd:cat"],
            2,
            "cat is not a Python bot on this machine, so it cannot play with --local.",
        ),
        ([*CUP, "--local", "--port", "7200"], 2, "leave --host, --port and --tls-cert out"),
        ([*CUP, "--workers", "dask://a:1", "--host", ""], 2, "leave --host, --port and --tls-cert out"),
        ([*CUP, "--local", "--deals", "rotated"], 2, "Rotated deals need a fresh process for each match"),
        (
            ["lab", "magecraft", "--bots", "evoker:mild"],
            2,
            "There is no bot 'evoker:mild'; there are: evoker, evoker:easy",
        ),
    ],
)
def test_a_mistake_is_one_sentence_on_stderr(words: list[str], code: int, text: str) -> None:
    result = cli.invoke(app, words)
    assert (result.exit_code, result.stdout) == (code, "")
    assert text in result.stderr
    assert result.stderr.startswith("magehall: ")
    assert "Traceback" not in result.stderr


def test_h05_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        result = cli.invoke(app, ["serve", "--port", str(port), "--data", ":memory:"])
        hosting = cli.invoke(app, ["host", "--port", str(port), "--data", ":memory:"])
    assert result.exit_code == 1
    assert f"cannot listen at 127.0.0.1, port {port}: Address already in use" in result.stderr
    assert hosting.exit_code == 1
    assert hosting.stderr.endswith("Address already in use. --port 0 takes a free port.\n")


@pytest.mark.parametrize(
    "words",
    [["conjure"], ["bot", "conjure"], ["tournament", "run"], ["play", "--seats", "many"], ["host", "--delay", "9w"]],
)
def test_an_unknown_word_is_a_mistake_of_use(words: list[str]) -> None:
    result = cli.invoke(app, words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Error: " in result.stderr


@pytest.mark.parametrize("words", [["games"], ["rules", "ikasamage"], ["cards", "magecraft", "--json"], ["play"]])
def test_a_full_disk_is_one_sentence_on_stderr(words: list[str], environment: dict[str, str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *words],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            cwd=ROOT,
            env=environment,
        )
    assert (done.returncode, done.stderr) == (1, "magehall: The output cannot be written: No space left on device.\n")


# -- playing without a terminal ----------------------------------------------------------------------------------------


def test_without_a_terminal_a_whole_match_is_shown_and_the_exit_code_is_0(environment: dict[str, str]) -> None:
    result = magehall("play", "--seed", "7", environment=environment)
    assert (result.returncode, result.stderr) == (0, "")
    lines = result.stdout.split("\n")
    assert sum(line.startswith("The match is over.") for line in lines) == 1
    assert sum("a house bot plays on for you" in line for line in lines) == 1
    assert sum(line.startswith("* Round 3 begins.") for line in lines) == 1
    assert "\x1b" not in result.stdout
    assert max(map(len, lines)) <= 80


def test_lines_from_a_pipe_are_played_as_if_typed(environment: dict[str, str]) -> None:
    result = magehall("play", "--seed", "7", environment=environment, typed="legal\nbet 1 2\nlook\nnonsense\n")
    assert result.returncode == 0
    assert "* Your bet is on 1 2." in result.stdout
    assert "! " in result.stdout
    assert result.stdout.index("Your bet is on 1 2.") < result.stdout.index("a house bot plays on for you")


def test_the_same_seed_and_lines_give_the_same_match(environment: dict[str, str]) -> None:
    runs = [magehall("play", "--seed", "11", environment=environment, typed="?\n1\n").stdout for _ in range(2)]
    secret = ("Commitment", "  ", "The deal's seed", "The match is kept")  # the salt is fresh each time
    first, second = ([line for line in run.split("\n") if not line.startswith(secret)] for run in runs)
    assert first == second


def test_a_match_is_played_with_options_of_its_game() -> None:
    command = ["play", "magecraft", "--seats", "2", "--option"]
    assert "takes the board of" in cli.invoke(app, [*command, "boards=chosen"]).stdout
    with patch("client.cli.hosting.run_host", return_value=0) as host:
        assert cli.invoke(app, ["host", *command[1:], "boards=chosen"]).exit_code == 0
    assert host.call_args[0][0].options == {"boards": "chosen"}
    refused = cli.invoke(app, [*command, "bords=chosen"])
    assert (refused.exit_code, "Magecraft has no option 'bords'" in refused.stderr) == (2, True)


def test_forty_columns_are_enough(environment: dict[str, str]) -> None:
    result = magehall("play", "--plain", environment={**environment, "COLUMNS": "40"})
    assert result.returncode == 0
    assert max(map(len, result.stdout.split("\n"))) <= 40


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("magehall pl", ["play"]),
        ("magehall tournament res", ["resume"]),
        ("magehall rules mages", ["mages-110m"]),
        ("magehall play --see", ["--seed"]),
    ],
)
def test_a_shell_completes_commands_options_and_games(
    environment: dict[str, str], line: str, wanted: list[str]
) -> None:
    asked = {"_MAGEHALL_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    result = cli.invoke(app, [], prog_name="magehall", env={**environment, **asked})
    assert result.stdout.split() == wanted


@pytest.mark.parametrize("words", [("cards", "ikasamage"), ("play",)])
def test_a_reader_who_stops_reading_is_no_error(environment: dict[str, str], words: tuple[str, ...]) -> None:
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    command = [*COMMAND, *words]
    with subprocess.Popen(
        command, stdin=nothing, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, env=environment
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""


# -- serving -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server and its port."""
    command = [*COMMAND, "serve", "--data", ":memory:", "--port", "0", "--log-json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=environment) as process:
        assert process.stderr is not None
        lines = (json.loads(line) for line in process.stderr)
        yield process, str(next(line["port"] for line in lines if line["event"] == "serving"))
        process.kill()


def test_a_server_says_goodbye_on_sigterm(server: tuple[subprocess.Popen[str], str]) -> None:
    process, port = server
    client = subprocess.Popen(
        [*COMMAND, "play", "--port", port, "--name", "ann", "--seats", "4"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    with client:
        assert client.stdout is not None
        assert any("Waiting for 3 more" in line for line in client.stdout)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        assert any("Goodbye. The server is stopping." in line for line in client.stdout)
        client.send_signal(signal.SIGINT)
        assert client.wait(timeout=20) == 130
    assert process.stderr is not None
    told = [json.loads(line) for line in process.stderr]
    assert all(list(line)[:5] == ["time", "level", "part", "event", "text"] for line in told)
    began = next(line for line in told if line["event"] == "session_began")
    assert (began["name"], began["address"], began["session"]) == ("ann", "127.0.0.1", 1)
    assert [line["event"] for line in told][-3:] == ["signal", "goodbye", "ended"]


def test_two_people_of_one_user_and_two_bots_at_a_server_play_to_the_end(
    server: tuple[subprocess.Popen[str], str], environment: dict[str, str]
) -> None:
    _process, port = server
    first = subprocess.Popen(
        [*COMMAND, "play", "--port", port, "--seats", "4", "--bots", "random,random"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=environment,
    )
    with first:
        assert first.stdout is not None
        assert any("Waiting for 1 more" in line for line in first.stdout)
        second = subprocess.run(
            [*COMMAND, "play", "--port", port],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=ROOT,
            env=environment,
        )
        assert second.returncode == 0
        assert f"The match begins: 1 {default_name()}, 2 random, 3 random-2, 4 {default_name()}-2." in second.stdout
        assert "The match is over." in second.stdout
        assert any("The match is over." in line for line in first.stdout)
        assert first.wait(timeout=20) == 0


def test_help_loads_nothing_that_takes_long(environment: dict[str, str]) -> None:
    """How long it takes is measured by the benchmarks; this holds why it is quick."""
    code = "import sys; sys.argv = ['magehall', '--help']\nfrom magehall.__main__ import main\ntry: main()\nfinally: "
    code += "print({'trio', 'msgspec', 'msgpack', 'prompt_toolkit', 'games.registry', 'server.app'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.stdout.splitlines()[-1] == "set()"


def test_a_closed_standard_input_is_an_ended_one(environment: dict[str, str]) -> None:
    command = f"{' '.join(COMMAND)} play --seed 7 <&-"
    result = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, timeout=60, cwd=ROOT, env=environment
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert "The match is over." in result.stdout


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_closed_output_is_one_that_nobody_reads(closed: str, environment: dict[str, str]) -> None:
    for words, code in (("games", 0), ("games chess", 2)):
        command = f"{' '.join(COMMAND)} {words} {closed}"
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=ROOT, env=environment)
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        assert "Error" not in done.stdout, "that is for the one that is closed"


@pytest.mark.parametrize(
    "line",
    [
        "play --pace nan",
        "host --pace nan --data /nowhere/at/all",
        "serve --grace nan --data /nowhere/at/all",
        "data prune --older-than nan --data /nowhere/at/all",
        "bot check random --limit nan",
        "bot check random --limit inf",
        "bot check random --seconds nan",
        "tournament compare greedy random --until-sure nan",
    ],
)
def test_what_is_not_a_number_is_no_number_of_seconds_or_days(line: str) -> None:
    assert cli.invoke(app, line.split()).exit_code == 2


def test_ctrl_c_while_the_command_is_still_being_loaded_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    class Impatient:
        def find_spec(self, name: str, *_more: object) -> None:
            if name == "client.cli.app":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "client.cli.app")
    monkeypatch.setattr(sys, "meta_path", [Impatient(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        entrance.main()
    assert ended.value.code == 130
