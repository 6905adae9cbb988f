"""A headless browser, spoken to by its DevTools protocol over two pipes: no port, no driver, no library."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import define, field

NAMES = ("chromium", "chromium-browser", "google-chrome")


def found() -> str | None:
    """The program, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@define
class Browser:
    """One page of a running browser. ``requests`` and ``complaints`` are what it asked for and what it logged."""

    process: "subprocess.Popen[bytes]"
    into: int
    out: int
    session: str | None = None
    last: int = 0
    rest: bytes = b""
    requests: list[str] = field(factory=list)
    complaints: list[str] = field(factory=list)
    events: list[str] = field(factory=list)

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command."""
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.into, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, path: Path | str, *, width: int, dark: bool = False) -> None:
        """Show a file, or an address of this machine, in a window of this width, in either colour scheme."""
        self.requests.clear()
        self.complaints.clear()
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.send("Page.navigate", url=path if isinstance(path, str) else path.as_uri())
        self.loaded()

    def loaded(self) -> None:
        """Wait until the page that is coming is there."""
        while "Page.loadEventFired" not in self.events:
            self._next()

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript: the page's own rules against scripts do not bind us."""
        result = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def picture(self, path: Path, *, top: int = 0, height: int | None = None) -> None:
        """Write a picture of the page, or of a part of it."""
        clip = {}
        if height is not None:
            width = self.evaluate("innerWidth")
            clip = {"clip": {"x": 0, "y": top, "width": width, "height": height, "scale": 1}}
        data = self.send("Page.captureScreenshot", captureBeyondViewport=True, **clip)["data"]
        path.write_bytes(base64.b64decode(data))

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            more = os.read(self.out, 1 << 16)
            assert more, "the browser is gone"
            self.rest += more
        raw, _, self.rest = self.rest.partition(b"\0")
        message: dict[str, Any] = json.loads(raw)
        method, params = message.get("method", ""), message.get("params", {})
        self.events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Log.entryAdded":
            self.complaints.append(params["entry"]["text"])
        elif method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown"):
            self.complaints.append(str(params))
        return message


@contextmanager
def browser(program: str, profile: Path) -> Iterator[Browser]:
    """A browser with one empty page; it is ended afterwards."""
    (their_in, our_out), (our_in, their_out) = os.pipe(), os.pipe()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    flags += [
        "--remote-debugging-pipe",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--user-data-dir={profile}",
    ]
    # The protocol is spoken on the file descriptors 3 and 4.
    script = f'exec "$@" 3<&{their_in} 4>&{their_out}'
    process = subprocess.Popen(
        ["bash", "-c", script, "sh", program, *flags],
        pass_fds=(their_in, their_out),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(their_in)
    os.close(their_out)
    try:
        opened = Browser(process, our_out, our_in)
        target = opened.send("Target.createTarget", url="about:blank")["targetId"]
        opened.session = opened.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime"):
            opened.send(f"{domain}.enable")
        yield opened
    finally:
        os.close(our_out)
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
        os.close(our_in)
