"""Every error code of the protocol, with its meaning, whether the same request can succeed later, and whether the
server closes the connection."""

from __future__ import annotations

from dataclasses import dataclass

from protocol import limits
from protocol.language import N_, _
from protocol.printable import escape_text


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One row of the error table. `again` means that the same request may succeed later, unchanged."""

    name: str
    message: str  # the sentence that is sent unless the server has a more exact one; it may contain {limit}
    again: bool = False
    closes: bool = False
    limit: int = 0

    @property
    def translated_text(self) -> str:
        """Returns the sentence in the current language."""
        return _(self.message, limit=self.limit)


_ROWS = (
    # framing
    ErrorCode("line_too_long", N_("A line holds at most {limit} bytes."), closes=True, limit=limits.LINE_BYTES),
    ErrorCode("frame_too_big", N_("A frame holds 1 to {limit} bytes."), closes=True, limit=limits.FRAME_BYTES),
    ErrorCode("truncated", N_("The stream ended inside a message; that message was not carried out."), closes=True),
    ErrorCode("bad_char", N_("Control characters are not allowed in a line.")),
    ErrorCode("bad_utf8", N_("That is not UTF-8. Set your terminal or program to UTF-8, or write without accents.")),
    ErrorCode("bad_json", N_("That is not JSON.")),
    ErrorCode("bad_msgpack", N_("That is not msgpack.")),
    ErrorCode("too_deep", N_("Maps and lists nest at most {limit} deep."), limit=limits.DEPTH),
    ErrorCode("too_big", N_("A list, map or string in the message is too long.")),
    ErrorCode("bad_number", N_("A number in the message is not allowed.")),
    ErrorCode("duplicate_key", N_("A map has the same key twice.")),
    ErrorCode("not_a_map", N_("A message is one map with string keys.")),
    ErrorCode(
        "telnet_abuse",
        N_("A telnet sub-negotiation of more than {limit} bytes."),
        closes=True,
        limit=limits.TELNET_BYTES,
    ),
    ErrorCode("wrong_protocol", N_("This port speaks magehall's protocol, not HTTP or TLS."), closes=True),
    # messages
    ErrorCode("unknown_type", N_("There is no such message.")),
    ErrorCode("unknown_field", N_("The message has no such field.")),
    ErrorCode("missing_field", N_("A field is missing.")),
    ErrorCode("bad_field", N_("A field has the wrong type or is out of range.")),
    ErrorCode("bad_id", N_("Request ids are whole numbers from 1 to 2^53-1, each larger than the one before.")),
    ErrorCode("id_reused", N_("You already used that request id for another request; nothing was done.")),
    ErrorCode("unknown_word", N_("That is not a command here; try help.")),
    ErrorCode("unreadable", N_("That cannot be read as an action.")),
    ErrorCode("too_many_errors", N_("Too many errors on one connection."), closes=True),
    # names
    ErrorCode("login_first", N_("Say hello with your name first.")),
    ErrorCode("already_logged_in", N_("This connection has a name already.")),
    ErrorCode("bad_name", N_("A name has 2 to 16 letters of one script, digits, - or _, and begins with a letter.")),
    ErrorCode("name_taken", N_("That name is taken; prove that it is yours, or choose another.")),
    ErrorCode(
        "unknown_name",
        N_("No such name is known here; say hello with a key, or without proof and code, to take it."),
    ),
    ErrorCode("bad_proof", N_("That does not prove the name; if it is yours, ask the operator for a new code.")),
    ErrorCode("banned", N_("You are banned from this server."), closes=True),
    ErrorCode("slow_down", N_("Too many wrong proofs of that name; try again later."), again=True),
    # lobby
    ErrorCode("no_such_game", N_("There is no such game; try games.")),
    ErrorCode("no_such_card", N_("There is no such card in this game.")),
    ErrorCode("no_such_table", N_("There is no such table; try tables."), again=True),
    ErrorCode("no_such_player", N_("No one with that name is here."), again=True),
    ErrorCode("no_such_bot", N_("There is no such bot; try bots."), again=True),
    ErrorCode("bad_option", N_("The game has no such option or value.")),
    ErrorCode("bad_chat", N_("Chat is 1 to {limit} printable characters."), limit=limits.CHAT_CHARACTERS),
    ErrorCode("muted", N_("You are muted; your message was not sent.")),
    ErrorCode("talk_too_fast", N_("You talk too fast. Your message was not sent; wait a moment."), again=True),
    ErrorCode("ignored", N_("That player ignores you.")),
    ErrorCode("too_much_chat", N_("This match takes no more chat from you; `tell` still works.")),
    ErrorCode("table_full", N_("Every seat at that table is taken."), again=True),
    ErrorCode("seat_taken", N_("That seat is taken."), again=True),
    ErrorCode("already_seated", N_("You have a seat at that table already.")),
    ErrorCode("not_seated", N_("You have no seat at that table.")),
    ErrorCode("not_owner", N_("Only the player who opened the table may do that.")),
    ErrorCode("not_operator", N_("Only the operator may do that.")),
    ErrorCode("kicked", N_("You were removed from that table and cannot come back to it.")),
    ErrorCode(
        "not_agreed",
        N_("Join with the table's `delay`: its spectators see all hands after that many seconds and some decisions."),
    ),
    ErrorCode("hidden_hands", N_("Hands at that table stay hidden until the end.")),
    ErrorCode("not_enough_players", N_("There are empty seats; wait, or add bots."), again=True),
    ErrorCode("already_started", N_("The match has started.")),
    ErrorCode("not_started", N_("The match has not started."), again=True),
    ErrorCode("too_many_tables", N_("You cannot play at more tables at once."), again=True),
    ErrorCode("in_cup", N_("You play in a cup, which seats you until it is over."), again=True),
    ErrorCode("no_such_cup", N_("There is no such cup; try cups.")),
    ErrorCode("cup_taken", N_("There is or was a cup with that name.")),
    ErrorCode("not_cup_owner", N_("Only the player who opened the cup may do that.")),
    ErrorCode("cup_state", N_("The cup is not in a state for that.")),
    ErrorCode("too_many_cups", N_("You cannot own more cups at once."), again=True),
    ErrorCode("too_many_spectators", N_("That table cannot take more spectators."), again=True),
    # the match
    ErrorCode("not_your_turn", N_("You have nothing to decide now."), again=True),
    ErrorCode("stale_turn", N_("That turn is over; the current one is included.")),
    ErrorCode("bad_action", N_("That is not an action of this game.")),
    ErrorCode("illegal_action", N_("The rules do not allow that now.")),
    ErrorCode("game_over", N_("The match is over.")),
    ErrorCode(
        "other_rules",
        N_("That match began under rules or cards that are not installed here, so it cannot continue."),
    ),
    ErrorCode("not_over", N_("The match is not over; its replay is available afterwards."), again=True),
    ErrorCode("no_pause", N_("A pause is not possible now."), again=True),
    ErrorCode("no_undo", N_("That decision cannot be taken back."), again=True),
    ErrorCode("no_resigning", N_("Resigning is against the rules of this game.")),
    ErrorCode("bad_cursor", N_("There is no message with that number; after a restore the server may have lost it.")),
    # the server
    ErrorCode("server_full", N_("The server is full; try again later."), again=True, closes=True),
    ErrorCode("shutting_down", N_("The server is about to stop; no new matches."), again=True),
    ErrorCode(
        "storage",
        N_("The server cannot write to its disk, so nothing was done; clocks stand still. Try again in a moment."),
        again=True,
    ),
    ErrorCode("internal", N_("The server made an error; it is logged."), again=True),
)

CODES: dict[str, ErrorCode] = {row.name: row for row in _ROWS}

GOODBYES: dict[str, str] = {
    "quit": N_("You said quit."),
    "closed": N_("You closed your side, and all your requests were answered."),
    "replaced": N_("The same name logged in on another connection."),
    "kicked": N_("The operator ended this connection."),
    "banned": N_("The operator has banned you."),
    "slow_reader": N_("You did not read the server's messages fast enough."),
    "silent": N_("You sent nothing for a long time, and did not answer when asked."),
    "login_timeout": N_("You gave no name in time."),
    "error": N_("The previous error ends the connection."),
    "shutdown": N_("The server is stopping."),
    "internal": N_("The server made an error; it is logged."),
}


TEXT_BYTES = 200  # the limit for an error's sentence, which may repeat some of the peer's input


def clip_text(text: str) -> str:
    """Returns the text, escaped and cut to TEXT_BYTES."""
    text = escape_text(text)
    data = text.encode("utf-8")
    return text if len(data) <= TEXT_BYTES else data[: TEXT_BYTES - 3].decode("utf-8", "ignore") + "..."


class Refusal(Exception):
    """The server, the game's rules or the protocol refused a request.

    Args:
        code: The name of a row of CODES.
        text: A sentence; "" takes the sentence of the row.
        where: The path of the fault in the input, or "".
        re: The id of the request, or 0 if it could not be read.
        rule: The game's own code for an illegal action.
        turn: The current turn, if the request answered a stale one.
        wait: The seconds after which to try again.
    """

    def __init__(
        self,
        code: str,
        text: str = "",
        where: str = "",
        *,
        re: int = 0,
        rule: str = "",
        turn: object = None,
        wait: float = 0.0,
    ) -> None:
        self.code = CODES[code]
        self.text = clip_text(text or self.code.translated_text)
        self.where, self.re, self.rule, self.turn, self.wait = where, re, rule, turn, wait


class RemoteProtocolError(Refusal):
    """The peer broke the protocol: its bytes are not a message, or the message is invalid."""


class LocalProtocolError(Exception):
    """A bug of this program: it tried to send a message that the protocol does not allow at this point."""


TOO_LATE = ("stale_turn", "not_your_turn", "game_over")
"""The error codes that answer an `act` request if the decision was already made."""
