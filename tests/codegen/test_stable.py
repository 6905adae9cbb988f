"""The same models give the same bytes: in every run, on every machine, with every Python."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import attr
import attrs
import jinja2
import markupsafe
import pytest
from google import protobuf

ROOT = Path(__file__).parents[2]


def generated(python: str, seed: int, path: str, **environment: str) -> dict[str, str]:
    """The digests of all files, as another Python generates them."""
    ran = subprocess.run(
        [python, "-c", "from tests.codegen.stable import main; main()", str(seed)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": str(seed), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
    digests: dict[str, str] = json.loads(ran.stdout)
    return digests


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    """What this Python generates."""
    return generated(sys.executable, 0, os.environ.get("PYTHONPATH", ""))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_orders_and_hash_seeds_do_not_matter(seed: int, here: dict[str, str]) -> None:
    """Whatever the seed of hashes, the order of models and of targets, and the locale: the same bytes."""
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "TZ": "Asia/Tokyo"}
    assert generated(sys.executable, seed, os.environ.get("PYTHONPATH", ""), **locale) == here


def other_pythons() -> list[str]:
    """The Pythons of other versions on this machine that btmodel is written for."""
    names = [f"python3.{minor}" for minor in range(11, 16) if minor != sys.version_info.minor]
    found = [path for name in names if (path := shutil.which(name))]
    for name in names:
        found += map(str, Path.home().glob(f".pyenv/versions/{name.removeprefix('python')}.*/bin/{name}"))
    return [python for python in found if runs(python)]


def runs(python: str) -> bool:
    """Whether it is one: a version that pyenv has switched off is there, and only says so."""
    return subprocess.run([python, "-c", ""], capture_output=True).returncode == 0


def test_other_pythons_give_the_same_bytes(here: dict[str, str], tmp_path: Path) -> None:
    """Every newer or older Python of this machine generates what this one does."""
    pythons = other_pythons()
    if not pythons:
        pytest.skip("no other Python from 3.11 on is on this machine")
    for package in (attr, attrs, jinja2, markupsafe):  # of Python alone, or able to do without the rest
        folder = Path(str(package.__file__)).parent
        (tmp_path / folder.name).symlink_to(folder)
    google = tmp_path / "google"  # schema bundles are made by protobuf, whose compiled part fits any Python
    google.mkdir()
    for name in ("protobuf", "_upb"):
        (google / name).symlink_to(Path(str(protobuf.__file__)).parents[1] / name)
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src"), str(ROOT / "codegen")])
    for python in pythons:
        assert generated(python, 1, path) == here, python
