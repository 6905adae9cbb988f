"""The generated SQL runs on the local server, all of it, for every codec and shape that cases and examples have."""

import importlib
import pkgutil
from pathlib import Path

import pytest

import btmodel as bt
import examples
from btmodel.client.admin import Admin
from btmodel.declare import schema_of
from btmodel.schema import ModelSchema
from btmodel.schema.table import tables
from tests.codegen.recorded import CASES, load
from tests.codegen.sql_files import text_of


def _examples() -> list[ModelSchema]:
    """The models of all worked examples."""
    names = [one.name for one in pkgutil.iter_modules(examples.__path__) if not one.ispkg]
    modules = [importlib.import_module(f"examples.{name}") for name in names if not name.endswith("_pb2")]
    found = {
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, bt.Model) and hasattr(value, "__schema__")
    }
    return sorted(map(schema_of, found), key=lambda model: model.name)


def _statements(text: str) -> list[str]:
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    return [one for one in "\n".join(lines).split(";\n") if one.strip(" \n;")]


@pytest.mark.parametrize("folder", [None, *CASES], ids=lambda folder: folder.name if folder else "examples")
def test_every_generated_statement_runs_on_the_local_server(folder: Path | None, tmp_path: Path) -> None:
    """No SELECT has a function or a form that the server does not know."""
    models = [model for model in (load(folder) if folder else _examples()) if model.view is None]
    with bt.connect(f"local:{tmp_path / 'dev.db'}") as db:
        with Admin(db.target) as admin:
            for table in tables(models):
                admin.create_table(table)

        for model in models:
            for statement in _statements(text_of(model)):
                assert list(db.sql(statement)) == []
