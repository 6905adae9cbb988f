"""Generated text, compared byte for byte with recorded folders, then executed."""

import ast
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate
from btmodel_codegen.cbt import policy
from btmodel_codegen.python_text import docstring
from google.cloud.bigtable_admin_v2.types import CreateTableRequest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel import emulator
from btmodel.client.admin import Admin
from btmodel.client.gc import from_message
from btmodel.schema import ModelSchema, tables
from btmodel.schema.gc import simplified

CASES = sorted(path.parent for path in Path(__file__).parent.glob("cases/*/models.py"))
case = pytest.mark.parametrize("folder", CASES, ids=lambda folder: folder.name)


def load(folder: Path) -> list[ModelSchema]:
    """The models of a case."""
    name = f"golden_{folder.name}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, folder / "models.py")
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    found = [value for value in vars(sys.modules[name]).values() if hasattr(value, "__schema__")]
    return [bt.schema_of(model) for model in found if isinstance(model, type) and issubclass(model, bt.Model)]


@case
def test_the_text_is_the_recorded_one(folder: Path, request: pytest.FixtureRequest) -> None:
    """The generated files are the recorded ones, byte for byte, no more and no fewer."""
    files = generate(load(folder))
    expected = folder / "expected"
    if request.config.getoption("--refresh-goldens"):
        shutil.rmtree(expected, ignore_errors=True)
        expected.mkdir()
        for name, text in files.items():
            (expected / name).write_bytes(text.encode())
    assert {path.name: path.read_bytes().decode() for path in expected.iterdir()} == files


@case
def test_the_order_of_the_models_does_not_matter(folder: Path) -> None:
    """The same models in another order give the same bytes."""
    assert generate(load(folder)[::-1]) == generate(load(folder))


@case
def test_the_repositories_run(folder: Path, tmp_path: Path) -> None:
    """Every generated module executes, and its classes have a method for each declared query."""
    models = load(folder)
    for name, text in generate(models).items():
        if name.endswith("_repository.py"):
            module = ModuleType(name)
            exec(compile(text, name, "exec"), vars(module))
            model = next(model for model in models if hasattr(module, f"{model.name}Repository"))
            for prefix in ("", "Async"):
                repository = getattr(module, f"{prefix}{model.name}Repository")
                assert all(callable(getattr(repository, query.name)) for query in model.queries)


@case
def test_ruff_leaves_the_repositories_as_they_are(folder: Path, tmp_path: Path) -> None:
    """ruff finds nothing in generated code, and ``ruff format`` changes nothing, at any line length."""
    for name, text in generate(load(folder)).items():
        (tmp_path / name).write_text(text)
    ruff = [sys.executable, "-m", "ruff"]
    for length in ("88", "110"):
        subprocess.run(
            [*ruff, "format", "--isolated", "--check", "--line-length", length, tmp_path], check=True
        )
    checked = subprocess.run([*ruff, "check", "--isolated", tmp_path], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


def migrated(models: Sequence[ModelSchema], instance: str, host: str) -> Any:
    """The tables that ``btmodel migrate`` makes of some models."""
    from btmodel.migrate import bring

    with Admin(instance, host) as admin:
        bring(admin, tables(models))
        return admin.read_tables()


@case
def test_the_cbt_script_makes_the_tables_that_migrate_makes(
    folder: Path, tmp_path: Path, server: emulator.Emulator, instance: str
) -> None:
    """The script, run by a shell with cbt against a server, leaves what ``btmodel migrate`` leaves."""
    if shutil.which("cbt") is None:
        pytest.skip("cbt is not installed (gcloud components install cbt)")
    models = load(folder)
    script = tmp_path / "tables.cbt.sh"
    script.write_text(generate(models)[script.name])
    environment = {
        **os.environ,
        emulator.VARIABLE: server.host,
        "PROJECT": instance.split("/")[1],
        "INSTANCE": instance.split("/")[3],
    }
    subprocess.run(["sh", str(script)], env=environment, check=True, capture_output=True)
    with Admin(instance, server.host) as admin:
        by_script = admin.read_tables()
    assert {table.id for table in by_script} == {model.table for model in models}
    assert by_script == migrated(models, f"{instance}x", server.host)


@case
def test_the_json_parses_back_into_the_requests(folder: Path) -> None:
    """Every request of the JSON is a CreateTableRequest, with the families and rules of the models."""
    models = load(folder)
    document = json.loads(generate(models)["tables.json"])
    requests = [CreateTableRequest.from_json(json.dumps(request)) for request in document["requests"]]
    assert {
        (request.table_id, id, from_message(family.gc_rule))
        for request in requests
        for id, family in request.table.column_families.items()
    } == {
        (table.id, family.id, simplified(family.gc or bt.keep_all()))
        for table in tables(models)
        for family in table.families
    }


@given(st.text())
def test_no_text_breaks_out_of_a_docstring(text: str) -> None:
    """Any text becomes one string literal that parses, and says the text again."""
    quoted = docstring(text, 4)
    [statement] = ast.parse(f"class C:\n    {quoted}\n").body
    assert isinstance(statement, ast.ClassDef)
    [only] = statement.body
    assert isinstance(only, ast.Expr)
    assert isinstance(only.value, ast.Constant)
    assert isinstance(only.value.value, str)
    assert only.value.value.split() == text.split()


def test_what_cbt_cannot_say_is_refused() -> None:
    """An age finer than a millisecond is refused, not rounded."""
    from datetime import timedelta

    with pytest.raises(bt.GenerationError, match="cbt cannot state an age of 1500us"):
        policy(bt.max_age(timedelta(microseconds=1500)))
