"""The tutorial: who does what its pages say sees what they show, and has the projects that the examples hold."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.forked_commands import Commands
from tests.strict_mypy import mypy
from tests.tutorial import Follower, files, keep, matches

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "docs" / "tutorial").glob("[0-9]*.md"))


def test_a_reader_sees_what_the_pages_show(
    tmp_path: Path, request: pytest.FixtureRequest, commands: Commands
) -> None:
    """Every command of every chapter does and prints what its page says, and ruff and strict mypy find nothing in the last project.

    ``--refresh-goldens`` writes into the pages what their commands print, and the projects.
    """
    project = tmp_path / "scooters"
    project.mkdir()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "BTMODEL"))
    }
    environment |= {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "100",
        "HOME": str(tmp_path),
    }
    reader = Follower(project, environment, commands)
    refresh = request.config.getoption("--refresh-goldens")
    for page in PAGES:
        text = page.read_text()
        seen = reader.follow(text)
        kept = tmp_path / "kept" / page.stem[:2]
        keep(project, kept)
        example = ROOT / "examples" / "tutorial" / page.stem[:2]
        if refresh:
            page.write_text(seen)
            keep(project, example)
        else:
            assert seen == text, page.name
        assert files(kept) == files(example), page.name
    for check in (["check"], ["format", "--check"]):
        command = [Path(sys.executable).with_name("ruff"), *check, "--isolated", "."]
        checked = subprocess.run(command, cwd=project, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout
    checked = mypy(project, ".")
    assert checked.returncode == 0, checked.stdout


def test_dots_stand_for_lines() -> None:
    """A text with dots matches whatever lines are there, and nothing else that differs."""
    assert matches("a\n...\nb\n", "a\n1\n2\nb\n")
    assert matches("a\n...\nb\n", "a\nb\n")
    assert not matches("a\n...\nb\n", "a\n1\n")
    assert not matches("a\n", "a\nb\n")
