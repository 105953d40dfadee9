"""The sentences that cards are made of, in English and French."""

from __future__ import annotations

from typing import NamedTuple


class Phrases(NamedTuple):
    """The sentences of one language. Before the bar the form for one, after it the form for several."""

    who: dict[str, str]
    caster: str  # whom a counter-spell calls `them`
    yours: dict[str, str]  # said of the caster itself
    theirs: dict[str, str]  # said after one of `who`
    gain: tuple[str, str]
    lose: tuple[str, str]
    figures: dict[str, str]
    needs: dict[str, str]
    roll: str
    lasts: str
    lasts_them: str
    each: str
    then: str  # between two effects
    lasting: dict[str, str]
    lasting_them: dict[str, str]
    counter: dict[str, str]
    cv: str
    king: str


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
        "limb": "you lose a limb by lot",
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
        "limb": "loses a limb by lot",
        "daze": "has no action next turn",
        "dispel": "discards all lasting spells",
    },
    gain=("you gain {n} {figure}", "gains {n} {figure}"),
    lose=("you lose {n} {figure}", "loses {n} {figure}"),
    figures={"endurance": "endurance", "power": "power", "reserve": "reserve", "arm": "arm|arms", "leg": "leg|legs"},
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
)

FRENCH = Phrases(
    who={"them": "la cible", "others": "chaque adversaire", "all": "chaque mage"},
    caster="le lanceur",
    yours={
        "advance": "tu avances de {n}",
        "charge": "tu avances de {n} à travers les haies",
        "back": "tu recules de {n}",
        "smash": "tu casses la prochaine haie|tu casses les {n} prochaines haies",
        "raise": "une haie se relève devant toi|{n} haies se relèvent devant toi",
        "draw": "tu pioches {n}",
        "mislay": "tu défausses une carte au hasard|tu défausses {n} cartes au hasard",
        "limb": "tu perds un membre au hasard",
        "daze": "pas d'action à ton prochain tour",
        "dispel": "tu défausses tes sorts qui durent",
    },
    theirs={
        "advance": "avance de {n}",
        "charge": "avance de {n} à travers les haies",
        "back": "recule de {n}",
        "smash": "perd la prochaine haie|perd les {n} prochaines haies",
        "raise": "voit se relever une haie|voit se relever {n} haies",
        "draw": "pioche {n}",
        "mislay": "défausse une carte au hasard|défausse {n} cartes au hasard",
        "limb": "perd un membre au hasard",
        "daze": "n'a pas d'action au prochain tour",
        "dispel": "défausse ses sorts qui durent",
    },
    gain=("tu gagnes {n} {figure}", "gagne {n} {figure}"),
    lose=("tu perds {n} {figure}", "perd {n} {figure}"),
    figures={
        "endurance": "endurance",
        "power": "puissance",
        "reserve": "réserve",
        "arm": "bras",
        "leg": "jambe|jambes",
    },
    needs={"arm": "Demande un bras.", "leg": "Demande une jambe."},
    roll="Dé : {n} ou plus.",
    lasts="Durée : {n}.",
    lasts_them="Se pose devant la cible. Durée : {n}.",
    each="À chaque entretien : {what}.",
    then=" ; ",
    lasting={
        "shield": "Les sorts des autres ne te touchent pas.",
        "float": "Les haies ne t'arrêtent pas.",
        "fresh": "La fatigue ne compte pas.",
        "sure": "Tes dés : {n}.",
    },
    lasting_them={
        "shield": "Les sorts des autres ne touchent pas la cible.",
        "float": "Les haies n'arrêtent pas la cible.",
        "fresh": "La fatigue de la cible ne compte pas.",
        "sure": "Dés de la cible : {n}.",
    },
    counter={"any": "Contre n'importe quel sort.", "attack": "Contre un sort qui vise un mage."},
    cv="Se pose devant toi. Compte quand la pioche est vide.",
    king="Chaque mage joue toute sa main.",
)


def phrases(lang: str) -> Phrases:
    return FRENCH if lang == "fr" else ENGLISH
