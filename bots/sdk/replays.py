"""Replays for authors of bots: fetches a replay from a server, and asks a bot what it would have done in a match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bots.language import _
from bots.sdk.bot import Bot, Turn
from bots.sdk.local import ask_bot
from bots.sdk.pagination import is_last_page
from bots.sdk.seat import SeatRequester
from games.api import Action, Seat
from matches.moments import Moment, moments
from matches.record import Record
from protocol.messages import Happened, Replay, ReplayLines


async def fetch_replay(link: SeatRequester, table: str) -> bytes:
    """Fetches the replay of a finished match.

    Args:
        link: A link to the server.
        table: The id of the match's table.

    Returns:
        The contents of the replay file, as `load_replay` and `magehall verify` read it.

    Raises:
        Refused: The match is not over, or the server does not have it.
        LinkFailed: The link failed.
    """
    lines: list[str] = []
    while True:
        part = await link.ask(Replay(id=1, table=table, after=len(lines)), ReplayLines)
        lines += part.lines
        if is_last_page(part.lines, part.more, len(lines)):
            return "".join(f"{line}\n" for line in lines).encode()


def turn_at(record: Record, number: int, seat: Seat = 0) -> Turn:
    """Returns the turn that a seat had before a decision of a finished match.

    Args:
        record: The match.
        number: The number of a decision in the match, from 1.
        seat: The seat whose turn is returned, if several seats had to decide then; 0 for the seat that made the
            decision.

    Returns:
        The turn just before that decision.

    Raises:
        ValueError: The match has no such decision, or the seat had nothing to decide.
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
class BotAnswer:
    """A bot's choice for a decision of a finished match.

    Attributes:
        number: The number of the decision in the match.
        seat: The seat that made the decision.
        says: The action that the bot chooses.
        done: The action that was done in the match.
        refusal: Why the bot's choice is illegal; "" if it is legal.
    """

    number: int
    seat: Seat
    says: Action
    done: Action
    refusal: str


def ask_again(
    kind: type[Bot], record: Record, *, number: int = 0, seat: Seat = 0, seed: int = 1
) -> Iterator[BotAnswer]:
    """Lets a bot make the decisions of a finished match again. Before each decision, the bot has received all events
    that the seat had received until then.

    Args:
        kind: The class of the bot.
        record: The match.
        number: The number of the only decision to ask for; 0 for all decisions.
        seat: The only seat whose decisions to ask for; 0 for all seats, one after another.
        seed: The bot's seed.

    Yields:
        Each decision with the bot's choice.

    Raises:
        IllegalAction: The bot chose something that is not an action. Exceptions of the bot pass through.
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
            says = ask_bot(bot, turn)
            refusal = moment.match.state.refusal_reason(mine, says)
            yield BotAnswer(moment.number, mine, says, decision.action, refusal.text if refusal else "")
            if number:
                return


def _turn(moment: Moment) -> Turn | None:
    """Returns the turn of the seat whose moment it is, as the runner would pass it to a bot; None if the seat has
    nothing to decide."""
    told = moment.turn
    if told is None:
        return None
    match, seat = moment.match, moment.hearer
    options, knowledge = match.state.options, match.state.knowledge(seat)
    return Turn(match.game, seat, told.view, told.legal, told.turn, told.left, match.seats, options, knowledge)
