"""Key bindings of the terminal client, besides those for typing and editing a line."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import CompleteEvent, get_common_complete_suffix
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.utils import suspend_to_background_supported

from people.text.lookup import translated_word

STOP_SECONDS = 0.2


class PageTurn(Protocol):
    """Scrolls by one page, back or forward."""

    def __call__(self, *, back: bool) -> None: ...


class TerminalKeys:
    """The key bindings. `turn` scrolls by a page, `enter` takes a line as if it were typed, `say` shows a warning in
    the log. `warn_before` returns a warning if quitting needs a second press of the key, otherwise ""."""

    def __init__(
        self,
        turn: PageTurn,
        enter: Callable[[str], None],
        say: Callable[[str], None],
        warn_before: Callable[[str], str],
    ) -> None:
        self._say, self._warn_before = say, warn_before
        self._warned = ""  # the key whose first press has shown a warning
        self.bindings = keys = KeyBindings()
        keys.add("tab")(_complete)
        keys.add("c-c")(self._interrupt)
        keys.add("c-d", filter=Condition(lambda: not _typed()))(self._end)
        keys.add("c-z")(self._suspend)
        keys.add("f1")(lambda _event: enter(translated_word("aim")))
        keys.add("f2")(lambda _event: enter(translated_word("review")))
        keys.add("f3")(lambda _event: enter(translated_word("next")))
        keys.add("f4")(lambda _event: enter(translated_word("hands")))
        keys.add("pageup")(lambda _event: turn(back=True))
        keys.add("pagedown")(lambda _event: turn(back=False))

    def _interrupt(self, event: KeyPressEvent) -> None:
        """Clears the typed line. If the line is empty, it ends the program; during a match only at the second press in
        a row."""
        if event.current_buffer.text:
            event.current_buffer.reset()
            self._warned = ""
        elif self._means_it("Ctrl-C", event):
            event.app.exit(exception=KeyboardInterrupt)

    def _end(self, event: KeyPressEvent) -> None:
        """Ends the input of the person; during a match only at the second press in a row."""
        if self._means_it("Ctrl-D", event):
            event.app.exit(exception=EOFError)

    def _means_it(self, key: str, event: KeyPressEvent) -> bool:
        """Returns whether quitting needs no warning, or the key is pressed for the second time in a row. Otherwise
        shows the warning."""
        warning = self._warn_before(key)
        if not warning or (event.is_repeat and self._warned == key):
            return True
        self._warned = key
        self._say(warning)
        return False

    def _suspend(self, event: KeyPressEvent) -> None:
        """Suspends the program; `fg` continues it."""
        if suspend_to_background_supported():
            run_in_terminal(_stop)


def _stop() -> None:
    """Stops all processes of the shell's job. The signal may reach another thread first and this one a moment later, so
    this thread waits and draws nothing."""
    os.kill(0, signal.SIGTSTP)
    time.sleep(STOP_SECONDS)


def _complete(event: KeyPressEvent) -> None:
    """Completes the typed word as far as it is unambiguous, and lists the alternatives, which the next presses of Tab
    select."""
    buffer = event.current_buffer
    if buffer.complete_state:
        buffer.complete_next()
        return
    found = list(buffer.completer.get_completions(buffer.document, CompleteEvent(completion_requested=True)))
    if len(found) == 1:
        buffer.delete_before_cursor(-found[0].start_position)
        buffer.insert_text(found[0].text)
    elif common := get_common_complete_suffix(buffer.document, found):
        buffer.insert_text(common)
    elif found:
        buffer.start_completion()


def _typed() -> str:
    return get_app().current_buffer.text
