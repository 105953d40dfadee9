"""The context in which a typed line is read: the current table, its open decision, and what earlier lines left
behind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from people.language import _
from people.text.sentences import another_match_text
from protocol import messages as m
from protocol.errors import Refusal
from protocol.messages.parts import Map


@dataclass(frozen=True)
class RequestDraft:
    """A request to send. It has no id yet, because the connection adds one."""

    kind: type[m.Request]
    fields: Mapping[str, Any] = field(default_factory=dict)
    part: str = ""  # the part of the answer that is shown: "hand"; "" for the whole answer

    @classmethod
    def from_request(cls, request: m.Request) -> RequestDraft:
        """Returns the Ask with the type and the fields of `request`."""
        return cls(type(request), {name: getattr(request, name) for name in request.__struct_fields__ if name != "id"})


@dataclass(frozen=True)
class LocalCommand:
    """A typed command that the typist's program carries out itself, and the words after it."""

    word: str
    rest: str


@dataclass(frozen=True)
class AwaitedDecision:
    """The typist's open decision between `choices` legal actions.

    `listed` returns the legal action of an index from 0, and `said` its typed form. `read` returns the actions that a
    line stands for, or raises Refusal.
    """

    table: str
    turn: int
    choices: int
    listed: Callable[[int], Map]
    said: Callable[[int], str]
    read: Callable[[str], list[Map]]

    def action_numbered(self, number: str) -> Map:
        """Returns the legal action of that typed number, from 1 as the command `legal` lists it. Raises Refusal if
        there is no such number."""
        if not 1 <= int(number) <= self.choices:
            raise Refusal("unreadable", _("Type a number from 1 to {choices}, or an action.", choices=self.choices))
        return self.listed(int(number) - 1)

    def action_request(self, action: Map) -> RequestDraft:
        """Returns the request that decides for that action."""
        return RequestDraft(m.Act, {"table": self.table, "turn": self.turn, "action": action})


@dataclass(frozen=True)
class TypingContext:
    """Everything on which the meaning of a typed line depends. `table` and `game` are the ids of the current table and
    its game; "" without a table."""

    games: Collection[str]  # the ids of all games of this server
    tables: Callable[[str], Sequence[str]]  # returns the ids of the known tables in a state: open, playing or over
    table: str = ""
    game: str = ""
    forms: str = ""  # the forms of the game's actions, one row for each form
    decision: Callable[[], AwaitedDecision | None] = lambda: None
    aim: str = ""  # the game's aim: what players do, and how they win
    hint: Callable[[], str] = str  # returns a sentence with a house bot's choice; "" without an open decision
    # returns the error code for why the typist plays no match at the table; "" if they do
    idle: Callable[[], str] = str
    played_by: Callable[[], str] = str  # returns the house bot that plays the typist's seat; "" if they play it
    # returns the delay of a table's open hands in seconds; 0: there are none, or the typist has a seat there
    delay: Callable[[str], int] = lambda table: 0
    nonce: str = ""  # the typist's share in the randomness of a deal, sent with requests for a seat
    # returns the tables with a running match in which the typist has left a seat
    left: Callable[[], Sequence[str]] = list
    may_resign: bool = True  # False if the rules of the current table's game forbid it
    is_stranger: Callable[[], bool] = lambda: False  # returns whether the typist has given no name yet
    without: frozenset[str] = frozenset()  # the commands that the typist cannot use in this client
    pinned: bool = False  # the board stays on the typist's screen, and a numbered list disappears with the next line

    @property
    def can_type_hello(self) -> bool:
        """Whether the typist can type `hello`, as over telnet. Otherwise a client has sent it, which also wraps
        lines."""
        return "hello" not in self.without

    def turn_refusal(self) -> Refusal:
        """Returns the refusal of an action that the typist cannot do now, with the reason why they have no decision to
        make."""
        if idle_code := self.idle():
            return Refusal(idle_code, self._over() if idle_code == "game_over" else "")
        by = self.played_by()
        text = _("{by} plays your seat now; there is nothing more to decide.", by=by) if by else ""
        return Refusal("not_your_turn", text)

    def _over(self) -> str:
        return _("The match is over.") + " " + another_match_text()


def idle_code(state: str, *, sits: bool) -> str:
    """Returns the error code for why a person plays no match at a table in that state; "" if they do. `sits` says
    whether the person has a seat there."""
    if not sits:
        return "not_seated"
    return {"open": "not_started", "over": "game_over"}.get(state, "")


@dataclass
class TypedMemory:
    """The data that a typist's session keeps from one typed line to the next."""

    brief: bool = False  # whether the board is left out when the typist is asked for a decision
    confirms: bool = False  # whether decisions wait for the typist's confirmation
    rings: bool = False  # whether the bell announces a decision
    width: int = 0  # columns of the terminal, as it reported or as the typist set it; 0: unknown
    whisperer: str = ""  # the sender of the latest private message
    agrees: tuple[str, int] = ("", 0)  # the table of whose open hands the typist was warned, and their delay in seconds
    unsure: str = ""  # the previous line, if it was a command or number that counts only when it is typed twice
    listed: tuple[str, int] = ("", 0)  # the table and turn whose numbered actions are on the screen; ("", 0) for none
    # the last known owner of each table of the typist, by table id
    owners: dict[str, str] = field(default_factory=dict)
    waiting: list[Map] = field(default_factory=list)  # actions of an earlier line whose turns have not come yet

    def set_brief(self, *, brief: bool) -> None:
        """Sets whether the board is left out when the typist is asked for a decision."""
        self.brief = brief

    def set_confirm(self, *, on: bool) -> None:
        """Sets whether decisions wait for the typist's confirmation."""
        self.confirms = on

    def set_bell(self, *, on: bool) -> None:
        """Sets whether the bell announces a decision."""
        self.rings = on

    def set_width(self, columns: int) -> None:
        """Sets the number of columns of the terminal; 0: unknown."""
        self.width = columns

    def note_delay_warning(self, table: str, delay: int) -> None:
        """Notes that the typist was warned of the open hands at that table, so that joining it once more agrees to
        them."""
        self.agrees = (table, delay)

    def swap_unconfirmed(self, word: str) -> str:
        """Notes a command or number that counts only when it is typed twice; "" for any other line. Returns what was
        noted for the line before."""
        before, self.unsure = self.unsure, word
        return before

    def note_numbered_list(self, table: str, turn: int) -> None:
        """Notes the table and turn whose numbered actions are on the screen; ("", 0) for none."""
        self.listed = (table, turn)

    def queue_actions(self, actions: list[Map]) -> None:
        """Keeps the further actions of a line until their turns come."""
        self.waiting = actions

    def pop_queued_action(self) -> Map | None:
        """Removes and returns the next waiting action; None if there is none."""
        return self.waiting.pop(0) if self.waiting else None

    def clear_queued_actions(self) -> None:
        """Drops all waiting actions."""
        self.waiting = []

    def on_message(self, message: m.Message) -> None:
        """Updates the memory for a message: the sender of a private message and the owners of tables. An error or the
        end of the match drops the waiting actions."""
        if isinstance(message, m.Chat) and message.private:
            self.whisperer = message.sender
        elif isinstance(message, (m.Error, m.Over)):
            self.clear_queued_actions()
            if isinstance(message, m.Over):
                self.owners.pop(message.table, None)
        elif isinstance(message, (m.TableReply, m.Seated, m.Watching, m.TableChanged)):
            self.owners[message.info.table] = message.info.owner
        elif isinstance(message, (m.Left, m.SentAway)):
            self.owners.pop(message.table, None)


@cache
def game_words(forms: str) -> list[str]:
    """Returns the first words of a game's actions. `forms` has one row for each form of an action."""
    return list(dict.fromkeys(row.split()[0].lower() for row in forms.split("\n") if row.strip()))
