"""Generated text, compared byte for byte with recorded folders, then executed."""

import ast
import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest
from btmodel_codegen import TARGETS, generate
from btmodel_codegen.cbt import policy
from btmodel_codegen.python_text import docstring
from google.cloud.bigtable_admin_v2.types import CreateTableRequest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.client.admin_messages import rule_of
from btmodel.repository import AsyncTwinRepository, TwinRepository
from btmodel.schema import tables
from btmodel.schema.gc import simplified
from tests.codegen.golden import case, load, load_twins


@case
def test_the_text_is_the_recorded_one(folder: Path, request: pytest.FixtureRequest) -> None:
    """The generated files are the recorded ones, byte for byte, no more and no fewer."""
    files = generate(load(folder), TARGETS, twins=load_twins(folder))
    expected = folder / "expected"
    if request.config.getoption("--refresh-goldens"):
        shutil.rmtree(expected, ignore_errors=True)
        expected.mkdir()
        for name, text in files.items():
            (expected / name).write_bytes(text.encode())
    assert {path.name: path.read_bytes().decode() for path in expected.iterdir()} == files


@case
def test_the_order_of_the_models_does_not_matter(folder: Path) -> None:
    """The same models and twins in another order give the same bytes."""
    models, twins = load(folder), load_twins(folder)
    assert generate(models[::-1], TARGETS, twins=twins[::-1]) == generate(models, TARGETS, twins=twins)


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
def test_the_classes_of_twins_run(folder: Path) -> None:
    """Every generated module of twins executes, and holds their two classes."""
    twins = load_twins(folder)
    texts = generate([], ["repository"], twins=twins)
    assert len(texts) == len(twins) + 1
    for name, text in texts.items():
        if name.endswith("_twins.py"):
            module = ModuleType(name)
            exec(compile(text, name, "exec"), vars(module))
            made = [value for value in vars(module).values() if getattr(value, "__module__", "") == name]
            bases = [base for one in made for base in one.__mro__]
            assert TwinRepository in bases
            assert AsyncTwinRepository in bases


@case
def test_the_json_parses_back_into_the_requests(folder: Path) -> None:
    """Every request of the JSON is a CreateTableRequest, with the families and rules of the models."""
    models = load(folder)
    document = json.loads(generate(models)["tables.json"])
    requests = [CreateTableRequest.from_json(json.dumps(request)) for request in document["requests"]]
    assert {
        (request.table_id, id, rule_of(family.gc_rule))
        for request in requests
        for id, family in request.table.column_families.items()
    } == {
        (table.id, family.id, simplified(family.gc or bt.keep_all()))
        for table in tables(models)
        for family in table.families
    }


QUOTES = st.lists(st.sampled_from(['"', '"""', "\\", "\n", " ", "'", "a"])).map("".join)


@given(st.one_of(st.text(), QUOTES))
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
