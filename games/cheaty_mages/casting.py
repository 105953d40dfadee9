"""Plays spells and carries out the effect of each Support spell."""

from __future__ import annotations

from games.api import AddressedEvent, Seat, to_all, to_others, to_seat
from games.cheaty_mages import addressed_events, events, moves
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.truth import FOUL_PRICE, JUDGE, Arena, Enduring, SpellOnFighter


def play_spell(arena: Arena, seat: Seat, action: moves.CastAction) -> list[AddressedEvent]:
    """Plays a spell that the caller has found legal. Returns the events."""
    deck = arena.deck
    kind = deck.number[action.card]
    spell = deck.spells[kind]
    if action.paying:
        arena.money[seat] -= FOUL_PRICE
        arena.fouls |= 1 << seat
    if isinstance(action, moves.Cast) and (action.face_down or deck.hiding >> kind & 1):
        hides = bool(arena.hides_directs >> seat & 1)
        lawful, possible = possible_hidden_kinds(arena, arena.refused_kinds(seat), hides, action.paying)
        card = arena.take_from_hand(seat, kind, possible)
        lying = SpellOnFighter(card, seat, False, action.paying, 1 << seat, possible, lawful)
        arena.rows[action.fighter - 1].append(lying)
        arena.invalidate_seat(seat)
        arena.invalidate_known(seat)
        arena.invalidate_fighter(action.fighter)
        return addressed_events.hidden_spell_events(seat, spell.name, action.fighter, action.paying)
    card = arena.take_from_hand(seat, kind)
    if isinstance(action, moves.Cast) and spell.kind != "support":
        arena.rows[action.fighter - 1].append(SpellOnFighter(card, seat, True, action.paying))
        if spell.face_up:
            arena.update_targetable(action.fighter)  # the spell is Reflection, which protects the fighter
        arena.invalidate_seat(seat)
        arena.invalidate_fighter(action.fighter)
        return [addressed_events.placed_event(seat, spell.name, action.fighter, action.paying)]
    arena.invalidate_seat(seat)
    told = [addressed_events.support_event(seat, spell.name, action.paying)]
    if spell.enduring in ("judge", "player"):
        arena.enduring.append(Enduring(card, seat if spell.enduring == "player" else JUDGE, seat, action.paying))
    _resolve(arena, seat, spell, action, card, told)
    if not spell.enduring:
        arena.discard.append(card)  # only now, so that a pile reshuffled by the effect does not contain it (rule 4.6)
    return told


def look_at_fighter(arena: Arena, seat: Seat, action: moves.Look) -> list[AddressedEvent]:
    """Discards a card to look at the face-down spells on a fighter (rule C2.1). Returns the events."""
    arena.discard_from_hand(seat, arena.deck.number[action.card])
    told = [addressed_events.discarded_event(seat, action.card)]
    _look_at(arena, seat, action.fighter, told)
    return told


def possible_hidden_kinds(arena: Arena, refused: int, hides: bool, paying: bool) -> tuple[int, int]:
    """Returns two sets of kinds of spells for a card that a seat lays face down: the kinds that are lawful, and the
    kinds that other players must consider possible. In a set, bit n stands for kind n.

    Args:
        arena: The state.
        refused: The set of kinds that the judge refuses from the seat.
        hides: Whether the seat may lay Direct spells face down.
        paying: Whether the seat pays for a refused spell.
    """
    deck = arena.deck
    mayhide = deck.hiding | (deck.directs if hides else 0)
    if paying:
        return mayhide & refused, mayhide & refused
    lawful = mayhide & ~refused
    if arena.options.allows_cheating:
        return lawful, deck.hiding | deck.directs | refused
    return lawful, lawful


def _resolve(
    arena: Arena, seat: Seat, spell: Spell, action: moves.CastAction, card: int, told: list[AddressedEvent]
) -> None:
    """Carries out the effect of a Support spell (rules 5.1 to 5.12, C3.3 to C4.1)."""
    match spell.name, action:
        case "detect_magic", moves.Cast(fighter=fighter):
            _look_at(arena, seat, fighter, told)
        case "dispel_magic", moves.CastAtSpell(fighter=fighter, place=place):
            lying = arena.rows[fighter - 1][place - 1]
            told.append(to_all(events.Dispelled(fighter, place, arena.deck.name_of[lying.card])))
            arena.discard_spell(fighter, lying, told)
        case "dispel_magic", moves.CastAtEnduring(spell=name):
            _end_enduring(arena, next(one for one in arena.enduring if arena.deck.name_of[one.card] == name), told)
        case "recall", _:
            arena.draw_cards(seat, 1, told)
        case "amnesia", moves.CastAtPlayer(seat=other):
            arena.phase, arena.forgetting = "forget", other
            told.append(to_all(events.MustForget(other)))
        case "imitation", moves.CastSwapping(placed=placed, aside=aside):
            bet = tuple(sorted((set(arena.bets[seat]) - {placed}) | {aside}))
            arena.bets[seat] = bet
            told += [to_others(seat, events.BetChanged(seat)), to_seat(seat, events.YouBet(bet))]
        case "dimension_door", _:
            change_judge(arena, told)
        case "confusion", _:
            arena.no_judgement = True
        case "invisibility", _:
            arena.unrefusable |= 1 << seat
        case "prismatic_ray", _:
            arena.hides_directs |= 1 << seat
        case "metamorphosis", moves.Cast(fighter=fighter):
            arena.fighters[fighter - 1] = arena.fighter_pile.pop()
            arena.invalidate_fighter(fighter)
            name = arena.deck.fighters[arena.fighters[fighter - 1]].name
            told.append(to_all(events.Replaced(fighter, name)))
        case "alteration", moves.CastMoving(fighter=fighter, place=place, to=to):
            _move(arena, fighter, place, to)
            told.append(to_all(events.SpellMoved(fighter, place, to)))
        case "anti_magic_field", moves.Cast(fighter=fighter):
            _clear(arena, fighter, told)
        case "duplicate", moves.CastAtSpell(fighter=fighter, place=place):
            row = arena.rows[fighter - 1]
            row.append(SpellOnFighter(card, seat, True, action.paying, doubles=row[place - 1].card))
            arena.invalidate_fighter(fighter)
            told.append(to_all(events.Doubled(fighter, place)))
        case _:
            raise LookupError(f"no rule for {spell.name} and {action}")


def _look_at(arena: Arena, seat: Seat, fighter: int, told: list[AddressedEvent]) -> None:
    row = arena.rows[fighter - 1]
    seen = []
    for place, lying in enumerate(row, 1):
        if not lying.face_up:
            if not lying.knowers >> seat & 1:
                knowers = lying.knowers | 1 << seat
                row[place - 1] = SpellOnFighter(
                    lying.card, lying.seat, False, lying.marked, knowers, lying.possible, lying.lawful
                )
            seen.append(events.SeenSpell(place, arena.deck.name_of[lying.card]))
    told.append(addressed_events.looked_event(seat, fighter))
    if seen:
        arena.invalidate_known(seat)
        told.append(to_seat(seat, events.YouSaw(fighter, tuple(seen))))
    else:
        told.append(addressed_events.saw_nothing_event(seat, fighter))


def change_judge(arena: Arena, told: list[AddressedEvent]) -> None:
    """Replaces the judge by the next one. The Enduring spells on the old judge are discarded (rules 5.6, C3.4)."""
    for ended in [one for one in arena.enduring if one.seat == JUDGE]:
        _end_enduring(arena, ended, told)
    gone = arena.judge
    told.append(to_all(events.JudgeLeft(arena.deck.judges[gone].name)))
    draw_judge(arena, told)
    if gone != arena.judge:
        arena.judges_gone.append(gone)


def draw_judge(arena: Arena, told: list[AddressedEvent]) -> None:
    """Draws the next judge. If the judge pile is empty, the judges that left become the new pile (rule 2.4). If there
    is only one judge, it stays."""
    if not arena.judge_pile and not arena.judges_gone and arena.judge >= 0:
        arena.judge_pile = [arena.judge]
    elif not arena.judge_pile:
        arena.judge_pile = arena.chance.shuffle("judges", arena.judges_gone)
        arena.judges_gone = []
    arena.judge = arena.judge_pile.pop()
    told.append(to_all(events.JudgeDrawn(arena.deck.judges[arena.judge].name)))


def _end_enduring(arena: Arena, ended: Enduring, told: list[AddressedEvent]) -> None:
    arena.end_enduring(ended)
    told.append(to_all(events.EnduringEnded(arena.deck.name_of[ended.card])))


def _move(arena: Arena, fighter: int, place: int, to: int) -> None:
    row, goal = arena.rows[fighter - 1], arena.rows[to - 1]
    moved = row[place - 1]
    going = [moved, *(lying for lying in row if lying.doubles == moved.card)]
    row[:] = [lying for lying in row if lying not in going]
    goal += going
    arena.update_targetable(fighter)
    arena.update_targetable(to)


def _clear(arena: Arena, fighter: int, told: list[AddressedEvent]) -> None:
    row = arena.rows[fighter - 1]
    told.append(to_all(events.Cleared(fighter, tuple(arena.deck.name_of[lying.card] for lying in row))))
    arena.discard += [lying.card for lying in row]
    row.clear()
    arena.update_targetable(fighter)
