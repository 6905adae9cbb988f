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
