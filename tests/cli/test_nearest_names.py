"""A misspelt name is answered with the names that are near."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from user_project import Run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chek"], "no such command 'chek' (did you mean check?)"),
        (["SHOW"], "no such command 'SHOW' (did you mean show?)"),
        (["xyz"], "no such command 'xyz' (commands: check, completion, "),
        (["migrate", "stauts"], "no such command 'stauts' (did you mean status?)"),
        (["show", "order"], "no model 'order' (did you mean Order"),
        (["migrate", "plan", "--instance", "prodution"], "(did you mean production?)"),
        (["migrate", "plan", "--instance", "xyz"], "(known: dev, production)"),
        (["migrate", "pln"], "no such command 'pln' (did you mean plan?)"),
        (["check", "--slect", "KEY"], "No such option '--slect' (did you mean --select"),
        (["migrate", "plan", "--instnace", "dev"], "No such option '--instnace' (did you mean --instance?)"),
        (["migrate", "--alow", "x"], "No such option '--alow' (did you mean --allow?)"),
        (["-m", "shop.modles", "show"], "module 'shop.modles' does not exist (did you mean shop.models?)"),
        (["-m", "shp.models", "show"], "module 'shp' does not exist (did you mean shop?)"),
        (["-m", "shop.modles", "check"], "module 'shop.modles' does not exist (did you mean shop.models?)"),
        (["check", "shop.modles"], "module 'shop.modles' does not exist (did you mean shop.models?)"),
        (["-m", "json.xyz", "show"], "module 'json.xyz' does not exist: it was searched for in"),
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
    option_of_another = "No such option" in said and words[0] != "migrate"
    assert asked.returncode == (64 if "no such command" in said else 2 if option_of_another else 1)
    assert said in asked.stderr + asked.stdout


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


def test_a_module_that_may_not_be_read_is_there(project: Path) -> None:
    """The error is told once, with its file, and not as if nothing was found."""
    closed = project / "shop" / "closed.py"
    closed.touch(0o000)
    as_a_user = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    command = [*as_a_user, sys.executable, "-m", "btmodel", "-m", "shop.closed", "show"]
    asked = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, timeout=60)
    assert asked.stderr == (
        f"error: module 'shop.closed' does not import: PermissionError: [Errno 13] Permission denied: '{closed}'\n"
    )


def test_check_reads_the_modules_of_both_ways_to_name_them(run: Run) -> None:
    """What -m names is reviewed beside the arguments, before or after the command."""
    for words in (
        ["check", "shop.models", "-m", "nothing.there"],
        ["-m", "nothing.there", "check", "shop.models"],
    ):
        checked = run(*words)
        assert checked.returncode == 1
        assert "module 'nothing' does not exist" in checked.stdout
        assert "1 model reviewed: 1 error" in checked.stdout
