"""Writes card texts in English and French from the data of the card file, so that the texts always match the rules."""

from __future__ import annotations

from games.api import Card
from games.mages_110m.card_phrases import Phrases, phrases_of_language
from games.mages_110m.cards import PRINTED, TABLES, CardKind, Deck, Effect
from languages import ENGLISH, current_language, speaking


def card_title(kind: CardKind) -> str:
    return kind.line.title.get(current_language(), kind.line.title["en"])


def card_joke(kind: CardKind) -> str:
    return kind.line.joke.get(current_language(), kind.line.joke.get("en", ""))


def rule_text(kind: CardKind) -> str:
    """Returns the effect of a card in a few short sentences."""
    words, line = phrases_of_language(current_language()), kind.line
    if kind.is_cv:
        return words.cv
    if kind.is_king:
        return words.king
    said = [words.counter[line.against]] if kind.is_counter else []
    said += [words.needs[limb] for limb in line.needs]
    price = [f"{words.gauges[gauge]} {by:+d}" for gauge, by in _price(kind) if by]
    if price:
        said.append(_sentence(", ".join(price)))
    if line.roll:
        said.append(words.roll.format(n=line.roll))
    if kind.effects:
        said.append(_sentence(words.then.join(_effect(words, effect, kind) for effect in kind.effects)))
    if line.counters:
        said.append(_counted(words.lasts_them if kind.on_target else words.lasts, line.counters))
    for ability in line.lasting:
        word, _, number = ability.partition(" ")
        said.append((words.lasting_them if kind.on_target else words.lasting)[word].format(n=number))
    if kind.each:
        said.append(words.each.format(what=words.then.join(_each(words, effect, kind) for effect in kind.each)))
    return " ".join(said)


def card_list(deck: Deck) -> list[Card]:
    """Returns all cards as `magehall cards` shows them. The text of each is its rule, then its joke."""
    return [
        Card(
            kind.name,
            card_title(kind),
            kind.line.kind,
            kind.count,
            f"{rule_text(kind)} {card_joke(kind)}".strip(),
            _facts(kind),
            card_heading(kind),
        )
        for kind in deck.kinds
    ]


def copies_text(kind: CardKind) -> str:
    """Returns the number of copies of a card as text. If it depends on the number of mages, the text has the numbers
    for two, three and four mages."""
    copies = [kind.copies[table] for table in TABLES]
    return str(copies[0]) if len({*copies}) == 1 else "/".join(map(str, copies))


def card_heading(kind: CardKind) -> str:
    """Returns a card's kind, figures and copies in a few words."""
    words = phrases_of_language(current_language())
    facts: dict[str, int | str] = {name: value for name, value in _facts(kind).items() if name != "needs"}
    needs = words.both.join(words.limbs[limb] for limb in kind.line.needs)
    facts = ({"needs": needs} if needs else {}) | facts | ({"copies": copies_text(kind)} if kind.count > 1 else {})
    return ", ".join(
        [words.kinds[kind.line.kind], *(words.facts[name].format(n=value) for name, value in facts.items())]
    )


def _facts(kind: CardKind) -> dict[str, int | str]:
    line = kind.line
    facts: dict[str, int | str] = {"needs": " and ".join(line.needs)} if line.needs else {}
    figures = {"roll": line.roll, "endurance": line.endurance, "power": line.power, "counters": line.counters}
    return facts | {name: value for name, value in figures.items() if value}


def _price(kind: CardKind) -> tuple[tuple[str, int], ...]:
    return ("endurance", kind.endurance), ("power", kind.power)


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] + "."


def _effect(words: Phrases, effect: Effect, kind: CardKind) -> str:
    if effect.who == "you":
        return _of_you(words, effect)
    who = words.caster if kind.is_counter and effect.who == "them" else words.who[effect.who]
    return _of_another(words, who, effect)


def _each(words: Phrases, effect: Effect, kind: CardKind) -> str:
    """Returns an effect of a lasting spell at upkeep as text. In such an effect, `you` is the mage in front of which
    the spell lies."""
    return _of_another(words, words.who["them"], effect) if kind.on_target else _of_you(words, effect)


def _of_you(words: Phrases, effect: Effect) -> str:
    if effect.verb in words.yours:
        return _counted(words.yours[effect.verb], effect.amount)
    return _change(words, 0, effect)


def _of_another(words: Phrases, who: str, effect: Effect) -> str:
    if effect.verb in words.theirs:
        return f"{who} {_counted(words.theirs[effect.verb], effect.amount)}"
    return f"{who} {_change(words, 1, effect)}"


def _change(words: Phrases, form: int, effect: Effect) -> str:
    what = _counted(words.amounts[effect.verb], abs(effect.amount))
    return (words.lose if effect.amount < 0 else words.gain)[form].format(what=what)


def _counted(text: str, number: int) -> str:
    one, _, several = text.partition("|")
    return (several if several and number != 1 else one).format(n=number)


def card_table(deck: Deck) -> list[str]:
    """Returns the card table of the rules page as lines of Markdown."""
    with speaking(ENGLISH):
        rows = [
            f"| `{kind.name}` | {kind.line.kind} | {copies_text(kind)} | {kind.copies[PRINTED]} "
            f"| {card_title(kind)} | {rule_text(kind)} |"
            for kind in deck.kinds
        ]
    return ["| card | kind | copies | printed | title | what it does |", "|---|---|---|---|---|---|", *rows]
