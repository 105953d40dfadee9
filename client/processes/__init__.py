"""Processes for untrusted bots: forked quickly, limited, confined, and reliably ended."""
