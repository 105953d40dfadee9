"""`magehall serve`: its settings, and what the operator is told."""

from __future__ import annotations

import gc
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from client.addresses import Address, OwnAddresses
from client.cli.serving import (
    CannotServe,
    ServeSettings,
    build_config,
    load_games,
    render_settings_file,
    serve_until_stopped,
    startup_lines,
)
from games.registry import all_games
from protocol.messages import ClockRule
from server.config import Config


def settings(host: str = "127.0.0.1", clock: str = "300+30") -> ServeSettings:
    return ServeSettings(host=host, port=7110, clock=clock)


def test_the_clock_is_read_as_main_time_and_increment() -> None:
    assert build_config(settings(clock="60+2.5")).clock == ClockRule(main=60, increment=2.5)


@pytest.mark.parametrize("clock", ["", "60", "60+0", "+5", "60+5+5", "-1+5", "99999+1", "1e3+1", "60 + 5"])
def test_h04_a_clock_that_cannot_be_is_refused(clock: str) -> None:
    with pytest.raises(CannotServe, match="A clock is seconds"):
        build_config(settings(clock=clock))


def test_house_bots_take_as_long_as_they_are_told_to() -> None:
    assert build_config(settings()).house_seconds == Config.house_seconds
    assert build_config(replace(settings(), pace=1.5)).house_seconds == 1.5


def test_the_operator_reads_what_others_have_to_type() -> None:
    assert startup_lines(Config(), 7110)[1:] == ["  magehall play --host 127.0.0.1", "  telnet 127.0.0.1 7110"]
    own = OwnAddresses()
    own.now = [Address("192.168.7.1", ip_network("192.168.7.0/24")), Address("fe80::1", ip_network("fe80::/64"))]
    assert startup_lines(Config(host=""), 7200, own) == [
        "Serving at all addresses of this machine, port 7200. Ctrl-C stops.",
        "Other players type one of:",
        "  magehall play --host 192.168.7.1 --port 7200",
        "  telnet 192.168.7.1 7200",
    ]
    own.now = []
    assert "no network yet" in startup_lines(Config(host="0.0.0.0"), 7200, own)[1]


def test_an_owners_card_file_changes_what_is_served(tmp_path: Path) -> None:
    own = Path(all_games()["mages-110m"].rules).with_name("cards.toml").read_text(encoding="utf-8")
    path = tmp_path / "cards.toml"
    path.write_text(own.replace('en = "Frog Knees"', 'en = "Toad Knees"'), encoding="utf-8")
    served = load_games((f"mages-110m={path}",))
    assert any(card.title == "Toad Knees" for card in served["mages-110m"].cards())
    assert served["mages-110m"].cards_digest
    assert served["ikasamage"] is all_games()["ikasamage"]


def test_the_server_s_process_collects_garbage_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    before, here = gc.get_freeze_count(), [[number] for number in range(1_000)]
    seen = []
    monkeypatch.setattr("client.cli.serving._log_to", lambda *_, **__: None)
    monkeypatch.setattr(
        "client.cli.serving.trio.run", lambda *_: seen.append((gc.get_threshold(), gc.get_freeze_count()))
    )
    try:
        serve_until_stopped(settings())
    finally:
        gc.set_threshold(*usual)
    ((threshold, frozen),) = seen
    assert threshold[0] > 700
    assert frozen >= before + len(here)


def test_h04_a_broken_card_file_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "cards.toml"
    path.write_text("[[card]]\nname = 3\n", encoding="utf-8")
    with pytest.raises(CannotServe, match=r"cards\.toml cannot be used: "):
        load_games((f"mages-110m={path}",))


def test_a_settings_file_sets_the_limits_of_a_server_and_is_printed_with_them(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text("tables = 77\n", encoding="utf-8")
    given = replace(settings(), config=path)
    assert (build_config(given).tables, build_config(given).port) == (77, 7110)
    assert "\ntables = 77\n" in render_settings_file(given)
    assert f"\ntables = {Config.tables}\n" in render_settings_file(settings())


def test_a_settings_file_that_cannot_be_used_ends_the_start(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text("tables = 0\n", encoding="utf-8")
    with pytest.raises(CannotServe, match="tables is 0; it takes a whole number from 1 to"):
        build_config(replace(settings(), config=path))
