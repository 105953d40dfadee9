"""The registry of names: which names are in use, and who may take one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Mapping
from contextlib import suppress
from operator import itemgetter

import trio

from protocol.connection import ServerConnection
from protocol.errors import Refusal, RemoteProtocolError
from protocol.messages import Hello
from protocol.names import is_name, is_reserved, lookalike_key
from protocol.telnet import TelnetAnswer, TypedLine, UnfinishedKeys
from server.checks import check_key
from server.config import Config
from server.failed_logins import FailedLogins
from server.language import _
from server.player import Player
from server.store.journal import Journal


class NameRegistry:
    """All names that the server knows. Names that look alike count as the same name. The names in `house`, which belong
    to house bots, cannot be taken."""

    def __init__(self, config: Config, house: Collection[str], journal: Journal | None = None) -> None:
        self._config, self._house, self._journal = config, house, journal
        self._known: dict[str, Player] = {}
        self._lost: set[str] = set()  # names, in folded form, whose rows cannot be read, so that they cannot be taken
        self._here: defaultdict[Hashable, set[Player]] = defaultdict(set)  # connected players by address
        # by address: the names that were taken there, in folded form, with the time
        self._new: dict[Hashable, dict[str, float]] = {}
        self.guesses = FailedLogins()

    def find_player(self, name: str) -> Player | None:
        """Returns the player of that name, or of a name that looks like it; None if there is none."""
        return self._known.get(lookalike_key(name))

    def connected_players(self) -> list[Player]:
        """Returns the connected players, in alphabetical order."""
        here = (player for player in self._known.values() if player.listener)
        return sorted(here, key=lambda player: player.name.lower())

    def players_at_address(self, address: Hashable) -> Collection[Player]:
        """Returns the players who are connected from that address."""
        return self._here.get(address, ())

    def count_names_at(self, address: Hashable) -> int:
        """Returns the number of names that are connected from that address."""
        return len(self.players_at_address(address))

    @property
    def connected_count(self) -> int:
        """The number of names that are connected."""
        return sum(map(len, self._here.values()))

    def connect(self, player: Player, address: Hashable) -> None:
        """Records that the player is connected from that address."""
        self._here[address].add(player)

    def disconnect(self, player: Player, address: Hashable) -> None:
        """Records that the player is no longer connected from that address."""
        self._here[address].discard(player)
        if not self._here[address]:
            del self._here[address]

    def all_players(self) -> list[Player]:
        """Returns the players of all names, in alphabetical order."""
        return sorted(self._known.values(), key=lambda player: player.name.lower())

    def seated_or_connected(self, after: str) -> list[Player]:
        """Returns the players who are connected or have a seat, in alphabetical order. The list begins behind the name
        `after`, which is in lower case."""
        some = (player for player in self._known.values() if player.listener is not None or player.tables)
        names = ((player.name.lower(), player) for player in some)
        return [player for _, player in sorted((one for one in names if one[0] > after), key=itemgetter(0))]

    def admit_by_proof(self, hello: Hello, challenge: str, address: Hashable, now: float) -> Player:
        """Returns the player who says hello, after checking the proof of the name. A name that is not known gets a new
        player.

        If the name is new or was proved by a code, the key in the hello becomes the key of the name. Raises Refusal:
        bad_name, bad_field, name_taken, slow_down, unknown_name, bad_proof, server_full.
        """
        if not is_name(hello.name):
            raise Refusal("bad_name")
        if is_reserved(hello.name, self._house):
            raise Refusal("name_taken", _("That name is the server's own or a house bot's; take another."))
        if self.is_unreadable(hello.name):
            raise Refusal("name_taken", _("The data of that name cannot be read. Ask the operator to free the name."))
        check_key(hello)
        player = self._known.get(lookalike_key(hello.name))
        if hello.proof or hello.code:
            self._examine(player, hello, challenge, address, now)
        elif player is not None and self._may_take_again(player, hello, address):
            player.codes.clear()
        elif player is not None:
            raise Refusal("name_taken")
        if player is None:
            if self._config.only_play:
                raise Refusal("server_full", _("This server only admits the players that it expects."))
            self._make_room(address, now)
            player = self._known[lookalike_key(hello.name)] = Player(hello.name, self._journal, self._config)
            self._new.setdefault(address, {})[lookalike_key(hello.name)] = now
        player.update_proofs(hello)
        return player

    def find_proved_seat_holder(self, first: bytes, challenge: str) -> Player | None:
        """Returns the player with a seat whose name is proved by the first bytes of a connection; None if these prove
        no such name.

        The check has no effects.
        """
        hello = _hello_in(first)
        player = self.find_player(hello.name) if hello is not None else None
        if hello is None or player is None or player.name != hello.name or not player.tables:
            return None
        return player if player.is_proved_by(hello, challenge) else None

    def player_with_password(self, hello: Hello, address: Hashable, now: float) -> Player | None:
        """Returns the player of the name, if the code in the hello may be the name's password. Returns None if it is a
        valid reconnect code, or if the name has no password.

        The caller then compares the password in a thread, because that takes long. Raises Refusal: slow_down.
        """
        player = self._known.get(lookalike_key(hello.name))
        if player is None or hello.proof or not (hello.code and player.password):
            return None
        self.guesses.check_proof_allowed(lookalike_key(player.name), address, player.address, now)
        if player.codes.is_valid(hello.code):
            return None
        self.guesses.check_password_allowed(lookalike_key(player.name), address, now)
        return player

    def admit_by_password(self, hello: Hello, address: Hashable, now: float, *, fits: bool) -> Player:
        """Returns the player of the name that the hello gives. `fits` says whether the code in the hello is the name's
        password.

        Raises Refusal: bad_proof, slow_down.
        """
        player = self.find_player(hello.name)
        if player is None:
            raise Refusal("bad_proof")
        if not fits:
            raise self.guesses.record_failure(
                lookalike_key(player.name), address, player.address, now, spelt=player.name
            )
        player.update_proofs(hello)
        return player

    def _may_take_again(self, player: Player, hello: Hello, address: Hashable) -> bool:
        """Returns whether the hello may take a known name without proof. It may if the owner at the same address has
        probably never received the first welcome."""
        told = not player.codes.is_unseen or player.codes.previous or player.key or player.password
        there = player.listener is not None or player.tables or player.played
        taken_there = lookalike_key(player.name) in self._new.get(address, {})
        return taken_there and not (told or there or hello.key) and player.name == hello.name

    def register_name(self, name: str, key: bytes) -> None:
        """Registers a name before its player connects. `key` is the key that its proofs must fit."""
        if lookalike_key(name) not in self._known:
            player = self._known[lookalike_key(name)] = Player(name, self._journal, self._config)
            player.key, player.played = key, True  # a name that has played is not forgotten
            player.save()

    def forget_unused_names(self, now: float) -> None:
        """Forgets names that never played and have been disconnected for `name_seconds`."""
        for folded, player in list(self._known.items()):
            if _is_idle(player) and now - player.seen > self._config.name_seconds:
                self._forget(folded)
        for names in self._new.values():
            self._count_anew(names, now)
        self._new = {address: names for address, names in self._new.items() if names}

    def forget_player(self, player: Player) -> None:
        """Forgets the name of a player, which others may then take. The player must be neither connected nor at a
        table."""
        self._forget(lookalike_key(player.name))

    def mark_unreadable(self, folded: str) -> None:
        """Marks a name as unreadable. Until `free` it cannot be taken, and its rows stay in the store."""
        if folded not in self._known:
            self._lost.add(folded)

    def is_unreadable(self, name: str) -> bool:
        """Returns whether the rows of that name cannot be read."""
        return lookalike_key(name) in self._lost

    def delete_unreadable(self, name: str) -> None:
        """Deletes the rows of an unreadable name, which others may then take."""
        self._lost.discard(lookalike_key(name))
        Player(name, self._journal).unregister()

    @property
    def name_count(self) -> int:
        """The number of names that the server knows."""
        return len(self._known)

    def restore_player(self, rows: Mapping[int, bytes]) -> Player:
        """Restores a stored name, and returns its player. Raises like `Player.restore`."""
        player = Player("", self._journal, self._config)
        player.restore(rows)
        player.seen = trio.current_time()
        return self._known.setdefault(lookalike_key(player.name), player)

    def reset_name(self, folded: str, rows: Mapping[int, bytes]) -> None:
        """Resets a name to its stored rows, after the writes that followed them were lost. If there are no rows, the
        name is removed."""
        player = self._known.get(folded)
        if not rows:
            self._known.pop(folded, None)
        elif player is None:
            self.restore_player(rows)
        else:
            player.restore(rows)

    def _forget(self, folded: str) -> None:
        self._known.pop(folded).unregister()

    def _examine(self, player: Player | None, hello: Hello, challenge: str, address: Hashable, now: float) -> None:
        if player is None:
            if hello.key:
                return
            raise Refusal("unknown_name")
        # a program must spell the name exactly; people may use a different case
        if player.name != hello.name and (hello.proof or not hello.code):
            raise Refusal("name_taken")
        folded = lookalike_key(player.name)
        self.guesses.check_proof_allowed(folded, address, player.address, now)
        if not player.is_proved_by(hello, challenge):
            raise self.guesses.record_failure(folded, address, player.address, now, spelt=player.name)

    def _make_room(self, address: Hashable, now: float) -> None:
        """Makes room for one more name. Raises Refusal if this is not possible.

        If the address has taken too many names, it loses the oldest of those that never played. If the server is full,
        it loses the oldest name that was never used. So a flood of names takes no name from its owner. Names that have
        played are never removed, because each address gets only `names_a_day` of them.
        """
        own, config = self._new.get(address, {}), self._config.for_address(address)
        if address is not None and len(own) >= min(config.names_an_address, config.names_a_day):
            self._make_room_among(own, now, config)
        if len(self._known) < self._config.players:
            return
        for folded, player in self._known.items():
            if player.listener is None and not player.tables and not player.used:
                self._forget(folded)
                return
        text = _(
            "The server knows {count} names, the most that it takes. Use one of yours, or ask the operator "
            "to forget one.",
            count=len(self._known),
        )
        raise Refusal("server_full", text)

    def _make_room_among(self, own: dict[str, float], now: float, config: Config) -> None:
        self._count_anew(own, now)
        others = [folded for folded in own if not self._known[folded].played]
        if len(own) - len(others) < config.names_a_day:
            if len(others) < config.names_an_address:
                return
            idle = next((folded for folded in others if _is_idle(self._known[folded])), "")
            if idle:
                self._forget(idle)
                return
            text = _(
                "{count} names from your address are here and have never played, which is the limit. Come back "
                "when one of them has left, or has begun to play.",
                count=len(others),
            )
            raise Refusal("server_full", text)
        text = _(
            "{count} new names from your address have played today, which is the limit. Use one of them, "
            "or come back tomorrow.",
            count=len(own) - len(others),
        )
        raise Refusal("server_full", text)

    def _count_anew(self, own: dict[str, float], now: float) -> None:
        """Stops counting names that no longer exist, and names that have played if they were taken more than a day
        ago."""
        day = self._config.name_seconds
        for folded, taken in list(own.items()):
            player = self._known.get(folded)
            if player is None or (player.played and now >= taken + day):
                del own[folded]


def _hello_in(first: bytes) -> Hello | None:
    """Returns the hello at the beginning of these bytes if it has a proof or a code, otherwise None.

    The bytes come from a program, or a person typed them in any language.
    """
    connection = ServerConnection()
    connection.receive_data(first)
    with suppress(RemoteProtocolError):
        # skips answers to telnet options, which a terminal may send first
        while isinstance(event := connection.next_event(), (TelnetAnswer, UnfinishedKeys)):
            pass
        if isinstance(event, Hello):
            return event if event.proof or event.code else None
        if isinstance(event, TypedLine) and len(words := event.text.split()) == 3:
            return Hello(id=0, name=words[1], code=words[2])
    return None


def _is_idle(player: Player) -> bool:
    return player.listener is None and not player.tables and not player.played
