"""TLS at the game port: certificates that are trusted, remembered, changed and wrong, and peers that speak none."""

from __future__ import annotations

import logging
import shutil
import socket
import ssl
import stat
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

import server.app
import server.net.tls
from bots.sdk.link import Identity, Link, LinkFailed, open_link, tcp
from bots.sdk.tls import KnownServers, Tls, parse_fingerprint
from client.cli.serving import CannotServe, ServeSettings, build_config, load_certificate, startup_lines
from games.registry import all_games
from protocol import messages as m
from protocol.connection import SPEAKS_TLS
from server.app import App, serve
from server.config import Config
from server.net.tls import BadCertificate, ServerCertificate
from tests.helpers.certificates import Files, made
from tests.helpers.hall import open_hall
from tests.helpers.house import FirstHouse
from tests.helpers.proxy import v1
from tests.helpers.wire import CLOSED, Wire

HOST, WORD = "127.0.0.1", "xyzzy-plugh"


class Told(list[str]):
    """What is reported of servers that are new."""


@asynccontextmanager
async def served(files: Files, **settings: Any) -> AsyncIterator[App]:
    async with trio.open_nursery() as nursery:
        certificate = ServerCertificate(files.certificate, files.key)
        config = Config(port=0, operator_word=WORD, **settings)

        async def run(task_status: trio.TaskStatus[App]) -> None:
            await serve(config, all_games(), FirstHouse("random"), certificate=certificate, task_status=task_status)

        yield await nursery.start(run)
        nursery.cancel_scope.cancel()


async def hello(port: int, tls: Tls | None, name: str = "ann", host: str = HOST) -> None:
    """One link, from hello to its end. Raises LinkFailed."""
    async with open_link(tcp(host, port, tls), Identity(name, f"{host}:{port}")) as link:
        await link.ask(m.Ping(id=1), m.Pong)


def remembering(file: Path) -> tuple[KnownServers, list[str]]:
    told: list[str] = []
    return KnownServers(file, told.append), told


async def why_not(port: int, tls: Tls | None, host: str = HOST) -> str:
    """The sentence with which a link fails."""
    with pytest.raises(LinkFailed) as failed:
        await hello(port, tls, host=host)
    return str(failed.value)


async def typist(port: int, ahead: bytes = b"", receives: int = 0) -> Wire:
    """A connection in the text face within TLS, as another program would make it, that has read the greeting. Its
    kernel receives that many bytes ahead."""
    stream = await trio.open_tcp_stream(HOST, port)
    if receives:
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    await stream.send_all(ahead)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    wire = Wire(trio.SSLStream(stream, context), "text")  # type: ignore[arg-type]
    assert "challenge=" in await wire.line()
    return wire


async def says(wire: Wire, line: str) -> str:
    await wire.send(line)
    return " ".join(await wire.flush(1))


# -- trust -------------------------------------------------------------------------------------------------------------


async def test_a_new_certificate_is_told_once_and_remembered(tmp_path: Path) -> None:
    files, file = made(tmp_path / "tls"), tmp_path / "state" / "known_servers"
    async with served(files) as app:
        known, told = remembering(file)
        await hello(app.port, Tls(known=known))
        assert [files.fingerprint in line and str(file) in line for line in told] == [True]
        assert file.read_text() == f"{HOST}:{app.port} {files.fingerprint}\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        known, told = remembering(file)
        await hello(app.port, Tls(known=known), "bob")
        assert told == []


async def test_another_certificate_is_refused_until_its_fingerprint_is_said(tmp_path: Path) -> None:
    files, file = made(tmp_path / "tls"), tmp_path / "known_servers"
    async with served(files) as app:
        assert app.certificate is not None
        await hello(app.port, Tls(known=remembering(file)[0]))
        first = files.fingerprint
        other = made(tmp_path / "tls")
        app.certificate.reload()
        why = await why_not(app.port, Tls(known=remembering(file)[0]))
        assert "another certificate" in why
        assert f"--tls-pin {other.fingerprint}" in why
        assert "fingerprint" in await why_not(app.port, Tls(fingerprint=first, known=remembering(file)[0]))
        await hello(app.port, Tls(fingerprint=other.fingerprint, known=remembering(file)[0]), "bob")
        await hello(app.port, Tls(known=remembering(file)[0]), "cleo")


async def test_a_link_that_comes_back_to_another_certificate_ends(tmp_path: Path) -> None:
    files = made(tmp_path / "tls")
    async with served(files) as app:
        assert app.certificate is not None
        known, _told = remembering(tmp_path / "known_servers")
        async with open_link(tcp(HOST, app.port, Tls(known=known)), Identity("ann", "here:1")) as link:
            made(tmp_path / "tls")
            app.certificate.reload()
            await link.ask(m.Ping(id=1), m.Pong)  # the connection goes on as it was
            for session in list(app.sessions):
                session.end("error")
            with trio.fail_after(20):
                await link.closed.wait()
            assert "another certificate" in str(link.failure)


async def test_an_authority_vouches_for_its_servers_and_no_others(tmp_path: Path) -> None:
    files, other, file = made(tmp_path / "tls"), made(tmp_path / "other"), tmp_path / "known_servers"
    async with served(files) as app:
        assert app.certificate is not None
        right = Tls(ca=str(files.authority), known=remembering(file)[0])
        await hello(app.port, right)
        assert "does not hold" in await why_not(app.port, Tls(ca=str(other.authority), known=KnownServers()))
        elsewhere = await why_not(app.port, Tls(ca=str(files.authority), known=KnownServers()), "localhost")
        assert "does not hold" in elsewhere
        assert ".." not in elsewhere
        known, told = remembering(file)
        await hello(app.port, Tls(known=known), "bob")  # --tls alone goes by the authority from then on
        (tmp_path / "tls" / "authority.pem").rename(kept := tmp_path / "kept.pem")
        made(tmp_path / "tls")
        kept.rename(files.authority)
        app.certificate.reload()
        assert "does not hold" in await why_not(app.port, Tls(known=known))
        assert told == []


@pytest.mark.parametrize("text", [None, "no certificate"])
async def test_an_authority_s_file_that_is_none_is_one_sentence(tmp_path: Path, text: str | None) -> None:
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    async with served(made(tmp_path / "tls")) as app:
        assert (await why_not(app.port, Tls(ca=str(file), known=KnownServers()))).startswith(str(file))


async def test_a_list_of_known_servers_that_cannot_be_read_trusts_no_server(tmp_path: Path) -> None:
    async with served(made(tmp_path / "tls")) as app:
        assert "cannot be read" in await why_not(app.port, Tls(known=KnownServers(tmp_path)))


def test_a_fingerprint_is_read_as_magehall_and_openssl_print_it() -> None:
    plain = "0123456789abcdef" * 4
    pairs = ":".join(plain[at : at + 2] for at in range(0, 64, 2)).upper()
    for written in (plain, f" {plain}\n", f"{plain}.", pairs, f"SHA256:{plain}", f"sha256 Fingerprint={pairs}"):
        assert parse_fingerprint(written) == plain
    for written in ("", plain[1:], plain + "0", "g" * 64):
        with pytest.raises(ValueError, match="no SHA-256"):
            parse_fingerprint(written)


# -- peers without TLS -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sent", [b"hello ann\r\n", b'{"type":"hello","id":1,"name":"ann"}\n', b"GET / HTTP/1.1\r\n\r\n", b""]
)
async def test_plain_text_at_a_tls_port_gets_a_sentence(
    tmp_path: Path, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app, "SILENCE_SECONDS", 0.3)
    async with served(made(tmp_path / "tls")) as app:
        wire = Wire(await trio.open_tcp_stream(HOST, app.port), "text", patience=2)
        if sent:
            await wire.send_bytes(sent)
        assert SPEAKS_TLS in await wire.line()
        assert await wire.line() == CLOSED
        await wire.close()


async def test_a_plain_link_to_a_tls_port_is_told_to_add_the_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app, "SILENCE_SECONDS", 0.3)
    async with served(made(tmp_path / "tls")) as app:
        assert "add --tls" in await why_not(app.port, None)


async def test_a_tls_link_to_a_plain_port_is_told_to_leave_it_out() -> None:
    async with trio.open_nursery() as nursery:
        app = await open_hall(nursery)
        assert "speaks no TLS" in await why_not(app.port, Tls(known=KnownServers()))
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    "sent", [b"\x16", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\x16\x03\x01\x00\x05junk!"]
)
async def test_b01_a_handshake_that_never_ends_is_bounded_and_counted_as_a_stranger(
    tmp_path: Path, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.net.tls, "HANDSHAKE_SECONDS", 0.5)
    async with served(made(tmp_path / "tls"), strangers_an_address=3) as app:
        streams = []
        for _ in range(8):
            streams.append(await trio.open_tcp_stream(HOST, app.port))
            await streams[-1].send_all(sent)
        await trio.sleep(0.2)
        assert app.connections <= 3
        wire = await typist(app.port)
        assert "ann" in await says(wire, "hello ann")
        with trio.fail_after(3):
            while app.connections > 1:  # noqa: ASYNC110
                await trio.sleep(0.05)
        for stream in streams:
            await trio.aclose_forcefully(stream)
        await wire.close()


# -- sessions ----------------------------------------------------------------------------------------------------------


async def test_new_files_are_read_again_and_wrong_ones_change_nothing(tmp_path: Path) -> None:
    files = made(tmp_path / "tls")
    certificate = ServerCertificate(files.certificate, files.key)
    first = certificate.fingerprint
    made(tmp_path / "tls")
    certificate.reload()
    assert certificate.fingerprint == files.fingerprint != first
    files.key.write_text("junk")
    with pytest.raises(BadCertificate):
        certificate.reload()
    assert certificate.fingerprint == files.fingerprint


NOW = datetime.now(UTC).replace(tzinfo=None)


@pytest.mark.parametrize(
    ("ends", "told", "warns"),
    [
        (datetime(2021, 3, 4), "THE CERTIFICATE ENDED on 2021-03-04", True),
        (NOW + timedelta(days=9.5), f"Certificate: ends on {NOW + timedelta(days=9.5):%Y-%m-%d}; days left: 9", True),
        (
            NOW + timedelta(days=99.5),
            f"Certificate: ends on {NOW + timedelta(days=99.5):%Y-%m-%d}; days left: 99",
            False,
        ),
        (datetime(2061, 3, 4), "Certificate: ends on 2061-03-04; days left: ", False),
    ],
)
async def test_the_operator_reads_when_the_certificate_ends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, ends: datetime, told: str, warns: bool
) -> None:
    files = made(tmp_path / "tls", HOST, ends=ends)
    async with served(files) as app:
        status = app.lobby.health.current_status()
        await trio.testing.wait_all_tasks_blocked()
    assert next(line for line in status.to_sentences() if "certificate" in line.lower()).startswith(told)
    assert status.to_map()["certificate"] == {"fingerprint": files.fingerprint, "ends": f"{ends:%Y-%m-%dT%H:%M:%SZ}"}
    warned = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [f"{ends:%Y-%m-%d}" in record.getMessage() for record in warned] == [True] * warns


async def test_a_plain_server_has_no_certificate_to_tell_of() -> None:
    async with trio.open_nursery() as nursery:
        status = (await open_hall(nursery, Config(port=0))).lobby.health.current_status()
        nursery.cancel_scope.cancel()
    assert status.to_map()["certificate"] is None
    assert "ertificate" not in "".join(status.to_sentences())


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda files, _other: files.key.unlink(), "key.pem cannot be read: No such file"),
        (lambda files, _other: files.certificate.unlink(), "certificate.pem cannot be read: No such file"),
        (lambda files, _other: files.key.write_text("junk"), "key.pem contains no usable private key"),
        (lambda files, _other: files.key.write_bytes(b""), "key.pem contains no usable private key"),
        (
            lambda files, _other: files.certificate.write_bytes(b"\x00\xff" * 99),
            "certificate.pem contains no usable certificate",
        ),
        (lambda files, _other: files.certificate.write_bytes(files.key.read_bytes()), "contains no usable certificate"),
        (lambda files, other: files.key.write_bytes(other.key.read_bytes()), "does not belong"),
    ],
)
def test_files_that_cannot_be_used_are_one_sentence_at_the_start(tmp_path: Path, spoil: Any, word: str) -> None:
    files = made(tmp_path / "tls")
    spoil(files, made(tmp_path / "other"))
    with pytest.raises(CannotServe) as failed:
        load_certificate(build_config(ServeSettings("", 0, "300+30", certificate=files.certificate, key=files.key)))
    assert word in str(failed.value)
    assert "\n" not in str(failed.value)


def test_an_encrypted_key_and_a_missing_option_are_one_sentence(tmp_path: Path) -> None:
    files = made(tmp_path / "tls")
    if shutil.which("openssl") is not None:
        lock = ["openssl", "pkcs8", "-topk8", "-in", str(files.key), "-out", f"{tmp_path}/locked", "-passout", "pass:x"]
        subprocess.run(lock, check=True)
        with pytest.raises(CannotServe, match="encrypted"):
            load_certificate(
                build_config(ServeSettings("", 0, "300+30", certificate=files.certificate, key=tmp_path / "locked"))
            )
    with pytest.raises(CannotServe, match="both"):
        load_certificate(build_config(ServeSettings("", 0, "300+30", certificate=files.certificate)))
    assert load_certificate(Config()) is None


def test_the_greeting_shows_the_option_and_the_fingerprint(tmp_path: Path) -> None:
    files = made(tmp_path / "tls")
    said = "\n".join(startup_lines(Config(), 7200, None, ServerCertificate(files.certificate, files.key)))
    assert "magehall play --host 127.0.0.1 --port 7200 --tls" in said
    assert "openssl s_client -quiet -connect 127.0.0.1:7200" in said
    assert files.fingerprint in said
    assert "telnet" not in said


async def test_a_password_over_tls_is_not_warned_of(tmp_path: Path) -> None:
    async with served(made(tmp_path / "tls")) as app:
        wire = await typist(app.port)
        await says(wire, "hello ann")
        await wire.send("password correcthorse")
        said = ""
        while "password off" not in said:
            said += await wire.line()
        assert "encrypted" not in said
        await wire.close()


async def test_c19_over_tls_the_operator_s_word_is_not_overheard_behind_a_proxy(tmp_path: Path) -> None:
    async with served(made(tmp_path / "tls"), proxy_from=(ip_network("127.0.0.1"),)) as app:
        wire = await typist(app.port, v1("192.0.2.1"))
        await says(wire, "hello ann")
        assert {session.address for session in app.sessions} == {"192.0.2.1"}
        assert "You are the operator" in await says(wire, f"operator {WORD}")
        assert not app.lobby.operator_access.word_was_overheard
        await wire.close()


async def test_b03_a_peer_that_reads_nothing_is_let_go_over_tls_too(tmp_path: Path) -> None:
    slow = {"outbox_seconds": 0.5, "kernel_bytes": 8_192, "requests_a_second": 10_000.0, "requests_at_once": 10_000}
    async with served(made(tmp_path / "tls"), **slow) as app:
        wire = await typist(app.port, receives=4_096)
        await says(wire, "hello ann")
        with trio.move_on_after(1), suppress(trio.BrokenResourceError):
            while True:
                await wire.send("rules ikasamage\r\n" * 20)
        with trio.fail_after(20):
            while app.sessions:  # noqa: ASYNC110
                await trio.sleep(0.05)
        await wire.close()


async def test_a_connection_that_ends_without_a_word_of_tls_is_closed(tmp_path: Path) -> None:
    async with served(made(tmp_path / "tls")) as app:
        wire = await typist(app.port)
        await says(wire, "hello ann")
        (session,) = app.sessions
        await wire.stream.transport_stream.send_eof()  # type: ignore[attr-defined]
        with trio.fail_after(3):
            while app.sessions:  # noqa: ASYNC110
                await trio.sleep(0.01)
        assert session.ended == "closed"
        await wire.close()


async def test_d24_a_bot_gives_signs_of_life_over_tls_while_it_thinks(tmp_path: Path) -> None:
    async with served(made(tmp_path / "tls")) as app:
        known, _told = remembering(tmp_path / "known_servers")
        async with open_link(tcp(HOST, app.port, Tls(known=known)), Identity("ann", bot=True)) as link:
            assert link.can_send_signs
            for _ in range(3):
                await trio.to_thread.run_sync(_sign, link)
            await link.ask(m.Ping(id=1), m.Pong)
            (session,) = app.sessions
            assert session.player is not None
            assert not session.ended


def _sign(link: Link) -> None:
    link.send_sign_of_life(0, anyhow=True)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
async def test_openssl_is_a_telnet_over_tls(tmp_path: Path) -> None:
    async with served(made(tmp_path / "tls")) as app:
        command = ["openssl", "s_client", "-quiet", "-connect", f"{HOST}:{app.port}"]
        typed = b"hello ann\nwho\nquit\n"
        with trio.fail_after(20):
            done = await trio.run_process(command, stdin=typed, capture_stdout=True, capture_stderr=True)
    assert b"challenge=" in done.stdout
    assert b"Welcome, ann." in done.stdout
    assert b"Goodbye." in done.stdout
    assert b"routines" not in done.stderr  # as OpenSSL writes of an end without a goodbye
