"""``btmodel init``: what it writes works at once, with nothing edited, and nothing is overwritten."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from sysconfig import get_path
from venv import EnvBuilder
from zipfile import ZipFile

import pytest
from btmodel_codegen import project as project_files
from user_project import Run

from tests.strict_mypy import mypy

ROOT = Path(__file__).parents[2]
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty folder, of a name that is none of a package."""
    folder = tmp_path / "My-new.shop"
    folder.mkdir()
    return folder


def test_a_new_project_works_at_once(run: Run, project: Path) -> None:
    """Every command that the new project's README names goes through, with nothing edited in between."""
    written = run("init")
    assert written.returncode == 0, written.stderr
    assert written.stdout.startswith("wrote pyproject.toml\n")
    assert "btmodel generate" in written.stdout
    assert {str(path.relative_to(project)) for path in project.rglob("*") if path.is_file()} == set(
        project_files("my_new_shop")
    )
    checked = run("check", "--strict")
    assert (checked.returncode, checked.stdout) == (0, "1 model reviewed: 0 errors, 0 warnings\n")
    assert run("generate").returncode == 0
    assert run("generate", "--check").returncode == 0
    assert run("migrate", "plan").returncode == 2
    migrated = run("migrate", "--yes")
    assert migrated.returncode == 0, migrated.stderr
    assert "done create-table:readings" in migrated.stdout
    assert run("migrate", "plan").returncode == 0
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"],
        cwd=project,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert tested.returncode == 0, tested.stdout
    assert "1 passed" in tested.stdout


def test_a_new_project_can_be_installed(run: Run, project: Path) -> None:
    """Its package is what is installed, generated files included, before and after a first revision is written."""
    run("init")
    run("generate")
    package = {f"my_new_shop/{path.name}" for path in (project / "my_new_shop").glob("*.py")}
    package |= {
        f"my_new_shop/generated/{path.name}" for path in (project / "my_new_shop" / "generated").iterdir()
    }
    assert built(project) == package
    assert run("migrate", "new", "first").returncode == 0
    assert (project / "migrations").is_dir()
    assert built(project) == package
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    status = ["git", "status", "--porcelain", "--untracked-files=all"]
    found = subprocess.run(status, cwd=project, capture_output=True, text=True, check=True).stdout
    assert "dist/" not in found
    assert "migrations/" in found


def built(project: Path) -> set[str]:
    """The files of the wheel that the project's own build backend makes of it, its metadata left out."""
    code = "from hatchling.build import build_wheel; print(build_wheel('dist'))"
    done = subprocess.run(
        [sys.executable, "-c", f"import os; os.makedirs('dist', exist_ok=True); {code}"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    with ZipFile(project / "dist" / done.stdout.strip().splitlines()[-1]) as wheel:
        return {name for name in wheel.namelist() if ".dist-info/" not in name}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*pip, str(ROOT)], check=True)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture
def fresh(tmp_path: Path, wheel: Path) -> Shell:
    """A shell in an environment of its own, into which btmodel was installed from a wheel; other packages are those of here."""
    EnvBuilder(with_pip=True, symlinks=True).create(tmp_path / "fresh")
    [packages] = (tmp_path / "fresh").glob("lib/*/site-packages")
    (packages / "here.pth").write_text(get_path("purelib") + "\n")
    command = tmp_path / "fresh/bin/pytest"  # as where pip installs pytest, too
    command.write_text('#!/bin/sh\nexec python -m pytest "$@"\n')
    command.chmod(0o755)
    path = f"{tmp_path / 'fresh/bin'}:{os.environ['PATH']}"
    left_out = ("PYTEST", "BTMODEL", "PYTHONPATH", "BIGTABLE")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(left_out)}
    environment |= {"PATH": path}

    def run(script: str, *, check: bool = True) -> "subprocess.CompletedProcess[str]":
        command = ["bash", "-euc", script]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done

    run(f"pip install -q --no-deps --force-reinstall {wheel}")
    return run


def test_the_printed_steps_work_in_a_fresh_environment(fresh: Shell, tmp_path: Path, wheel: Path) -> None:
    """Those of CI and of the container, too; btmodel is the file that the steps have laid into the project, without which they fail."""
    written = fresh("btmodel init shop --template fastapi").stdout
    steps = written.partition("Now:\n")[2]
    assert f"  pip wheel --no-deps --wheel-dir wheels {wheel}\n" in steps
    assert " passed" in fresh(steps).stdout
    project = tmp_path / "shop"
    assert [file.name for file in (project / "wheels").iterdir()] == [wheel.name]
    # A checkout of what is committed, as the container copies it, and as CI installs it.
    copied = re.findall(r"COPY (.+) (\S+)\n", (project / "Dockerfile").read_text())
    (tmp_path / "app").mkdir()
    fresh("\n".join(f"cp -r shop/{name} app/{into}" for names, into in copied for name in names.split()))
    [install] = re.findall(r"RUN (pip install .+)", (project / "Dockerfile").read_text())
    [tested] = re.findall(r"run: (pip install .+)", (project / ".github/workflows/check.yml").read_text())
    for command in (install, tested):
        fresh(f"cd app; {command}")
    (tmp_path / "app/wheels" / wheel.name).unlink()
    fresh("pip uninstall -q -y btmodel")
    for command in (install, tested):
        refused = fresh(f"cd app; {command}", check=False)
        assert refused.returncode == 1
        assert "wheels/btmodel-*.whl" in refused.stderr


def test_the_steps_say_where_btmodel_was_installed_from(fresh: Shell, tmp_path: Path) -> None:
    """A repository at its commit, or a folder; of a package index, the name with the version from which on it is."""
    [record] = (tmp_path / "fresh").glob("lib/*/site-packages/btmodel-*/direct_url.json")
    for origin, source in (
        ({"url": "file:///checkouts/my%20own", "dir_info": {"editable": True}}, "'/checkouts/my own'"),
        (
            {"url": "https://a.b/c.git", "vcs_info": {"vcs": "git", "commit_id": "0af"}, "subdirectory": "d"},
            "'git+https://a.b/c.git@0af#subdirectory=d'",
        ),
    ):
        record.write_text(json.dumps(origin))
        written = fresh("rm -rf shop; btmodel init shop").stdout
        assert f"  pip wheel --no-deps --wheel-dir wheels {source}\n" in written
    record.unlink()
    written = fresh("rm -rf shop; btmodel init shop").stdout
    assert "wheel" not in written
    pyproject = (tmp_path / "shop/pyproject.toml").read_text()
    assert f'dependencies = ["btmodel>={version("btmodel")}"]' in pyproject
    texts = [file.read_text() for file in (tmp_path / "shop").rglob("*") if file.is_file()]
    assert not [text for text in texts if "wheels" in text]
    assert [text for text in texts if "run: pip install -e '.[test]'" in text]


def test_a_new_project_is_well_formed(run: Run, project: Path) -> None:
    """ruff, as it comes, strict mypy and pyright find nothing in what is written, tests included."""
    run("init")
    run("generate")
    for tool, *arguments in (
        ["ruff", "check", "--isolated"],
        ["ruff", "format", "--isolated", "--check"],
        ["basedpyright", "--level", "error", "--pythonpath", sys.executable],
    ):
        command = [str(Path(sys.executable).with_name(tool)), *arguments, "."]
        checked = subprocess.run(command, cwd=project, capture_output=True, text=True)
        assert checked.returncode == 0, checked.stdout
    checked = mypy(project, ".")
    assert checked.returncode == 0, checked.stdout


@pytest.mark.parametrize("template", ["fastapi", "worker"])
def test_a_program_works_at_once(template: str, run: Run, project: Path) -> None:
    """The program of a template passes its own tests, ruff, and mypy and pyright where they are strict, with nothing edited."""
    assert run("init", "--template", template).returncode == 0
    assert run("check", "--strict").returncode == 0
    assert run("generate").returncode == 0
    for tool in (
        ["pytest", "-q", "-p", "no:cacheprovider", "-W", "error"],
        ["ruff", "check", "--isolated", "."],
        ["ruff", "format", "--isolated", "--check", "."],
    ):
        command = [str(Path(sys.executable).with_name(tool[0])), *tool[1:]]
        env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stdout
    checked = mypy(project, ".")
    assert checked.returncode == 0, checked.stdout
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11"}
    (project / "pyrightconfig.json").write_text(json.dumps(settings))
    pyright = [str(Path(sys.executable).with_name("basedpyright")), "--pythonpath", sys.executable, "."]
    checked = subprocess.run(pyright, cwd=project, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
    # The container starts what is there.
    program = {"fastapi": "api:app", "worker": "worker"}[template]
    assert f"my_new_shop.{program}" in (project / "Dockerfile").read_text()


def test_the_workflow_runs_commands_that_exist(run: Run, project: Path) -> None:
    """Each btmodel command of the workflow and of the hooks succeeds in the new project."""
    run("init")
    run("generate")
    texts = [
        (project / name).read_text() for name in (".github/workflows/check.yml", ".pre-commit-config.yaml")
    ]
    commands = re.findall(r"(?:run:|entry:|\|\|) btmodel ([^\n]+)", "\n".join(texts))
    assert len(commands) == 5
    assert run("migrate", "new", "first").returncode == 0
    for command in commands:
        done = run(*command.split())
        assert done.returncode == 0, (command, done.stdout, done.stderr)


def test_nothing_is_overwritten(run: Run, project: Path) -> None:
    """What is in the way is named, all of it, and nothing is written."""
    (project / "pyproject.toml").write_text("[project]\n")
    (project / "tests").mkdir()
    (project / "tests" / "test_models.py").symlink_to("nowhere")
    refused = run("init")
    assert refused.returncode == 1
    assert refused.stderr.startswith(
        "error: .: these already exist: pyproject.toml, tests/test_models.py; nothing was"
    )
    assert sorted(path.name for path in project.rglob("*")) == ["pyproject.toml", "test_models.py", "tests"]
    again = run("init", "new")
    assert (again.returncode, run("init", "new").returncode) == (0, 1)


def test_a_file_where_a_folder_is_needed_is_in_the_way(run: Run, project: Path) -> None:
    """A file called as the folder of tests is, or as the project's folder, is named."""
    (project / "tests").write_text("")
    assert "error: .: these already exist: tests; nothing was written" in run("init").stderr
    assert (
        "error: tests: these already exist: tests; nothing was written"
        in run("init", "tests", "--name", "a").stderr
    )
    assert [path.name for path in project.iterdir()] == ["tests"]


def test_a_new_repository_keeps_its_readme(run: Run, project: Path) -> None:
    """In a repository that has a README, a .gitignore and a licence already, those are kept, and told."""
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    for name in ("README.md", ".gitignore", "LICENSE"):
        (project / name).write_text("mine\n")
    written = run("init", "--name", "shop")
    assert written.returncode == 0
    assert "kept README.md\nkept .gitignore\n" in written.stdout
    assert {(project / name).read_text() for name in ("README.md", ".gitignore", "LICENSE")} == {"mine\n"}
    assert (project / "shop" / "models.py").is_file()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("2shop", "--name: expected lowercase letters"),
        ("Shop", "--name: expected lowercase letters"),
        ("class", "--name: expected lowercase letters"),
        ("a/b", "--name: expected lowercase letters"),
        ("../up", "--name: expected lowercase letters"),
        ("json", "a package called 'json' already exists"),
        ("attrs", "a package called 'attrs' already exists"),
        ("btmodel", "a package called 'btmodel' already exists"),
        ("tests", "a package called 'tests' already exists"),
    ],
)
def test_a_name_that_is_no_new_package_is_refused(name: str, told: str, run: Run, project: Path) -> None:
    """A name that cannot be imported, or would hide another package, is refused, and nothing is written."""
    refused = run("init", "--name", name)
    assert refused.returncode == 1
    assert told in refused.stderr
    assert list(project.iterdir()) == []


def test_an_empty_name_is_a_wrong_option(run: Run, project: Path) -> None:
    """An empty name is refused as every empty option is, and nothing is written."""
    refused = run("init", "--name", "")
    assert refused.returncode == 2
    assert "expected some text, got none" in refused.stderr
    assert list(project.iterdir()) == []


def test_a_folder_without_a_name_for_a_package_asks_for_one(run: Run, project: Path) -> None:
    """A folder whose name gives no package needs --name, and says so."""
    refused = run("init", "1. Versuch")
    assert refused.returncode == 1
    assert "choose one with --name" in refused.stderr
    written = run("init", "1. Versuch", "--name", "versuch")
    assert "  cd '1. Versuch'\n" in written.stdout
    assert (project / "1. Versuch" / "versuch" / "models.py").is_file()


def test_a_full_disk_leaves_nothing(run: Run, project: Path) -> None:
    """Where there is no room for all files of the project, none is left behind, and the error says why."""
    command = [str(Path(sys.executable).with_name("btmodel")), "init"]
    limited = ["sh", "-c", 'ulimit -f 1; exec "$@"', "sh", *command]
    failed = subprocess.run(limited, cwd=project, capture_output=True, text=True)
    assert failed.returncode == 1
    assert failed.stderr.endswith(": cannot be written: File too large; nothing was written\n")
    assert [path for path in project.rglob("*") if path.is_file()] == []
