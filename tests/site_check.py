"""Looks at the site in a browser: ``make docs-check``, after ``make docs``.

Each kind of page, light and dark, wide and as narrow as a phone, is held against the rules of axe-core (WCAG 2.1 AA), must log nothing, and
must not be wider than the window. Pictures of all are in build/docs/pictures. axe-core comes from npm, so no test needs it.
"""

import functools
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.codegen.browser import Browser, browser, found

KINDS = (
    "",
    "tutorial/03-simulate/",
    "guides/keys/",
    "guides/hbase-cassandra-dynamodb/",
    "recipes/lock/",
    "models/",
    "rules/",
    "rules/KEY001/",
    "examples/server/compose.yml/",
    "reference/",
    "reference/models/",
    "project/changelog/",
)
AXE = """axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).then(found => found.violations.map(
    one => `${one.id}: ${one.help}: ${one.nodes.length} times, such as ${one.nodes[0].html.slice(0, 200)} ${one.nodes[0].any.map(c => c.message).join("; ").slice(0, 200)}`))"""
WIDER = "document.scrollingElement.scrollWidth - innerWidth"


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def looked_at(page: Browser, url: str, axe: str, picture: Path) -> Iterator[str]:
    """What is wrong with a page."""
    page.open(url, width=390 if "narrow" in picture.name else 1400, dark="dark" in picture.name)
    # Colours on their way from one to another are no fault.
    page.evaluate(
        "document.head.append(Object.assign(document.createElement('style'), {textContent: '* {transition: none !important}'}))"
    )
    # The theme may still have the colours of the page before.
    page.evaluate(
        f"document.body.dataset.mdColorScheme = '{'slate' if 'dark' in picture.name else 'default'}'"
    )
    page.evaluate("new Promise(done => setTimeout(done, 500))")
    page.picture(picture)
    yield from page.complaints
    if (wider := page.evaluate(WIDER)) > 0:
        yield f"wider than the window by {wider} pixels"
    page.evaluate(axe)
    yield from page.evaluate(AXE)


def main(site: Path, axe: Path) -> int:
    """Print what is wrong, and return how much that is."""
    pictures = site.parent / "pictures"
    pictures.mkdir(exist_ok=True)
    script = axe.read_text() + "; true"
    wrong = 0
    program = found()
    if program is None:
        print("no chromium is installed: apt install chromium", file=sys.stderr)
        return 1
    with TemporaryDirectory() as profile, served(site) as address, browser(program, Path(profile)) as page:
        for kind in KINDS:
            for colours in ("light", "dark"):
                for width in ("wide", "narrow"):
                    name = f"{kind.strip('/').replace('/', '-') or 'home'}-{colours}-{width}"
                    for fault in looked_at(page, address + kind, script, pictures / f"{name}.png"):
                        print(f"{name}: {fault}")
                        wrong += 1
    print(f"{len(KINDS) * 4} views looked at, {wrong} faults; pictures are in {pictures}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])) > 0)
