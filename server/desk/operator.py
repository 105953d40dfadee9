"""The operator's commands: bans, tables, announcements and the state of the service."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import msgspec
import trio

from languages import ENGLISH
from people.text.listings import table_line
from people.text.sentences import translate_word
from protocol import messages as m
from protocol.connection import SharedMessages
from protocol.errors import Refusal
from protocol.names import lookalike_key
from protocol.printable import escape_text
from server.broadcast import iter_deliveries
from server.desk.lobby import Lobby
from server.desk.moderation import (
    announce_to_all,
    ban_name_or_address,
    check_player_present,
    clean_reason_text,
    lift_ban,
    remove_from_table,
    remove_player,
)
from server.desk.operator_access import CODE_SECONDS
from server.desk.talk import send_bulletin
from server.language import _
from server.log_fields import extra_fields
from server.player import Player

log = logging.getLogger("magehall.operator")

BY = "the operator"  # the operator as the one who did something, in messages; no valid player name
DRAIN_LOOK_SECONDS = 1.0
QUESTIONS = ("who", "tables", "bans", "status")
KEEP_NOTHING = (
    *QUESTIONS,
    "unlock",
    "announce",
    "accept",
    "stop-accepting",
    "drain",
    "operator",
)  # commands that write nothing to the store, or only later, so that they are allowed while the disk is full


class OperatorCommand(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One command of the operator. `who` is a name, or an address for bans. `seconds` is the length of a ban; 0 means
    for good. `lang` is the operator's language. A `careful` command is refused if it would disconnect a connected
    player."""

    do: str
    who: str = ""
    table: str = ""
    text: str = ""
    seconds: float = 0.0
    lang: str = ENGLISH
    careful: bool = False


class OperatorOutcome(NamedTuple):
    """The result of a command: as sentences for people, and as plain values for programs."""

    lines: list[str]
    facts: Mapping[str, object] = {}


class ConfirmationNeeded(Refusal):
    """A careful command was refused. The operator must confirm the warning in its text."""

    def __init__(self, text: str) -> None:
        super().__init__("bad_field", text)


class OperatorCommands:
    """The operator's commands of one server. `stop` begins an orderly shutdown. The task that waits for the last match
    while the server drains runs in the nursery."""

    def __init__(self, lobby: Lobby, nursery: trio.Nursery, stop: Callable[[], None]) -> None:
        self._lobby, self._nursery, self._stop = lobby, nursery, stop
        self._draining = trio.CancelScope()
        if not lobby.service.accepting:
            lobby.service.record_announcement(m.Service(state="draining" if lobby.service.draining else "closed"))
        if lobby.service.draining:
            self._start_draining()
        self._commands: dict[str, Callable[[OperatorCommand], OperatorOutcome]] = {
            "who": self._who,
            "tables": self._tables,
            "kick": self._kick,
            "mute": self._mute,
            "unmute": self._mute,
            "ban": self._ban,
            "unban": self._unban,
            "bans": self._bans,
            "forget": self._forget,
            "code": self._code,
            "unlock": self._unlock,
            "close": self._close,
            "announce": self._announce,
            "accept": self._accept,
            "stop-accepting": self._stop_accepting,
            "drain": self._drain,
            "operator": self._operator,
            "status": self._status,
            "codes": self._codes,
        }

    async def execute(self, command: OperatorCommand) -> OperatorOutcome:
        """Carries out the command, and returns its outcome once the changes are on disk. Raises Refusal."""
        journal = self._lobby.journal
        if command.do not in self._commands:
            raise Refusal("unknown_word", _("There is no command {do}.", do=command.do))
        if journal.failing and command.do not in KEEP_NOTHING:
            raise Refusal("storage")
        outcome = self._commands[command.do](command)
        if command.do not in QUESTIONS:
            log.info(
                "the operator: %s",
                escape_text(" ".join(filter(None, (command.do, command.who, command.table)))),
                extra=extra_fields("operator_command", command=command.do, name=command.who, table=command.table),
            )
        if command.do not in (*QUESTIONS, "announce"):
            await journal.wait_until_written()
            if journal.failing and command.do not in KEEP_NOTHING:
                raise Refusal("storage")
        return outcome

    # -- commands that only show something -----------------------------------------------------------------------------

    def _who(self, _command: OperatorCommand) -> OperatorOutcome:
        lines, people = [], []
        for player in self._lobby.people.connected_players():
            tables = _(", at {listed}", listed=" ".join(player.tables)) if player.tables else ""
            muted = _(", muted") if player.muted else ""
            lines.append(
                _(
                    "{name} ({kind}) from {address}{tables}{muted}",
                    name=player.name,
                    kind=translate_word(player.kind),
                    address=player.address or _("here"),
                    tables=tables,
                    muted=muted,
                )
            )
            people.append(
                {
                    "name": player.name,
                    "kind": player.kind,
                    "address": str(player.address or ""),
                    "tables": list(player.tables),
                    "muted": player.muted,
                }
            )
        return OperatorOutcome(lines or [_("Nobody is here.")], {"people": people})

    def _status(self, _command: OperatorCommand) -> OperatorOutcome:
        status = self._lobby.health.current_status()
        return OperatorOutcome(status.to_sentences(), status.to_map())

    def _tables(self, _command: OperatorCommand) -> OperatorOutcome:
        infos = [table.table_info() for table in self._lobby.tables.values()]
        return OperatorOutcome(
            [table_line(info) for info in infos] or [_("There are no tables.")],
            {"tables": [msgspec.to_builtins(info) for info in infos]},
        )

    def _bans(self, _command: OperatorCommand) -> OperatorOutcome:
        bans = self._lobby.bans.list_bans()
        return OperatorOutcome(
            [str(ban) for ban in bans] or [_("Nobody is banned.")], {"bans": msgspec.to_builtins(bans)}
        )

    # -- commands about people -----------------------------------------------------------------------------------------

    def _player(self, command: OperatorCommand) -> Player:
        player = self._lobby.people.find_player(command.who)
        if self._lobby.people.is_unreadable(command.who):
            lost = _("The data of {who} cannot be read. Free the name with forget.", who=command.who)
            raise Refusal("no_such_player", lost)
        if player is None:
            raise Refusal("no_such_player", _("Nobody is known as {who}.", who=command.who))
        return player

    def _kick(self, command: OperatorCommand) -> OperatorOutcome:
        player = self._player(command)
        if command.table:
            table = self._lobby.tables.require_table(command.table)
            if table.state == "over":
                raise Refusal("game_over")
            remove_from_table(table, player, BY, clean_reason_text(command.text))
            table.records.save_table(table)
            return OperatorOutcome([_("{name} was removed from {id}.", name=player.name, id=table.id)])
        check_player_present(self._lobby, player)
        remove_player(self._lobby, player, BY, "kicked", clean_reason_text(command.text))
        return OperatorOutcome([_("{name} was disconnected, but may come back.", name=player.name)])

    def _mute(self, command: OperatorCommand) -> OperatorOutcome:
        player = self._player(command)
        player.muted = command.do == "mute"
        player.save()
        line = (
            _("{name} is muted everywhere.", name=player.name)
            if player.muted
            else _("{name} may talk again.", name=player.name)
        )
        return OperatorOutcome([line])

    def _ban(self, command: OperatorCommand) -> OperatorOutcome:
        put = ban_name_or_address(self._lobby, command.who, command.seconds, BY, clean_reason_text(command.text))
        return OperatorOutcome([_("Banned: {ban}.", ban=put)], {"ban": msgspec.to_builtins(put)})

    def _unban(self, command: OperatorCommand) -> OperatorOutcome:
        lift_ban(self._lobby, command.who)
        return OperatorOutcome([_("{who} is no longer banned.", who=command.who)])

    def _forget(self, command: OperatorCommand) -> OperatorOutcome:
        people, tables = self._lobby.people, self._lobby.tables.values()
        if people.is_unreadable(command.who):
            name, is_here, free = command.who, False, partial(people.delete_unreadable, command.who)
            seats = {table.id: map(lookalike_key, table.seating.names()) for table in tables if table.state != "over"}
            held = [table_id for table_id, names in seats.items() if lookalike_key(name) in names]
        else:
            player = self._player(command)
            name, is_here, free = player.name, player.listener is not None, partial(people.forget_player, player)
            held = [table.id for table in tables if table.owner == name]
            held += [table.id for table in self._lobby.tables.tables_of_player(player) if table.id not in held]
        if is_here or held:
            where = _("at {listed}", listed=" ".join(held)) if held else _("here")
            raise Refusal(
                "already_seated",
                _("{name} is still {where}. Only a player who is gone can be forgotten.", name=name, where=where),
            )
        if cup := self._lobby.cups.unfinished_cup_of(name):
            raise Refusal("already_seated", _("{name} is in the cup {cup}; stop it first.", name=name, cup=cup))
        free()
        return OperatorOutcome([_("{name} is forgotten; the name is free.", name=name)])

    def _code(self, command: OperatorCommand) -> OperatorOutcome:
        player = self._player(command)
        if command.careful and player.listener is not None:
            raise ConfirmationNeeded(self._cut_by_a_code(player))
        code = player.reset_proofs()
        player.save()
        if player.listener is not None:
            player.listener.end("kicked")
        lines = [
            _(
                "The old token of {name} is no longer valid. Give its owner this code:",
                name=player.name,
            ),
            _("  hello {name} {code}", name=player.name, code=code),
            f"  magehall play --name {player.name} --code {code} --host ...",
        ]
        return OperatorOutcome(lines, {"name": player.name, "code": code})

    def _codes(self, _command: OperatorCommand) -> OperatorOutcome:
        """Returns a list of the names of people with a code for each, such as for a class. A name that has an unused
        code keeps it, and all other proofs of the names stay valid."""
        people = [player for player in self._lobby.people.all_players() if not player.bot]
        for player in people:
            if not player.codes.current:
                player.codes.issue_code()
                player.save()
        codes = [{"name": player.name, "code": player.codes.current} for player in people]
        width = max((len(player.name) for player in people), default=0)
        lines = [f"{one['name']:{width}}  {one['code']}" for one in codes]
        return OperatorOutcome(lines or [_("No names of people are known here.")], {"codes": codes})

    def _unlock(self, command: OperatorCommand) -> OperatorOutcome:
        player = self._player(command)
        counted = self._lobby.people.guesses.lift_lockout(lookalike_key(player.name), trio.current_time())
        told = _("{count} wrong proofs of {name} were counted.", count=counted, name=player.name)
        line = f"{told} {_('For an hour the server checks every proof of the name, from every address.')}"
        return OperatorOutcome([line], {"name": player.name, "count": counted})

    def _cut_by_a_code(self, player: Player) -> str:
        playing = [table.id for table in self._lobby.tables.tables_of_player(player) if table.is_playing(player)]
        if playing:
            return _(
                "{name} is online and plays at {listed}. A new code ends that connection and cancels its token.",
                name=player.name,
                listed=" ".join(playing),
            )
        return _(
            "{name} is online. A new code ends that connection and cancels its token.",
            name=player.name,
        )

    # -- commands about matches and the server -------------------------------------------------------------------------

    def _close(self, command: OperatorCommand) -> OperatorOutcome:
        table = self._lobby.tables.require_table(command.table)
        self._lobby.tables.close_table(table, BY.capitalize())
        return OperatorOutcome([_("{id} is closed.", id=table.id)])

    def _announce(self, command: OperatorCommand) -> OperatorOutcome:
        people = announce_to_all(self._lobby, command.text)
        return OperatorOutcome([_("Sent to {people}.", people=people)], {"people": people})

    def _operator(self, _command: OperatorCommand) -> OperatorOutcome:
        code = self._lobby.operator_access.new_operator_code(trio.current_time())
        minutes = round(CODE_SECONDS / 60)
        lines = [
            _(
                "Type this within {minutes} minutes to make one connection the operator's. It works once:",
                minutes=minutes,
            ),
            _("  operator {code}", code=code),
        ]
        return OperatorOutcome(lines, {"code": code, "seconds": CODE_SECONDS})

    def _accept(self, _command: OperatorCommand) -> OperatorOutcome:
        self._draining.cancel()
        self._tell_service("open")
        self._lobby.service.set_admission(True)
        return OperatorOutcome([_("The server accepts new players again, and matches begin.")])

    def _stop_accepting(self, command: OperatorCommand) -> OperatorOutcome:
        self._tell_service("draining" if self._lobby.service.draining else "closed", clean_reason_text(command.text))
        self._lobby.service.set_admission(False, draining=self._lobby.service.draining)
        running = [table.id for table in self._lobby.tables.running_tables()]
        goes_on = _("Running matches: {listed}.", listed=" ".join(running)) if running else _("No match is running.")
        line = _("The server accepts no new players and no new matches. {running}", running=goes_on)
        return OperatorOutcome([line], {"running": running})

    def _start_draining(self) -> None:
        self._draining.cancel()
        self._draining = trio.CancelScope()
        self._nursery.start_soon(self._stop_when_all_is_played, self._draining)

    def _tell_service(self, state: str, reason: str = "") -> None:
        """Sends the state of the service to all connected players, unless it has not changed."""
        lobby, told = self._lobby, m.Service(state=state, reason=reason)
        if lobby.service.record_announcement(told):
            lobby.broadcaster.broadcast(
                iter_deliveries(partial(send_bulletin, SharedMessages((told,))), lobby.people.connected_players())
            )

    def _drain(self, command: OperatorCommand) -> OperatorOutcome:
        clean_reason_text(command.text)  # refuses a malformed reason before anything changes
        self._start_draining()
        self._lobby.service.drain()
        closed = self._stop_accepting(command)
        end = _("The server stops after the last of them; accept cancels this.")
        return OperatorOutcome([*closed.lines, end], closed.facts)

    async def _stop_when_all_is_played(self, scope: trio.CancelScope) -> None:
        with scope:
            while True:
                # comes before the first check, so that the operator gets the answer before the server can end
                await trio.sleep(DRAIN_LOOK_SECONDS)
                if not self._lobby.tables.running_tables():
                    self._stop()
                    return
