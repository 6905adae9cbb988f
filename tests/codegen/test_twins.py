"""The synchronous twins."""

import ast
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_synchronous_twins_are_fresh() -> None:
    """Every ``_sync`` file is what codegen/sync_twins.py makes of its ``_async`` source."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    checked = subprocess.run(
        [sys.executable, "codegen/sync_twins.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path},
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_every_twin_has_a_source() -> None:
    """No ``_sync`` file is left over from a source that is gone."""
    for twin in ROOT.glob("src/btmodel/*/_sync/*.py"):
        assert (twin.parent.with_name("_async") / twin.name).is_file()


def test_every_twin_has_a_name_of_its_own() -> None:
    """What a source defines as ``AsyncRows`` or ``run_async`` is ``Rows`` and ``run`` there: the table RENAMED names all."""
    wrong = [
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in sorted(ROOT.glob("src/btmodel/*/_sync/*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and ("sync" in node.name.lower())
    ]
    assert wrong == []
