"""The phrases of card texts in English and French."""

from __future__ import annotations

from typing import NamedTuple


class Phrases(NamedTuple):
    """The phrases of one language for card texts. If a phrase depends on a number, the singular stands before `|` and
    the plural after it."""

    who: dict[str, str]  # the mages that an effect changes
    caster: str  # the mage that the effects of a counter-spell change
    yours: dict[str, str]  # effects on the caster
    theirs: dict[str, str]  # effects on other mages, to follow one of `who`
    gain: tuple[str, str]  # a phrase for the caster, and one for other mages
    lose: tuple[str, str]
    amounts: dict[str, str]  # the things that mages gain and lose
    gauges: dict[str, str]  # the figures that the cost of a card changes
    needs: dict[str, str]
    roll: str
    lasts: str
    lasts_them: str
    each: str
    then: str  # the separator of two effects
    lasting: dict[str, str]
    lasting_them: dict[str, str]
    counter: dict[str, str]
    cv: str
    king: str
    kinds: dict[str, str]  # the kind of a card in its heading; `facts` follow
    facts: dict[str, str]
    limbs: dict[str, str]
    both: str  # the separator of two limbs


ENGLISH = Phrases(
    who={"them": "your victim", "others": "every other mage", "all": "every mage"},
    caster="the caster",
    yours={
        "advance": "you advance {n}",
        "charge": "you advance {n} through hurdles",
        "back": "you go back {n}",
        "smash": "you break the next hurdle|you break the next {n} hurdles",
        "raise": "a hurdle ahead of you is up again|{n} hurdles ahead of you are up again",
        "draw": "you draw {n}",
        "mislay": "you discard a card at random|you discard {n} cards at random",
        "limb": "you lose a random limb",
        "daze": "you have no action next turn",
        "dispel": "you discard your lasting spells",
    },
    theirs={
        "advance": "advances {n}",
        "charge": "advances {n} through hurdles",
        "back": "goes back {n}",
        "smash": "loses the next hurdle|loses the next {n} hurdles",
        "raise": "gets a hurdle back ahead|gets {n} hurdles back ahead",
        "draw": "draws {n}",
        "mislay": "discards a card at random|discards {n} cards at random",
        "limb": "loses a random limb",
        "daze": "has no action next turn",
        "dispel": "discards all lasting spells",
    },
    gain=("you gain {what}", "gains {what}"),
    lose=("you lose {what}", "loses {what}"),
    amounts={
        "endurance": "{n} endurance",
        "power": "{n} power",
        "reserve": "{n} reserve",
        "arm": "an arm|{n} arms",
        "leg": "a leg|{n} legs",
    },
    gauges={"endurance": "endurance", "power": "power"},
    needs={"arm": "Needs an arm.", "leg": "Needs a leg."},
    roll="Roll {n} or more.",
    lasts="Lasts: {n}.",
    lasts_them="Lies in front of your victim. Lasts: {n}.",
    each="Each upkeep: {what}.",
    then="; ",
    lasting={
        "shield": "Spells of others do not touch you.",
        "float": "Hurdles do not stop you.",
        "fresh": "Being tired does not count.",
        "sure": "Your dice: {n}.",
    },
    lasting_them={
        "shield": "Spells of others do not touch your victim.",
        "float": "Hurdles do not stop your victim.",
        "fresh": "Your victim does not mind being tired.",
        "sure": "Your victim's dice: {n}.",
    },
    counter={"any": "Counters any spell.", "attack": "Counters a spell that is aimed at a mage."},
    cv="Lies in front of you. Counts when the pile runs out.",
    king="Every mage plays its whole hand.",
    kinds={"spell": "spell", "counter": "counter-spell", "cv": "CV", "king": "king"},
    facts={
        "needs": "needs {n}",
        "roll": "roll {n}",
        "endurance": "endurance {n:+d}",
        "power": "power {n:+d}",
        "counters": "lasts {n}",
        "copies": "{n} copies",
    },
    limbs={"arm": "an arm", "leg": "a leg"},
    both=" and ",
)

FRENCH = Phrases(
    who={"them": "la cible", "others": "chaque adversaire", "all": "chaque mage"},
    caster="le lanceur",
    yours={
        "advance": "tu avances d'une case|tu avances de {n} cases",
        "charge": "tu avances d'une case en détruisant l'obstacle|tu avances de {n} cases en détruisant les obstacles",
        "back": "tu recules d'une case|tu recules de {n} cases",
        "smash": "tu détruis le prochain obstacle|tu détruis les {n} prochains obstacles",
        "raise": "un obstacle se relève devant toi|{n} obstacles se relèvent devant toi",
        "draw": "tu pioches une carte|tu pioches {n} cartes",
        "mislay": "tu défausses une carte au hasard|tu défausses {n} cartes au hasard",
        "limb": "tu perds un membre tiré au sort",
        "daze": "tu ne peux pas agir à ton prochain tour",
        "dispel": "tu défausses tes sorts persistants",
    },
    theirs={
        "advance": "avance d'une case|avance de {n} cases",
        "charge": "avance d'une case en détruisant l'obstacle|avance de {n} cases en détruisant les obstacles",
        "back": "recule d'une case|recule de {n} cases",
        "smash": "perd son prochain obstacle|perd ses {n} prochains obstacles",
        "raise": "voit un obstacle se relever sur son chemin|voit {n} obstacles se relever sur son chemin",
        "draw": "pioche une carte|pioche {n} cartes",
        "mislay": "défausse une carte au hasard|défausse {n} cartes au hasard",
        "limb": "perd un membre tiré au sort",
        "daze": "ne peut pas agir à son prochain tour",
        "dispel": "défausse ses sorts persistants",
    },
    gain=("tu gagnes {what}", "gagne {what}"),
    lose=("tu perds {what}", "perd {what}"),
    amounts={
        "endurance": "un point d'endurance|{n} points d'endurance",
        "power": "un point de puissance|{n} points de puissance",
        "reserve": "un jeton de réserve|{n} jetons de réserve",
        "arm": "un bras|{n} bras",
        "leg": "une jambe|{n} jambes",
    },
    gauges={"endurance": "endurance", "power": "puissance"},
    needs={"arm": "Nécessite un bras.", "leg": "Nécessite une jambe."},
    roll="Dé : {n} ou plus.",
    lasts="Durée : {n} tour.|Durée : {n} tours.",
    lasts_them="Se pose devant la cible. Durée : {n} tour.|Se pose devant la cible. Durée : {n} tours.",
    each="À chaque entretien : {what}.",
    then=" ; ",
    lasting={
        "shield": "Les sorts adverses n'ont aucun effet sur toi.",
        "float": "Les obstacles ne t'arrêtent pas.",
        "fresh": "Tu ignores la fatigue.",
        "sure": "{n} à tes jets de dé.",
    },
    lasting_them={
        "shield": "Les sorts adverses n'ont aucun effet sur la cible.",
        "float": "Les obstacles n'arrêtent pas la cible.",
        "fresh": "La cible ignore la fatigue.",
        "sure": "{n} aux jets de dé de la cible.",
    },
    counter={"any": "Annule n'importe quel sort.", "attack": "Annule un sort qui vise un mage."},
    cv="Reste devant toi. Compte quand la pioche est vide.",
    king="Chaque mage joue toute sa main.",
    kinds={"spell": "sort", "counter": "contre-sort", "cv": "CV", "king": "roi"},
    facts={
        "needs": "nécessite {n}",
        "roll": "dé {n}",
        "endurance": "endurance {n:+d}",
        "power": "puissance {n:+d}",
        "counters": "durée {n}",
        "copies": "{n} exemplaires",
    },
    limbs={"arm": "un bras", "leg": "une jambe"},
    both=" et ",
)


def phrases_of_language(lang: str) -> Phrases:
    return FRENCH if lang == "fr" else ENGLISH
