"""The code of docs/engines.md reads a table with workers of each engine."""

import importlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import btmodel as bt
from btmodel import server as local_server
from btmodel.emulator import VARIABLE
from examples.generated.quote_repository import QuoteRepository
from examples.market import Quote, made_up_quotes

ROOT = Path(__file__).parents[2]
ROWS = sorted(made_up_quotes(2_000), key=bt.key_of)
SUM = sum(row.bid_size or 0 for row in ROWS)


@pytest.fixture(scope="module")
def server() -> Iterator[local_server.RunningServer]:
    """The local server alone: the machine of Spark keeps the environment with which it began."""
    with local_server.start() as running:
        yield running


@pytest.fixture
def read(migrated: Any, served: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """All rows of a table, and the module with the code of the page, which workers can import."""
    code = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "engines.md").read_text(), re.DOTALL)
    (tmp_path / "page.py").write_text("\n".join(code).replace("projects/P/instances/I", served))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    sys.modules.pop("page", None)
    migrated(Quote)
    with bt.connect(served) as db:
        quotes = QuoteRepository(db)
        quotes.put_many(ROWS)
        yield quotes.by_symbol(["NASDAQ", "NYSE"], ["ZXZZT", "IBM"])


def page() -> Any:
    return importlib.import_module("page")


def parts(read: Any) -> list[bytes]:
    """Parts of the read; several, as 64 MiB would be one."""
    import pickle

    # A server that knows keys between the rows has divided them already, and what is left of a part may have none.
    halves = [half for part in read.parts() for half in part.split() or [part]]
    found = [pickle.dumps(quarter) for half in halves for quarter in half.split() or [half]]
    assert len(found) >= 3
    assert page().parts_of(read)
    return found


def test_spark_reads_all_rows(read: Any) -> None:
    """Once each, in its own workers."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = (
        builder.config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    try:
        frame = page().spark_frame(spark, parts(read))
        assert frame.count() == len(ROWS)
        assert frame.agg({"bid_size": "sum"}).collect()[0][0] == SUM
    finally:
        spark.stop()


def test_ray_reads_all_rows(read: Any) -> None:
    """Once each, in its own workers."""
    import ray

    environment = {VARIABLE: os.environ[VARIABLE], "PYTHONPATH": os.environ["PYTHONPATH"]}
    ray.init(
        num_cpus=2,
        include_dashboard=False,
        _node_ip_address="127.0.0.1",
        runtime_env={"env_vars": environment},
    )
    try:
        tables = page().ray_tables(parts(read))
    finally:
        ray.shutdown()
    assert sum(one.num_rows for one in tables) == len(ROWS)
    assert sum(sum(one.column("bid_size").drop_null().to_pylist()) for one in tables) == SUM


def test_dask_reads_all_rows(read: Any) -> None:
    """Once each, in processes."""
    frame = page().dask_frame(parts(read))
    assert len(frame) == len(ROWS)
    assert frame["bid_size"].sum().compute(scheduler="processes", num_workers=2) == SUM


def test_what_was_read_is_written_again(read: Any, served: str) -> None:
    """With the same bytes, however often."""
    module = page()
    with bt.connect(served) as db:
        before = list(db.cells("QUOTE"))
        table = read.to_arrow()
        assert module.written(QuoteRepository, 1_000_000, table) == len(ROWS)
        once = list(db.cells("QUOTE"))
        assert module.written(QuoteRepository, 1_000_000, table) == len(ROWS)
        assert list(db.cells("QUOTE")) == once != before
