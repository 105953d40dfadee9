"""A server in memory for every test that asks for `hall`, and what the processes that run tests have in common."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
import trio
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from server.config import Config
from tests.helpers.commands import keep_commands
from tests.helpers.disk import Disk
from tests.helpers.hall import Hall
from tests.helpers.warm import warm_commands

ROOT = Path(__file__).parents[1]
WAITING = (
    *("test_networks.py", "test_processes.py", "test_public.py", "test_attacks.py"),
    *("test_session.py", "test_archive.py", "test_nearby.py", "test_data.py"),
)
SHARING = ("test_wheel.py", "test_attacks.py")  # fixtures for all tests of the file

keep_commands()

# Without compiled files each process that runs tests, and each command that they start, compiles all code again.
# Mutants are compiled each time, since a file with a mistake may have the size and second of the one without.
if not {"RECORD_INTO", "ASKED_THROUGH"} & os.environ.keys():
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Hypothesis would read all code for constants, in each process, before the first input that it makes up.
providers._get_local_constants = lambda: providers._local_constants
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

# A shell that starts the tests in the background has SIGINT ignored, by whatever they start, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """In a new checkout pytest rewrites the assertions of all tests, which takes long. Of several processes each begins
    at another file, and finds later what the others have done."""
    gc.disable()  # hardly anything of what is found is let go of
    number, processes = (os.environ.get(f"PYTEST_XDIST_WORKER{what}", "") for what in ("", "_COUNT"))
    if processes and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        files = sorted(Path(__file__).parent.rglob("test_*.py"))
        first = len(files) * int(number.removeprefix("gw")) // int(processes)
        for file in files[first:] + files[:first]:
            with suppress(Exception):  # which the collection meets again, and reports
                import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that wait for programs and networks come first, in all processes but as many as there are processors:
    these have other tests meanwhile, and no long test ends last. A file whose tests share something stays whole."""
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    shares = max(1, processes - (os.cpu_count() or 1))
    groups: dict[str, list[pytest.Item]] = {}
    others = []
    for item in items:
        if item.path.parent.name in ("e2e", "zoo", "power") or item.path.name in WAITING:
            groups.setdefault(str(item.path) if item.path.name in SHARING else item.nodeid, []).append(item)
        else:
            others.append(item)
    size = len(items) // processes + 1
    items[:] = []
    for share in range(shares):
        items += [item for group in list(groups.values())[share::shares] for item in group]
        room = max(0, size * (share + 1) - len(items))
        items += others[:room]
        del others[:room]
    items += others


def pytest_collection_finish() -> None:
    """The thousands of tests that were found stay to the end: Python's garbage collector need not look at them after
    each few hundred objects."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing that a test runs leaves files in the home of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True, scope="session")
def warm(state: None) -> Iterator[Callable[[], None]]:
    """Commands of magehall start at once. What is given starts the process that forks them, and stays, now."""
    with warm_commands() as begin:
        yield begin


@pytest.fixture
def config(request: pytest.FixtureRequest) -> Config:
    """The hall's configuration; a test sets fields by parametrizing `config` indirectly with a dict. Its players may
    talk as fast as they like, since time stands still while they do."""
    return Config(**{"port": 0, "house_seconds": 0.0, "talk_at_once": 1_000, **getattr(request, "param", {})})


@pytest.fixture
def disk() -> Disk | None:
    """What the hall keeps is nowhere; a file of tests with a disk has a fixture of this name."""
    return None


@pytest.fixture
async def hall(config: Config, disk: Disk | None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hall]:
    # How busy the machine is would decide whose request is next.
    monkeypatch.setattr("server.time_budget.perf_counter", lambda: 0.0)
    async with trio.open_nursery() as nursery:
        yield Hall(nursery, config, store=disk)
        nursery.cancel_scope.cancel()
