"""The guides and recipes are true: their code runs against a real server, and their text blocks are what comes."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel.client.admin import Admin
from btmodel.client.target import Target
from btmodel.declare import twins_in
from btmodel.emulator import VARIABLE
from btmodel.lint import Level, review_all
from btmodel.schema import ModelSchema
from tests.forked_commands import Commands
from tests.tutorial import blocks, matches
from tests.written_repositories import forget_repositories

ROOT = Path(__file__).parents[1]
INSTANCE = "projects/shop/instances/main"
PAGES = {
    f"{path.parent.name}/{path.stem}": path
    for folder in ("guides", "recipes")
    for path in sorted((ROOT / "docs" / folder).glob("*.md"))
}
FOLLOWED = {
    name for name, path in PAGES.items() if any(one.language == "sh" for one in blocks(path.read_text()))
}


@pytest.fixture
def page(tmp_path: Path, bigtable: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """An empty module for the code of a page, in a project of its own with an empty instance."""
    module = ModuleType("page")
    (tmp_path / "generated").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("BTMODEL_INSTANCE", INSTANCE)
    monkeypatch.setenv("COLUMNS", "100")
    # Hypothesis keeps there what it takes seconds to compute.
    monkeypatch.setenv("HYPOTHESIS_STORAGE_DIRECTORY", str(ROOT / ".hypothesis"))
    monkeypatch.setitem(sys.modules, "page", module)
    yield module
    forget(tmp_path)
    with Admin(Target(INSTANCE, os.environ[VARIABLE])) as admin:
        for table in admin.read_tables():
            for view in table.views:
                admin.delete_view(view.id)
            admin.delete_table(table.id)


def forget(folder: Path) -> None:
    """Let the next import of a module of this folder, or of a repository, read its file again."""
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(folder)):
            del sys.modules[name]
    forget_repositories()


def declared(page: ModuleType) -> list[ModelSchema]:
    """The schemas of all models that a page has declared so far."""
    classes = [one for one in vars(page).values() if isinstance(one, type) and one.__module__ == "page"]
    return [bt.schema_of(one) for one in classes if issubclass(one, bt.Model)]


def write_repositories(page: ModuleType) -> None:
    """Write the repositories of these models and of their twins, as ``btmodel generate`` would."""
    forget(Path.cwd())
    for name, text in generate(declared(page), ["repository"], twins=twins_in(["page"])).items():
        Path("generated", name).write_text(text)


def the_session_is_true(session: str, commands: Commands) -> None:
    """Every command of a session prints what stands below it; a line ``...`` stands for any lines."""
    for step in session.removeprefix("$ ").split("\n$ "):
        command, _, expected = step.partition("\n")
        name, *arguments = shlex.split(command)
        if name == "btmodel":
            done = commands.run(arguments, Path.cwd(), os.environ)
        else:
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            done = subprocess.run(
                [name, *arguments], env={**os.environ, "PATH": path}, capture_output=True, text=True
            )
        printed = re.sub(r"[ \t]+$", "", done.stdout, flags=re.MULTILINE)
        printed = re.sub(r" in \d+\.\d+s$", " in ...", printed, flags=re.MULTILINE)
        assert matches(expected if expected.endswith("\n") or not expected else f"{expected}\n", printed), (
            f"{command}\n{printed}{done.stderr}"
        )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_and_prints_what_it_says(name: str, page: ModuleType, commands: Commands) -> None:
    """Every block runs, in its order, the text blocks are all that its Python prints, and the review warns of no model of a recipe."""
    text = PAGES[name].read_text()
    printed = StringIO()
    for block in blocks(text):
        if block.title:
            Path(block.title).write_text(block.body)
            forget(Path.cwd())
        elif block.language == "console":
            the_session_is_true(block.body, commands)
        elif block.language == "python":
            if "from generated." in block.body and declared(page):
                write_repositories(page)
            line = text[: block.start].count("\n")
            with redirect_stdout(printed):
                exec(compile("\n" * line + block.body, str(PAGES[name]), "exec"), vars(page))
    assert printed.getvalue() == "".join(
        block.body for block in blocks(text) if block.language == "text" and not block.title
    )
    found = review_all(declared(page))
    level = (Level.ERROR, Level.WARNING) if name.startswith("recipes/") else (Level.ERROR,)
    assert [str(one) for one in found if one.level in level] == []
