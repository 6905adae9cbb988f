"""Rows that the client wrote to a server, read with the generated SQL by Google's implementation of GoogleSQL."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.declare.model import key_of
from btmodel.testing import instances
from examples.friends import Person
from examples.generated.city_repository import CityRepository
from examples.generated.person_repository import PersonRepository
from examples.generated.quote_repository import QuoteRepository
from examples.generated.trade_repository import TradeRepository
from examples.market import Quote, Trade
from examples.places import City
from tests.codegen.googlesql_engine import in_bigtable, run
from tests.codegen.sql_files import as_sql_has_it, text_of

REPOSITORIES: list[tuple[type[bt.Model], Any]] = [
    (Quote, QuoteRepository),
    (Trade, TradeRepository),
    (City, CityRepository),
    (Person, PersonRepository),
]


def newest(db: bt.Database, table: str) -> dict[bytes, dict[str, dict[bytes, bytes]]]:
    """The newest value of each column of each row, by key, family and qualifier."""
    rows: dict[bytes, dict[str, dict[bytes, bytes]]] = {}
    for key, cells in db.cells(table):
        row = rows.setdefault(key, {})
        for cell in cells:
            row.setdefault(cell.family, {}).setdefault(cell.qualifier, cell.value)
    return rows


@pytest.mark.parametrize(("model", "repository"), REPOSITORIES)
@given(data=st.data())
@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_sql_reads_the_rows_that_the_client_wrote(
    database: Callable[..., bt.Database], model: type[bt.Model], repository: Any, data: st.DataObject
) -> None:
    """Each column of each row is the attribute's value, or what is stored, where a comment says so."""
    db, schema = database(model), bt.schema_of(model)
    written = {key_of(row): row for row in data.draw(st.lists(instances(model), min_size=1, max_size=8))}
    repository(db).put_many(written.values())
    text = text_of(schema)
    families = [family.id for family in schema.families]
    found = {
        row["_key"]: row for row in run(in_bigtable(schema.table, newest(db, schema.table), families, text))
    }
    assert found.keys() >= written.keys()
    noted = {
        line.split(" AS `")[1].split("`")[0]
        for line in text.splitlines()
        if "  -- " in line and " AS `" in line
    }
    for key, row in written.items():
        for name in found[key].keys() - noted - {"_key"}:
            assert found[key][name] == as_sql_has_it(found[key][name], getattr(row, name)), name
