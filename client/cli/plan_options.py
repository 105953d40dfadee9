"""Checks the options of tournament commands: games, bots, seats, secrets, clocks. An error ends the command."""

from __future__ import annotations

import re
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import msgspec
import typer

from bots.sdk.registry import NoSuchBot, bot_plays, check_plays, get_bot
from client.cli.arguments import resolve_game_id
from client.cli.seats import resolve_seat_count
from client.exit_codes import MISUSED, exit_with_error
from client.language import _
from client.tournament.confinement import Confinement, choose_confinement
from client.tournament.dask_workers import SCHEME
from client.tournament.plan import TournamentPlan
from client.tournament.run import plan_error
from client.tournament.specs import BadEntrant, parse_entrant
from games.api import Game
from games.registry import all_games, get_game
from people.text.clocks import parse_clock_rule
from protocol.messages import ClockRule
from protocol.names import lookalike_key
from tournaments.formats.registry import make_format
from tournaments.schedule import SECRET_BYTES, max_seats_per_entrant
from tournaments.standings import RANK_BY

MOST_AT_ONCE = 64  # the most seats of one player at the same time
MOST_ENTRANTS = 64

Unconfined = Annotated[
    bool, typer.Option("--unconfined", help="Runs foreign bots even if no sandbox is available for them.")
]

BotClock = Annotated[
    str, typer.Option(metavar="MAIN+INC", help="The clock: seconds for a match, and for each decision.")
]
Concurrency = Annotated[
    int, typer.Option(min=0, max=MOST_AT_ONCE, help="The number of matches at a time. Default: one per processor.")
]
WithoutSockets = Annotated[
    bool,
    typer.Option("--local", help="Plays without sockets, several times as fast. Only for Python bots that you trust."),
]


def check_entrants(game: Game, specs: Sequence[str]) -> None:
    """Ends the command for mistakes in the entrants that are visible without running their files."""
    if len(specs) > MOST_ENTRANTS:
        exit_with_error(_("There are at most {most} entrants.", most=MOST_ENTRANTS), MISUSED)
    for spec in specs:
        try:
            entrant = parse_entrant(spec)
            if not entrant.files and not entrant.remote:
                check_plays(spec, get_bot(entrant.bot), game.id)
        except (BadEntrant, NoSuchBot, ValueError) as error:
            exit_with_error(str(error), MISUSED)


def choose_seat_count(game: Game, seats: int) -> int:
    """Returns the wanted number of seats at a table, or the game's usual number if `seats` is 0."""
    try:
        return resolve_seat_count(game, seats)
    except ValueError as error:
        exit_with_error(str(error), MISUSED)


def check_format(plan: TournamentPlan) -> None:
    """Ends the command if the format does not allow a tournament with these entrants and settings."""
    specs = [parse_entrant(text) for text in plan.bots]
    at_a_table = max_seats_per_entrant(len(specs), plan.seats)
    try:
        make_format(plan.format, plan.deals, len(specs), plan.seats, plan.rounds, plan.seed)
    except ValueError as error:
        exit_with_error(str(error), MISUSED)
    if plan.rank_by not in RANK_BY:
        exit_with_error(_("--rank-by is one of: {listed}.", listed=", ".join(RANK_BY)), MISUSED)
    elsewhere: set[str] = set()
    for spec in specs:
        if spec.remote and lookalike_key(spec.remote) in elsewhere:
            exit_with_error(
                _("{name} is listed twice. A remote player can only be one entrant.", name=spec.remote), MISUSED
            )
        elsewhere.add(lookalike_key(spec.remote))
        if at_a_table > 1 and spec.remote:
            exit_with_error(
                _(
                    "{label} would need {at_a_table} seats at a table, but a remote player has only one.",
                    label=spec.label,
                    at_a_table=at_a_table,
                ),
                MISUSED,
            )
        if spec.tables and spec.tables < at_a_table:
            exit_with_error(
                _(
                    "{label} has {at_a_table} seats at a table, so it needs tables={at_a_table} or more.",
                    label=spec.label,
                    at_a_table=at_a_table,
                ),
                MISUSED,
            )
        if spec.remote and plan.deals == "rotated":
            exit_with_error(
                _("Rotated deals are only for local bots, because a remote player may remember a deal."), MISUSED
            )
        if plan.local and not spec.is_python:
            exit_with_error(
                _("{label} is not a Python bot on this machine, so it cannot play with --local.", label=spec.label),
                MISUSED,
            )
    if plan.local and (plan.host, plan.port, plan.tls_cert) != (
        TournamentPlan.host,
        TournamentPlan.port,
        TournamentPlan.tls_cert,
    ):
        exit_with_error(
            _("With --local or --workers there is no server, so leave --host, --port and --tls-cert out."),
            MISUSED,
        )
    if plan.local and plan.deals == "rotated":
        exit_with_error(_("Rotated deals need a fresh process for each match, which --local does not have."), MISUSED)
    reason = plan_error(plan)
    if reason:
        exit_with_error(reason, MISUSED)


def add_confinement(plan: TournamentPlan) -> TournamentPlan:
    """Returns the plan with its bots' confinement filled in. Ends the command if foreign code would run unconfined
    without --unconfined."""
    found = local_confinement(plan)
    check_confinement(found, unconfined=plan.unconfined)
    return replace(plan, confined_by=tuple(dict.fromkeys([*plan.confined_by, found.by])))


def local_confinement(plan: TournamentPlan) -> Confinement:
    """Returns how this machine would confine the plan's bots."""
    return choose_confinement(map(parse_entrant, plan.bots), together=plan.local)


def check_confinement(found: Confinement, *, unconfined: bool) -> None:
    """Ends the command if bots that need confinement would have none, unless `unconfined` is true."""
    if not found.is_safe and not unconfined:
        exit_with_error(
            _(
                "Bots cannot be confined here: {why} Add --unconfined to run them anyway. They can then do "
                "everything that you can do.",
                why=found.why,
            ),
            MISUSED,
        )


def parse_secret(text: str) -> bytes:
    """Returns the secret from which all deals are derived: the one in `text`, or a new one."""
    if not text:
        return secrets.token_bytes(SECRET_BYTES)
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES:
        exit_with_error(_("A secret is {digits} hex digits.", digits=2 * SECRET_BYTES), MISUSED)
    return secret


def parse_workers(text: str) -> str:
    """Returns the address that the value of --workers names; "" if the option is not given."""
    if text and not re.fullmatch(rf"{SCHEME}\S+:[0-9]{{1,5}}", text):
        exit_with_error(_("--workers must be {scheme}HOST:PORT, not {text!r}.", scheme=SCHEME, text=text), MISUSED)
    return text.removeprefix(SCHEME)


def parse_clock(text: str) -> ClockRule:
    """Parses a clock that is written as MAIN+INC, both in seconds."""
    try:
        return parse_clock_rule(text)
    except ValueError as error:
        exit_with_error(str(error), MISUSED)


def choose_game(game_id: str, specs: Sequence[str]) -> Game:
    """Returns the game with that id. If the id is "", returns the only game that all these bots play."""
    if game_id:
        return get_game(resolve_game_id(game_id))
    try:
        entrants = [parse_entrant(spec) for spec in specs]
        kinds = [get_bot(one.bot) for one in entrants if not (one.files or one.remote)]
    except (BadEntrant, NoSuchBot) as error:
        exit_with_error(str(error), MISUSED)
    played = [game for name, game in all_games().items() if kinds and all(bot_plays(kind, name) for kind in kinds)]
    if len(played) != 1:
        exit_with_error(
            _(
                "Choose a game with --game: {listed}.",
                listed=", ".join(game.id for game in played or all_games().values()),
            ),
            MISUSED,
        )
    return played[0]


def repeat_command(plan: TournamentPlan, *, told: bool = False) -> str:
    """Returns the command that plays the tournament again. It includes the secret, and so repeats the deals, only with
    `told`."""
    words = ["magehall", "tournament", "run", plan.game]
    for bot in plan.bots:
        words += ["--bot", bot]
    words += ["--seats", f"{plan.seats}", "--rounds", f"{plan.rounds}", "--seed", f"{plan.seed}"]
    words += ["--format", plan.format, "--deals", plan.deals]
    words += ["--rank-by", plan.rank_by] if plan.rank_by != RANK_BY[0] else []
    words += ["--clock", f"{plan.clock.main:g}+{plan.clock.increment:g}", "--concurrency", f"{plan.concurrency}"]
    for name, value in plan.options.items():
        words += ["--option", f"{name}={msgspec.json.encode(value).decode()}"]
    if plan.local:
        words += ["--workers", f"{SCHEME}{plan.workers}"] if plan.workers else ["--local"]
    if plan.unconfined:
        words += ["--unconfined"]
    return shlex.join(words + (["--secret", plan.secret.hex()] if told else []))
