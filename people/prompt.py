"""What is kept of a person from one typed line to the next. Pure."""

from __future__ import annotations

from people.text.where import Ask, Memory


class Prompt:
    """The input line: what waits there, and whether anything is typed at all."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.held: Ask | None = None  # a decision that waits until the person says yes to it
        self.postponed = ""  # a line that needs to know which tables there are now
        self.calls = 0  # decisions that the person was asked for
        self.has_ended = False  # the input; a house bot plays on

    def hold(self, ask: Ask) -> None:
        """Keeps a decision back."""
        self.held = ask

    def release(self) -> Ask | None:
        """The decision that was kept back, which is kept no longer."""
        held, self.held = self.held, None
        return held

    def postpone(self, line: str) -> None:
        """Keeps a line until the server has listed its tables."""
        self.postponed = line

    def take_postponed(self) -> str:
        """The line that was kept; "" for none."""
        line, self.postponed = self.postponed, ""
        return line

    def call(self) -> None:
        """The person is asked for a decision."""
        self.calls += 1

    def end(self) -> bool:
        """The input has ended. Returns False if it had before."""
        ended, self.has_ended = self.has_ended, True
        return not ended
