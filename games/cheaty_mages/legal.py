"""The legal actions of a seat, and the reasons why other actions are illegal. Both depend only on what the seat
knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, assert_never, get_args

from games.api import Action, IllegalAction, Seat
from games.cheaty_mages import moves
from games.cheaty_mages.cards import Spell
from games.cheaty_mages.language import N_, _
from games.cheaty_mages.truth import FOUL_PRICE, Arena, SpellOnFighter

_NO_BET = {
    1: N_("Bet on one fighter of 1 to {most}."),
    2: N_("Bet on one or two different fighters of 1 to {most}."),
    3: N_("Bet on one, two or three different fighters of 1 to {most}."),
}
_NOW = {
    "bet": N_("place a bet"),
    "cast": N_("cast a spell or pass"),
    "forget": N_("discard a card"),
    "vote": N_("keep the spell or strike it"),
    "redraw": N_("discard cards or say done"),
    "over": N_("the match is over"),
}


def legal_actions(arena: Arena, seat: Seat) -> Sequence[Action]:
    """Returns the legal actions of a seat; none if it is not this seat's turn."""
    if arena.phase == "over" or seat != (arena.forgetting or arena.turn):
        return ()
    match arena.phase:
        case "cast":
            return legal_casts(arena, seat)
        case "bet":
            return arena.deck.bets
        case "forget":
            return legal_discards(arena, seat)
        case "vote":
            return moves.VOTES
        case "redraw":
            return [*legal_discards(arena, seat), moves.DONE]
        case _:
            assert_never(arena.phase)


def illegal_reason(arena: Arena, seat: Seat, action: Action) -> IllegalAction | None:
    """Returns the reason why an action is illegal now; None if it is legal."""
    if arena.phase == "over":
        return IllegalAction("game_over", _("The match is over."))
    if seat != (arena.forgetting or arena.turn):
        return IllegalAction("not_your_turn", _("It is not your turn."))
    why = _WHY_NOT[arena.phase].get(type(action))
    if why is None:
        return IllegalAction("not_now", _("You cannot do that now: {now}.", now=_(_NOW[arena.phase])))
    return why(arena, seat, action)


def legal_discards(arena: Arena, seat: Seat) -> list[moves.Discard]:
    """Returns one discard action for each kind of card in the hand."""
    kind_of, found = arena.deck.kind_of, arena.deck.discards
    return [found[kind] for kind in dict.fromkeys([kind_of[card] for card in arena.hands[seat]])]


def _why_not_bet(arena: Arena, seat: Seat, action: moves.Bet) -> IllegalAction | None:
    if action in arena.deck.lawful_bets:
        return None
    return IllegalAction("no_such_bet", _(_NO_BET[arena.deck.edition.house.bets], most=arena.deck.in_the_arena))


def _not_in_hand(arena: Arena, seat: Seat, action: moves.Discard) -> IllegalAction | None:
    kind = arena.deck.number.get(action.card)
    held = kind is not None and arena.has_card(seat, kind)
    return None if held else IllegalAction("not_in_hand", _("You do not have that card."))


def _nothing_against(arena: Arena, seat: Seat, action: Action) -> None:
    return None


def legal_casts(arena: Arena, seat: Seat) -> list[Action]:
    """Returns the legal actions of the seat whose turn it is to cast a spell."""
    deck = arena.deck
    kind_of, spells, casts, looks = deck.kind_of, deck.spells, deck.casts, deck.looks
    refused = arena.refused_kinds(seat)
    open_fighters = arena.open_fighters
    hides = bool(arena.hides_directs >> seat & 1)
    cheats = arena.options.allows_cheating
    pays = refused and arena.can_foul(seat) and arena.money[seat] >= FOUL_PRICE
    actions: list[Action] = [moves.PASS]
    looking: list[Action] = []
    before: int | None = None
    for card in arena.hands[seat]:
        kind = kind_of[card]
        if kind == before:
            continue
        before = kind
        if looks:
            looking += looks[kind][open_fighters]
        if not refused >> kind & 1:
            plain = casts[kind]
            if plain is None:
                _add_lawful(arena, seat, spells[kind], hides, False, actions)
                continue
            actions += plain[open_fighters]
            if (hides or cheats) and spells[kind].kind == "direct":
                actions += moves.casts_at_fighters(spells[kind].name, open_fighters, True, False)
            continue
        spell = spells[kind]
        if pays:
            _add_lawful(arena, seat, spell, hides, True, actions)
        if cheats:
            actions += moves.casts_at_fighters(spell.name, open_fighters, not spell.is_face_down, False)
    return actions + looking if looks else actions


def _add_lawful(arena: Arena, seat: Seat, spell: Spell, hides: bool, paying: bool, actions: list[Action]) -> None:
    if spell.kind != "support":
        actions += moves.casts_at_fighters(spell.name, arena.open_fighters, False, paying)
        if hides and spell.kind == "direct":
            actions += moves.casts_at_fighters(spell.name, arena.open_fighters, True, paying)
        return
    match spell.target:
        case "fighter":
            if not _lacks_fighters(arena, spell):
                actions += moves.casts_at_fighters(spell.name, _fighters_for(arena, spell), False, paying)
        case "none":
            actions += moves.untargeted_casts(spell.name, paying)
        case "player":
            for other in range(1, arena.seats + 1):
                if len(arena.hands[other]) > (other == seat):
                    actions.append(moves.cast_at_player(spell.name, other, paying))
        case "bet":
            if len(arena.bets[seat]) > 1:
                actions += moves.swapping_casts(spell.name, arena.bets[seat], arena.deck.in_the_arena, paying)
        case "move":
            for fighter, row in enumerate(arena.rows, 1):
                for place, lying in enumerate(row, 1):
                    if lying.doubles < 0 and _may_be_target(arena, fighter, lying):
                        actions += moves.moving_casts(spell.name, fighter, place, arena.open_fighters, paying)
        case "spell":
            for fighter, row in enumerate(arena.rows, 1):
                for place, lying in enumerate(row, 1):
                    if _may_be_target(arena, fighter, lying) and not _not_to_double(arena, spell, lying, seat):
                        actions.append(moves.cast_at_place(spell.name, fighter, place, paying))
            if not spell.enduring:
                for ended in arena.enduring:
                    actions.append(moves.CastAtEnduring(spell.name, arena.deck.name_of[ended.card], paying))
        case _:
            assert_never(spell.target)


def _lacks_fighters(arena: Arena, spell: Spell) -> bool:
    return spell.name == "metamorphosis" and not arena.fighter_pile


def _fighters_for(arena: Arena, spell: Spell) -> int:
    return arena.deck.all_open if spell.through_reflection else arena.open_fighters


def _may_be_target(arena: Arena, fighter: int, lying: SpellOnFighter) -> bool:
    """Returns whether a spell on a fighter may be a target. Reflection protects its fighter, and all spells there
    except itself (rule 5.13)."""
    if arena.open_fighters >> fighter & 1:
        return True
    return lying.face_up and arena.deck.name_of[lying.card] == "reflection"


def _not_to_double(arena: Arena, spell: Spell, lying: SpellOnFighter, seat: Seat) -> bool:
    """Returns whether a Duplicate cannot lie on this spell, because it is a Duplicate or hidden from the seat (rule
    C4.2)."""
    if not spell.enduring:
        return False
    return not (lying.face_up or lying.knowers >> seat & 1) or arena.deck.name_of[lying.card] == spell.name


def illegal_cast_reason(arena: Arena, seat: Seat, action: moves.CastAction) -> IllegalAction | None:
    """Returns the reason why the seat whose turn it is may not cast this spell; None if it may."""
    kind = arena.deck.number.get(action.card)
    if kind is None or not arena.has_card(seat, kind):
        return IllegalAction("not_in_hand", _("You do not have that card."))
    spell = arena.deck.spells[kind]
    refused = bool(arena.refused_kinds(seat) >> kind & 1)
    face_down = isinstance(action, moves.Cast) and action.face_down
    if refused or face_down or action.paying:
        why = _why_not_so(arena, seat, spell, refused, face_down, action)
        if why is not None:
            return why
    elif (
        spell.kind != "support"
        and isinstance(action, moves.Cast)
        and action.fighter in arena.deck.places
        and arena.open_fighters >> action.fighter & 1
    ):
        return None  # a shortcut for most casts
    if spell.kind != "support" or face_down or (refused and not action.paying):
        if not isinstance(action, moves.Cast):
            return IllegalAction("wrong_target", _("{title} is cast at a fighter.", title=_(spell.title)))
        return _why_not_at(arena, action.fighter, arena.open_fighters)
    return _why_not_at_target(arena, seat, spell, action)


def _why_not_so(
    arena: Arena, seat: Seat, spell: Spell, refused: bool, face_down: bool, action: moves.CastAction
) -> IllegalAction | None:
    """Checks a cast for the rules of refused spells, foul play and face-down spells (rules 4.8, 5.9, 10.1 to 10.3)."""
    hides = bool(arena.hides_directs >> seat & 1)
    cheats = arena.options.allows_cheating
    if action.paying:
        if not arena.has_foul_play():
            return IllegalAction("no_foul_play", _("You cannot buy refused spells in this round."))
        if not arena.can_foul(seat):
            return IllegalAction(
                "no_foul_play", _("You have already bought a refused spell; each player may buy only one.")
            )
        if not refused:
            return IllegalAction(
                "nothing_to_pay", _("{title} is not refused: there is nothing to pay.", title=_(spell.title))
            )
        if arena.money[seat] < FOUL_PRICE:
            return IllegalAction(
                "no_money",
                _(
                    "Foul play costs {price} gold; you have {money}.",
                    price=FOUL_PRICE,
                    money=arena.money[seat],
                ),
            )
    elif refused and not cheats:
        title = _(arena.deck.judges[arena.judge].title)
        return IllegalAction("refused_by_judge", _("{title}, refuses {title2}.", title=title, title2=_(spell.title)))
    elif refused:
        if isinstance(action, moves.Cast) and face_down != spell.is_face_down:
            return None
        return IllegalAction(
            "refused_by_judge", _("{title} is refused: it can only be slipped in face down.", title=_(spell.title))
        )
    if not face_down:
        return None
    if spell.kind != "direct":
        return IllegalAction(
            "not_face_down", _("You cannot choose whether {title} lies face up or face down.", title=_(spell.title))
        )
    if hides or (cheats and not action.paying):
        return None
    return IllegalAction("not_face_down", _("A Direct spell lies face up, unless you have Prismatic Ray."))


def _why_not_at_target(arena: Arena, seat: Seat, spell: Spell, action: moves.CastAction) -> IllegalAction | None:
    match spell.target, action:
        case "fighter", moves.Cast(fighter=fighter):
            if _lacks_fighters(arena, spell):
                return IllegalAction("no_fighter_left", _("There is no fighter left to take its place."))
            return _why_not_at(arena, fighter, _fighters_for(arena, spell))
        case "none", moves.CastAlone():
            return None
        case "player", moves.CastAtPlayer(seat=other):
            if 1 <= other <= arena.seats and len(arena.hands[other]) > (other == seat):
                return None
            return IllegalAction("no_such_player", _("Choose a player who has a card."))
        case "bet", moves.CastSwapping(placed=placed, aside=aside):
            bet = arena.bets[seat]
            if len(bet) < 2:
                return IllegalAction("single_bet", _("You cannot use {title} with a single bet.", title=_(spell.title)))
            if placed in bet and aside not in bet and 1 <= aside <= arena.deck.in_the_arena:
                return None
            return IllegalAction("no_such_swap", _("Name a betting card you placed, then one you set aside."))
        case "move", moves.CastMoving(fighter=fighter, place=place, to=to):
            lying = _lying(arena, fighter, place)
            if lying is None:
                return IllegalAction("no_such_spell", _("There is no spell there."))
            if lying.doubles >= 0:
                return IllegalAction("not_on_a_fighter", _("That card lies on a spell, not on a fighter."))
            if not _may_be_target(arena, fighter, lying):
                return IllegalAction(
                    "protected", _("Reflection protects what lies on fighter {fighter}.", fighter=fighter)
                )
            if to == fighter:
                return IllegalAction("same_fighter", _("It has to move to another fighter."))
            return _why_not_at(arena, to, arena.open_fighters)
        case "spell", moves.CastAtSpell(fighter=fighter, place=place):
            lying = _lying(arena, fighter, place)
            if lying is None:
                return IllegalAction("no_such_spell", _("There is no spell there."))
            if not _may_be_target(arena, fighter, lying):
                return IllegalAction(
                    "protected", _("Reflection protects what lies on fighter {fighter}.", fighter=fighter)
                )
            if _not_to_double(arena, spell, lying, seat):
                return IllegalAction(
                    "not_known",
                    _(
                        "Choose a spell that lies face up or that you know, and not another {title}.",
                        title=_(spell.title),
                    ),
                )
            return None
        case "spell", moves.CastAtEnduring(spell=name):
            if spell.enduring:
                return IllegalAction(
                    "wrong_target", _("{title} is cast at a spell on a fighter.", title=_(spell.title))
                )
            if any(arena.deck.name_of[one.card] == name for one in arena.enduring):
                return None
            return IllegalAction("no_such_spell", _("No such Enduring spell is in play."))
    return IllegalAction(
        "wrong_target", _("{title} is cast at {target}.", title=_(spell.title), target=_(_TARGETS[spell.target]))
    )


_TARGETS = {
    "fighter": N_("a fighter"),
    "spell": N_("a spell in play, like 3.2"),
    "player": N_("a player, by seat number"),
    "bet": N_("a betting card placed and one set aside"),
    "move": N_("a spell in play and another fighter, like 3.2 5"),
    "none": N_("nothing: it has no target"),
}


def _lying(arena: Arena, fighter: int, place: int) -> SpellOnFighter | None:
    if 1 <= fighter <= arena.deck.in_the_arena and 1 <= place <= len(arena.rows[fighter - 1]):
        return arena.rows[fighter - 1][place - 1]
    return None


def _why_not_at(arena: Arena, fighter: int, allowed: int) -> IllegalAction | None:
    most = arena.deck.in_the_arena
    if not 1 <= fighter <= most:
        return IllegalAction("no_such_fighter", _("The fighters are 1 to {most}.", most=most))
    if not allowed >> fighter & 1:
        return IllegalAction("protected", _("Reflection protects fighter {fighter}.", fighter=fighter))
    return None


def illegal_look_reason(arena: Arena, seat: Seat, action: moves.Look) -> IllegalAction | None:
    """Returns the reason why the seat whose turn it is may not discard this card to look at a fighter (rules C2.1,
    C2.2); None if it may."""
    if not arena.deck.edition.looks_by_discarding:
        return IllegalAction("no_looking", _("In this edition you need a Detect Magic card to look."))
    kind = arena.deck.number.get(action.card)
    if kind is None or not arena.has_card(seat, kind):
        return IllegalAction("not_in_hand", _("You do not have that card."))
    return _why_not_at(arena, action.fighter, arena.open_fighters)


# For each phase and each kind of action: the function that returns the reason why the action is illegal.
_WhyNot: TypeAlias = Callable[[Arena, Seat, Any], IllegalAction | None]
_WHY_NOT: dict[str, dict[type[Action], _WhyNot]] = {
    "bet": {moves.Bet: _why_not_bet},
    "cast": {
        **dict.fromkeys(get_args(moves.CastAction), illegal_cast_reason),
        moves.Look: illegal_look_reason,
        moves.Pass: _nothing_against,
    },
    "forget": {moves.Discard: _not_in_hand},
    "vote": {moves.Keep: _nothing_against, moves.Strike: _nothing_against},
    "redraw": {moves.Discard: _not_in_hand, moves.Done: _nothing_against},
}
