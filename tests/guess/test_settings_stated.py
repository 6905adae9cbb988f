"""What is on in a live table is stated, and nothing else."""

from datetime import timedelta
from pathlib import Path

from attrs import evolve
from google.protobuf.timestamp_pb2 import Timestamp

import btmodel as bt
from btmodel.guess import SampledRow, TableSample
from btmodel.rows import Cell
from btmodel.schema import (
    OFF,
    AuthorizedView,
    Family,
    FamilySubset,
    MaxVersions,
    ModelSchema,
    Table,
    TableSettings,
    TableView,
    tables,
)
from btmodel.schema.key_schema import key_schema_text, row_key_schema
from btmodel.schema.view import bundle_of
from tests.guess.live_tables import changes, declared
from tests.schemas import RowKey

DAY = timedelta(days=1)
FAMILIES = (Family("f", MaxVersions(1)),)
ROWS = tuple(SampledRow(f"{name}\x1fx{name}".encode(), (Cell("f", b"c", 0, b"1"),)) for name in ("ada", "jo"))
ALL_OFF = TableSettings(False, OFF, OFF, OFF, "")


def sample(settings: TableSettings) -> TableSample:
    return TableSample(Table("T", FAMILIES, settings), ROWS, whole=True, said="all were read")


def test_nothing_is_on(tmp_path: Path) -> None:
    """A table without settings is named by its id alone."""
    _, models, text = declared(tmp_path, [sample(ALL_OFF)])
    assert 'table="T"' in text
    assert changes(models, [sample(ALL_OFF).table]) == ()


def test_all_are_on(tmp_path: Path) -> None:
    """Protection and the lengths of time are stated as they are, and change nothing."""
    live = TableSettings(True, 3 * DAY, 30 * DAY, 60 * DAY, "")
    _, models, text = declared(tmp_path, [sample(live)])
    assert 'change_stream="3day"' in text
    assert changes(models, [sample(live).table]) == ()
    [table] = tables(map(bt.schema_of, models))
    assert table.settings == TableSettings(True, 3 * DAY, 30 * DAY, 60 * DAY)


def test_a_row_key_schema_names_the_fields(tmp_path: Path) -> None:
    """Where the key is the one that the schema tells of, its names are taken, and the schema is stated."""
    guesses, _, _ = declared(tmp_path, [sample(ALL_OFF)])
    guessed = guesses[0].models[0].schema
    live = TableSettings(False, OFF, OFF, OFF, schema_text(guessed, "tenant", "user_id"))
    guesses, models, text = declared(tmp_path, [sample(live)])
    assert guesses[0].models[0].schema.key.shape == r"{tenant}\x1f{user_id}"
    assert 'bt.table("T", row_key_schema=True)' in text
    assert changes(models, [sample(live).table]) == ()


def test_a_row_key_schema_of_another_key_is_left_out(tmp_path: Path) -> None:
    """Where it is another one, that is said, and nothing is stated."""
    other = '{"encoding": {"singleton": {}}, "fields": [{"fieldName": "k", "type": {"bytesType": {}}}]}'
    live = TableSettings(False, OFF, OFF, OFF, other)
    guesses, models, text = declared(tmp_path, [sample(live)])
    assert guesses[0].undeclared == ("its row key schema is not that of the key as it was guessed",)
    assert "# Table T: left out: its row key schema" in text
    assert changes(models, [sample(live).table]) == ()


def schema_text(model: ModelSchema, *names: str) -> str:
    """The row key schema of the model's key, with these names of its fields."""
    fields = tuple(evolve(one, name=name) for one, name in zip(model.key.fields, names, strict=True))
    schema, _ = row_key_schema([evolve(model, key=RowKey(fields, model.key.delimiter))])
    assert schema is not None
    return key_schema_text(schema)


def test_what_a_table_has_besides_is_named(tmp_path: Path) -> None:
    """Views and schema bundles that no guessed model can declare are named, each with what would declare it."""
    view = AuthorizedView("ACME", (b"acme#",), (FamilySubset("f", (b"elsewhere",)),))
    parts = {
        "authorized": (view,),
        "bundles": (bundle_of("B", [Timestamp]),),
        "views": (TableView("V", "SELECT 1"),),
    }
    found = sample(ALL_OFF)
    guesses, _, text = declared(tmp_path, [evolve(found, table=evolve(found.table, **parts))])
    assert [why.partition(":")[0] for why in guesses[0].undeclared] == [
        "materialized view 'V'",
        "authorized view 'ACME' shows rows acme#... with f",
        "schema bundle 'B' is there",
    ]
    words = " ".join(text.replace("#", " ").split())
    assert "declare the columns of google.protobuf.Timestamp with bt.Protobuf(...)" in words
