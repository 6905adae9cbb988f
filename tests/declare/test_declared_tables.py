"""``table=bt.table(...)``: settings and renamings, read from declarations; wrong ones refused where they stand."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.errors import DeclarationError
from btmodel.schema import Table, TableSettings, tables
from btmodel.schema.key_schema import row_key_schema
from btmodel.schema.model import OFF, UNSTATED

DAY = timedelta(days=1)


def declared(table: Any, codec: Any = None, families: tuple[Any, ...] = (), **other: Any) -> type[bt.Model]:
    """A model of one key field with one column, in ``table``."""
    first = families[0] if families else bt.family("f", gc=bt.keep_all())
    body: dict[str, Any] = {
        "__module__": __name__,
        "__qualname__": "Made",
        "__annotations__": {"name": str, "value": int},
        "name": bt.key(codec or bt.Text(max_length=3), cardinality=9),
        "value": bt.column("v", first),
        **{f"f{number}": family for number, family in enumerate(families or (first,))},
    }
    made: type[bt.Model] = type(bt.Model)("Made", (bt.Model,), body, table=table, **other)  # type: ignore[misc]
    return made


def table_of(*models: type[bt.Model]) -> Table:
    (found,) = tables(bt.schema_of(model) for model in models)
    return found


def test_settings_reach_the_table() -> None:
    """What is stated is the table's, whichever model states it; the rest stays unstated; False and zero are off."""
    full = bt.table(
        "T",
        deletion_protection=True,
        change_stream=3 * DAY,
        automated_backups="30d",
        tiered_storage="60day",
    )
    wanted = TableSettings(True, 3 * DAY, 30 * DAY, 60 * DAY)
    assert table_of(declared(full)).settings == wanted
    assert table_of(declared("T"), declared(full)).settings == wanted
    assert table_of(declared(bt.table("T"))) == table_of(declared("T"))
    assert table_of(declared("T")).settings == UNSTATED
    off = bt.table(
        "T", deletion_protection=False, change_stream=False, automated_backups=OFF, tiered_storage=False
    )
    assert table_of(declared(off)).settings == TableSettings(False, OFF, OFF, OFF)


def test_a_row_key_schema_is_made_of_all_models() -> None:
    """It is the text of the schema that the keys have; False states that there is none."""
    one = declared(bt.table("T", row_key_schema=True))
    text = table_of(one, declared("T")).settings.row_key_schema
    assert text is not None
    assert json.loads(text) == row_key_schema([bt.schema_of(one)])[0]
    assert table_of(declared(bt.table("T", row_key_schema=False))).settings.row_key_schema == ""
    with pytest.raises(DeclarationError, match=r"row_key_schema: Made states one, Made states none"):
        table_of(one, declared(bt.table("T", row_key_schema=False)))


def test_a_row_key_schema_that_cannot_be() -> None:
    """A key that Bigtable's encodings do not read has none, and the error says which field, of whichever model."""
    with pytest.raises(
        DeclarationError,
        match=r"'T', row_key_schema: Bigtable's encodings .* Made\.name: .*read as a part of the value",
    ):
        table_of(declared(bt.table("T", row_key_schema=True)), declared("T", bt.Text(width=3)))


def test_a_model_whose_own_key_has_no_schema_is_refused_where_it_asks_for_one() -> None:
    """By its class: the field, why, and what to do."""
    with pytest.raises(
        DeclarationError,
        match=r"Made: row_key_schema=True: .* the key \{name\}: Made\.name: .*padded.*; change these fields, or leave",
    ):
        declared(bt.table("T", row_key_schema=True), bt.Text(width=3))


@pytest.mark.parametrize(
    ("codecs", "delimiter", "why"),
    [
        ((bt.OrderedInt(), bt.Text(max_length=3)), "\0\1", "Two.a: it may hold bytes 00"),
        ((bt.Text(max_length=3), bt.OrderedInt()), "\0\1", "Two.b: it may hold bytes 00"),
        ((bt.Bytes(width=3), bt.Text(max_length=3)), "\0\1", "Two.a: it may hold bytes 00"),
        ((bt.Text(max_length=3), bt.EscapedText(3)), "\0\1", "Two.b: it has an end of its own"),
        ((bt.Text(max_length=3), bt.Text(max_length=3)), "\0\1", None),
        ((bt.EscapedText(3, min_length=1), bt.Text(max_length=3)), "", None),
        ((bt.OrderedInt(), bt.Text(max_length=3)), "#", None),
    ],
)
def test_a_key_that_looks_like_ordered_code_is_ordered_code(
    codecs: tuple[Any, Any], delimiter: str, why: str | None
) -> None:
    """A delimiter of 00 01 between fields that the service would write in other bytes is refused, unless no schema is meant."""

    def two(table: Any) -> type[bt.Model]:
        one, other = codecs
        body: dict[str, Any] = {
            "__module__": __name__,
            "__qualname__": "Two",
            "__annotations__": {"a": one.python_type, "b": other.python_type, "value": int},
            "a": bt.key(one, cardinality=9, sequential=False),
            "b": bt.key(other, cardinality=9, sequential=False),
            "f": (family := bt.family("f", gc=bt.keep_all())),
            "value": bt.column("v", family),
        }
        made: type[bt.Model] = type(bt.Model)("Two", (bt.Model,), body, table=table, delimiter=delimiter)  # type: ignore[misc]
        return made

    assert two(bt.table("T", row_key_schema=False))
    if why is None:
        assert two("T")
        return
    with pytest.raises(DeclarationError, match=f"the delimiter 00 01 is what .*{why}.*row_key_schema=False"):
        two("T")


def test_models_of_one_table_state_the_same() -> None:
    """Two values of one setting are refused by its name."""
    with pytest.raises(
        DeclarationError, match=r"table 'T', change_stream: Made states 3 days.*states 0:00:00"
    ):
        table_of(declared(bt.table("T", change_stream="3d")), declared(bt.table("T", change_stream=False)))


def test_a_table_that_is_named_at_run_time_has_settings() -> None:
    """They go with the name; models of tables that are written as plain text and as bt.table are the same."""
    model = declared(bt.table("S_{day}", change_stream="1d", row_key_schema=False))
    (found,) = tables([bt.schema_of(model, day="7")])
    assert (found.id, found.settings) == ("S_7", TableSettings(change_stream=DAY, row_key_schema=""))


@pytest.mark.parametrize("day", ["", None, 7])
def test_a_name_that_is_completed_with_nothing_is_refused(day: Any) -> None:
    """A table or a family is not called after an empty text, which is what a setting that is not there gives."""
    for model in (declared("S_{day}"), declared("S", families=(bt.family("f{day}", gc=bt.keep_all()),))):
        with pytest.raises(bt.ValueRefused, match=r"day: expected text that is not empty, got"):
            bt.schema_of(model, day=day)


def test_what_was_renamed() -> None:
    """A table and a family say what they were called, in one of several models or in all; it changes no equality."""
    moved = bt.family("new", gc=bt.keep_all(), renamed_from="old")
    plain = bt.family("new", gc=bt.keep_all())
    for models in (
        (declared(bt.table("T", renamed_from="OLD"), families=(moved,)), declared("T", families=(plain,))),
        (declared("T", families=(plain,)), declared(bt.table("T", renamed_from="OLD"), families=(moved,))),
    ):
        found = table_of(*models)
        assert (found.renamed_from, found.families[0].renamed_from) == ("OLD", "old")
        assert found.families == (bt.schema_of(models[0]).families[0],)


RENAMED = bt.table("T", renamed_from="OLD")
OTHERS: list[tuple[Callable[[], object], str]] = [
    (
        lambda: tables(bt.schema_of(one) for one in (declared(RENAMED), declared("OLD"))),
        r"table 'T': renamed_from: 'OLD' is also declared, so it was not renamed",
    ),
    (
        lambda: tables(
            bt.schema_of(one) for one in (declared(RENAMED), declared(bt.table("U", renamed_from="OLD")))
        ),
        r"table 'U': renamed_from: 'T' takes over 'OLD' already",
    ),
    (
        lambda: table_of(declared(RENAMED), declared(bt.table("T", renamed_from="OLDER"))),
        r"table 'T': Made renames it from 'OLD' and Made renames it from 'OLDER'",
    ),
    (
        lambda: table_of(
            *(declared("T", families=(bt.family("f", gc=bt.keep_all(), renamed_from=id),)) for id in "ab")
        ),
        r"table 'T', family 'f': Made renames it from 'a', Made from 'b'",
    ),
    (
        lambda: declared(
            "T",
            families=(
                bt.family("f", gc=bt.keep_all()),
                bt.family("g", gc=bt.keep_all(), renamed_from="f"),
            ),
        ),
        r"Made: table 'T', family 'g': renamed_from: 'f' is also declared",
    ),
    (
        lambda: declared(
            "T", families=tuple(bt.family(id, gc=bt.keep_all(), renamed_from="old") for id in "fg")
        ),
        r"family 'g': renamed_from: 'f' takes over 'old' already",
    ),
    (
        lambda: declared(bt.table("T_{day}", renamed_from="OLD")),
        r"Made: renamed_from: a table that is named at run time \(day\) is made when",
    ),
]


@pytest.mark.parametrize(("declare", "message"), OTHERS)
def test_renamings_that_cannot_have_been(declare: Callable[[], object], message: str) -> None:
    """Nothing takes over what is declared still, nothing is taken over twice, and nobody says two names of one thing."""
    with pytest.raises(DeclarationError, match=message):
        declare()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": 5}, ": expected its id as text, got 5"),
        ({"deletion_protection": "yes"}, "deletion_protection: expected True or False, got 'yes'"),
        ({"deletion_protection": 1}, "deletion_protection: expected True or False, got 1"),
        ({"row_key_schema": "{}"}, "row_key_schema: expected True or False, got '{}'"),
        (
            {"change_stream": True},
            r"change_stream: expected a length of time \(1d to 7d\), or False for none, got Tr",
        ),
        (
            {"change_stream": 7},
            r"change_stream: expected a length of time \(1d to 7d\), or False for none, got 7",
        ),
        ({"change_stream": "8d"}, "change_stream: expected 1d to 7d, or False for none, got '8d'"),
        ({"change_stream": "23h"}, "change_stream: expected 1d to 7d, or False for none, got '23h'"),
        ({"change_stream": "soon"}, "change_stream: expected a length of time such as '15min'"),
        ({"change_stream": -DAY}, "change_stream: expected 1d to 7d"),
        ({"automated_backups": 2 * DAY}, "automated_backups: expected 3d to 90d"),
        ({"automated_backups": "91d"}, "automated_backups: expected 3d to 90d, or False for none, got '91d'"),
        ({"tiered_storage": "29d"}, "tiered_storage: expected 30d or more, or False for none, got '29d'"),
        ({"tiered_storage": timedelta.max}, "tiered_storage: expected 30d or more"),
        ({"renamed_from": "T"}, "renamed_from: expected the id that it had before, got its own"),
        (
            {"renamed_from": "a b"},
            r"renamed_from: expected the id that it had \(1 to 50 letters.*, got 'a b'",
        ),
        ({"renamed_from": "S_{day}"}, "renamed_from: expected the id that it had"),
        ({"renamed_from": 5}, "renamed_from: expected the id that it had"),
    ],
)
def test_wrong_settings(given: dict[str, Any], message: str) -> None:
    """Each is refused where it stands, with the setting, what was expected and what came."""
    with pytest.raises(DeclarationError, match=rf"test_declared_tables\.py:\d+: table.*{message}"):
        bt.table(**{"id": "T", **given})


@pytest.mark.parametrize("former", ["f", "a b", "", "{day}", 5])
def test_wrong_former_ids_of_families(former: Any) -> None:
    """A family was called otherwise, and by the id of a family."""
    with pytest.raises(
        DeclarationError, match=r"\.py:\d+: family 'f': renamed_from: expected the id that it had"
    ):
        bt.family("f", gc=bt.keep_all(), renamed_from=former)


@given(st.timedeltas(DAY, 7 * DAY), st.timedeltas(3 * DAY, 90 * DAY), st.timedeltas(30 * DAY, 10_000 * DAY))
def test_all_lengths_in_the_ranges(stream: timedelta, backups: timedelta, cold: timedelta) -> None:
    """Every length of time within what the service takes can be stated, to the microsecond."""
    found = bt.table("T", change_stream=stream, automated_backups=backups, tiered_storage=cold).settings
    assert (found.change_stream, found.automated_backups, found.tiered_storage) == (stream, backups, cold)
