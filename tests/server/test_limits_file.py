"""The settings file: what it sets, how it is written, and what is said of one that cannot be used."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import pytest

from protocol import limits
from protocol.printable import escape_text
from server.config import OF_A_FILE, Config
from server.limits_file import BadSettings, parse_settings, read_settings, render_settings

ROOT = Path(__file__).parents[2]


def faults(text: str) -> list[str]:
    with pytest.raises(BadSettings) as caught:
        parse_settings(tomllib.loads(text))
    return str(caught.value).splitlines()


def of_a_page() -> set[str]:
    """The limits in the reference that a server can set."""
    page = (ROOT / "PROTOCOL-REFERENCE.md").read_text(encoding="utf-8")
    rows = page.partition("<!-- generated: limits -->")[2].partition("<!-- end -->")[0]
    return set(re.findall(r"^\| `(\w+)` \| \S+ \| \S", rows, re.MULTILINE))


def test_every_limit_of_the_protocol_page_is_a_setting_or_fixed() -> None:
    known = limits.all_limits()
    assert of_a_page() == {name for name, one in known.items() if one.kind is not limits.FIXED}
    assert set(OF_A_FILE) == of_a_page() | {"trusted", "networks", "bans", "tls_cert", "tls_key", "proxy_from"}
    for name, one in known.items():
        if one.kind is not limits.FIXED:
            assert one.bounds.least <= one.default <= one.bounds.most, name
            assert getattr(Config(), name) == one.default


def test_a_file_that_is_printed_is_read_back_as_it_was() -> None:
    changed = {name: getattr(Config(), name) + 1 for name in ("tables", "sessions_an_address", "talk_seconds")}
    config = Config(
        **changed,
        trusted=("10.2.0.0/16",),
        bans=("203.0.113.7/32", "mallory"),
        networks={"10.3.0.0/16": {"tables_an_address": 7}},
        tls_cert=Path('/etc/a "b".pem'),
        tls_key=Path("/etc/key.pem"),
        proxy_from=(ip_network("10.0.0.1"), ip_network("2001:db8::7")),
    )
    for one in (Config(), config):
        text = render_settings(one)
        assert parse_settings(tomllib.loads(text)).apply_to(Config()) == one
        for name in limits.all_limits():
            assert f"{name} = " in text


def test_a_file_sets_what_it_names_and_leaves_what_no_file_sets() -> None:
    settings = parse_settings(
        {"tables": 5, "talk_seconds": 1, "bans": ["Mallory", "10.1.2.3"], "trusted": ["10.2.0.0/16"]}
    )
    config = settings.apply_to(Config(port=1234, grace=7.0, sessions=3))
    assert (config.port, config.grace) == (1234, 7.0)
    assert (config.tables, config.talk_seconds, type(config.talk_seconds)) == (5, 1.0, float)
    assert config.sessions == Config.sessions, "the file sets none, so it is the default"
    assert (config.bans, config.trusted) == (("mallory", "10.1.2.3/32"), ("10.2.0.0/16",))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tables_an_adress = 5", "tables_an_adress is no setting; did you mean tables_an_address?"),
        ("TABLES = 5", "TABLES is no setting; did you mean tables?"),
        ("qqqqqq = 5", "qqqqqq is no setting; `magehall serve --print-config` lists all."),
        ("sessions = 0", "sessions is 0; it takes a whole number from 1 to 1,000,000."),
        ("sessions = -1", "sessions is -1; it takes a whole number from 1 to 1,000,000."),
        ("sessions = 99999999999999999999", "sessions is 99999999999999999999; it takes a whole number from 1 to"),
        ("sessions = 2.5", "sessions is 2.5; it takes a whole number"),
        ("sessions = true", "sessions is true; it takes a whole number"),
        ('sessions = "12"', "sessions is the text 12; it takes a whole number from 1 to 1,000,000. Write"),
        ("sessions = [1]", "sessions is [1]; it takes a whole number"),
        ("talk_seconds = nan", "talk_seconds is nan; it takes a number from 0.1 to 31,536,000."),
        ("talk_seconds = inf", "talk_seconds is inf; it takes a number"),
        ("least_delay = 5", "least_delay is 5; it takes a whole number from 30 to 86,400."),
        ("line_bytes = 9000", "line_bytes is 4096 on every server, and no file sets it; take the line out."),
        ("[limits]\ntables = 5", "[limits] is no setting; write settings without such a line above them."),
        ('trusted = "10.2.0.0/16"', 'trusted is 10.2.0.0/16; write a list of texts, as in trusted = ["10.2.0.0/16"].'),
        ("trusted = [10]", "trusted is [10]; write a list of texts"),
        ('trusted = ["10.2.3.4/16"]', "trusted has 10.2.3.4/16; the network around it is 10.2.0.0/16: write that."),
        ('trusted = ["ann"]', "trusted has ann; write an address"),
        ('bans = ["10.2"]', "bans has 10.2; write an address"),
        ('proxy_from = ["10.2.3.4/16"]', "proxy_from has 10.2.3.4/16; the network around it is 10.2.0.0/16: write"),
        ('proxy_from = "10.2.3.4"', "proxy_from is 10.2.3.4; write a list of texts"),
        ("tls_cert = 5", 'tls_cert is 5; write the path of a file, as in tls_cert = "cert.pem".'),
        ('tls_key = ""', "tls_key is ; write the path of a file"),
        ("networks = 5", "networks is 5; write a table for each"),
        ('[networks."10.0.0.0/8"]\nsessions = 5', "in the network 10.0.0.0/8: sessions holds for the whole"),
        ('[networks."10.0.0.0/8"]\nnmes_a_day = 5', "in the network 10.0.0.0/8: nmes_a_day is no setting; did"),
        ('[networks."10.0.0.0/8"]\nnames_a_day = 0', "in the network 10.0.0.0/8: names_a_day is 0; it takes"),
        ('[networks."x"]\nnames_a_day = 1', "networks has x; write an address"),
        ("[networks]\n\"10.0.0.0/8\" = 5", "networks is 5 for 10.0.0.0/8; write a table"),
        ("least_delay = 400\nlongest_delay = 300", "longest_delay is 300, less than least_delay, which is 400; raise"),
        ("behind_bytes = 999999", "outbox_bytes is 262,144, less than behind_bytes, which is 999,999; raise the first"),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_is_named_with_what_to_write(text: str, told: str) -> None:
    assert faults(text)[0].startswith(told)


def test_paths_in_a_file_start_from_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text('tls_cert = "cert.pem"\ntls_key = "/etc/key.pem"\n', encoding="utf-8")
    config = read_settings(path).apply_to(Config())
    assert (config.tls_cert, config.tls_key) == (tmp_path / "cert.pem", Path("/etc/key.pem"))


def test_the_command_line_goes_before_the_file() -> None:
    file = parse_settings({"tls_cert": "a.pem", "tls_key": "b.pem", "proxy_from": ["10.0.0.1"], "tables": 5})
    config = file.overridden_by({"proxy_from": (ip_network("10.0.0.2"),)}).apply_to(Config())
    assert (config.tls_cert, config.tls_key, config.tables) == (Path("a.pem"), Path("b.pem"), 5)
    assert config.proxy_from == (ip_network("10.0.0.2"),)


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_text("tables = 0\nsessions = 0\n", encoding="utf-8")
    with pytest.raises(BadSettings) as caught:
        read_settings(path)
    lines = str(caught.value).splitlines()
    assert [line.partition(" is 0")[0] for line in lines] == [
        escape_text(f"{path}: {key}") for key in ("tables", "sessions")
    ]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"tables = ", "it is not TOML: Invalid value"),
        (b"tables = 5\ntables = 6\n", "it is not TOML: "),
        (b"\xff\xfe", "it is not UTF-8"),
        (b"x = " + b"[" * 100_000, "it is not TOML: lists are nested too deep"),
        (b"tables = " + b"9" * 10_000, "a number in it is too long"),
        (b"#" * (2**20 + 1), "has more than 1,048,576 bytes"),
        (b'"a\\u001b[31mb" = 1\n', "a\\u{1b}[31mb is no setting"),
    ],
)
def test_a_file_that_is_no_settings_file_is_named(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "limits.toml"
    path.write_bytes(data)
    with pytest.raises(BadSettings) as caught:
        read_settings(path)
    assert told in str(caught.value)
    assert str(caught.value).startswith(escape_text(str(path)))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, Path(os.devnull)):
        with pytest.raises(BadSettings, match="is no regular file"):
            read_settings(path)
    for path in (tmp_path / "none.toml", tmp_path / "a\0b"):
        with pytest.raises(BadSettings, match=r"cannot be read: .* Give the path of a file"):
            read_settings(path)


def test_a_file_of_another_system_is_read(tmp_path: Path) -> None:
    path = tmp_path / "limits.toml"
    path.write_bytes(b"\xef\xbb\xbftables = 7\r\n")
    assert read_settings(path).values == {"tables": 7}


def test_an_address_of_a_trusted_network_has_several_times_as_much() -> None:
    config = Config(trusted=("10.2.0.0/16",), trusted_times=4, tables_an_address=10, sessions=99)
    assert config.for_address("10.2.3.4").tables_an_address == 40
    assert config.for_address("10.2.3.4").sessions == 99, "which counts for the whole server"
    for address in ("10.3.0.1", None, "2001:db8::/64"):
        assert config.for_address(address) is config


def test_limits_of_a_network_hold_instead_and_the_rest_is_as_around_it() -> None:
    config = Config(
        trusted=("10.0.0.0/8",),
        trusted_times=4,
        tables_an_address=10,
        cups_an_address=10,
        networks={"10.2.0.0/16": {"tables_an_address": 15}, "192.0.2.0/24": {"tables_an_address": 1}},
    )
    found = [
        (one.tables_an_address, one.cups_an_address)
        for one in map(config.for_address, ("10.2.0.1", "10.3.0.1", "192.0.2.1"))
    ]
    assert found == [(15, 40), (40, 40), (1, 10)]
    assert config.for_address("192.0.2.1").limits()["tables_an_address"] == 1


def test_what_changes_at_the_start_only_is_told_and_left() -> None:
    config = Config()
    changed, left = config.apply_changes(replace(Config(), tables=5, receive_bytes=30_000, bans=("mallory",)))
    assert (changed, left) == (("tables", "bans"), ("receive_bytes",))
    assert (config.tables, config.receive_bytes, config.bans) == (5, Config.receive_bytes, ("mallory",))
    assert config.limits()["tables"] == 5
    assert config.apply_changes(replace(Config(), tables=5, bans=("mallory",))) == ((), ())
