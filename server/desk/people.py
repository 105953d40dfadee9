"""Who is known here: the names in use, and who may take one."""

from __future__ import annotations

from protocol.errors import Refusal
from protocol.messages import Hello
from protocol.names import fold, is_free
from server.player import Player


class People:
    """Every name in use. Names that look alike count as the same name."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[str, Player] = {}

    def find(self, name: str) -> Player | None:
        """The player of that name, or of one that looks like it."""
        return self._known.get(fold(name))

    def here(self) -> list[Player]:
        """Those with a connection, by name."""
        return sorted((player for player in self._known.values() if player.listener), key=lambda player: player.name)

    def admit(self, hello: Hello, challenge: str) -> tuple[Player, str]:
        """The player who says hello, and the token if the name is new.

        Raises Refusal: bad_name, name_taken, bad_proof, server_full.
        """
        name = hello.name
        if not is_free(name):
            raise Refusal("bad_name")
        player = self._known.get(fold(name))
        if player is None:
            if hello.proof or hello.code:
                raise Refusal("bad_proof", "No such name is known here; say hello without a proof to take it.")
            self._make_room()
            player = self._known[fold(name)] = Player(name)
            return player, player.new_token()
        if player.name != name or not (hello.proof or hello.code):
            raise Refusal("name_taken")
        if not player.proves(hello, challenge):
            raise Refusal("bad_proof")
        return player, ""

    def _make_room(self) -> None:
        """With too many names, forgets the oldest one that was never used; so a flood of names costs nobody theirs."""
        if len(self._known) < self._most:
            return
        for folded, player in self._known.items():
            if player.listener is None and not player.tables and not player.used:
                del self._known[folded]
                return
        raise Refusal("server_full")
