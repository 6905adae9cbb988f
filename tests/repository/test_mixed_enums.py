"""Enums whose members are also text, numbers or flags: in each place of a row, they come back from every form of an export."""

import csv
import io
import json
from collections.abc import Callable
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import btmodel as bt
from btmodel.columnar import ArrowFields, rows_of
from btmodel.declare import Fields as Values
from btmodel.declare import codec_of
from btmodel.declare.row_forms import from_text
from btmodel.repository.row_texts import json_text
from btmodel.testing import instances


class Word(StrEnum):
    """Members that are text."""

    NEW = "new"
    PAID = "paid"


class OldWord(str, Enum):  # noqa: UP042  # what it is about
    """The same, as it was written before StrEnum."""

    NEW = "n"
    PAID = "p"


class Raw(bytes, Enum):
    """Members that are bytes."""

    ONE = b"\x01"
    TWO = b"\x02\xff"


class Level(IntEnum):
    """Members that are numbers."""

    LOW = 1
    HIGH = 20


class Share(float, Enum):
    """Members that are floats."""

    HALF = 0.5
    ALL = 1.0


class Right(IntFlag):
    """Flags that are numbers."""

    READ = 1
    WRITE = 2


class Plain(Flag):
    """Flags that are no numbers."""

    READ = 1
    WRITE = 2


class Mixed(bt.Model, table="mixed", events="1/s", allow={"KEY006": "every kind of member"}):
    """Members of every kind of enum, in each place."""

    word: Word = bt.key(bt.EnumText(Word))
    old_word: OldWord = bt.key(bt.EnumText(OldWord))

    f = bt.family("f", gc=bt.max_versions(1))
    text: Word = bt.column("a", f)
    old_text: OldWord | None = bt.column("b", f, default=None)
    raw: Raw | None = bt.column("c", f, default=None)
    level: Level | None = bt.column("d", f, default=None)
    share: Share | None = bt.column("e", f, default=None)
    right: Right | None = bt.column("g", f, default=None)
    plain: Plain | None = bt.column("h", f, default=None)
    listed: list[Word] | None = bt.column("i", f, default=None)
    rights: list[Right] | None = bt.column("j", f, default=None)
    e = bt.family("e", gc=bt.max_age(days=3))
    texts: bt.History[Word] = bt.history("a", e)
    old_texts: bt.History[OldWord] = bt.history("b", e)
    raws: bt.History[Raw] = bt.history("c", e)
    levels: bt.History[Level] = bt.history("d", e)
    many_rights: bt.History[Right] = bt.history("e", e)
    m = bt.family("m", gc=bt.max_versions(1))
    words: dict[Word, OldWord] = bt.mapping(m, bt.EnumText(Word))
    n = bt.family("n", gc=bt.max_versions(1))
    numbered: dict[OldWord, Right] = bt.mapping(n, bt.EnumText(OldWord))
    s = bt.family("s", gc=bt.max_versions(1))
    members: set[Word] = bt.members(s, bt.EnumText(Word))
    t = bt.family("t", gc=bt.max_age(days=3))
    histories: dict[OldWord, bt.History[Level]] = bt.histories(t, bt.EnumText(OldWord))

    every = bt.query(scan="the tests")


SCHEMA = bt.schema_of(Mixed)


def by_arrow(row: Mixed) -> Mixed:
    """As a record batch."""
    [values] = rows_of(SCHEMA, ArrowFields.of(SCHEMA, None, None).of_rows([row]))
    assert isinstance(values, dict), values
    return Mixed(**values)


def by_parquet(row: Mixed) -> Mixed:
    """In a file of Parquet."""
    file = io.BytesIO()
    pq.write_table(pa.Table.from_batches([ArrowFields.of(SCHEMA, None, None).of_rows([row])]), file)
    [values] = rows_of(SCHEMA, pq.read_table(file))
    assert isinstance(values, dict), values
    return Mixed(**values)


def by_lines(row: Mixed) -> Mixed:
    """As a line of JSON."""
    return bt.from_dict(Mixed, json.loads(json.dumps(bt.to_dict(row, json=True))), json=True)


def by_csv(row: Mixed) -> Mixed:
    """As a record of CSV."""
    file = io.StringIO()
    given = bt.to_dict(row, json=True)
    csv.writer(file).writerow(map(json_text, given.values()))
    [record] = csv.reader(io.StringIO(file.getvalue()))
    fields = zip(given, record, strict=True)
    return bt.from_dict(Mixed, {name: from_text(Mixed, name, text) for name, text in fields if text})


@pytest.mark.parametrize("way", [by_arrow, by_parquet, by_lines, by_csv])
@given(row=instances(Mixed, rights=st.none() | st.lists(st.sampled_from(Right))))
@settings(max_examples=15)
def test_members_come_back_as_the_same_bytes(way: Callable[[Mixed], Mixed], row: Mixed) -> None:
    """Also of flags that stand together, or of none."""
    back = way(row)
    codec = codec_of(Mixed)
    assert codec.encode(Values(back), 0) == codec.encode(Values(row), 0)


@pytest.mark.parametrize("right", [Right(0), Right.READ | Right.WRITE, Right(8)])
@pytest.mark.parametrize("way", [by_arrow, by_parquet, by_lines, by_csv])
def test_flags_come_back(way: Callable[[Mixed], Mixed], right: Right) -> None:
    """None of them, both, and one that has no name."""
    row = Mixed(word=Word.NEW, old_word=OldWord.NEW, text=Word.NEW, right=right, rights=[right])
    assert way(row).right == right
    assert way(row).rights == [right]


def test_what_is_no_member_is_refused() -> None:
    """The message names the value, and what the model takes."""
    batch: Any = ArrowFields.of(SCHEMA, None, None).of_rows(
        [Mixed(word=Word.NEW, old_word=OldWord.NEW, text=Word.NEW)]
    )
    at = batch.schema.get_field_index("text")
    wrong = batch.set_column(at, "text", pa.array(["OLD"]))
    [refused] = rows_of(SCHEMA, wrong)
    assert "Mixed.text: expected a value of string, as exports of the model have it, got 'OLD'" in str(
        refused
    )
