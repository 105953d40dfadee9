"""Who may ask what, and what answers it: one table, from which the desk, the help and PROTOCOL.md's tables come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from protocol import messages as m
from protocol.language import N_, _


class Asker(Enum):
    """Who may send a request; the value says it in words."""

    ANYBODY = N_("anybody, before hello too")
    STRANGER = N_("a stranger, once")
    PLAYER = N_("a player")
    OWNER = N_("the table's owner")
    SEATED = N_("a player with a seat there")
    HEARER = N_("a player with a seat there, or a spectator")
    SPECTATOR = N_("a spectator")
    KEEPER = N_("the operator, or the table's owner, who ends nobody else's match")
    OPERATOR = N_("the operator")
    SILENCER = N_("the table's owner, or the operator; everywhere: the operator")
    CUP_OWNER = N_("the cup's owner, or the operator")
    TALKER = N_("a player with a seat there, or a spectator; to everybody: a player")

    @property
    def text(self) -> str:
        """The value in the current language."""
        return _(self.value)


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and its answer. `weight`: how many requests of the allowed number a second it counts as."""

    request: type[m.Request]
    asker: Asker
    answer: type[m.Message]
    question: bool = False  # changes nothing, so that it is answered anew when it is asked again under the same id
    weight: float = 1.0


_ROWS = (
    Exchange(m.Hello, Asker.STRANGER, m.Welcome),
    Exchange(m.Help, Asker.ANYBODY, m.Page, question=True),  # and more for the whole page
    Exchange(m.Lang, Asker.ANYBODY, m.Done, question=True),
    Exchange(m.Ping, Asker.ANYBODY, m.Pong, question=True),
    Exchange(m.Quit, Asker.ANYBODY, m.Bye),
    Exchange(m.Who, Asker.PLAYER, m.Players, question=True, weight=5),
    Exchange(m.Stats, Asker.PLAYER, m.PlayerStats, question=True),
    Exchange(m.Games, Asker.ANYBODY, m.GameList, question=True),
    Exchange(m.Bots, Asker.PLAYER, m.BotList, question=True, weight=5),
    Exchange(m.Rules, Asker.ANYBODY, m.Page, question=True, weight=5),  # a long page
    Exchange(m.Cards, Asker.ANYBODY, m.CardList, question=True, weight=5),
    Exchange(m.Tables, Asker.PLAYER, m.TableList, question=True, weight=5),
    Exchange(m.Open, Asker.PLAYER, m.TableReply),
    Exchange(m.Join, Asker.PLAYER, m.TableReply),
    Exchange(m.Add, Asker.OWNER, m.TableReply),
    Exchange(m.Start, Asker.OWNER, m.TableReply),
    Exchange(m.Watch, Asker.PLAYER, m.Watching),
    Exchange(m.Leave, Asker.HEARER, m.Left),
    Exchange(m.Act, Asker.SEATED, m.Accepted),
    Exchange(m.Look, Asker.HEARER, m.Position, question=True),
    Exchange(m.Legal, Asker.SEATED, m.TurnReply, question=True),
    Exchange(m.Why, Asker.SEATED, m.Reason, question=True),
    Exchange(m.Clock, Asker.PLAYER, m.Clocks, question=True),
    Exchange(m.Log, Asker.HEARER, m.Story, question=True, weight=10),  # a match told anew
    Exchange(m.Replay, Asker.PLAYER, m.ReplayLines, question=True, weight=5),  # and more for a match computed anew
    Exchange(m.Hands, Asker.SPECTATOR, m.OpenHands, question=True, weight=5),
    Exchange(m.Resume, Asker.SEATED, m.Resumed, weight=3),
    Exchange(m.Resign, Asker.SEATED, m.Resigned),
    Exchange(m.Password, Asker.PLAYER, m.Done),  # and more for its hash
    Exchange(m.Operator, Asker.PLAYER, m.Done, question=True),  # so that it holds anew on another connection
    Exchange(m.Kick, Asker.SILENCER, m.Done),
    Exchange(m.Mute, Asker.SILENCER, m.Done),
    Exchange(m.Close, Asker.KEEPER, m.Done),
    Exchange(m.Ban, Asker.OPERATOR, m.Done),
    Exchange(m.Announce, Asker.OPERATOR, m.Done),
    Exchange(m.Say, Asker.TALKER, m.Said),
    Exchange(m.Tell, Asker.PLAYER, m.Said),
    Exchange(m.Ignore, Asker.PLAYER, m.Ignoring),
    Exchange(m.LobbyTalk, Asker.PLAYER, m.Done),
    Exchange(m.Cups, Asker.PLAYER, m.CupList, question=True, weight=5),
    Exchange(m.Cup, Asker.PLAYER, m.CupReply, question=True, weight=5),
    Exchange(m.CupOpen, Asker.PLAYER, m.CupReply),
    Exchange(m.CupEnter, Asker.PLAYER, m.CupReply, weight=5),  # it lists all entrants
    Exchange(m.CupDrop, Asker.PLAYER, m.CupReply, weight=5),
    Exchange(m.CupInvite, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupStart, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupPause, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupStop, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupReplace, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupAdd, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupAgree, Asker.PLAYER, m.Done),
    Exchange(m.CupKick, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.CupClock, Asker.CUP_OWNER, m.CupReply, weight=5),
    Exchange(m.Standings, Asker.PLAYER, m.CupStandings, question=True, weight=10),  # ratings with their intervals
    Exchange(m.CupLog, Asker.PLAYER, m.CupLogLines, question=True, weight=5),
    Exchange(m.Follow, Asker.PLAYER, m.CupReply, question=True, weight=5),  # so that it holds anew, too
)

EXCHANGES: dict[type[m.Request], Exchange] = {row.request: row for row in _ROWS}
