"""Draws the table in few lines: the fighters with their known power and mana, the players and the hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import prod

from games.api import Span, StyledLine
from games.cheaty_mages.cards import Spell, gold_text, judge_text, typed_spell_name
from games.cheaty_mages.deck import Deck
from games.cheaty_mages.language import N_, _, ngettext
from games.cheaty_mages.truth import FOUL_PRICE
from games.cheaty_mages.views import (
    Doubling,
    FighterView,
    HiddenSpell,
    LimitKnown,
    LimitToCome,
    PlayerView,
    SeatView,
    SpectatorView,
    TableView,
)
from games.columns import clip_names, clip_text, pack_spans, text_columns, wrap_text
from languages import ENGLISH, current_language

NARROW = 60  # columns; narrower boards use signs instead of words
DETAILS = range(5, -2, -1)  # the levels of detail, the longest drawing first
SHORT_TITLE = 12  # the number of columns to which spell titles are cut at small levels of detail
WHOLE = 4  # how many levels of DETAILS, from the first on, show everything that a decision needs
_FATES = {"dispel": N_(" dispelled"), "eject": N_(" ejected"), "none": ""}
_LETTERS = {"direct": N_("D"), "enchant": N_("E"), "support": N_("S")}
_FEW = {"invisibility": N_("Inv"), "prismatic_ray": N_("Ray")}
PHASES = {
    "bet": N_("betting"),
    "cast": N_("casting"),
    "forget": N_("discarding"),
    "vote": N_("voting"),
    "redraw": N_("drawing"),
    "over": N_("the end"),
}
_HEAD = N_("Round {round} of {rounds}, {phase}. Judge: {judged_by}.")
_BRIEF_HEAD = N_("R{round}/{rounds} {phase}. {judged_by}:")
LEGEND_OF_CARDS = N_("[D m1 +4]: a Direct spell (E Enchant, S Support), mana 1, power +4")
LEGEND = N_(
    """
7->2 m3/12 $4: power 7 on the card, 2 with its spells; mana 3, at most 12; prize 4; ? more lies face down
3.2: the second spell on fighter 3
14g 4c 1b: 14 gold, 4 cards in hand, 1 betting card"""
)


def draw_compact(
    deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, detail: int
) -> list[StyledLine]:
    """Returns the table as lines of at most `width` columns. A smaller `detail` needs fewer lines.

    Level 5 explains the signs. Level 4 adds to each spell who cast it. Level 3 lists the spells on a fighter below it,
    level 2 beside it. Levels 3 to 5 have the texts of cards in the hand that do not change power, level 2 only of those
    that the seat may cast, and level 1 none. Level 0 lists the spells on fighters only if a card in the hand targets
    one. Level -1 only names the cards in the hand.
    """
    return list(_lines(deck, view, names, width, detail))


def legend_text() -> str:
    return _(LEGEND_OF_CARDS) + _(LEGEND)


def _lines(
    deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, detail: int
) -> Iterator[StyledLine]:
    table = view.table
    known = {(one.fighter, one.place): one.card for one in view.you.knows} if isinstance(view, SeatView) else {}
    yield from _head(deck, table, names, width, brief=detail < 3)
    fighters = [_Fighter(deck, number, one, table, known) for number, one in enumerate(table.fighters, 1)]
    targets = detail > 0 or (detail == 0 and _needs_targets(deck, view))
    signs = width < NARROW or not targets
    for fighter in fighters:
        row = fighter.short_text(width, counted=not targets) if signs else fighter.full_text
        spells = fighter.spell_spans(names if detail > 3 else None, SHORT_TITLE if detail < 2 else 0)
        if detail > 2:
            yield [(fighter.style, clip_text(row, width))]
            yield from ([("", "  "), *line] for line in pack_spans(spells, width - 2, indent=""))
        else:
            yield from pack_spans([(fighter.style, row), *(spells if targets else [])], width, "  ")
    letters = 14 if width >= NARROW else 10 if detail > 0 else 4  # bots have names like `greedy:hard-2`
    yield from _players(deck, view, clip_names(names, letters), width, words=width >= NARROW, tiny=letters < 10)
    if isinstance(view, SeatView):
        yield from _own(deck, view, width, detail)
    if detail > 4:
        signs_of = legend_text() if signs else _(LEGEND_OF_CARDS)
        yield from ([("dim", row)] for line in signs_of.split("\n") for row in wrap_text(line, width, "", "  "))


def _head(deck: Deck, table: TableView, names: Sequence[str], width: int, *, brief: bool) -> Iterator[StyledLine]:
    judge = next(one for one in deck.judges if one.name == table.judge.name)
    judged_by = _(judge.title).partition(",")[0]
    text = _BRIEF_HEAD if brief else _HEAD
    head = _(text, round=table.round, rounds=deck.rounds, phase=_(PHASES[table.phase]), judged_by=judged_by)
    says = _no_judgement(deck, table, names) if table.no_judgement else judge_text(judge, short=brief)
    rows = wrap_text(f"{head} {decided_limit_text(table) or says}", width, "", "  ")
    sale = _(" Foul play: {price}g.", price=FOUL_PRICE) if table.foul_play and not table.result else ""
    if text_columns(rows[-1] + sale) <= width:
        rows[-1] += sale
    for number, row in enumerate(rows):
        yield [("" if number else "title", row)]


def decided_limit_text(table: TableView) -> str:
    """Returns the limit that a revealed spell decided, as text; "" if there is none."""
    limits = [result.limit for result in table.result if isinstance(table.judge.limit, LimitToCome)]
    return "".join(
        _("Decided: above {limit} mana: {verdict}", limit=limit.limit, verdict=_(limit.verdict))
        for limit in limits
        if isinstance(limit, LimitKnown)
    )


def _no_judgement(deck: Deck, table: TableView, names: Sequence[str]) -> str:
    if not table.judge_enduring:
        return _("No judgement this round.")
    (spell,) = table.judge_enduring
    by = clip_names(names, 10)[spell.by - 1] + _(", paid") * spell.marked
    return _("No judgement while {title} ({by}) lies on the judge.", title=_title(deck, spell.card), by=by)


def _needs_targets(deck: Deck, view: SeatView | SpectatorView) -> bool:
    """Returns whether a card in the hand targets a spell on a fighter."""
    hand = view.you.hand if isinstance(view, SeatView) else ()
    return any(deck.spells[deck.number[name]].target in ("spell", "move") for name in hand)


class _Fighter:
    """One fighter as text, with its verdict, and with its power and mana from the known spells. A `?` stands for hidden
    spells."""

    def __init__(
        self, deck: Deck, number: int, fighter: FighterView, table: TableView, known: dict[tuple[int, int], str]
    ) -> None:
        self._deck, self._number, self._fighter = deck, number, fighter
        self._title = next(_(one.title) for one in deck.fighters if one.name == fighter.name)
        self._cards = spell_names_on(number, fighter, known)
        self._power, self._mana = known_power_and_mana(deck, fighter, self._cards)
        self._open = "?" if "" in self._cards and not table.result else ""
        limit = table.result[0].limit if table.result else table.judge.limit
        self._most = limit.limit if isinstance(limit, LimitKnown) and not table.no_judgement else None
        over = self._most is not None and self._mana > self._most
        self.style, self._fate = "bad" if over and not table.result else "key", ""
        if table.result:
            own = table.result[0].fighters[number - 1]
            self._power, self._mana = own.power, own.mana
            if number == table.result[0].winner:
                self.style, self._fate = "good", _(" wins")
            elif own.verdict != "none":
                self.style, self._fate = "bad", _(_FATES[own.verdict])
        self._prize = known_prize(deck, fighter, self._cards)

    @property
    def full_text(self) -> str:
        """Returns the fighter in words, such as `3 Goblin: power 1 -> 6, mana 4 of 10, prize 10`."""
        fighter = self._fighter
        text = _(
            "{number} {title}{fate}: power {power}{changed}{open}, mana {mana}{open}{against}",
            number=self._number,
            title=self._title,
            fate=self._fate,
            power=fighter.power,
            changed=f" -> {self._power}" if self._power != fighter.power else "",
            open=self._open,
            mana=self._mana,
            against=_(" of {limit}", limit=self._most) if self._most is not None else "",
        )
        undead = _(", undead") if fighter.undead else ""
        return text + _(", prize {prize}{undead}", prize=self._prize, undead=undead)

    def short_text(self, width: int, *, counted: bool) -> str:
        """Returns the fighter in signs, such as `3 Goblin 1->6 m4/10 $10`, with its title cut to fit into `width`
        columns. `counted` adds its number of spells."""
        fighter, against = self._fighter, f"/{self._most}" if self._most is not None else ""
        change = f"->{self._power}" if self._power != fighter.power else ""
        signs = f"{fighter.power}{change}{self._open} m{self._mana}{self._open}{against} ${self._prize}"
        signs += _(" undead") if fighter.undead else ""
        signs += _(" {cards}sp", cards=len(self._cards)) if counted and self._cards else ""
        room = width - text_columns(f"{self._number}  {self._fate}{signs}")
        return f"{self._number} {clip_text(self._title, room)}{self._fate} {signs}"

    def spell_spans(self, names: Sequence[str] | None, letters: int) -> list[Span]:
        """Returns the spells on the fighter with the numbers that people type for them, such as 3.2.

        `names` adds who cast each spell. A `letters` above 0 cuts titles to that length.
        """
        parts: list[Span] = []
        for place, (card, lain) in enumerate(zip(self._cards, self._fighter.spells, strict=True), 1):
            what = _title(self._deck, card) if card else _("face down")
            what = clip_text(what, letters).rstrip() if letters else what
            what += _(" on {on}", on=lain.on) if isinstance(lain, Doubling) else ""
            by = ", ".join(filter(None, (names[lain.by - 1] if names else "", _("paid") * lain.marked)))
            style = ("you" if card else "hidden") if isinstance(lain, HiddenSpell) else ""
            parts.append((style, f"{self._number}.{place} {what}" + (f" ({by})" if by else "")))
        return parts


def spell_names_on(number: int, fighter: FighterView, known: dict[tuple[int, int], str]) -> list[str]:
    """Returns the names of the spells on a fighter in the order of their places; "" for a spell that the seat does not
    know."""
    return [known.get((number, place), getattr(lain, "card", "")) for place, lain in enumerate(fighter.spells, 1)]


def known_power_and_mana(deck: Deck, fighter: FighterView, cards: Sequence[str]) -> tuple[int, int]:
    """Returns the power and the mana of a fighter with its known spells. `cards` holds the names of its spells; "" for
    one that the seat does not know."""
    doubled = Counter(lain.on for lain in fighter.spells if isinstance(lain, Doubling))
    change = mana = 0
    for place, card in enumerate(cards, 1):
        if card:
            spell = deck.spells[deck.number[card]]
            change += spell.power << doubled[place]
            mana += spell.mana
    return fighter.power - change if fighter.undead else fighter.power + change, mana


def known_prize(deck: Deck, fighter: FighterView, cards: Sequence[str]) -> int:
    """Returns the prize of a fighter with its known spells. `cards` is as in `known_power_and_mana`."""
    return fighter.prize * prod(deck.spells[deck.number[card]].prize_times for card in cards if card)


def _players(
    deck: Deck, view: SeatView | SpectatorView, names: Sequence[str], width: int, *, words: bool, tiny: bool
) -> Iterator[StyledLine]:
    """Yields rows of players with their money, cards and bets, in words or in signs. `tiny` makes the rows even
    shorter."""
    own = view.you.seat if isinstance(view, SeatView) else 0
    table = view.table
    parts = []
    for player in table.players:
        mark = ">" if player.seat in table.to_move else " "
        style = "you" if player.seat == own else ""
        figures = (", " if words else " ").join(_figures(deck, player, table, words=words, tiny=tiny))
        parts.append((style, f"{mark}{player.seat} {names[player.seat - 1]} {figures}"))
    yield from pack_spans(parts, width, " " if tiny else "  ", "")


def _figures(deck: Deck, player: PlayerView, table: TableView, *, words: bool, tiny: bool) -> Iterator[str]:
    if words:
        yield gold_text(player.money)
        yield ngettext("{n} card", "{n} cards", player.hand_size)
    else:
        yield _("{money}g {hand_size}c", money=player.money, hand_size=player.hand_size)
    if table.result and table.result[0].bets:
        bet = table.result[0].bets[player.seat - 1]
        yield _("bet {listed}", listed=" ".join(map(str, bet.on))) + (f" +{bet.paid}" if bet.paid else "")
    elif player.bets:
        yield ngettext("{n} bet", "{n} bets", player.bets) if words else _("{bets}b", bets=player.bets)
    if player.passed and not table.result:
        yield _("p") if tiny else _("passed")
    for card, there in (("invisibility", player.unrefusable), ("prismatic_ray", player.hides_directs)):
        if there:
            marked = any(spell.card == card and spell.marked for spell in player.enduring)
            yield (_(_FEW[card]) if tiny else _word(deck, card)) + _(" pd") * marked


def is_refused(spell: Spell, view: SeatView) -> bool:
    """Returns whether the judge refuses this card from the view's seat and the seat cannot pay for it by foul play."""
    table, own = view.table, view.table.players[view.you.seat - 1]
    if table.phase not in ("bet", "cast") or own.unrefusable or table.may_cheat:
        return False
    kinds = {spell.kind, "forbidden"} if spell.forbidden else {spell.kind}
    return not kinds.isdisjoint(table.judge.refuses) and not (
        table.foul_play and not own.fouled and own.money >= FOUL_PRICE
    )


def _own(deck: Deck, view: SeatView, width: int, detail: int) -> Iterator[StyledLine]:
    bet = _("Bet: {listed}. ", listed=" ".join(map(str, view.you.bet))) if view.you.bet else ""
    between = "  " if detail >= 0 else ", "
    parts: list[Span] = []
    for name, count in Counter(view.you.hand).items():
        spell = deck.spells[deck.number[name]]
        style = "dim" if is_refused(spell, view) else ""
        times = _(" x{count}", count=count) if count > 1 else ""
        signs = [_(_LETTERS[spell.kind])] + ([_("m{mana}", mana=spell.mana)] if spell.kind != "support" else [])
        signs += [f"{spell.power:+d}"] if spell.power else []
        signs += [_("Forbidden")] if spell.forbidden and detail > 0 else []
        shown = detail > 0 or (detail == 0 and spell.kind != "support")
        parts.append((style, f"{typed_spell_name(spell)}{times}" + f" [{' '.join(signs)}]" * shown))
    (style, first), *others = parts or [("", _("empty"))]
    hand = _("{bet}Hand: {first}", bet=bet, first=first)
    if text_columns(hand) < width:
        parts = [("you", hand.removesuffix(first)), (style, first)]
        rows = pack_spans([("", hand), *others], width, between, " ")
        rows[0][:1] = parts
        yield from rows
    else:  # card names are never cut, because people type them
        yield [("you", _("{bet}Hand: {first}", bet=bet, first="").rstrip())]
        yield from pack_spans(parts, width, between, " ")
    for name in dict.fromkeys(view.you.hand) if detail > 1 else ():
        spell = deck.spells[deck.number[name]]
        dim = is_refused(spell, view)
        if not spell.power and not (dim and detail < 3):
            style = "dim" if dim else ""
            text = f"  {typed_spell_name(spell)}" + _(": {text}", text=_(spell.text))
            yield from ([(style, row)] for row in wrap_text(text, width, "", "    "))


def _title(deck: Deck, card: str) -> str:
    return _(deck.spells[deck.number[card]].title)


def _word(deck: Deck, card: str) -> str:
    return card.replace("_", " ").capitalize() if current_language() == ENGLISH else _title(deck, card)
