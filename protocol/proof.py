"""How a player proves a name with a token that never leaves the player's own machine.

As in SCRAM (RFC 5802): the server keeps the hash of a secret, a proof is the secret under a mask that is new for each
connection. What a server keeps is not enough to make a proof. Key and proof together, of the same token, give the
secret away, so nobody sends both: the key goes with the hello that takes a name, a proof with every later one.
"""

from __future__ import annotations

import hashlib
import hmac

OPERATOR = "operator"  # in place of the name, where the operator's word is proved as a token is; it is nobody's name


def _secret(token: str) -> bytes:
    """What only the player knows: the token's SHA-256, so that a token may have any length."""
    return hashlib.sha256(token.encode("utf-8")).digest()


def key(token: str) -> bytes:
    """What a server keeps of a token: the hash of its secret, 32 bytes."""
    return key_of(_secret(token))


def key_of(secret: bytes) -> bytes:
    """The key for that secret."""
    return hashlib.sha256(secret).digest()


def proof(token: str, challenge: str, name: str) -> str:
    """What `hello` sends: the secret XOR HMAC-SHA256, with the key, over challenge, space, name; 64 hex digits."""
    return _masked(_secret(token), key(token), challenge, name).hex()


def proves(held: bytes, challenge: str, name: str, given: str) -> bool:
    """Whether `given` proves the name to a server that holds the key; an empty key is proved by nothing."""
    try:
        data = bytes.fromhex(given)
    except ValueError:
        return False
    if len(data) != 32 or data.hex() != given:
        return False
    return hmac.compare_digest(key_of(_masked(data, held, challenge, name)), held)


def _masked(data: bytes, held: bytes, challenge: str, name: str) -> bytes:
    """Masks a secret, or takes the mask off again."""
    mask = hmac.digest(held, f"{challenge} {name}".encode(), hashlib.sha256)
    return bytes(one ^ other for one, other in zip(data, mask, strict=True))
