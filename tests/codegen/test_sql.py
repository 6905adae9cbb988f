"""The SQL, parsed, and run by Google's implementation of GoogleSQL; Bigtable and BigQuery cannot be run offline."""

import base64
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from btmodel_codegen import generate
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot import exp

import btmodel as bt
from btmodel.codecs import cell as cells
from btmodel.codecs.cell import CellCodec, Utf8
from btmodel.codecs.key import Constant, Text
from btmodel.rows import RowKeyCodec
from btmodel.schema import Column, Family, KeyField, ModelSchema, RowKey
from btmodel.schema.limits import FAMILY_ID, TABLE_ID
from btmodel.sql import bytes_, comment, identifier, part_of_key, string
from tests.codegen.golden import case, load
from tests.codegen.googlesql_engine import Families, in_bigquery, in_bigtable, run
from tests.codegen.sql_files import (
    as_sql_has_it,
    column_of,
    fields_of,
    options_of,
    properties,
    selects,
    text_of,
    view_of,
)
from tests.codegen.sql_parsed import expression, path, paths, raw_of, statements
from tests.schemas import RandomKey, model_of, random_keys

# A query takes a tenth of a second.
few = settings(max_examples=40)


def ordered(models: list[ModelSchema]) -> list[ModelSchema]:
    """The models whose tables are known, in the order of the files."""
    return sorted((one for one in models if not one.parameters), key=lambda one: (one.module, one.name))


def ids(model: ModelSchema) -> list[str]:
    """The ids of the families of a model."""
    return [family.id for family in model.families]


@given(random=random_keys(), seed=st.integers(0, 2**32))
@few
def test_sql_takes_every_key_apart_as_the_codec_does(random: RandomKey, seed: int) -> None:
    """Of whatever key: where SQL finds a field, its bytes are the field's; of one that a row lacks it has NULL."""
    found = {part.name: part_of_key(random.key, part, "_key") for part in random.key.fields}
    columns = ["_key", *(f"{sql} AS {name}" for name, sql in found.items() if sql is not None)]
    rows: dict[bytes, Families] = {raw: {} for raw in random.rows(seed, 20)}
    query = in_bigtable("t", rows, (), f"SELECT {', '.join(columns)} FROM t")
    codec = RowKeyCodec(random.model)
    for row in run(query):
        parts = {part.name: piece for part, piece in codec.split(row.pop("_key"))}
        assert row == {name: parts.get(name) for name in row}


@given(random=random_keys(), seed=st.integers(0, 2**32))
@few
def test_a_select_shows_the_values_of_a_key_or_what_is_stored(random: RandomKey, seed: int) -> None:
    """Every column of a field is its value, or, with a note, its text or its bytes; and it is of the model's rows."""
    rows = random.rows(seed, 20)
    cells: dict[bytes, Families] = {raw: {} for raw in rows}
    found = {
        row["_key"]: row
        for row in run(in_bigtable(random.model.table, cells, ids(random.model), text_of(random.model)))
    }
    assert set(found) == set(rows)
    codec = RowKeyCodec(random.model)
    for raw, values in rows.items():
        for part, piece in codec.split(raw):
            if part.name in found[raw] and part.asked:
                shown = found[raw][part.name]
                # Of a bucket, the number of it is stored.
                number = [int(piece)] if piece.isdigit() else []
                stored = [piece, piece.decode(errors="replace"), *number]
                assert shown == as_sql_has_it(shown, values[part.name]) or shown in stored


@given(
    random=random_keys(),
    keys=st.lists(st.binary(min_size=1, max_size=12) | st.text("09#-a é").map(str.encode)),
)
@few
def test_no_row_makes_a_query_fail(random: RandomKey, keys: list[bytes]) -> None:
    """Of rows that are none of the model's, some columns are NULL; the query is answered all the same."""
    cells: dict[bytes, Families] = {raw: {} for raw in keys}
    assert len(run(in_bigtable(random.model.table, cells, ids(random.model), text_of(random.model)))) <= len(
        cells
    )


def names(model: ModelSchema) -> list[str]:
    """The columns that a SELECT must have: the fields that SQL finds, then the attributes; no two alike."""
    key = [
        part.name
        for part in model.key.fields
        if part.constant is None and part_of_key(model.key, part, "k") is not None
    ]
    return [*key, *(column.name for column in model.columns)]


def assert_names(select: exp.Select, first: str, wanted: list[str]) -> None:
    """The columns have the expected names, in order; a second one that SQL takes for the same has a number."""
    found = [one.alias_or_name for one in select.expressions]
    assert len({name.casefold() for name in found}) == len(found)
    assert found[0] == first
    assert [
        name if name == want else re.sub("_[0-9]+$", "", name)
        for name, want in zip(found[1:], wanted, strict=True)
    ] == wanted


def assert_queries(models: list[ModelSchema]) -> None:
    """``tables.sql`` has a SELECT for each model, with its columns, from its table."""
    for model, select in zip(ordered(models), selects(models), strict=True):
        assert_names(select, "_key", names(model))
        source = select.args["from_"].this
        assert ".".join(part.name for part in source.parts) == model.table
        families = {family.id for family in model.families} | {"_key"}
        assert paths(select) <= families
        qualifiers = {
            raw_of(one.expressions[0])
            for one in select.find_all(exp.Bracket)
            if isinstance(one.expressions[0], exp.ByteString)
        }
        assert qualifiers == {column.qualifier for column in model.columns if not column.open}


def assert_external_tables(models: list[ModelSchema]) -> None:
    """``tables.bigquery.sql`` has a table of each model's cells, and a view on it that uses its fields alone."""
    [text] = generate(models, ["bigquery"]).values()
    pairs = statements(text)
    for model, external, view in zip(ordered(models), pairs[::2], pairs[1::2], strict=True):
        assert isinstance(external, exp.Create)
        assert isinstance(view, exp.Create)
        kinds = [type(one) for one in properties(external)]
        assert exp.ExternalProperty in kinds
        [uris] = [
            one.args["value"] for one in properties(external) if getattr(one.this, "name", "") == "uris"
        ]
        [uri] = uris.expressions
        assert uri.this == (
            "https://googleapis.com/bigtable/projects/${PROJECT}/instances/${INSTANCE}/tables/" + model.table
        )
        assert view.kind == "VIEW"
        assert external.args["replace"]
        assert view.args["replace"]
        assert view.expression.args["from_"].this.parts == external.this.parts
        assert_names(view.expression, "rowkey", names(model))
        assert_fields(model, options_of(external), view.expression)


def assert_fields(model: ModelSchema, found: dict[str, Any], view: exp.Select) -> None:
    """The options name every column of the model that is one, and the view reads those fields alone."""
    assert found["readRowkeyAsString"] is False
    known = {"rowkey"}
    qualifiers = set()
    for family in found["columnFamilies"]:
        known.add(f"{family['familyId']}.column")
        fields = [column["fieldName"] for column in family["columns"]]
        assert len({field.lower() for field in [*fields, "column"]}) == len(fields) + 1
        for column in family["columns"]:
            assert re.fullmatch("[A-Za-z][A-Za-z0-9_]*", column["fieldName"])
            ends = "cell.value" if column["onlyReadLatest"] else "cell"
            known.add(f"{family['familyId']}.{column['fieldName']}.{ends}")
            raw = base64.b64decode(column.get("qualifierEncoded", ""))
            qualifiers.add((family["familyId"], column.get("qualifierString", "").encode() or raw))
    assert qualifiers == {(one.family, one.qualifier) for one in model.columns if not one.open}
    assert paths(view) <= known


@case
def test_the_queries_have_the_columns_of_the_models(folder: Path) -> None:
    """A SELECT for each model: its columns in order, from its table, of its families and qualifiers."""
    assert_queries([one for one in load(folder) if not one.view])


@case
def test_the_external_tables_have_the_columns_of_the_models(folder: Path) -> None:
    """An external table for each model with the fields of its columns, and a view that reads those alone."""
    assert_external_tables([one for one in load(folder) if not one.view])


AWKWARD = st.text("'\"`\\${}#-/* \n\r\téa\0\u2028%;,") | st.text()
# sqlglot takes the dots of a quoted name for those of a path, which says the same but of empty parts.
FAMILIES = st.from_regex(FAMILY_ID.pattern, fullmatch=True).filter(lambda id: "" not in id.split("."))
TABLES = st.from_regex(TABLE_ID.pattern, fullmatch=True).filter(lambda id: "" not in id.split("."))
IDENTIFIERS = st.from_regex("[A-Za-zé_][A-Za-z0-9_é]{0,5}", fullmatch=True)


@st.composite
def awkward_models(draw: st.DrawFn) -> ModelSchema:
    """A model whose texts are as awkward as can be."""
    attributes = draw(st.lists(IDENTIFIERS, min_size=2, max_size=6, unique=True))
    family = draw(FAMILIES)
    qualifiers = draw(
        st.lists(
            st.binary(min_size=1, max_size=6)
            | st.just(b"a'''b")
            | st.text("'$\\\"`{}P", min_size=1).map(str.encode),
            min_size=len(attributes),
            max_size=len(attributes),
            unique=True,
        )
    )
    columns = tuple(
        Column(name, family, qualifier, draw(_codecs()), required=False)
        for name, qualifier in zip(attributes[1:], qualifiers, strict=False)
    )
    printable = st.text("'\"`\\${}#-/* éa%;,", min_size=1, max_size=6)
    key = RowKey(
        (KeyField("constant", Constant(draw(printable))), KeyField(attributes[0], Text(max_length=9))),
        draw(st.sampled_from([b"#", b"'", b"\\", b"\n", b"`", b"\xff", b"$"])),
    )
    model = model_of(key, families=(Family(family, bt.max_versions(1)),), columns=columns)
    return evolve(model, doc=draw(AWKWARD), table=draw(TABLES))


def _codecs() -> st.SearchStrategy[CellCodec[Any]]:
    words = st.lists(AWKWARD, min_size=2, max_size=2, unique=True)
    return st.just(Utf8()) | words.map(lambda pair: cells.FlagText(*pair)) | st.just(cells.Int64())


@given(model=awkward_models())
def test_no_text_breaks_out_of_the_sql(model: ModelSchema) -> None:
    """Whatever the names, texts and bytes, each file parses to the statements it should have."""
    assert_queries([model])
    assert_external_tables([model])
    [text] = generate([model], ["bigquery"]).values()
    assert set(re.findall(r"\$\{?\w+\}?", text)) <= {
        "${PROJECT}", "${INSTANCE}", "${DATASET}", "$PROJECT", "$INSTANCE", "$DATASET"
    }  # fmt: skip


@given(model=awkward_models(), data=st.data())
@few
def test_awkward_texts_say_what_they_should(model: ModelSchema, data: st.DataObject) -> None:
    """Whatever the names, texts and bytes, both files give a row's values."""
    _, name = model.key.fields
    key = RowKeyCodec(model).encode({name.name: "x"})
    given = {one.name: data.draw(_value_of(one.codec)) for one in model.columns}
    [family] = model.families
    raw = {one.qualifier: one.codec.encode(given[one.name]) for one in model.columns}
    [found] = run(in_bigtable(model.table, {key: {family.id: raw}}, [family.id], text_of(model)))
    assert list(found.values()) == [key, "x", *given.values()]
    external, view = view_of(model)
    fields = fields_of(model)[family.id]
    cell = dict(zip(fields, map(_in_bigquery, model.columns, given.values()), strict=True))
    [found] = run(in_bigquery(external, {key: {family.id: cell}}, {family.id: fields}, view))
    assert list(found.values()) == [key, "x", *given.values()]


def _value_of(codec: CellCodec[Any]) -> st.SearchStrategy[Any]:
    if isinstance(codec, cells.FlagText):
        return st.booleans()
    return st.integers(-(2**63), 2**63 - 1) if isinstance(codec, cells.Int64) else st.text()


def _in_bigquery(column: Column, given: Any) -> Any:
    """What an external table makes of a value."""
    return column.codec.encode(given).decode() if isinstance(column.codec, cells.FlagText) else given


@given(text=AWKWARD, raw=st.binary())
def test_literals_say_their_values(text: str, raw: bytes) -> None:
    """A literal of any text or bytes is read as them; a comment of any text is one line."""
    literal = expression(string(text))
    assert isinstance(literal, exp.Literal)
    assert literal.this == text
    found = expression(bytes_(raw))
    assert isinstance(found, exp.ByteString)
    assert raw_of(found) == raw
    assert len(f"-- {comment(text)}".splitlines()) == 1
    assert "$" not in string(text) + comment(text) + bytes_(raw)


@given(name=IDENTIFIERS | FAMILIES)
def test_identifiers_say_their_names(name: str) -> None:
    """A name of Python or of a family is one identifier, whatever words SQL reserves."""
    column = expression(f"{identifier(name)}[b'q']").this
    assert path(column) == name


def test_views_of_one_name_are_refused() -> None:
    """Two models that would give one view are refused by name, not written over each other."""
    model = model_of(RowKey((KeyField("k", Text(max_length=3)),), b"#"), columns=(column_of(Utf8()),))
    with pytest.raises(bt.GenerationError, match=r"two tables or views would be called `\${DATASET}.row`"):
        generate([model, evolve(model, module="elsewhere")], ["bigquery"])


def test_a_family_called_as_the_table_is_still_a_family() -> None:
    """SQL would take the name for the whole row, so the table has another one there."""
    family = Family("f", bt.max_versions(1))
    column = column_of(Utf8())
    model = model_of(
        RowKey((KeyField("k", Text(max_length=3)),), b"#"), families=(family,), columns=(column,)
    )
    for table in ("f", "F", "shop.f"):
        named = evolve(model, table=table)
        [row] = run(in_bigtable(table, {b"k": {"f": {b"q": b"x"}}}, ["f"], text_of(named)))
        assert row["c"] == "x"


class Invoice(bt.Model, table=bt.table("invoices", row_key_schema=True), delimiter=b"\x00\x01"):
    """A key in ordered code, which expressions cannot take apart."""

    tenant: str = bt.key(bt.OrderedCode(bt.Text(max_length=20)))
    number: int = bt.key(bt.OrderedCode(bt.OrderedInt()))

    f = bt.family("f", gc=bt.max_versions(1))
    state: str = bt.column("s", f)


def test_fields_of_a_row_key_schema_are_columns() -> None:
    """Bigtable's SQL has them by their names, where no expression finds them; BigQuery does not know the schema."""
    schema = bt.schema_of(Invoice)
    fields = {"tenant": ("STRING", "'acme'"), "number": ("INT64", "7")}
    [row] = run(
        in_bigtable("invoices", {b"acme\0\1\x87": {"f": {b"s": b"paid"}}}, ["f"], text_of(schema), fields)
    )
    assert (row["tenant"], row["number"], row["state"]) == ("acme", 7, "paid")
    assert "SQL cannot find" not in text_of(schema)
    assert "SQL cannot find tenant in the key: it is no column." in text_of(
        evolve(schema, row_key_schema=None)
    )
    [external] = generate([schema], ["bigquery"]).values()
    assert "SQL cannot find tenant in the key: it is no column." in external


class Lease(bt.Model, table="leases"):
    """A row that ends."""

    task: str = bt.key(bt.Text(max_length=20))
    until: datetime = bt.expires()

    f = bt.family("f", gc=bt.max_age(seconds=1))
    owner: str = bt.column("o", f)


def test_what_lies_in_timestamps_is_said_to_be_no_column() -> None:
    """And rows that have ended are said to be there."""
    for target in ("sql", "bigquery"):
        [text] = generate([bt.schema_of(Lease)], [target]).values()
        assert "-- until is the timestamp of the cells: it is no column." in text
        assert "-- A row that has ended by it is found until the service deletes its cells." in text
