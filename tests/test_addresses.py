"""The addresses of the project: one setting in pyproject.toml, from which all links to its site are made."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from btmodel.lint import RULES

ROOT = Path(__file__).parents[1]
SITE = f"https://example.com/btmodel/{version('btmodel')}"
URLS = '[project.urls]\nDocumentation = "https://example.com/btmodel/"\nSource = "https://example.com/code"\n\n[tool.hatch.metadata'


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheel of this checkout with addresses and without, unpacked."""
    folders = {}
    for name, replaced in (("addressed", URLS), ("plain", "[tool.hatch.metadata")):
        checkout, folder = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp(name)
        for part in ("src", "codegen"):
            shutil.copytree(ROOT / part, checkout / part, ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("README.md", "LICENSE", "CHANGELOG.md"):
            shutil.copy(ROOT / part, checkout)
        settings = (ROOT / "pyproject.toml").read_text()
        (checkout / "pyproject.toml").write_text(settings.replace("[tool.hatch.metadata", replaced, 1))
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
        subprocess.run(build, cwd=checkout, check=True, capture_output=True)
        [wheel] = folder.glob("*.whl")
        zipfile.ZipFile(wheel).extractall(folder)
        folders[name] = folder
    return folders


def btmodel(package: Path, *arguments: str) -> str:
    """What the command of an unpacked wheel prints."""
    alone = {**os.environ, "PYTHONPATH": str(package), "COLUMNS": "80"}
    command = [sys.executable, "-m", "btmodel", *arguments]
    done = subprocess.run(command, env=alone, cwd=package, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_package_carries_its_addresses_and_links_of_the_readme_that_lead_to_the_site(
    packages: dict[str, Path],
) -> None:
    """Each link of the description is one of the site, to a page that the site has; without an address, the links are those of the README."""
    [metadata] = packages["addressed"].glob("*.dist-info/METADATA")
    head, _, description = metadata.read_text().partition("\n\n")
    assert "Project-URL: Documentation, https://example.com/btmodel/" in head
    assert "Project-URL: Source, https://example.com/code" in head
    targets = [target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", description)]
    assert f"{SITE}/hotspot.png" in targets
    assert f"{SITE}/migrations/" in targets
    assert {target for target in targets if not target.startswith(SITE)} == set()
    # The page that zensical makes of a file; those of examples/ and the project's are checked below.
    for target in targets:
        page = target.removeprefix(SITE).strip("/")
        if page.startswith("examples") or page.startswith("project/"):
            assert page in {"examples", "project/architecture", "project/contributing", "project/changelog"}
        else:
            source = ROOT / "docs" / page
            assert source.is_file() or source.with_suffix(".md").is_file() or (source / "README.md").is_file()
    [plain] = packages["plain"].glob("*.dist-info/METADATA")
    head, _, description = plain.read_text().partition("\n\n")
    assert "Project-URL" not in head
    assert description == (ROOT / "README.md").read_text()


def test_messages_link_to_the_pages_of_rules(packages: dict[str, Path]) -> None:
    """``btmodel rule`` and SARIF name the page of a rule on the site of their version, and no address where the package has none."""
    models = packages["addressed"] / "models_here.py"
    models.write_text(
        "import btmodel as bt\n\n\nclass M(bt.Model, table='m'):\n    id: str = bt.key(bt.Text(width=4), cardinality=9)\n    f = bt.family('f', gc=bt.max_versions(1))\n    a: int = bt.column('a', f)\n"
    )
    shutil.copy(models, packages["plain"])
    for name, expected in (("addressed", SITE), ("plain", None)):
        printed = btmodel(packages[name], "rule", "KEY001").splitlines()
        assert (printed[-1] == f"{SITE}/rules/KEY001/") is (expected is not None)
        sarif = json.loads(btmodel(packages[name], "check", "models_here", "--format", "sarif"))
        rules = sarif["runs"][0]["tool"]["driver"]["rules"]
        assert [rule.get("helpUri") for rule in rules] == [
            expected and f"{expected}/rules/{rule.id}/" for rule in RULES
        ]
    assert all((ROOT / "docs" / "rules" / f"{rule.id}.md").is_file() for rule in RULES)
