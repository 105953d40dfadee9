"""Attacks on a real server, and what people who play there feel of them.

`python -m tests.attacks NAME ...` runs one or more and prints a table, `python -m tests.attacks list` says what each
does, and `make soak` runs them all. Each attack has a server of its own (`magehall serve`, with its usual limits). A
match is played there, alone at first and then beside the attackers, who are processes of their own:

- moves, p50, p99, worst: the victim's moves and the milliseconds from `act` to `accepted`; alone: the p99 right before,
  which tells whether the machine had time. Moves are made at an even pace, 50 a second, so that latencies compare.
- 5 s: how long a decision with a clock of five seconds lasted. What never ended counts until the end of the attack.
- newcomer: from connecting to a table of one's own, near the end of the attack, or why there was none.
- CPU: the server's during the attack. load: the machine's load average.
- MiB, descriptors: the server's before, at most during, and after the attack; back: seconds until both were back.

A new attack is a function in one of the files by subject, with `@attack`.
"""
