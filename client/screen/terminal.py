"""The screen of a terminal: the board pinned above the log and the input line, by prompt_toolkit in a worker thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from select import select

import trio
from prompt_toolkit import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.data_structures import Size
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History as AnyHistory
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import create_input
from prompt_toolkit.layout import (
    BufferControl,
    DynamicContainer,
    Float,
    FloatContainer,
    FormattedTextControl,
    HSplit,
    Layout,
    VSplit,
    Window,
)
from prompt_toolkit.layout.dimension import Dimension
from prompt_toolkit.layout.menus import CompletionsMenu
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.styles import Style

from bots.sdk.tokens import state_folder
from client.screen.history import History
from client.screen.keys import TerminalKeys
from client.screen.screen import Completions, InputLine, Interrupted, Screen
from client.screen.scroll import ScrollView
from client.screen.width import output_columns
from games.api import StyledLine
from people.frame import TALL, Frame, without_board
from people.render import ansi_text, plain_text
from people.vocabulary import split_lines

REDRAW_SECONDS = 0.02  # the shortest interval between two redraws
# the shortest interval between redraws because of the clocks, which do not all change at the same moment
CLOCK_SECONDS = 0.9
PASTED_SECONDS = 0.05  # a line that follows another within this time was pasted, because people type more slowly
STYLE = {
    "title": "bold",
    "key": "bold ansicyan",
    "good": "ansigreen",
    "bad": "ansired",
    "you": "bold ansiyellow",
    "hidden": "ansimagenta",
    "dim": "ansibrightblack",
    "changed": "bold ansimagenta",
    "bar": "reverse",
}


class TerminalScreen(Screen):
    """A full-screen terminal.

    `frame` returns all that surrounds the log, for a number of columns and rows; `clocks` returns only its lines with
    clocks, at their present state. `turn_page` turns a page that is too long for the board's place, by 1 forward or by
    -1 back. These, `completions` and `warn_before` are called from the worker thread at any time, except `clocks`,
    which is called from trio's thread. While `calls` returns True, the bell and the window title announce a decision.
    """

    interactive = in_columns = pinned = True

    def __init__(
        self,
        *,
        frame: Callable[[int, int], Frame],
        clocks: Callable[[int], tuple[str, str]],
        turn_page: Callable[[int, Frame], None],
        completions: Completions,
        warn_before: Callable[[str], str],
        colour: bool,
        calls: Callable[[], bool],
    ) -> None:
        self._make_frame, self._clocks, self._turn_page = frame, clocks, turn_page
        self._colour, self._calls = colour, calls
        self._scroll, self._has_run = ScrollView(), False
        self._stopping = False
        self._input, self._output = create_input(), create_output()
        # what restores the terminal at the end, and whether the terminal is in use
        self._held, self._open_now = ExitStack(), False
        self._queue, self._lines = trio.open_memory_channel[InputLine](1_000)
        self._token: trio.lowlevel.TrioToken | None = None
        self._typed_at, self._more_waits = 0.0, False
        self._reads_log = False  # on a short screen, whether the log is shown in the place of the board
        self._ticked, self._columns = float("-inf"), 80
        self._frame = frame(self._columns, 24)
        self._title, self._called = "", 0
        self._buffer = Buffer(
            completer=_Words(completions), history=_history(), multiline=False, accept_handler=self._accept
        )
        keys = TerminalKeys(self._turn, self._enter, self._say, warn_before)
        self._app: Application[str] = Application(
            layout=Layout(self._container(), focused_element=self._buffer),
            key_bindings=keys.bindings,
            style=Style.from_dict(STYLE if colour else {"bar": "reverse"}),
            color_depth=None if colour else ColorDepth.DEPTH_1_BIT,
            full_screen=True,
            input=self._input,
            output=self._output,
            before_render=self._prepare,
            min_redraw_interval=REDRAW_SECONDS,
            terminal_size_polling_interval=0.2,
        )

    # -- output --------------------------------------------------------------------------------------------------------

    def render_line(self, line: StyledLine) -> str:
        return ansi_text(line) if self._colour else plain_text(line)

    def show_lines(self, lines: Iterable[StyledLine]) -> None:
        if self._has_run and not self._app.is_running:  # after the end of the input, show plain lines
            super().show_lines(lines)
            return
        self._open()
        self._scroll.append_lines(lines)
        self._app.invalidate()

    def redraw_clocks(self) -> None:
        now = trio.current_time()
        if now < self._ticked + CLOCK_SECONDS or self._clocks(self._columns) == self._frame.clocks:
            return
        self._ticked = now
        self._app.invalidate()

    def _say(self, text: str) -> None:
        self._scroll.scroll_to_end()
        self._scroll.append_lines([[("bad", text)]])
        self._app.invalidate()

    def _turn(self, *, back: bool) -> None:
        """Turns the page in the board's place if it is too long for the screen. Otherwise scrolls the log, which a
        short screen shows in the place of the board."""
        size = self._output.get_size()
        if self._frame.longer:
            self._turn_page(-1 if back else 1, self._frame)
        elif (
            size.rows < TALL
            and not self._frame.board_width
            and self._reads_log != back
            and not self._scroll.is_scrolled_back
        ):
            self._reads_log = back
        else:
            # one row fewer, because the last one shows the number of rows below
            rows = max(1, self._log_room(size)[1] - 2)
            self._scroll.scroll_by(rows if back else -rows)

    def _prepare(self, _app: object) -> None:
        """Updates the frame before each drawing. Runs in the worker thread."""
        size = self._output.get_size()
        self._columns = size.columns
        self._frame = self._make_frame(size.columns, size.rows)
        self._reads_log = self._reads_log and size.rows < TALL and self._frame.longer is None
        if self._reads_log and not self._frame.board_width:
            self._frame = without_board(self._frame)
        if self._calls() and self._frame.title != self._title:
            self._title = self._frame.title
            self._output.set_title(self._title)
        if self._calls() and self._frame.calls > self._called:
            self._output.bell()
        self._called = self._frame.calls

    def _log(self) -> StyleAndTextTuples:
        size = self._output.get_size()
        return _fragments(self._scroll.visible_rows(*self._log_room(size)))

    def _log_room(self, size: Size) -> tuple[int, int]:
        """Returns the size of the log's part of the screen, in columns and rows."""
        frame = self._frame
        rows_left = size.rows - 3 - len(frame.question)
        if frame.board_width:
            return size.columns - frame.board_width - 1, rows_left
        return size.columns, rows_left - len(frame.board)

    def _container(self) -> FloatContainer:
        def window(fragments: Callable[[], StyleAndTextTuples], **more: object) -> Window:
            return Window(FormattedTextControl(fragments), wrap_lines=False, **more)  # type: ignore[arg-type]

        def fixed(lines: Callable[[], int]) -> Callable[[], Dimension]:
            return lambda: Dimension.exact(lines())

        def bar() -> StyleAndTextTuples:
            return [("class:bar", self._frame.toolbar.ljust(self._output.get_size().columns))]

        log = window(self._log)
        board = window(lambda: _fragments(self._frame.board), height=fixed(lambda: len(self._frame.board)))
        tall = window(lambda: _fragments(self._frame.board), width=fixed(lambda: self._frame.board_width))
        prompt = window(lambda: [("", self._frame.prompt)], width=fixed(lambda: len(self._frame.prompt)))
        above, beside = HSplit([board, log]), VSplit([tall, Window(char="|", width=1), log])
        return FloatContainer(
            HSplit(
                [
                    DynamicContainer(lambda: beside if self._frame.board_width else above),
                    window(lambda: _fragments([self._frame.status]), height=1),
                    window(lambda: _fragments(self._frame.question), height=fixed(lambda: len(self._frame.question))),
                    VSplit([prompt, Window(BufferControl(self._buffer), height=1)]),
                    window(bar, height=1),
                ]
            ),
            floats=[Float(CompletionsMenu(max_height=8), xcursor=True, ycursor=True)],
        )

    # -- input ---------------------------------------------------------------------------------------------------------

    async def read_lines(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        self._token = trio.lowlevel.current_trio_token()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._stop_when_cancelled)
            nursery.start_soon(self._pass_on, typed)
            self._open()
            try:
                await trio.to_thread.run_sync(self._run)
            finally:
                self._stopping = True
                self.close()
            nursery.cancel_scope.cancel()

    async def _pass_on(self, typed: trio.MemorySendChannel[InputLine]) -> None:
        async for line in self._lines:
            await typed.send(line)

    def _run(self) -> None:
        """Runs prompt_toolkit until the input ends, in the worker thread. Raises Interrupted."""
        if self._stopping:
            return
        try:
            self._app.run(handle_sigint=False, set_exception_handler=False)
        except EOFError:
            pass
        except KeyboardInterrupt:
            raise Interrupted from None
        finally:
            self._has_run = True

    def _accept(self, buffer: Buffer) -> bool:
        self._enter(buffer.text)
        return False  # tells prompt_toolkit to clear the input line

    def _enter(self, text: str) -> None:
        """Takes one typed line, or several lines that were pasted. Runs in the worker thread."""
        loop = self._app.loop
        assert self._token is not None
        assert loop is not None
        now = loop.time()
        pasted = self._more_waits or now - self._typed_at < PASTED_SECONDS
        self._typed_at, self._more_waits = now, self._is_more_typed()
        self._scroll.scroll_to_end()  # scrolls down, so that the answer is visible
        self._reads_log = False
        self._scroll.remove_lines(self._frame.paged)
        for number, line in enumerate(split_lines(text) or [""]):  # an empty line makes the client show the board again
            self._scroll.append_lines([[("dim", f"> {line}")]] if line else [])
            with suppress(trio.RunFinishedError):
                self._token.run_sync_soon(
                    self._put, InputLine(line, patient=pasted or number > 0, calls=self._frame.calls)
                )

    def _is_more_typed(self) -> bool:
        """Returns whether keys were pressed after this line, before it was handled."""
        return bool(self._app.key_processor.input_queue or select([self._input.fileno()], [], [], 0)[0])

    def _put(self, line: InputLine) -> None:
        with suppress(trio.WouldBlock, trio.BrokenResourceError, trio.ClosedResourceError):
            self._queue.send_nowait(line)

    # -- taking over and restoring the terminal ------------------------------------------------------------------------

    def close(self) -> None:
        """Restores the terminal, and leaves the end of the log visible."""
        if not self._open_now:
            return
        self._open_now = False
        self._held.close()
        self._has_run = True
        height = max(self._output.get_size().rows - 2, 1)
        super().show_lines(self._scroll.visible_rows(output_columns(), height))
        if self._title:
            self._output.set_title("")
            self._output.flush()

    def _open(self) -> None:
        """Takes the terminal over before the first output, so that keys pressed before the first prompt are not
        lost."""
        if not self._open_now and not self._stopping:
            self._open_now = True
            self._held.enter_context(self._input.raw_mode())

    async def _stop_when_cancelled(self) -> None:
        """Waits until it is cancelled, then ends prompt_toolkit's application in its own loop, so that the worker
        thread restores the terminal."""
        try:
            await trio.sleep_forever()
        finally:
            self._stopping = True
            loop = self._app.loop
            if loop is not None:
                with suppress(RuntimeError):  # the loop is closed, so the application is not running
                    loop.call_soon_threadsafe(self._exit)

    def _exit(self) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit(exception=EOFError)


def _fragments(lines: Iterable[StyledLine]) -> StyleAndTextTuples:
    found: StyleAndTextTuples = []
    for line in lines:
        found += [(f"class:{style}" if style else "", text) for style, text in line]
        found.append(("", "\n"))
    return found[:-1]


class _Words(Completer):
    """Completes the last word of the line. If other words may follow it, it gets a space."""

    def __init__(self, completions: Completions) -> None:
        self._completions = completions

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        last = text.rpartition(" ")[2]
        before = text[: len(text) - len(last)]
        for word in self._completions(text):
            more = self._completions(f"{before}{word} ")
            yield Completion(word + " " * bool(more), start_position=-len(last), display=word)


def _history() -> AnyHistory:
    try:
        return History(state_folder() / "history")
    except OSError:
        return InMemoryHistory()
