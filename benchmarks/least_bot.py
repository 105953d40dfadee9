"""The least that a bot's process can do in a cup over sockets: waits for its turn, reads it, thinks, answers.

It belongs to benchmarks.least, and never connects again, checks nothing and hears nothing.
"""

from __future__ import annotations

import sys

import msgspec

from benchmarks.child import connect
from bots.sdk.bot import Turn
from bots.sdk.local import ask_bot
from bots.sdk.registry import get_bot
from bots.sdk.seeds import bot_seed
from games.api import options_from, to_map
from games.registry import get_game
from protocol.framing import FrameSplitter, encode_frames
from protocol.limits import FRAME_BYTES

READ_BYTES = 65_536


class Told(msgspec.Struct):
    """What such a bot reads of any message."""

    type: str
    turn: int = 0
    view: msgspec.Raw = msgspec.Raw()
    legal: msgspec.Raw = msgspec.Raw()


def play(port: int, table: str, game_id: str, bot_id: str, seat: int, seats: int) -> None:
    """Plays match after match at that table, for ever; who has seat 1 prints a line after each."""
    game, kind = get_game(game_id), get_bot(bot_id)
    read = msgspec.msgpack.Decoder(Told).decode
    read_view = msgspec.msgpack.Decoder(game.view_type).decode
    read_legal = msgspec.msgpack.Decoder(list[game.action_type]).decode  # type: ignore[name-defined]
    encode = msgspec.msgpack.Encoder().encode
    options, cutter, match = options_from(game, {}), FrameSplitter(FRAME_BYTES), 0
    bot = kind(bot_seed(match, seat))
    sock = connect(port)
    sock.setblocking(True)

    def ask(kind: str, **fields: object) -> None:
        sock.sendall(encode_frames((encode({"type": kind, "id": 1, "table": table, **fields}),)))

    ask("hello", hear="with_turn")
    greeting = b""
    while b"\n" not in greeting:
        greeting += sock.recv(READ_BYTES)
    cutter.add_data(greeting.partition(b"\n")[2])
    ask("sit", game=game_id, seat=seat, seats=seats)
    while data := sock.recv(READ_BYTES):
        cutter.add_data(data)
        while (frame := cutter.next_message()) is not None:
            told = read(frame)
            if told.type == "turn":
                turn = Turn(game, seat, read_view(told.view), read_legal(told.legal), told.turn, 60.0, seats, options)
                ask("act", turn=told.turn, action=to_map(ask_bot(bot, turn)))
            elif told.type == "over":
                match += 1
                bot = kind(bot_seed(match, seat))
                if seat == 1:
                    print(match, flush=True)


if __name__ == "__main__":
    port, table, game, bot, seat, seats = sys.argv[1:]
    play(int(port), table, game, bot, int(seat), int(seats))
