"""The icons of a spell: their legal uses, the reasons why other uses are illegal, and their effects (rules 4)."""

from __future__ import annotations

from collections.abc import Sequence

from games.api import AddressedEvent, IllegalAction, Seat, to_all
from games.magecraft.cards import ICONS
from games.magecraft.ending import check_end
from games.magecraft.events import Attacked, Darkened, Healed, Shielded, Vanished
from games.magecraft.language import N_, _
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


def legal_icon_uses(truth: MagecraftTruth, mage: Mage) -> list[IconAction]:
    """Returns every legal use of the remaining icons. If there is none, the caller skips the icons (rule 4.1)."""
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


# Each `why_not_` function returns the reason why an icon cannot be used in this way; None if it can. The caller has
# checked the phase.


def illegal_attack_reason(truth: MagecraftTruth, action: Attack, mage: Mage) -> IllegalAction | None:
    if why := _no(truth.turn.icons[ATTACK_ICON], "attack") or _no_opponent(action.seat, mage, truth.mages):
        return why
    victim = truth.mages[action.seat - 1]
    gem = GEM_AT[action.gem]
    if any(victim.shield):
        return _missing(victim.shield[gem], action.gem, N_("in that shield, and attacks hit the shield first"))
    return _missing(victim.life[gem], action.gem, N_("in that life"))


def illegal_draw_reason(truth: MagecraftTruth, action: Draw, mage: Mage) -> IllegalAction | None:
    if not mage.bag and not any(mage.discard):
        return IllegalAction("no_gem", _("There is no gem left to draw."))
    return _no(truth.turn.icons[DRAW_ICON], "draw")


def illegal_heal_reason(truth: MagecraftTruth, action: Heal, mage: Mage) -> IllegalAction | None:
    gem = GEM_AT[action.gem]
    if gem == DARKNESS:
        return IllegalAction("no_gem", _("Darkness gems do not heal."))
    return _no(truth.turn.icons[HEAL_ICON], "heal") or _not_in_the_academy(truth, gem, action.gem)


def illegal_shield_reason(truth: MagecraftTruth, action: Shield, mage: Mage) -> IllegalAction | None:
    gem, left = GEM_AT[action.gem], truth.turn.icons[SHIELD_ICON]
    if action.source == "discard":
        return _no(left, "shield") or _missing(mage.discard[gem], action.gem, N_("in your discard"))
    if gem == DARKNESS:
        return IllegalAction("no_gem", _("Darkness gems from beside the Academy cannot be a shield."))
    return _no(left, "shield") or _not_in_the_academy(truth, gem, action.gem)


def illegal_vanish_reason(truth: MagecraftTruth, action: Vanish, mage: Mage) -> IllegalAction | None:
    zone, where = (mage.hand, N_("in your hand")) if action.source == "hand" else (mage.life, N_("in your life"))
    return _no(truth.turn.icons[VANISH_ICON], "vanish") or _missing(zone[GEM_AT[action.gem]], action.gem, where)


def illegal_darken_reason(truth: MagecraftTruth, action: Darken, mage: Mage) -> IllegalAction | None:
    if why := _no(truth.turn.icons[DARKNESS_ICON], "darkness") or _no_opponent(action.seat, mage, truth.mages):
        return why
    return _missing(truth.academy.gems[DARKNESS], "darkness", N_("beside the Academy"))


def _no_opponent(seat: Seat, mage: Mage, mages: Sequence[Mage]) -> IllegalAction | None:
    if not 1 <= seat <= len(mages) or seat == mage.seat:
        return IllegalAction("no_opponent", _("Seat {seat} is not your opponent.", seat=seat))
    if not mages[seat - 1].alive:
        return IllegalAction("no_opponent", _("Seat {seat} is out of the match.", seat=seat))
    return None


def _no(left: int, icon: str) -> IllegalAction | None:
    return None if left else IllegalAction("no_icon", _("You have no {icon} icon left to use.", icon=_(icon)))


def _missing(count: int, gem: str, where: str) -> IllegalAction | None:
    return None if count else IllegalAction("no_gem", _("There is no {gem} gem {where}.", gem=_(gem), where=_(where)))


def _not_in_the_academy(truth: MagecraftTruth, gem: int, name: str) -> IllegalAction | None:
    return _missing(truth.academy.gems[gem], name, N_("in the Academy"))


# Each function below uses one icon. The caller has checked that the use is legal.


def draw(truth: MagecraftTruth, action: Draw, mage: Mage, told: list[AddressedEvent]) -> None:
    truth.turn.icons[DRAW_ICON] -= 1
    mage.draw_gems(1, truth.chance, told)


def attack(truth: MagecraftTruth, action: Attack, mage: Mage, told: list[AddressedEvent]) -> None:
    truth.turn.icons[ATTACK_ICON] -= 1
    victim, gem = truth.mages[action.seat - 1], GEM_AT[action.gem]
    victim.invalidate_views()
    if any(victim.shield):
        victim.shield[gem] -= 1
        victim.discard[gem] += 1
        told.append(to_all(Attacked(mage.seat, victim.seat, action.gem, "shield")))
        return
    victim.life[gem] -= 1
    mage.score[gem] += 1
    mage.invalidate_views()
    told.append(to_all(Attacked(mage.seat, victim.seat, action.gem, "life")))
    check_end(truth, mage, victim, told)


def heal(truth: MagecraftTruth, action: Heal, mage: Mage, told: list[AddressedEvent]) -> None:
    truth.turn.icons[HEAL_ICON] -= 1
    gem = GEM_AT[action.gem]
    truth.academy.take_gem(gem)
    mage.invalidate_views()
    if sum(mage.life) < truth.cards.mages.full_life:
        mage.life[gem] += 1
        told.append(to_all(Healed(mage.seat, action.gem, "life")))
        return
    mage.score[gem] += 1
    told.append(to_all(Healed(mage.seat, action.gem, "score")))
    check_end(truth, mage, mage, told)


def shield(truth: MagecraftTruth, action: Shield, mage: Mage, told: list[AddressedEvent]) -> None:
    truth.turn.icons[SHIELD_ICON] -= 1
    gem = GEM_AT[action.gem]
    if action.source == "academy":
        truth.academy.take_gem(gem)
    else:
        mage.discard[gem] -= 1
    mage.shield[gem] += 1
    mage.invalidate_views()
    told.append(to_all(Shielded(mage.seat, action.gem, action.source)))


def vanish(truth: MagecraftTruth, action: Vanish, mage: Mage, told: list[AddressedEvent]) -> None:
    truth.turn.icons[VANISH_ICON] -= 1
    gem = GEM_AT[action.gem]
    if action.source == "hand":
        mage.remove_from_hand(gem)
    else:
        mage.life[gem] -= 1
    mage.score[gem] += 1
    mage.invalidate_views()
    told.append(to_all(Vanished(mage.seat, action.gem, action.source)))
    check_end(truth, mage, mage, told)


def use_darken(truth: MagecraftTruth, action: Darken, mage: Mage, told: list[AddressedEvent]) -> None:
    truth.turn.icons[DARKNESS_ICON] -= 1
    victim = truth.mages[action.seat - 1]
    truth.academy.take_gem(DARKNESS)
    victim.discard[DARKNESS] += 1
    victim.invalidate_views()
    told.append(to_all(Darkened(mage.seat, victim.seat)))
