"""Columns that are many, beside others in their family: SQL shows the entries that Python reads."""

from typing import Any

import pytest

import btmodel as bt
from btmodel.declare import Fields, codec_of
from tests.codegen.googlesql_engine import in_bigtable, run
from tests.codegen.sql_files import text_of


class Mixed(bt.Model, table="mixed"):
    """A catch-all mapping, a mapping and marks with prefixes, and members alone in a family, beside columns and a mirror."""

    name: str = bt.key(bt.Text(max_length=3), mirror="f:name")

    f = bt.family("f", gc=bt.max_versions(1))
    size: int | None = bt.column("size", f, codec=bt.DecimalText(), default=None)
    rest: dict[str, str] = bt.mapping(f, bt.Text(max_length=9))

    g = bt.family("g", gc=bt.max_versions(1))
    total: str | None = bt.column("s:total", g, default=None)
    scores: dict[str, str] = bt.mapping(g, bt.Text(max_length=9), prefix="s:")
    tags: set[str] = bt.members(g, bt.Text(max_length=9), prefix="it's:")

    m = bt.family("m", gc=bt.max_versions(1))
    alone: set[str] = bt.members(m, bt.Text(max_length=9))


ROW = Mixed(
    name="n",
    size=5,
    rest={"a": "1", "siz": "2", "sizes": "3"},
    total="9",
    scores={"x": "4", "tot": "5"},
    tags={"t", "s:x"},
    alone={"u"},
)


@pytest.mark.parametrize("row", [ROW, Mixed(name="o", rest={}, scores={}, tags=set(), alone={"u"})])
def test_a_column_that_is_many_has_its_own_entries_alone(row: Mixed) -> None:
    """Without the cells of columns, mirrors and other prefixes of the same family; empty where there are none."""
    mutation = codec_of(Mixed).encode(Fields(row), 0)
    stored: dict[str, dict[bytes, bytes]] = {}
    for cell in mutation.cells:
        stored.setdefault(cell.family, {})[cell.qualifier] = cell.value
    query = in_bigtable("mixed", {mutation.key: stored}, ["f", "g", "m"], text_of(bt.schema_of(Mixed)))
    [found] = run(query)

    def entries(prefix: str, values: dict[str, str]) -> list[Any]:
        return sorted([(prefix + name).encode(), value.encode()] for name, value in values.items())

    assert found["size"] == row.size
    assert found["total"] == row.total
    assert found["rest"] == entries("", row.rest)
    assert found["scores"] == entries("s:", row.scores)
    assert found["tags"] == entries("it's:", dict.fromkeys(row.tags, ""))
    assert found["alone"] == {name.encode(): b"" for name in row.alone}
