"""What type checkers say of user code: models and repositories are checked without a plugin; and of what is generated."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from btmodel_codegen import generate

import btmodel
from tests import strict_mypy
from tests.codegen.golden import CASES, load, load_twins

HERE = Path(__file__).parent
ROOT = Path(btmodel.__file__).parents[2]
FILES = ("good.py", "bad.py")


def write_generated(folder: Path) -> None:
    """Write the models of every recorded case into a folder, and what is generated for them."""
    for case in CASES:
        models = load(case)
        (folder / f"golden_{case.name}.py").write_text((case / "models.py").read_text("utf-8"), "utf-8")
        (folder / case.name).mkdir()
        for name, text in generate(models, ["repository"], twins=load_twins(case)).items():
            (folder / case.name / name).write_text(text, "utf-8")


def mypy(folder: Path) -> str:
    """What mypy says, strict, of both files."""
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", str(ROOT / "pyproject.toml")]
    command += ["--cache-dir", str(ROOT / ".mypy_cache"), *(str(HERE / name) for name in FILES)]
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    return _said(command, {"MYPYPATH": paths}, folder)


def basedpyright(folder: Path) -> str:
    """What basedpyright says of both files, strict, and of all that is generated; in one run, as it reads btmodel anew in each."""
    write_generated(folder)
    config = {
        "typeCheckingMode": "standard",
        "strict": [str(HERE / name) for name in FILES],
        "include": [*(str(HERE / name) for name in FILES), *(case.name for case in CASES)],
        "extraPaths": [str(ROOT / "src"), str(ROOT), str(folder)],
        "pythonVersion": "3.11",
    }
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    checker = Path(sys.executable).with_name("basedpyright")
    return _said([str(checker), "--project", str(folder), "--pythonpath", sys.executable], {}, folder)


def _said(command: list[str], environment: dict[str, str], folder: Path) -> str:
    environment = {**os.environ, **environment}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1, (
        f"expected errors in bad.py, got {done.returncode}: {done.stdout}{done.stderr}"
    )
    return done.stdout


def errors(said: str) -> dict[str, dict[int, str]]:
    """The first error of each line that has one, by file."""
    found: dict[str, dict[int, str]] = {name: {} for name in FILES}
    for match in re.finditer(r"(\w+\.py):(\d+)(?::\d+)?(?: - |: )error: (.*)", said):
        assert match[1] in found, f"an error outside the user's code, or in what is generated: {match[0]}"
        found[match[1]].setdefault(int(match[2]), match[3])
    return found


@pytest.fixture(scope="module", params=[mypy, basedpyright], ids=["mypy", "basedpyright"])
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[int, str]]:
    """What a checker found in both files; it runs once."""
    return errors(request.param(tmp_path_factory.mktemp("types")))


def test_right_code_is_accepted(found: dict[str, dict[int, str]]) -> None:
    """Models, rows and repositories used rightly give no error."""
    assert found["good.py"] == {}


def test_wrong_code_is_refused_line_by_line(found: dict[str, dict[int, str]]) -> None:
    """Each line marked as wrong gives an error, and no other line does."""
    lines = (HERE / "bad.py").read_text(encoding="utf-8").splitlines()
    marked = {number: line.strip() for number, line in enumerate(lines, 1) if line.endswith("# wrong")}
    assert {number: line for number, line in marked.items() if number not in found["bad.py"]} == {}
    assert {number: said for number, said in found["bad.py"].items() if number not in marked} == {}


def test_mypy_accepts_what_is_generated(tmp_path: Path) -> None:
    """mypy, strict, finds nothing in any repository of the recorded cases; basedpyright's run above would have failed."""
    write_generated(tmp_path)
    done = strict_mypy.mypy(tmp_path, *(case.name for case in CASES))
    said = [line for line in done.stdout.splitlines() if not line.startswith(("golden_", "Found "))]
    assert said == [], done.stderr
