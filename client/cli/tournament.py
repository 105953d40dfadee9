"""`magehall tournament`: lets bots play each other, and ranks them."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import msgspec
import trio
import typer

from client.cli.arguments import GameOptions, SeatCount, TlsCertificate, TlsKey, command_group, complete_game_names
from client.cli.compare import EXAMPLES, compare
from client.cli.cups import audit, export, standings
from client.cli.data import MEMORY
from client.cli.game_options import parse_game_options
from client.cli.plan_options import (
    BotClock,
    Concurrency,
    Unconfined,
    WithoutSockets,
    add_confinement,
    check_entrants,
    check_format,
    choose_game,
    choose_seat_count,
    local_confinement,
    parse_clock,
    parse_secret,
    parse_workers,
)
from client.cli.progress import show_progress
from client.cli.replay_match import EXAMPLES as REPLAY_EXAMPLES
from client.cli.replay_match import replay_match
from client.cli.report import check_files, report
from client.cli.rewriting import rewriting_report
from client.cli.standings_table import render_standings
from client.cli.tournament_file import bots_folder, load_tournament_file
from client.exit_codes import FAILED, INTERRUPTED, MISUSED, exit_with_error, print_error
from client.language import _
from client.tournament.plan import TournamentPlan
from client.tournament.report_page import dropped_entrant_lines, luck_text
from client.tournament.run import TournamentResult, machine_error, run_tournament
from client.tournament.thinking_time import ThinkingTime, match_timing, thinking_times
from client.tournament.tournament_folder import (
    TournamentFolderError,
    create_folder,
    find_folder,
    load_plan,
    save_plan,
    tournaments_folder,
)
from client.tournament.workers import CannotContinue
from games.registry import all_games
from languages import ENGLISH, current_language, speaking
from matches.results import with_computed_places
from people.text.sentences import translate_word
from protocol.printable import escape_text
from server.cups.kept_cups import CupUnreadable, iter_cup_records, read_stored_cup
from server.store.file import CannotOpen
from server.store.rows import StoreFailed
from tournaments.challenge import CHALLENGER, compare_challenger
from tournaments.formats.registry import FORMATS, has_challenger
from tournaments.schedule import SECRET_BYTES, commitment_to
from tournaments.standings import variance_reduction

Report = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE.html", help="A file for a report, updated during the tournament."),
]
Csv = Annotated[
    Path | None, typer.Option("--csv", metavar="FILE", help="A file for the table, updated during the tournament.")
]

app = command_group("tournament", "Lets bots play each other and ranks them.")


app.command(epilog=EXAMPLES)(compare)
app.command()(export)
app.command()(audit)
app.command()(standings)
app.command()(report)
app.command(name="replay-match", epilog=REPLAY_EXAMPLES)(replay_match)


@app.command(
    epilog="""Examples:

\b
  magehall tournament run ikasamage --bot random --bot greedy --seats 4
  magehall tournament run ikasamage --bot greedy --bot my_bot.py:MyBot --rounds 50 --seed 7 --json
  magehall tournament run friday.toml --rounds 2    its settings from a file, but two rounds

A file has the options under their long names, such as format = "swiss", with bots = [...] for --bot and a table of
options for --option. Relative paths of bots start from its folder.

In a round robin, a round has one match per entrant, so that all entrants have all seats equally often. With fresh deals
each match has its own deal. With duplicate deals all tables of a round have the same deal but no entrant in common, and
shares of the win are compared by seat. With rotated deals each deal is played once per entrant. All deals come from a
secret. A tournament draws a new secret, prints its SHA-256 before the first match, and reveals the secret at the end.
With the same secret and seed the standings are the same if the bots take all their randomness from self.rng. If an
entrant cannot start, nothing is played; with --tolerate the others play. Exit code: 0; 1 if an entrant could not start
or did not play all its matches to the end; 130 after Ctrl-C, with the standings so far.
"""
)
def run(
    context: typer.Context,
    game: Annotated[
        str,
        typer.Argument(
            autocompletion=complete_game_names,
            metavar="GAME|FILE.toml",
            help="The game's id, or a file with the tournament's settings.",
            is_eager=True,
            callback=load_tournament_file,
        ),
    ],
    bot: Annotated[
        list[str],
        typer.Option(
            metavar="[LABEL=]BOT[,SETTING=VALUE]",
            help="An entrant: a bot, path.py:Class, cmd:./program or remote:NAME. Repeat it. Settings: tables, clock, "
            "memory, read, option.NAME.",
        ),
    ],
    seats: SeatCount = 0,
    rounds: Annotated[
        int,
        typer.Option(
            min=1, max=10**9, help="The number of rounds. In a round robin a round has one match per entrant."
        ),
    ] = 20,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the schedule and of the bots' randomness.")] = 1,
    option: GameOptions = None,
    clock: BotClock = "60+10",
    secret: Annotated[
        str, typer.Option(metavar="HEX", help="The secret of an earlier tournament, to repeat its deals.")
    ] = "",
    concurrency: Concurrency = 0,
    kind: Annotated[str, typer.Option("--format", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")] = "round_robin",
    deals: Annotated[str, typer.Option(metavar="DEALS", help="fresh, duplicate or rotated.")] = "fresh",
    rank_by: Annotated[
        str, typer.Option(metavar="FIGURE", help="The figure that ranks entrants: score (share of the win) or rating.")
    ] = "score",
    tolerate: Annotated[bool, typer.Option("--tolerate", help="Continues without entrants that cannot start.")] = False,
    host: Annotated[
        str,
        typer.Option(metavar="HOST", help='The address of its server, for remote entrants; "" means all addresses.'),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port of its server. Default: a free one.")] = 0,
    tls_cert: TlsCertificate = None,
    tls_key: TlsKey = None,
    data: Annotated[
        str, typer.Option(metavar="DIR", help="The tournament's folder. Default: a new one in your state directory.")
    ] = "",
    local: WithoutSockets = False,
    workers: Annotated[
        str, typer.Option(metavar="dask://HOST:PORT", help="Like --local, on the workers of this Dask scheduler.")
    ] = "",
    unconfined: Unconfined = False,
    as_json: Annotated[bool, typer.Option("--json", help="Prints the result as JSON.")] = False,
    page: Report = None,
    csv: Csv = None,
) -> None:
    """Plays every match over loopback connections, each bot in a process of its own, and prints the standings."""
    check_files(page, csv)
    page, csv = (file and file.absolute() for file in (page, csv))
    data = data if data in ("", MEMORY) else str(Path(data).absolute())
    if (tls_cert is None) != (tls_key is None):
        exit_with_error(_("TLS needs both a certificate and its key: --tls-cert and --tls-key."), MISUSED)
    tls_cert, tls_key = (file and file.absolute() for file in (tls_cert, tls_key))
    os.chdir(bots_folder(context))
    rules = choose_game(game, bot)
    check_entrants(rules, bot)
    plan = TournamentPlan(
        game=rules.id,
        bots=tuple(bot),
        seats=choose_seat_count(rules, seats),
        rounds=rounds,
        seed=seed,
        secret=parse_secret(secret),
        options=parse_game_options(rules, option),
        clock=parse_clock(clock),
        concurrency=concurrency or os.cpu_count() or 1,
        tolerate=tolerate,
        format=kind,
        deals=deals,
        rank_by=rank_by,
        local=local or bool(workers),
        workers=parse_workers(workers),
        unconfined=unconfined,
        key=secrets.token_bytes(SECRET_BYTES),
        host=host,
        port=port,
        tls_cert=str(tls_cert or ""),
        tls_key=str(tls_key or ""),
        where=str(Path.cwd()),
    )
    check_format(plan)
    plan = add_confinement(plan)
    if reason := trio.run(machine_error, plan):
        exit_with_error(reason)
    plan = replace(plan, folder=_folder(data))
    _keep(plan)
    _hold(plan, page, csv, as_json=as_json)


@app.command(
    epilog="""Examples:

\b
  magehall tournament resume            the latest tournament that was interrupted
  magehall tournament resume 7 --json
  magehall tournament resume --local    without the Dask cluster that it was begun on
"""
)
def resume(
    kept: Annotated[
        str, typer.Argument(metavar="[DIR]", help="The tournament's folder or number. Default: the latest.")
    ] = "",
    local: Annotated[
        bool,
        typer.Option(
            "--local", help="Continues on this machine, for a tournament that began with --local or --workers."
        ),
    ] = False,
    workers: Annotated[
        str, typer.Option(metavar="dask://HOST:PORT", help="Continues on the workers of this Dask scheduler, likewise.")
    ] = "",
    unconfined: Unconfined = False,
    as_json: Annotated[bool, typer.Option("--json", help="Prints the result as JSON.")] = False,
    page: Report = None,
    csv: Csv = None,
) -> None:
    """Continues a tournament that was interrupted or killed. No match is played twice.

    If an entrant can no longer start, no match is played, and you can resume again later.
    """
    check_files(page, csv)
    page, csv = (file and file.absolute() for file in (page, csv))
    try:
        plan = load_plan(find_folder(kept).absolute())
        os.chdir(plan.where)
    except (TournamentFolderError, OSError) as error:
        exit_with_error(str(error), MISUSED)
    check_entrants(choose_game(plan.game, plan.bots), plan.bots)
    if local or workers:
        if not plan.local:
            exit_with_error(
                _(
                    "This tournament began over sockets and must continue over sockets. Leave --local and "
                    "--workers out."
                ),
                MISUSED,
            )
        plan = replace(plan, workers=parse_workers(workers))
    plan = add_confinement(replace(plan, unconfined=plan.unconfined or unconfined))
    try:
        save_plan(plan, overwrite=True)
    except OSError as error:
        exit_with_error(
            _("The tournament cannot be saved in {folder}: {strerror}.", folder=plan.folder, strerror=error.strerror)
        )
    _hold(plan, page, csv, as_json=as_json)


def _hold(plan: TournamentPlan, page: Path | None, csv: Path | None, *, as_json: bool) -> None:
    print(local_confinement(plan).description, file=sys.stderr)
    print(_("Commitment to all deals: {commitment}", commitment=commitment_to(plan.secret)), file=sys.stderr)
    with (
        rewriting_report(plan.folder, page, csv) as rewritten,
        speaking(ENGLISH if as_json else current_language()),
    ):  # output for programs is always English
        with show_progress(_("matches")) as on_match:
            try:
                result = trio.run(run_tournament, plan, on_match)
            except (CannotOpen, CannotContinue) as error:
                print_error(str(error))
                if plan.workers and plan.folder is not None:
                    print(_to_go_on(plan.folder), "[--local | --workers dask://HOST:PORT]", file=sys.stderr)
                raise typer.Exit(FAILED) from None
        rewritten.interrupted = result.interrupted
        whole = _say(plan, result, as_json=as_json)
    if result.interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(0 if result.is_sound and whole and rewritten.whole else FAILED)


def _say(plan: TournamentPlan, result: TournamentResult, *, as_json: bool) -> bool:
    """Prints the tournament's result. Returns whether the tournament is complete."""
    missing: list[str] = []
    for label, words in ((label, words) for label, words in result.troubles.items() if words):
        print(f"{label}:", *(f"  {line}" for line in words.split("\n")), sep="\n", file=sys.stderr)
    if as_json:
        thinking = [None] * len(result.labels) if result.interrupted else _times(plan, result, missing)
        print(msgspec.json.encode(result_to_map(plan, result) | {"thinking": thinking}).decode())
    else:
        print("\n".join(render_result(plan, result)), flush=True)
    if plan.folder is not None:
        print(next_step_text(plan.folder, result), file=sys.stderr)
    for text in missing:
        print(_("Some thinking times are missing: {text}", text=escape_text(text)), file=sys.stderr)
    return not missing


def result_to_map(plan: TournamentPlan, result: TournamentResult) -> dict[str, Any]:
    """Returns the tournament's result as plain data for JSON. It contains no times, so it does not depend on the speed
    of play."""
    return {
        "game": plan.game,
        "entrants": [{"entrant": label, "bot": spec} for label, spec in zip(result.labels, result.bots, strict=True)],
        "seats": plan.seats,
        "format": plan.format,
        "deals": plan.deals,
        "rank_by": plan.rank_by,
        "challenger": result.labels[CHALLENGER] if has_challenger(plan.format) else None,
        "against": compare_challenger(result.labels, result.matches) if has_challenger(plan.format) else [],
        "rounds": plan.rounds,
        "seed": plan.seed,
        "commitment": commitment_to(plan.secret),
        "secret": plan.secret.hex() if result.over else "",
        "options": plan.options,
        "clock": plan.clock,
        "confined_by": ", ".join(plan.confined_by),
        "planned": result.planned,
        "played": len(result.matches),
        "interrupted": result.interrupted,
        "not_started": result.not_started,
        "out": result.out,
        "standings": result.rows,
        "matches": [
            {
                "match": match.pairing.number,
                "deal": match.pairing.deal,
                "seats": [
                    {"entrant": result.labels[entrant], "score": seat.score, "place": seat.place, "how": seat.how}
                    for entrant, seat in zip(match.pairing.entrants, with_computed_places(match.results), strict=False)
                ],
            }
            for match in result.matches
        ],
        "troubles": result.troubles,
    }


def _times(plan: TournamentPlan, result: TournamentResult, missing: list[str]) -> list[ThinkingTime | None]:
    """Returns the thinking times of each entrant, from the stored matches; nothing after an interrupt, because this
    reads every decision. Appends a sentence to `missing` for each match that cannot be read."""
    if plan.folder is None or not result.matches:
        return [None] * len(result.labels)
    found = []
    try:
        cup = read_stored_cup(plan.folder, plan.cup_settings().cup)
        seats = {match.table: match.pairing.entrants for match in cup.finished_matches()}
        for table, record in iter_cup_records(plan.folder, cup, all_games(), missing):
            found.append((seats[table], match_timing(record)))
    except (CupUnreadable, CannotOpen, StoreFailed) as error:
        missing.append(str(error))
    return thinking_times(len(result.labels), found)


def next_step_text(folder: Path, result: TournamentResult) -> str:
    """Returns a sentence: how to continue an unfinished tournament, or where a finished one is stored."""
    return _("Kept in {folder}", folder=folder) if result.over else _to_go_on(folder)


def _to_go_on(folder: Path) -> str:
    named = folder.name if folder.parent == tournaments_folder() else f"{folder}"
    where = shlex.quote(f"./{named}" if folder.name == f"{folder}" and named.isdigit() else named)
    return _("To go on: magehall tournament resume {where}", where=where)


def render_result(plan: TournamentPlan, result: TournamentResult) -> list[str]:
    """Returns the tournament's result as lines of text."""
    head = _(
        "{game}: {matches} of {planned} matches, {seats} seats, {deals} deals, seed {seed}",
        game=plan.game,
        matches=len(result.matches),
        planned=result.planned,
        seats=plan.seats,
        deals=translate_word(plan.deals),
        seed=plan.seed,
    )
    lost = ", ".join(result.not_started)
    if not result.rows:
        why = (
            _("{lost} could not start: nothing was played.", lost=lost)
            if lost
            else _("No match was played to its end.")
        )
        return [head, why]
    if lost and result.begun and set(result.not_started) <= set(result.labels):
        head += _("; {lost} could not start", lost=lost)
    elif lost:
        head += _(", without {lost}", lost=lost)
    secret = [_("All deals came from the secret {secret}", secret=plan.secret.hex())] if result.over else []
    same = variance_reduction(result.matches, duplicate=plan.deals == "duplicate") if plan.deals != "fresh" else None
    gained = [said] if (said := luck_text(same)) else []
    lines = render_standings(result.rows, plan.cup_settings(), result.labels, result.matches)
    return [head, *lines, *dropped_entrant_lines(result.out), *gained, *secret]


def _keep(plan: TournamentPlan) -> None:
    try:
        save_plan(plan)
    except FileExistsError:
        exit_with_error(
            _(
                "There is already a tournament in {folder}. Continue it with `magehall tournament resume`.",
                folder=plan.folder,
            ),
            MISUSED,
        )
    except CannotOpen as error:
        exit_with_error(str(error))
    except OSError as error:
        exit_with_error(
            _("The tournament cannot be saved in {folder}: {strerror}.", folder=plan.folder, strerror=error.strerror)
        )


def _folder(given: str) -> Path:
    if given == MEMORY:
        exit_with_error(
            _("A tournament needs a folder, so that it can be checked. Leave --data out for a new one."),
            MISUSED,
        )
    try:
        return Path(given) if given else create_folder()
    except OSError as error:
        exit_with_error(_("The tournament cannot be saved: {error}.", error=error))
