"""Every error code of the wire, once: what it means, whether to try again, and whether the connection closes."""

from __future__ import annotations

from dataclasses import dataclass

from protocol import limits
from protocol.printable import escape


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the error table. `again`: the same request may succeed later, unchanged."""

    name: str
    text: str  # the sentence sent when nothing more exact is known
    again: bool = False
    closes: bool = False


_ROWS = (
    # framing
    Code("line_too_long", f"A line holds at most {limits.LINE_BYTES} bytes.", closes=True),
    Code("frame_too_big", f"A frame holds 1 to {limits.FRAME_BYTES} bytes.", closes=True),
    Code("truncated", "The stream ended inside a message; that message was not carried out.", closes=True),
    Code("bad_char", "Control characters are not allowed in a line."),
    Code("bad_utf8", "That is not UTF-8."),
    Code("bad_json", "That is not JSON."),
    Code("bad_msgpack", "That is not msgpack."),
    Code("too_deep", f"Maps and lists nest at most {limits.DEPTH} deep."),
    Code("too_big", "A list, map or string in it is too long."),
    Code("bad_number", "A number in it cannot be used."),
    Code("duplicate_key", "A key stands twice in one map."),
    Code("not_a_map", "A message is one map with string keys."),
    Code("telnet_abuse", f"A telnet sub-negotiation of more than {limits.TELNET_BYTES} bytes.", closes=True),
    Code("wrong_protocol", "This port speaks magehall's protocol, not HTTP or TLS.", closes=True),
    # messages
    Code("unknown_type", "There is no such message."),
    Code("unknown_field", "The message has no such field."),
    Code("missing_field", "A field is missing."),
    Code("bad_field", "A field has the wrong type or is out of range."),
    Code("bad_id", "Request ids are whole numbers from 1 to 2^53-1, each larger than the one before."),
    Code("id_reused", "That request id stood for another request; nothing was done."),
    Code("unknown_word", "That is no command here; try help."),
    Code("unreadable", "That cannot be read as an action."),
    Code("too_many_errors", "Too many errors on one connection.", closes=True),
    # names
    Code("login_first", "Say hello with your name first."),
    Code("already_logged_in", "This connection has a name already."),
    Code("bad_name", "A name has 2 to 16 ASCII letters, digits, - or _, and begins with a letter."),
    Code("name_taken", "That name belongs to somebody; prove that it is yours, or take another."),
    Code(
        "unknown_name",
        "No such name is known here; say hello with a key, or without proof and code, to take it.",
    ),
    Code("bad_proof", "That does not prove the name; if it is yours, the operator can give it to you anew."),
    Code("banned", "The operator does not let you in.", closes=True),
    Code("slow_down", "Too many wrong proofs came from your address; try again later.", again=True),
    # lobby
    Code("no_such_game", "There is no such game; try games."),
    Code("no_such_card", "There is no such card in this game."),
    Code("no_such_table", "There is no such table; try tables.", again=True),
    Code("no_such_player", "Nobody of that name is here.", again=True),
    Code("no_such_bot", "There is no such bot; try bots.", again=True),
    Code("bad_option", "The game has no such option or value."),
    Code("bad_chat", f"Chat is 1 to {limits.CHAT_CHARACTERS} printable characters."),
    Code("muted", "You were muted: nobody hears you."),
    Code("too_much_chat", "So much was said from here that the match takes no more; `tell` still works."),
    Code("table_full", "Every seat at that table is taken.", again=True),
    Code("seat_taken", "That seat is taken.", again=True),
    Code("already_seated", "You have a seat at that table already; resume brings you back to a match."),
    Code("not_seated", "You have no seat at that table."),
    Code("not_owner", "Only the player who opened the table may do that."),
    Code("not_operator", "Only the operator may do that."),
    Code("kicked", "Who was sent away from that table does not come back to it."),
    Code("not_agreed", "Join with the table's `delay`: so many seconds later its spectators see all hands."),
    Code("hidden_hands", "Nobody but its player sees a hand there before the end."),
    Code("not_enough_players", "There are empty seats; wait, or add bots.", again=True),
    Code("already_started", "The match has started."),
    Code("not_started", "The match has not started.", again=True),
    Code("too_many_tables", "You play at as many tables as one player may.", again=True),
    Code("in_cup", "You play in a cup, which seats you until it is over.", again=True),
    Code("no_such_cup", "There is no such cup; try cups."),
    Code("cup_taken", "There is or was a cup of that name."),
    Code("not_cup_owner", "Only the player who opened the cup may do that."),
    Code("cup_state", "The cup is not in a state for that."),
    Code("too_many_cups", "You have as many cups as one player may.", again=True),
    Code("too_many_spectators", "That table has as many spectators as it takes.", again=True),
    # the match
    Code("not_your_turn", "You have nothing to decide now.", again=True),
    Code("stale_turn", "That turn is over; the current one is enclosed."),
    Code("bad_action", "That is no action of this game."),
    Code("illegal_action", "The rules do not allow that now."),
    Code("game_over", "The match is over."),
    Code("other_rules", "That match began under other rules or cards than those installed here, and is not played on."),
    Code("not_over", "The match is not over; its replay is given afterwards.", again=True),
    Code("no_resigning", "Resigning is against the rules of this game."),
    Code("bad_cursor", "There is no message with that number."),
    # the server
    Code("server_full", "The server is full; try again later.", again=True, closes=True),
    Code("shutting_down", "The server is about to stop; no new matches.", again=True),
    Code(
        "storage",
        "The server cannot write to its disk, so nothing was done; clocks stand still. Try again in a moment.",
        again=True,
    ),
    Code("internal", "The server erred; the incident is logged.", again=True),
)

CODES: dict[str, Code] = {row.name: row for row in _ROWS}

GOODBYES: dict[str, str] = {
    "quit": "You said quit.",
    "closed": "You closed your side of the connection, and everything asked was answered.",
    "replaced": "The same name logged in on another connection.",
    "kicked": "The operator ended this connection.",
    "slow_reader": "You did not read what was sent to you.",
    "silent": "You said nothing for long, and gave no sign of life when asked for one.",
    "login_timeout": "No name was given in time.",
    "error": "An error that ends the connection; the error came before.",
    "shutdown": "The server stops.",
    "internal": "The server erred; the incident is logged.",
}


TEXT_BYTES = 200  # of an error's sentence, which may repeat some of what the peer sent


def clipped(text: str) -> str:
    """The text, escaped and within TEXT_BYTES."""
    text = escape(text)
    data = text.encode("utf-8")
    return text if len(data) <= TEXT_BYTES else data[: TEXT_BYTES - 3].decode("utf-8", "ignore") + "..."


class Refusal(Exception):
    """A request is refused: by the server, by the rules of the game, or by the protocol.

    `code` is a row of CODES; `where` is a path into the input or ""; `re` is the id of the request if it could be
    read, else 0; `rule` is a game's own code for an illegal action; `turn` encloses the current turn for a stale one.
    """

    def __init__(
        self, code: str, text: str = "", where: str = "", *, re: int = 0, rule: str = "", turn: object = None
    ) -> None:
        self.code = CODES[code]
        self.text = clipped(text) or self.code.text
        self.where, self.re, self.rule, self.turn = where, re, rule, turn
        super().__init__(code, self.text, where)


class RemoteProtocolError(Refusal):
    """The peer broke the protocol: bytes that are no message, or a message that is not as it must be."""


class LocalProtocolError(Exception):
    """A bug on our side: a message that may not be sent here."""
