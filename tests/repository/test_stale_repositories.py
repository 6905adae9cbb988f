"""A repository that was generated before its model was changed says so when it is made."""

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel import server as local_server
from btmodel.errors import GenerationError


def models(
    queries: str = "",
    column: str = "total",
    fields: str = "",
    codec: str = "bt.PaddedInt(8)",
    cell: str = "bt.Int64()",
    name: str = "Order",
) -> ModuleType:
    """A module with a model, as it is after some change."""
    text = f"""
import btmodel as bt

class {name}(bt.Model, table="orders"):
    shop: str = bt.key(bt.Text(max_length=12))
    {fields}
    number: int = bt.key({codec})
    d = bt.family("d", gc=bt.max_versions(1))
    {column}: int = bt.column("total", d, codec={cell})
    of_shop = bt.query("shop")
    {queries}
"""
    module = ModuleType("stale_models")
    exec(text.replace("class ", "__name__ = 'stale_models'\nclass "), vars(module))
    return module


def repository(source: ModuleType, text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class that is generated for a model, with the model of ``source``."""
    monkeypatch.setitem(sys.modules, "stale_models", source)
    made: dict[str, Any] = {"__name__": "generated.order_repository"}
    exec(text, made)
    return made["OrderRepository"]


def test_a_stale_repository_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where fields, columns, codecs or queries of the model came, went or changed, nothing is read or written by guess."""
    before = models()
    monkeypatch.setitem(sys.modules, "stale_models", before)
    text = generate([bt.schema_of(before.Order)], ["repository"])["order_repository.py"]
    running = local_server.start()
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", running.host)
    with bt.connect("projects/p/instances/stale") as db:
        repository(before, text, monkeypatch)(db)
        for after in (
            models(queries='all_orders = bt.query(scan="a test")'),
            models(column="amount"),
            models(fields="day: str = bt.key(bt.Text(width=8))"),
            models(codec="bt.PaddedInt(9)"),
            models(cell="bt.DecimalText()"),
        ):
            with pytest.raises(GenerationError, match=r"Order was changed, .*: run `btmodel generate`"):
                repository(after, text, monkeypatch)(db)
    running.stop()


def test_a_renamed_model_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository whose model is not there any more says so where it is imported, with what Python said."""
    before = models()
    monkeypatch.setitem(sys.modules, "stale_models", before)
    text = generate([bt.schema_of(before.Order)], ["repository"])["order_repository.py"]
    told = (
        r"generated\.order_repository: generated from stale_models\.Order, which was renamed, moved or changed: "
        r"cannot import name 'Order' from 'stale_models'.*: run `btmodel generate`"
    )
    with pytest.raises(GenerationError, match=told):
        repository(models(name="Purchase"), text, monkeypatch)
    monkeypatch.setitem(sys.modules, "stale_models", None)
    with pytest.raises(GenerationError, match="run `btmodel generate`"):
        exec(text, {"__name__": "generated.order_repository"})


def test_what_fails_within_the_module_of_a_model_stays_what_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A library that is missing there, and a ring of imports, have nothing to do with generated code."""
    before = models()
    monkeypatch.setitem(sys.modules, "stale_models", before)
    text = generate([bt.schema_of(before.Order)], ["repository"])["order_repository.py"]
    monkeypatch.syspath_prepend(tmp_path)
    for first, source, told in (
        ("ringed_repository", "import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("stale_models", "import ringed_repository", "partially initialized module 'stale_models'"),
    ):
        (tmp_path / "stale_models.py").write_text(source)
        (tmp_path / "ringed_repository.py").write_text(text)
        monkeypatch.delitem(sys.modules, "stale_models", raising=False)
        monkeypatch.delitem(sys.modules, "ringed_repository", raising=False)
        importlib.invalidate_caches()
        with pytest.raises(ImportError, match=told):
            importlib.import_module(first)


def test_a_connection_of_the_other_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository takes a connection of its own kind, and says which."""
    from examples.generated.quote_repository import AsyncQuoteRepository

    running = local_server.start()
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", running.host)
    with bt.connect("projects/p/instances/stale") as db, pytest.raises(TypeError, match="connect_async"):
        AsyncQuoteRepository(db)  # type: ignore[arg-type]
    running.stop()
