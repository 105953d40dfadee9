"""`magehall tournament replay-match`: shows one stored match of a tournament, or plays it again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import trio
import typer

from client.cli.arguments import AsJson
from client.cli.plan_options import Unconfined, add_confinement, check_entrants, choose_game
from client.exit_codes import FAILED, INTERRUPTED, MISUSED, exit_with_error
from client.language import _
from client.tournament.rerun import rerun_match
from client.tournament.tournament_folder import TournamentFolderError, find_folder, load_plan
from client.tournament.workers import CannotContinue
from games.registry import all_games
from languages import ENGLISH, current_language, speaking
from people.text.sentences import translate_word
from protocol.messages import SeatResult
from protocol.printable import escape_text
from server.cups.kept_cups import CupUnreadable, read_stored_cup
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from server.table.archive import MatchNotFound, load_finished_match

EXAMPLES = """Examples:

\b
  magehall tournament replay-match 7 17              match 17 of tournament 7, as it was
  magehall tournament replay-match 7 17 --play       the same bots play the same deal again
  magehall tournament replay-match cup 17 --data DIR --play

Exit code: 0, or 1 if the match went differently.
"""


def replay_match(
    cup: Annotated[
        str, typer.Argument(metavar="CUP", help="The tournament's folder or number; with --data, the name of its cup.")
    ],
    match: Annotated[int, typer.Argument(min=1, metavar="MATCH", help="The number of the match, from 1.")],
    play: Annotated[bool, typer.Option("--play", help="Plays the match again.")] = False,
    data: Annotated[str, typer.Option(metavar="DIR", help="The tournament's folder.")] = "",
    unconfined: Unconfined = False,
    as_json: AsJson = False,
) -> None:
    """Shows one match of a saved tournament, or lets the same bots play the same deal again."""
    try:
        folder = (Path(data) if data else find_folder(cup)).absolute()
        plan = load_plan(folder)
        kept = read_stored_cup(folder, cup if data else plan.cup_settings().cup)
        if kept.is_hidden(kept.tables.get(match, "")):
            exit_with_error(_("Other tables still have to play the deal of match {match}.", match=match))
        if match not in kept.results:
            exit_with_error(
                _("Match {match} is not over; {played} matches are.", match=match, played=len(kept.results)), MISUSED
            )
        record = load_finished_match(folder, kept.tables[match], all_games())
    except (TournamentFolderError, CupUnreadable, MatchNotFound, CannotOpen, StoreFailed, OSError) as error:
        exit_with_error(str(error), MISUSED)
    results = kept.results[match].results
    names = [kept.entrant_names[entrant] for entrant in kept.results[match].pairing.entrants]
    if not play:
        lines = _said(match, names, results)
        shown = f"magehall replay {kept.tables[match]} --data {shlex.quote(str(folder))}"
        lines.append(_("{command} steps through it; --play plays it again.", command=shown))
        _print(lines, {"match": match, "results": results}, as_json=as_json)
        return
    try:
        os.chdir(plan.where)
    except OSError as error:
        exit_with_error(str(error), MISUSED)
    check_entrants(choose_game(plan.game, plan.bots), plan.bots)
    plan = add_confinement(replace(plan, unconfined=plan.unconfined or unconfined))
    try:
        with speaking(ENGLISH if as_json else current_language()):
            again = trio.run(rerun_match, plan, record, results, kept.absent[match])
    except CannotContinue as error:
        exit_with_error(str(error))
    if again is None:
        raise typer.Exit(INTERRUPTED)
    for label, words in again.troubles.items():
        typer.echo("\n".join([f"{label}:", *(f"  {line}" for line in words.split("\n"))]), err=True)
    same = _("It went the same way.")
    if again.difference:
        same = _("It went differently. {text}", text=again.difference)
    told = {"match": match, "same": not again.difference, "difference": again.difference, "results": again.results}
    _print([*_said(match, names, again.results), same], told, as_json=as_json)
    raise typer.Exit(FAILED if again.difference else 0)


def _said(match: int, names: Sequence[str], results: Sequence[SeatResult]) -> list[str]:
    lines = [_("Match {match}:", match=match)]
    for name, one in zip(names, results, strict=False):
        lines.append(
            _(
                "  seat {seat}, {name}: place {place}, score {score} ({how})",
                seat=one.seat,
                name=name,
                place=one.place,
                score=one.score,
                how=translate_word(one.how),
            )
        )
    return lines


def _print(lines: Sequence[str], told: object, *, as_json: bool) -> None:
    typer.echo(msgspec.json.encode(told).decode() if as_json else "\n".join(map(escape_text, lines)))
