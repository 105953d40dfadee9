"""Bots that misbehave, each in one way and with its declared ending, and a cup of them among good ones."""
