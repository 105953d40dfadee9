"""Leaks planted in Ikasamage, each of a kind that real servers had: the exam must find every one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
import pytest

from games.api import Action, AddressedEvent, IllegalAction, Seat, options_from, to_all, to_others
from games.chance import Chance
from games.cheaty_mages import addressed_events, events, legal, moves, views_of
from games.cheaty_mages.judging import fighter_mana, fighter_power
from games.cheaty_mages.rules import ArenaState
from games.cheaty_mages.truth import Arena, SpellOnFighter
from games.cheaty_mages.views import FighterView, HiddenSpell, OpenSpell, PlayerView, SeatView, TableView, You
from games.magecraft import casting, payment
from games.magecraft.mage import Mage
from games.magecraft.rules import MagecraftState
from games.magecraft.turn import TurnProgress
from games.registry import get_game
from games.testing.exam import examine_match, examine_redeals
from games.testing.failed import ExamFailed

Seen = TypeVar("Seen", bound=msgspec.Struct)
Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: list[Plant] = []


def plant(leak: Plant) -> Plant:
    """Marks a leak that the test below plants."""
    PLANTS.append(leak)
    return leak


def changed_table(change: Callable[[Arena, TableView], TableView]) -> Plant:
    """A plant that changes the public part of every view."""
    honest = views_of._table

    def install(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views_of, "_table", lambda arena: change(arena, honest(arena)))

    return install


def changed_player(change: Callable[[Arena, PlayerView], PlayerView]) -> Plant:
    """A plant that changes what everybody knows of a player."""
    honest = views_of._player

    def install(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views_of, "_player", lambda arena, seat: change(arena, honest(arena, seat)))

    return install


def changed_fighter(change: Callable[[Arena, int, FighterView], FighterView]) -> Plant:
    """A plant that changes what everybody sees of a fighter."""
    honest = views_of._fighter

    def install(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(views_of, "_fighter", lambda arena, place: change(arena, place, honest(arena, place)))

    return install


def changed_apply(change: Callable[[ArenaState, Seat, Action, list[AddressedEvent]], list[AddressedEvent]]) -> Plant:
    """A plant that changes what is told of an action."""
    honest = ArenaState.apply

    def apply(self: ArenaState, seat: Seat, action: Action) -> list[AddressedEvent]:
        return change(self.clone(), seat, action, honest(self, seat, action))

    def install(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ArenaState, "apply", apply)

    return install


def replaced(view: Seen, **fields: Any) -> Seen:
    return msgspec.structs.replace(view, **fields)


@plant
def the_name_of_a_face_down_card(monkeypatch: pytest.MonkeyPatch) -> None:
    def lain(arena: Arena, lying: SpellOnFighter, row: list[SpellOnFighter]) -> OpenSpell:
        return OpenSpell(arena.deck.name_of[lying.card], lying.seat, lying.marked)

    monkeypatch.setattr(views_of, "_lain", lain)


@plant
def a_card_id_that_stays_through_the_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views_of._lain

    def lain(arena: Arena, lying: SpellOnFighter, row: list[SpellOnFighter]) -> Any:
        return honest(arena, lying, row) if lying.face_up else HiddenSpell(lying.card, lying.marked)

    monkeypatch.setattr(views_of, "_lain", lain)


@plant
def the_order_of_the_cards_on_a_fighter(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(arena: Arena, place: int, view: FighterView) -> FighterView:
        order = sorted(range(len(view.spells)), key=lambda spot: arena.rows[place][spot].card)
        return replaced(view, spells=tuple(view.spells[spot] for spot in order))

    changed_fighter(change)(monkeypatch)


@plant
def a_power_that_counts_face_down_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    changed_fighter(lambda arena, place, view: replaced(view, power=fighter_power(arena, place + 1)))(monkeypatch)


@plant
def a_prize_that_tells_the_mana_in_total(monkeypatch: pytest.MonkeyPatch) -> None:
    changed_fighter(lambda arena, place, view: replaced(view, prize=fighter_mana(arena, place + 1)))(monkeypatch)


@plant
def the_sum_of_a_bet(monkeypatch: pytest.MonkeyPatch) -> None:
    changed_player(lambda arena, view: replaced(view, bets=sum(arena.bets[view.seat])))(monkeypatch)


@plant
def a_hand_size_that_counts_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(arena: Arena, view: PlayerView) -> PlayerView:
        return replaced(view, hand_size=len({arena.deck.kind_of[card] for card in arena.hands[view.seat]}))

    changed_player(change)(monkeypatch)


@plant
def a_list_as_long_as_the_enchants_in_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(arena: Arena, view: PlayerView) -> PlayerView:
        hidden = [card for card in arena.hands[view.seat] if arena.deck.spell_of[card].is_face_down]
        return replaced(view, enduring=tuple(OpenSpell("", view.seat, False) for _card in hidden))

    changed_player(change)(monkeypatch)


@plant
def the_top_of_the_spell_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    changed_table(lambda arena, table: replaced(table, spell_pile=arena.pile[-1] if arena.pile else 0))(monkeypatch)


@plant
def the_order_of_the_judge_pile_in_the_spectators_view(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views_of.view_of

    def view_of(arena: Arena, seat: Seat | None) -> Any:
        view = honest(arena, seat)
        return (
            view if seat else replaced(view, table=replaced(view.table, judges_gone=tuple(map(str, arena.judge_pile))))
        )

    monkeypatch.setattr(ArenaState, "view", view_of)


@plant
def the_draws_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    changed_table(lambda arena, table: replaced(table, draws=arena.chance.clone().below("starter", 1000)))(monkeypatch)


@plant
def the_neighbours_view_instead_of_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views_of.view_of

    def view_of(arena: Arena, seat: Seat | None) -> Any:
        return honest(arena, seat and seat % arena.seats + 1)

    monkeypatch.setattr(ArenaState, "view", view_of)


@plant
def the_memory_of_another_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views_of._you

    def you(arena: Arena, seat: Seat) -> You:
        return replaced(honest(arena, seat), knows=honest(arena, seat % arena.seats + 1).knows)

    monkeypatch.setattr(views_of, "_you", you)


@plant
def an_own_hand_in_the_order_of_the_neighbours_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = views_of._you

    def you(arena: Arena, seat: Seat) -> You:
        own = honest(arena, seat)
        return replaced(own, hand=own.hand[:: 1 if sum(arena.hands[seat % arena.seats + 1]) % 2 else -1])

    monkeypatch.setattr(views_of, "_you", you)


@plant
def an_event_for_all_that_was_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def hidden(seat: Seat, card: str, fighter: int, paid: bool) -> list[AddressedEvent]:
        return [to_all(events.YouHid(card, fighter, paid))]

    monkeypatch.setattr(addressed_events, "hidden_spell_events", hidden)


@plant
def what_a_look_saw_told_to_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(_match: ArenaState, _seat: Seat, _action: Action, told: list[AddressedEvent]) -> list[AddressedEvent]:
        return [to_all(one.event) if isinstance(one.event, events.YouSaw) else one for one in told]

    monkeypatch.setattr(events.YouSaw, "reveals", frozenset())
    changed_apply(change)(monkeypatch)


@plant
def a_bet_in_the_event_for_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def change(_match: ArenaState, seat: Seat, action: Action, told: list[AddressedEvent]) -> list[AddressedEvent]:
        if not isinstance(action, moves.Bet):
            return told
        return [to_others(seat, events.BetPlaced(seat, sum(action.on))), *told[1:]]

    changed_apply(change)(monkeypatch)


@plant
def one_event_more_for_a_forbidden_card(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = addressed_events.hidden_spell_events

    def hidden(seat: Seat, card: str, fighter: int, paid: bool) -> list[AddressedEvent]:
        told = honest(seat, card, fighter, paid)
        return told + told[:1] if card in ("might", "cripple") else told

    monkeypatch.setattr(addressed_events, "hidden_spell_events", hidden)


@plant
def targets_that_depend_on_another_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = legal.legal_casts

    def legal_casts(arena: Arena, seat: Seat) -> list[Action]:
        return [
            action
            for action in honest(arena, seat)
            if not (isinstance(action, moves.Cast) and arena.hands[seat % arena.seats + 1][:1] < [action.fighter * 12])
        ]

    monkeypatch.setattr(legal, "legal_casts", legal_casts)


@plant
def legal_actions_that_know_what_lies_face_down(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = legal.legal_casts

    def legal_casts(arena: Arena, seat: Seat) -> list[Action]:
        shut = {fighter for fighter in range(1, 6) if fighter_mana(arena, fighter) > 10}
        return [one for one in honest(arena, seat) if not (isinstance(one, moves.Cast) and one.fighter in shut)]

    monkeypatch.setattr(legal, "legal_casts", legal_casts)


@plant
def a_refusal_that_names_a_hidden_card(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ArenaState.refusal_reason

    def refusal(self: ArenaState, seat: Seat, action: Action) -> IllegalAction | None:
        why = honest(self, seat, action)
        lying = [self.deck.name_of[lying.card] for row in self.rows for lying in row]
        return why and IllegalAction(why.code, f"{why.text} On the fighters lie {', '.join(lying)}.")

    monkeypatch.setattr(ArenaState, "refusal_reason", refusal)


@plant
def a_refusal_whose_code_tells_who_holds_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ArenaState.refusal_reason

    def refusal(self: ArenaState, seat: Seat, action: Action) -> IllegalAction | None:
        why = honest(self, seat, action)
        card = getattr(action, "card", "")
        held = any(card == self.deck.name_of[other] for hand in self.hands for other in hand)
        return why and IllegalAction("held_by_another" if held else why.code, why.text)

    monkeypatch.setattr(ArenaState, "refusal_reason", refusal)


@plant
def players_with_nothing_to_cast_are_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ArenaState._next_turn

    def next_turn(self: ArenaState, told: list[AddressedEvent]) -> list[AddressedEvent]:
        told = honest(self, told)
        while self.phase == "cast" and legal.legal_casts(self, self.turn) == [moves.PASS]:
            self.passed[self.turn] = True
            self.invalidate_seat(self.turn)
            told = honest(self, [*told, to_all(events.Passed(self.turn, True))])
        return told

    monkeypatch.setattr(ArenaState, "_next_turn", next_turn)


@plant
def a_turn_order_that_depends_on_the_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ArenaState._next_turn

    def next_turn(self: ArenaState, told: list[AddressedEvent]) -> list[AddressedEvent]:
        told = honest(self, told)
        if self.phase == "cast":
            ready = [seat for seat in range(1, self.seats + 1) if self.hands[seat] and not self.passed[seat]]
            self.turn = min(ready, key=lambda seat: self.hands[seat])
        return told

    monkeypatch.setattr(ArenaState, "_next_turn", next_turn)


@plant
def the_seat_view_with_a_field_of_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    class Generous(SeatView, frozen=True, tag_field="view", tag="generous"):
        pile: Sequence[int]

    honest = views_of.view_of

    def view_of(arena: Arena, seat: Seat | None) -> Any:
        view = honest(arena, seat)
        return Generous(view.table, view.you, tuple(arena.pile)) if isinstance(view, SeatView) else view

    monkeypatch.setattr(ArenaState, "view", view_of)


@plant
def a_late_seats_default_bet_is_its_neighbours(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = ArenaState.default_action

    def default_action(self: ArenaState, seat: Seat, chance: Chance) -> Action:
        neighbours = self.bets[seat % self.seats + 1]
        return moves.Bet(neighbours) if self.phase == "bet" and neighbours else honest(self, seat, chance)

    monkeypatch.setattr(ArenaState, "default_action", default_action)


def campaign(matches: int = 40) -> int:
    """The comparisons in which a leak has to show itself."""
    game = get_game("ikasamage")
    compared = 0
    for number in range(matches):
        for options in ({}, {"illegal_plays": "discard"}):
            compared += examine_redeals(game, 3 + number % 4, options_from(game, options), number, each=1)
    return compared


def test_without_a_leak_the_campaign_finds_nothing() -> None:
    assert campaign(1) > 250


@pytest.mark.parametrize("leak", PLANTS, ids=lambda leak: leak.__name__)
def test_the_exam_finds(leak: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    with pytest.raises(ExamFailed, match=r"betray|heard"):
        campaign()


def test_the_exam_finds_a_default_that_depends_on_another_mages_bag(monkeypatch: pytest.MonkeyPatch) -> None:
    def default_action(self: MagecraftState, seat: Seat, chance: Chance) -> Action:
        bag = self.mages[seat % len(self.mages)].bag
        return self.legal_actions(seat)[-1 if bag and bag[-1] % 2 else 0]

    game = get_game("magecraft")
    monkeypatch.setattr(MagecraftState, "default_action", default_action)
    with pytest.raises(ExamFailed, match="the default action betrays a hidden card"):
        sum(examine_redeals(game, 3, options_from(game, {}), number) for number in range(10))


def test_the_exam_finds_that_a_hand_of_one_kind_is_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_asking(turn: TurnProgress, mage: Mage) -> list[int]:
        kinds = [gem for gem, count in enumerate(mage.hand) if count]
        return kinds * turn.to_pay if len(kinds) == 1 else payment.forced_whole_hand(turn, mage)

    game = get_game("magecraft")
    monkeypatch.setattr(casting, "forced_whole_hand", without_asking)
    with pytest.raises(ExamFailed, match=r"heard \d or \d events"):
        sum(examine_redeals(game, 3, options_from(game, {}), number, each=1) for number in range(20))


@pytest.mark.parametrize("forgotten", ["seat", "fighter", "hidden", "known", "all"])
def test_the_exam_finds_a_view_that_is_out_of_date(forgotten: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = get_game("ikasamage")
    monkeypatch.setattr(ArenaState, f"invalidate_{forgotten}", lambda *_: None)
    with pytest.raises(ExamFailed, match="out of date"):
        sum(examine_match(game, 3, options_from(game, {}), number) for number in range(20))
