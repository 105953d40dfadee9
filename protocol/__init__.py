"""The wire without wires: messages, framing and the order of a conversation, pure. PROTOCOL.md is its page."""

VERSION = 1
PORT = 7110  # where a server listens unless its operator says otherwise
