"""A misspelt name is answered with the names that are near."""

from pathlib import Path

import pytest
from user_project import Run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chek"], "no such command 'chek'; did you mean check?"),
        (["SHOW"], "no such command 'SHOW'; did you mean show?"),
        (["xyz"], "no such command 'xyz'; commands: check, completion, "),
        (["migrate", "stauts"], "no such command 'stauts'; did you mean status?"),
        (["show", "order"], "no model 'order'; did you mean Order"),
        (["migrate", "plan", "--instance", "prodution"], "(did you mean production?)"),
        (["migrate", "plan", "--instance", "xyz"], "(known: dev, production)"),
    ],
)
def test_the_nearest_name_is_offered(run: Run, project: Path, words: list[str], said: str) -> None:
    """Commands, models and instances: those that are near, whatever their case, or else all."""
    settings = project / "pyproject.toml"
    settings.write_text(
        settings.read_text()
        + '\n[tool.btmodel.instances]\ndev = "local:dev.db"\nproduction = "projects/p/instances/i"\n'
    )
    asked = run(*words)
    assert asked.returncode == (2 if "no such command" in said else 1)
    assert said in asked.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["inspect"],
        ["check", "--live"],
        ["simulate", "Order", "--count", "number=1000", "--from"],
        ["migrate", "plan", "--instance"],
    ],
)
def test_a_file_that_is_not_there_is_not_made_to_be_read(run: Run, project: Path, words: list[str]) -> None:
    """The file beside it is offered, and no empty database is left."""
    (project / "dev.db").touch()
    asked = run(*words, "local:dve.db")
    assert asked.returncode == 1
    assert "dve.db: there is no such file (did you mean dev.db?), and this command makes none" in asked.stderr
    assert not (project / "dve.db").exists()
