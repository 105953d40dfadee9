"""Processes for bots that are not trusted: forked quickly, limited, confined, and ended for certain."""
