"""PROTOCOL.md, PROTOCOL-REFERENCE.md and protocol/schema, as far as they are generated: `python -m server.page`.

The protocol's part comes from protocol.page; what is here is about the games, of which the protocol knows nothing.
"""
