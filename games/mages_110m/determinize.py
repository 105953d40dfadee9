"""Deals random full states from what a player or a spectator knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from games.api import Game
from games.chance import Chance, FastChance
from games.mages_110m import views
from games.mages_110m.cards import Deck, copies_key
from games.mages_110m.legal import possible_answers
from games.mages_110m.options import RaceOptions
from games.mages_110m.truth import AIM, ANSWER, LET_BE, LIMIT, NO_CARD, UPKEEP, WAITING, MageState, RaceTruth

_NO_DRAWS = Chance(b"")
_Parted: TypeAlias = tuple[list[int], list[int]]  # the cards that fit, and the others


def determinize(game: Game, deck: Deck, known: views.RaceKnowledge, options: RaceOptions, chance: Chance) -> RaceTruth:
    """Returns a random full state that fits the knowledge.

    A hand contains no CV and no king, and no counter-spell if its mage has played before the king. Hidden cards that
    were drawn before the current pile was shuffled are in hands. A secret answer is any of those that were possible.
    """
    seen, older, newer = _seen(game, deck, known, options)
    race, draws = seen.clone(), chance.quick("imagined")
    race.chance = draws.derive_chance()
    _deal(race, known, older, newer, draws)
    if race.phase == ANSWER:
        _answer(race, known.view, draws)
    return race


@lru_cache(maxsize=4)  # callers mostly imagine many states from the same knowledge
def _seen(
    game: Game, deck: Deck, known: views.RaceKnowledge, options: RaceOptions
) -> tuple[RaceTruth, _Parted, _Parted]:
    """Returns the race without hidden cards, and then the hidden cards that were drawn before the current pile was
    shuffled, and all others. Each of the two is split into cards that the first group of hands may contain, and other
    cards."""
    view = known.view
    race = RaceTruth(game, deck, options, len(view.mages), _NO_DRAWS)
    for runner, mage in zip(race.mages, view.mages, strict=True):
        _set_figures(runner, mage, deck)
    _set_turn(race, known)
    race.discard = _cards(deck, view.discard)
    left, older = _left(race), _cards(deck, known.kept_cards)
    for card in older:
        left[card] -= 1
    if isinstance(view, views.SeatRace):
        mine = race.mages[view.seat - 1]
        mine.hand, mine.kept = _cards(deck, view.hand), _cards(deck, known.own_kept)
        for card in mine.kept:
            older.remove(card)
            left[card] += 1
        for card in mine.hand:
            left[card] -= 1
    fits = _groups(race, known)[0][1]
    return race, _parted(older, fits), _parted([card for card, count in enumerate(left) for _ in range(count)], fits)


def _set_figures(runner: MageState, mage: views.MageView, deck: Deck) -> None:
    runner.square, runner.hurdles = mage.square, sum(1 << square for square in mage.hurdles)
    runner.arms, runner.legs = mage.arms, mage.legs
    runner.endurance, runner.power, runner.reserve = mage.endurance, mage.power, mage.reserve
    runner.cvs = _cards(deck, mage.cvs)
    runner.lasting = [(deck.index[lying.card], lying.counters, lying.asleep) for lying in mage.lasting]
    runner.traded, runner.dazed = mage.traded, mage.dazed


def _set_turn(race: RaceTruth, known: views.RaceKnowledge) -> None:
    view, index = known.view, race.deck.index
    race.phase, race.turn, race.turn_of, race.counts = view.phase, view.turn, view.turn_of, view.counts
    race.may_act, race.traded_now, race.surging = known.may_act, known.trades, known.surging
    race.asleep = any(asleep for runner in race.mages for _, _, asleep in runner.lasting)
    if view.spell:
        spell = view.spell[0]
        race.spell, race.spell_at, race.missing = index[spell.card], spell.at, spell.missing
        race.gambled = view.phase == AIM
    race.deed, race.price = (view.deed[0] if view.deed else None), known.price
    race.king_called_by = known.king_called_by
    race.king_reigns, race.king_queue = bool(view.king), list(view.king[1:])
    if view.king or known.king_called_by:
        race.king_card = next(kind.index for kind in race.deck.kinds if kind.is_king)
    race.bared = sum(1 << seat for seat in known.bared)
    race.after_king = UPKEEP if known.king_before_upkeep else LIMIT
    if view.king:
        race.actor = view.king[0]
    elif view.spell:
        race.actor = view.spell[0].seat
    else:
        race.actor = view.to_move[0] if view.to_move else view.turn_of
    race.crossed = any(mage.square > view.squares for mage in view.mages)


def _groups(race: RaceTruth, known: views.RaceKnowledge) -> list[tuple[list[MageState], Sequence[bool]]]:
    """Returns groups of mages, each with a list that says which cards their hands may contain. Mages that have played
    before the king come first, because fewer cards fit their hands."""
    mine = known.view.seat if isinstance(known.view, views.SeatRace) else 0
    bared = [runner for runner in race.mages if runner.seat != mine and runner.seat in known.bared]
    others = [runner for runner in race.mages if runner.seat != mine and runner.seat not in known.bared]
    return [group for group in ((bared, race.deck.is_spell), (others, race.deck.in_hand)) if group[0]]


def _deal(race: RaceTruth, known: views.RaceKnowledge, older: _Parted, newer: _Parted, draws: FastChance) -> None:
    old, new = older[0][:], newer[0][:]
    for at, (group, fits) in enumerate(_groups(race, known)):
        if at:
            older, newer = _parted(older[1] + old, fits), _parted(newer[1] + new, fits)
            old, new = older[0], newer[0]
        for runner in group:
            kept, size = known.kept[runner.seat - 1], known.view.mages[runner.seat - 1].hand_size
            runner.kept = sorted(draws.take_random(old, kept)) if kept else []
            runner.hand = sorted(runner.kept + draws.take_random(new, size - kept))
    # After a race that ended during a draw, some cards are nowhere.
    race.pile = draws.shuffled(newer[1] + new)[: known.view.pile]


def _parted(cards: list[int], fits: Sequence[bool]) -> _Parted:
    """Returns the cards that fit, and the other cards, both in their old order."""
    return [card for card in cards if fits[card]], [card for card in cards if not fits[card]]


def _left(race: RaceTruth) -> list[int]:
    """Returns, for each kind, the number of cards that are not public."""
    table = copies_key(race.seats, race.options)
    left = [kind.copies[table] for kind in race.deck.kinds]
    seen = [*race.discard, *[card for card in (race.spell, race.king_card) if card != NO_CARD]]
    for runner in race.mages:
        seen += runner.cvs
        seen += [card for card, _, _ in runner.lasting]
    for card in seen:
        left[card] -= 1
    return left


def _answer(race: RaceTruth, view: views.Race | views.SeatRace, draws: FastChance) -> None:
    """Sets the answers to the current spell, random ones where they are secret. Every opponent with a card in hand was
    asked."""
    for runner in race.mages:
        if runner.seat in view.to_move:
            runner.answer = WAITING
        elif isinstance(view, views.SeatRace) and runner.seat == view.seat:
            if view.answer:
                runner.answer = race.deck.index.get(view.answer[0], LET_BE)
        elif runner.seat != race.actor and runner.hand:
            runner.answer = draws.choice(possible_answers(race, runner))


def _cards(deck: Deck, names: Iterable[str]) -> list[int]:
    return [deck.index[name] for name in names]
