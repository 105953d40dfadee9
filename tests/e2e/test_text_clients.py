"""The text face in the clients that people have: they stay however long they are silent, and read lines that fit."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys

import pytest
import trio

from server import app as server_app
from server.app import App
from server.config import Config
from tests.helpers.hall import open_hall
from tests.helpers.pty import Terminal, terminal

QUICK = Config(port=0, house_seconds=0.0, silent_seconds=0.3, sign_seconds=0.3)
PATH = f"{os.environ.get('PATH', '')}:/usr/games"
CLIENTS = {
    "tt++": ["tt++", "-G", "-e", "#session hall 127.0.0.1 {port}"],
    "tf": ["tf", "-f/dev/null", "-v", "127.0.0.1", "{port}"],
    "plink": ["plink", "-telnet", "-P", "{port}", "127.0.0.1"],
    "telnet": ["telnet", "127.0.0.1", "{port}"],
    "busybox": ["busybox", "telnet", "127.0.0.1", "{port}"],
    "telnetlib3-client": ["telnetlib3-client", "127.0.0.1", "{port}"],
    "nc": ["nc", "127.0.0.1", "{port}"],
    "nc -C": ["nc", "-C", "127.0.0.1", "{port}"],
    "ncat": ["ncat", "127.0.0.1", "{port}"],
    "socat": ["socat", "-", "TCP:127.0.0.1:{port}"],
    "socat crlf": ["socat", "-", "TCP:127.0.0.1:{port},crlf"],
}


@pytest.fixture
async def app(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> App:
    monkeypatch.setattr(server_app, "SILENCE_LOOK_SECONDS", 0.05)
    return await open_hall(nursery, QUICK)


def command(client: str, app: App) -> list[str]:
    program, *arguments = CLIENTS[client]
    found = shutil.which(program, path=f"{PATH}:{os.path.dirname(sys.executable)}")
    if found is None:
        pytest.skip(f"{program} is not installed")
    return [found, *(word.format(port=app.port) for word in arguments)]


async def says_hello(client: Terminal) -> None:
    await client.sees(r"type\s+help")
    await client.types("hello ann")
    await client.sees("Welcome, ann")


def names(app: App) -> list[str]:
    return [player.name for player in app.lobby.people.connected_players()]


@pytest.mark.parametrize("client", CLIENTS)
async def test_b09_a_person_may_be_silent_in_every_client(app: App, client: str) -> None:
    with terminal(command(client, app)) as terminal_of_ann:
        await says_hello(terminal_of_ann)
        assert "\N{REPLACEMENT CHARACTER}" not in await terminal_of_ann.rests(2.5), "bytes that are no text"
        assert names(app) == ["ann"]
        await terminal_of_ann.types("who")
        await terminal_of_ann.sees("Here are: ann")


async def test_b09_a_telnet_that_was_stopped_may_go_on_later(app: App) -> None:
    with terminal(command("telnet", app)) as ann:
        await says_hello(ann)
        ann.signal(signal.SIGSTOP)
        await trio.sleep(2)
        assert names(app) == ["ann"]
        ann.signal(signal.SIGCONT)
        await ann.types("who")
        await ann.sees("Here are: ann")


async def test_a_client_that_tells_its_width_reads_lines_that_fit_also_after_a_resize(app: App) -> None:
    with terminal(command("plink", app), columns=60) as ann:
        await says_hello(ann)
        for line in ("help", "open ikasamage 3", "add greedy", "add greedy", "start", "legal", "log", "rules 4"):
            await ann.types(line)
        shown = await ann.rests(1.5)
        assert "Commitment" in shown
        assert 50 < max(map(len, shown.split("\n"))) <= 60
        ann.resize(100)
        await ann.rests(0.3)
        await ann.types("log")
        shown = await ann.rests(1.0)
        assert 60 < max(map(len, shown.split("\n"))) <= 100
        assert not any(row.startswith(">") and not row.startswith("> ") for row in ann.shown.split("\n"))


async def test_a_client_that_does_not_is_told_with_a_word(app: App) -> None:
    with terminal(command("tt++", app), columns=120) as ann:
        await says_hello(ann)
        await ann.types("help")
        assert 70 < max(map(len, (await ann.rests(1.0)).split("\n"))) <= 80
        await ann.types("width 50")
        await ann.sees("wrapped at 50 columns")
        await ann.types("help")
        assert 40 < max(map(len, (await ann.rests(1.0)).split("\n"))) <= 50


@pytest.mark.parametrize("client", CLIENTS)
async def test_a_whole_match_is_played_in_every_client(app: App, client: str) -> None:
    with terminal(command(client, app)) as ann:
        await says_hello(ann)
        for line, answer in (("open mages-110m 2", "You have seat 1"), ("add random", "2 random")):
            await ann.types(line)
            await ann.sees(answer)
        await ann.types("start")
        with trio.fail_after(60):
            while "The deal's seed was" not in await ann.sees(r"(?m)^[\0 ]*> |The deal's seed was"):
                await ann.types("?")
                await ann.types("1")
        assert "The match is over." in ann.shown
        assert not re.search(r"(?m)^! ", ann.shown)


async def test_bash_and_jq_play_a_whole_match_in_the_json_face(nursery: trio.Nursery) -> None:
    if shutil.which("jq") is None:
        pytest.skip("jq is not installed")
    with trio.fail_after(60):
        app = await open_hall(nursery)
        command = ["bash", "-c", JQ_CLIENT, "bash", str(app.port)]
        done = await trio.run_process(command, capture_stdout=True)
    assert done.stdout.decode().startswith("over ")


JQ_CLIENT = r"""
exec 3<>"/dev/tcp/127.0.0.1/$1"
id=0
ask() { id=$((id + 1)); jq -nc --argjson id $id "$@" >&3; }
ask '{type: "hello", id: $id, name: "jq"}'
ask '{type: "open", id: $id, game: "ikasamage", seats: 3}'
ask '{type: "add", id: $id, table: "t1", bot: "random"}'
ask '{type: "add", id: $id, table: "t1", bot: "random"}'
ask '{type: "start", id: $id, table: "t1"}'
while IFS= read -r line <&3; do
    case $line in  # JSON begins with the type; the first line is for people
        '{"type":"turn"'*)
            ask --argjson turn "$line" '{type: "act", id: $id, table: "t1", turn: $turn.turn, action: $turn.legal[0]}'
            ;;
        '{"type":"over"'*) echo "over $line"; exit ;;
        '{"type":"error"'*) echo "error $line"; exit 1 ;;
    esac
done
"""


async def test_a_real_telnet_says_yes_first_steps_through_the_match_and_plays_it_again(app: App) -> None:
    with terminal(command("telnet", app)) as ann:
        await says_hello(ann)
        for line in ("open ikasamage 3", "add greedy", "add greedy", "confirm on", "start"):
            await ann.types(line)
        await ann.sees(r"(?m)^> ")
        await ann.types("?")
        await ann.types("1")
        await ann.sees("is not sent yet")
        await ann.types("yes")
        await ann.sees(r"\* Your bet is on")
        await ann.types("resign")
        await ann.types("resign")
        await ann.sees("The match is over")
        await ann.types("review")
        await ann.sees(r"Before decision 1 of \d+: n, p, a number, q")
        await ann.types("9999")
        await ann.sees(r"The end of \d+: n, p, a number, q")
        await ann.types("rematch")
        await ann.sees(r"t2 +ikasamage, open: 1 greedy-?\d*, 2 ann, 3 greedy")


async def test_a_real_telnet_is_guided_through_a_first_match(app: App) -> None:
    with terminal(command("telnet", app)) as ann:
        await says_hello(ann)
        await ann.types("lessons ikasamage")
        await ann.sees(r"Lesson 1 of \d+: a secret bet(?s:.*)Type: bet \d\s+> ")
        await ann.types("bet 1")
        await ann.sees(r"Only\s+you\s+know\s+which\s+fighter\s+(you\s+bet|it\s+is)\s+on(?s:.*)Lesson 2 of")
