# SPDX-License-Identifier: MIT
"""A Chromium without a window, over its debugging pipe: what a page looks like, and what it does.

CHROMIUM names the program; without it the usual names are looked for. There is no network for it.
"""

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAM = os.environ.get("CHROMIUM") or next(
    filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
# Nothing has a name, so nothing can be reached.
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--no-first-run", "--disable-extensions", "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
         "--remote-debugging-pipe"]
# Seconds that an answer may take.
DEADLINE = 60


class Page:
    """A tab; what it says on its console and what it asks the network for is kept."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.said, self.requests = [], []

    def call(self, method, **parameters):
        return self.browser.call(method, parameters, self.session)

    def open(self, path):
        self.said.clear()
        self.requests.clear()
        self.call("Page.navigate", url=Path(path).resolve().as_uri())
        self.browser.wait(self.session, "Page.loadEventFired")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def show(self, width=1280, height=900, dark=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def screenshot(self, height=8000, scale=1):
        """The page down to a height, as PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], height), "scale": scale}
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(answer["data"])

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])


class Browser:
    def __init__(self, pipes):
        self.input, self.output = pipes
        self.numbers = itertools.count(1)
        self.pages, self.events, self.unread = {}, [], b""

    def call(self, method, parameters=None, session=None):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        self.input.write(json.dumps(message).encode() + b"\0")
        self.input.flush()
        while (answer := self.read()).get("id") != number:
            pass
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def read(self):
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.output], [], [], DEADLINE)
            assert ready, "Chromium does not answer"
            some = os.read(self.output.fileno(), 1 << 20)
            assert some, "Chromium has ended"
            self.unread += some
        text, _, self.unread = self.unread.partition(b"\0")
        message = json.loads(text)
        if "method" in message:
            self.note(message)
        return message

    def note(self, message):
        page = self.pages.get(message.get("sessionId"))
        self.events.append((message.get("sessionId"), message["method"]))
        if page and message["method"] in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            page.said.append(message["params"])
        if page and message["method"] == "Network.requestWillBeSent":
            page.requests.append(message["params"]["request"]["url"])

    def wait(self, session, event):
        while (session, event) not in self.events:
            self.read()
        self.events.clear()

    def page(self):
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        return page


@contextlib.contextmanager
def browser():
    """Chromium with a profile of its own, which is gone afterwards."""
    into, out = os.pipe(), os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        def place():
            # The numbers that Chromium reads from and writes to. First out of the way of each other.
            read, write = os.dup(into[0]), os.dup(out[1])
            high = [os.dup2(read, 60), os.dup2(write, 61)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
        process = subprocess.Popen(
            [PROGRAM, *FLAGS, f"--user-data-dir={profile}"], preexec_fn=place, pass_fds=(3, 4),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(into[0])
        os.close(out[1])
        try:
            with os.fdopen(into[1], "wb") as input, os.fdopen(out[0], "rb") as output:
                yield Browser((input, output))
        finally:
            process.terminate()
            try:
                process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
