"""The cups of a server: how they are opened, played and stored."""
