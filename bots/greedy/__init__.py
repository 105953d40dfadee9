"""greedy: bets on the fighters that its hand can help, and casts spells for its bet. It looks one action ahead, and
uses only its own view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from bots.arena.casting import WORTH_KEEPING, Caster, card_usefulness, help_power, lawful_spells
from bots.arena.forecast import Forecast, bet_worths
from bots.arena.odds import FighterStanding, Odds
from bots.sdk import Bot, Turn, best_of
from bots.sdk.levels import beginner
from games.api import Action
from games.cheaty_mages import moves
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.game import ArenaGame
from games.cheaty_mages.views import SeatView

HOPE = 0.55  # the share of the power in the hand that is expected to help the bet in the end
CALM = 3.0  # the uncertainty of the fighters' final powers before the first cast, in points of power
BLUFF = 0.15  # the probability of a feint when no other cast gains enough


class GreedyBot(Bot):
    """Takes what brings the most gold if no player did anything more."""

    games = ("ikasamage", "cheaty-mages")
    odds: type[Odds] = Odds

    def choose(self, turn: Turn) -> Action:
        view = cast(SeatView, turn.view)
        if len(turn.legal) == 1:
            return turn.legal[0]
        cards = cast(ArenaGame, turn.game).deck
        match view.table.phase:
            case "bet":
                return self._bet(cards, view, turn.legal)
            case "cast":
                return self._cast(Caster(view, self.odds(cards, view.table, view.you)), turn.legal)
            case "vote":
                return Caster(view, self.odds(cards, view.table, view.you)).choose_vote(self.rng)
            case "forget":
                return moves.Discard(best_of(view.you.hand, lambda name: -card_usefulness(cards, name), self.rng))
        return self._redraw(cards, view)

    def _bet(self, cards: Deck, view: SeatView, legal: Sequence[Action]) -> Action:
        odds = Odds(cards, view.table, view.you)
        odds.heat = CALM
        odds.recompute_chances()
        hand = lawful_spells(cards, view)
        helped = [HOPE * help_power(standing, hand, odds) for standing in odds.standings]
        spoil = [HOPE * help_power(standing, hand, odds, against=True) for standing in odds.standings]

        def worth(bet: moves.Bet) -> float:
            changed: dict[int, FighterStanding] = {}
            favourite = max(bet.on, key=lambda fighter: odds.standings[fighter - 1].base + helped[fighter - 1])
            rivals = [place for place in odds.places if place + 1 not in bet.on]
            rival = max(rivals, key=lambda place: odds.standings[place].base, default=None)
            helps = [(favourite - 1, helped[favourite - 1]), *([] if rival is None else [(rival, -spoil[rival])])]
            for place, change in helps:
                changed[place] = odds.standings[place].copy()
                changed[place].base += change
            return odds.expected_gold(changed, bet.on) + self.rng.random() / 100

        return max((cast(moves.Bet, action) for action in legal), key=worth)

    def _cast(self, caster: Caster, legal: Sequence[Action]) -> Action:
        return caster.best_action(legal, self.rng)

    def _redraw(self, cards: Deck, view: SeatView) -> Action:
        hand = view.you.hand
        if len(hand) <= view.table.hand_limit - view.table.draws:
            return moves.DONE
        worst = best_of(hand, lambda name: -card_usefulness(cards, name), self.rng)
        return moves.Discard(worst) if card_usefulness(cards, worst) < WORTH_KEEPING else moves.DONE


class Schemer(GreedyBot):
    """Reads whom others help, weighs gold by whom it puts ahead, bets on several fighters, and bluffs now and then."""

    odds = Forecast

    def _bet(self, cards: Deck, view: SeatView, legal: Sequence[Action]) -> Action:
        worths = bet_worths(Forecast(cards, view.table, view.you), view, legal)
        return max(zip(legal, worths, strict=True), key=lambda one: one[1] + self.rng.random() / 100)[0]

    def _cast(self, caster: Caster, legal: Sequence[Action]) -> Action:
        best = caster.best_action(legal, self.rng)
        if best is moves.PASS and self.rng.random() < BLUFF:
            feints = caster.feint_casts(legal)
            return self.rng.choice(feints) if feints else best
        return best


BOTS = {"greedy": GreedyBot, "greedy:easy": beginner(GreedyBot), "greedy:hard": Schemer}
