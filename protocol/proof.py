"""Proves a player's name with a token that never leaves the player's machine.

The scheme resembles SCRAM (RFC 5802). The secret is the hash of the token, and the server keeps a hash of the secret,
the key. A proof is the secret XORed with a mask that differs for each connection and name. A proof cannot be made from
the key alone. A key and a proof of the same token together reveal the secret, so a client never sends both: the hello
that takes a name carries the key, every later hello carries a proof.
"""

from __future__ import annotations

import hashlib
import hmac

OPERATOR = "operator"  # the reserved name that a proof of the operator's word uses as its name


def _secret(token: str) -> bytes:
    """Returns the player's secret: the SHA-256 of the token, which may have any length."""
    return hashlib.sha256(token.encode("utf-8")).digest()


def token_key(token: str) -> bytes:
    """Returns the key of a token, which a server stores: the SHA-256 of the token's secret, 32 bytes."""
    return hash_secret(_secret(token))


def hash_secret(secret: bytes) -> bytes:
    """Returns the key of a secret: its SHA-256, 32 bytes."""
    return hashlib.sha256(secret).digest()


def make_proof(token: str, challenge: str, name: str) -> str:
    """Returns the proof for `hello`, 64 hex digits: the secret XOR HMAC-SHA256 over "challenge name" with the key."""
    return _masked(_secret(token), token_key(token), challenge, name).hex()


def is_valid_proof(held: bytes, challenge: str, name: str, given: str) -> bool:
    """Returns whether `given` proves the name to a server that holds the key `held`. No proof fits an empty key."""
    try:
        data = bytes.fromhex(given)
    except ValueError:
        return False
    if len(data) != 32 or data.hex() != given:
        return False
    return hmac.compare_digest(hash_secret(_masked(data, held, challenge, name)), held)


def _masked(data: bytes, held: bytes, challenge: str, name: str) -> bytes:
    """Returns 32 bytes XORed with the mask for this key, challenge and name. This turns the secret into the proof, and
    the proof back into the secret."""
    mask = hmac.digest(held, f"{challenge} {name}".encode(), hashlib.sha256)
    return bytes(one ^ other for one, other in zip(data, mask, strict=True))
