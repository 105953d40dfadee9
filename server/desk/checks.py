"""Checks of what players write for others to read: nonces and talk."""

from __future__ import annotations

from unicodedata import combining

from protocol.errors import Refusal

ACCENTS = 3  # on one letter; more make a pile that spills over other lines


def check_nonce(nonce: str) -> None:
    """Refuses a nonce that some program could not repeat byte for byte."""
    if not nonce.isascii() or not all("!" <= letter <= "~" for letter in nonce):
        raise Refusal("bad_field", "A nonce is printable ASCII without spaces.", "$.nonce")


def check_chat(text: str) -> None:
    """Refuses what a terminal could mistake for a command, and letters that pile up or change direction."""
    if not text.isprintable() or not text.strip():
        raise Refusal("bad_chat")
    piled = 0
    for letter in text:
        piled = piled + 1 if combining(letter) else 0
        if piled > ACCENTS:
            raise Refusal("bad_chat", f"At most {ACCENTS} accents stand on one letter.")
