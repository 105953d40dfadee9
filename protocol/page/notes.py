"""What the pages and the schema say besides the docstrings: the meaning of fields, and the recipients of messages."""

from __future__ import annotations

from typing import Any

import msgspec

from protocol import limits
from protocol import messages as m

# Fields that mean the same in every message and part that has them, unless OWN says otherwise.
COMMON: dict[str, str] = {
    "id": "the request's number: each one larger than those before it in the same session",
    "re": "the `id` of the request that this answers; 0 or left out: it had no readable id",
    "table": "a table's id, such as `t1`",
    "n": "counts the messages that this receiver gets at this table: 1, 2, 3, ... without a gap, "
    "unless its `hear` is `turns`",
    "turn": "the number of the decision: 1, 2, 3, ... for each seat",
    "seat": "a seat, counted from 1 clockwise",
    "game": "a game's id, such as `ikasamage`",
    "action": "one of the game's actions",
    "nonce": "your share in the chance of the deal: printable ASCII without spaces",
    "info": "the table, as every player may see it",
    "clock": "the clock rule",
    "commitment": "64 hex digits that bind the server to the deal before it is dealt",
    "rules_version": "changes whenever the same deal and actions could give another match",
    "cup": "a cup's name, of the same letters as a player's; names that look alike count as the same here, too",
    "match": "the number of a match in its cup",
    "entrant": "the name of an entrant",
    "delay": f"spectators may see all hands after this many seconds, {limits.LEAST_DELAY} or more; 0: never",
    "cards": "names the card file that replaces the game's own; empty: the game's own cards",
}

OWN: dict[type[msgspec.Struct], dict[str, str]] = {
    # requests
    m.Hello: {
        "name": "the name to take",
        "session": "a word of your choice, new for each run of your program",
        "key": "64 hex digits that your proofs have to fit, with a new name or a `code`: see PROTOCOL.md, section 4",
        "proof": "64 hex digits that prove a known name: see PROTOCOL.md, section 4",
        "code": "the word that your last `welcome`, or the operator, gave you, or your password, instead of a proof",
        "bot": "whether a program plays",
        "games": "the ids of the games that the program plays; empty: all",
        "tables": "owners of tables may seat the program while it plays at fewer tables than this; 0: never",
        "client": "the client's name and version, for the server's log",
        "wants": "what comes with each turn: `view`, `legal`, `knowledge`",
        "hear": "when messages about other players arrive: `live`; `with_turn`: with your next turn or within a "
        "second; `all_with_turn`: `accepted` too; `turns`: as `all_with_turn`, and without events",
    },
    m.Who: {
        "after": "the last name of the part before; empty: from the first on",
        "name": "a player's name, for that one alone; empty: all",
    },
    m.Stats: {"name": "a player's name; empty: your own"},
    m.Tables: {
        "after": "the last table of the part before; empty: from the first on",
        "which": "`all`, `current` or `finished`",
        "table": "one table's id, for that table alone; empty: all that `which` selects",
    },
    m.Lang: {"lang": "`en` or `fr`; its own name will do"},
    m.Help: {"topic": "a command or a game; anything else, or empty: everything"},
    m.Rules: {"about": "`contents`, a number or a word; empty: the whole page"},
    m.Bots: {"game": "a game's id; empty: bots for any game"},
    m.Cards: {"name": "one card's name or title; empty: all cards"},
    m.Open: {
        "seats": "how many seats; 0: the game's smallest number",
        "options": "options by name; those left out have their defaults",
        "clock": "the clock rule of this table; null: the server's own",
        "seat": "which seat you take; 0: the first",
    },
    m.Join: {"seat": "which seat; 0: the first empty one", "delay": "the table's `delay`, to which you agree"},
    m.Add: {"bot": "the name of a bot", "seat": "which seat; 0: the next empty one"},
    m.Leave: {
        "crashed": "whether you are a program that raised an error: no seat is held, and the result says `crashed`"
    },
    m.Log: {"after": "the number of the last message that you do not need; 0: from the first message on"},
    m.Replay: {"after": "the number of the last line that you have; 0: from the first line on"},
    m.CupLog: {"after": "the number of the last line that you have; 0: from the first line on"},
    m.Resume: {"after": "the number of the last message that you have dealt with; 0: none yet"},
    m.Password: {
        "word": "the password: printable ASCII without spaces, not your name",
        "off": "true removes the password",
    },
    m.Operator: {
        "word": "the code; from the server's own machine, the server's word",
        "proof": "64 hex digits: a proof with the word or code as token: see PROTOCOL.md, section 6",
    },
    m.Kick: {
        "player": "the name of a player, or of a house bot at an open table",
        "table": "the table; empty: the whole server",
        "reason": "the reason, for those concerned",
    },
    m.Ban: {
        "player": "a player's name, or an IP address; an IPv6 address stands for its /64",
        "seconds": "for how long; 0: for good",
        "reason": "the reason, for those concerned",
        "off": "true lifts the ban",
    },
    m.Announce: {"text": "the message"},
    m.Mute: {
        "player": "the name of a player",
        "table": "the table where their talk is hidden; empty: everywhere",
        "off": "true shows their talk again",
    },
    m.Say: {"text": "the message", "table": "the table to talk to; empty: every connected player"},
    m.Tell: {"to": "the name of a connected player", "text": "the message"},
    m.Ignore: {"player": "a player's name; empty: only asks", "off": "true shows their talk again"},
    m.LobbyTalk: {"hear": "`on`, `off` or `auto`; empty: only asks"},
    m.CupOpen: {
        "seats": "seats of a table; 0: the game's smallest number",
        "format": "`round_robin`, `gauntlet`, `swiss` or `knockout`",
        "deals": "`fresh` (each match its own) or `duplicate` (all tables of a round the same)",
        "rounds": "number of rounds; the format defines a round",
        "options": "options by name; those left out have their defaults",
        "clock": "the clock rule of all matches; null: the server's own",
        "rank_by": "what ranks: `score` (the share of the win) or `rating` (from finishing orders)",
        "late_entry": "whether players may enter after the start; for `round_robin` and `swiss`",
    },
    m.CupEnter: {"tables": "at how many tables of this cup you play at once"},
    m.CupInvite: {"player": "the name of a connected player"},
    m.CupReplace: {"entrant": "the entrant's name", "player": "the name of a connected player"},
    m.CupAdd: {"bot": "the name of a house bot that plays the game; it may be shortened"},
    m.CupAgree: {"off": "true takes the agreement back"},
    m.CupKick: {"entrant": "the entrant's name"},
    m.CupClock: {"entrant": "the entrant's name", "clock": "its clock rule; null: the cup's"},
    m.Follow: {"off": "true stops following it"},
    # answers
    m.Welcome: {
        "name": "your name",
        "version": "the protocol's version",
        "server": "the server's version, for people",
        "ignored": "the names of players whose talk your client leaves out",
        "code": "a word that proves your name at the next hello; empty after a hello with `key` or `proof`",
        "limits": "every limit of this server by name; the table of limits explains them",
        "seats": "the tables where you have a seat, without matches that cannot be continued; "
        "at most the latest 64 that are over or given up",
    },
    m.Page: {"title": "the subject of the text", "text": "the text, many lines"},
    m.Players: {
        "players": "connected players, and those with a held seat, by name",
        "more": "whether there are later ones",
    },
    m.PlayerStats: {
        "name": "the player's name",
        "games": "by game, the one played last first",
        "opponents": "the latest 50, the one met last first",
    },
    m.GameList: {"games": "the games, a map each"},
    m.BotList: {"bots": "the bots that can be added, house bots first"},
    m.CardList: {
        "cards": "the cards, in the order of the card file",
        "source": "the card file that replaces the game's own, as text; empty: the game's own cards",
    },
    m.TableList: {
        "tables": "the tables, oldest first",
        "more": "whether there are later ones",
        "which": "`all`, `current` or `finished`",
    },
    m.TableReply: {"seat": "your seat; 0: you have none"},
    m.Watching: {
        "n": "the number of the last public message so far",
        "view": "the public view now; null: the match has not begun",
    },
    m.Left: {"held": "seconds for which the seat is held for you; 0: it is not held"},
    m.Position: {
        "n": "the number of the last message that the view includes",
        "view": "what you know of the match now",
    },
    m.TurnReply: {"turn": "the `turn` message again, with what the hello `wants`; view and `left` are as of now"},
    m.Reason: {
        "legal": "whether the rules allow it now",
        "rule": "the game's own code for the reason why it is illegal; else empty",
        "text": "what the action would do, or why it is illegal, for people",
    },
    m.Clocks: {"clocks": "every seat's clock as of now, first seat first"},
    m.Story: {"messages": "messages as they were first sent", "more": "whether there are later ones"},
    m.ReplayLines: {
        "after": "the number that you gave",
        "lines": "lines of the file, without the LF at their end",
        "more": "whether there are later ones",
    },
    m.CupLogLines: {
        "after": "the number that you gave",
        "lines": "lines of the log, without the LF at their end",
        "more": "whether there are later ones now",
    },
    m.OpenHands: {
        "at": "the time shown, in seconds since the match began; below 0: the deal is not that old yet",
        "view": "the public view then; null: nothing is shown yet",
        "views": "what each seat saw then, first seat first",
    },
    m.Resumed: {
        "after": "the number that you gave",
        "n": "the number of the last message that follows",
        "seat": "your seat",
        "clocks": "every seat's clock as of now, first seat first",
    },
    m.Done: {"text": "a sentence, for people"},
    m.Ignoring: {"players": "the names of the ignored players"},
    m.CupList: {"cups": "the cups, oldest first"},
    m.CupReply: {"info": "the cup, as every player may see it"},
    m.CupStandings: {
        "state": "the cup's state",
        "rows": "a line for each entrant that has a result",
        "rank_by": "what ranks: `score` or `rating`",
        "challenger": "a gauntlet's first entrant; of other formats empty",
        "against": "the challenger against each of the others",
    },
    m.Said: {"heard": "how many other players received it"},
    m.Error: {
        "code": "the code, from the table of errors",
        "text": "a sentence, for people",
        "where": "the place in the input: a path such as `$.seats`, or a column of a JSON line; for an action or "
        "options only `$.action` or `$.options`, and the sentence says the rest",
        "rule": "the game's own code for an illegal action",
        "again": "the same request may succeed later, unchanged",
        "clock_runs": "a decision of yours is awaited, and its clock runs on",
        "closes": "the server closes the connection after this",
        "turn": "the current `turn` message, if you answered a stale one",
        "wait": "the seconds after which to try again, if the sentence says so; else 0",
    },
    # told
    m.TableChanged: {
        "kicked": "the player who was just removed; empty if there is none",
        "reason": "the reason for the removal; empty: none was given",
    },
    m.Seated: {"seat": "your seat"},
    m.Service: {
        "state": "`open`, `closed` or `draining`",
        "reason": "the operator's explanation; empty: none was given",
    },
    m.SentAway: {
        "cup": "the cup that you were removed from; empty: a table",
        "why": "`kicked` or `closed`",
        "by": "the player who did it; empty: the server closed the table",
        "reason": "their explanation; empty: none was given",
    },
    m.Invited: {"info": "the cup, as every player may see it", "by": "its owner"},
    m.CupChanged: {"info": "the cup, as every player may see it, without its entrants"},
    m.CupEntrant: {
        "how": "`entered`, `left` or `replaced`",
        "entrants": "the number of entrants now",
        "player": "if it was `replaced`, the player who plays for it from now on; else empty",
    },
    m.Paired: {
        "entrants": "the entrants, first seat first",
        "shown": "whether you watch it from now on, because you follow the cup",
    },
    m.Result: {"results": "how each seat came out, first seat first; empty if aborted"},
    m.Chat: {
        "sender": "the player who talks",
        "text": "the message",
        "table": "the table that it is said to; empty: none",
        "n": "its number, while a match is played at the table; else 0",
        "private": "whether only you receive it",
    },
    m.AreYouThere: {"seconds": "seconds until the connection ends"},
    m.Bye: {
        "reason": "one word, from the table of goodbyes",
        "text": "a sentence, for people",
        "re": "the `id` of the `quit` that it answers; else 0",
    },
    m.Started: {
        "options": "every option of the game with its value at this table",
        "seats": "the seats, first seat first",
        "nonces": "each seat's nonce, first seat first",
        "grace": "total seconds per match for which an absent player's seat is held",
        "you": "your seat; 0: you are a spectator",
        "word": "in a tournament, a seed for random choices in a program, different in each match",
    },
    m.Happened: {"event": "what happened, one of the game's events"},
    m.Turn: {
        "view": "what you know of the match now",
        "legal": "all legal actions, each ready to send back as `action`",
        "knowledge": "all that your seat knows by the rules, if your hello `wants` it",
        "left": "seconds for the whole decision, counted from when the turn was first sent",
        "main": "seconds of main time that you had left at that moment",
    },
    m.Presence: {
        "name": "the player of the seat",
        "how": "`away`, `back`, `left`, `late`, `illegal`, `resigned` or `crashed`",
        "by": "the house bot that plays the seat from now on; empty: none",
    },
    m.Late: {"count": "how often this happened to the seat in this match", "why": "`time` or `illegal`"},
    m.Over: {
        "results": "how each seat came out, first seat first; empty if aborted",
        "reason": "the game's own word for how it ended, for programs",
        "text": "how it ended, for people",
        "seed": "64 hex digits, the seed of the deal",
        "salt": "32 hex digits, the key of the commitment",
        "aborted": "the server erred or the table was closed: the match does not count",
    },
    # parts
    m.ClockRule: {
        "main": "seconds of main time for the match",
        "increment": "seconds added for each decision; the unused rest is lost",
    },
    m.SeatInfo: {
        "name": "the name of the player or house bot; empty: the seat is empty",
        "kind": "`person`, `bot` (a program), `house` (the server's own bot) or `empty`",
        "here": "whether the seat's player is connected; always true for house bots and empty seats",
        "clock": "the seat's own clock, which replaces the table's; null: it has none",
        "by": "the house bot that has replaced the player for good; empty: none",
    },
    m.TableInfo: {
        "state": "`open`, `playing` or `over`",
        "owner": "the player who may add bots and start",
        "seats": "the seats, first seat first",
        "options": "the game's options that differ from their defaults",
        "spectators": "how many spectators there are",
        "delay": "spectators may see all hands after this many seconds; 0: never",
    },
    m.GameStats: {"places": "how often each place was taken: `[3, 0, 1]` is three first places and one third"},
    m.Met: {
        "name": "the player, or the house bot",
        "meetings": "how often they were in one match; each seat of a house bot counts",
        "ahead": "how often the player finished ahead of them",
        "behind": "how often the player finished behind them; equal places count as neither",
    },
    m.PlayerInfo: {
        "name": "the name of a player or house bot",
        "kind": "`person`, `bot` (a program) or `house` (the server's own bot)",
        "tables": "ids of the tables where the player has a seat",
        "watches": "ids of the tables where the player is a spectator",
        "lost": "ids of the tables where a house bot plays on in the player's place",
        "here": "whether the player is connected; else a seat is held",
    },
    m.GameInfo: {
        "title": "the game's name, for people",
        "about": "one sentence",
        "min_seats": "the smallest number of players",
        "max_seats": "the largest number of players",
        "options": "every option with its default value",
    },
    m.SeatClock: {
        "main": "seconds of main time left, without what the running decision has used of it",
        "running": "whether a decision of this seat is awaited",
        "left": "if so, the seconds that it may still take, as of now",
    },
    m.SeatResult: {
        "name": "the player of the seat",
        "score": "the result in the game's own unit",
        "place": "1 is best; equal places are shared: 1, 1, 3",
        "how": "`played`, or why a house bot took over: `left`, `late`, `illegal`, `resigned` or `crashed`",
        "late": "number of decisions that the server made for the seat because it was late or erred too often",
    },
    m.EntrantInfo: {
        "tables": "at how many tables it plays at once",
        "here": "whether all players that play for it are connected",
        "dropped": "whether it left for good",
        "nonce": "its share in the chance of all deals; published when the cup starts",
        "clock": "its clock rule, if it differs from the cup's",
        "house": "whether it is a house bot",
    },
    m.CupInfo: {
        "owner": "the player who opened it",
        "state": "`open`, `running`, `paused`, `stopped` or `finished`",
        "seats": "seats of a table",
        "format": "`round_robin`, `gauntlet`, `swiss` or `knockout`",
        "deals": "`fresh`, `duplicate` or `rotated`",
        "rounds": "how many",
        "options": "the game's options that differ from their defaults",
        "commitment": "64 hex digits, SHA-256 of the secret from which all deals come",
        "entrants": "the entrants, in order of entering",
        "played": "how many matches are over",
        "planned": "how many there will be; 0: not known yet",
        "playing": "the tables where its matches are played now",
        "secret": "64 hex digits, once the cup is over; before that empty",
        "rank_by": "what ranks: `score` (the share of the win) or `rating` (from finishing orders)",
        "late_entry": "whether players may enter after the start",
    },
    m.Standing: {
        "rank": "1 plus the number of entrants that are surely better in the deals that both played; in a knockout, 1 "
        "plus the number that came further, or as far with a better score",
        "seats": "number of seats in matches that count",
        "score": "share of the win, on average; compared by seat with duplicate deals",
        "error": "its standard error over the deals; null: too few, or all went alike",
        "elo": "the rating on the scale of Elo; null: nothing counts",
        "low": "the lower end of its interval of 95 %; null: too few deals",
        "high": "the upper end",
        "place": "the mean place; left out where nothing counts",
        "points": "the mean of the game's own points; null: no seat was played to its end",
        "ended": "how often its seats ended in each way",
        "late": "number of decisions that the server made for it",
        "lead": "the mean lead of its seats over the mean of the other seats, in points; null: as for `points`",
        "lead_low": "the lower end of its interval of 95 %; null: too few deals",
        "lead_high": "the upper end",
        "ranked": "false: it has played fewer than eight deals, and `rank` is only the place in the list",
        "score_low": "the lower end of the score's interval of 95 %, which lies between 0 and 1; null: too few deals",
        "score_high": "the upper end",
    },
    m.Against: {
        "entrant": "one of the others",
        "matches": "number of matches that both played and that count",
        "ahead": "how often the challenger came out ahead, 0 to 1; a tie is a half",
        "low": "the lower end of its interval of 95 %; null: fewer than eight deals",
        "high": "the upper end",
        "score": "the challenger's share of the win in these matches",
        "theirs": "the other's",
        "surely": "1: the challenger is surely better, -1: the other is, 0: not known",
    },
}

PARTS: tuple[type[msgspec.Struct], ...] = (
    *(m.ClockRule, m.SeatInfo, m.TableInfo, m.PlayerInfo, m.GameStats, m.Met, m.GameInfo, m.SeatClock, m.SeatResult),
    *(m.EntrantInfo, m.CupInfo, m.Standing, m.Against),
)

# The types of fields whose Python type says nothing: in words, and as JSON Schema.
_MAP: tuple[str, dict[str, Any]] = ("map", {"type": "object"})
_MAP_OR_NULL: tuple[str, dict[str, Any]] = ("map or null", {"type": ["object", "null"], "default": None})
_TURN = {"$ref": "#/$defs/turn"}
SHAPES: dict[tuple[type[msgspec.Struct], str], tuple[str, dict[str, Any]]] = {
    (m.CardList, "cards"): ("list of Card", {"type": "array", "items": {"type": "object"}}),
    (m.Watching, "view"): _MAP_OR_NULL,
    (m.Position, "view"): _MAP,
    (m.OpenHands, "view"): _MAP_OR_NULL,
    (m.OpenHands, "views"): ("list of maps", {"type": "array", "items": {"type": "object"}, "default": []}),
    (m.TurnReply, "turn"): ("message", _TURN),
    (m.Story, "messages"): ("list of messages", {"type": "array", "items": {"$ref": "#/$defs/told"}}),
    (m.Error, "turn"): ("message or null", {"anyOf": [_TURN, {"type": "null"}], "default": None}),
    (m.Happened, "event"): _MAP,
    (m.Turn, "view"): _MAP_OR_NULL,
    (m.Turn, "legal"): ("list of maps", {"type": "array", "items": {"type": "object"}, "default": []}),
    (m.Turn, "knowledge"): _MAP_OR_NULL,
}

# The recipients: the seat that it is about, the other seats, spectators, all other players.
AUDIENCE: dict[type[m.Message], tuple[str, str, str, str]] = {
    m.TableChanged: ("yes", "yes", "yes", "no"),
    m.Seated: ("yes", "no", "no", "no"),
    m.SentAway: ("yes", "where a table is closed", "where a table is closed", "no"),
    m.Invited: ("yes", "no", "no", "no"),
    m.CupChanged: ("if it entered or follows",) * 4,
    m.CupEntrant: ("if it is its cup, or its entrant",) * 4,
    m.Paired: ("if it entered or follows",) * 4,
    m.Result: ("if it entered or follows",) * 4,
    m.Chat: ("if addressed", "if addressed", "if addressed", "if addressed"),
    m.Service: ("yes", "yes", "yes", "yes"),
    m.AreYouThere: ("own connection", "own connection", "own connection", "own connection"),
    m.Bye: ("own connection", "own connection", "own connection", "own connection"),
    m.Started: ("yes, with `you`", "yes, with `you`", "yes", "no"),
    m.Happened: ("what the rules let it know", "what the rules let them know", "what is public", "no"),
    m.Turn: ("yes", "no", "no", "no"),
    m.Presence: ("yes", "yes", "yes", "no"),
    m.Late: ("yes", "yes", "yes", "no"),
    m.Over: ("yes", "yes", "yes", "no"),
}
