"""Measures the engine and the server: `python -m benchmarks` prints one table."""
