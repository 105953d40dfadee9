"""The cups of a server: opens them, changes who takes part, and restores them from the store."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Collection, Hashable, Mapping

import msgspec
import trio

from protocol.errors import Refusal
from protocol.messages import ClockRule, SentAway
from protocol.names import is_name, lookalike_key
from protocol.printable import escape_text
from server.cups.cup_rows import CUP, cup_subject, read_cup
from server.cups.live_cup import LiveCup
from server.cups.lobby_interface import CupLobby
from server.language import _
from tournaments.cup import (
    OPEN,
    PAUSED,
    RUNNING,
    STOPPED,
    ClockSet,
    Cup,
    CupSettings,
    CupStateError,
    EntrantDropped,
    EntrantEntered,
    EntrantKicked,
    EntrantPardoned,
    Entry,
    PlayersReplaced,
)
from tournaments.formats.registry import FORMATS, make_format
from tournaments.schedule import SECRET_BYTES

log = logging.getLogger("magehall.cups")


class CupRegistry:
    """All cups of one server."""

    def __init__(self, rooms: CupLobby, nursery: trio.Nursery, grace: float) -> None:
        self._rooms, self._nursery, self._grace = rooms, nursery, grace
        self._turns = trio.Lock()  # held by the cup that computes its standings, so that only one does
        self._cups: dict[str, LiveCup] = {}  # by folded name, oldest first
        self._lost: set[str] = set()  # folded names of cups whose rows cannot be read; the rows stay as they are

    def list_cups(self) -> list[LiveCup]:
        """Returns all cups, oldest first."""
        return list(self._cups.values())

    def wall_clock_time(self) -> float:
        """Returns the wall-clock time in seconds since 1970, for the settings of a new cup."""
        return time.time()

    def get(self, name: str) -> LiveCup:
        """Returns the cup of that name. Raises `no_such_cup`."""
        try:
            return self._cups[lookalike_key(name)]
        except KeyError:
            raise Refusal("no_such_cup") from None

    def plays_in_active_cup(self, name: str) -> bool:
        """Returns whether the player takes part in a running or paused cup. Until that cup is over, no one else may
        seat the player."""
        return any(
            live.cup.state in (RUNNING, PAUSED) and live.cup.entrant_of_player(name) for live in self._cups.values()
        )

    def active_cup_players(self) -> set[str]:
        """Returns the names of all players for whom `plays_in_active_cup` is true."""
        going_on = [live.cup for live in self._cups.values() if live.cup.state in (RUNNING, PAUSED)]
        return {player for cup in going_on for one in cup.entrants if not one.dropped for player in one.players}

    def hides_replay(self, table: str, word: str) -> bool:
        """Returns whether the replay of a match could still help a player in another match of its cup.

        Args:
            table: The table of the match.
            word: The match's word, from `tournaments.schedule.match_seed_word`; "" if it belongs to no cup.
        """
        return any(live.cup.is_hidden(table) for live in self._cups.values()) or self._may_be_lost(table, word)

    def has_shared_deal(self, table: str, word: str) -> bool:
        """Returns whether a spectator of that table could help a player at another table of the cup. The arguments are
        those of `hides`."""
        return any(live.cup.has_shared_deal(table) for live in self._cups.values()) or self._may_be_lost(table, word)

    def _may_be_lost(self, table: str, word: str) -> bool:
        """Returns whether the match may belong to a cup that cannot be read, and that may play the same deal at other
        tables."""
        return bool(word and self._lost) and not any(live.cup.match_number_at(table) for live in self._cups.values())

    def awaits_result(self, table: str) -> bool:
        """Returns whether a cup has yet to record the result of the match at that table."""
        return any(not live.cup.is_over and live.cup.awaits_result(table) for live in self._cups.values())

    def unfinished_cup_of(self, name: str) -> str:
        """Returns the name of an unfinished cup that the player owns or plays in; "" if there is none."""
        for live in self._cups.values():
            cup = live.cup
            if not cup.is_over and (cup.settings.owner == name or any(name in one.players for one in cup.entrants)):
                return cup.settings.cup
        return ""

    # -- requests of owners and entrants -------------------------------------------------------------------------------

    def open_cup(self, settings: CupSettings) -> LiveCup:
        """Opens a cup. Raises Refusal."""
        if not is_name(settings.cup):
            raise Refusal("bad_name")
        if lookalike_key(settings.cup) in self._cups.keys() | self._lost:
            raise Refusal("cup_taken")
        if settings.format not in FORMATS:
            raise Refusal("bad_field", _("Formats are: {listed}.", listed=", ".join(FORMATS)), "$.format")
        try:  # tests whether the format works with the greatest number of entrants
            make_format(
                settings.format, settings.deals, self._rooms.config.entrants_a_cup, settings.seats, settings.rounds, 0
            )
        except ValueError as error:
            raise Refusal("bad_field", str(error), "$.deals") from None
        if settings.rounds > self._rooms.config.cup_rounds:
            most = self._rooms.config.cup_rounds
            raise Refusal("bad_field", _("A cup has at most {most} rounds.", most=most), "$.rounds")
        game = self._rooms.get_game(settings.game)
        self._make_room(settings.owner)
        live = self._live(
            Cup(
                msgspec.structs.replace(settings, rules=game.rules_version, cards=game.cards_digest), self._rooms.config
            )
        )
        self._cups[lookalike_key(settings.cup)] = live
        live.store_settings()
        self._nursery.start_soon(live.run)
        return live

    def _make_room(self, owner: str) -> None:
        config, going_on = self._rooms.config, [live for live in self._cups.values() if not live.cup.is_over]
        own = sum(bool(owner) and live.cup.settings.owner == owner for live in going_on)
        if own >= self._rooms.config.cups_a_player:
            text = _(
                "You have {count} cups, the most that one player may have. Stop one, or wait until one is over.",
                count=own,
            )
            raise Refusal("too_many_cups", text)
        address = self._address(owner)
        if address is not None:
            there = sum(self._address(live.cup.settings.owner) == address for live in going_on)
            most = self._rooms.config.for_address(address).cups_an_address
            is_owed = not own and len(self._cups) < self._rooms.config.cups / 2
            if there >= most and not is_owed:
                text = _(
                    "Your address has {there} cups of {most} that it may have, {own} of them yours. Stop one, or wait"
                    " until one is over. While there is room each name may have one.",
                    there=there,
                    own=own,
                    most=most,
                )
                raise Refusal("too_many_cups", text)
        if len(self._cups) < self._rooms.config.cups:
            return
        over = [live for live in self._cups.values() if live.cup.is_over]
        left = [live for live in going_on if live.cup.state == OPEN and self._is_away(live)]
        given_up = [
            live for live in going_on if live.cup.state == PAUSED and self._is_away(live, config.given_up_seconds)
        ]
        if not (over or left or given_up):
            text = _(
                "The server has {count} cups, the most that it takes. Try again when one is over.",
                count=config.cups,
            )
            raise Refusal("too_many_cups", text)
        oldest = self._oldest(over or left or given_up)
        oldest.end_task()
        oldest.delete_rows()
        self._rooms.subscriptions.forget_cup(oldest.cup.settings.cup)
        del self._cups[lookalike_key(oldest.cup.settings.cup)]

    def _address(self, name: str) -> Hashable:
        player = self._rooms.people.find_player(name) if name else None
        return player.address if player is not None else None

    def _oldest(self, among: Collection[LiveCup]) -> LiveCup:
        """Returns the oldest cup of the address whose players own most of these cups, so that one address cannot
        displace the cups of others."""
        holders = [self._address(live.cup.settings.owner) or live.cup.settings.owner for live in among]
        most = max(holders, key=holders.count)
        return next(live for live, holder in zip(among, holders, strict=True) if holder == most)

    def _is_away(self, live: LiveCup, seconds: float = 0.0) -> bool:
        """Returns whether the cup's owner has been disconnected for at least that number of seconds."""
        player = self._rooms.people.find_player(live.cup.settings.owner)
        return player is None or (player.listener is None and trio.current_time() - player.seen >= seconds)

    def _check_place(self, live: LiveCup, name: str) -> None:
        """Checks two limits of the address of the player `name`: on its entrants in this cup, and on how often it has
        entered it.

        Raises Refusal (`cup_state`) if one is reached.
        """
        cup, address = live.cup, self._address(name)
        if address is None:
            return
        entries = live.entered_from[address]
        if entries >= self._rooms.config.for_address(address).entries_an_address * (1 if name in live.entered else 2):
            text = _(
                "From your address {cup} was entered {count} times, which is the limit. Enter it from another address.",
                cup=cup.settings.cup,
                count=entries,
            )
            raise Refusal("cup_state", text)
        there = [self._address(one.name) for one in cup.entrants].count(address)
        at_home = not cup.settings.owner or address == self._address(cup.settings.owner)
        free = self._rooms.config.entrants_a_cup - len(cup.entrants)
        if not (at_home or name in cup.entrant_names) and there >= free:
            text = _(
                "{there} entrants of {cup} are from your address. The {free} places that are left are for "
                "other addresses, or for you from the address of the cup's owner.",
                there=there,
                free=free,
                cup=cup.settings.cup,
            )
            raise Refusal("cup_state", text)

    def enter_entrant(
        self,
        live: LiveCup,
        entrant: str,
        players: tuple[str, ...],
        tables: int,
        nonce: str = "",
        clock: ClockRule | None = None,
        house: str = "",
    ) -> None:
        """Enters an entrant in a cup, or enters it again with other players. Raises Refusal (`cup_state`)."""
        self._check_place(live, entrant)
        self._record(live, EntrantEntered(live.wall_clock_time(), entrant, players, tables, nonce, clock, house))
        live.entered_from[self._address(entrant)] += 1
        live.entered.add(entrant)

    def on_player_left_table(self, name: str) -> None:
        """Tells all cups that a player has left a table."""
        for live in self._cups.values():
            live.on_player_left_table(name)

    def drop_entrant(self, live: LiveCup, entrant: str, why: str = "") -> None:
        """Takes an entrant out of the cup. House bots play its running matches to the end. Raises Refusal
        (`cup_state`)."""
        self._take_out(live, EntrantDropped(live.wall_clock_time(), entrant, why))

    def kick_entrant(self, live: LiveCup, entrant: str) -> None:
        """Like `drop`, but the entrant may not enter again before `pardon_entrant`. Raises Refusal (`cup_state`)."""
        told = SentAway(table="", cup=live.cup.settings.cup, why="kicked", by=live.cup.settings.owner)
        for name in self._take_out(live, EntrantKicked(live.wall_clock_time(), entrant)):
            player = self._rooms.people.find_player(name)
            if player is not None and player.listener is not None:
                player.listener.hold_until_committed(live.position)
                player.listener.push((told,))

    def pardon_entrant(self, live: LiveCup, name: str) -> None:
        """Lets a kicked entrant enter again."""
        if name in live.cup.kicked:
            self._record(live, EntrantPardoned(live.wall_clock_time(), name))

    def replace_players(self, live: LiveCup, entrant: str, players: tuple[str, ...], tables: int = 0) -> None:
        """Replaces the players who play for an entrant. Raises Refusal (`cup_state`).

        Args:
            live: The cup.
            entrant: The name of the entrant.
            players: The names of the new players.
            tables: The most tables at which each new player plays at the same time; 0 keeps the entrant's present
                number.
        """
        self._record(live, PlayersReplaced(live.wall_clock_time(), entrant, players, tables))

    def set_entrant_clock(self, live: LiveCup, entrant: str, clock: ClockRule | None) -> None:
        """Sets the entrant's own clock for all its matches; None means the cup's clock. Raises Refusal
        (`cup_state`)."""
        self._record(live, ClockSet(live.wall_clock_time(), entrant, clock))

    def change_state(self, live: LiveCup, state: str) -> None:
        """Starts, pauses or stops a cup; `state` is the new state. Raises Refusal (`cup_state`)."""
        if state == STOPPED and not live.cup.is_over:
            live.abort_matches()
        try:
            live.change_state(state)
        except CupStateError as error:
            raise Refusal("cup_state", escape_text(str(error))) from None

    def _take_out(self, live: LiveCup, entry: EntrantDropped | EntrantKicked) -> tuple[str, ...]:
        """Takes an entrant out of the cup, and returns the names of its players."""
        players = live.cup.entrant(entry.entrant).players
        self._record(live, entry)
        for name in players:
            live.give_seats_to_bots(name, "left")
        return players

    def _record(self, live: LiveCup, entry: Entry) -> None:
        try:
            live.record_entry(entry)
        except CupStateError as error:
            raise Refusal("cup_state", escape_text(str(error))) from None

    # -- recovery from the store ---------------------------------------------------------------------------------------

    def restore_cup(self, rows: Mapping[int, bytes]) -> None:
        """Restores a stored cup, and lets it continue. Raises any exception if the rows are not those of a cup."""
        cup = read_cup(rows)
        cup.allowed = self._rooms.config
        live = self._live(cup)
        self._cups[lookalike_key(cup.settings.cup)] = live
        ordered = sorted(self._cups.items(), key=lambda item: item[1].cup.settings.opened)
        self._cups.clear()
        self._cups.update(ordered)
        if not cup.is_over:
            self._nursery.start_soon(live.run)

    def mark_unreadable(self, subject: str) -> None:
        """Marks the cup of that subject as unreadable. Its name cannot be used for a new cup."""
        self._lost.add(subject.removeprefix(CUP))

    def reset_cup(self, subject: str, rows: Mapping[int, bytes]) -> None:
        """Resets a cup to its stored rows, after the writes that followed them were lost. Raises like `recall`."""
        name = subject.removeprefix(CUP)
        if not rows:
            self._cups.pop(name).end_task()
        elif name in self._cups:
            self._cups[name].replace_state(read_cup(rows))
        else:  # the cup had been removed, to make room for another one
            self.restore_cup(rows)

    def wake_cups(self) -> None:
        """Makes all cups look for matches that can begin, such as when the disk works again."""
        for live in self._cups.values():
            live.wake_task()

    def on_player_connected(self, name: str) -> None:
        """Tells all cups that a player has connected."""
        for live in self._cups.values():
            live.on_player_connected(name)

    def _live(self, cup: Cup) -> LiveCup:
        subject = cup_subject(cup.settings.cup)
        return LiveCup(cup, self._rooms, self._nursery, subject, time.time, self._grace, self._share, self._turns)

    def _share(self, owner: str) -> int:
        """Returns the number of tables at which a cup of that owner may play at the same time.

        The active cups whose owners have the same address share the tables of that address, but each has at least
        `tables_a_cup_least`.
        """
        address = self._address(owner)
        on = [live.cup.settings.owner for live in self._cups.values() if live.cup.state in (RUNNING, PAUSED)]
        sharing = sum(self._address(other) == address for other in on) if address is not None else 0
        return max(self._rooms.config.tables_a_cup_least, self._rooms.config.tables_a_cup // max(1, sharing))


def new_secret() -> bytes:
    """Returns 32 random bytes, from which all deals of a cup are derived."""
    return secrets.token_bytes(SECRET_BYTES)
