"""The operator's login: by the server's secret word, which never crosses a network as plain text, or by a single-use
code."""

from __future__ import annotations

import hmac
import logging
import secrets

from protocol.messages import Operator
from protocol.proof import OPERATOR, key, proves
from server.address import Origin
from server.log_fields import fields

log = logging.getLogger("magehall.operator")

CODE_SECONDS = 600.0
CODES = 8  # unused codes at a time; the oldest is dropped first
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 12


class OperatorAccess:
    """One per server. Times are seconds on a monotonic clock."""

    def __init__(self) -> None:
        self._codes: dict[str, float] = {}  # the time when each code expires
        self.word_was_overheard = False  # the word no longer works

    def new_code(self, now: float) -> str:
        """Returns a new code. It makes one connection the operator's, from any address."""
        while len(self._codes) >= CODES:
            del self._codes[next(iter(self._codes))]
        code = "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))
        self._codes[code] = now + CODE_SECONDS
        return code

    def admits(self, asked: Operator, word: str, challenge: str, origin: Origin, now: float) -> bool:
        """Returns whether the request comes from the operator. A code works once.

        The word itself, unlike a proof, is accepted only over connections that others cannot read: from this machine,
        or over TLS. A word that crossed a network as plain text may be known to others, so it stops working.
        """
        if code := self._code_of(asked, challenge, now):
            del self._codes[code]
            return True
        if not word or self.word_was_overheard:
            return False
        if asked.proof:
            return proves(key(word), challenge, OPERATOR, asked.proof)
        if not _equal(word, asked.word):
            return False
        if origin.is_overheard:
            self.word_was_overheard = True
            told = fields("operator_word_overheard", address=origin.address)
            log.warning("the operator's word crossed the network as plain text and no longer works", extra=told)
        return not self.word_was_overheard

    def _code_of(self, asked: Operator, challenge: str, now: float) -> str:
        """Returns the code in the request, typed or proved, or "" if there is none."""
        found = ""
        for code, until in list(self._codes.items()):
            if until <= now:
                del self._codes[code]
            elif proves(key(code), challenge, OPERATOR, asked.proof) if asked.proof else _equal(code, asked.word):
                found = code
        return found


def _equal(secret: str, given: str) -> bool:
    return hmac.compare_digest(secret.encode(), given.encode())
