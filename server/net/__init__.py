"""The server's network layer: connections, TLS, sessions and their outboxes. It knows no game."""
