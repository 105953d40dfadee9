"""The guide of the search in Ikasamage and Cheaty Mages: which actions to try, what the other players have probably
bet, and how the rest of a round is played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import cast

from bots.arena.casting import Caster
from bots.arena.forecast import Forecast, bet_worths
from bots.sdk import Turn
from bots.thinker.search import Guide
from games.api import Action, State
from games.cheaty_mages import moves
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.game import ArenaGame
from games.cheaty_mages.judging import bet_payment, fighter_mana, fighter_power, fighter_prize
from games.cheaty_mages.rules import ArenaState

GOLD = (1.0, 5.0, 7.0)  # a seat with this much more gold has e times the weight to win, by the number of later rounds
HELD = 0.5  # the value in gold of a card that is kept for a later round
OUT = -99
MANY = 6  # if players hold more cards than this, the end of the round is estimated; otherwise it is played out
BLUR, CALM = 0.16, 0.4  # the uncertainty of final powers is BLUR for each card that players still hold, minus CALM
SHARP = 0.15  # the smallest uncertainty of final powers
# The probability that a player does not lay a card that helps the own bet (IDLE), or that harms a rival (IDLER).
IDLE, IDLER = 0.5, 0.75
BLIND = 4.0  # the largest error, in points of power, of a player who compares rivals without seeing all cards
NEVER = 0.03  # fighters whose chance to win is lower are left out
USE = {"mana_boost": 4, "mana_seal": 4, "cause_unpopularity": 4, "dispel_magic": 4, "reflection": 5, "duplicate": 4}
DULL = 3.0  # a card of lower use, in points of power, is discarded in order to draw a new one

# Coefficients for the logarithm of the weight that a seat has bet on a fighter, fitted to the bets of house bots:
# for the fighter's power, its prize, and an undead fighter, which all players see
POWER, POWER_SQUARED, PRIZE, UNDEAD = 2.4, -0.105, 1.2, 0.7
HELP, HELP_PRIZE = -0.16, 0.04  # for each point of power that the seat's cards, laid ones included, can add to it
SUSPICION, MOST = 0.82, 8.0  # for each point of power that the seat's spells have added to it, up to MOST points

# Coefficients for the logarithm of a fighter's weight to win while players hold many cards, fitted to house bots:
LEAD, EJECTED = 3.1, -28.0  # for each point of its current power, and for a fighter that the judge would eject; both
SOON = 2  # are divided by the number of cards that players hold, plus SOON
GROWTH, THREAT = 0.076, -0.026  # for each point that players who bet on it can add, and that the others can take away
BACKED, BACKER, BASE = 0.6, 0.17, 0.15  # if a player bet on it, for each such player, for each point on its card


class ArenaGuide(Guide):
    """Plays a sampled state on to the end of the round, with each seat helping its own bet, and evaluates the gold of
    all seats then."""

    def candidate_actions(self, turn: Turn) -> Sequence[Action]:
        view, deck = turn.view, cast(ArenaGame, turn.game).deck
        match view.table.phase:
            case "cast":
                return [action for action in turn.legal if not isinstance(action, moves.Look)]
            case "bet" | "vote":
                return turn.legal
        full = len(view.you.hand) > view.table.hand_limit - view.table.draws
        least = min((_use(deck, name) for name in view.you.hand), default=DULL)
        if moves.DONE in turn.legal and not (full and least < DULL):
            return [moves.DONE]
        return [moves.discard_action(name) for name in sorted({*view.you.hand}) if _use(deck, name) == least]

    def prior_estimates(self, turn: Turn, actions: Sequence[Action]) -> Sequence[float]:
        """Returns the share of the win that the schemer bot expects from each bet, or that it expects each cast to
        add."""
        view = turn.view
        odds = Forecast(cast(ArenaGame, turn.game).deck, view.table, view.you)
        if view.table.phase == "bet":
            return [odds.share_of_win(gold) for gold in bet_worths(odds, view, actions)]
        if view.table.phase == "cast":
            caster = Caster(view, odds)
            return [odds.share_of_win(caster.expected_gain(action) - caster.card_price(action)) for action in actions]
        return super().prior_estimates(turn, actions)

    def refine_sampled_state(self, world: State, turn: Turn, rng: random.Random) -> None:
        """Replaces the other seats' bets by random ones. Bets that fit a seat's cards, and the fighters that its spells
        have helped, are more likely."""
        match = cast(ArenaState, world)
        if match.phase != "cast" and match.phase != "bet":
            return
        laid = _laid(match)
        for seat in range(1, match.seats + 1):
            if seat == turn.seat:
                continue
            leans = _leans(match, seat, laid[seat])
            bets = match.deck.bets_of[len(match.bets[seat]) or 1]
            likely = [sum([leans[fighter - 1] for fighter in on]) for on in bets]
            best = max(likely)
            match.bets[seat] = rng.choices(bets, [exp(one - best) for one in likely])[0]

    def rollout_value(self, world: State, turn: Turn, rng: random.Random) -> float:
        match = cast(ArenaState, world)
        has_begun = match.phase == "bet" and not match.bets[turn.seat]
        to_come = match.deck.rounds - match.round + has_begun
        if has_begun or match.phase not in ("bet", "cast", "forget", "vote"):
            held = [min(len(hand), _kept(match)) for hand in match.hands]
            return _worth(match.money, held, to_come, turn.seat)
        rest = RoundSimulation(match, rng)
        if rest.cards <= MANY:
            rest.play_round()
        rest.limit_hands()
        chances = rest.win_chances()
        return sum([odds * _worth(rest.payouts(place), rest.held, to_come, turn.seat) for place, odds in chances])


def _use(deck: Deck, name: str) -> float:
    """Returns how useful a card is, in points of power."""
    spell = deck.spells[deck.number[name]]
    return USE.get(name) or (abs(spell.power) + 0.5 - spell.mana / 10 if spell.power else 2.0)


def _laid(match: ArenaState) -> list[list[tuple[int, int]]]:
    """Returns by seat a list with (place of the fighter, 0 for fighter 1; power) of each spell that the seat has
    laid."""
    laid: list[list[tuple[int, int]]] = [[] for _ in range(match.seats + 1)]
    power_of = match.deck.power_of
    for place, row in enumerate(match.rows):
        for lying in row:
            laid[lying.seat].append((place, power_of[lying.card]))
    return laid


def _leans(match: ArenaState, seat: int, laid: Sequence[tuple[int, int]]) -> list[float]:
    """Returns for each fighter the logarithm of the weight that the seat has bet on it. `laid` is the seat's list of
    `_laid`."""
    deck, refused = match.deck, match.refused_kinds(seat)
    held = [deck.power_of[card] for card in match.hands[seat] if not refused >> deck.kind_of[card] & 1]
    powers = held + [change for _, change in laid]
    plus, minus = sum([change for change in powers if change > 0]), -sum([change for change in powers if change < 0])
    leans = []
    for place, number in enumerate(match.fighters):
        fighter = deck.fighters[number]
        sign, help_ = (-1, minus) if fighter.undead else (1, plus)
        lean = POWER * fighter.power + POWER_SQUARED * fighter.power**2 + PRIZE * fighter.prize
        lean += UNDEAD * fighter.undead + (HELP + HELP_PRIZE * fighter.prize) * help_
        helped = sum([max(-MOST, min(MOST, sign * change)) for at, change in laid if at == place])
        leans.append(lean + SUSPICION * max(-MOST, min(MOST, helped)))
    return leans


def _kept(match: ArenaState) -> int:
    """Returns how many cards a seat can keep after the round without drawing fewer new ones. In the last round this is
    the hand limit, because cards in hand can break a tie."""
    hands = match.deck.hands
    return (
        hands.limit[match.seats] - hands.drawn[match.seats]
        if match.round < match.deck.rounds
        else hands.limit[match.seats]
    )


def _worth(money: Sequence[float], hands: Sequence[int], to_come: int, seat: int) -> float:
    """Returns the share of the win that a seat can expect from the gold and the cards of all seats, with `to_come`
    rounds still to be played."""
    if not to_come:
        best = max(zip(money[1:], hands[1:], strict=True))
        first = [other for other in range(1, len(money)) if (money[other], hands[other]) == best]
        return 1 / len(first) if seat in first else 0.0
    scale = GOLD[min(to_come, len(GOLD) - 1)]
    rich = [exp((gold + HELD * cards) / scale) for gold, cards in zip(money[1:], hands[1:], strict=True)]
    return rich[seat - 1] / sum(rich)


@lru_cache(maxsize=4)
def _figures(deck: Deck) -> list[tuple[int, int, int] | None]:
    """Returns for each card its power, its mana and its factor for the prize; None for a card without power and
    mana."""
    figures = [(spell.power, spell.mana, spell.prize_times) for spell in deck.spell_of]
    return [one if one[0] or one[1] else None for one in figures]


class RoundSimulation:
    """Plays the rest of a round by simplified rules, in which only the power, mana and prize of the fighters and the
    cards in the hands matter."""

    def __init__(self, match: ArenaState, rng: random.Random) -> None:
        self.match, self.rng = match, rng
        deck = match.deck
        fighters = [deck.fighters[number] for number in match.fighters]
        self.base = [one.power for one in fighters]
        self.sign = [-1 if one.undead else 1 for one in fighters]
        rows = match.rows
        self.powers = [fighter_power(match, place + 1) if rows[place] else base for place, base in enumerate(self.base)]
        self.mana = [fighter_mana(match, place + 1) if row else 0 for place, row in enumerate(rows)]
        self.prizes = [
            fighter_prize(match, place + 1) if rows[place] else one.prize for place, one in enumerate(fighters)
        ]
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
        self.cards = sum([self.held[seat] for seat in range(1, match.seats + 1) if not match.passed[seat]])
        self.heat = max(SHARP, BLUR * self.cards - CALM)
        self.scores = [self.final_power(place) for place in range(len(self.base))]

    def _usable(self, seat: int) -> list[tuple[int, int, int]]:
        """Returns the power, mana and prize factor of each card in the seat's hand that the judge accepts; [] for a
        seat that has passed."""
        match = self.match
        if not seat or match.passed[seat]:
            return []
        refused, kind_of, figures = match.refused_kinds(seat), match.deck.kind_of, _figures(match.deck)
        return [one for card in match.hands[seat] if (one := figures[card]) and not refused >> kind_of[card] & 1]

    def final_power(self, place: int) -> int:
        """Returns the fighter's power after the judge has ruled on its mana; OUT if it would be ejected."""
        total = self.mana[place]
        if total > self.limit:
            return OUT if self.ejects else self.base[place]
        return self.base[place] if total <= self.low else self.powers[place]

    def play_round(self) -> None:
        """Lets the seats lay cards in turn until none of them has a card to lay."""
        match, hands = self.match, self.hands
        for hand in hands:
            self.rng.shuffle(hand)
        keep = _kept(match) if match.round < match.deck.rounds else 0
        order = [*range(match.turn, match.seats + 1), *range(1, match.turn)]
        while any(hands):
            for seat in order:
                if hands[seat]:
                    if self.held[seat] > keep:
                        self._lay(seat)
                    else:
                        hands[seat].clear()

    def limit_hands(self) -> None:
        """Lowers the number of cards that each seat holds to the number that it can keep without drawing fewer new
        ones."""
        kept = _kept(self.match)
        self.held = [min(cards, kept) for cards in self.held]

    def _lay(self, seat: int) -> None:
        """Takes one card from the seat's hand, and lays it for the seat's bet or against the rival that seems strongest
        to it, or lays none."""
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
        scores[target] = self.final_power(target)

    def win_chances(self) -> list[tuple[int, float]]:
        """Returns the places of the fighters that may win (0 for fighter 1), with their probabilities. The more cards
        had to be guessed, the less the probabilities differ."""
        if self.cards > MANY:
            heights = self._prospects()
        else:
            heights = [score / self.heat for score in self.scores]
        best = max(heights)
        weights = [exp(height - best) for height in heights]
        total = sum(weights)
        return [(place, weight / total) for place, weight in enumerate(weights) if weight > NEVER]

    def _prospects(self) -> list[float]:
        """Returns the logarithm of each fighter's weight to win, estimated without playing the players' many cards."""
        bets, hands = self.match.bets, self.hands
        plus = [sum([one[0] for one in hand if one[0] > 0]) for hand in hands]
        minus = [-sum([one[0] for one in hand if one[0] < 0]) for hand in hands]
        found, soon = [], 1 / (self.cards + SOON)
        for place, base in enumerate(self.base):
            fans = [seat for seat in range(1, len(hands)) if place + 1 in bets[seat]]
            harms, threat = (minus, sum(minus)) if self.sign[place] > 0 else (plus, sum(plus))
            score = self.scores[place]
            height = BASE * base + soon * (LEAD * base + EJECTED if score == OUT else LEAD * score)
            if fans:
                shares = [1 / len(bets[seat]) for seat in fans]  # a player with several bets helps each of them less
                height += BACKER * sum(shares) + max(shares) * (BACKED + GROWTH * self._growth(place, fans))
            found.append(height + THREAT * (threat - sum([harms[seat] for seat in fans])))
        return found

    def _growth(self, place: int, fans: Sequence[int]) -> float:
        """Returns the power that these seats can add to a fighter within the judge's mana limit, if they lay the best
        cards first."""
        sign, room, found = self.sign[place], self.limit - self.mana[place], []
        for seat in fans:
            for change, cost, _ in self.hands[seat]:
                if change * sign > 0:
                    found.append((change * sign - 0.3 * cost, change * sign, cost))
                elif cost < 0:
                    room -= cost
        total = 0
        for _, change, cost in sorted(found, reverse=True):
            if cost <= room:
                total += change
                room -= cost
        return total

    def payouts(self, winner: int) -> list[float]:
        """Returns the gold of each seat after the victory of the fighter at place `winner` (0 for fighter 1)."""
        paid: list[float] = [*self.match.money]
        for seat, bet in enumerate(self.match.bets):
            if winner + 1 in bet:
                paid[seat] += bet_payment(self.prizes[winner], bet, winner + 1)
        return paid
