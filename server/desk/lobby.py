"""The lobby: players, tables and cups of a server, and how tables begin and end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from itertools import count, islice
from typing import Any

import trio

from games.api import Game, changed_options
from matches.house import house_bot_of_strength
from protocol.errors import Refusal
from protocol.messages import ClockRule, GameInfo, PlayerInfo, Seated
from protocol.printable import escape_text
from server.common import SharedObjects
from server.cups.cups import CupRegistry
from server.desk.bans import Bans
from server.desk.game_options import game_info
from server.desk.health import Health
from server.desk.operator_access import OperatorAccess
from server.desk.passwords import Passwords
from server.desk.presence import Connections
from server.desk.rate_limits import RateLimits
from server.desk.tables import TableRegistry, parse_table_number
from server.language import _
from server.log_fields import extra_fields
from server.log_throttle import LogThrottle
from server.name_registry import NameRegistry
from server.player import Player
from server.refusal_log import RefusalLog
from server.service_state import ServiceState
from server.subscriptions import Subscriptions
from server.table.replays import Replays
from server.table.table import Table

log = logging.getLogger("magehall.lobby")


class Lobby:
    """The lobby of one server. The tables' tasks run in the given nursery."""

    def __init__(self, common: SharedObjects, nursery: trio.Nursery) -> None:
        self.common, self.config, self.games = common, common.config, common.games
        self.house, self.journal, self.queue, self.broadcaster = (
            common.house,
            common.journal,
            common.queue,
            common.broadcaster,
        )
        house_bots = {name for game in self.games.values() for name in self.house.names(game)}
        self.people = NameRegistry(self.config, house_bots, self.journal)
        self.limits = RateLimits(self.config, self.people)
        self.service = ServiceState(self.journal)
        self.subscriptions = Subscriptions()
        self.tables = TableRegistry(common, self.people, lambda table: self.cups.awaits_result(table))
        self.cups = CupRegistry(self, nursery, self.config.grace)
        self.bans = Bans(self.journal, self.config)
        self.presence = Connections(
            common,
            nursery,
            self.people,
            self.tables,
            self.service,
            self.bans,
            self.subscriptions,
            self.cups.on_player_connected,
        )
        self.refusals = RefusalLog()
        self.session_numbers = count(1)  # numbers that identify sessions in the log
        self.strangers = LogThrottle(60.0)  # throttles log lines about connections that ended before hello, by address
        self.replays = Replays(self.games, nursery, self.journal.store, self.config)
        self.passwords = Passwords(nursery)
        self.operator_access = OperatorAccess()
        self.health = Health(self.people, self.tables, self.journal, trio.current_time())
        self.health.state = self.service.state_name
        self._nursery = nursery

    # -- look-ups ------------------------------------------------------------------------------------------------------

    def get_game(self, game_id: str) -> Game:
        """Returns the game with that id. Raises `no_such_game`."""
        try:
            return self.games[game_id]
        except KeyError:
            raise Refusal("no_such_game", _("The games here are: {listed}.", listed=", ".join(self.games))) from None

    def can_be_seated(self, player: Player) -> bool:
        """Returns whether others may seat the player now: it is a program that agreed to this, it plays at fewer tables
        than it agreed to, and no cup seats it."""
        return (
            player.bot
            and not self.cups.plays_in_active_cup(player.name)
            and self.tables.count_tables_of(player) < player.agreed
        )

    def game_infos(self) -> tuple[GameInfo, ...]:
        """Returns the description of every game for clients."""
        return tuple(game_info(game) for game in self.games.values())

    def list_players(self, after: str, most: int) -> list[PlayerInfo]:
        """Returns the players who are connected or have a seat that is held, and the tables where they play, watch, or
        have lost their seat to a house bot. Tables whose match is over are left out.

        The list is sorted by name and has at most `most` players. It begins behind the name `after`, which is in lower
        case.
        """
        found: list[PlayerInfo] = []
        for player in self.people.seated_or_connected(after):
            if (info := self.list_entry_of(player)) is not None:
                found.append(info)
                if len(found) == most:
                    break
        return found

    def list_entry_of(self, player: Player) -> PlayerInfo | None:
        """Returns the entry of `list_players` for one player; None if they are not connected and have no seat that is
        held."""
        at = [
            (table, table.seating.seat_state_of(player))
            for table in self.tables.tables_of_player(player)
            if table.state != "over"
        ]
        plays, lost = (
            tuple(
                sorted(
                    (table.id for table, seat_state in at if seat_state and bool(seat_state.house) is by_house),
                    key=parse_table_number,
                )
            )
            for by_house in (False, True)
        )
        here = player.listener is not None
        if not (here or plays):
            return None
        return PlayerInfo(player.name, player.kind, plays, self._watches(player), lost, here=here)

    def _watches(self, player: Player) -> tuple[str, ...]:
        """Returns the ids of the tables that the player watches, except those whose match is over."""
        listener = player.listener
        if listener is None:
            return ()
        names = self.subscriptions.watched_tables(listener)
        return tuple(sorted((name for name in names if self._is_on(name)), key=parse_table_number))

    def _is_on(self, table_id: str) -> bool:
        table = self.tables.get(table_id)
        return table is not None and table.state != "over"

    def find_house_bot_name(self, game: Game, typed: str) -> str:
        """Returns the house bot that `typed` names, as `require_bot_class` does. Raises `no_such_bot` if it names
        none."""
        known = self.house.names(game)
        name = _bot_named(known, house_bot_of_strength(game, known, typed))
        if name not in known:
            names = ", ".join(known)
            raise Refusal("no_such_bot", _("The house bots for {game} are: {names}.", game=game.id, names=names)[:200])
        return name

    def find_bot_name(self, table: Table, typed: str) -> str:
        """Returns the bot that `typed` names by its name, a unique prefix of it, or its strength, in any case. A text
        that names no bot is returned unchanged. Raises `no_such_bot` for an ambiguous prefix."""
        known = [info.name for info in self.list_bots(table.game)]
        return _bot_named(known, house_bot_of_strength(table.game, known, typed))

    def lobby_chat_receivers(self) -> list[Player]:
        """Returns the connected players who receive the talk in the lobby."""
        busy = {listener for table in self.tables.running_tables() for listener in table.seating.receiver_sessions()}
        told = [player for player in self.people.connected_players() if player.lobby_talk != "off"]
        return [player for player in told if player.lobby_talk == "on" or player.listener not in busy]

    def list_bots(self, game: Game | None) -> tuple[PlayerInfo, ...]:
        """Returns the house bots for a game, or for all games, and some programs that may be seated now."""
        wanted = [game] if game else list(self.games.values())
        house = sorted({name for one in wanted for name in self.house.names(one)})
        in_cups = self.cups.active_cup_players()
        here = (one for one in self.people.connected_players() if one.agreed and one.name not in in_cups)
        able = (
            one
            for one in here
            if any(one.can_be_added_to(game.id) for game in wanted) and self.tables.count_tables_of(one) < one.agreed
        )
        programs = islice(able, self.config.programs_listed)
        return (*(PlayerInfo(name, "house") for name in house), *(player.public_info() for player in programs))

    # -- tables --------------------------------------------------------------------------------------------------------

    def open_table(
        self,
        game_id: str,
        seats: int,
        owner: str,
        options: Mapping[str, Any],
        clock: ClockRule,
        seed: bytes = b"",
        word: str = "",
        delay: int = 0,
    ) -> Table:
        """Opens a table. Raises Refusal if the game does not allow it, or if there is no room.

        A cup's table has no owner, and the limit on tables is counted separately for these. `word` seeds the random
        numbers of bots; with a word, the `over` message of the match does not reveal the seed.
        """
        self.service.check_can_begin()
        game = self.get_game(game_id)
        seats = seats or game.min_seats
        self.check_seat_count(game, seats)
        options = self.non_default_options(game, options)
        self.check_open_hands_delay(delay)
        return self.tables.create_table(
            game, seats, owner, options=options, clock=clock, delay=delay, seed=seed, word=word
        )

    def check_seat_count(self, game: Game, seats: int) -> None:
        """Raises Refusal (`bad_field`) if the game does not allow that number of seats."""
        try:
            game.check_seats(seats)
        except ValueError as error:
            raise Refusal("bad_field", str(error), "$.seats") from None

    def non_default_options(self, game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
        """Returns those options that differ from the game's defaults. Raises `bad_option`."""
        try:
            return changed_options(game, options)
        except ValueError as error:
            raise Refusal("bad_option", escape_text(str(error))[:200], "$.options") from None

    def check_open_hands_delay(self, delay: int) -> None:
        """Raises `bad_field` if open hands may not be delayed by that number of seconds."""
        if 0 < delay < self.config.least_delay:
            least = _("The delay of open hands is at least {seconds} seconds.", seconds=self.config.least_delay)
            raise Refusal("bad_field", least, "$.delay")
        if delay > self.config.longest_delay:
            most = _("The delay of open hands is at most {seconds} seconds.", seconds=self.config.longest_delay)
            raise Refusal("bad_field", most, "$.delay")

    def check_can_take_seat(self, player: Player) -> None:
        """Raises Refusal if the player may not take another seat, such as one who has too many."""
        if self.cups.plays_in_active_cup(player.name):
            raise Refusal("in_cup")
        if self.tables.count_tables_of(player) >= self.config.tables_a_player:
            text = _(
                "You play at {count} tables, the most that one player may. Leave one, or wait until one is over.",
                count=self.config.tables_a_player,
            )
            raise Refusal("too_many_tables", text)

    def add_bot(self, table: Table, name: str, seat: int = 0) -> None:
        """Puts a bot on a seat: a house bot, or a connected program that plays the game and agreed to be seated. Raises
        `no_such_bot`."""
        name = self.find_bot_name(table, name) if self.people.find_player(name) is None else name
        if name in self.house.names(table.game):
            table.add_house_bot(name, seat, may_think=self._thinkers() < self.config.thinkers)
            return
        player = self.people.find_player(name)
        if player is None or player.listener is None or not player.can_be_added_to(table.game.id):
            names = ", ".join(info.name for info in self.list_bots(table.game))
            raise Refusal("no_such_bot", _("The bots for {id} are: {names}.", id=table.game.id, names=names)[:200])
        if table.delay:
            later = _("Spectators of that table see all hands later, so a program has to join it by itself.")
            raise Refusal("no_such_bot", later)
        if table.seating.seat_state_of(player):
            raise Refusal("already_seated", _("{name} already has a seat at that table.", name=player.name))
        if player in table.kicked:
            raise Refusal("kicked", _("{name} was removed from that table.", name=player.name))
        if not self.can_be_seated(player):
            raise Refusal("no_such_bot", _("{name} takes no more seats now.", name=player.name))
        seat_state = table.seat_player(player, seat)
        player.listener.push((Seated(info=table.table_info(), seat=seat_state.number),))

    def _thinkers(self) -> int:
        """Returns the number of seats that bots which search have, at all tables whose match is not over."""
        on = [table for table in self.tables.values() if table.state != "over"]
        return sum(
            bool(seat_state.house and seat_state.house.seconds)
            for table in on
            for seat_state in table.seating.seat_states
        )

    def start_match(self, table: Table, answer: Callable[[], None] = lambda: None) -> None:
        """Deals, and starts the table's task. `answer` is called after the deal, before the table sends any message."""
        self.service.check_can_begin()
        self._check_free(table)
        table.start(answer)
        told = extra_fields("match_began", table=table.id, game=table.game.id, names=table.seating.names())
        log.info("%s: %s begins: %s", table.id, table.game.id, ", ".join(table.seating.names()), extra=told)
        self.start_table_task(table)

    def _check_free(self, table: Table) -> None:
        """Raises `in_cup` if a player of this open table now takes part in a running cup, which alone may seat them."""
        if table.owner and table.state == "open":
            for name in table.seating.names():
                if self.cups.plays_in_active_cup(name):
                    raise Refusal("in_cup", _("{name} plays in a cup and can only be seated by it for now.", name=name))

    def start_table_task(self, table: Table) -> None:
        """Starts the task that plays the table's match."""
        self._nursery.start_soon(table.run)


def _bot_named(known: Sequence[str], typed: str) -> str:
    """Returns the bot among `known` with that name or unique prefix, in any case. A text that fits no bot is returned
    unchanged. Raises `no_such_bot` for an ambiguous prefix."""
    if typed in known:
        return typed
    base, colon, level = typed.lower().partition(":")
    parts = {name: name.lower().partition(":") for name in known}
    fitting = [
        name
        for name, (one, has, more) in parts.items()
        if one.startswith(base) and f"{has}{more}".startswith(f"{colon}{level}")
    ]
    whole = [name for name in fitting if name.lower() == typed.lower()]
    plain = [name for name in fitting if all(parts[other][0] == name.lower() for other in fitting)]
    found = whole or plain or fitting
    if len(found) > 1:
        raise Refusal("no_such_bot", _("Say which bot: {listed}.", listed=", ".join(found[:9])))
    return found[0] if found else typed
