"""State that a person's input keeps between typed lines. Pure."""

from __future__ import annotations

from people.text.where import Ask, Memory


class Prompt:
    """The input: what is waiting, and whether there is any."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.held: Ask | None = None  # a decision that waits for confirmation
        self.postponed = ""  # a line that needs the current list of tables
        self.calls = 0  # number of decisions that the person was asked for
        self.has_ended = False  # the input has ended, and a house bot plays on

    def hold(self, ask: Ask) -> None:
        """Holds a decision back."""
        self.held = ask

    def release(self) -> Ask | None:
        """Returns the held decision, and stops holding it."""
        held, self.held = self.held, None
        return held

    def postpone(self, line: str) -> None:
        """Postpones a line until the server has listed its tables."""
        self.postponed = line

    def take_postponed(self) -> str:
        """Returns the postponed line; "" if there is none."""
        line, self.postponed = self.postponed, ""
        return line

    def call(self) -> None:
        """Counts a request for a decision."""
        self.calls += 1

    def end(self) -> bool:
        """Ends the input. Returns False if it had ended before."""
        ended, self.has_ended = self.has_ended, True
        return not ended
