"""Rate limits on requests and talk, for each connection, name and address."""

from __future__ import annotations

from collections.abc import Hashable

import trio

from server.config import Config
from server.name_registry import NameRegistry
from server.player import Player
from server.token_bucket import TokenBucket, TokenBuckets


class RateLimits:
    """The token buckets that limit requests and talk on one server."""

    def __init__(self, config: Config, people: NameRegistry) -> None:
        self._config, self._people = config, people
        self._addresses = TokenBuckets(self._shared_allowance)
        self._talk = TokenBuckets(self._shared_talk)
        self._strangers = TokenBuckets(self._shared_allowance)
        self._all_strangers = TokenBucket(*self._allowance_of_all_strangers(), 0.0)
        self._spent: dict[
            TokenBucket, float
        ] = {}  # work that each bucket was charged since the last call of `busiest_player`

    def new_bucket(self) -> TokenBucket:
        """Returns a new token bucket for a connection or a name."""
        return TokenBucket(
            self._config.requests_a_second, self._config.requests_at_once, trio.current_time(), self._spent
        )

    def address_buckets(self, address: Hashable) -> tuple[TokenBucket, ...]:
        """Returns the token bucket that all names without a seat at that address share; nothing for None, an unknown
        address."""
        return () if address is None else (self._addresses.bucket_for(address, trio.current_time()),)

    def stranger_buckets(self, address: Hashable) -> tuple[TokenBucket, ...]:
        """Returns the token buckets that limit connections without a name: that of the address, and that of all
        addresses together. Returns nothing for None, an unknown address."""
        if address is None:
            return ()
        return self._strangers.bucket_for(address, trio.current_time()), self._all_strangers

    def talk_buckets(self, player: Player, *, of_address: bool) -> list[TokenBucket]:
        """Returns the token buckets that limit the player's talk: the player's own and, with `of_address`, that of the
        player's address."""
        now = trio.current_time()
        if player.talk_meter is None:
            player.talk_meter = TokenBucket(1 / self._config.talk_seconds, self._config.talk_at_once - 1, now)
        if not of_address or player.address is None:
            return [player.talk_meter]
        return [player.talk_meter, self._talk.bucket_for(player.address, now)]

    def busiest_player(self) -> Player | None:
        """Returns the connected player who was charged most work since the last call; None if no player was charged
        any."""
        most = max(self._spent, key=lambda meter: self._spent[meter], default=None)
        is_some = most is not None and self._spent[most] > 0
        self._spent.clear()
        return (
            next((player for player in self._people.connected_players() if player.meter is most), None)
            if is_some
            else None
        )

    def apply_settings(self) -> None:
        """Applies changed settings to the existing token buckets. Other limits are read from the settings each time."""
        now, config = trio.current_time(), self._config
        for meters in (self._addresses, self._talk, self._strangers):
            meters.apply_allowance(now)
        self._all_strangers.set_rate(*self._allowance_of_all_strangers(), now)
        for player in self._people.all_players():
            if player.meter is not None:
                player.meter.set_rate(config.requests_a_second, config.requests_at_once, now)
            if player.talk_meter is not None:
                player.talk_meter.set_rate(1 / config.talk_seconds, config.talk_at_once - 1, now)

    def _shared_allowance(self, address: Hashable) -> tuple[float, float]:
        config = self._config.for_address(address)
        at_once = config.requests_at_once * config.at_once_an_address
        return config.requests_a_second * config.requests_an_address, at_once

    def _shared_talk(self, address: Hashable) -> tuple[float, float]:
        config = self._config.for_address(address)
        return config.talk_an_address / config.talk_seconds, config.talk_an_address * config.talk_at_once - 1

    def _allowance_of_all_strangers(self) -> tuple[float, float]:
        rate, most = self._shared_allowance(None)
        return self._config.strangers_in_all * rate, self._config.strangers_in_all * most
