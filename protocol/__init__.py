"""The wire protocol without sockets: messages, framing, limits and errors. PROTOCOL.md describes it."""

VERSION = 2
PORT = 7110  # the default port of a server
WEB_PORT = 7180  # the default port of a server's pages for browsers
