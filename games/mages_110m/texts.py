"""What a card says, in English and French: made from its data, so that a changed card never lies."""

from __future__ import annotations

from typing import NamedTuple

from games.api import Card
from games.mages_110m.cards import Deck, Effect, Kind

LANGUAGES = ("en", "fr")


class Phrases(NamedTuple):
    """The sentences of one language. Verbs come as (said of you, said of another)."""

    who: dict[str, str]
    caster: str  # whom a counter-spell calls `them`
    verbs: dict[str, tuple[str, str]]
    gain: tuple[str, str]
    lose: tuple[str, str]
    figures: dict[str, str]
    needs: dict[str, str]
    roll: str
    price: str
    lasts: str
    lasts_them: str
    each: str
    lasting: dict[str, str]
    counter: dict[str, str]
    cv: str
    king: str


ENGLISH = Phrases(
    who={"them": "your victim", "others": "every other mage", "all": "every mage"},
    caster="the caster",
    verbs={
        "advance": ("advance {n}", "advances {n}"),
        "charge": ("advance {n} through hurdles", "advances {n} through hurdles"),
        "back": ("go back {n}", "goes back {n}"),
        "smash": ("break the next hurdles: {n}", "loses the next hurdles: {n}"),
        "raise": ("get hurdles back ahead: {n}", "gets hurdles back ahead: {n}"),
        "draw": ("draw {n}", "draws {n}"),
        "mislay": ("discard at random: {n}", "discards at random: {n}"),
        "limb": ("lose a limb by lot", "loses a limb by lot"),
        "daze": ("have no action next turn", "has no action next turn"),
        "dispel": ("discard your lasting spells", "discards all lasting spells"),
    },
    gain=("gain {n} {what}", "gains {n} {what}"),
    lose=("lose {n} {what}", "loses {n} {what}"),
    figures={"endurance": "endurance", "power": "power", "reserve": "reserve", "arm": "arm", "leg": "leg"},
    needs={"arm": "Needs an arm.", "leg": "Needs a leg."},
    roll="Roll {n} or more.",
    price="On casting: {what}.",
    lasts="Lasts: {n}.",
    lasts_them="Lies in front of your victim. Lasts: {n}.",
    each="Each upkeep: {what}.",
    lasting={
        "shield": "Spells of others do not touch you.",
        "float": "Hurdles do not stop you.",
        "fresh": "Being tired does not count.",
        "sure": "Dice: {n}.",
    },
    counter={"any": "Counters any spell.", "attack": "Counters a spell that is aimed at a mage."},
    cv="Lies in front of you. Counts when the pile runs out.",
    king="Every mage plays its whole hand.",
)

FRENCH = Phrases(
    who={"them": "la cible", "others": "chaque adversaire", "all": "chaque mage"},
    caster="le lanceur",
    verbs={
        "advance": ("avance de {n}", "avance de {n}"),
        "charge": ("avance de {n} à travers les haies", "avance de {n} à travers les haies"),
        "back": ("recule de {n}", "recule de {n}"),
        "smash": ("détruis les prochaines haies : {n}", "perd les prochaines haies : {n}"),
        "raise": ("retrouve des haies devant toi : {n}", "retrouve des haies devant elle : {n}"),
        "draw": ("pioche {n}", "pioche {n}"),
        "mislay": ("défausse au hasard : {n}", "défausse au hasard : {n}"),
        "limb": ("perds un membre au hasard", "perd un membre au hasard"),
        "daze": ("pas d'action au prochain tour", "n'a pas d'action au prochain tour"),
        "dispel": ("défausse tes sorts qui durent", "défausse ses sorts qui durent"),
    },
    gain=("gagne {n} {what}", "gagne {n} {what}"),
    lose=("perds {n} {what}", "perd {n} {what}"),
    figures={"endurance": "endurance", "power": "puissance", "reserve": "réserve", "arm": "bras", "leg": "jambe"},
    needs={"arm": "Demande un bras.", "leg": "Demande une jambe."},
    roll="Dé : {n} ou plus.",
    price="Au lancement : {what}.",
    lasts="Durée : {n}.",
    lasts_them="Se pose devant la cible. Durée : {n}.",
    each="À chaque entretien : {what}.",
    lasting={
        "shield": "Les sorts des autres ne te touchent pas.",
        "float": "Les haies ne t'arrêtent pas.",
        "fresh": "La fatigue ne compte pas.",
        "sure": "Dés : {n}.",
    },
    counter={"any": "Contre n'importe quel sort.", "attack": "Contre un sort qui vise un mage."},
    cv="Se pose devant toi. Compte quand la pioche est vide.",
    king="Chaque mage joue toute sa main.",
)


def phrases(lang: str) -> Phrases:
    return FRENCH if lang == "fr" else ENGLISH


def title(kind: Kind, lang: str) -> str:
    return kind.line.title.get(lang, kind.line.title["en"])


def joke(kind: Kind, lang: str) -> str:
    return kind.line.joke.get(lang, kind.line.joke.get("en", ""))


def rule_text(kind: Kind, lang: str) -> str:
    """What the card does, in a few short sentences."""
    words, line = phrases(lang), kind.line
    if kind.is_cv:
        return words.cv
    if kind.is_king:
        return words.king
    said = [words.counter[line.against]] if kind.is_counter else []
    said += [words.needs[limb] for limb in line.needs]
    price = [_change(words, 0, what, by) for what, by in (("endurance", line.endurance), ("power", line.power)) if by]
    if price:
        said.append(words.price.format(what=", ".join(price)))
    if line.roll:
        said.append(words.roll.format(n=line.roll))
    effects = [_effect(words, effect, kind.is_counter) for effect in kind.effects]
    if effects:
        text = "; ".join(effects)
        said.append(text[0].upper() + text[1:] + ".")
    if line.counters:
        said.append((words.lasts_them if kind.on_target else words.lasts).format(n=line.counters))
    for ability in line.lasting:
        word, _, number = ability.partition(" ")
        said.append(words.lasting[word].format(n=number))
    if kind.each:
        said.append(words.each.format(what=", ".join(_effect(words, effect, False) for effect in kind.each)))
    return " ".join(said)


def listed(deck: Deck, lang: str) -> list[Card]:
    """Every kind of card as people look it up: the rule, then the joke."""
    return [
        Card(
            kind.name,
            title(kind, lang),
            kind.line.kind,
            kind.count,
            f"{rule_text(kind, lang)} {joke(kind, lang)}".strip(),
            _facts(kind),
        )
        for kind in deck.kinds
    ]


def _facts(kind: Kind) -> dict[str, int | str]:
    line = kind.line
    facts: dict[str, int | str] = {"needs": " and ".join(line.needs)} if line.needs else {}
    figures = {"roll": line.roll, "endurance": line.endurance, "power": line.power, "counters": line.counters}
    return facts | {name: value for name, value in figures.items() if value}


def _effect(words: Phrases, effect: Effect, is_counter: bool) -> str:
    other = effect.who != "you"
    if effect.verb in words.verbs:
        said = words.verbs[effect.verb][other].format(n=effect.amount)
    else:
        said = _change(words, other, effect.verb, effect.amount)
    if not other:
        return said
    who = words.caster if is_counter and effect.who == "them" else words.who[effect.who]
    return f"{who} {said}"


def _change(words: Phrases, other: int, what: str, by: int) -> str:
    form = words.gain if by > 0 else words.lose
    return form[other].format(n=abs(by), what=words.figures[what])
