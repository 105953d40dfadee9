"""The public API for bots, their tests, notebooks and new games, grouped by purpose.

A bot           Bot, Turn
Registries      get_game, all_games, get_bot, all_bots, NoSuchBot
Local matches   play, chance, check, CheckReport
Replays         load_replay, fetch_replay, Record, BadReplay, turn_at, ask_again, BotAnswer, moments, Moment
Game contract   Game, State, Action, Event, View, Knowledge, Options, Outcome, Seat, Chance, IllegalAction,
                AddressedEvent, to_seat, to_all, to_others, Card, CardsRefused, PositionRefused, Words, StyledLine,
                Unreadable
Encoding        NumericEncoding, Layout, LayoutField, ObservationHistory
Plain data      to_map, action_from, knowledge_from, options_from
Online play     open_link, tcp, Tls, Identity, Link, LinkFailed, Refused, Runner, Tokens, messages

Each game's own types are in its package: `from games.cheaty_mages.moves import Pass`. The packages behind this
one are called `languages`, `games`, `protocol`, `matches`, `server`, `bots` and `client`. If magehall is imported
first, these names mean its own packages, even if the current folder or the script's folder has packages of that name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from magehall.home import import_packages

import_packages()

if TYPE_CHECKING:
    from bots.sdk.bot import Bot, Turn
    from bots.sdk.check import CheckReport
    from bots.sdk.link import Identity, Link, LinkFailed, Refused, open_link, tcp
    from bots.sdk.registry import NoSuchBot, all_bots, get_bot
    from bots.sdk.replays import BotAnswer, ask_again, fetch_replay, turn_at
    from bots.sdk.runner import Runner
    from bots.sdk.tls import Tls
    from bots.sdk.tokens import Tokens
    from games.api import (
        Action,
        AddressedEvent,
        Card,
        CardsRefused,
        Event,
        Game,
        IllegalAction,
        Knowledge,
        Options,
        Outcome,
        PositionRefused,
        Seat,
        State,
        StyledLine,
        Unreadable,
        View,
        Words,
        action_from,
        knowledge_from,
        options_from,
        to_all,
        to_map,
        to_others,
        to_seat,
    )
    from games.chance import Chance
    from games.encoding import NumericEncoding
    from games.layout import Layout, LayoutField
    from games.observation_history import ObservationHistory
    from games.registry import all_games, get_game
    from magehall.matches import chance, check, load_replay, play
    from matches.moments import Moment, moments
    from matches.record import Record
    from protocol import messages
    from protocol.replay import BadReplay

__all__ = [
    "Action",
    "AddressedEvent",
    "BadReplay",
    "Bot",
    "BotAnswer",
    "Card",
    "CardsRefused",
    "Chance",
    "CheckReport",
    "Event",
    "Game",
    "Identity",
    "IllegalAction",
    "Knowledge",
    "Layout",
    "LayoutField",
    "Link",
    "LinkFailed",
    "Moment",
    "NoSuchBot",
    "NumericEncoding",
    "ObservationHistory",
    "Options",
    "Outcome",
    "PositionRefused",
    "Record",
    "Refused",
    "Runner",
    "Seat",
    "State",
    "StyledLine",
    "Tls",
    "Tokens",
    "Turn",
    "Unreadable",
    "View",
    "Words",
    "action_from",
    "all_bots",
    "all_games",
    "ask_again",
    "chance",
    "check",
    "fetch_replay",
    "get_bot",
    "get_game",
    "knowledge_from",
    "load_replay",
    "messages",
    "moments",
    "open_link",
    "options_from",
    "play",
    "tcp",
    "to_all",
    "to_map",
    "to_others",
    "to_seat",
    "turn_at",
]

# maps each module to its names, which are imported when they are first used, so that the command starts quickly
_FOUND_IN = {
    "bots.sdk.bot": "Bot Turn",
    "bots.sdk.check": "CheckReport",
    "bots.sdk.link": "Identity Link LinkFailed Refused open_link tcp",
    "bots.sdk.registry": "NoSuchBot all_bots get_bot",
    "bots.sdk.replays": "BotAnswer ask_again fetch_replay turn_at",
    "bots.sdk.runner": "Runner",
    "bots.sdk.tls": "Tls",
    "bots.sdk.tokens": "Tokens",
    "games.api": "Action AddressedEvent Card CardsRefused Event Game IllegalAction Knowledge Options Outcome "
    "PositionRefused Seat State StyledLine Unreadable View Words action_from knowledge_from options_from to_all to_map "
    "to_others to_seat",
    "games.chance": "Chance",
    "games.layout": "LayoutField Layout",
    "games.observation_history": "ObservationHistory",
    "games.encoding": "NumericEncoding",
    "games.registry": "all_games get_game",
    "magehall.matches": "chance check load_replay play",
    "matches.moments": "Moment moments",
    "matches.record": "Record",
    "protocol": "messages",
    "protocol.replay": "BadReplay",
}

# type checkers read the imports above; a module with `__getattr__` would have every name for them
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        for module, names in _FOUND_IN.items():
            if name in names.split():
                value = globals()[name] = getattr(__import__(module, fromlist=[name]), name)
                return value
        raise AttributeError(f"module 'magehall' has no attribute {name!r}")

    def __dir__() -> list[str]:
        return __all__
