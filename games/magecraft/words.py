"""Reads and writes actions as people type them, and writes the question for each decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from games.api import Action, Event, StyledLine, View, Words
from games.magecraft import moves as do
from games.magecraft.board import board_lines, mage_lines
from games.magecraft.cards import CardSet
from games.magecraft.compact_board import DETAILS, WHOLE, compact_lines, legend_text
from games.magecraft.ending import ending_sentence
from games.magecraft.events import MagecraftEvent
from games.magecraft.language import N_, _, ngettext
from games.magecraft.moves import GEMS
from games.magecraft.page import page_values
from games.magecraft.preview import danger_warning, preview_action
from games.magecraft.reading import ActionReader
from games.magecraft.sentences import event_sentence
from games.magecraft.views import Icons, SeatView, SpectatorView
from games.spelling import typed_action_text
from languages import current_language

HELP = N_(
    """\
take gnome               take a character board, where the table lets you choose
discard fire             a gem of the starting hand goes
unshield fire            before the first spell: a shield gem goes to your discard
cast 2                   cast the next spell of book 2; cast 2 x3 casts three, cast 2 water pays the wild symbol too
innate                   cast your character's own spell
pay water                pay the next wild symbol
draw | attack 2 fire | heal water | shield earth academy | shield earth discard
vanish light hand | vanish light life | darken 2      use an icon; several gems may follow: heal water water
learn absorb into 1      buy a spell; it goes to the left end of book 1 and the turn ends
revise                   pay four gems to rearrange; then lift 1 2, put 3 1, move 1 2 3 1, master 1 1, done
revise absorb* meditation / / missile tricks          the whole revision at once; * masters a spell
end                      end the turn
On the board: F fire, W water, E earth, L light, D darkness, + any gem; * marks a mastered spell."""
)


_MAY = (  # the kinds of actions in the spell phase, as the question names them
    (do.Unshield, N_("take gems off your shield")),
    ((do.Cast, do.Innate), N_("cast")),
    (do.Learn, N_("learn")),
    (do.Revise, N_("revise")),
    (do.End, N_("end your turn (end)")),
)
VERBS = (
    *(N_("take"), N_("discard"), N_("unshield"), N_("cast"), N_("innate"), N_("pay"), N_("draw"), N_("attack")),
    *(N_("heal"), N_("shield"), N_("vanish"), N_("darken"), N_("learn"), N_("revise"), N_("lift"), N_("put")),
    *(N_("master"), N_("move"), N_("done"), N_("end")),
)
SYNONYMS = {"fr": {"éclipse": "vanish", "obscurité": "darkness", "maîtriser": "master"}}
THINGS = (*GEMS, N_("academy"), N_("hand"), N_("life"), N_("into"))


class MagecraftWords(Words):
    """The text interface of one card set."""

    whole = 1 + WHOLE

    def __init__(self, cards: CardSet) -> None:
        self._cards = cards
        self._titles = {spell.name: spell.title for spell in cards.spells}
        self._titles |= {person.innate.name: person.innate.title for person in cards.characters}
        self._titles |= {person.name: person.title for person in cards.characters}

    @property
    def legend(self) -> str:
        return legend_text()

    @property
    def card_titles(self) -> Mapping[str, str]:
        return {name: _(title) for name, title in self._titles.items()}

    @property
    def vocabulary(self) -> Mapping[str, str]:
        return {word: _(word) for word in (*VERBS, *THINGS)}

    @property
    def synonyms(self) -> Mapping[str, str]:
        return SYNONYMS.get(current_language(), {})

    @property
    def help_text(self) -> str:
        return _(HELP)

    def format_action(self, action: Action) -> str:
        """Returns the word of the action and its fields in order. For a learnt spell, `into` stands before the book."""
        if isinstance(action, do.Learn):
            return f"learn {action.spell} into {action.book}"
        fields = [str(getattr(action, name)) for name in action.__struct_fields__]
        return " ".join([str(action.__struct_config__.tag), *fields])

    def parse_actions(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        assert isinstance(view, SeatView | SpectatorView)
        return ActionReader(self._cards, view, legal).parse_line(line)

    def decision_prompt(self, view: View, legal: Sequence[Action]) -> str:
        assert isinstance(view, SeatView | SpectatorView)
        progress = view.progress
        example = _("for example {line}", line=typed_action_text(self, legal[0])) if legal else _("end")
        match progress.phase:
            case "boards":
                return _("Take a character board: {example}.", example=example)
            case "setup":
                count = progress.to_discard
                return ngettext(
                    "Discard {n} gem of your starting hand: {example}.",
                    "Discard {n} gems of your starting hand: {example}.",
                    count,
                    example=example,
                )
            case "pay":
                count = progress.to_pay
                return ngettext(
                    "Pay {n} wild symbol: {example}.", "Pay {n} wild symbols: {example}.", count, example=example
                )
            case "icons":
                return _(
                    "Use an icon ({icons_text}): {example}.", icons_text=icons_text(progress.icons), example=example
                )
            case "revise" if progress.lifted:
                return _(
                    "Put {spell} into a book: {example}.",
                    spell=self.card_titles[progress.lifted[0].spell],
                    example=example,
                )
            case "revise" if len(legal) == 1:
                return _("Nothing is left to rearrange: {line}.", line=typed_action_text(self, legal[0]))
            case "revise":
                return ngettext(
                    "Rearrange your books ({n} lift left): {example}, or done.",
                    "Rearrange your books ({n} lifts left): {example}, or done.",
                    progress.lifts,
                    example=example,
                )
            case _:
                may = [_(said) for kinds, said in _MAY if any(isinstance(action, kinds) for action in legal)]
                may = [_("{several} or {last}", several=", ".join(may[:-1]), last=may[-1])] if len(may) > 1 else may
                return _("{may}: {example}.", may="".join(may).capitalize(), example=example)

    def ending_sentence(self, reason: str, winners: Sequence[str], best: int) -> str:
        return ending_sentence(reason, winners, best)

    def format_score(self, score: int) -> str:
        return ngettext("{n} gem", "{n} gems", score)

    def preview_action(self, view: View, action: Action, names: Sequence[str]) -> str:
        assert isinstance(view, SeatView)
        return preview_action(self._cards, view, action, names)

    def danger_warning(self, view: View, action: Action) -> str:
        assert isinstance(view, SeatView)
        return danger_warning(self._cards, view, action)

    def event_sentence(self, event: Event, names: Sequence[str]) -> str:
        return event_sentence(cast(MagecraftEvent, event), names, self.card_titles)

    def page_values(self, view: View, names: Sequence[str]) -> dict[str, Any]:
        assert isinstance(view, SeatView | SpectatorView)
        return page_values(view, names, self._cards)

    def render_hand(self, view: View, names: Sequence[str], width: int) -> list[StyledLine]:
        return mage_lines(view.you, names, width, self._cards) if isinstance(view, SeatView) else []

    def render_boards(self, view: View, names: Sequence[str], width: int) -> Iterator[list[StyledLine]]:
        assert isinstance(view, SeatView | SpectatorView)
        yield board_lines(view, names, width, self._cards)
        for detail in DETAILS:
            yield compact_lines(view, names, width, self._cards, detail)


def icons_text(icons: Icons) -> str:
    """Returns counts of icons as text, such as `1 draw, 2 attack`."""
    return ", ".join(f"{getattr(icons, name)} {_(name)}" for name in icons.__struct_fields__ if getattr(icons, name))
