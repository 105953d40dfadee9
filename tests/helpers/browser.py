"""Debian's chromium without a window, driven through its debugging pipe (Chrome DevTools Protocol)."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium")
DEADLINE = 30.0


class Browser:
    """One chromium process, whose pages are `Tab`s."""

    def __init__(self, folder: str) -> None:
        to_browser, self._to = os.pipe()
        self._from, from_browser = os.pipe()
        assert CHROMIUM is not None

        def place_pipes() -> None:
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self._process = subprocess.Popen(
            [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             f"--user-data-dir={folder}", "--disable-dev-shm-usage", "about:blank"],
            preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        self._number, self._bytes = 0, b""
        self.events: list[dict[str, Any]] = []

    def ask(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """Sends a command and returns its result."""
        self._number += 1
        number = self._number
        command = {"id": number, "method": method, "params": params} | ({"sessionId": session} if session else {})
        os.write(self._to, json.dumps(command).encode() + b"\0")
        while True:
            message = self._next()
            if message.get("id") == number:
                assert "error" not in message, message["error"]
                result: dict[str, Any] = message["result"]
                return result
            self.events.append(message)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._bytes:
            data = os.read(self._from, 65_536)
            assert data, "chromium has ended"
            self._bytes += data
        text, _zero, self._bytes = self._bytes.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def open(self, address: str, width: int = 360, height: int = 740, *, fresh: bool = True) -> Tab:
        """A new tab of that size, with its own storage if it is `fresh`."""
        where = {"browserContextId": self.ask("Target.createBrowserContext")["browserContextId"]} if fresh else {}
        target = self.ask("Target.createTarget", url="about:blank", **where)["targetId"]
        session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, session)
        for domain in ("Page", "Runtime", "Log"):
            tab.ask(f"{domain}.enable")
        tab.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        tab.ask("Emulation.setTouchEmulationEnabled", enabled=width < 600)
        tab.go(address)
        return tab

    def close(self) -> None:
        """Ends the browser."""
        self._process.kill()
        self._process.wait()
        os.close(self._to)
        os.close(self._from)


class Tab:
    """One page."""

    def __init__(self, browser: Browser, session: str) -> None:
        self._browser, self.session = browser, session

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Sends a command to the page."""
        return self._browser.ask(method, self.session, **params)

    def go(self, address: str) -> None:
        """Opens an address."""
        self.ask("Page.navigate", url=address)
        self.wait(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(address)})")

    def run(self, script: str) -> Any:
        """Returns the value of an expression in the page."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def text(self, element: str = "body") -> str:
        """Returns the text that is visible in an element."""
        return str(self.run(f"document.querySelector({json.dumps(element)})?.innerText ?? ''"))

    def wait(self, script: str, seconds: float = DEADLINE) -> Any:
        """Waits until the expression is true, and returns its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.run(f"Boolean({script})"):
                return value
            time.sleep(0.05)
        raise AssertionError(f"not in time: {script}; the page:\n{self.text()}")

    def wait_for(self, text: str) -> str:
        """Waits until the page shows the text."""
        self.wait(f"document.body.innerText.includes({json.dumps(text)})")
        return self.text()

    def tap(self, script: str) -> None:
        """Taps the element that the expression returns, at its place on the screen."""
        place = self.run(
            f"(() => {{ const e = {script}; if (!e) return null; e.scrollIntoView({{block: 'center'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        assert place, f"nothing to tap: {script}"
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Types into the field that has the focus."""
        self.ask("Input.insertText", text=text)

    def screenshot(self, path: Path) -> None:
        """Writes a PNG of the visible part."""
        path.write_bytes(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def complaints(self) -> list[str]:
        """Returns the errors in this page's console so far."""
        self.run("1")
        found = []
        for event in self._browser.events:
            if event.get("sessionId") != self.session:
                continue
            if event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(f"{event['params']['entry']['text']} {event['params']['entry'].get('url', '')}")
            elif event["method"] == "Runtime.exceptionThrown":
                found.append(str(event["params"]["exceptionDetails"]))
        return found


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser, until the block ends."""
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            yield browser
        finally:
            browser.close()
