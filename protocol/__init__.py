"""The wire protocol without sockets: messages, framing, limits and errors. PROTOCOL.md describes it."""

VERSION = 2
PORT = 7110  # default TCP port of a server for clients
WEB_PORT = 7180  # default TCP port of a server for browsers
