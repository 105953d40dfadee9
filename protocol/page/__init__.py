"""Generates the parts of PROTOCOL.md and PROTOCOL-REFERENCE.md about the protocol, and its JSON Schema."""
