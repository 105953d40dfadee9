"""`python -m server.page` writes the generated parts of PROTOCOL.md and PROTOCOL-REFERENCE.md, and protocol/schema.

`protocol.page` writes the parts about the protocol. This package adds the parts about games, which protocol/ does not
know.
"""
