"""Looks at the site and at the studio in a browser: ``make docs-check``, after ``make docs``; ``make docs-check PAGES=all`` at every page of the site, ``PAGES=studio`` at the studio alone.

Each kind of page, light and dark, wide and as narrow as a phone, is held against the rules of axe-core (WCAG 2.1 AA), must log nothing, and
must not be wider than the window. Pictures of all are in build/docs/pictures. axe-core comes from npm, so no test needs it.
"""

import functools
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import btmodel as bt
from btmodel.repository.any_repository import repository
from codegen.site_versions import ROOT, version_of
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes
from tests.codegen.browser import Browser, browser, found
from tests.studio.test_editing_events import BEFORE, DAY, KEY, Kettle
from tests.studio.test_studio_in_browser import PAGES

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
STUDIO = {
    **PAGES,
    "row-of-kettle": "/models/Kettle/row?key=k%2320260105",
    "edit-of-kettle": "/models/Kettle/edit?key=k%2320260105",
    "nothing": "/models/Nothing",
}
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
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def looked_at(page: Browser, url: str, axe: str, picture: Path) -> Iterator[str]:
    """What is wrong with a page."""
    page.open(url, width=390 if "narrow" in picture.name else 1400, dark="dark" in picture.name)
    # Colours on their way from one to another are no fault.
    page.evaluate(
        "const still = new CSSStyleSheet(); still.replaceSync('* {transition: none !important}'); document.adoptedStyleSheets.push(still)"
    )
    # The theme may still have the colours of the page before.
    page.evaluate(
        f"document.body.dataset.mdColorScheme = '{'slate' if 'dark' in picture.name else 'default'}'"
    )
    page.evaluate("new Promise(done => setTimeout(done, 500))")
    page.picture(picture)
    yield from (
        one for one in page.complaints if "404 (Not Found)" not in one or "nothing" not in picture.name
    )
    if (wider := page.evaluate(WIDER)) > 0:
        yield f"wider than the window by {wider} pixels"
    page.evaluate(axe)
    yield from page.evaluate(AXE)


@contextmanager
def studio() -> Iterator[str]:
    """The address of a studio that may edit, over rows of two models, and the address that opens it."""
    settings = (
        '[tool.btmodel]\nmodels = ["examples.market", "tests.studio.test_editing_events"]\ninstance = "dev"\n'
    )
    with TemporaryDirectory() as folder:
        (Path(folder) / "pyproject.toml").write_text(
            f'{settings}[tool.btmodel.instances]\ndev = "local:dev.db"\n'
        )
        instance = f"local:{folder}/dev.db"
        bt.create_tables(instance, Quote, Kettle)
        with bt.connect(instance) as db:
            QuoteRepository(db).put_many(made_up_quotes(60))
            rows = repository(db, Kettle, {})
            rows.put(Kettle(id="k", day=DAY, owner="Ada", **BEFORE))
            rows.edit(KEY.encode(), [])._add({"clicks": 7, "votes": {"tea": 2}, "best": 5}).apply()
        command = [sys.executable, "-m", "btmodel", "studio", "--edit", "--no-open", "--port", "0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            yield next(line.strip() for line in process.stdout if "http://" in line)
        finally:
            process.terminate()
            process.wait()


def every_page(site: Path) -> list[str]:
    """All pages of the site."""
    return sorted(f"{page.parent.relative_to(site)}/" for page in (site / version_of()).rglob("index.html"))


def main(site: Path, axe: Path, *more: str) -> int:
    """Print what is wrong, and return how much that is. ``all`` looks at every page of the site, in half of the ways; ``studio`` at the studio alone."""
    pictures = site.parent / "pictures"
    pictures.mkdir(exist_ok=True)
    script = axe.read_text() + "; true"
    wrong = looks = 0
    program = found()
    if program is None:
        print("no chromium is installed: apt install chromium", file=sys.stderr)
        return 1
    ways = [(colours, width) for colours in ("light", "dark") for width in ("wide", "narrow")]
    with (
        TemporaryDirectory() as profile,
        served(site) as address,
        studio() as opening,
        browser(program, Path(profile)) as page,
    ):
        page.open(opening, width=1400)
        base = opening.partition("?")[0]
        pages = [(f"{address}{version_of()}/{kind}", kind.strip("/") or "home", ways) for kind in KINDS]
        if more == ("studio",):
            pages = []
        elif more:
            pages = [(f"{address}{each}", each.strip("/"), [ways[0], ways[3]]) for each in every_page(site)]
        pages += [(f"{base}{path.lstrip('/')}", f"studio-{name}", ways) for name, path in STUDIO.items()]
        for url, kind, some in pages:
            for colours, width in some:
                name = f"{kind.replace('/', '-')}-{colours}-{width}"
                looks += 1
                for fault in looked_at(page, url, script, pictures / f"{name}.png"):
                    print(f"{name}: {fault}", flush=True)
                    wrong += 1
    print(f"{looks} views looked at, {wrong} faults; pictures are in {pictures}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]) > 0)
