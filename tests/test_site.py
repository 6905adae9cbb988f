"""The site: every page and every public name is in it, its links lead somewhere, and it needs nothing from outside."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

import btmodel

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a folder that codegen/site.py has written, as ``make docs`` does."""
    return subprocess.run(
        [BIN / "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True, timeout=200
    )


def test_the_site_is_whole() -> None:
    """It is built strictly, once: every page and public name is in it, and it needs nothing from outside."""
    # Beside the checkout's own, for the settings name the sources by paths from there.
    folder = ROOT / "build" / f"docs-{uuid4().hex}"
    subprocess.run([sys.executable, "codegen/site.py", folder], cwd=ROOT, check=True)
    built = build(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    try:
        every_public_name_is_in_the_reference(folder / "site")
        every_document_and_rule_is_a_page(folder / "site")
        pages_need_nothing_from_outside(folder / "site")
    finally:
        shutil.rmtree(folder)


def test_a_link_that_leads_nowhere_is_an_error(tmp_path: Path) -> None:
    """The site is not built where a page or an anchor is missing."""
    (tmp_path / "mkdocs.yml").write_text("site_name: x\n")
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "index.md"
    for text, code in (("# Here\n\n[x](#here)\n", 0), ("[x](#there)\n", 1), ("[x](there.md)\n", 1)):
        page.write_text(text)
        assert build(tmp_path).returncode == code, text


def every_public_name_is_in_the_reference(site: Path) -> None:
    """Each has an anchor of its own, and nobody reads a role of reStructuredText."""
    pages = "".join(page.read_text() for page in (site / "reference").rglob("index.html"))
    anchors = set(re.findall(r'id="btmodel\.(\w+)"', pages))
    assert set(btmodel.__all__) - anchors == set()
    assert not re.search(r":(class|func|meth|attr|mod):", pages)


def every_document_and_rule_is_a_page(site: Path) -> None:
    """What is in docs/ is in the site, each once in the table of contents."""
    for source in (ROOT / "docs").rglob("*.md"):
        page = source.relative_to(ROOT / "docs").with_suffix("")
        assert (site / (page.parent if page.name == "README" else page) / "index.html").is_file(), source
    home = (site / "index.html").read_text()
    assert {"Home", "Guides", "Recipes", "Learn", "Run", "Rules", "Examples", "Reference", "Project"} <= {
        text.strip() for text in re.findall(r"md-tabs__link[^>]*>([^<]*)<", home)
    }


def pages_need_nothing_from_outside(site: Path) -> None:
    """Scripts, styles, fonts and pictures come with the site: it works without a network, and tells nobody who reads it."""
    for page in site.rglob("*.html"):
        text = page.read_text()
        assert not re.findall(r'<(?:script|img|iframe)[^>]*src="(?:https?:)?//', text), page
        assert not re.findall(r'<link[^>]*href="(?:https?:)?//[^"]*"[^>]*stylesheet', text), page
        assert not re.findall(r'<link[^>]*stylesheet[^>]*href="(?:https?:)?//', text), page
