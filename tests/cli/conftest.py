"""A project of a user, and its command line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from user_project import MODELS, SETTINGS, Run


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with settings and one module of models."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "__init__.py").touch()
    (tmp_path / "shop" / "models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


@pytest.fixture
def run(project: Path) -> Run:
    """Runs ``btmodel`` in the project, as a shell would."""

    def run_(*arguments: str, **environment: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(Path(sys.executable).with_name("btmodel")), *arguments],
            cwd=project,
            env={**os.environ, "COLUMNS": "100", **environment},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=60,
        )

    return run_
