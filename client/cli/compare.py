"""`magehall tournament compare`: plays two bots until it is certain whether one is better."""

from __future__ import annotations

import math
import os
import secrets
import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import msgspec
import trio
import typer

from client.cli.arguments import AsJson, GameOptions, SeatCount, check_not_nan, parse_names
from client.cli.game_options import parse_game_options
from client.cli.plan_options import (
    BotClock,
    Concurrency,
    Unconfined,
    WithoutSockets,
    check_confinement,
    check_entrants,
    choose_game,
    choose_seat_count,
    parse_clock,
    parse_secret,
)
from client.cli.progress import show_progress
from client.exit_codes import FAILED, INTERRUPTED, MISUSED, exit_with_error
from client.language import _, ngettext
from client.tournament.comparison import ComparisonPlan, Verdict, play_comparison
from client.tournament.comparison_folder import ComparisonFolder, open_comparison
from client.tournament.confinement import choose_confinement
from client.tournament.plan import TournamentPlan
from client.tournament.specs import parse_entrant
from client.tournament.tournament_folder import TournamentFolderError
from client.tournament.workers import CannotContinue
from server.store.file import CannotOpen
from tournaments.schedule import SECRET_BYTES

EXAMPLES = """Examples:

\b
  magehall tournament compare new.py:Mine old.py:Mine --game ikasamage --field greedy,random
  magehall tournament compare greedy random --game ikasamage --until-sure 0.01 --local
  magehall tournament compare new.py:Mine old.py:Mine --game ikasamage --elo0 0 --elo1 20 --data comparison

Each deal is played twice, once by each of the two bots in the same seat, with the same opponents. The comparison ends
as soon as the answer is certain. If the bots are equal, the probability of a wrong answer is below --until-sure. With
--elo0 and --elo1 the answer is "better" (by more than --elo0) or "no better" (less than --elo1 ahead), and each is
wrong with at most that probability. Run the same command with the same --data to continue after Ctrl-C or a kill.
Exit code: 0 if the answer is certain, 1 if it is open, 130 after Ctrl-C.
"""


def compare(
    new: Annotated[str, typer.Argument(metavar="NEW", help="A bot, or path.py:Class.")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="The bot to compare it with.")],
    field: Annotated[
        str, typer.Option(metavar="A,B,..", help="The bots that they play against. Default: each other.")
    ] = "",
    error: Annotated[
        float,
        typer.Option(
            "--until-sure",
            min=1e-9,
            max=0.5,
            callback=check_not_nan,
            help="The probability of calling one of two equal bots better.",
        ),
    ] = 0.05,
    most: Annotated[int, typer.Option(min=1, help="The most deals to play.")] = 3_000,
    game: Annotated[str, typer.Option(metavar="GAME", help="The game. Default: the only one that all bots play.")] = "",
    seats: SeatCount = 0,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the bots' randomness and of the seating.")] = 1,
    option: GameOptions = None,
    clock: BotClock = "60+10",
    secret: Annotated[
        str, typer.Option(metavar="HEX", help="The secret of an earlier comparison, to repeat its deals.")
    ] = "",
    concurrency: Concurrency = 0,
    elo0: Annotated[
        float | None,
        typer.Option(metavar="ELO", help='With --elo1: the answer is "better" only above this difference.'),
    ] = None,
    elo1: Annotated[
        float | None, typer.Option(metavar="ELO", help='With --elo0: the answer is "no better" below this difference.')
    ] = None,
    local: WithoutSockets = False,
    data: Annotated[
        str, typer.Option(metavar="DIR", help="A folder for the comparison, so that it can be continued.")
    ] = "",
    unconfined: Unconfined = False,
    as_json: AsJson = False,
) -> None:
    """Plays paired deals until it is certain which of two bots is better, or that the new one is no better."""
    others = parse_names(field)
    rules = choose_game(game, (new, old, *others))
    check_entrants(rules, (new, old, *others))
    plan = TournamentPlan(
        game=rules.id,
        bots=(),
        seats=choose_seat_count(rules, seats),
        rounds=1,
        seed=seed,
        secret=parse_secret(secret),
        options=parse_game_options(rules, option),
        clock=parse_clock(clock),
        concurrency=concurrency or os.cpu_count() or 1,
        local=local,
        key=secrets.token_bytes(SECRET_BYTES),
        where=str(Path.cwd()),
        unconfined=unconfined,
    )
    if (elo0 is None) != (elo1 is None):
        exit_with_error(_("--elo0 and --elo1 go together: give both or neither."), MISUSED)
    if elo0 is not None and elo1 is not None and not (math.isfinite(elo0) and math.isfinite(elo1) and elo0 < elo1):
        exit_with_error(
            _("--elo0 must be below --elo1, but {elo0:g} is not below {elo1:g}.", elo0=elo0, elo1=elo1), MISUSED
        )
    specs = [parse_entrant(text) for text in (new, old, *others)]
    for spec in specs:
        if local and not spec.is_python:
            exit_with_error(
                _("{label} is not a Python bot on this machine, so it cannot play with --local.", label=spec.label),
                MISUSED,
            )
    found = choose_confinement(specs, together=local)
    check_confinement(found, unconfined=unconfined)
    duel = ComparisonPlan(plan, new, old, others, error, most, elo0, elo1)
    if most < duel.deals_per_round:
        exit_with_error(
            _("--most must be at least {deals} here, because a round has that many deals.", deals=duel.deals_per_round),
            MISUSED,
        )
    print(found.description, file=sys.stderr)
    kept = _kept(duel, data, secret_is_given=bool(secret)) if data else None
    duel = kept.duel if kept is not None else duel
    try:
        with show_progress(_("deals")) as on_deal:
            verdict = (
                trio.run(play_comparison, duel, on_deal, kept)
                if kept is not None
                else trio.run(play_comparison, duel, on_deal)
            )
    except (OSError, CannotOpen, CannotContinue) as error_:
        exit_with_error(str(error_))
    for label, words in verdict.troubles.items():
        print(f"{label}:", *(f"  {line}" for line in words.split("\n")), sep="\n", file=sys.stderr)
    for bot, forfeits in verdict.forfeits.items():
        print(
            ngettext(
                "{bot} did not play {n} seat to the end and gets the last place there.",
                "{bot} did not play {n} seats to the end and gets the last place there.",
                forfeits,
                bot=bot,
            ),
            file=sys.stderr,
        )
    if verdict.alone:
        print(
            ngettext(
                "NEW has played {n} more deal that OLD has not played, so it does not count.",
                "NEW has played {n} more deals that OLD has not played, so they do not count.",
                verdict.alone,
            ),
            file=sys.stderr,
        )
    told = comparison_to_map(duel, verdict) | {"confined_by": found.by}
    print(msgspec.json.encode(told).decode() if as_json else describe_comparison(duel, verdict))
    if kept is not None and not verdict.answer:
        print(
            _("To continue, run the same command again. The comparison is saved in {folder}.", folder=kept.folder),
            file=sys.stderr,
        )
    if verdict.interrupted:
        raise typer.Exit(INTERRUPTED)
    raise typer.Exit(0 if verdict.answer else FAILED)


def _kept(duel: ComparisonPlan, data: str, *, secret_is_given: bool) -> ComparisonFolder:
    folder = Path(data).absolute()
    try:
        return open_comparison(duel, folder, secret_is_given=secret_is_given)
    except TournamentFolderError as error:
        exit_with_error(str(error), MISUSED)
    except OSError as error:
        exit_with_error(
            _("The comparison cannot be saved in {folder}: {strerror}.", folder=folder, strerror=error.strerror)
        )


def comparison_to_map(duel: ComparisonPlan, verdict: Verdict) -> dict[str, Any]:
    """Returns the result of the comparison as plain data for the command's JSON output."""
    low, high = verdict.comparison.mean_interval(duel.error)
    return {
        "game": duel.plan.game,
        "new": duel.new,
        "old": duel.old,
        "field": duel.field,
        "seats": duel.plan.seats,
        "seed": duel.plan.seed,
        "secret": duel.plan.secret.hex(),
        "error": duel.error,
        "deals": verdict.comparison.deal_count,
        "difference": verdict.comparison.mean_difference,
        "low": low,
        "high": high,
        "forfeits": dict(verdict.forfeits),
        "elo0": duel.elo0,
        "elo1": duel.elo1,
        "answer": verdict.answer or None,
        "better": {"better": "new", "worse": "old"}.get(verdict.answer),
    }


def describe_comparison(duel: ComparisonPlan, verdict: Verdict) -> str:
    """Returns the result of the comparison as one sentence."""
    count = verdict.comparison.deal_count
    if verdict.failed:
        return _("There is no result: {listed} could not start.", listed=", ".join(verdict.failed.not_started))
    if not count:
        return _("There is no result: both bots did not finish any deal.")
    low, high = (f"{bound:+.3f}" for bound in verdict.comparison.mean_interval(duel.error))
    shown = _(
        "{mean:+.3f} of the win per deal, {percent} % interval {low} to {high}",
        mean=verdict.comparison.mean_difference,
        percent=f"{(100 - 100 * Decimal(str(duel.error))).normalize():f}",
        low=low,
        high=high,
    )
    if verdict.answer == "no_better":
        return _(
            "{new} is no better than {old}, certainly less than {elo1:+g} Elo ahead: NEW against OLD "
            "{shown}, after {count:,} deals.",
            new=duel.new,
            old=duel.old,
            elo1=duel.elo1,
            shown=shown,
            count=count,
        )
    if verdict.answer and duel.elo0:
        return _(
            "{new} is better than {old} by more than {elo0:+g} Elo: NEW against OLD {shown}, after {count:,} deals.",
            new=duel.new,
            old=duel.old,
            elo0=duel.elo0,
            shown=shown,
            count=count,
        )
    if not verdict.answer:
        return _(
            "After {count:,} deals it is not known which is better: NEW against OLD {shown}.", count=count, shown=shown
        )
    better, worse = (duel.new, duel.old) if verdict.answer == "better" else (duel.old, duel.new)
    return _(
        "{better} is better than {worse}: NEW against OLD {shown}, after {count:,} deals.",
        better=better,
        worse=worse,
        shown=shown,
        count=count,
    )
