"""The cups of a server: tournaments while they are played, and how they are kept."""
