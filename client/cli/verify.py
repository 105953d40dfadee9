"""`magehall verify`: computes replays again, and names the first line that is wrong."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from client.cli.arguments import AsJson, command_group
from client.cli.sources import ServerData, read_replay_source
from client.exit_codes import FAILED
from client.language import _
from client.replay_store import ReplayNotFound
from games.registry import all_games
from languages import ENGLISH, current_language, speaking
from matches.moments import count_decisions
from matches.record import verify_replay
from protocol.replay import BadReplay

app = command_group("verify", "Checks replays.")


@app.command(
    name="verify",
    epilog="""Examples:

\b
  magehall verify last
  magehall verify *.jsonl --json
""",
)
def verify_command(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Files, names that `magehall matches` lists, or - for stdin.")
    ],
    as_json: AsJson = False,
    data: ServerData = "",
) -> None:
    """Checks replays: hashes, commitment, deal, every decision, the result. Exit code 1 if one is not valid."""
    bad = False
    for file in files:
        with speaking(ENGLISH if as_json else current_language()):  # output for programs is English
            line, text = _fault(file, data)
        bad |= line is not None
        if as_json:
            print(json.dumps({"file": file, "ok": line is None, "line": line, "text": text}))
        else:
            holds = text if text.startswith(f"{file} ") else _("{file}: {text}", file=file, text=text)
            print(_("{file}: line {line}: {text}", file=file, line=line, text=text) if line else holds)
    raise typer.Exit(FAILED if bad else 0)


def _fault(file: str, data: str) -> tuple[int | None, str]:
    """Returns the number of the first wrong line (0 if the file cannot be read, None if the replay is valid) and a
    sentence."""
    try:
        record = verify_replay(read_replay_source(file, data), all_games())
    except ReplayNotFound as error:
        return 0, str(error)
    except BadReplay as error:
        return error.line, error.text
    return None, (
        _(
            "holds. {title}, {seats} seats, {decisions} decisions: hashes, commitment, deal, decisions and result.",
            title=record.game.title,
            seats=len(record.header.seats),
            decisions=count_decisions(record),
        )
    )
