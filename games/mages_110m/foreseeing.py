"""What an action would do to what its player sees, in words: breath, power, dice, squares. From the view alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.mages_110m import moves
from games.mages_110m.card_texts import rule_text
from games.mages_110m.cards import Deck, Effect, Kind
from games.mages_110m.turns import RESERVE_GAIN
from games.mages_110m.views import Mage, SeatRace


def foreseen(
    deck: Deck, race: SeatRace, move: moves.Move, names: Sequence[str], titles: Mapping[str, str], lang: str
) -> str:
    """One or two sentences about a legal action."""
    you = race.mages[race.seat - 1]
    spell = titles[race.spell[0].card] if race.spell else ""
    match move:
        case moves.Cast(card=card, at=at):
            kind = deck.kinds[deck.index[card]]
            return " ".join((*_price(deck, race, you, kind), *_effect(deck, race, kind, at, names, lang)))
        case moves.Counter(card=card):
            kind = deck.kinds[deck.index[card]]
            return " ".join((f"{spell} comes to nothing.", *_price(deck, race, you, kind)))
        case moves.Trade(deed=deed):
            return f"Two cards of {you.hand_size} go. {_deed(deck, you, deed)}"
        case moves.Gamble():
            return f"All your {you.hand_size} cards go, and the top spell of the pile is cast without a roll."
        case moves.Aim(at=at):
            return f"{spell} hits {names[at - 1]}."
        case moves.Drop():
            return f"Your hand: {you.hand_size} to {you.hand_size - 1}."
        case moves.Pay():
            return f"{spell} goes on. Your reserve: {you.reserve} to {you.reserve - race.spell[0].missing}."
        case moves.Fizzle():
            return f"{spell} is lost. Your reserve: {you.reserve} to {you.reserve + 1}."
        case moves.LetBe():
            return f"{spell} takes effect, unless somebody else counters it."
    return "You do nothing this turn."


def _price(deck: Deck, race: SeatRace, you: Mage, kind: Kind) -> Iterator[str]:
    """What the card costs and brings at once, and the die it needs."""
    endurance = min(max(you.endurance + kind.endurance, 0), deck.mages.endurance)
    power = max(you.power + kind.power, 0)
    changes = [
        f"{gauge} {before} to {after}"
        for gauge, before, after in (("endurance", you.endurance, endurance), ("power", you.power, power))
        if before != after
    ]
    if changes:
        yield f"{', '.join(changes).capitalize()}."
    if kind.is_spell and power > you.power and power >= deck.mages.surge and race.turn_of == race.seat:
        yield "That power bursts when the spell is done: through the next hurdle, one square on."
    if kind.roll:
        lasting = [deck.kinds[deck.index[one.card]] for one in you.lasting]
        tired = endurance <= deck.mages.tired and not any(one.fresh for one in lasting)
        need = kind.roll - sum(one.sure for one in lasting) + tired
        odds = f"{7 - need} of 6" if 1 < need <= 6 else "always" if need <= 1 else "never without your reserve"
        yield f"A die of {need} or more ({odds})."


def _effect(deck: Deck, race: SeatRace, kind: Kind, at: int, names: Sequence[str], lang: str) -> Iterator[str]:
    """Who stands where after it, or what the card says."""
    places = {mage.seat: (mage.square, set(mage.hurdles)) for mage in race.mages}
    hits = [(effect, mage) for effect in kind.effects for mage in _hit(race, effect, at)]
    for effect, mage in hits:
        if mage.seat != race.seat and _is_shielded(deck, mage):
            continue
        floats = _floats(deck, mage) or (kind.float and not kind.on_target and mage.seat == race.seat)
        places[mage.seat] = _moved(deck, *places[mage.seat], effect, floats=floats)
        if places[mage.seat][0] > deck.track.squares:
            break  # the race is over
    moved = [
        f"{names[mage.seat - 1]} from square {mage.square} to {_square(deck, places[mage.seat][0])}"
        for mage in race.mages
        if places[mage.seat][0] != mage.square
    ]
    yield f"{', '.join(moved)}." if moved else rule_text(kind, lang)
    if any(mage.hand_size for mage in race.mages if mage.seat != race.seat) and not race.king:
        yield "The others may answer it."


def _hit(race: SeatRace, effect: Effect, at: int) -> list[Mage]:
    clockwise = [*race.mages[race.seat - 1 :], *race.mages[: race.seat - 1]]
    if effect.who in ("you", "them"):
        return [mage for mage in race.mages if mage.seat == (race.seat if effect.who == "you" else at)]
    return clockwise if effect.who == "all" else clockwise[1:]


def _is_shielded(deck: Deck, mage: Mage) -> bool:
    return any(deck.kinds[deck.index[one.card]].shield and not one.asleep for one in mage.lasting)


def _floats(deck: Deck, mage: Mage) -> bool:
    return not (mage.arms or mage.legs) or any(deck.kinds[deck.index[one.card]].float for one in mage.lasting)


def _moved(deck: Deck, square: int, hurdles: set[int], effect: Effect, *, floats: bool) -> tuple[int, set[int]]:
    """A mage's square and its hurdles after that effect (rules 5.1 to 5.6)."""
    end = deck.track.squares + 1
    if effect.verb == "smash":
        return square, hurdles - set(sorted(one for one in hurdles if one >= square)[: effect.amount])
    if effect.verb == "back":
        return max(1, square - effect.amount), hurdles
    for _ in range(effect.amount if effect.verb in ("advance", "charge") else 0):
        if square == end or (effect.verb == "advance" and square in hurdles and not floats):
            break
        hurdles, square = hurdles - {square} if effect.verb == "charge" else hurdles, square + 1
    return square, hurdles


def _square(deck: Deck, square: int) -> str:
    return f"{square}" if square <= deck.track.squares else "the line"


def _deed(deck: Deck, you: Mage, deed: moves.Deed) -> str:
    match deed:
        case "arm":
            return f"Your arms: {you.arms} to {you.arms + 1}."
        case "leg":
            return f"Your legs: {you.legs} to {you.legs + 1}."
        case "step":
            return f"You go from square {you.square} to {you.square + 1}."
        case "clear":
            return f"The hurdle behind square {you.square} goes."
        case "rest":
            return f"Your endurance: {you.endurance} to {deck.mages.endurance}."
    return f"Your reserve: {you.reserve} to {you.reserve + RESERVE_GAIN}."
