"""How a player proves a name: challenge and response, so that a token crosses the wire once and never again."""

from __future__ import annotations

import hashlib
import hmac


def key(token: str) -> bytes:
    """What a server keeps of a token: its SHA-256."""
    return hashlib.sha256(token.encode("utf-8")).digest()


def proof(token: str, challenge: str, name: str) -> str:
    """What `hello` sends: HMAC-SHA256, with the token's key, over challenge, space, name; 64 hex digits."""
    return _response(key(token), challenge, name)


def proves(held: bytes, challenge: str, name: str, given: str) -> bool:
    """Whether `given` proves the name to a server that holds the key; takes the same time wherever it differs."""
    return hmac.compare_digest(_response(held, challenge, name).encode("ascii"), given.encode("utf-8", "replace"))


def _response(held: bytes, challenge: str, name: str) -> str:
    return hmac.new(held, f"{challenge} {name}".encode(), hashlib.sha256).hexdigest()
