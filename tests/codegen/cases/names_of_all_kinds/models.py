"""Names that meet those of the generated module, of Python, and of one another; long ones, and others than ASCII."""

import builtins
import datetime as dt
import decimal
from enum import Enum

import btmodel as bt


class Literal(Enum):
    """A type with the name of one that generated code uses."""

    ONE = "one"
    TWO = "two"


class Rows(bt.Model, table="rows", events="1/day"):
    """A model with the name of a class of the runtime; attributes with the names of types, and of parameters."""

    str: builtins.str = bt.key(bt.Text(max_length=9), cardinality=10)
    only: dt.date = bt.key(bt.DateText(), cardinality=10)
    progress: Literal = bt.key(bt.EnumText(Literal), cardinality=2)
    n: builtins.int = bt.key(bt.PaddedInt(4), cardinality=10)
    date: dt.date = bt.key(bt.DateText())

    d = bt.family("d", gc=bt.max_versions(1))
    m = bt.family("m", gc=bt.max_versions(1))
    c = bt.family("c", gc=bt.max_versions(1), aggregate="sum")
    int: builtins.int | None = bt.column("i", d, default=None)
    row: dt.date | None = bt.column("r", d, default=None)
    datetime: dt.datetime | None = bt.column("t", d, default=None)
    values: decimal.Decimal | None = bt.column("v", d, default=None)
    expected: bytes | None = bt.column("e", d, default=None)
    columns: set[dt.date] = bt.members(m, bt.DateText())
    key: decimal.Decimal | None = bt.column("k", d, default=None)
    by: builtins.int | None = bt.counter("b", c)

    Decimal = bt.query("str", "only", "progress", "n", between="date")
    type = bt.query("str", "only")


class Asked(bt.Model):
    """What models whose names hide something are asked for."""

    k: str = bt.key(bt.Text(max_length=9), cardinality=10)
    day: dt.date = bt.key(bt.DateText())

    d = bt.family("d", gc=bt.max_versions(1))
    v: int | None = bt.column("v", d, default=None)

    found = bt.query("k", between="day")


class start(Asked, table="start"):
    """A model with the name of a parameter."""


class model(Asked, table="model"):
    """A model with the name of an attribute of its repository."""


class get(bt.Model, table="get"):
    """A model with the name of a method; its key has those of the methods of tuples."""

    count: int = bt.key(bt.PaddedInt(4), cardinality=10)
    index: str | None = bt.key(bt.Text(max_length=9), default=None)

    d = bt.family("d", gc=bt.max_versions(1))
    value: int | None = bt.column("v", d, default=None)

    numbered = bt.query("count")


class __Kind(Enum):
    """A type with a name that Python makes another one of inside of classes."""

    ONE = "one"
    TWO = "two"


OfKind = __Kind


class _Kind(bt.Model, table="kind_{_env}"):
    """A model with the name that the type above could have instead."""

    kind = bt.constant("kind")
    one: OfKind = bt.key(bt.EnumText(OfKind), cardinality=2)

    d = bt.family("d", gc=bt.max_versions(1))
    v: int | None = bt.column("v", d, default=None)


class AsyncRows(bt.Model, table="long"):
    """Names that fill lines; says \"\"\"so\"\"\" in a line that is longer than any line of code is made, and ends with a "quote\""""

    the_organisation_that_it_belongs_to_in_the_end: str = bt.key(bt.Text(max_length=9), cardinality=10)
    größe_in_metern: int = bt.key(bt.PaddedInt(4), cardinality=10)
    at_the_time_of_the_last_of_all_its_measurements: dt.datetime = bt.key(bt.EpochMillis())

    d = bt.family("d", gc=bt.max_versions(1))
    m = bt.family("m", gc=bt.max_versions(1))
    what_it_was_called_by_those_who_have_measured_it: str | None = bt.column("a", d, default=None)
    what_it_was_called_by_those_who_have_only_seen_it: bytes | None = bt.column("b", d, default=None)
    how_often_it_was_measured_and_found_to_be_too_small: int | None = bt.column("c", d, default=None)
    those_who_have_measured_it_by_their_number: dict[int, str] = bt.mapping(m, bt.PaddedInt(4), prefix="a")
    those_who_have_only_seen_it_by_their_number: set[str] = bt.members(m, bt.Text(max_length=4), prefix="b")

    of_one = bt.query(
        "the_organisation_that_it_belongs_to_in_the_end",
        "größe_in_metern",
        between="at_the_time_of_the_last_of_all_its_measurements",
    )


class ModelWithANameThatFillsMostOfALineOfCode(bt.Model, table="longest"):
    """A long name."""

    a: str = bt.key(bt.Text(max_length=9), cardinality=10)
    d = bt.family("d", gc=bt.max_versions(1))
    b: str | None = bt.column("b", d, default=None)


class Any(bt.Model, table="bucket", bucket="day", events="24/day"):
    """A bucket whose events have attributes with the names of types."""

    date: builtins.str = bt.key(bt.Text(max_length=9), cardinality=10)
    day: dt.date = bt.key(bt.DateText())

    d = bt.family("d", gc=bt.keep_all())
    datetime: bt.History[builtins.str] = bt.history("t", d)
    float: bt.History[builtins.int] = bt.history("f", d)
    str: bt.History[builtins.str] = bt.history("s", d)
