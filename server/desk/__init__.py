"""Request handlers. This package knows no sockets."""
