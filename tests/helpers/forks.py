"""The process of tests.helpers.warm: it has imported magehall, and forks for each command."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import random
import runpy
import socket
import sys

import typer

from bots.sdk.registry import all_bots
from client.cli import app, bot, check, hosting, lab, play, playing, serving, tournament
from games.registry import all_games
from tests.helpers.commands import keep_commands

IMPORTED = (app, bot, check, hosting, lab, play, playing, serving, tournament)

OF_NETWORKS = 0x40000000  # CLONE_NEWNET of setns(2)
BIGGEST = 262_144  # bytes of an order
ROOM = 32  # for a number in digits


def enter_network(pid: int) -> None:
    """As `nsenter --target PID --net` does. Raises OSError."""
    with open(f"/proc/{pid}/ns/net", "rb") as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), OF_NETWORKS):
            raise OSError(ctypes.get_errno(), "setns")


def serve(pipe: socket.socket) -> list[str] | None:
    """Returns in each fork, with the words that the interpreter would be given; None once nobody orders any more.

    Between the two stands a process for a moment: by its end the fork becomes a child of who ordered it.
    """
    while True:
        data, files, _flags, _address = socket.recv_fds(pipe, BIGGEST, 3)
        if not data:
            return None
        read, write = os.pipe()
        if between := os.fork():
            for file in (write, *files):
                os.close(file)
            os.waitpid(between, 0)
            pipe.send(os.read(read, ROOM))
            os.close(read)
            continue
        if number := os.fork():
            os.write(write, str(number).encode())
            os._exit(0)
        for file in (read, write):
            os.close(file)
        pipe.close()
        order = json.loads(data)
        for ours, file in enumerate(files):
            os.dup2(file, ours)
            os.close(file)
        os.environ.clear()
        os.environ.update(order["environment"])
        if order["session"]:
            os.setsid()
        if order["network"]:
            enter_network(order["network"])
        random.seed()
        return list(order["words"])


if __name__ == "__main__":
    all_games(), all_bots()  # they import what they find
    keep_commands()
    typer.main.get_command(app.app)
    gc.collect()
    gc.freeze()  # what is here stays shared
    with socket.socket(fileno=int(sys.argv[1])) as orders:
        words = serve(orders)
    if words is not None:
        if words[0] != "-P":
            sys.path.insert(0, os.getcwd())
        sys.argv = words[words.index("-m") + 1 :]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
