"""Ikasamage and Cheaty Mages for the search: what to try, whose bets to suspect, and how a round may go on from here."""

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
from games.cheaty_mages.truth import ROUNDS

GOLD = {0: 1.0, 1: 4.0, 2: 6.0}  # by rounds to come: how much gold makes a difference
SUSPICION = 0.45  # how much a point of power on a fighter tells of its caster's bet
HELD = 0.3  # gold that a card is worth in a later round
OUT = -99
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
            bets = [bet.on for bet in moves.BETS if len(bet.on) == size]
            weights = [exp(SUSPICION * sum([helped[seat][fighter - 1] for fighter in on])) for on in bets]
            match.bets[seat] = rng.choices(bets, weights)[0]

    def value(self, world: State, turn: Turn, rng: random.Random) -> float:
        match = cast(Match, world)
        if match.phase == "bet":
            for seat in range(1, match.seats + 1):
                if not match.bets[seat]:
                    match.bets[seat] = (rng.randint(1, 5),)
        if match.phase in ("bet", "cast", "forget"):
            money, hands = Casting(match, rng).played()
        else:
            money, hands = match.money, [len(hand) for hand in match.hands]
        return _worth(money, hands, ROUNDS - match.round, turn.seat)


def _use(deck: Deck, name: str) -> float:
    """What a card is good for, in points of power."""
    spell = deck.spells[deck.number[name]]
    return USE.get(name) or (abs(spell.power) + 0.5 - spell.mana / 10 if spell.power else 2.0)


def _helped(match: Match) -> list[list[float]]:
    """By seat, for each fighter: the power that the seat's spells add to it, those that harm it below zero."""
    helped = [[0.0] * 5 for _ in range(match.seats + 1)]
    power_of = match.deck.power_of
    for place, row in enumerate(match.rows):
        undead = match.deck.fighters[match.fighters[place]].undead
        for lying in row:
            change = max(-8, min(8, power_of[lying.card]))
            helped[lying.seat][place] += -change if undead else change
    return helped


def _worth(money: Sequence[float], hands: Sequence[int], to_come: int, seat: int) -> float:
    """The share of the win that the gold promises."""
    if not to_come:
        best = max(zip(money[1:], hands[1:], strict=True))
        first = [other for other in range(1, len(money)) if (money[other], hands[other]) == best]
        return 1 / len(first) if seat in first else 0.0
    scale = GOLD[to_come]
    rich = [exp((gold + HELD * min(cards, 4)) / scale) for gold, cards in zip(money[1:], hands[1:], strict=True)]
    return rich[seat - 1] / sum(rich)


class Casting:
    """The rest of a round in short: power and mana of each fighter, and the cards that still may be laid."""

    def __init__(self, match: Match, rng: random.Random) -> None:
        self.match, self.rng = match, rng
        deck = match.deck
        fighters = [deck.fighters[number] for number in match.fighters]
        self.base = [one.power for one in fighters]
        self.sign = [-1 if one.undead else 1 for one in fighters]
        self.powers = [power(match, fighter) for fighter in moves.FIGHTERS]
        self.mana = [mana(match, fighter) for fighter in moves.FIGHTERS]
        self.prizes = [prize(match, fighter) for fighter in moves.FIGHTERS]
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

    def played(self) -> tuple[list[float], list[int]]:
        """The gold of each seat, and the size of its hand, when the round is over."""
        match, hands = self.match, self.hands
        held = [len(hand) for hand in match.hands]
        keep = 4 if match.round < ROUNDS else 0
        seat = match.turn
        going = [number for number in range(1, match.seats + 1) if hands[number]]
        going = [number for number in going if number >= seat] + [number for number in going if number < seat]
        scores = [self.score(place) for place in range(5)]
        while going:
            for seat in going[:]:
                if self._cast(seat, held[seat] > keep, scores):
                    held[seat] -= 1
                if not hands[seat]:
                    going.remove(seat)
        return self._paid(scores), held

    def _cast(self, seat: int, freely: bool, scores: list[int]) -> bool:
        """One turn of a seat: whether it lays a card. What it does not use is put aside."""
        bet = self.match.bets[seat]
        mine = max(bet, key=lambda fighter: scores[fighter - 1]) - 1
        rival = max([place for place in range(5) if place + 1 not in bet], key=scores.__getitem__)
        if not freely and scores[mine] > scores[rival] + 1:
            self.hands[seat].clear()
            return False
        change, cost, times = self.hands[seat].pop()
        helps = change * self.sign[mine]
        if helps > 0 or (not change and cost < 0) or times > 1:
            target = mine
            if self.mana[mine] + cost > self.limit >= self.mana[mine]:
                return False
        elif change * self.sign[rival] < 0 or not change:
            target = rival
        else:
            return False
        self.powers[target] += change * self.sign[target]
        self.mana[target] += cost
        self.prizes[target] *= times
        scores[target] = self.score(target)
        return True

    def _paid(self, scores: list[int]) -> list[float]:
        match = self.match
        money: list[float] = list(match.money)
        winner = max(range(5), key=lambda place: (scores[place], self.base[place]))
        if scores[winner] > OUT:
            for seat in range(1, match.seats + 1):
                money[seat] += share(self.prizes[winner], match.bets[seat], winner + 1)
        return money
