"""Secrets that a test knows: tokens, codes, challenges, seeds and salts."""

from __future__ import annotations

import hashlib

import pytest

TOKEN = "5a" * 16
CODE = "a" * 10
SALT = hashlib.sha256(b"salt").digest()[:16]


def known_secrets(monkeypatch: pytest.MonkeyPatch, number: int) -> bytes:
    """Tokens, codes, challenges and the deal are known; returns the seed."""
    seed = hashlib.sha256(f"seed {number}".encode()).digest()
    monkeypatch.setattr("secrets.token_hex", lambda size: "5a" * size)
    monkeypatch.setattr("secrets.token_bytes", lambda size=32: seed if size == 32 else SALT[:size])
    monkeypatch.setattr("secrets.choice", lambda letters: letters[0])
    monkeypatch.setattr("secrets.randbits", lambda bits: 7)
    return seed


def secrets_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Secret bytes are 00 01 02 ... as on the pages of the protocol. Ada begins in a match of three."""
    monkeypatch.setattr("secrets.token_bytes", lambda count=32: bytes(range(count)))
