"""Friends on machines of their own: who hosts, who finds the host without typing an address, and who finds nothing."""

from __future__ import annotations

import re
import shlex
import time
from pathlib import Path

import pytest

from tests.helpers.networks import MAGEHALL, Machine, Network, network
from tests.helpers.terminal import Terminal, Terminals, needs_tmux, terminals

__all__ = ["network", "terminals"]

ROOT = Path(__file__).parents[2]
pytestmark = [needs_tmux, pytest.mark.timeout(180)]


def at(terminals: Terminals, machine: Machine, name: str, words: str, folder: Path) -> Terminal:
    """A `magehall` command in a terminal of that machine, of a user with a home there."""
    command = [*machine.enter, "env", f"XDG_STATE_HOME={folder / name}", *MAGEHALL, *words.split()]
    return terminals.open(name, shlex.join(command), cwd=ROOT)


def plays(terminal: Terminal) -> bool:
    """Whether the match has begun there."""
    return re.search(r"R(ound )?1( of |/)3", terminal.screen()) is not None


def on_one_wifi(network: Network) -> tuple[Machine, Machine]:
    """Returns two machines in the same network, 192.168.7.1 and 192.168.7.2."""
    one, two = network.machine(), network.machine()
    network.cable(one, "wifi", two, "wifi")
    one.address("wifi", "192.168.7.1/24")
    two.address("wifi", "192.168.7.2/24")
    return one, two


@pytest.mark.parametrize("late", [False, True], ids=["in time", "the cable comes later"])
def test_h07_a_friend_sits_down_within_a_minute_without_typing_an_address(
    network: Network, terminals: Terminals, tmp_path: Path, late: bool
) -> None:
    one, two = network.machine(), network.machine()

    def cable() -> None:
        network.cable(one, "wifi", two, "wifi")
        one.address("wifi", "192.168.7.1/24")
        two.address("wifi", "192.168.7.2/24")

    if not late:
        cable()
    began = time.monotonic()
    host = at(terminals, one, "host", "host --seats 3 --bots random --name ann", tmp_path)
    host.wait_for("Waiting for 1 more")
    friend = at(terminals, two, "friend", "play", tmp_path)
    if late:
        friend.wait_for("No server answers in this network.")
        friend.wait_for("Enter, r, q or an address: ")
        time.sleep(1)
        assert "your turn>" not in friend.screen(), "no match covers the question"
        cable()
        host.wait_for("telnet 192.168.7.1 7110")
        friend.type("r")
    while "1 seat free" not in friend.history():  # what is announced of tables may be two seconds old
        assert time.monotonic() < began + 60
        if friend.history().rstrip().endswith("Enter, r, q or an address:"):
            friend.type("r")
        time.sleep(0.5)
    seen = friend.history()
    assert "at 192.168.7.1, port 7110" in seen
    assert "t1 ikasamage: ann, random; 1 seat free" in seen
    friend.type("1")
    for terminal in (host, friend):
        terminal.wait(lambda _seen, terminal=terminal: plays(terminal))  # type: ignore[misc]
    took = time.monotonic() - began
    print(f"seated {took:.1f} s after the host began")
    assert took < 60
    telnet = terminals.open("telnet", shlex.join([*two.enter, "telnet", "192.168.7.1", "7110"]), cwd=ROOT)
    telnet.wait_for("type help")


def test_a_friend_is_asked_back_to_a_host_that_has_another_address_now(
    network: Network, terminals: Terminals, tmp_path: Path
) -> None:
    one, two = on_one_wifi(network)
    host = at(terminals, one, "host", "host --seats 3 --bots random --name ann", tmp_path)
    host.wait_for("Waiting for 1 more")
    friend = at(terminals, two, "friend", "play --host 192.168.7.1 --name bob", tmp_path)
    friend.wait(lambda _seen: plays(friend))
    one.ip("addr", "del", "192.168.7.1/24", "dev", "wifi")
    one.address("wifi", "192.168.7.9/24")
    host.wait_for("The others type: magehall play --host 192.168.7.9")
    for _ in range(2):
        friend.press("C-c")
        time.sleep(0.5)
    friend.wait_for("ended=130")
    folder = tmp_path / "friend"
    again = terminals.open("again", shlex.join([*two.enter, "env", f"XDG_STATE_HOME={folder}", *MAGEHALL]), cwd=ROOT)
    again.wait_for("A server at 192.168.7.9 may be the same one.")
    again.press("Enter")
    again.wait(lambda seen: plays(again) and "| bob |" in seen)
    host.wait_for("bob is back")


def test_a_friend_chooses_between_two_hosts_on_one_machine(
    network: Network, terminals: Terminals, tmp_path: Path
) -> None:
    one, two = on_one_wifi(network)
    first = at(terminals, one, "first", "host --seats 3 --bots random --name ann", tmp_path)
    first.wait_for("Waiting for 1 more")
    second = at(terminals, one, "second", "host magecraft --name bea", tmp_path)
    second.wait_for("--port 0 takes a free port.")
    second.type("exit")
    third = at(terminals, one, "third", "host magecraft --seats 2 --name bea --port 0", tmp_path)
    third.wait_for("Waiting for 1 more")
    port = re.search(r"telnet 192\.168\.7\.1 (\d+)", third.history())
    assert port is not None
    friend = at(terminals, two, "friend", "play", tmp_path)
    deadline = time.monotonic() + 60
    while "ann, random; 1 seat free" not in friend.history() or "bea; 1 seat free" not in friend.history():
        assert time.monotonic() < deadline
        if friend.history().rstrip().endswith("Enter, r, q or an address:"):
            friend.type("r")
        time.sleep(0.5)
    listed = re.findall(rf"(?m)^(\d) .* at 192\.168\.7\.1, port {port[1]}", friend.history())
    friend.type(listed[-1])
    third.wait_for("starting hands")
    assert "Waiting for 1 more" in first.screen()
