"""Audits the bundle of a cup: recomputes everything that follows from its log and replays, and compares it with the
other files. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from games.api import Game, options_from
from matches.fold import MatchHeader
from matches.record import verify_replay
from matches.results import with_computed_places
from protocol.replay import BadReplay, parse_replay_lines
from tournaments.bundle import CUP, LOG, Bundle, ScheduledMatch, cup_standings, encode_ledger
from tournaments.cup import FINISHED, NO_LIMITS, STOPPED, Cup, CupStateError, MatchEnded
from tournaments.language import _
from tournaments.schedule import Pairing
from tournaments.standings import StandingsRow, mark_absent_seats

DIGITS = 6  # decimals of ratings that are compared, as machines may round the last ones differently


def audit_bundle(
    bundle: Bundle, games: Mapping[str, Game], on_match: Callable[[int, int], None] = lambda _done, _all: None
) -> list[str]:
    """Returns one sentence for each fault found in a bundle; empty if there is none.

    Args:
        bundle: The bundle.
        games: The installed games by id.
        on_match: Called after each match with the number of matches done and in all.
    """
    told = bundle.settings
    found = [*bundle.problems]
    if told.commitment != bundle.about.commitment:
        found.append(_("The secret does not fit the commitment."))
    game = games.get(told.game)
    if game and (bundle.about.rules_version, bundle.about.cards) != (game.rules_version, game.cards_digest):
        found.append(_("{cup} names other rules or cards than those that are here.", cup=CUP))
    log = _Log(Cup(told, NO_LIMITS))
    for number, line in enumerate(bundle.lines, 1):
        found += (
            _("Line {number} of {log}: {text}", number=number, log=LOG, text=text) for text in log.apply_line(line)
        )
    cup = log.cup
    found += _what_is_missing(cup)
    matches = _Matches(bundle, games, log)
    tables = {table: number for number, table in cup.tables.items()}
    found += (_("{name} is nothing of the cup's.", name=name) for name in bundle.unexpected_files(tables))
    for done, (table, number) in enumerate(tables.items(), 1):
        found += (
            _("Match {number} at {table}: {text}", number=number, table=table, text=text)
            for text in matches.check_match(number, table)
        )
        on_match(done, len(tables))
    if _rounded(cup_standings(cup)) != _rounded(bundle.rows):
        found.append(_("The standings are not those that follow from the results."))
    return found


def aborted_matches_text(bundle: Bundle) -> list[str]:
    """Returns one sentence for each match that was aborted, and one if the cup was stopped early.

    These are no faults of the bundle. But the organiser of a cup can stop it or abort a match, and readers of the
    standings should know whether that happened.
    """
    log = _Log(Cup(bundle.settings, NO_LIMITS))
    for line in bundle.lines:
        list(log.apply_line(line))
    cup = log.cup
    aborted = {number for number, match in cup.results.items() if not match.results}
    found = [
        _("Match {number} at {table} was broken off and counts for nobody.", number=number, table=cup.tables[number])
        for number in sorted(aborted | {pairing.number for pairing in cup.running_pairings()})
    ]
    if cup.state == STOPPED:
        over, planned = len(cup.results) - len(aborted), cup.planned_match_count or "?"
        found.insert(0, _("The cup was stopped after {over} of {planned} matches.", over=over, planned=planned))
    return found


def _what_is_missing(cup: Cup) -> Iterator[str]:
    if not cup.is_over:
        yield _("The cup is not over.")
    if cup.state == FINISHED:
        if cup.awaits_draw:
            yield _("A round was never paired.")
        yield from (_("Match {number} was never played.", number=pairing.number) for pairing in cup.waiting_pairings())
        yield from (_("Match {number} has no result.", number=pairing.number) for pairing in cup.running_pairings())


class _Log:
    """Recomputes the cup from the lines of its bundle's log, and records who could play each seat of each match."""

    def __init__(self, cup: Cup) -> None:
        self.cup = cup
        # by match number: for each seat, the names that play for its entrant
        self.players: dict[int, list[tuple[str, ...]]] = {}

    def apply_line(self, line: object) -> Iterator[str]:
        """Applies a line of the log, and yields a sentence for each of its faults. A line that cannot be applied is
        skipped."""
        if isinstance(line, ScheduledMatch):
            yield from self._begin(line)
        elif isinstance(line, MatchEnded):
            yield from self._end(line)
        else:
            yield from self._apply(line)

    def _begin(self, line: ScheduledMatch) -> Iterator[str]:
        cup = self.cup
        if not cup.has_match(line.match):
            yield _("match {match} is none that the format pairs there.", match=line.match)
            return
        if line.match in cup.tables:
            yield _(
                "match {match} was played twice, at {first} and at {table}.",
                match=line.match,
                first=cup.tables[line.match],
                table=line.table,
            )
            return
        if cup.match_number_at(line.table):
            yield _("two matches were played at {table}.", table=line.table)
            return
        pairing = cup.pairings()[line.match - 1]
        names = tuple(cup.entrant_names[number] for number in pairing.entrants)
        if line.entrants != names:
            yield _(
                "match {match} is between {paired} by the format, not between {played}.",
                match=line.match,
                paired=_and(names),
                played=_and(line.entrants),
            )
        if line.deal != pairing.deal:
            yield _(
                "match {match} has deal {deal} by the format, not deal {played}.",
                match=line.match,
                deal=pairing.deal,
                played=line.deal,
            )
        for seat, number in enumerate(pairing.entrants, 1):
            if cup.entrants[number].dropped and seat not in line.absent:
                yield _("{name} had given up, and is not said to be absent.", name=cup.entrant_names[number])
        self.players[line.match] = [cup.entrants[number].player_names for number in pairing.entrants]
        yield from self._apply(line)

    def _end(self, line: MatchEnded) -> Iterator[str]:
        cup = self.cup
        if line.match not in cup.tables:
            yield _("match {match} ended, but never began.", match=line.match)
        elif line.match in cup.results:
            yield _("match {match} ended twice.", match=line.match)
        elif cup.tables[line.match] != line.table:
            yield _(
                "match {match} was played at {first}, not at {table}.",
                match=line.match,
                first=cup.tables[line.match],
                table=line.table,
            )
        else:
            yield from self._apply(line)

    def _apply(self, line: object) -> Iterator[str]:
        try:
            self.cup.apply(line)  # type: ignore[arg-type]  # other kinds of lines were handled before
        except CupStateError as error:
            yield _("that cannot be: {error}", error=error)


class _Matches:
    """Compares each replay and each ledger file of the bundle with what the cup's log says about the match."""

    def __init__(self, bundle: Bundle, games: Mapping[str, Game], log: _Log) -> None:
        self._bundle, self._games, self._log = bundle, games, log
        self._pairings = log.cup.pairings()
        self._deals = {log.cup.deal_seed(pairing.deal): pairing.deal for pairing in self._pairings}
        self._salts: dict[bytes, int] = {}  # number of the first match with this salt; every table has its own

    def check_match(self, number: int, table: str) -> Iterator[str]:
        """Yields a sentence for each fault in the replay and the ledger of a match."""
        played = self._log.cup.results.get(number)
        data = self._bundle.read_replay(table)
        if data is None:
            if played is not None:
                yield _("its replay is missing.")
            return
        try:
            record = verify_replay(data, self._games)
        except BadReplay as error:
            yield _("its replay does not hold, {error}", error=error)
            return
        told = self._bundle.read_ledger(table)
        if told is None:
            yield _("its ledger is missing.")
        elif told != encode_ledger(record):
            yield _("its ledger is not what follows from it.")
        yield from self._compare(record.header, record.game, table, self._pairings[number - 1])
        results = mark_absent_seats(parse_replay_lines(data)[2].results, self._log.cup.absent[number])
        if played is not None and with_computed_places(played.results) != with_computed_places(results):
            yield _("its result is not the one of its replay.")
        earlier = self._salts.setdefault(record.header.salt, number)
        if earlier != number:
            yield _("it is match {earlier} again: no two tables have the same salt.", earlier=earlier)

    def _compare(self, header: MatchHeader, game: Game, table: str, pairing: Pairing) -> Iterator[str]:
        told = self._bundle.settings
        if header.table != table:
            yield _("its replay is of another table, {table}.", table=header.table)
        if header.seed != self._log.cup.deal_seed(pairing.deal):
            deal = self._deals.get(header.seed)
            what = _("deal {deal}", deal=deal) if deal else _("a deal that was never declared")
            yield _("it was played with {what}, not with deal {deal}.", what=what, deal=pairing.deal)
        if any(header.nonces):
            yield _("it has nonces, which change the deal.")
        if header.game != told.game or header.clock != told.clock or not _same(game, header, told.options):
            yield _("it was played under other settings than the cup's.")
        players = self._log.players[pairing.number]
        if len(header.seats) != len(players):
            yield _("it has {seats} seats, not {count}.", seats=len(header.seats), count=len(players))
            return
        for seat, own in zip(header.seats, players, strict=True):
            if seat.name not in own:
                yield _(
                    "{name} sat in seat {seat}, who does not play for that entrant.", name=seat.name, seat=seat.seat
                )
        for seat, entrant in zip(header.seats, pairing.entrants, strict=True):
            if seat.clock != self._log.cup.entrants[entrant].clock:
                yield _("seat {seat} was played with another clock than its entrant's.", seat=seat.seat)


def _same(game: Game, header: MatchHeader, options: Mapping[str, object]) -> bool:
    try:
        return options_from(game, header.options) == options_from(game, options)
    except ValueError:
        return False


def _rounded(rows: Sequence[StandingsRow]) -> object:
    def rounded(value: object) -> object:
        if isinstance(value, float):
            return round(value, DIGITS)
        if isinstance(value, dict):
            return {key: rounded(one) for key, one in value.items()}
        return value

    return [rounded(msgspec.to_builtins(row)) for row in rows]


def _and(names: Sequence[str]) -> str:
    return ", ".join(names)
