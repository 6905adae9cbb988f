"""An option or argument that is given as empty text is refused, wherever it stands: a variable may not be set."""

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from user_project import SETTINGS, Run

from btmodel.cli import COMMANDS
from btmodel.cli.group import group


def commands(of: click.Group, *names: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command, with the names under which it is called."""
    with click.Context(of) as context:
        for name in of.list_commands(context):
            found = of.get_command(context, name)
            assert found is not None
            yield (*names, name), found
            if isinstance(found, click.Group):
                yield from commands(found, *names, name)


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group, "table", COMMANDS, raising=False)


def test_every_option_and_argument() -> None:
    """All that take text or a path refuse nothing as text, by their name, and nothing is read or written before."""
    found = [((), group), *commands(group)]
    tried = 0
    for names, command in found:
        for param in command.params:
            if isinstance(param, click.Option):
                if param.is_flag:
                    continue
                name = param.opts[-1]
                given = [[name, ""], *([[f"{name}="]] if name.startswith("--") else [])]
            else:
                at = [one for one in command.params if isinstance(one, click.Argument)].index(param)
                given = [[*["a"] * at, ""]]
            for one in given:
                behind = ["check"] if not names else []
                result = CliRunner().invoke(group, [*names, *one, *behind])
                assert result.exit_code in (1, 2), (names, one, result.output)
                assert "expected some text, got none" in result.output, (names, one, result.output)
                tried += 1
    assert tried > 60


def test_it_is_named(run: Run) -> None:
    """The message says which option it was, and what may be wrong."""
    refused = run("migrate", "--instance", "", "--yes")
    assert refused.returncode == 1
    assert "'--instance': expected some text, got none: is a variable not set?" in refused.stderr
    assert run("migrate", "plan", "--instance=").returncode == 1
    assert run("check", "").returncode == 2


@pytest.mark.parametrize("setting", ['migrations = ""', 'out = ""', '[tool.btmodel.instances]\nci = ""'])
def test_settings(setting: str, run: Run, project: Path) -> None:
    """A setting that is empty is refused, too."""
    text = SETTINGS.replace('out = "shop/generated"\n', "") + setting + "\n"
    (project / "pyproject.toml").write_text(text)
    refused = run("migrate", "history")
    assert refused.returncode == 1
    assert "expected some text, got none" in refused.stderr


@pytest.mark.parametrize("folder", ["../elsewhere", "link"])
def test_revisions_stay_within_the_project(folder: str, run: Run, project: Path) -> None:
    """``migrations`` that leads out of the project, by its path or by a link, is neither read nor written."""
    outside = project.parent / f"elsewhere_of_{project.name}"
    outside.mkdir()
    (project / "link").symlink_to(outside)
    (project / "pyproject.toml").write_text(SETTINGS + f'migrations = "{folder}"\n')
    for command in (["new", "first"], ["history"], ["status"]):
        refused = run("migrate", *command)
        assert refused.returncode == 1
        assert "migrations: expected a folder within" in refused.stderr
    assert not list(outside.iterdir())
    assert not (project.parent / "elsewhere").exists()


@pytest.mark.parametrize("folder", ["pyproject.toml", ".", "shop/..", "pyproject.toml/revisions"])
@pytest.mark.parametrize("command", [["new", "first"], ["history"], ["status", "--instance", "local:"]])
def test_revisions_have_a_folder_of_their_own(
    folder: str, command: list[str], run: Run, project: Path
) -> None:
    """A file, or the folder of the project itself, is refused by the name of the setting, with what was given and what is expected."""
    settings = SETTINGS + f'migrations = "{folder}"\n'
    (project / "pyproject.toml").write_text(settings)
    refused = run("migrate", *command)
    assert refused.returncode == 1
    assert (
        f"pyproject.toml: migrations: expected a folder of its own within {project}, got {folder!r}, which "
        in (refused.stderr)
    )
    assert 'such as migrations = "migrations"' in refused.stderr
    assert (project / "pyproject.toml").read_text() == settings
    assert not [*project.glob("*_first.toml")]
