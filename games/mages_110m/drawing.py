"""Drawing cards: for the hand, CVs, the bored king, and the count of CVs when the pile runs out."""

from __future__ import annotations

from bisect import insort

from games.api import Seat
from games.mages_110m import events
from games.mages_110m.addressed_events import drew_event
from games.mages_110m.running import charge_mage
from games.mages_110m.truth import NO_CARD, OVER, MageState, RaceTruth

COUNT_SQUARES = 2


class CardDrawing:
    """The cards that one mage draws one after the other. `add_events` adds the events for the cards since its last
    call."""

    __slots__ = ("aside", "dropped", "front", "hand", "king", "mage", "race")

    def __init__(self, race: RaceTruth, mage: MageState) -> None:
        self.race, self.mage = race, mage
        self._clear()

    def take_top_card(self) -> int:
        """Takes the top card of the pile and returns it. Returns NO_CARD if there is no card left."""
        race = self.race
        if not race.pile:
            if not race.discard:
                return NO_CARD
            _new_pile(race)
        return race.pile.pop()

    def place_card(self, card: int) -> None:
        """Puts a CV in front of the mage, the king aside, and a spell into the hand. Then it checks whether the pile is
        empty."""
        race, mage = self.race, self.mage
        kind = race.deck.kinds[card]
        mage.invalidate_view()
        if kind.is_cv:
            mage.cvs.append(card)
            self.front.append(card)
        elif kind.is_king:
            race.king_card = card
            self.king = True
        elif kind.is_counter and race.king_reigns:
            race.discard.append(card)
            self.dropped.append(card)
        else:
            insort(mage.hand, card)
            self.hand.append(card)
            if race.king_reigns and mage.seat != race.actor and mage.seat not in race.king_queue:
                race.king_queue.append(mage.seat)  # the mage had played its whole hand, and plays again (rule 9.1)
        self.check_pile()

    def set_card_aside(self, card: int, aside: list[int]) -> None:
        aside.append(card)
        self.aside.append(card)
        self.check_pile()

    def check_pile(self) -> None:
        if not self.race.pile:
            self.add_events()
            renew_empty_pile(self.race)

    def add_events(self) -> None:
        if not (self.hand or self.front or self.aside or self.king or self.dropped):
            return
        names, race, seat = self.race.deck.names, self.race, self.mage.seat
        front, aside, dropped = (
            tuple([names[card] for card in cards]) for cards in (self.front, self.aside, self.dropped)
        )
        race.add_event_to_all(events.Drew(seat, len(self.hand), front, aside, self.king, dropped))
        if self.hand:
            race.add_event_to_seat(seat, events.YouDrew(tuple([names[card] for card in self.hand])))
        self._clear()

    def _clear(self) -> None:
        self.hand: list[int] = []
        self.front: list[int] = []
        self.aside: list[int] = []
        self.dropped: list[int] = []
        self.king = False


def draw_for_turn(race: RaceTruth, mage: MageState) -> bool:
    """Draws the cards of a turn, and sets `race.king_card` if the king is drawn. Returns whether the cards let the mage
    act (rules 3.1 to 3.4)."""
    pile, kinds, in_hand = race.pile, race.deck.kinds, race.deck.in_hand
    if len(pile) > 2 and in_hand[pile[-1]] and in_hand[pile[-2]]:
        _draw_two_spells(race, mage)
        return True
    drawing = CardDrawing(race, mage)
    first = drawing.take_top_card()
    if first < 0:
        return True
    drawing.place_card(first)
    may_act = not kinds[first].is_cv
    if race.phase == OVER:
        return False
    if kinds[first].in_hand:
        second = drawing.take_top_card()
        if second >= 0:
            drawing.place_card(second)
            may_act = not kinds[second].is_cv
    else:
        _draw_until_no_cv(race, drawing)
    if race.phase != OVER:
        drawing.add_events()
    return may_act


def draw_cards(race: RaceTruth, mage: MageState, count: int) -> None:
    """Draws cards as the effect of a spell. CVs are put in front of the mage. A king comes only when the spell is done
    (rule 3.6)."""
    drawing = CardDrawing(race, mage)
    for _ in range(count):
        card = drawing.take_top_card()
        if card < 0:
            break
        if race.deck.kinds[card].is_king:
            race.king_called_by = mage.seat
        drawing.place_card(card)
        if race.phase == OVER:
            return
    drawing.add_events()


def turn_up_spell(race: RaceTruth, seat: Seat) -> int:
    """Takes the top spell of the pile and returns it; NO_CARD if there is none. CVs and the king above it are shuffled
    back into the pile (rule 4.11)."""
    aside: list[int] = []
    told = 0
    names = race.deck.names
    card = NO_CARD
    while card < 0 and race.phase != OVER and (race.pile or race.discard):
        if not race.pile:
            _new_pile(race)
        top = race.pile.pop()
        if race.deck.kinds[top].in_hand:
            card = top
        else:
            aside.append(top)
        if card >= 0 or not race.pile:
            met = tuple([names[each] for each in aside[told:]])
            race.add_event_to_all(events.TurnedUp(seat, met, (names[card],) if card >= 0 else ()))
            told = len(aside)
        if not race.pile:
            renew_empty_pile(race)
    if race.phase != OVER:
        shuffle_into_pile(race, aside)
    return card


def shuffle_into_pile(race: RaceTruth, aside: list[int]) -> None:
    if aside:
        race.pile = race.chance.shuffle("back", race.pile + aside)


def renew_empty_pile(race: RaceTruth) -> None:
    """Counts the CVs of each mage, moves the mages that are ahead in CVs, and makes a new pile (rules 7.1 to 7.4)."""
    race.counts += 1
    cvs = tuple(len(mage.cvs) for mage in race.mages)
    ahead = _ahead(race, cvs)
    race.add_event_to_all(events.Counted(cvs, ahead))
    for seat in ahead:
        charge_mage(race, race.mages[seat - 1], COUNT_SQUARES)
        if race.phase == OVER:
            return
    if race.counts >= race.deck.mages.counts:
        race.end_race(crossed=False)
    elif race.discard:
        _new_pile(race)


def _ahead(race: RaceTruth, cvs: tuple[int, ...]) -> tuple[Seat, ...]:
    most = max(cvs)
    first = [mage for mage in race.mages if len(mage.cvs) == most]
    if len(first) > 1 or not most:
        return ()
    leader = first[0]
    fours = [mage for mage in race.mages if len(mage.cvs) == 4]
    if most == 5 and len(fours) == 1 and fours[0].square < leader.square:
        return (leader.seat, fours[0].seat)
    return (leader.seat,)


def _draw_until_no_cv(race: RaceTruth, drawing: CardDrawing) -> None:
    aside: list[int] = []
    while race.phase != OVER:
        card = drawing.take_top_card()
        if card < 0:
            break
        if not race.deck.kinds[card].is_cv:
            drawing.place_card(card)
            break
        drawing.set_card_aside(card, aside)
    if race.phase != OVER:
        shuffle_into_pile(race, aside)


def _draw_two_spells(race: RaceTruth, mage: MageState) -> None:
    """Does the work of `draw_for_turn` if the two top cards of the pile are spells, which is the most frequent case."""
    first, second = race.pile.pop(), race.pile.pop()
    insort(mage.hand, first)
    insort(mage.hand, second)
    names = race.deck.names
    race.told.append(drew_event(mage.seat, 2))
    race.add_event_to_seat(mage.seat, events.YouDrew((names[first], names[second])))


def _new_pile(race: RaceTruth) -> None:
    race.reshuffle_pile()
    race.add_event_to_all(events.Shuffled(len(race.pile)))
