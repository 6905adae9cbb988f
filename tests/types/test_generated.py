"""What type checkers say of generated repositories, of the recorded cases: strict, and nothing is found."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from btmodel_codegen import generate

import btmodel
from tests.codegen.golden import CASES, load, load_twins
from tests.strict_mypy import mypy

ROOT = Path(btmodel.__file__).parents[2]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the models of every case, and what is generated for them."""
    folder = tmp_path_factory.mktemp("generated")
    for case in CASES:
        models = load(case)
        (folder / f"golden_{case.name}.py").write_text((case / "models.py").read_text("utf-8"), "utf-8")
        (folder / case.name).mkdir()
        for name, text in generate(models, ["repository"], twins=load_twins(case)).items():
            (folder / case.name / name).write_text(text, "utf-8")
    return folder


def test_mypy_accepts_them(project: Path) -> None:
    """mypy, strict, finds nothing in any repository."""
    done = mypy(project, *(case.name for case in CASES))
    found = [line for line in done.stdout.splitlines() if not line.startswith(("golden_", "Found "))]
    assert found == [], done.stderr


def test_basedpyright_accepts_them(project: Path) -> None:
    """basedpyright finds nothing in any repository."""
    config = {
        "typeCheckingMode": "standard",
        "include": [case.name for case in CASES],
        "extraPaths": [str(ROOT / "src"), str(ROOT), str(project)],
        "pythonVersion": "3.11",
    }
    (project / "pyrightconfig.json").write_text(json.dumps(config), "utf-8")
    checker = Path(sys.executable).with_name("basedpyright")
    command = [str(checker), "--project", str(project), "--pythonpath", sys.executable]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
