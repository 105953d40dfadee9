"""`python -m server.page` writes the generated parts of the pages of the protocol, and protocol/schema.

`protocol.page` writes the parts about the protocol. This package adds the parts about games, which protocol/ does not
know.
"""
