"""`python -m server.page` writes the generated parts of the protocol's pages, and the files in protocol/schema.

`protocol.page` writes the parts about the protocol. This package adds the parts about games, which protocol/ does not
know.
"""
