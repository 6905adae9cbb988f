"""The guides and recipes are true: their code runs against a real server, and their text blocks are what comes."""

import importlib
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
from btmodel.declare import twins_in
from btmodel.lint import Level, review_all
from btmodel.schema import ModelSchema
from tests.tutorial import blocks

ROOT = Path(__file__).parents[1]
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
    monkeypatch.setenv("BTMODEL_INSTANCE", bigtable.path())
    monkeypatch.setitem(sys.modules, "page", module)
    yield module
    forget_generated()


def forget_generated() -> None:
    """Let the next import of a repository read its file again."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "generated"]:
        del sys.modules[name]
    importlib.invalidate_caches()


def declared(page: ModuleType) -> list[ModelSchema]:
    """The schemas of all models that a page has declared so far."""
    classes = [one for one in vars(page).values() if isinstance(one, type) and one.__module__ == "page"]
    return [bt.schema_of(one) for one in classes if issubclass(one, bt.Model)]


def write_repositories(page: ModuleType) -> None:
    """Write the repositories of these models and of their twins, as ``btmodel generate`` would."""
    forget_generated()
    for name, text in generate(declared(page), ["repository"], twins=twins_in(["page"])).items():
        Path("generated", name).write_text(text)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_runs_and_prints_what_it_says(name: str, page: ModuleType) -> None:
    """Every Python block runs, in its order, the text blocks are all that is printed, and the review warns of no model of a recipe."""
    text = PAGES[name].read_text()
    printed = StringIO()
    with redirect_stdout(printed):
        for block in blocks(text):
            if block.language == "python":
                if "from generated." in block.body:
                    write_repositories(page)
                line = text[: block.start].count("\n")
                exec(compile("\n" * line + block.body, str(PAGES[name]), "exec"), vars(page))
    assert printed.getvalue() == "".join(block.body for block in blocks(text) if block.language == "text")
    found = review_all(declared(page))
    level = (Level.ERROR, Level.WARNING) if name.startswith("recipes/") else (Level.ERROR,)
    assert [str(one) for one in found if one.level in level] == []
