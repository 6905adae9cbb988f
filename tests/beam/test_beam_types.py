"""Type checkers know what sources put out, although Beam's operators have no types."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_mypy_knows_the_rows_of_a_source() -> None:
    """With Beam's own types, strictly."""
    mypy = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    ran = subprocess.run(
        [*mypy, str(HERE / "typed_pipelines.py")], cwd=HERE.parents[1], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_room_of_beam_fits_the_types_of_beam() -> None:
    """The other tools check it without Beam, whose types are unknown there."""
    mypy = [sys.executable, "-m", "mypy", "src/btmodel/beam"]
    ran = subprocess.run(mypy, cwd=HERE.parents[1], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
