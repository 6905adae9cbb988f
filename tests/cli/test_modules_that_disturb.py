"""What the modules of a project do while they are imported is no matter of the command's output."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from user_project import MODELS, Run

DISTURBING = {
    "prints": "print('HELLO')",
    "writes": "import os; os.write(1, b'HELLO\\n')",
    "a child prints": "import subprocess, sys; subprocess.run([sys.executable, '-c', 'print(\"HELLO\")'])",
    "closes its output": "import sys; sys.stdout.close()",
    "has no output": "import sys; sys.stdout = None",
    "moves away": "import os; os.chdir('/')",
    "is something else": "import sys; sys.modules[__name__] = 5",
    "has a lone surrogate": "x = '\\udc80'",
}


@pytest.mark.parametrize("format_", ["json", "sarif"])
@pytest.mark.parametrize("code", DISTURBING.values(), ids=DISTURBING.keys())
def test_a_module_that_disturbs_leaves_the_report_whole(
    run: Run, project: Path, code: str, format_: str
) -> None:
    """Stdout is one document, in ASCII, with the models of the project; what modules print goes to stderr."""
    (project / "shop" / "models.py").write_text(MODELS)
    (project / "shop" / "odd.py").write_text(f"{code}\n")
    checked = run("check", "--format", format_, "shop.odd", "shop.models")
    document = json.loads(checked.stdout)
    assert checked.stdout.isascii()
    assert "HELLO" not in checked.stdout
    assert ("HELLO" in checked.stderr) is ("HELLO" in code)
    if format_ == "json":
        assert document["models"] == 1
        assert [one["message"] for one in document["problems"]] == ["no model is declared in shop.odd"]
    else:
        assert document["runs"][0]["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{project.as_uri()}/"


def test_names_in_other_alphabets_are_one_document_in_any_locale(run: Run, project: Path) -> None:
    """A narrow encoding of the terminal does not spoil what programs read."""
    (project / "shop" / "models.py").write_text(
        MODELS.replace("class Order", "class 価格").replace("bt.PaddedInt(8)", "bt.Int(8)"),
        encoding="utf-8",
    )
    command = [str(Path(sys.executable).with_name("btmodel")), "check", "--json"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    checked = subprocess.run(command, cwd=project, capture_output=True, env=environment)
    found = json.loads(checked.stdout.decode("ascii"))["findings"]
    assert {finding["model"] for finding in found} == {"価格"}


def test_rules_without_pages_are_told_in_sarif(run: Run, project: Path) -> None:
    """Under python -OO there are no docstrings, and so no pages, and still a log."""
    (project / "shop" / "models.py").write_text(MODELS)
    code = "import sys; from btmodel.cli import main; sys.argv = ['btmodel', 'check', '--format', 'sarif']; main()"
    checked = subprocess.run([sys.executable, "-OO", "-c", code], cwd=project, capture_output=True, text=True)
    assert json.loads(checked.stdout)["runs"][0]["tool"]["driver"]["rules"][0]["id"] == "KEY001"
