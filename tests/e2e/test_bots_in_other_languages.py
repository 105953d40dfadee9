"""The bots on the page, run as they stand: Perl's core modules in the JSON face, Bash in the text face."""

import functools
import subprocess

import trio

from protocol.page.overview import BOTS
from server.app import App
from server.player import Player
from tests.helpers.hall import open_hall, tcp_player
from tests.helpers.peer import Peer


async def owner(port: int) -> Peer:
    """Ada, who opens a table for three and adds a house bot."""
    ada = await tcp_player(port, "Ada")
    await ada.ask("open", game="ikasamage", seats=3)
    await ada.ask("add", table="t1", bot="greedy")
    return ada


async def add_when_here(ada: Peer, name: str) -> None:
    """Adds the program, which needs a moment to arrive."""
    while True:
        if (await ada.ask("add", table="t1", bot=name))["type"] != "error":
            return
        await trio.sleep(0.02)


async def arrival(app: App) -> Player:
    """Who comes first."""
    while True:
        for player in app.lobby.people.connected_players():
            return player
        await trio.sleep(0.02)


async def run(*command: str) -> subprocess.CompletedProcess[bytes]:
    return await trio.run_process(command, capture_stdout=True, capture_stderr=True, check=False)


async def test_the_perl_bot_plays_a_match_to_its_end_without_an_error(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    done: list[subprocess.CompletedProcess[bytes]] = []

    async def perl() -> None:
        done.append(await run("perl", str(BOTS / "minimal.pl"), "127.0.0.1", str(app.port), "Camel", "1"))

    with trio.fail_after(60):
        ada = await owner(app.port)
        async with trio.open_nursery() as players:
            players.start_soon(perl)
            await add_when_here(ada, "Camel")
            await ada.ask("start", table="t1")
            over = await ada.play_on(choice=-1)
        await ada.close()
    results = {result["name"]: result for result in over["results"]}
    assert results["Camel"].get("how", "played") == "played"
    assert results["Camel"].get("late", 0) == 0
    assert (done[0].returncode, done[0].stderr) == (0, b"")
    assert f"t1: Camel {results['Camel']['score']}" in done[0].stdout.decode().splitlines()


async def tearing(port: int, limits: list[int], stream: trio.SocketStream) -> None:
    """Passes bytes on to the port; tears the connection after so many bytes from the server, one limit a connection."""
    room = limits.pop(0) if limits else 2**40
    async with stream, await trio.open_tcp_stream("127.0.0.1", port) as server, trio.open_nursery() as nursery:

        async def upwards() -> None:
            async for data in stream:
                await server.send_all(data)
            nursery.cancel_scope.cancel()

        nursery.start_soon(upwards)
        async for data in server:
            await stream.send_all(data[:room])
            room -= len(data)
            if room <= 0:
                break
        nursery.cancel_scope.cancel()


async def test_the_perl_bot_comes_back_after_lost_connections(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    limits = [5_000, 9_000, 12_345]  # within messages of the match
    serve = functools.partial(trio.serve_tcp, functools.partial(tearing, app.port, limits), 0, host="127.0.0.1")
    (listener,) = await nursery.start(serve)
    port = listener.socket.getsockname()[1]
    with trio.fail_after(60):
        ada = await owner(app.port)
        async with trio.open_nursery() as players:
            players.start_soon(run, "perl", str(BOTS / "minimal.pl"), "127.0.0.1", str(port), "Camel", "1")
            await add_when_here(ada, "Camel")
            await ada.ask("start", table="t1")
            over = await ada.play_on(choice=-1)
        story = await ada.ask("log", table="t1")
        await ada.close()
    assert limits == []
    presence = [message["how"] for message in story["messages"] if message["type"] == "presence"]
    assert presence == ["away", "back"] * 3
    assert {result.get("how", "played") for result in over["results"]} == {"played"}


async def test_the_perl_bot_takes_its_name_again_from_a_server_that_forgot_it(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(60):
        async with trio.open_nursery() as players:
            players.start_soon(run, "perl", str(BOTS / "minimal.pl"), "127.0.0.1", str(app.port), "Camel", "1")
            camel = await arrival(app)
            app.lobby.people.forget_player(camel)
            assert camel.listener is not None
            camel.listener.end("shutdown")
            ada = await owner(app.port)
            await add_when_here(ada, "Camel")
            await ada.ask("start", table="t1")
            over = await ada.play_on(choice=-1)
        await ada.close()
    assert {result.get("how", "played") for result in over["results"]} == {"played"}


async def test_the_bash_bot_plays_a_match_to_its_end(nursery: trio.Nursery) -> None:
    app = await open_hall(nursery)
    with trio.fail_after(60):
        done = await run("bash", str(BOTS / "minimal.sh"), "127.0.0.1", str(app.port), "Shelly", "ikasamage", "4")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().startswith("The match is over.")
