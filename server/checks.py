"""Checks what players send: keys, nonces, and chat that other players read."""

from __future__ import annotations

import re
from unicodedata import category

from protocol import limits
from protocol.errors import Refusal
from protocol.messages import Hello
from protocol.printable import INVISIBLE, MARKS, is_mark, most_stacked_marks
from server.language import _

# these characters only choose between two shapes of the character before them
EMOJI_SELECTORS = str.maketrans("", "", "\ufe0e\ufe0f")


_KEY = re.compile(r"[0-9a-f]{64}")


def check_key(hello: Hello) -> None:
    """Refuses a malformed key in a hello. Also refuses a key together with a proof, because the two together would
    reveal the secret."""
    if hello.key and not _KEY.fullmatch(hello.key):
        raise Refusal("bad_field", _("A key is 64 hex digits, in lower case."), "$.key")
    if hello.key and hello.proof:
        raise Refusal("bad_field", _("Send a key to take a new name or a proof of a known one, never both."), "$.key")


def check_nonce(nonce: str) -> None:
    """Refuses a nonce with characters that some programs could not repeat byte for byte."""
    if not nonce.isascii() or not all("!" <= letter <= "~" for letter in nonce):
        raise Refusal("bad_field", _("A nonce is printable ASCII without spaces."), "$.nonce")


def clean_chat_text(text: str, most: int = limits.CHAT_CHARACTERS) -> str:
    """Returns a line of chat as others receive it. Each run of whitespace becomes one space.

    Raises Refusal (`bad_chat`) if the text is empty or longer than `most` characters, if a terminal could mistake it
    for a command, if it changes the writing direction, or if it stacks combining characters.
    """
    if len(text) > most:
        raise Refusal("bad_chat", _("Chat is 1 to {limit} printable characters.", limit=most))
    if text.isascii():
        told = " ".join([word for word in text.split(" ") if word])
        if not told or not told.isprintable():
            raise Refusal("bad_chat")
        return told
    spaced = "".join(" " if category(letter) == "Zs" else letter for letter in text.translate(EMOJI_SELECTORS))
    told = " ".join(word for word in spaced.split(" ") if word)
    if not told.isprintable() or all(letter == " " or is_mark(letter) for letter in told):
        raise Refusal("bad_chat")
    if not INVISIBLE.isdisjoint(told):
        raise Refusal("bad_chat", _("It contains an invisible character."))
    if most_stacked_marks(told) > MARKS:
        raise Refusal("bad_chat", _("At most {most} marks stand on one letter.", most=MARKS))
    return told
