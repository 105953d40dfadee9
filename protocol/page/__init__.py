"""The generated parts of PROTOCOL.md and PROTOCOL-REFERENCE.md that the protocol knows, and its JSON Schema."""
