"""The protocol without sockets: messages, framing and the order of a conversation. Pure; PROTOCOL.md describes it."""

VERSION = 2
PORT = 7110  # where a server listens unless its operator says otherwise
