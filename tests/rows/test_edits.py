"""Edits of rows, as mutations that no server has seen yet."""

from typing import Any

import pytest
from schemas import key_of, model_of

from btmodel.codecs.cell import DecimalText, Int64, Raw, Utf8
from btmodel.codecs.key import PaddedInt, Text
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import Add, Append, Delete, Edits, Increment, Mutation, ReadModifyWrite, RowCodec
from btmodel.schema import Aggregate, Column, Family, MaxVersions, Shape

NAMES = Text(max_length=3)
COLUMNS = (
    Column("size", "f", b"s", Int64(), False),
    Column("told", "f", b"t", DecimalText(), False),
    Column("name", "f", b"n", Utf8(), True),
    Column("rest", "f", b"", Utf8(), False, shape=Shape.MAPPING, names=NAMES),
    Column("tags", "o", b"", Raw(), False, shape=Shape.MEMBERS, names=NAMES),
    Column("likes", "c", b"l", Int64(), False, shape=Shape.COUNTER),
    Column("hates", "c", b"h", Int64(), False, shape=Shape.COUNTER),
)
FAMILIES = (
    Family("f", MaxVersions(1)),
    Family("o", MaxVersions(1)),
    Family("c", MaxVersions(1), Aggregate.SUM),
)
MODEL = model_of(key_of(PaddedInt(3)), families=FAMILIES, columns=COLUMNS)
EDITS = Edits(MODEL, RowCodec(MODEL, lambda values, unknown: values).columns)
KEY = b"001"


def test_edits_name_the_cells_that_they_change() -> None:
    """Each edit is the change of the service that it stands for, and of no other cell."""
    assert EDITS.increment(KEY, "size", -5) == ReadModifyWrite("t", KEY, [Increment("f", b"s", -5)])
    assert EDITS.extend(KEY, "name", "é") == ReadModifyWrite("t", KEY, [Append("f", b"n", "é".encode())])
    added = EDITS.add(KEY, {"likes": 1, "hates": -2})
    assert added == Mutation("t", KEY, adds=[Add("c", b"l", 0, 1), Add("c", b"h", 0, -2)])
    cleared = EDITS.clear(KEY, ["size", "tags", "likes"])
    assert cleared.deletes == [Delete("f", b"s"), Delete("o"), Delete("c", b"l")]
    removed = EDITS.remove(KEY, {"tags": ["a", "b"], "rest": ["c"]})
    assert removed.deletes == [Delete("o", b"a"), Delete("o", b"b"), Delete("f", b"c")]


def test_no_entry_is_removed_that_is_another_column() -> None:
    """An entry whose qualifier is that of a declared column is refused: its cell is not the mapping's."""
    with pytest.raises(ValueRefused, match=r"Row.rest: wanted a name that is not the qualifier of another"):
        EDITS.remove(KEY, {"rest": ["c", "n"]})


@pytest.mark.parametrize(
    ("edit", "arguments", "told"),
    [
        (EDITS.increment, ("told", 1), r"Row.told: only 64-bit big-endian .*; wanted one of size$"),
        (EDITS.increment, ("k0", 1), r"Row: only 64-bit big-endian .*; wanted one of size, got 'k0'$"),
        (EDITS.extend, ("size", "a"), r"Row.size: only text and bytes .*; wanted one of name$"),
        (EDITS.add, ({"size": 1},), r"Row.size: only counters .*; wanted one of likes, hates$"),
        (EDITS.clear, (["name"],), r"Row.name: no row can be without it; wanted one of size, told, rest"),
        (EDITS.clear, (["rest"],), r"Row.rest: it shares its family 'f'"),
        (EDITS.remove, ({"size": [1]},), r"Row.size: only mappings and sets .*; wanted one of rest, tags$"),
        (EDITS.add, ({},), "Row: add: wanted something to add, got nothing"),
        (EDITS.clear, ([],), "Row: clear: wanted something to clear, got nothing"),
        (EDITS.remove, ({},), "Row: remove: wanted something to remove, got nothing"),
    ],
)
def test_what_a_column_cannot_do_is_refused(edit: Any, arguments: tuple[Any, ...], told: str) -> None:
    """The message says which column, why not, and which ones can."""
    with pytest.raises(QueryRefused, match=told):
        edit(KEY, *arguments)
