"""A match as its header and its log, and what follows from them. Pure; knows rules and wire, and nobody who plays."""
