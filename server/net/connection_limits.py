"""The limits of one connection: charges its work to token buckets, and counts its errors and empty lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protocol.errors import Refusal
from server.config import DEFAULTS, Config
from server.language import _
from server.token_bucket import TokenBucket

QUIET_SECONDS = 1.0  # after a pause of this length, empty lines are counted from zero again


class ConnectionLimits:
    """The limits of one connection. Work is counted in plain requests, times in seconds.

    Work is charged to the connection's own token bucket, which later becomes that of its name, and to the buckets in
    `shared`, to which other connections of the same address are charged as well. A connection whose name has a seat
    uses only its own bucket, and does not wait for the shared ones.
    """

    __slots__ = (
        "_bad_proofs",
        "_config",
        "_errors",
        "_heard",
        "_nothing",
        "_own",
        "_seats",
        "_shared",
        "_strange",
        "_unpaid",
    )

    def __init__(self, own: TokenBucket, shared: Sequence[TokenBucket], now: float, config: Config = DEFAULTS) -> None:
        self._config = config
        self._own, self._shared = own, shared
        self._seats: Collection[str] = ()
        self._heard = now
        self._unpaid = 0  # number of bytes that are read but not charged yet
        self._strange = 0  # number of requests that came before the hello
        self._nothing = 0  # number of empty lines, or bursts of keys, in a row
        self._errors = self._bad_proofs = 0

    def assign_to_name(
        self, meter: TokenBucket | None, shared: Sequence[TokenBucket], seats: Collection[str]
    ) -> TokenBucket:
        """Assigns the connection to a name, and returns the token bucket to which it is charged from now on.

        With `meter=None` the connection's own bucket becomes that of the name. `seats` is the name's collection of
        seats, which changes while the connection is open.
        """
        self._own = meter or self._own
        self._shared, self._seats = shared, seats
        return self._own

    @property
    def is_overdrawn(self) -> bool:
        """Whether a token bucket is overdrawn, so that the session must wait before it reads more."""
        return self._own.left < 0 or (not self._seats and any(meter.left < 0 for meter in self._shared))

    def seconds_to_wait(self, now: float) -> float:
        """Returns for how many seconds the session must not process more input."""
        shared = () if self._seats else self._shared
        return max(self._own.refill_wait(now), *(meter.reserve_turn(now) for meter in shared), 0.0)

    def charge(self, work: float) -> None:
        """Charges work to the connection's token buckets, in plain requests."""
        self._own.charge(work)
        if not self._seats:
            for meter in self._shared:
                meter.charge(work)

    def record_bytes_read(self, count: int, now: float) -> None:
        """Records that `count` bytes were read."""
        if now > self._heard + QUIET_SECONDS:
            self._nothing = 0
        self._heard = now
        self._unpaid += count

    def charge_for_bytes(self) -> None:
        """Charges for bytes that the price of no request covers: those between requests, and those of a request beyond
        the first `bytes_a_request`."""
        if self._unpaid > 0:
            self.charge(self._unpaid / self._config.bytes_a_request)
        self._unpaid = 0

    def record_request(self) -> None:
        """Records a request. The price of a request includes its first `bytes_a_request` bytes."""
        self._unpaid -= self._config.bytes_a_request
        self._nothing = 0

    def count_stranger_request(self, request: int) -> None:
        """Counts a request that came before the hello was answered. Raises Refusal (`too_many_errors`) if there are too
        many."""
        self._strange += 1
        if self._strange > self._config.requests_before_hello:
            raise Refusal(
                "too_many_errors",
                _(
                    "{count} requests came before a hello, which is the limit. Connect again and say hello first.",
                    count=self._config.requests_before_hello,
                ),
                re=request,
            )

    def count_empty_input(self) -> None:
        """Counts an empty line, a line that needs no request, or keys without a line. Raises Refusal
        (`too_many_errors`) if there are too many in a row."""
        self.charge(1)
        self._nothing += 1
        if self._nothing > self._config.nothing_asked:
            raise Refusal(
                "too_many_errors",
                _(
                    "{count} empty lines or bursts of keys came at once, which is the limit. Connect again.",
                    count=self._config.nothing_asked,
                ),
            )

    def count_parse_error(self) -> bool:
        """Counts input that could not be parsed. Returns whether the limit is reached."""
        self._errors += 1
        return self._errors >= self._config.protocol_errors

    def count_wrong_proof(self) -> bool:
        """Counts a wrong proof. Returns whether the limit is reached."""
        self._bad_proofs += 1
        return self._bad_proofs >= self._config.bad_proofs
