"""How the operator gets their rights on a connection: by the server's secret word, which must never cross a network as
plain text, or by a code that is valid once."""

from __future__ import annotations

import hmac
import logging
import secrets

from protocol.messages import Operator
from protocol.proof import OPERATOR, is_valid_proof, token_key
from server.address import Origin
from server.log_fields import extra_fields

log = logging.getLogger("magehall.operator")

CODE_SECONDS = 600.0
CODES = 8  # most unused codes; the oldest is dropped first
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 12


class OperatorAccess:
    """The secret word and the codes of one server. Times are seconds on a monotonic clock."""

    def __init__(self) -> None:
        self._codes: dict[str, float] = {}  # by code: when it expires
        self.word_was_overheard = False  # whether the word crossed a network as plain text, and is no longer valid

    def new_operator_code(self, now: float) -> str:
        """Returns a new code. It gives the operator's rights to one connection, from any address."""
        while len(self._codes) >= CODES:
            del self._codes[next(iter(self._codes))]
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        self._codes[code] = now + CODE_SECONDS
        return code

    def accepts_proof(self, asked: Operator, word: str, challenge: str, origin: Origin, now: float) -> bool:
        """Returns whether the request proves that its sender is the operator. A code is valid once.

        The word itself, rather than a proof of it, is accepted only over connections that others cannot read: from this
        machine, or over TLS. If it crosses a network as plain text, it stops being valid, because others may know it.
        """
        if code := self._code_of(asked, challenge, now):
            del self._codes[code]
            return True
        if not word or self.word_was_overheard:
            return False
        if asked.proof:
            return is_valid_proof(token_key(word), challenge, OPERATOR, asked.proof)
        if not _equal(word, asked.word):
            return False
        if origin.can_be_eavesdropped:
            self.word_was_overheard = True
            told = extra_fields("operator_word_overheard", address=origin.address)
            log.warning("the operator's word crossed the network as plain text and no longer works", extra=told)
        return not self.word_was_overheard

    def _code_of(self, asked: Operator, challenge: str, now: float) -> str:
        """Returns the valid code that the request contains or proves; "" if there is none."""
        found = ""
        for code, until in list(self._codes.items()):
            if until <= now:
                del self._codes[code]
            elif (
                is_valid_proof(token_key(code), challenge, OPERATOR, asked.proof)
                if asked.proof
                else _equal(code, asked.word)
            ):
                found = code
        return found


def _equal(secret: str, given: str) -> bool:
    return hmac.compare_digest(secret.encode(), given.encode())
