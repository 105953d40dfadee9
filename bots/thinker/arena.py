"""Ikasamage and Cheaty Mages for the search: what to try, whose bets to suspect, and how a round may go on."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp
from typing import cast

from bots.sdk import Turn
from games.api import Action, State
from games.cheaty_mages import moves
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.judging import mana, power, prize, share
from games.cheaty_mages.rules import Match

GOLD = (1.0, 5.0, 7.0)  # by rounds to come: how much gold makes a difference
SUSPICION = 1.0  # how much a point of power on a fighter tells of its caster's bet
HELD = 0.5  # gold that a card is worth in a later round
OUT = -99
BLUR, CALM = 0.16, 0.4  # how far from certain the strongest is to win: more with each card that may be cast
SHARP = 0.15  # and so much at least
IDLE, IDLER = 0.5, 0.75  # how often a card is not laid that would help the own bet, or harm another
BLIND = 4.0  # how well rivals are judged by who does not see all
NEVER = 0.03  # of the likeliest: what is less likely is left out
USE = {"mana_boost": 4, "mana_seal": 4, "cause_unpopularity": 4, "dispel_magic": 4, "reflection": 5, "duplicate": 4}
DULL = 3.0  # a card of less use is exchanged for a new one


class ArenaGuide:
    """Plays a round on with all cards open, each seat helping its own bet, and counts the gold."""

    def candidates(self, turn: Turn) -> Sequence[Action]:
        view = turn.view
        match view.table.phase:
            case "cast":
                return [action for action in turn.legal if not isinstance(action, moves.Look)]
            case "bet":
                return turn.legal
        deck = cast(Match, turn.imagine(random.Random(0))).deck
        worst = min(view.you.hand, key=lambda name: _use(deck, name), default="")
        if moves.DONE not in turn.legal:
            return [moves.discard(worst)]
        full = len(view.you.hand) > view.table.hand_limit - view.table.draws
        return [moves.discard(worst) if full and _use(deck, worst) < DULL else moves.DONE]

    def believe(self, world: State, turn: Turn, rng: random.Random) -> None:
        """The others' bets, by whom they helped."""
        match = cast(Match, world)
        if match.phase != "cast" and match.phase != "bet":
            return
        helped = _helped(match)
        for seat in range(1, match.seats + 1):
            size = len(match.bets[seat])
            if seat == turn.seat or not size:
                continue
            bets = match.deck.bets_of[size]
            weights = [exp(SUSPICION * sum([helped[seat][fighter - 1] for fighter in on])) for on in bets]
            match.bets[seat] = rng.choices(bets, weights)[0]

    def value(self, world: State, turn: Turn, rng: random.Random) -> float:
        match = cast(Match, world)
        if match.phase == "bet":
            for seat in range(1, match.seats + 1):
                if not match.bets[seat]:
                    match.bets[seat] = (rng.randint(1, match.deck.in_the_arena),)
        to_come = match.deck.rounds - match.round
        if match.phase not in ("bet", "cast", "forget"):
            held = [min(len(hand), _kept(match)) for hand in match.hands]
            return _worth(match.money, held, to_come, turn.seat)
        rest = Casting(match, rng)
        rest.play()
        chances = rest.chances()
        return sum([odds * _worth(rest.paid(place), rest.held, to_come, turn.seat) for place, odds in chances])


def _use(deck: Deck, name: str) -> float:
    """What a card is good for, in points of power."""
    spell = deck.spells[deck.number[name]]
    return USE.get(name) or (abs(spell.power) + 0.5 - spell.mana / 10 if spell.power else 2.0)


def _helped(match: Match) -> list[list[float]]:
    """By seat, for each fighter: the power that the seat's spells add to it, those that harm it below zero."""
    helped = [[0.0] * match.deck.in_the_arena for _ in range(match.seats + 1)]
    power_of = match.deck.power_of
    for place, row in enumerate(match.rows):
        undead = match.deck.fighters[match.fighters[place]].undead
        for lying in row:
            change = max(-8, min(8, power_of[lying.card]))
            helped[lying.seat][place] += -change if undead else change
    return helped


def _kept(match: Match) -> int:
    """As many cards as a hand may keep and still draw all that it may; in the last round all, which can break a tie."""
    hands = match.deck.hands
    return (
        hands.limit[match.seats] - hands.drawn[match.seats]
        if match.round < match.deck.rounds
        else hands.limit[match.seats]
    )


def _worth(money: Sequence[float], hands: Sequence[int], to_come: int, seat: int) -> float:
    """The share of the win that the gold promises."""
    if not to_come:
        best = max(zip(money[1:], hands[1:], strict=True))
        first = [other for other in range(1, len(money)) if (money[other], hands[other]) == best]
        return 1 / len(first) if seat in first else 0.0
    scale = GOLD[min(to_come, len(GOLD) - 1)]
    rich = [exp((gold + HELD * cards) / scale) for gold, cards in zip(money[1:], hands[1:], strict=True)]
    return rich[seat - 1] / sum(rich)


class Casting:
    """The rest of a round in short: power and mana of each fighter, and the cards that still may be laid."""

    def __init__(self, match: Match, rng: random.Random) -> None:
        self.match, self.rng = match, rng
        deck = match.deck
        fighters = [deck.fighters[number] for number in match.fighters]
        self.base = [one.power for one in fighters]
        self.sign = [-1 if one.undead else 1 for one in fighters]
        self.powers = [power(match, fighter) for fighter in deck.places]
        self.mana = [mana(match, fighter) for fighter in deck.places]
        self.prizes = [prize(match, fighter) for fighter in deck.places]
        judge = deck.judges[match.judge]
        judgement = judge.judgement
        if judge.reveals:
            judgement = rng.choice(list(judge.reveals.values()))
        if match.no_judgement or judgement is None:
            self.limit, self.ejects = 999, False
        else:
            self.limit, self.ejects = judgement.limit, judgement.verdict == "eject"
        self.low = -99 if judge.dispels_up_to is None or match.no_judgement else judge.dispels_up_to
        self.hands = [self._usable(seat) for seat in range(match.seats + 1)]
        self.held = [len(hand) for hand in match.hands]
        open_cards = sum([self.held[seat] for seat in range(1, match.seats + 1) if not match.passed[seat]])
        self.heat = max(SHARP, BLUR * open_cards - CALM)
        self.scores = [self.score(place) for place in range(len(self.base))]

    def _usable(self, seat: int) -> list[tuple[int, int, int]]:
        """Power, mana and what the prize is multiplied with, of each card that the seat may lay, in random order."""
        match = self.match
        if not seat or match.passed[seat]:
            return []
        refused, kind_of, spell_of = match.refused(seat), match.deck.kind_of, match.deck.spell_of
        found = []
        for card in match.hands[seat]:
            spell = spell_of[card]
            if not refused >> kind_of[card] & 1 and (spell.power or spell.mana):
                found.append((spell.power, spell.mana, spell.prize_times))
        self.rng.shuffle(found)
        return found

    def score(self, place: int) -> int:
        """The power with which the fighter would leave the judge, or OUT."""
        total = self.mana[place]
        if total > self.limit:
            return OUT if self.ejects else self.base[place]
        return self.base[place] if total <= self.low else self.powers[place]

    def play(self) -> None:
        """Until nobody lays a card any more."""
        match, hands = self.match, self.hands
        keep = _kept(match) if match.round < match.deck.rounds else 0
        order = [*range(match.turn, match.seats + 1), *range(1, match.turn)]
        while any(hands):
            for seat in order:
                if hands[seat]:
                    if self.held[seat] > keep:
                        self._lay(seat)
                    else:
                        hands[seat].clear()
        self.held = [min(cards, _kept(match)) for cards in self.held]

    def _lay(self, seat: int) -> None:
        """One card for its bet or against the strongest other one, as far as the seat can see; or none."""
        change, cost, times = self.hands[seat].pop()
        chance, scores = self.rng.random, self.scores
        bet = self.match.bets[seat]
        mine = max(bet, key=lambda fighter: scores[fighter - 1]) - 1
        if change * self.sign[mine] > 0 or (not change and cost < 0) or times > 1:
            if chance() < IDLE or self.mana[mine] + cost > self.limit >= self.mana[mine]:
                return
            target = mine
        elif chance() < IDLER:
            return
        else:
            rivals = [place for place in range(len(scores)) if place + 1 not in bet]
            if not rivals:
                return
            target = max(rivals, key=lambda place: scores[place] + BLIND * chance())
            if change * self.sign[target] > 0:
                return
        self.held[seat] -= 1
        self.powers[target] += change * self.sign[target]
        self.mana[target] += cost
        self.prizes[target] *= times
        scores[target] = self.score(target)

    def chances(self) -> list[tuple[int, float]]:
        """Which fighters may win, and how likely: what was laid here is a guess, the more so the more there was."""
        best = max(self.scores)
        weights = [exp((score - best) / self.heat) for score in self.scores]
        total = sum(weights)
        return [(place, weight / total) for place, weight in enumerate(weights) if weight > NEVER]

    def paid(self, winner: int) -> list[float]:
        """The gold of each seat when that fighter (0 for the first) has won."""
        match = self.match
        prize, bets = self.prizes[winner], match.bets
        return [gold + share(prize, bets[seat], winner + 1) if seat else 0.0 for seat, gold in enumerate(match.money)]
