"""A repository that was generated before its model was changed says so when it is made."""

import sys
from types import ModuleType
from typing import Any

import pytest
from btmodel_codegen import generate

import btmodel as bt
from btmodel import server as local_server
from btmodel.errors import GenerationError


def models(queries: str = "", column: str = "total", fields: str = "") -> ModuleType:
    """A module with a model, as it is after some change."""
    text = f"""
import btmodel as bt

class Order(bt.Model, table="orders"):
    shop: str = bt.key(bt.Text(max_length=12))
    {fields}
    number: int = bt.key(bt.PaddedInt(8))
    d = bt.family("d", gc=bt.max_versions(1))
    {column}: int = bt.column("total", d)
    of_shop = bt.query("shop")
    {queries}
"""
    module = ModuleType("stale_models")
    exec(text.replace("class Order", "__name__ = 'stale_models'\nclass Order"), vars(module))
    return module


def repository(source: ModuleType, text: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class that is generated for a model, with the model of ``source``."""
    monkeypatch.setitem(sys.modules, "stale_models", source)
    made: dict[str, Any] = {"__name__": "generated.order_repository"}
    exec(text, made)
    return made["OrderRepository"]


def test_a_stale_repository_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where fields, columns or queries of the model came, went or changed, nothing is read or written by guess."""
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
        ):
            with pytest.raises(GenerationError, match=r"Order was changed, .*: run `btmodel generate`"):
                repository(after, text, monkeypatch)(db)
    running.stop()


def test_a_connection_of_the_other_kind_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A repository takes a connection of its own kind, and says which."""
    from examples.generated.quote_repository import AsyncQuoteRepository

    running = local_server.start()
    monkeypatch.setenv("BIGTABLE_EMULATOR_HOST", running.host)
    with bt.connect("projects/p/instances/stale") as db, pytest.raises(TypeError, match="connect_async"):
        AsyncQuoteRepository(db)  # type: ignore[arg-type]
    running.stop()
