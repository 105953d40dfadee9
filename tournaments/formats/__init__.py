"""Formats of cups: who plays whom next."""
