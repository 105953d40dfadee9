"""The generated parts of PROTOCOL.md and PROTOCOL-REFERENCE.md that are about the protocol, and its JSON Schema."""
