"""The icons of a spell: what a mage may do with those that are left, why not, and doing it (rules 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from games.api import IllegalAction, Seat, Told, tell_all
from games.magecraft.cards import ICONS
from games.magecraft.ending import look_at_the_end
from games.magecraft.events import Attacked, Darkened, Healed, Shielded, Vanished
from games.magecraft.language import _
from games.magecraft.mage import KINDS, Mage
from games.magecraft.moves import (
    ACADEMY_SHIELDS,
    ATTACKS,
    DARKENS,
    DARKNESS,
    DISCARD_SHIELDS,
    DRAW,
    GEM_AT,
    HAND_VANISHES,
    HEALS,
    LIFE_VANISHES,
    Attack,
    Darken,
    Draw,
    Heal,
    IconAction,
    Shield,
    Vanish,
)
from games.magecraft.truth import MagecraftTruth

DRAW_ICON, ATTACK_ICON, HEAL_ICON, SHIELD_ICON, VANISH_ICON, DARKNESS_ICON = range(len(ICONS))


def choices(truth: MagecraftTruth, mage: Mage) -> list[IconAction]:
    """Everything that the icons left can do now. Empty means that they are skipped (rule 4.1)."""
    mages, academy = truth.mages, truth.academy
    draw, attack, heal, shield, vanish, darkness = truth.turn.icons
    found: list[IconAction] = []
    if draw and (mage.bag or any(mage.discard)):
        found.append(DRAW)
    if attack:
        for other in mages:
            if other.alive and other is not mage:
                attacks = ATTACKS[other.seat]
                zone = other.shield if any(other.shield) else other.life
                found += [attacks[gem] for gem in range(KINDS) if zone[gem]]
    if heal:
        gems = academy.gems
        found += [HEALS[gem] for gem in range(DARKNESS) if gems[gem]]
    if shield:
        gems, discard = academy.gems, mage.discard
        found += [ACADEMY_SHIELDS[gem] for gem in range(DARKNESS) if gems[gem]]
        found += [DISCARD_SHIELDS[gem] for gem in range(KINDS) if discard[gem]]
    if vanish:
        hand, life = mage.hand, mage.life
        found += [HAND_VANISHES[gem] for gem in range(KINDS) if hand[gem]]
        found += [LIFE_VANISHES[gem] for gem in range(KINDS) if life[gem]]
    if darkness and academy.gems[DARKNESS]:
        found += [DARKENS[other.seat] for other in mages if other.alive and other is not mage]
    return found


def why_not(truth: MagecraftTruth, action: IconAction, mage: Mage) -> IllegalAction | None:
    """Why an icon cannot be used so, or None. The caller has seen to it that icons are to be used now."""
    icons, mages, academy = truth.turn.icons, truth.mages, truth.academy
    match action:
        case Attack():
            return _no(icons[ATTACK_ICON], "attack") or _why_not_attack(action, mage, mages)
        case Draw():
            if not mage.bag and not any(mage.discard):
                return IllegalAction("no_gem", _("There is no gem left to draw."))
            return _no(icons[DRAW_ICON], "draw")
        case Heal():
            gem = GEM_AT[action.gem]
            if gem == DARKNESS:
                return IllegalAction("no_gem", _("Nobody is healed by darkness."))
            return _no(icons[HEAL_ICON], "heal") or _missing(academy.gems[gem], action.gem, _("in the Academy"))
        case Shield():
            gem = GEM_AT[action.gem]
            if action.source == "discard":
                return _no(icons[SHIELD_ICON], "shield") or _missing(
                    mage.discard[gem], action.gem, _("in your discard")
                )
            if gem == DARKNESS:
                return IllegalAction("no_gem", _("Darkness gems beside the Academy make no shield."))
            return _no(icons[SHIELD_ICON], "shield") or _missing(academy.gems[gem], action.gem, _("in the Academy"))
        case Vanish():
            zone = mage.hand if action.source == "hand" else mage.life
            where = _("in your hand") if action.source == "hand" else _("in your life")
            return _no(icons[VANISH_ICON], "vanish") or _missing(zone[GEM_AT[action.gem]], action.gem, where)
        case Darken():
            if why := _no(icons[DARKNESS_ICON], "darkness") or _no_opponent(action.seat, mage, mages):
                return why
            return _missing(academy.gems[DARKNESS], "darkness", _("beside the Academy"))


def _why_not_attack(action: Attack, mage: Mage, mages: Sequence[Mage]) -> IllegalAction | None:
    if why := _no_opponent(action.seat, mage, mages):
        return why
    victim = mages[action.seat - 1]
    gem = GEM_AT[action.gem]
    if any(victim.shield):
        return _missing(victim.shield[gem], action.gem, _("in that shield, and a shield is attacked first"))
    return _missing(victim.life[gem], action.gem, _("in that life"))


def _no_opponent(seat: Seat, mage: Mage, mages: Sequence[Mage]) -> IllegalAction | None:
    if not 1 <= seat <= len(mages) or seat == mage.seat:
        return IllegalAction("no_opponent", _("Seat {seat} is no opponent of yours.", seat=seat))
    if not mages[seat - 1].alive:
        return IllegalAction("no_opponent", _("Seat {seat} is out of the match.", seat=seat))
    return None


def _no(left: int, icon: str) -> IllegalAction | None:
    return None if left else IllegalAction("no_icon", _("No {icon} icon is left to use.", icon=_(icon)))


def _missing(count: int, gem: str, where: str) -> IllegalAction | None:
    return None if count else IllegalAction("no_gem", _("There is no {gem} gem {where}.", gem=_(gem), where=where))


def use(truth: MagecraftTruth, action: IconAction, mage: Mage, told: list[Told]) -> None:
    """Uses one icon; the caller has seen to it that it may be used so."""
    match action:
        case Attack():
            _attack(truth, action, mage, told)
        case Draw():
            truth.turn.icons[DRAW_ICON] -= 1
            mage.draw(1, truth.chance, told)
        case Heal():
            _heal(truth, action, mage, told)
        case Shield():
            _shield(truth, action, mage, told)
        case Vanish():
            _vanish(truth, action, mage, told)
        case Darken():
            _darken(truth, action, mage, told)
        case _:
            assert_never(action)


def _attack(truth: MagecraftTruth, action: Attack, mage: Mage, told: list[Told]) -> None:
    truth.turn.icons[ATTACK_ICON] -= 1
    victim, gem = truth.mages[action.seat - 1], GEM_AT[action.gem]
    victim.touch()
    if any(victim.shield):
        victim.shield[gem] -= 1
        victim.discard[gem] += 1
        told.append(tell_all(Attacked(mage.seat, victim.seat, action.gem, "shield")))
        return
    victim.life[gem] -= 1
    mage.score[gem] += 1
    mage.touch()
    told.append(tell_all(Attacked(mage.seat, victim.seat, action.gem, "life")))
    look_at_the_end(truth, mage, victim, told)


def _heal(truth: MagecraftTruth, action: Heal, mage: Mage, told: list[Told]) -> None:
    truth.turn.icons[HEAL_ICON] -= 1
    gem = GEM_AT[action.gem]
    truth.academy.take_gem(gem)
    mage.touch()
    if sum(mage.life) < truth.cards.mages.full:
        mage.life[gem] += 1
        told.append(tell_all(Healed(mage.seat, action.gem, "life")))
        return
    mage.score[gem] += 1
    told.append(tell_all(Healed(mage.seat, action.gem, "score")))
    look_at_the_end(truth, mage, mage, told)


def _shield(truth: MagecraftTruth, action: Shield, mage: Mage, told: list[Told]) -> None:
    truth.turn.icons[SHIELD_ICON] -= 1
    gem = GEM_AT[action.gem]
    if action.source == "academy":
        truth.academy.take_gem(gem)
    else:
        mage.discard[gem] -= 1
    mage.shield[gem] += 1
    mage.touch()
    told.append(tell_all(Shielded(mage.seat, action.gem, action.source)))


def _vanish(truth: MagecraftTruth, action: Vanish, mage: Mage, told: list[Told]) -> None:
    truth.turn.icons[VANISH_ICON] -= 1
    gem = GEM_AT[action.gem]
    if action.source == "hand":
        mage.lose(gem)
    else:
        mage.life[gem] -= 1
    mage.score[gem] += 1
    mage.touch()
    told.append(tell_all(Vanished(mage.seat, action.gem, action.source)))
    look_at_the_end(truth, mage, mage, told)


def _darken(truth: MagecraftTruth, action: Darken, mage: Mage, told: list[Told]) -> None:
    truth.turn.icons[DARKNESS_ICON] -= 1
    victim = truth.mages[action.seat - 1]
    truth.academy.take_gem(DARKNESS)
    victim.discard[DARKNESS] += 1
    victim.touch()
    told.append(tell_all(Darkened(mage.seat, victim.seat)))
