"""The network layer: connections, TLS, sessions and their outboxes. Independent of any game."""
