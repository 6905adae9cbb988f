"""Edits of rows, as mutations that no server has seen yet."""

from datetime import UTC, datetime
from typing import Any

import pytest
from attrs import evolve
from schemas import key_of, model_of

from btmodel.codecs.cell import DecimalText, Int64, Raw, Utf8
from btmodel.codecs.key import PaddedInt, Text
from btmodel.errors import QueryRefused, ValueRefused
from btmodel.rows import (
    DELETED,
    Add,
    Append,
    Cell,
    Delete,
    Edits,
    Increment,
    Mutation,
    ReadModifyWrite,
    RowCodec,
    RowEdit,
)
from btmodel.rows.comparisons import IsPresent
from btmodel.rows.conditions import when
from btmodel.rows.serialized import mutations
from btmodel.schema import Aggregate, Column, Family, KeyField, MaxVersions, Mirror, RowKey, Shape

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
EDITS = Edits(MODEL, RowCodec(MODEL, lambda values, unknown: values))
KEY = b"001"
AT = datetime(2020, 1, 1, tzinfo=UTC)


def test_edits_name_the_cells_that_they_change() -> None:
    """Each edit is the change of the service that it stands for, and of no other cell."""
    assert EDITS.increment(KEY, "size", -5) == ReadModifyWrite("t", KEY, [Increment("f", b"s", -5)])
    assert EDITS.extend(KEY, "name", "é") == ReadModifyWrite("t", KEY, [Append("f", b"n", "é".encode())])
    added = EDITS.add({"likes": 1, "hates": -2})
    assert added.changes == (Add("c", b"l", 0, 1), Add("c", b"h", 0, -2))
    cleared = EDITS.clear(["size", "tags", "likes"])
    assert cleared.changes == (Delete("f", b"s"), Delete("o"), Delete("c", b"l"))
    removed = EDITS.remove({"tags": ["a", "b"], "rest": ["c"]})
    assert removed.changes == (Delete("o", b"a"), Delete("o", b"b"), Delete("f", b"c"))


def test_the_steps_of_an_edit_are_one_mutation_in_their_order() -> None:
    """Deletes, then sets, then adds, as most edits are, stay in these parts; what is in another order comes behind."""
    edit = RowEdit(EDITS, {"k0": 1}, KEY)
    steps = [EDITS.clear(["size"]), EDITS.set({}, {"name": "a", "told": 5}), EDITS.add({"likes": 1})]
    for step in steps:
        edit = edit.then(step)
    sets = [Cell("f", b"n", 7_000, b"a"), Cell("f", b"t", 7_000, b"5")]
    ordered = Mutation("t", KEY, sets, [Delete("f", b"s")], [Add("c", b"l", 0, 1)])
    assert edit.mutation(7_000) == ordered
    behind = edit.then(DELETED).then(EDITS.set({}, {"name": "b"}))
    then = (Delete(), Cell("f", b"n", 7_000, b"b"))
    assert behind.mutation(7_000) == evolve(ordered, then=then)
    assert (behind.mutation(0).count, behind.mutation(0).adding, len(list(behind.mutation(0).changes))) == (
        6,
        True,
        6,
    )


def test_an_edit_out_of_order_is_sent_in_its_order() -> None:
    """The bytes of the request hold the changes one after the other, as hand-computed messages."""
    edit = RowEdit(EDITS, {"k0": 1}, KEY).then(EDITS.set({}, {"name": "a"})).then(EDITS.clear(["size"]))
    edit = edit.then(EDITS.set({}, {"told": 5})).then(EDITS.add({"likes": 1}))
    set_name = b"\x0a\x0c" + b"\x0a\x01f" + b"\x12\x01n" + b"\x18\xd8\x36" + b"\x22\x01a"
    set_told = b"\x0a\x0c" + b"\x0a\x01f" + b"\x12\x01t" + b"\x18\xd8\x36" + b"\x22\x015"
    delete = b"\x12\x08" + b"\x0a\x01f" + b"\x12\x01s" + b"\x1a\x00"
    add = b"\x2a\x10" + b"\x0a\x01c" + b"\x12\x03\x42\x01l" + b"\x1a\x02\x48\x00" + b"\x22\x02\x30\x01"
    parts = [b"\x12" + bytes([len(part)]) + part for part in (set_name, delete, set_told, add)]
    assert mutations(edit.mutation(7_000), b"\x12") == b"".join(parts)


def test_no_entry_is_removed_that_is_another_column() -> None:
    """An entry whose qualifier is that of a declared column is refused: its cell is not the mapping's."""
    with pytest.raises(ValueRefused, match=r"Row.rest: expected a name that is not the qualifier of another"):
        EDITS.remove({"rest": ["c", "n"]})


@pytest.mark.parametrize(
    ("edit", "arguments", "told"),
    [
        (EDITS.increment, (KEY, "told", 1), r"Row.told: only 64-bit big-endian .*; expected one of size$"),
        (EDITS.increment, (KEY, "k0", 1), r"Row: only 64-bit big-endian .*; expected one of size, got 'k0'$"),
        (EDITS.extend, (KEY, "size", "a"), r"Row.size: only text and bytes .*; expected one of name$"),
        (EDITS.add, ({"size": 1},), r"Row.size: only counters .*; expected one of likes, hates$"),
        (EDITS.clear, (["name"],), r"Row.name: no row can be without it; expected one of size, told, rest"),
        (EDITS.clear, (["rest"],), r"Row.rest: it shares its family 'f'"),
        (EDITS.remove, ({"size": [1]},), r"Row.size: only mappings and sets .*; expected one of rest, tags$"),
        (
            EDITS.set,
            ({}, {"likes": 1}),
            r"Row.likes: only columns can be set, and counters .*; expected one of size, told",
        ),
        (EDITS.set, ({}, {"name": None}), r"Row.name: no row can be without it; expected one of size, told"),
        (EDITS.set, ({}, {}), "Row: set: expected something to set, got nothing"),
        (EDITS.clear, (["tags"], AT, None), r"Row.tags: clear: only a single column takes a range of times"),
        (EDITS.clear_families, (["g"],), r"Row: clear_family: expected families of f, o, c, got 'g'"),
        (EDITS.clear_families, ([],), "Row: clear_family: expected something to clear_family, got nothing"),
        (EDITS.add, ({},), "Row: add: expected something to add, got nothing"),
        (EDITS.clear, ([],), "Row: clear: expected something to clear, got nothing"),
        (EDITS.remove, ({},), "Row: remove: expected something to remove, got nothing"),
    ],
)
def test_what_a_column_cannot_do_is_refused(edit: Any, arguments: tuple[Any, ...], told: str) -> None:
    """The message says which column, why not, and which ones can."""
    with pytest.raises(QueryRefused, match=told):
        edit(*arguments)


def test_what_repeats_the_key_is_encoded_once() -> None:
    """However many fields are repeated in cells: asking what an edit lacks or loses encodes none of them."""
    encoded: list[Any] = []

    class Counted(Utf8):
        def encode(self, value: str) -> bytes:
            encoded.append(value)
            return super().encode(value)

    fields = tuple(
        KeyField(f"k{at}", Text(width=1), mirror=Mirror("f", b"k%d" % at, Counted())) for at in range(3)
    )
    model = model_of(RowKey(fields, b"#"), families=FAMILIES, columns=COLUMNS)
    edits = Edits(model, RowCodec(model, lambda values, unknown: values))
    values = {"k0": "a", "k1": "b", "k2": "c"}
    edit = RowEdit(edits, values, b"a#b#c").then(edits.set(values, {"name": "x", "size": None}))
    mutation = edit.mutation(1_000)
    assert [cell.qualifier for cell in mutation.changes if isinstance(cell, Cell)][-3:] == [
        b"k0",
        b"k1",
        b"k2",
    ]
    edit.if_there(mutation)
    edit.refuse_beginning(when(model, (IsPresent(),), {}).test)
    assert encoded == ["a", "b", "c"]
