"""`magehall bot check`: runs a bot in separate processes, which can be killed, and compares its choices in them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
import trio
import typer

from bots.sdk import check as checking
from bots.sdk.bot import Bot
from bots.sdk.check import (
    ADVICE,
    LIMIT_SECONDS,
    STUCK,
    CheckReport,
    Finding,
    fault_advice,
    first_choices,
    first_difference,
)
from client.cli.arguments import AsJson, check_not_nan
from client.cli.game_options import parse_options
from client.cli.own_bot import OfClass, Spec, games_for_bot, require_bot_class, reserve_stdout
from client.cli.plan_options import Unconfined, check_confinement
from client.exit_codes import FAILED, MISUSED, exit_with_error
from client.language import N_, _
from client.processes.forks import ForkedProcess, ForkServer, open_fork_server
from client.processes.sandbox import Sandbox
from client.tournament.confinement import BUBBLEWRAP, choose_confinement
from client.tournament.specs import BadEntrant, parse_entrant
from client.tournament.specs import EntrantSpec as Entrant
from games.registry import all_games
from languages import ENGLISH, current_language, speaking

EXAMPLES = """Examples:

\b
  magehall bot check my_bot.py:MyBot
  magehall bot check my_bot.py:MyBot --game ikasamage --matches 50 --json

The bot plays as in a tournament: in processes of its own, with their limits, each in a sandbox.
"""
LOADING, LOADED = N_("loading the file"), "loaded"
LOADING_SECONDS = 30.0
PATIENCE_SECONDS = 3.0  # wait beyond the time limit of a bot's call, after which its process is killed
STDERR_BYTES = 65_536

Games = Annotated[list[str] | None, typer.Option(metavar="GAME", help="A game to play. Default: all that it plays.")]
Matches = Annotated[int, typer.Option(min=1, help="The number of matches of each game. Each is played twice.")]
Seed = Annotated[int, typer.Option(min=0, help="The seed of the matches.")]
Limit = Annotated[
    float,
    typer.Option(
        min=0.1,
        max=86_400_000,
        callback=check_not_nan,
        metavar="MS",
        help="The time limit of a decision, in milliseconds.",
    ),
]


class ExamineResult(msgspec.Struct):
    """The result of one process that examined the bot."""

    report: CheckReport
    games: tuple[str, ...]
    # by game: the bot's choices in the first match; filled only if nothing else was played
    first: dict[str, list[Any]] = {}


@dataclass
class _Run:
    """A running process that examines the bot: its last reported step, its result and its stderr. `ended` says in words
    how it ended early."""

    at: str = LOADING
    examined: ExamineResult | None = None
    stderr: bytearray = field(default_factory=bytearray)
    ended: Finding | None = None


def check_command(
    bot: Spec,
    game: Games = None,
    matches: Matches = 10,
    seed: Seed = 1,
    limit: Limit = LIMIT_SECONDS * 1000,
    option: OfClass = None,
    seconds: Annotated[
        float, typer.Option(min=1, callback=check_not_nan, help="The time limit of the whole check, in seconds.")
    ] = 600,
    unconfined: Unconfined = False,
    as_json: AsJson = False,
) -> None:
    """Checks a bot for illegal actions, crashes, slow decisions, and choices that differ under the same seed.

    Exit code 1 if there are any.
    """
    arguments = ["--matches", str(matches), "--seed", str(seed), "--limit", str(limit)]
    arguments += [word for game_id in game or () for word in ("--game", game_id)]
    arguments += _options(option or ())
    with speaking(ENGLISH if as_json else current_language()):  # output for programs is English
        entrant = _entrant(bot)
        found = choose_confinement([entrant])
        check_confinement(found, unconfined=unconfined)
        print(found.description, file=sys.stderr)
        sandboxed = found.by == BUBBLEWRAP
        report = trio.run(_check, bot, entrant, sandboxed, arguments, limit / 1000 * STUCK + PATIENCE_SECONDS, seconds)
    if as_json:
        print(msgspec.json.encode({"ok": report.ok, **msgspec.structs.asdict(report)}).decode())
    else:
        print("\n".join(render_report(report)))
    raise typer.Exit(0 if report.ok else FAILED)


def examine_command(
    bot: Spec,
    game: Games = None,
    matches: Matches = 10,
    seed: Seed = 1,
    limit: Limit = LIMIT_SECONDS * 1000,
    option: OfClass = None,
    first: Annotated[bool, typer.Option("--first", help="Just the first match.")] = False,
) -> None:
    """Plays the matches of a check in this process. Prints the progress on stdout, and at the end the faults that it
    found."""
    out = reserve_stdout()
    kind = require_bot_class(bot, parse_options(option or ()))
    games = games_for_bot(kind, game or ())
    print(LOADED, file=out, flush=True)
    if first:
        choices = {game_id: first_choices(kind, played, seed, limit / 1000) for game_id, played in games.items()}
        examined = ExamineResult(CheckReport(bot, (), ()), tuple(games), choices)
    else:
        report = checking.check(
            bot,
            kind,
            games,
            matches=matches,
            seed=seed,
            limit=limit / 1000,
            at=lambda where: print(where, file=out, flush=True),
        )
        findings = (*_missing_games(kind), *report.findings)
        examined = ExamineResult(msgspec.structs.replace(report, findings=findings), tuple(games))
    print(msgspec.json.encode(examined).decode(), file=out, flush=True)


def _missing_games(kind: type[Bot]) -> list[Finding]:
    if isinstance(kind.games, str):
        text = _("games is {games}, which is a string; a tuple of one is ({games},)", games=repr(kind.games))
        return [Finding("missing_game", "", text, 1, fault_advice("missing_game"))]
    missing = [game_id for game_id in kind.games if game_id not in all_games()]
    text = _(
        "{listed} is not installed; there are: {known}",
        listed=", ".join(map(repr, missing)),
        known=", ".join(all_games()),
    )
    return [Finding("missing_game", "", text, len(missing), fault_advice("missing_game"))] if missing else []


def _entrant(bot: str) -> Entrant:
    try:
        spec = parse_entrant(bot)
    except BadEntrant as error:
        exit_with_error(str(error), MISUSED)
    if spec.remote:
        exit_with_error(
            _("{name} is a remote player. Only a bot on this machine can be checked.", name=spec.remote), MISUSED
        )
    return spec


async def _check(
    bot: str, entrant: Entrant, sandboxed: bool, arguments: Sequence[str], silence: float, seconds: float
) -> CheckReport:
    """Runs the check in processes. Ends the command if there is no such bot."""
    async with open_fork_server() as forks:
        with trio.move_on_after(seconds) as whole:
            run = await _run(forks, entrant, sandboxed, arguments, silence)
            if run.ended is not None:
                return CheckReport(bot, (run.ended,), ())
            assert run.examined is not None
            findings = list(run.examined.report.findings)
            stuck = {one.game for one in findings if one.code == "stuck"}
            for game_id in run.examined.games:
                # the bot was interrupted in this game, so no process has its choices to the end
                if game_id not in stuck:
                    again = [*arguments, "--game", game_id, "--first"]
                    await _play_afresh(forks, entrant, sandboxed, again, silence, game_id, findings)
            findings.sort(
                key=lambda one: ([*all_games()].index(one.game) if one.game else -1, [*ADVICE].index(one.code))
            )
            return msgspec.structs.replace(run.examined.report, bot=bot, findings=tuple(findings))
    assert whole.cancelled_caught
    text = _("the check was not finished after {seconds:.0f} s", seconds=seconds)
    return CheckReport(bot, (Finding("unfinished", "", text, 1, fault_advice("unfinished")),), ())


async def _play_afresh(
    forks: ForkServer,
    entrant: Entrant,
    sandboxed: bool,
    arguments: Sequence[str],
    silence: float,
    game_id: str,
    findings: list[Finding],
) -> None:
    """Plays the first match of that game in two new processes, and adds a difference between them to the findings."""
    runs = [await _run(forks, entrant, sandboxed, arguments, silence) for _ in range(2)]
    ended = [one.ended for one in runs if one.ended is not None]
    findings += [msgspec.structs.replace(one, game=game_id) for one in ended[:1]]
    _compare(findings, game_id, [one.examined.first[game_id] for one in runs if one.examined is not None])


def _compare(findings: list[Finding], game_id: str, first: Sequence[Sequence[object]]) -> None:
    """Adds a finding if the bot chose differently in two new processes. If these agree although one process played the
    same match in two ways, the finding is that the bot depends on what its process did before."""
    mine = {one.code: one for one in findings if one.game == game_id}
    if "global_chance" in mine or len(first) < 2:
        return
    apart, within = first_difference(*first), mine.get("not_repeatable")
    if within is not None and not apart:
        findings.remove(within)
        text = _("{text}; in fresh processes it is the same", text=within.text)
        findings.append(msgspec.structs.replace(within, code="ages", text=text, advice=fault_advice("ages")))
    elif within is None and apart:
        text = _("match 1, {apart}, in another process", apart=apart)
        findings.append(Finding("not_repeatable", game_id, text, 1, fault_advice("not_repeatable")))


async def _run(forks: ForkServer, spec: Entrant, sandboxed: bool, arguments: Sequence[str], silence: float) -> _Run:
    """Runs one examining process to its end. Ends the command with the error of the process if it could not begin."""
    process = await forks.start_process(
        ["bot", "examine", spec.bot, *_options(spec.options), *arguments],
        limits=spec.limits,
        sandbox=Sandbox([str(path) for path in spec.readable_paths()]) if sandboxed else None,
    )
    run = _Run()
    try:
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_hear_words, process, run)
                nursery.start_soon(_hear_progress, process, run, scope, silence)
                ended = await process.wait()
    finally:
        with trio.CancelScope(shield=True):
            await process.close()
    sys.stderr.write(run.stderr.decode("utf-8", "replace"))
    if scope.cancelled_caught:
        run.ended = Finding("stuck", "", _("{at} did not end", at=_(run.at)), 1, fault_advice("stuck"))
    elif ended.limit:
        run.ended = Finding(
            "ended", "", _("{at}: it took {limit}", at=_(run.at), limit=ended.limit), 1, fault_advice("ended")
        )
    elif run.examined is None and (ended.status, run.at) == (MISUSED, LOADING):
        raise typer.Exit(MISUSED)
    elif run.examined is None:
        how = _("{at}: the process ended {how}", at=_(run.at), how=ended.ending_text)
        run.ended = Finding("ended", "", how, 1, fault_advice("ended"))
    return run


def _options(given: Iterable[str]) -> list[str]:
    return [word for option in given for word in ("--option", option)]


async def _hear_words(process: ForkedProcess, run: _Run) -> None:
    async for data in process.stderr:
        run.stderr += data
        del run.stderr[:-STDERR_BYTES]


async def _hear_progress(process: ForkedProcess, run: _Run, scope: trio.CancelScope, silence: float) -> None:
    scope.deadline = trio.current_time() + LOADING_SECONDS
    rest = b""
    async for data in process.stdout:
        scope.deadline = trio.current_time() + silence
        *lines, rest = (rest + bytes(data)).split(b"\n")
        for line in lines:
            if line.startswith(b"{"):
                run.examined = msgspec.json.decode(line, type=ExamineResult)
            else:
                run.at = line.decode()


def render_report(report: CheckReport) -> list[str]:
    """Returns a report as lines of text."""
    lines = []
    for facts in report.facts:
        pace = _(
            "{p50:.2f} ms median, {p99:.2f} ms at p99, {slowest:.2f} ms at most",
            p50=facts.p50,
            p99=facts.p99,
            slowest=facts.slowest,
        )
        lines.append(
            _(
                "{game}: {matches} matches, {decisions} decisions: {pace}",
                game=facts.game,
                matches=facts.matches,
                decisions=facts.decisions,
                pace=pace,
            )
        )
    for one in report.findings:
        times = _("once") if one.count == 1 else _("{count} times", count=one.count)
        where = _("{game}: ", game=one.game) if one.game else ""
        lines += [
            _("{where}{code} ({times}): {text}", where=where, code=one.code, times=times, text=one.text),
            f"  {one.advice}",
        ]
    return [*lines, _("{bot}: nothing found", bot=report.bot) if report.ok else _("{bot}: not ready", bot=report.bot)]
