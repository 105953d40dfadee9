"""Run within a network of its own: a server notices that two players' line is dead, without a word from either end.

One of the lines is idle, so that the kernel's keepalive has to ask. On the other one something is on its way that is
never acknowledged, and while it is the kernel does not ask.
"""

from __future__ import annotations

import sys

import trio

from protocol.messages import Chat
from server import app as server_app
from server.app import App
from server.config import Config
from tests.helpers.hall import open_hall, tcp_player

QUICK = (("TCP_KEEPIDLE", 1), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 2), ("TCP_USER_TIMEOUT", 3_000))
ANSWER_SECONDS = 20.0


async def main() -> None:
    assert [name for name, _value in server_app.KEEPALIVE] == [name for name, _value in QUICK]
    server_app.KEEPALIVE = QUICK
    async with trio.open_nursery() as nursery:
        app = await open_hall(nursery, Config(port=0))
        players = [await tcp_player(app.port, name) for name in ("idle", "told")]
        await trio.sleep(4)
        assert here(app) == ["idle", "told"], "whoever is silent and there is asked by the kernel, and stays"
        await trio.run_process(["ip", "link", "set", "lo", "down"])
        told = app.lobby.people.find_player("told")
        assert told is not None
        assert told.listener is not None
        told.listener.push((Chat(sender="server", text="Is anybody there?"),))
        with trio.fail_after(ANSWER_SECONDS):
            while here(app):  # noqa: ASYNC110 (a server has no event for a test's sake)
                await trio.sleep(0.1)
        assert len(players) == 2, "their ends are open to the last"
        nursery.cancel_scope.cancel()
    sys.stdout.write("both are gone\n")


def here(app: App) -> list[str]:
    return [player.name for player in app.lobby.people.connected_players()]


if __name__ == "__main__":
    trio.run(main)
