"""Describes what an action would do, from the view alone: endurance, power, dice and squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.api import Seat
from games.mages_110m import moves
from games.mages_110m.card_texts import rule_text
from games.mages_110m.cards import CardKind, Deck, Effect
from games.mages_110m.language import N_, _
from games.mages_110m.turns import RESERVE_GAIN
from games.mages_110m.views import MageView, SeatRace


def preview_action(
    deck: Deck, race: SeatRace, move: moves.RaceAction, names: Sequence[str], titles: Mapping[str, str]
) -> str:
    """Returns one or two sentences about the effect of a legal action."""
    you = race.mages[race.seat - 1]
    spell = titles[race.spell[0].card] if race.spell else ""
    match move:
        case moves.Cast(card=card, at=at):
            kind = deck.kinds[deck.index[card]]
            return " ".join((*_price(deck, you, kind), *_effect(deck, race, kind, at, names)))
        case moves.Counter(card=card):
            kind = deck.kinds[deck.index[card]]
            return " ".join((_("{spell} comes to nothing.", spell=spell), *_price(deck, you, kind)))
        case moves.Trade(deed=deed):
            return _(
                "You would discard two of your {hand_size} cards. {deed}",
                hand_size=you.hand_size,
                deed=_deed(deck, you, deed),
            )
        case moves.Gamble():
            return _(
                "You would discard all {hand_size} cards and cast the top spell of the pile without a roll.",
                hand_size=you.hand_size,
            )
        case moves.Aim(at=at):
            kind = deck.kinds[deck.index[race.spell[0].card]]
            return " ".join((*_price(deck, you, kind, rolls=False), *_effect(deck, race, kind, at, names)))
        case moves.Drop():
            return _("Your hand: {hand_size} to {hand_size2}.", hand_size=you.hand_size, hand_size2=you.hand_size - 1)
        case moves.Pay():
            return _(
                "{spell} goes on. Your reserve: {reserve} to {reserve2}.",
                spell=spell,
                reserve=you.reserve,
                reserve2=you.reserve - race.spell[0].missing,
            )
        case moves.Fizzle():
            return _(
                "{spell} is lost. Your reserve: {reserve} to {reserve2}.",
                spell=spell,
                reserve=you.reserve,
                reserve2=you.reserve + 1,
            )
        case moves.LetBe():
            return _("{spell} takes effect, unless somebody else counters it.", spell=spell)
    return _("You would do nothing this turn.")


def _price(deck: Deck, you: MageView, kind: CardKind, *, rolls: bool = True) -> Iterator[str]:
    """Yields sentences about the cost and gain that a card has when it is played, and about the roll that it needs."""
    endurance = min(max(you.endurance + kind.endurance, 0), deck.mages.endurance)
    power = max(you.power + kind.power, 0)
    changes = [
        _("{gauge} {before} to {after}", gauge=_(gauge), before=before, after=after)
        for gauge, before, after in ((N_("endurance"), you.endurance, endurance), (N_("power"), you.power, power))
        if before != after
    ]
    if changes:
        yield f"{', '.join(changes).capitalize()}."
    if kind.is_spell and power > you.power and power >= deck.mages.surge:  # a mage casts spells only in its own turn
        yield _("Your power bursts after the spell: through the next hurdle and one square ahead.")
    if kind.roll and rolls:
        lasting = [deck.kinds[deck.index[one.card]] for one in you.lasting if not one.asleep]
        tired = endurance <= deck.mages.tired and not any(one.fresh for one in lasting)
        need = kind.roll - sum(one.sure for one in lasting) + tired
        odds = (
            _("never without your reserve")
            if need > 6
            else _("always")
            if need <= 1
            else _("{need} of 6", need=7 - need)
        )
        yield _("It needs a roll of {need} or more ({odds}).", need=need, odds=odds)


def _effect(deck: Deck, race: SeatRace, kind: CardKind, at: int, names: Sequence[str]) -> Iterator[str]:
    """Yields sentences about the squares to which mages would move, or the text of the card if no mage moves."""
    runners = {mage.seat: PreviewedMage(deck, mage) for mage in race.mages}
    shielded = {seat for seat, runner in runners.items() if runner.shielded}
    hits = _undergo(deck, race, kind, race.seat, at, runners)
    moved = [
        _(
            "{name} from square {square} to {square2}",
            name=names[mage.seat - 1],
            square=mage.square,
            square2=_square(deck, runners[mage.seat].square),
        )
        for mage in race.mages
        if runners[mage.seat].square != mage.square
    ]
    yield f"{', '.join(moved)}." if moved else rule_text(kind)
    touched = {at if kind.on_target else race.seat, *hits} - {race.seat}
    if safe := [names[seat - 1] for seat in sorted(touched) if seat in shielded]:
        yield _("It has no effect on {listed}, because of a protection.", listed=", ".join(safe))
    if any(mage.hand_size for mage in race.mages if mage.seat != race.seat) and not race.king:
        yield _("The others may answer it.")


def does_spell_concern_seat(deck: Deck, race: SeatRace) -> bool:
    """Returns whether the current spell affects the mage of the view's seat, or may move any mage over the finish line.

    The result depends on public facts only.
    """
    spell, runners = race.spell[0], {mage.seat: PreviewedMage(deck, mage) for mage in race.mages}
    kind = deck.kinds[deck.index[spell.card]]
    if race.seat in (spell.at, *_undergo(deck, race, kind, spell.seat, spell.at, runners)):
        return True
    power = race.mages[spell.seat - 1].power
    power += sum(effect.amount for effect in kind.effects if (effect.who, effect.verb) == ("you", "power"))
    runners[spell.seat].square += power >= deck.mages.surge  # the surge after the spell
    return any(runner.square > deck.track.squares for runner in runners.values())


def _undergo(
    deck: Deck, race: SeatRace, kind: CardKind, caster: Seat, at: Seat, runners: Mapping[Seat, PreviewedMage]
) -> list[Seat]:
    """Tries the effects of a spell on `runners`. Returns the seats at which its effects are aimed, protected ones
    included."""
    under = runners[at if kind.on_target else caster]
    sleeps = kind.shield and bool(race.king)
    under.floats |= kind.float and not sleeps  # effects of this spell do not move a protected mage at all
    hits = [(runners[seat], effect) for effect in kind.effects for seat in _hit(race, effect, caster, at)]
    for runner, effect in hits:
        if runner.seat == caster or not runner.shielded:
            runner.apply_effect(effect)
        if runner.square > deck.track.squares:
            break  # the race is over
    return [runner.seat for runner, _ in hits]


def _hit(race: SeatRace, effect: Effect, caster: Seat, at: Seat) -> Sequence[Seat]:
    if effect.who in ("you", "them"):
        return (caster if effect.who == "you" else at,)
    clockwise = [mage.seat for mage in (*race.mages[caster - 1 :], *race.mages[: caster - 1])]
    return clockwise if effect.who == "all" else clockwise[1:]


class PreviewedMage:
    """A copy of a mage of the view, on which the effects of a spell are tried (rules 5.1 to 5.7 and 6.5)."""

    def __init__(self, deck: Deck, mage: MageView) -> None:
        kinds = [deck.kinds[deck.index[one.card]] for one in mage.lasting if not one.asleep]
        self.deck, self.seat, self.square, self.hurdles = deck, mage.seat, mage.square, set(mage.hurdles)
        self.arms, self.legs = mage.arms, mage.legs
        self.floats = any(kind.float for kind in kinds)  # by a lasting spell; hurdles do not stop the mage
        self.shielded = any(kind.shield for kind in kinds)

    def apply_effect(self, effect: Effect) -> None:
        amount, most, track = effect.amount, self.deck.mages, self.deck.track
        match effect.verb:
            case "advance" | "charge":
                self._run(amount, breaking=effect.verb == "charge")
            case "back":
                self.square = max(1, self.square - amount)
            case "smash":
                self.hurdles -= set(sorted(one for one in self.hurdles if one >= self.square)[:amount])
            case "raise":
                gaps = sorted(one for one in track.hurdles if one >= self.square and one not in self.hurdles)
                self.hurdles |= set(gaps[:amount])
            case "arm":
                self.arms = min(max(self.arms + amount, 0), most.arms)
            case "leg":
                self.legs = min(max(self.legs + amount, 0), most.legs)
            case "limb" if self.legs > self.arms:  # the limb is random, but only the loss of the last limb matters here
                self.legs -= amount
            case "limb":
                self.arms = max(self.arms - amount, 0)
            case "dispel":
                self.floats = self.shielded = False

    def _run(self, squares: int, *, breaking: bool) -> None:
        for _step in range(squares):
            if self.square > self.deck.track.squares:
                return
            if breaking:
                self.hurdles.discard(self.square)
            elif self.square in self.hurdles and not self.floats and (self.arms or self.legs):
                return
            self.square += 1


def _square(deck: Deck, square: int) -> str:
    return f"{square}" if square <= deck.track.squares else _("the line")


def _deed(deck: Deck, you: MageView, deed: moves.Deed) -> str:
    match deed:
        case "arm":
            return _("Your arms: {arms} to {arms2}.", arms=you.arms, arms2=you.arms + 1)
        case "leg":
            return _("Your legs: {legs} to {legs2}.", legs=you.legs, legs2=you.legs + 1)
        case "step":
            return _("You go from square {square} to {square2}.", square=you.square, square2=you.square + 1)
        case "clear":
            return _("The hurdle behind square {square} breaks.", square=you.square)
        case "rest":
            return _(
                "Your endurance: {endurance} to {endurance2}.", endurance=you.endurance, endurance2=deck.mages.endurance
            )
    return _("Your reserve: {reserve} to {reserve2}.", reserve=you.reserve, reserve2=you.reserve + RESERVE_GAIN)
