"""Tournaments: who plays whom (schedule), how they came out (standings), and what plays them (director)."""
