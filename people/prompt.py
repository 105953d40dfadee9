"""The state of a person's input between typed lines: what waits to be confirmed or carried out. Pure."""

from __future__ import annotations

from people.text.typing_context import RequestDraft, TypedMemory


class Prompt:
    """The state of a person's input: lines and decisions that wait, and whether the input has ended."""

    def __init__(self) -> None:
        self.memory = TypedMemory()
        self.held: RequestDraft | None = None  # a decision that waits for confirmation
        self.postponed = ""  # a typed line that waits for the server's current list of tables; "" for none
        self.calls = 0  # how often the person was asked for a decision
        self.has_ended = False  # whether the input has ended, so that a house bot plays on for the person

    def hold_decision(self, ask: RequestDraft) -> None:
        """Holds a decision back until the person confirms it."""
        self.held = ask

    def release_decision(self) -> RequestDraft | None:
        """Returns the held decision, which is not held any more; None if there is none."""
        held, self.held = self.held, None
        return held

    def postpone_line(self, line: str) -> None:
        """Postpones a typed line until the server's current list of tables has arrived."""
        self.postponed = line

    def take_postponed(self) -> str:
        """Removes and returns the postponed line; "" if there is none."""
        line, self.postponed = self.postponed, ""
        return line

    def count_question(self) -> None:
        """Notes that the person was asked for a decision once more."""
        self.calls += 1

    def end_input(self) -> bool:
        """Notes the end of the input. Returns False if it had ended before."""
        ended, self.has_ended = self.has_ended, True
        return not ended
