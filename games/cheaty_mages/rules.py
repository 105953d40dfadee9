"""The rules of the game from the deal to the end, in the order of the rules page."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, get_args

from games.api import Action, AddressedEvent, Game, Outcome, Seat, State, to_all
from games.chance import Chance
from games.cheaty_mages import events, legal, moves, saving
from games.cheaty_mages.addressed_events import PASSED, bet_events, discarded_event
from games.cheaty_mages.casting import draw_judge, look_at_fighter, play_spell
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.judging import clockwise_seats, dispute_event, judge_round, settle_dispute, turn_up_spells
from games.cheaty_mages.language import _
from games.cheaty_mages.options import ArenaOptions
from games.cheaty_mages.sentences import ending_sentence
from games.cheaty_mages.truth import Arena, empty_view_caches
from games.cheaty_mages.views_of import knowledge_of, view_of

_ONLY = [frozenset({seat}) for seat in range(7)]
_NOBODY: frozenset[Seat] = frozenset()


# 1. Setup (rules 1.1 to 1.5)


def start_match(
    game: Game, deck: Deck, seats: int, options: ArenaOptions, chance: Chance
) -> tuple[ArenaState, list[AddressedEvent]]:
    """Sets up a match: shuffles, deals the hands and begins the first round."""
    nobody = seats + 1
    match = ArenaState(
        game=game,
        deck=deck,
        options=options,
        seats=seats,
        chance=chance,
        hands=[[] for _ in range(nobody)],
        drawn=[0] * len(deck.kind_of),
        renewals=0,
        pile=chance.shuffle("spells", range(len(deck.kind_of))),
        discard=[],
        money=[0, *[deck.edition.starting_money] * seats],
        bets=[()] * nobody,
        passed=[False] * nobody,
        judge=-1,
        judge_pile=chance.shuffle("judges", range(len(deck.judges))),
        judges_gone=[],
        fighters=[],
        fighter_pile=[],
        rows=[[] for _ in deck.places],
        open_fighters=deck.all_open,
        enduring=[],
        unrefusable=0,
        hides_directs=0,
        no_judgement=False,
        round=1,
        result=None,
        phase="bet",
        starter=nobody,
        turn=nobody,
        forgetting=0,
        fouls=0,
        disputed=[],
        **empty_view_caches(seats, deck.in_the_arena),
    )
    told: list[AddressedEvent] = []
    for seat in range(1, nobody):
        match.draw_cards(seat, deck.hands.dealt[seats], told)
    return match, match._begin_round(match.round, told)


@dataclass(slots=True)
class ArenaState(Arena, State):
    """One match of either edition."""

    # 2. Turns and legal actions (rules 3.1, 4.1 to 4.11)

    def to_move(self) -> frozenset[Seat]:
        if self.phase == "over":
            return _NOBODY
        return _ONLY[self.forgetting or self.turn]

    legal_actions = legal.legal_actions
    refusal_reason = legal.illegal_reason

    # 3. Actions (rules 3 to 5, 8)

    def apply(self, seat: Seat, action: Action) -> list[AddressedEvent]:
        why = legal.illegal_reason(self, seat, action)
        if why is not None:
            raise why
        self.invalidate_table()
        return _DOING[type(action)](self, seat, action)

    def _cast(self, seat: Seat, action: moves.CastAction) -> list[AddressedEvent]:
        told = play_spell(self, seat, action)
        return told if self.forgetting else self._next_turn(told)

    def _look(self, seat: Seat, action: moves.Look) -> list[AddressedEvent]:
        return self._next_turn(look_at_fighter(self, seat, action))

    def _pass(self, seat: Seat, _action: moves.Pass) -> list[AddressedEvent]:
        self.passed[seat] = True
        self.invalidate_seat(seat)
        return self._next_turn([PASSED[seat]])

    def _bet(self, seat: Seat, action: moves.Bet) -> list[AddressedEvent]:
        self.bets[seat] = action.on
        self.invalidate_seat(seat)
        told = bet_events(seat, action.on)
        self.turn = seat % self.seats + 1
        if self.turn != self.starter:
            return told
        self.phase = "cast"
        self.turn = clockwise_seats(self, self.starter)[-1]
        return self._next_turn(told)

    def _next_turn(self, told: list[AddressedEvent]) -> list[AddressedEvent]:
        """Continues with the next player who has not passed (rules 4.1 to 4.3).

        Players without cards pass automatically. After the last pass the round is judged.
        """
        seat, passed = self.turn, self.passed
        for _seat in range(self.seats):
            seat = seat % self.seats + 1
            if passed[seat]:
                continue
            if self.hands[seat]:
                self.turn = seat
                return told
            passed[seat] = True
            self.invalidate_seat(seat)
            told.append(to_all(events.Passed(seat, True)))
        return self.judge_arena(told)

    def _discard(self, seat: Seat, action: moves.Discard) -> list[AddressedEvent]:
        self.discard_from_hand(seat, self.deck.number[action.card])
        told = [discarded_event(seat, action.card)]
        if not self.forgetting:
            return told
        self.phase, self.forgetting = "cast", 0
        return self._next_turn(told)

    # 4. The end of a round and of the match (rules 2, 7.6, 8, 9)

    def judge_arena(self, told: list[AddressedEvent]) -> list[AddressedEvent]:
        """Turns all spells face up. If the table uses votes, the players then vote on the refused ones (rule 10.4);
        otherwise the round is judged."""
        turn_up_spells(self, told)
        if not self.disputed:
            return self._judge(told)
        self.phase, self.turn = "vote", self.starter
        told.append(dispute_event(self))
        return told

    def _vote(self, seat: Seat, action: moves.Keep | moves.Strike) -> list[AddressedEvent]:
        """Records a vote on a refused spell. The spell stays only if all players keep it (rule 10.4)."""
        keeps = isinstance(action, moves.Keep)
        told = [to_all(events.Voted(seat, keeps))]
        self.turn = seat % self.seats + 1
        if keeps and self.turn != self.starter:
            return told
        settle_dispute(self, keeps, told)
        if not self.disputed:
            return self._judge(told)
        self.turn = self.starter
        told.append(dispute_event(self))
        return told

    def _judge(self, told: list[AddressedEvent]) -> list[AddressedEvent]:
        """Judges the round. The result stays visible while players draw cards, and after the match (rule 8.5)."""
        judge_round(self, told)
        won = self.are_bets_shown()
        if not won and not self.deck.edition.draws_after_no_winner:
            return self._next_round(told)
        self.phase = "over" if won and self.round == self.deck.rounds else "redraw"
        self.turn = self.starter
        return told

    def _next_round(self, told: list[AddressedEvent]) -> list[AddressedEvent]:
        number = self.round + self.are_bets_shown()
        self._clear_arena()
        return self._begin_round(number, told)

    def _clear_arena(self) -> None:
        """Removes the spells, bets and effects of a round from the arena (rules 3.3, 9.1, C3.7)."""
        self.result = None
        for row in self.rows:
            self.discard += [lying.card for lying in row]
            row.clear()
        while self.enduring:
            self.end_enduring(self.enduring[0])
        self.unrefusable = self.hides_directs = 0
        self.no_judgement = False
        self.fouls = 0
        self.open_fighters = self.deck.all_open
        self.bets = [()] * (self.seats + 1)
        self.passed = [False] * (self.seats + 1)

    def _redraw(self, seat: Seat, _action: moves.Done) -> list[AddressedEvent]:
        """Draws cards for a seat that ended its discards. After the last seat the next round begins (rules 8.1,
        8.2)."""
        told: list[AddressedEvent] = []
        hands = self.deck.hands
        self.draw_cards(seat, min(hands.drawn[self.seats], hands.limit[self.seats] - len(self.hands[seat])), told)
        self.turn = seat % self.seats + 1
        if self.turn != self.starter:
            return told
        return self._next_round(told)

    def _begin_round(self, number: int, told: list[AddressedEvent]) -> list[AddressedEvent]:
        """Begins the round with this number: finds the starting player, draws the fighters and the judge (rules 2.1 to
        2.4)."""
        self.round = number
        told.append(to_all(events.RoundBegan(number)))
        most = max(self.money)
        richest = [seat for seat in range(1, self.seats + 1) if self.money[seat] == most]
        self.starter = richest[0] if len(richest) == 1 else self.chance.choice("starter", richest)
        told.append(to_all(events.Starts(self.starter, len(richest) > 1)))
        shuffled = self.chance.shuffle("fighters", range(len(self.deck.fighters)))
        places = self.deck.in_the_arena
        self.fighters, self.fighter_pile = shuffled[: -places - 1 : -1], shuffled[:-places]
        names = tuple(self.deck.fighters[fighter].name for fighter in self.fighters)
        told.append(to_all(events.FightersDrawn(names)))
        gone = self.judge
        draw_judge(self, told)
        if gone not in (-1, self.judge):
            self.judges_gone.append(gone)
        self.invalidate_all()
        self.phase = "bet"
        self.turn = self.starter
        return told

    def outcome(self) -> Outcome | None:
        """Returns the outcome by rules 9.2 and 9.3."""
        if self.phase != "over":
            return None
        ranks = [(self.money[seat], len(self.hands[seat])) for seat in range(1, self.seats + 1)]
        places = tuple(1 + sum(other > rank for other in ranks) for rank in ranks)
        first = [_("seat {seat}", seat=seat) for seat, place in enumerate(places, 1) if place == 1]
        money = max(self.money[1:])
        richest = self.money[1:].count(money)
        reason = "shared" if len(first) > 1 else "cards" if richest > 1 else "money"
        text = ending_sentence(reason, first, money)
        return Outcome(tuple(self.money[1:]), places, reason, text[0].upper() + text[1:])

    def default_action(self, seat: Seat, chance: Chance) -> Action:
        match self.phase:
            case "bet":
                return chance.choice("bet", self.deck.bets)
            case "cast":
                return moves.PASS
            case "forget":
                return chance.choice("forget", legal.legal_discards(self, seat))
            case "vote":
                return moves.VOTES[1]
            case _:
                return moves.DONE

    # 5. Views (rules 11)

    view = view_of
    knowledge = knowledge_of

    def observed_action(self, seat: Seat, action: Action, observer: Seat | None) -> Hashable:
        if seat == observer:
            return action
        match action:
            case moves.Bet():
                return "bet", len(action.on)
            case moves.CastSwapping():
                return "swap", action.card, action.paying
            case moves.Cast() if action.face_down or self.deck.spells[self.deck.number[action.card]].is_face_down:
                return "hide", action.fighter, action.paying
        return action

    def clone(self) -> ArenaState:
        copy = self.__class__.__new__(self.__class__)
        copy.game, copy.deck, copy.options, copy.seats = self.game, self.deck, self.options, self.seats
        copy.chance = self.chance.clone()
        copy.hands = [hand[:] for hand in self.hands]
        copy.drawn, copy.renewals = self.drawn[:], self.renewals
        copy.pile, copy.discard = self.pile[:], self.discard[:]
        copy.money, copy.bets, copy.passed = self.money[:], self.bets[:], self.passed[:]
        copy.judge, copy.judge_pile, copy.judges_gone = self.judge, self.judge_pile[:], self.judges_gone[:]
        copy.fighters, copy.fighter_pile = self.fighters[:], self.fighter_pile[:]
        copy.rows = [row[:] for row in self.rows]
        copy.open_fighters, copy.enduring = self.open_fighters, self.enduring[:]
        copy.unrefusable, copy.hides_directs = self.unrefusable, self.hides_directs
        copy.no_judgement = self.no_judgement
        copy.round, copy.result, copy.phase = self.round, self.result, self.phase
        copy.starter, copy.turn, copy.forgetting = self.starter, self.turn, self.forgetting
        copy.fouls, copy.disputed = self.fouls, self.disputed[:]
        copy.fighter_views, copy.player_views = self.fighter_views[:], self.player_views[:]
        copy.table_view, copy.you_views, copy.known_views = self.table_view, self.you_views[:], self.known_views[:]
        copy.discard_view = self.discard_view
        return copy

    save = saving.pack_state


# The method that carries out each kind of legal action.
_DOING: dict[type[Action], Callable[[ArenaState, Seat, Any], list[AddressedEvent]]] = {
    **dict.fromkeys(get_args(moves.CastAction), ArenaState._cast),
    moves.Look: ArenaState._look,
    moves.Pass: ArenaState._pass,
    moves.Bet: ArenaState._bet,
    moves.Discard: ArenaState._discard,
    moves.Done: ArenaState._redraw,
    moves.Keep: ArenaState._vote,
    moves.Strike: ArenaState._vote,
}
