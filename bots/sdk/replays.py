"""Replays for a bot's author: fetched from the server that has them, and a bot asked their decisions again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bots.language import _
from bots.sdk.bot import Bot, Turn
from bots.sdk.local import chosen
from bots.sdk.parts import is_last
from bots.sdk.seat import Asker
from games.api import Action, Seat
from matches.moments import Moment, moments
from matches.record import Record
from protocol.messages import Happened, Replay, ReplayLines


async def fetch_replay(link: Asker, table: str) -> bytes:
    """The file, as `magehall verify` reads it. Raises Refused while the match is not over, LinkFailed."""
    lines: list[str] = []
    while True:
        part = await link.ask(Replay(id=1, table=table, after=len(lines)), ReplayLines)
        lines += part.lines
        if is_last(part.lines, part.more, len(lines)):
            return "".join(f"{line}\n" for line in lines).encode()


def turn_at(record: Record, number: int, seat: Seat = 0) -> Turn:
    """The turn just before that decision of the match: of the seat that decided, or of another one that had to.

    Raises ValueError where there is no such decision, or the seat was not asked.
    """
    moment = next(moments(record, seat, number), None) if number > 0 else None
    if moment is None or moment.decision is None:
        raise ValueError(_("The match has no decision {number}.", number=number))
    if not seat:
        return turn_at(record, number, moment.decision.seat)
    turn = _turn(moment)
    if turn is None:
        raise ValueError(_("Seat {seat} had nothing to decide before decision {number}.", seat=seat, number=number))
    return turn


@dataclass(frozen=True, slots=True)
class Asked:
    """What a bot says to a decision of a match, and what was done; `refusal` is why the rules refuse what it says."""

    number: int
    seat: Seat
    says: Action
    done: Action
    refusal: str


def ask_again(kind: type[Bot], record: Record, *, number: int = 0, seat: Seat = 0, seed: int = 1) -> Iterator[Asked]:
    """Puts the bot in that seat, or for 0 in each one after the other, and asks its decisions; or one alone.

    It hears what the seat heard until then. Raises whatever the bot raises, and IllegalAction for what is no action.
    """
    seats = [seat] if seat else range(1, len(record.header.seats) + 1)
    if number and not seat:
        seats = [turn_at(record, number).seat]
    for mine in seats:
        bot = kind(seed)
        for moment in moments(record, mine):
            for message in moment.told:
                if isinstance(message, Happened):
                    bot.hear(message.event)
            decision, turn = moment.decision, _turn(moment)
            if decision is None or decision.seat != mine or turn is None or number not in (0, moment.number):
                continue
            says = chosen(bot, turn)
            refusal = moment.match.state.refusal(mine, says)
            yield Asked(moment.number, mine, says, decision.action, refusal.text if refusal else "")
            if number:
                return


def _turn(moment: Moment) -> Turn | None:
    """The hearer's turn as its bot would have it."""
    told = moment.turn
    if told is None:
        return None
    match, seat = moment.match, moment.hearer
    options, knowledge = match.state.options, match.state.knowledge(seat)
    return Turn(match.game, seat, told.view, told.legal, told.turn, told.left, match.seats, options, knowledge)
