"""The end of a turn, and the end of the match: by score, by life, by the first elimination, or by rounds."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import AddressedEvent, Outcome, Seat, to_all
from games.magecraft.casting import discard_gold
from games.magecraft.events import Eliminated, HandDiscarded, TurnBegan
from games.magecraft.language import _, ngettext
from games.magecraft.mage import Mage
from games.magecraft.truth import MagecraftTruth
from games.magecraft.turn import NO_GOLD, OVER, SPELLS

# The end of a turn (rules 6)


def end_turn(truth: MagecraftTruth, mage: Mage, told: list[AddressedEvent]) -> None:
    """Discards the rest of the hand, draws a new hand, and begins the next turn."""
    if truth.turn.gold != NO_GOLD:
        discard_gold(truth.turn, mage, told)
    told.append(to_all(HandDiscarded(mage.seat, mage.discard_hand())))
    mage.draw_gems(truth.cards.mages.hand, truth.chance, told)
    _next_turn(truth, told)


def _next_turn(truth: MagecraftTruth, told: list[AddressedEvent]) -> None:
    seat, new_round = truth.turn.seat, False
    while True:
        seat = seat % truth.seats + 1
        new_round |= seat == truth.first  # also if the mage with the first turn is eliminated
        if truth.mages[seat - 1].alive:
            break
    if new_round and truth.round >= truth.cards.rounds:
        _finish(truth, "rounds")
        return
    truth.round += new_round
    begin_turn(truth, seat, told)


def begin_turn(truth: MagecraftTruth, seat: Seat, told: list[AddressedEvent]) -> None:
    """Begins the turn of a seat in the current round."""
    truth.turn.reset_for(seat)
    truth.turn.phase = SPELLS
    told.append(to_all(TurnBegan(seat, truth.round)))


# The end of the match (rules 7)


def check_end(truth: MagecraftTruth, scorer: Mage, loser: Mage, told: list[AddressedEvent]) -> None:
    """Checks, after a gem moved, whether a mage is eliminated or the match ends. A winning score counts before an empty
    life. The caller has called `invalidate_views` on both mages."""
    full = sum(scorer.score) >= truth.cards.mages.score
    empty = not any(loser.life) and not (full and loser is scorer)  # the winner is not eliminated
    if empty:
        loser.alive = False
        truth.fallen.append(loser.seat)
        told.append(to_all(Eliminated(loser.seat)))
    if full:
        _finish(truth, "score")
    elif len(truth.fallen) == truth.seats - 1:
        _finish(truth, "life")
    elif empty and truth.options.ends_at_first_elimination(truth.seats):
        _finish(truth, "fall")
    elif empty and loser is scorer:  # a mage that vanished its own last life leaves during its turn
        if truth.turn.gold != NO_GOLD:
            discard_gold(truth.turn, loser, told)
        _next_turn(truth, told)


def _finish(truth: MagecraftTruth, reason: str) -> None:
    truth.reason = reason
    truth.turn.phase = OVER


def match_outcome(truth: MagecraftTruth) -> Outcome:
    """Returns the outcome of a match that is over (rules 7.1 to 7.5)."""
    reason = truth.reason
    scores = tuple(sum(mage.score) for mage in truth.mages)
    ranks = [_rank(mage, truth) for mage in truth.mages]
    places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
    winners = [_("seat {seat}", seat=seat) for seat, place in enumerate(places, 1) if place == 1]
    text = ending_sentence(reason, winners, max(scores))
    return Outcome(scores, places, reason, text[0].upper() + text[1:])


def ending_sentence(reason: str, winners: Sequence[str], score: int) -> str:
    """Returns a sentence that says how a match ended."""
    who = _(" and ").join(winners)
    if reason == "score":
        return ngettext(
            "{who} wins with {n} gem in the score.", "{who} wins with {n} gems in the score.", score, who=who
        )
    if reason == "life":
        return _("{who} wins as the last mage standing.", who=who)
    why = _("A mage has fallen") if reason == "fall" else _("The last round is over")
    gems = ngettext("{n} gem", "{n} gems", score)
    return ngettext(
        "{why}; {who} wins with the best score, {gems}.",
        "{why}; {who} share the win with the best score, {gems}.",
        len(winners),
        why=why,
        who=who,
        gems=gems,
    )


def _rank(mage: Mage, truth: MagecraftTruth) -> tuple[int, ...]:
    """Returns a tuple by which mages are ranked; the greater tuple is better."""
    among = (sum(mage.score), sum(mage.life)) if mage.alive else (truth.fallen.index(mage.seat),)
    return (mage.alive, *among)
