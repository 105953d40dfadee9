"""The cost of a connection, charged to its name or to its address, and its counts of errors and empty lines."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protocol.errors import Refusal
from server.config import DEFAULTS, Config
from server.language import _
from server.meter import Meter

QUIET_SECONDS = 1.0  # after which what asks nothing is counted anew


class Account:
    """One per connection. Work is counted in plain requests, times in seconds.

    The account charges its own meter, which becomes its name's, and the meters in `shared`, with others from its
    address. A name with a seat pays by itself: it neither charges the shared meters nor waits for them.
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

    def __init__(self, own: Meter, shared: Sequence[Meter], now: float, config: Config = DEFAULTS) -> None:
        self._config = config
        self._own, self._shared = own, shared
        self._seats: Collection[str] = ()
        self._heard = now
        self._unpaid = 0  # bytes read that were not charged yet
        self._strange = 0  # requests before the hello
        self._nothing = 0  # times in a row that lines or keys came which ask nothing
        self._errors = self._bad_proofs = 0

    def belongs_to(self, meter: Meter | None, shared: Sequence[Meter], seats: Collection[str]) -> Meter:
        """Charges that meter, a name's, from now on. With None its own meter becomes the name's. Returns the meter.
        `seats` are the name's, and change with them."""
        self._own = meter or self._own
        self._shared, self._seats = shared, seats
        return self._own

    @property
    def is_overdrawn(self) -> bool:
        """Whether reading has to wait."""
        return self._own.left < 0 or (not self._seats and any(meter.left < 0 for meter in self._shared))

    def wait(self, now: float) -> float:
        """For how many seconds nothing more is to be done here."""
        shared = () if self._seats else self._shared
        return max(self._own.wait(now), *(meter.turn(now) for meter in shared), 0.0)

    def charge(self, work: float) -> None:
        """So much was caused."""
        self._own.charge(work)
        if not self._seats:
            for meter in self._shared:
                meter.charge(work)

    def read(self, count: int, now: float) -> None:
        """So many bytes came."""
        if now > self._heard + QUIET_SECONDS:
            self._nothing = 0
        self._heard = now
        self._unpaid += count

    def pay_for_bytes(self) -> None:
        """Charges bytes that belong to no request, or to a long one."""
        if self._unpaid > 0:
            self.charge(self._unpaid / self._config.bytes_a_request)
        self._unpaid = 0

    def ask(self) -> None:
        """A request came; the bytes of a short one are part of its price."""
        self._unpaid -= self._config.bytes_a_request
        self._nothing = 0

    def ask_without_a_name(self, request: int) -> None:
        """A request of that id came before the hello was answered. Raises `too_many_errors`."""
        self._strange += 1
        if self._strange > self._config.requests_before_hello:
            raise Refusal(
                "too_many_errors",
                _(
                    "{count} requests came before a hello, as many as one may send; connect again and say hello first.",
                    count=self._config.requests_before_hello,
                ),
                re=request,
            )

    def ask_nothing(self) -> None:
        """An empty line, one that is answered here, or many keys that make none. Raises `too_many_errors`."""
        self.charge(1)
        self._nothing += 1
        if self._nothing > self._config.nothing_asked:
            raise Refusal(
                "too_many_errors",
                _(
                    "{count} empty lines or bursts of keys came at once, as many as one may send; connect again.",
                    count=self._config.nothing_asked,
                ),
            )

    def err(self) -> bool:
        """Something came that could not be read; True if that is enough of it."""
        self._errors += 1
        return self._errors >= self._config.protocol_errors

    def guess(self) -> bool:
        """A wrong proof came; True if that is enough of them."""
        self._bad_proofs += 1
        return self._bad_proofs >= self._config.bad_proofs
