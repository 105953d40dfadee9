"""A server is found and reached in every kind of network, by machines that are namespaces of this one."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.networks import MAGEHALL, PYTHON, Machine, Network, network

__all__ = ["network"]

PATIENCE = 60.0  # seconds
LINE = re.compile(r"  magehall play --host (\S+) --port (\d+)")


class Served:
    """A server that runs on a machine, and what its operator reads."""

    def __init__(self, log: Path, port: int) -> None:
        self._log, self.port = log, port

    def says(self) -> list[str]:
        """The addresses that are printed, in order."""
        return [found[1] for found in LINE.finditer(self._log.read_text())]


@contextmanager
def serving(machine: Machine, folder: Path, host: str = "--lan") -> Iterator[Served]:
    log = folder / "log"
    command = [*MAGEHALL, "serve", *host.split(), "--port", "0", "--data", ":memory:"]
    with log.open("w") as file, machine.start(*command, stderr=file) as process:
        try:
            found = waited(lambda: re.search(r"port (\d+)\. Ctrl-C", log.read_text()))
            waited(lambda: "Matches and names are saved" in log.read_text())
            yield Served(log, int(found[1]))
        finally:
            process.terminate()


def waited(condition: Callable[[], Any]) -> Any:
    """What it gives once that is true."""
    until = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < until
        time.sleep(0.1)
    return found


def found_by(machine: Machine, served: Served) -> str:
    """The address at which `magehall play` finds it there."""

    def look() -> list[str]:
        return [
            host
            for host, port in json.loads(machine.run(PYTHON, "-m", "tests.client.servers_nearby"))
            if port == served.port
        ]

    found: list[str] = waited(look)
    return found[0]


def greets(machine: Machine, host: str, port: int) -> bool:
    """Whether a server answers there."""
    look = f"import socket; print(socket.create_connection(({host!r}, {port}), 5).recv(9))"
    try:
        return "magehall" in machine.run(PYTHON, "-c", look)
    except subprocess.CalledProcessError:
        return False


def test_h07_a_vpn_that_has_the_default_route_hides_no_server(network: Network, tmp_path: Path) -> None:
    host, guest, office = network.machine(), network.machine(), network.machine()
    network.cable(host, "tun0", office, "tun0")
    network.cable(host, "wifi", guest, "wifi")
    host.address("tun0", "10.8.0.2/24")
    office.address("tun0", "10.8.0.1/24")
    host.address("wifi", "192.168.7.1/24")
    guest.address("wifi", "192.168.7.2/24")
    host.ip("route", "add", "default", "via", "10.8.0.1")
    with serving(host, tmp_path) as served:
        assert served.says()[:2] == ["192.168.7.1", "10.8.0.2"]
        assert found_by(guest, served) == "192.168.7.1"
        assert all(greets(guest, served.says()[0], served.port) for _again in range(2))


def test_h07_a_switch_without_internet_is_network_enough(network: Network, tmp_path: Path) -> None:
    host, guest = network.machine(), network.machine()
    network.cable(host, "lan", guest, "lan")
    host.address("lan", "169.254.7.1/16")
    guest.address("lan", "169.254.7.2/16")
    with serving(host, tmp_path) as served:
        assert served.says() == ["169.254.7.1"]
        assert found_by(guest, served) == "169.254.7.1"


def test_h07_an_address_that_comes_late_is_said_and_announced(network: Network, tmp_path: Path) -> None:
    host, guest = network.machine(), network.machine()
    with serving(host, tmp_path) as served:
        assert served.says() == []
        network.cable(host, "lan", guest, "lan")
        guest.address("lan", "192.168.7.2/24")
        host.address("lan", "192.168.7.1/24")
        assert waited(lambda: "192.168.7.1" in served.says())
        assert found_by(guest, served) == "192.168.7.1"
        host.ip("addr", "del", "192.168.7.1/24", "dev", "lan")
        host.address("lan", "192.168.7.9/24")
        assert waited(lambda: "192.168.7.9" in served.says())
        assert waited(lambda: found_by(guest, served) == "192.168.7.9")


def test_h07_a_bridge_for_containers_on_both_machines_is_no_way(network: Network, tmp_path: Path) -> None:
    host, guest = network.machine(), network.machine()
    for machine in (host, guest):
        machine.bridge("docker0", "172.17.0.1/16")
    network.cable(host, "lan", guest, "lan")
    host.address("lan", "10.1.2.1/24")
    guest.address("lan", "10.1.2.2/24")
    with serving(host, tmp_path) as served:
        assert waited(lambda: len(served.says()) > 1)
        assert served.says() == ["10.1.2.1", "172.17.0.1"]
        assert found_by(guest, served) == "10.1.2.1"
        assert found_by(host, served) == "10.1.2.1", "on its own machine, too"


def test_h07_each_of_two_networks_gets_its_own_address(network: Network, tmp_path: Path) -> None:
    host, left, right = network.machine(), network.machine(), network.machine()
    network.cable(host, "one", left, "lan")
    network.cable(host, "two", right, "lan")
    host.address("one", "192.168.1.1/24")
    left.address("lan", "192.168.1.2/24")
    host.address("two", "192.168.2.1/24")
    right.address("lan", "192.168.2.2/24")
    with serving(host, tmp_path) as served:
        assert sorted(served.says()) == ["192.168.1.1", "192.168.2.1"]
        assert found_by(left, served) == "192.168.1.1"
        assert found_by(right, served) == "192.168.2.1"


def test_h07_ipv6_alone_is_enough(network: Network, tmp_path: Path) -> None:
    host, guest = network.machine(), network.machine()
    network.cable(host, "lan", guest, "lan")
    host.address("lan", "fd00:7::1/64")
    guest.address("lan", "fd00:7::2/64")
    with serving(host, tmp_path) as served:
        assert served.says() == ["fd00:7::1"]
        assert found_by(guest, served) == "fd00:7::1"
        assert greets(guest, "fd00:7::1", served.port)


def test_h07_link_local_addresses_are_used_and_said_with_a_place_for_the_scope(
    network: Network, tmp_path: Path
) -> None:
    host, guest = network.machine(), network.machine()
    network.cable(host, "lan", guest, "wlan")
    with serving(host, tmp_path) as served:
        (said,) = waited(served.says)
        assert re.fullmatch(r"fe80::\S+%INTERFACE", said)
        assert found_by(guest, served) == said.replace("INTERFACE", "wlan")
        assert greets(guest, said.replace("INTERFACE", "wlan"), served.port)


@pytest.mark.parametrize(("host", "said"), [("0.0.0.0", ["192.168.7.1"]), ("::", ["fd00:7::1"])])
def test_no_line_that_is_printed_says_the_address_that_means_all(
    network: Network, tmp_path: Path, host: str, said: list[str]
) -> None:
    machine, guest = network.machine(), network.machine()
    network.cable(machine, "lan", guest, "lan")
    machine.address("lan", "192.168.7.1/24")
    machine.address("lan", "fd00:7::1/64")
    guest.address("lan", "192.168.7.2/24")
    guest.address("lan", "fd00:7::2/64")
    with serving(machine, tmp_path, f"--host {host}") as served:
        assert served.says() == said
        assert found_by(guest, served) == said[0]
