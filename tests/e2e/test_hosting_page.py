"""Every command of docs/hosting.md, in order, at a server that runs as the unit says.

The folders of the page are moved below one of the test's. `sudo` runs its command as the same user, and `systemctl` is
`tests/e2e/systemctl.py`, which does what systemd would with the unit's lines.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from magehall import home
from tests.e2e.systemctl import moved, settings
from tests.e2e.test_operation import free_port
from tests.helpers.another_user import as_another_user

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGE, UNIT, CONTAINER = DOCS / "hosting.md", DOCS / "magehall.service", DOCS / "Containerfile"
HIDDEN = ("PYTHONPATH", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE")
PACKAGES = ("magehall", *home.PACKAGES, "docs")
SHIMS = {
    "sudo": 'if [ "$1" = -u ]; then shift 2; fi; exec "$@"',
    "systemctl": f'cd {shlex.quote(str(ROOT))} && exec {shlex.quote(sys.executable)} -m tests.e2e.systemctl "$@"',
    "python3": f'[ "$2" != venv ] || set -- -m venv --without-pip "$3"; exec {shlex.quote(sys.executable)} "$@"',
    "useradd": 'echo "$@" > "$TOP/users"',
    "ufw": 'echo "$@" > "$TOP/firewall"',
    "journalctl": 'cat "$TOP/journal"',
    "chgrp": ":",
    "install": 'exec /usr/bin/install $(echo "$@" | sed "s/-[og] magehall//g")',
}
"""Programs of the page that need a system of their own, or users who are not there; and a venv whose pip is ours."""


def blocks(kind: str) -> list[str]:
    """The page's blocks of that kind."""
    return re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def quiet_port() -> int:
    """A free port that the system gives to no connection while the server is away."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as sock, suppress(OSError):
            sock.bind(("127.0.0.1", port))
            return port


class Machine:
    """The folders of the page, below one of the test's, and a checkout."""

    def __init__(self, top: Path) -> None:
        self.top, self.port = top, quiet_port()
        self.checkout = top / "checkout"
        for name in PACKAGES:
            shutil.copytree(ROOT / name, self.checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
            if (ROOT / name).exists():
                shutil.copy(ROOT / name, self.checkout)
        bin_ = top / "bin"
        bin_.mkdir()
        for name, script in SHIMS.items():
            (bin_ / name).write_text(f"#!/bin/sh\n{script}\n")
            (bin_ / name).chmod(0o755)
        for folder in ("etc/systemd/system", "etc/cron.d", "etc/logrotate.d", "etc/default", "usr/local/bin", "opt"):
            (top / folder).mkdir(parents=True)
        (top / "var" / "backups").mkdir(parents=True)
        for name in ("opt", "var", "var/backups"):
            (top / name).chmod(0o755)
        ours = sysconfig.get_paths()
        self.dependencies = f"{ours['purelib']}\n{ours['platlib']}\n"
        self.environment = {
            **{name: value for name, value in os.environ.items() if name not in HIDDEN},
            "TOP": str(top),
            "PORT": str(self.port),
            "PATH": f"{bin_}:{top}/usr/local/bin:{os.environ['PATH']}",
            "PIP_NO_DEPS": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "XDG_STATE_HOME": str(top / "state"),
        }

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """A command of the page, in the checkout."""
        return subprocess.run(
            ["sh", "-e", "-c", moved(command, str(self.top))],
            cwd=self.checkout, env=self.environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip

    def status(self) -> dict[str, object]:
        """As programs read it."""
        done = self.run("sudo -u magehall magehall admin --data /var/lib/magehall status --json")
        told: dict[str, object] = json.loads(done.stdout)
        return told

    def end(self) -> None:
        with suppress(FileNotFoundError, ProcessLookupError):
            os.kill(int((self.top / "pid").read_text()), signal.SIGKILL)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    tmp_path.chmod(0o755)
    machine = Machine(tmp_path)
    yield machine
    machine.end()


def _steps(block: str) -> list[str]:
    """The commands of a block. One that makes a file has its text, and one that uses a variable what sets it."""
    steps: list[str] = []
    lines = iter(block.splitlines(keepends=True))
    held = ""
    for line in lines:
        step = line
        if here := re.search(r"<<'(\w+)'", line):
            for more in lines:
                step += more
                if more.strip() == here[1]:
                    break
        if re.match(r"\w+=\$\(", line):
            held += step
            continue
        steps.append(held + step)
        held = held if held and "$" in held else ""
    return steps


@pytest.mark.timeout(600)
def test_every_command_of_the_page_does_what_the_page_says(machine: Machine) -> None:
    shell = blocks("sh")
    assert len(shell) >= 12
    for block in shell:
        for step in _steps(block):
            done = machine.run(step)
            assert done.returncode == 0, f"{step}\n{done.stdout}\n{done.stderr}"
            if "-m venv" in step:
                (packages,) = (machine.top / "opt" / "magehall").glob("lib/python*/site-packages")
                (packages / "dependencies.pth").write_text(machine.dependencies)
                pip = machine.top / "opt/magehall/bin/pip"
                pip.write_text(f'#!/bin/sh\nexec {pip.with_name("python")} -m pip "$@"\n')
                pip.chmod(0o755)
    assert "--system" in (machine.top / "users").read_text()
    assert (machine.top / "firewall").read_text() == "allow 7110,7180/tcp\n"
    assert machine.status()["state"] == "open"
    assert len([*(machine.top / "var/backups/magehall").iterdir()]) >= 2
    assert len([*(machine.top / "var/lib/magehall").glob("before-restore-*")]) == 2
    assert (machine.top / "var/log/magehall/log").stat().st_size > 0
    certificate = ssl.get_server_certificate(("127.0.0.1", machine.port))
    assert certificate == (machine.top / "etc/magehall/cert.pem").read_text(), "the last restart was for TLS"
    cron = (machine.top / "etc/cron.d/magehall").read_text()
    when, command = re.match(r"((?:\S+ ){5})magehall (.*)\n$", cron).groups()  # type: ignore[union-attr]
    assert re.fullmatch(r"[0-9*,/ -]+", when)
    before = {*(machine.top / "var/backups/magehall").iterdir()}
    done = machine.run(command)
    assert (done.returncode, done.stderr) == (0, "")
    assert {*(machine.top / "var/backups/magehall").iterdir()} - before
    codes = (machine.checkout / "codes.csv").read_text()
    assert codes == "name,code\n", "no person was there"


def test_the_unit_is_one_that_systemd_takes(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    program = tmp_path / "magehall"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "magehall.service"
    text = UNIT.read_text(encoding="utf-8").replace("/opt/magehall/bin/magehall", str(program))
    unit.write_text(re.sub("(User|Group)=magehall", r"\1=root", text))
    done = subprocess.run(
        ["systemd-analyze", "verify", unit],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"LC_ALL": "C", **os.environ},
    )
    told = [line for line in done.stderr.splitlines() if "magehall" in line]
    assert (done.returncode, told) == (0, [])


def test_the_unit_drains_before_it_stops_and_longer_than_the_wait() -> None:
    unit = settings(UNIT.read_text(encoding="utf-8"))
    (minutes,) = re.findall(r"drain --wait ([0-9]+)m", unit["ExecStop"])
    assert int(minutes) < int(unit["TimeoutStopSec"].removesuffix("min"))


def container() -> dict[str, list[str]]:
    """The Containerfile's instructions by name."""
    found: dict[str, list[str]] = {}
    text = CONTAINER.read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, rest = line.split(maxsplit=1)
            found.setdefault(name, []).append(rest)
    return found


def test_the_container_is_not_root_and_asks_the_server_for_its_health() -> None:
    file = container()
    assert file["USER"] == ["magehall"]
    assert file["VOLUME"] == ["/data"]
    assert "-o magehall" in file["RUN"][0]
    assert "-m 0700 /data" in file["RUN"][0]
    assert json.loads(file["HEALTHCHECK"][0].split("CMD", 1)[1]) == ["magehall", "admin", "--data", "/data", "status"]
    build, *others = "".join(blocks("container")).splitlines()
    assert build.startswith("podman build --format docker "), "images of podman's own format have no health check"
    for command in others:
        assert re.match(r"podman (run|exec|stop) ", command), command


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has a first process of its own without an engine")
def test_the_containers_command_serves_as_process_1_and_ends_on_its_stop_signal(tmp_path: Path) -> None:
    """Without an engine: entry point and health check in a namespace of processes, as a user who is not root."""
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-pf", "true"], check=False).returncode:
        pytest.skip("needs unshare")
    file = container()
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    for folder in (tmp_path, *tmp_path.parents):
        with suppress(OSError):
            folder.chmod(folder.stat().st_mode | 0o011)
    os.chown(data, 65_534, 65_534)

    def words(listed: str) -> list[str]:
        return [sys.executable, "-m", *(str(data) if word == "/data" else word for word in json.loads(listed))]

    port = free_port()
    user = as_another_user()
    serve = [*words(file["ENTRYPOINT"][0]), "--port", str(port)]
    with subprocess.Popen(
        ["unshare", "-pf", "--kill-child", *user, *serve], cwd=ROOT, stderr=subprocess.DEVNULL
    ) as outer:
        try:
            health = words(file["HEALTHCHECK"][0].split("CMD", 1)[1])
            while not (data / "admin").is_socket():
                assert outer.poll() is None
                time.sleep(0.1)
            done = subprocess.run([*user, *health], cwd=ROOT, capture_output=True, text=True, timeout=30, check=False)
            assert "Process: 1, memory" in done.stdout, done.stderr
            (server,) = map(int, Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split())
            os.kill(server, getattr(signal, file["STOPSIGNAL"][0]))
            assert outer.wait(15) == 0
        finally:
            outer.kill()
