"""Represents a match by its header and its log of entries, and computes everything else from these two. The package is
pure, and imports neither the server nor the clients."""
