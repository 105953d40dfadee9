"""A real server whose disk fails: under its feet every fsync returns an error."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from server.store.sqlite import open_store
from tests.helpers.hall import tcp_player

FAILING_FSYNC = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int really(const char *name, int file) {
    if (access(getenv("TROUBLE"), F_OK) == 0) { errno = EIO; return -1; }
    return ((int (*)(int)) dlsym(RTLD_NEXT, name))(file);
}
int fsync(int file) { return really("fsync", file); }
int fdatasync(int file) { return really("fdatasync", file); }
"""


@asynccontextmanager
async def serving(
    folder: Path, command: list[str], environment: dict[str, str]
) -> AsyncIterator[tuple[trio.Process, int]]:
    """A server whose log goes to a file, once it listens, and its port."""
    with (folder / "log").open("wb") as log:
        process = await trio.lowlevel.open_process(command, stderr=log, env=environment)
    try:
        with trio.fail_after(30):
            while not (found := re.search(rb"port ([0-9]+)", (folder / "log").read_bytes())):  # noqa: ASYNC110
                await trio.sleep(0.02)
            yield process, int(found[1])
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_f05_after_an_fsync_that_failed_the_server_says_so_and_exits(tmp_path: Path) -> None:
    code, library, trouble = tmp_path / "failing.c", tmp_path / "failing.so", tmp_path / "trouble"
    code.write_text(FAILING_FSYNC)
    await trio.run_process(["gcc", "-shared", "-fPIC", "-o", str(library), str(code), "-ldl"])
    command = [sys.executable, "-m", "magehall", "serve", "--port", "0", "--data", str(tmp_path / "data")]
    environment = os.environ | {"LD_PRELOAD": str(library), "TROUBLE": str(trouble)}
    async with serving(tmp_path, command, environment) as (process, port):
        ann = await tcp_player(port, "ann")
        table = (await ann.ask("open", game="ikasamage", seats=3))["info"]["table"]
        trouble.touch()
        await ann.send({"type": "open", "id": 90, "game": "ikasamage", "seats": 3})
        assert (await ann.message())["type"] == "bye", "nobody knows whether the table is kept"
        await ann.stream.aclose()
        assert await process.wait() == 1
    log = (tmp_path / "log").read_bytes()
    assert b"The disk failed during a write." in log
    assert b"Traceback" not in log, log.decode()
    store = open_store(tmp_path / "data")
    assert table in store.current_subjects(), "and the other, which nobody was promised, may be there as well"
    store.close()
