"""`python -m server.page` writes the generated parts of PROTOCOL.md and PROTOCOL-REFERENCE.md, and protocol/schema.

What is about the protocol comes from protocol.page. What is about the games is here, since the protocol knows none.
"""
