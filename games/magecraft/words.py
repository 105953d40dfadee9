"""How people write Magecraft's actions, and what they are asked and told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from games.api import Action, Event, Line, View, Words
from games.magecraft import moves as do
from games.magecraft.board import board_lines
from games.magecraft.cards import CardSet
from games.magecraft.moves import MagecraftEvent, TurnBegan
from games.magecraft.reading import Reader
from games.magecraft.views import Icons, SeatView, WatchView

HELP = """\
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


class MagecraftWords(Words):
    """The words of one card set."""

    help = HELP

    def __init__(self, cards: CardSet) -> None:
        self._cards = cards
        self._titles = {spell.name: spell.title for spell in cards.spells}
        self._titles |= {person.innate.name: person.innate.title for person in cards.characters}
        self._titles |= {person.name: person.title for person in cards.characters}

    def write(self, action: Action) -> str:
        """The action's word and its fields in their order; `into` stands before the book of a learnt spell."""
        if isinstance(action, do.Learn):
            return f"learn {action.spell} into {action.book}"
        fields = [str(getattr(action, name)) for name in action.__struct_fields__]
        return " ".join([str(action.__struct_config__.tag), *fields])

    def read(self, line: str, view: View, legal: Sequence[Action]) -> list[Action]:
        assert isinstance(view, SeatView | WatchView)
        return Reader(self._cards, view, legal).read(line)

    def ask(self, view: View, legal: Sequence[Action]) -> str:
        assert isinstance(view, SeatView | WatchView)
        progress = view.progress
        example = self.write(legal[0]) if legal else "end"
        match progress.phase:
            case "setup":
                count = progress.to_discard
                return f"Discard {count} gem{'s' * (count > 1)} of your starting hand: {example}."
            case "pay":
                count = progress.to_pay
                return f"Pay {count} wild symbol{'s' * (count > 1)}: {example}."
            case "icons":
                return f"Use an icon ({icons_text(progress.icons)}): {example}."
            case "revise" if progress.lifted:
                return f"Put {self._titles[progress.lifted[0].spell]} into a book: {example}."
            case "revise":
                return f"Rearrange your books ({progress.lifts} lifts left): {example}, or done."
            case _:
                return f"Cast, learn, revise or end your turn: {example}."

    def tell(self, event: Event, names: Sequence[str]) -> str:
        return self._sentence(event, names)  # type: ignore[arg-type]

    def _sentence(self, event: MagecraftEvent, names: Sequence[str]) -> str:
        if isinstance(event, do.YouDrew):
            return f"You draw {listed(event.gems)}."
        if isinstance(event, do.Started):
            return f"{names[event.first - 1]} goes first. On offer: {', '.join(map(self._title, event.academy))}."
        who = names[event.seat - 1]
        match event:
            case do.Drew():
                return f"{who} draws {event.count} gem{'s' * (event.count > 1)}."
            case do.Refilled():
                return f"{who} puts the discard into the empty bag."
            case do.Discarded():
                return f"{who} discards {_a(event.gem)} gem."
            case TurnBegan():
                return f"Round {event.round}: {who}'s turn."
            case do.Unshielded():
                return f"{who} discards {_a(event.gem)} gem from the shield."
            case do.SpellCast():
                helped = f", helped by the golden {event.gold} gem" if event.gold else ""
                return f"{who} casts {self._title(event.spell)} from book {event.book}{_for(event.gems)}{helped}."
            case do.InnateCast():
                return f"{who} casts the innate {self._title(event.spell)}{_for(event.gems)}."
            case do.Paid():
                return f"{who} pays {listed(event.gems)}."
            case do.GoldKept():
                return f"{who} keeps the {event.gem} gem as the golden gem."
            case do.GoldLost():
                return f"{who} discards the golden {event.gem} gem."
            case do.Attacked():
                victim = names[event.victim - 1]
                if event.zone == "shield":
                    return f"{who} knocks {_a(event.gem)} gem off {victim}'s shield."
                return f"{who} takes {_a(event.gem)} gem of {victim}'s life into the score."
            case do.Healed():
                return f"{who} takes {_a(event.gem)} gem from the Academy into {_zone(event.zone)}."
            case do.Shielded():
                return f"{who} shields with {_a(event.gem)} gem from the {event.source}."
            case do.Vanished():
                return f"{who} vanishes {_a(event.gem)} gem from {_zone(event.source)} into the score."
            case do.Darkened():
                return f"{who} puts a darkness gem into {names[event.victim - 1]}'s discard."
            case do.Learnt():
                return f"{who} learns {self._title(event.spell)} into book {event.book}."
            case do.Revising():
                return f"{who} pays {listed(event.gems)} to revise."
            case do.Lifted():
                return f"{who} lifts {self._title(event.spell)} out of book {event.book}."
            case do.Placed():
                return f"{who} puts {self._title(event.spell)} into book {event.book}, place {event.place}."
            case do.Mastered():
                return f"{who} masters {self._title(event.spell)}."
            case do.HandDiscarded():
                return f"{who} discards {listed(event.gems)}." if event.gems else ""
            case do.Eliminated():
                return f"{who} is eliminated."
            case _:
                assert_never(event)

    def _title(self, name: str) -> str:
        return self._titles.get(name, name)

    def board(self, view: View, names: Sequence[str], width: int) -> list[Line]:
        assert isinstance(view, SeatView | WatchView)
        return board_lines(view, names, width, self._cards)


def listed(gems: Sequence[str]) -> str:
    """`2 fire and 1 light`; the order of first appearance."""
    if not gems:
        return "nothing"
    parts = [f"{gems.count(gem)} {gem}" for gem in dict.fromkeys(gems)]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _zone(zone: str) -> str:
    return zone if zone == "life" else f"the {zone}"


def _a(gem: str) -> str:
    return f"an {gem}" if gem == "earth" else f"a {gem}"


def _for(gems: Sequence[str]) -> str:
    return f" for {listed(gems)}" if gems else ""


def icons_text(icons: Icons) -> str:
    """`1 draw, 2 attack`."""
    return ", ".join(f"{getattr(icons, name)} {name}" for name in icons.__struct_fields__ if getattr(icons, name))
