"""What a connection costs, charged to its name and to its address, and how often it erred or asked nothing."""

from __future__ import annotations

from protocol import limits
from protocol.errors import Refusal
from server.language import _
from server.meter import Meter

QUIET_SECONDS = 1.0  # after which what asks nothing is counted anew


class Account:
    """One a connection. Work is counted in plain requests, times in seconds."""

    __slots__ = ("_address", "_bad_proofs", "_errors", "_heard", "_nothing", "_own", "_strange", "_unpaid")

    def __init__(self, own: Meter, address: Meter, now: float) -> None:
        self._own, self._address = own, address  # its own until it has a name, and its address's
        self._heard = now
        self._unpaid = 0  # bytes read that were not charged yet
        self._strange = 0  # requests before the hello
        self._nothing = 0  # times in a row that lines or keys came which ask nothing
        self._errors = self._bad_proofs = 0

    def belongs_to(self, meter: Meter | None) -> Meter:
        """From now on charges that meter, a name's; with None, its own becomes the name's. Returns which it is."""
        self._own = meter or self._own
        return self._own

    @property
    def is_overdrawn(self) -> bool:
        """Whether reading has to wait."""
        return self._own.left < 0 or self._address.left < 0

    def wait(self, now: float) -> float:
        """For how many seconds nothing more is to be done here."""
        return max(self._own.wait(now), self._address.turn(now))

    def charge(self, work: float) -> None:
        """So much was caused."""
        self._own.charge(work)
        self._address.charge(work)

    def read(self, count: int, now: float) -> None:
        """So many bytes came."""
        if now > self._heard + QUIET_SECONDS:
            self._nothing = 0
        self._heard = now
        self._unpaid += count

    def pay_for_bytes(self) -> None:
        """Charges bytes that belong to no request, or to a long one."""
        if self._unpaid > 0:
            self.charge(self._unpaid / limits.BYTES_A_REQUEST)
        self._unpaid = 0

    def ask(self) -> None:
        """A request came; the bytes of a short one are part of its price."""
        self._unpaid -= limits.BYTES_A_REQUEST
        self._nothing = 0

    def ask_without_a_name(self, request: int) -> None:
        """A request of that id came before the hello was answered. Raises `too_many_errors`."""
        self._strange += 1
        if self._strange > limits.REQUESTS_BEFORE_HELLO:
            raise Refusal("too_many_errors", _("Too many requests without a hello."), re=request)

    def ask_nothing(self) -> None:
        """An empty line, one that is answered here, or many keys that make none. Raises `too_many_errors`."""
        self.charge(1)
        self._nothing += 1
        if self._nothing > limits.NOTHING_ASKED:
            raise Refusal("too_many_errors", _("Too many keys or lines that ask nothing."))

    def err(self) -> bool:
        """Something came that could not be read; True if that is enough of it."""
        self._errors += 1
        return self._errors >= limits.PROTOCOL_ERRORS

    def guess(self) -> bool:
        """A wrong proof came; True if that is enough of them."""
        self._bad_proofs += 1
        return self._bad_proofs >= limits.BAD_PROOFS
