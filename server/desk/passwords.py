"""Passwords of names, stored as slow salted hashes. A thread computes one hash at a time."""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Generator, Hashable
from dataclasses import dataclass

import trio

from protocol import limits
from protocol.errors import Refusal
from protocol.names import lookalike_key
from server.desk.address_locks import AddressLocks
from server.failures import log_failure
from server.language import _

log = logging.getLogger("magehall.passwords")

# log2 of the cost parameter of scrypt (RFC 7914); with 8 blocks a hash takes 16 MiB and about 60 ms of a processor
DOUBLINGS = 14
BLOCKS = 8
SALT_BYTES, HASH_BYTES = 16, 32
LOOK_SECONDS = 0.02  # interval between two checks whether a hash is computed
WAITING = 256  # most hashes that wait to be computed; further ones are refused
HASH_WORK = 40.0  # work that a hash is charged as, in plain requests
REST = 2  # pause after a hash, as a multiple of its duration, so that hashing takes at most a third of a processor

in_thread = trio.to_thread.run_sync  # tests with a virtual clock replace this by a direct call


@dataclass
class _Job:
    """A hash to compute. `result` is b"" until it is computed."""

    password: str
    head: bytes  # log2 of the cost, in one byte, and the salt
    result: bytes = b""
    failed: bool = False
    is_wanted: bool = True


class Passwords:
    """Computes the password hashes of one server. Its generators yield the seconds until the next check, as `Steps`
    do."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._lines = AddressLocks()  # addresses take turns, so that one with many hashes does not delay the others
        self._one_at_a_time = trio.CapacityLimiter(1)
        self._waiting = 0

    def hash_password(self, password: str, address: Hashable) -> Generator[float, None, bytes]:
        """Returns the form of a password that is stored: cost, salt and hash. Raises Refusal (`slow_down`)."""
        head = bytes([DOUBLINGS]) + secrets.token_bytes(SALT_BYTES)
        return head + (yield from self._hash(password, head, address))

    def verify_password(self, password: str, kept: bytes, address: Hashable) -> Generator[float, None, bool]:
        """Returns whether the password matches its stored form. Raises Refusal (`slow_down`)."""
        head, hashed = kept[: 1 + SALT_BYTES], kept[1 + SALT_BYTES :]
        return hmac.compare_digest((yield from self._hash(password, head, address)), hashed)

    def _hash(self, password: str, head: bytes, address: Hashable) -> Generator[float, None, bytes]:
        if self._waiting >= WAITING:
            raise Refusal("slow_down", _("Too many passwords are being checked; try again in a few seconds."))
        job = _Job(password, head)
        self._waiting += 1
        self._nursery.start_soon(self._compute, job, address)
        try:
            while not (job.result or job.failed):
                yield LOOK_SECONDS
        finally:
            # the hash is no longer needed, also if the connection was closed before it was computed
            job.is_wanted = False
        if job.failed:
            raise Refusal("internal")
        return job.result

    async def _compute(self, job: _Job, address: Hashable) -> None:
        try:
            async with self._lines.lock_for(address), self._one_at_a_time:
                if job.is_wanted:
                    began = trio.current_time()
                    job.result = await in_thread(_scrypt, job.password, job.head)
                    await trio.sleep(REST * (trio.current_time() - began))
        except (OSError, ValueError, MemoryError):  # OpenSSL raises these when it has no memory left
            log_failure(log, "a password could not be hashed")
            job.failed = True
        finally:
            self._waiting -= 1


def check_password(password: str, name: str, least: int = limits.PASSWORD_CHARACTERS_LEAST) -> None:
    """Raises `bad_field` for a password that is easy to guess, or that cannot be typed in a hello."""
    most = limits.PASSWORD_CHARACTERS
    if not least <= len(password) <= most:
        text = _("A password has {least} to {most} characters.", least=least, most=most)
        raise Refusal("bad_field", text, "$.word")
    if not all("!" <= letter <= "~" for letter in password):
        raise Refusal("bad_field", _("A password must be printable ASCII without spaces."), "$.word")
    if lookalike_key(password) == lookalike_key(name):
        raise Refusal("bad_field", _("Your password must not be your name."), "$.word")


def _scrypt(password: str, head: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=head[1:], n=2 ** head[0], r=BLOCKS, p=1, dklen=HASH_BYTES)
