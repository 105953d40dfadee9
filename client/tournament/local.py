"""Plays a tournament without a server and sockets, by processes that play whole matches. It is stored as a server would
store it, so it can be continued, reported and exported like any other."""

from __future__ import annotations

import secrets
import time
from collections import Counter

import trio

from bots.sdk.nursery import nursery_for_block
from client.language import _
from client.tournament.local_match import MatchJob, PlayedMatch
from client.tournament.plan import TournamentPlan
from client.tournament.roster import GRACE_SECONDS, CupOutcome, OnMatch, Roster
from client.tournament.stopping import stop_on_signal
from client.tournament.workers import CannotContinue, Workers
from matches.fold import MatchHeader
from protocol.messages import SeatInfo
from server.build import build_version
from server.cups.cup_rows import FIRST_ENTRY, SETTINGS, cup_subject, encode, read_cup
from server.store.rows import Store, StoreFailed, Write
from tournaments.cup import (
    FINISHED,
    OPEN,
    RUNNING,
    Cup,
    CupStateChanged,
    EntrantDropped,
    EntrantEntered,
    Entry,
    MatchEnded,
    MatchPaired,
    RoundDrawn,
)
from tournaments.schedule import Pairing, match_seed_word

SALT_BYTES = 16


async def play_locally(
    plan: TournamentPlan, store: Store | None, cast: Roster, workers: Workers, on_match: OnMatch
) -> CupOutcome:
    """Plays the tournament, or what is left of it. Raises CannotGoOn."""
    work = _CupJobQueue(plan, store, cast, on_match)
    wrong: dict[int, str] = {}
    with trio.CancelScope() as playing:
        async with nursery_for_block() as nursery:
            nursery.start_soon(stop_on_signal, playing)
            wrong = await workers.load(cast.bot_setups)
            if not wrong:
                work.start_cup()
                nursery.start_soon(work.write_continuously)
                await workers.run(work)
    with trio.CancelScope(shield=True):
        await work.write_pending()
    if work.failure:
        raise CannotContinue(work.failure)
    labels = {cast.labels[number]: words for number, words in wrong.items()}
    return CupOutcome(work.cup, playing.cancelled_caught, tuple(labels), labels | work.words)


class _CupJobQueue:
    """The cup of the tournament, the matches that are being played, and the rows to store. Implements Work."""

    def __init__(self, plan: TournamentPlan, store: Store | None, cast: Roster, on_match: OnMatch) -> None:
        self._plan, self._store, self._cast = plan, store, cast
        self._on_match = on_match
        self._subject = cup_subject(plan.cup_settings().cup)
        rows = store.read(self._subject) if store is not None else {}
        self.cup = read_cup(rows) if rows else Cup(plan.cup_settings())
        self.words: dict[str, str] = {}
        self.failure = ""  # a sentence about an error of the disk; "" if there was none
        self._begun: set[int] = set()  # numbers of the matches that a worker has been given
        self._more = trio.Event()
        self._writes: list[Write] = [] if rows else [(self._subject, SETTINGS, encode(self.cup.settings))]
        self._to_write = trio.Event()

    def start_cup(self) -> None:
        """Enters all entrants and starts the cup, unless it has already started in an earlier run."""
        cup, cast = self.cup, self._cast
        if cup.state == OPEN:
            # all entrants enter again, because results belong to entrants by their order of entry
            for label in cup.entrant_names:
                self._record(EntrantDropped(time.time(), label))
            for spec, label, names in zip(cast.specs, cast.labels, cast.players, strict=True):
                self._record(EntrantEntered(time.time(), label, tuple(names), clock=spec.clock))
            self._record(CupStateChanged(time.time(), RUNNING))
        self._begun = set(cup.tables)
        self._on_match(len(cup.results), cup.planned_match_count or 0)

    def next_job(self) -> MatchJob | None:
        """See Work."""
        if not self._is_over:
            self._draw()
            for pairing in self.cup.waiting_pairings():
                if pairing.number not in self._begun:
                    self._begun.add(pairing.number)
                    return self._job(pairing)
        return None

    def _draw(self) -> None:
        """Pairs the next round of a Swiss tournament if all matches of the current one are over."""
        if self.cup.awaits_draw:
            self._record(RoundDrawn(time.time()))

    async def wait_for_job(self) -> bool:
        """See Work."""
        if not self._is_over:
            await self._more.wait()
        return not self._is_over

    def record_match(self, played: PlayedMatch) -> None:
        """Records a finished match; see Work. Its start, end and log are written in one batch, so that a match is
        stored wholly or not at all."""
        cup, table = self.cup, _table(played.match)
        self._writes += ((table, part, data) for part, data in played.rows.items())
        self._record(MatchPaired(time.time(), played.match, table))
        self._record(MatchEnded(time.time(), played.match, table, played.results))
        for seat, words in played.words.items():
            self.words[cup.entrant_names[cup.pairings()[played.match - 1].entrants[seat - 1]]] = words
        self._on_match(len(cup.results), cup.planned_match_count or 0)
        self._draw()
        if next(cup.waiting_pairings(), None) is None:
            self._record(CupStateChanged(time.time(), FINISHED))
        self._wake()

    async def write_continuously(self) -> None:
        """Writes rows to the store whenever there are some. Never returns."""
        while True:
            await self._to_write.wait()
            self._to_write = trio.Event()
            await self.write_pending()

    async def write_pending(self) -> None:
        """Writes all rows that are waiting now."""
        writes, self._writes = self._writes, []
        try:
            if self._store is not None and writes:
                # these rows are no longer in the list, so their write must not be cancelled
                with trio.CancelScope(shield=True):
                    await self._store.commit(writes)
        except StoreFailed as error:
            self.failure = _("The tournament can no longer be saved ({error}).", error=error)
            self._wake()

    @property
    def _is_over(self) -> bool:
        return self.cup.is_over or bool(self.failure)

    def _wake(self) -> None:
        self._more.set()
        self._more = trio.Event()

    def _record(self, entry: Entry) -> None:
        self.cup.apply(entry)
        self._writes.append((self._subject, FIRST_ENTRY + len(self.cup.entries) - 1, encode(entry)))
        self._to_write.set()

    def _job(self, pairing: Pairing) -> MatchJob:
        plan, cast = self._plan, self._cast
        sat: Counter[int] = Counter()
        seats: list[SeatInfo] = []
        for number, entrant in enumerate(pairing.entrants, 1):
            name, clock = cast.players[entrant][sat[entrant]], cast.specs[entrant].clock
            seats.append(SeatInfo(number, name, "bot", clock=clock))
            sat[entrant] += 1
        header = MatchHeader(
            table=_table(pairing.number),
            game=plan.game,
            options=plan.options,
            seats=tuple(seats),
            clock=plan.clock,
            seed=self.cup.deal_seed(pairing.deal),
            salt=secrets.token_bytes(SALT_BYTES),
            nonces=("",) * len(seats),
            grace=GRACE_SECONDS,
            word=match_seed_word(plan.secret, pairing.number),
            magehall=build_version(),
        )
        playing = cast.bot_setups
        bots = tuple(playing[entrant] for entrant in pairing.entrants)
        return MatchJob(pairing.number, header, bots, self.cup.settings.rules, self.cup.settings.cards)


def _table(match: int) -> str:
    """Returns the id of the table under which a match is stored."""
    return f"t{match}"
