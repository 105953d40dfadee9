"""Starts processes for untrusted bots by a fast fork, limits and confines them, and reliably ends them."""
