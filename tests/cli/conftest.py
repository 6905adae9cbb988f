"""A project of a user, and its command line."""

import os
import subprocess
from pathlib import Path

import pytest
from user_project import MODELS, SETTINGS, Run

from tests.forked_commands import Commands


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with settings and one module of models."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


@pytest.fixture
def run(project: Path, commands: Commands) -> Run:
    """Runs ``btmodel`` in the project, as a shell would."""

    def run_(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return commands.run(arguments, project, {**os.environ, "COLUMNS": "100", **environment})

    return run_
