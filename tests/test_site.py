"""The site: every page and every public name is in it, its links lead somewhere, and it needs nothing from outside."""

import json
import re
import shutil
import subprocess
import sys
from inspect import isfunction
from pathlib import Path
from uuid import uuid4

import pytest

import btmodel
from btmodel.repository import Repository
from codegen.site_versions import address_of, publish, version_of
from tests.codegen.browser import Browser, browser, found
from tests.site_check import served

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of a folder that codegen/site.py has written, as ``make docs`` does."""
    return subprocess.run(
        [BIN / "zensical", "build", "--strict"], cwd=folder, capture_output=True, text=True, timeout=200
    )


def test_the_site_is_whole(tmp_path: Path) -> None:
    """It is built strictly, once: every page and public name is in it, it needs nothing from outside, and a reader can change the version."""
    # Beside the checkout's own, for the settings name the sources by paths from there.
    folder = ROOT / "build" / f"docs-{uuid4().hex}"
    subprocess.run([sys.executable, "codegen/site.py", folder], cwd=ROOT, check=True)
    built = build(folder)
    assert built.returncode == 0, built.stdout + built.stderr
    try:
        site = folder / "site" / version_of()
        every_public_name_is_in_the_reference(site)
        every_method_of_a_repository_is_in_the_reference(site)
        every_document_and_rule_is_a_page(site)
        pages_need_nothing_from_outside(site)
        a_reader_can_change_the_version(site, tmp_path)
    finally:
        shutil.rmtree(folder)


def test_a_release_is_published_beside_the_older_ones(tmp_path: Path) -> None:
    """The pages of other releases stay as they are, the first page leads to the newest finished one, and a release is published once."""
    site, to = tmp_path / "site", tmp_path / "to"
    to.mkdir()
    (to / "CNAME").write_text("docs")
    for version in ("0.9.0", "dev", "0.10.0", "0.11.0rc1"):
        (site / version).mkdir(parents=True)
        (site / version / "index.html").write_text(version)
        publish(site, to, version)
    assert [(one["version"], one["aliases"]) for one in json.loads((to / "versions.json").read_text())] == [
        ("0.11.0rc1", []),
        ("0.10.0", ["latest"]),
        ("0.9.0", []),
        ("dev", []),
    ]
    assert 'url=0.10.0/"' in (to / "index.html").read_text()
    (site / "0.9.0" / "index.html").write_text("other")
    with pytest.raises(SystemExit, match=r"0\.9\.0 exists, and published pages of a release are not changed"):
        publish(site, to, "0.9.0")
    (site / "dev" / "index.html").write_text("newer")
    publish(site, to, "dev")
    assert [(to / name / "index.html").read_text() for name in ("0.9.0", "dev")] == ["0.9.0", "newer"]
    assert {path.name for path in to.iterdir()} == {
        *("0.9.0", "0.10.0", "0.11.0rc1", "dev"),
        *("CNAME", "index.html", "versions.json"),
    }


def test_a_version_is_that_of_the_changelog(tmp_path: Path) -> None:
    """Pages are those of ``dev`` until the changelog has a heading for the version; the address is that of ``[project.urls]``."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n## 1.2.0rc1 (2027-01-02)\n")
    assert (version_of(tmp_path), address_of(tmp_path)) == ("dev", None)
    with (tmp_path / "CHANGELOG.md").open("a") as changelog:
        changelog.write("\n## 1.2.0 (2027-01-03)\n")
    with (tmp_path / "pyproject.toml").open("a") as settings:
        settings.write('urls.Documentation = "https://example.com/btmodel/"\n')
    assert (version_of(tmp_path), address_of(tmp_path)) == ("1.2.0", "https://example.com/btmodel")


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


def every_method_of_a_repository_is_in_the_reference(site: Path) -> None:
    """Those of its base classes, too, which no program names."""
    page = (site / "reference/repository/index.html").read_text()
    own = [name for name in dir(Repository) if name[0] != "_" and isfunction(getattr(Repository, name))]
    assert len(own) > 10
    assert [name for name in own if f'id="btmodel.repository.Repository.{name}"' not in page] == []


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


def a_reader_can_change_the_version(site: Path, tmp_path: Path) -> None:
    """The selector leads to the same page of another version, and an old page says that it is one."""
    if (program := found()) is None:
        return
    for version in ("0.1.0", "0.2.0"):
        (tmp_path / "site").mkdir(exist_ok=True)
        shutil.copytree(site, tmp_path / "site" / version)
        publish(tmp_path / "site", tmp_path, version)
    with served(tmp_path) as address, browser(program, tmp_path / "profile") as page:
        page.open(f"{address}0.1.0/models/", width=1400)
        wait_for(page, "document.querySelector('.md-version') !== null")
        names = "[...document.querySelectorAll('.md-version__link')].map(link => link.textContent.trim())"
        assert page.evaluate(names) == ["0.2.0", "0.1.0"]
        assert page.evaluate("document.querySelector('[data-md-component=outdated]').hidden") is False
        assert page.evaluate("document.querySelector('.md-banner').innerText").startswith("This page is not")
        page.events.clear()
        page.evaluate("document.querySelector('.md-version__link').click()")
        page.loaded()
        assert page.evaluate("location.pathname") == "/0.2.0/models/"
        wait_for(page, "document.querySelector('.md-version') !== null")
        assert page.evaluate("document.querySelector('[data-md-component=outdated]').hidden") is True
        assert page.complaints == []


def wait_for(page: Browser, expression: str) -> None:
    """Wait until an expression is true on a page."""
    page.evaluate(
        f"new Promise(done => setInterval(() => {{ if ({expression}) setTimeout(done, 300) }}, 50))"
    )
