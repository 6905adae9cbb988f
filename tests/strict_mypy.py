"""mypy, strict, on code of users, with what this repository's own check has cached of btmodel."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def mypy(folder: Path, *targets: str) -> "subprocess.CompletedProcess[str]":
    """What it says of targets in a folder, by the settings of this repository: the cache holds for no others."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--cache-dir", str(ROOT / ".mypy_cache"), "--explicit-package-bases"]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(folder)])}
    return subprocess.run([*command, *targets], cwd=folder, env=environment, capture_output=True, text=True)
