"""What a server or a file says reaches no terminal as a command, on whatever way it comes there."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

import client.cli.app
import client.cli.tournament
from bots.sdk.stderr import print_to_stderr
from client.cli.app import main
from client.exit_codes import exit_with_error

CLEARS = "\x1b[2J\x9b2J\u202e"
SHOWN = r"\u{1b}[2J\u{9b}2J\u{202e}"


def test_a_sentence_with_which_a_command_fails_is_spelled_out(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        exit_with_error(f"Two\nlines.{CLEARS}")
    assert capsys.readouterr().err == f"magehall: Two\nlines.{SHOWN}\n"


def test_what_a_bot_reports_of_its_server_is_spelled_out(capsys: pytest.CaptureFixture[str]) -> None:
    print_to_stderr(f"table t1: refused:\n{CLEARS}")
    assert capsys.readouterr().err == f"table t1: refused:\n{SHOWN}\n"


def test_an_error_that_nobody_foresaw_is_spelled_out_too(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def app(_words: object) -> None:
        raise ValueError(CLEARS)

    monkeypatch.setattr(client.cli.app, "app", app)
    with pytest.raises(SystemExit) as ended:
        main()
    told = capfd.readouterr().err
    assert ended.value.code == 1
    assert told.endswith(f"ValueError: {SHOWN}\n")
    assert told.startswith("Traceback")


@pytest.mark.parametrize("damage", [(6, b"\xff\x00"), (8, b"\x00\x08")], ids=["version", "name"])
def test_a_damaged_bundle_ends_the_audit_with_a_sentence(tmp_path: Path, damage: tuple[int, bytes]) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("cup.json", "{}")
    data = bytearray(packed.getvalue())
    entry = data.index(b"PK\x01\x02")
    place, wrong = damage
    data[entry + place : entry + place + len(wrong)] = wrong
    data[entry + 46] = 0xFF  # the name's first letter
    bundle = tmp_path / "cup.zip"
    bundle.write_bytes(data)
    told = CliRunner().invoke(client.cli.tournament.app, ["audit", str(bundle)])
    assert told.exit_code == 1
    assert "It is no bundle" in told.stderr
