"""The whole server and its clients in one process and in virtual time; all that can go wrong is drawn from a seed.

`python -m tests.simulation --seeds 2000` runs many seeds, `--seed N` one alone with its story printed. Each seed runs
twice and has to give the same bytes at the same moments.
"""
