"""Every message, in PROTOCOL.md's order. The text, JSON and msgpack faces share these types.

Requests go from client to server and carry an `id`. The answer carries the same number as `re`. Messages that the
server sends on its own have no `re`. Messages of a match carry `table` and `n`, which counts 1, 2, 3, ... for each
receiver. Actions, events and views are plain maps that only the game interprets.

This package also exports every name that its modules define: `from protocol import messages as m`, then `m.Hello`.
"""

from msgspec import Struct

from protocol.messages import notifications, parts, replies, requests
from protocol.messages.notifications import *  # noqa: F403
from protocol.messages.parts import *  # noqa: F403
from protocol.messages.parts import Message, Reply, Request
from protocol.messages.replies import *  # noqa: F403
from protocol.messages.requests import *  # noqa: F403

REQUESTS: tuple[type[Request], ...] = tuple(
    kind for kind in vars(requests).values() if isinstance(kind, type) and issubclass(kind, Request) and kind != Request
)
REPLIES: tuple[type[Reply], ...] = tuple(
    kind for kind in vars(replies).values() if isinstance(kind, type) and issubclass(kind, Reply) and kind != Reply
)
TOLD: tuple[type[Message], ...] = tuple(
    kind
    for kind in vars(notifications).values()
    if isinstance(kind, type) and issubclass(kind, Message) and kind != Message
)
PARTS: tuple[type[Struct], ...] = tuple(
    kind
    for kind in vars(parts).values()
    if isinstance(kind, type) and issubclass(kind, Struct) and not issubclass(kind, Message | Request)
)
