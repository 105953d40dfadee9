"""PROTOCOL.md's generated parts."""
