"""The screen of a terminal: prompt_toolkit's input line in one worker thread, everything else above it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress

import trio
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import History as AnyHistory
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.shortcuts import CompleteStyle

from bots.sdk.tokens import state_folder
from client.person.render import ansi_text, plain_text
from client.person.vocabulary import lines_of
from client.screen.history import History
from client.screen.screen import Completions, Interrupted, Screen, Typed
from games.api import Line


class TerminalScreen(Screen):
    """`completions`, `prompt` and `toolbar` are asked from the worker thread, at any time."""

    interactive = in_columns = True

    def __init__(
        self, *, completions: Completions, prompt: Callable[[], str], toolbar: Callable[[], str], colour: bool
    ) -> None:
        self._colour = colour
        self._stopping = False
        self._held, self._open_now = ExitStack(), False  # the terminal, while it is ours
        self._session: PromptSession[str] = PromptSession(
            message=prompt,
            bottom_toolbar=toolbar,
            history=_history(),
            completer=_Words(completions),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            key_bindings=_keys(),
            color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
            refresh_interval=1.0,  # the toolbar shows a clock
        )
        self._session.app.input.cooked_mode = _as_it_is  # type: ignore[method-assign]

    def paint(self, line: Line) -> str:
        return ansi_text(line) if self._colour else plain_text(line)

    def show(self, lines: Iterable[Line]) -> None:
        self._open()
        super().show(lines)
        self._session.app.invalidate()

    def close(self) -> None:
        self._held.close()
        self._open_now = False

    def _open(self) -> None:
        """Takes the terminal over from the first line on, so that no key pressed between prompts is lost."""
        if not self._open_now and not self._stopping:
            self._open_now = True
            self._held.enter_context(self._session.app.input.raw_mode())
            self._held.enter_context(patch_stdout(raw=True))

    async def read(self, typed: trio.MemorySendChannel[Typed]) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_when_cancelled)
            self._open()
            try:
                while True:
                    ahead = self._is_typed_ahead()
                    text = await trio.to_thread.run_sync(self._prompt)
                    if text is None:
                        break
                    for number, line in enumerate(lines_of(text)):
                        await typed.send(Typed(line, patient=ahead or number > 0))
            finally:
                self._stopping = True
                self.close()
            nursery.cancel_scope.cancel()

    def _is_typed_ahead(self) -> bool:
        """Whether keys were pressed that no prompt has seen yet, as where lines are pasted without brackets."""
        source = self._session.app.input
        keys = get_typeahead(source)
        store_typeahead(source, keys)
        return bool(keys)

    def _prompt(self) -> str | None:
        """One line, None at the end of the input. Runs in the worker thread."""
        try:
            return self._session.prompt(handle_sigint=False, pre_run=self._exit_if_stopping)
        except EOFError:
            return None
        except KeyboardInterrupt:
            raise Interrupted from None

    async def _stop_when_cancelled(self) -> None:
        """Ends the prompt through its own loop, so that the thread gives the terminal back as it was."""
        try:
            await trio.sleep_forever()
        finally:
            self._stopping = True
            loop = self._session.app.loop
            if loop is not None:
                with suppress(RuntimeError):  # that loop is closed: no prompt runs
                    loop.call_soon_threadsafe(self._exit_if_stopping)

    def _exit_if_stopping(self) -> None:
        """Runs in the prompt's loop: when a prompt begins, and when it is to end."""
        app = self._session.app
        if self._stopping and app.is_running and not app.is_done:
            app.exit(exception=EOFError)


def _as_it_is() -> AbstractContextManager[None]:
    """Replaces prompt_toolkit's cooked mode, in which the terminal's own line editing swallows Ctrl-D and Tab."""
    return nullcontext()


class _Words(Completer):
    """Completes the last word; a word after which more may stand gets a space."""

    def __init__(self, completions: Completions) -> None:
        self._completions = completions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        last = text.rpartition(" ")[2]
        before = text[: len(text) - len(last)]
        for word in self._completions(text):
            more = self._completions(f"{before}{word} ")
            yield Completion(word + " " * bool(more), start_position=-len(last), display=word)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("c-c")
    def _interrupt(event: KeyPressEvent) -> None:
        """Drops what is typed; with nothing typed, ends the program."""
        if event.current_buffer.text:
            event.current_buffer.reset()
        else:
            event.app.exit(exception=KeyboardInterrupt)

    return keys


def _history() -> AnyHistory:
    try:
        return History(state_folder() / "history")
    except OSError:
        return InMemoryHistory()
