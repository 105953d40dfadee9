"""Checks of what players write: keys, and for others to read, nonces and talk."""

from __future__ import annotations

import re
from unicodedata import category

from protocol import limits
from protocol.errors import Refusal
from protocol.messages import Hello
from protocol.printable import INVISIBLE, MARKS, is_mark, longest_pile
from server.language import _

EMOJI_SELECTORS = str.maketrans("", "", "\ufe0e\ufe0f")  # only choose between two shapes of the letter before


_KEY = re.compile(r"[0-9a-f]{64}")


def check_key(hello: Hello) -> None:
    """Refuses a key that no proof could fit, and one beside a proof, which together give the secret away."""
    if hello.key and not _KEY.fullmatch(hello.key):
        raise Refusal("bad_field", _("A key is 64 hex digits, in lower case."), "$.key")
    if hello.key and hello.proof:
        raise Refusal("bad_field", _("Send a key to take a new name or a proof of a known one, never both."), "$.key")


def check_nonce(nonce: str) -> None:
    """Refuses a nonce that some program could not repeat byte for byte."""
    if not nonce.isascii() or not all("!" <= letter <= "~" for letter in nonce):
        raise Refusal("bad_field", _("A nonce is printable ASCII without spaces."), "$.nonce")


def said(text: str, most: int = limits.CHAT_CHARACTERS) -> str:
    """The text of talk as others receive it, at most `most` characters. Each run of whitespace becomes one space.
    Raises `bad_chat` for text that a terminal could mistake for a command, that changes direction, or that is empty or
    stacks combining characters."""
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
        raise Refusal("bad_chat", _("There is a letter in it that shows nothing."))
    if longest_pile(told) > MARKS:
        raise Refusal("bad_chat", _("At most {most} marks stand on one letter.", most=MARKS))
    return told
