"""Wrong declarations of what lies in many cells, in timestamps, and in keys that follow from others."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest

import btmodel as bt
from btmodel.errors import DeclarationError

F = bt.family("f", gc=bt.keep_all())
G = bt.family("g", gc=bt.keep_all(), aggregate="sum")
TEXT = bt.Text(max_length=9)
HERE = re.escape(__file__) + r":\d+: "


def model(
    body: dict[str, Any], annotations: dict[str, Any], bases: tuple[type, ...] = (bt.Model,), **settings: Any
) -> type:
    """The class ``Wrong`` with a key and a column, and what else is given."""
    good = {"name": bt.key(bt.Text(width=3), cardinality=9), "f": F, "g": G}
    good["plain"] = bt.column("plain", F, default=None)
    body = {"__module__": __name__, "__qualname__": "Wrong", **good, **body}
    body["__annotations__"] = {"name": str, "plain": int | None, **annotations}
    made: type = type(bt.Model)("Wrong", bases, body, **{"table": "wrong", **settings})  # type: ignore[misc]
    return made


def one(value: Any, annotation: Any, **settings: Any) -> type:
    """The model with the attribute ``value``."""
    return model({"value": value}, {"value": annotation}, **settings)


def untyped(value: Any, **settings: Any) -> type:
    """The model with the attribute ``value``, which has no annotation."""
    return model({"value": value}, {}, **settings)


def day(**settings: Any) -> dict[str, Any]:
    """The parts of a model of buckets of a day."""
    return {"day": bt.key(bt.DateText()), **settings}


def of_days(value: Any, annotation: Any, **settings: Any) -> type:
    """The model with the attribute ``value``, whose rows are days."""
    return model(day(value=value), {"day": date, "value": annotation}, bucket="day", **settings)


def slots(every: Any = "1h", qualifier: Any = "%H", **more: Any) -> Any:
    """Slots of an hour."""
    return bt.slots(F, every=every, qualifier=qualifier, **more)


LAST = bt.key(bt.PaddedInt(2), default=None)
LETTER: Any = bt.derived(TEXT, "name", by=lambda name: name[:1])
OLD = bt.max_age(days=1)
OLD_SUMS, OLD_CELLS = bt.family("s", gc=OLD, aggregate="sum"), bt.family("o", gc=OLD | bt.max_versions(1))
WRONG: list[tuple[str, Callable[[], object], str]] = [
    ("counter that is collected", lambda: model({"s": OLD_SUMS, "value": bt.counter("v", OLD_SUMS)}, {"value": int | None}), r"Wrong\.value: a counter lies at timestamp 0, in 1970, and the rule of its family 's' .* or count spans of time by themselves, with every=\"1h\""),
    ("timestamp 0 that is collected", lambda: model({"o": OLD_CELLS, "value": bt.column("v", OLD_CELLS)}, {"value": int}, timestamp=0), r"Wrong\.value: with timestamp=0 it lies at timestamp 0"),
    ("key without None", lambda: one(LAST, int), r"Wrong\.value: with default=None expected the annotation int \| None, got int"),
    ("key not last", lambda: model({"value": LAST, "end": bt.key(TEXT)}, {"value": int | None, "end": str}), r"Wrong\.value: only the last field of a key"),
    ("key not in front of a constant", lambda: model({"value": LAST, "end": bt.constant("x")}, {"value": int | None}), r"Wrong\.value: only the last field of a key"),
    ("key without delimiter", lambda: one(bt.key(bt.Text(max_length=3, min_length=0), default=None), str | None, delimiter=""), r"Wrong\.value: a field that may be left out needs a delimiter"),
    ("key with two defaults", lambda: bt.key(TEXT, default="x", default_factory=str), HERE + "key: expected either default="),  # type: ignore[call-overload]
    ("key with no function", lambda: bt.key(TEXT, default_factory="x"), HERE + "key: default_factory: expected a function"),  # type: ignore[call-overload]
    ("key with a shared default", lambda: bt.key(TEXT, default=[]), HERE + "key: default: expected a value that rows can share"),  # type: ignore[call-overload]
    ("key with a mirror and None", lambda: bt.key(TEXT, default=None, mirror="f:x"), HERE + "key: a field that rows may lack has no mirror"),  # type: ignore[call-overload]
    ("bucket that may be left out", lambda: model({"day": bt.key(bt.DateText(), default=None), "value": bt.history("h", F)}, {"day": date | None, "value": bt.History[int]}, bucket="day"), r"Wrong\.day: every row has its bucket"),
    ("derived of nobody", lambda: untyped(bt.salt("nobody", buckets=2)), r"Wrong\.value is made from 'nobody', which is no key field or column that every row has \(those are: name\)"),
    ("derived of an optional column", lambda: untyped(bt.salt("plain", buckets=2)), r"Wrong\.value is made from 'plain', which is no"),
    ("derived of itself", lambda: untyped(bt.salt("value", buckets=2)), r"Wrong\.value is made from 'value', which is no"),
    ("derived of a history", lambda: model({"value": bt.salt("h", buckets=2), "h": bt.history("h", F)}, {"h": bt.History[int]}), r"Wrong\.value is made from 'h', which is no"),
    ("derived values that do not fit", lambda: untyped(bt.derived(bt.PaddedInt(1), "name", by=len, values=(1, 10))), r"Wrong\.value: values: expected a whole number from 0 to 9, got 10"),
    ("derived values with the delimiter", lambda: untyped(bt.derived(TEXT, "name", by=str, values=("a", "b#"))), r"Wrong\.value: values: expected values that do not contain the delimiter '#', got 'b#'"),
    ("derived values that run into the delimiter", lambda: untyped(bt.derived(TEXT, "name", by=str, values=("a", "b#"), ends="##")), r"Wrong\.value: values: expected values that do not contain the delimiter '##', got 'b#'"),
    ("derived values that run into the delimiter of the class", lambda: untyped(bt.derived(TEXT, "name", by=str, values=("b#",)), delimiter="##"), r"Wrong\.value: values: expected values that"),
    ("an end of a number", lambda: bt.key(TEXT, ends=5), HERE + "key: ends: expected a delimiter, text or bytes, got 5"),  # type: ignore[call-overload]
    ("an end that is no UTF-8", lambda: bt.key(TEXT, ends="\ud800"), HERE + "key: ends: expected a delimiter"),
    ("a constant's end of a number", lambda: bt.constant("x", ends=5), HERE + "constant: ends: expected a delimiter, text or bytes, got 5"),  # type: ignore[arg-type]
    ("a salt's end of a number", lambda: bt.salt("name", buckets=2, ends=5), HERE + "derived: ends: expected a delimiter, text or bytes, got 5"),  # type: ignore[arg-type]
    ("a digest's end of a number", lambda: bt.digest("name", ends=5), HERE + "derived: ends: expected a delimiter, text or bytes, got 5"),  # type: ignore[arg-type]
    ("an end of the last field", lambda: one(bt.key(TEXT, ends=":"), str), r"Wrong\.value: ends= is the delimiter between a field and the next one, and no field follows this one"),
    ("an end of the last salt", lambda: untyped(bt.salt("name", buckets=2, ends=":")), r"Wrong\.value: ends= is the delimiter between a field"),
    ("an optional field behind no delimiter", lambda: model({"kind": bt.constant("x", ends=""), "value": bt.key(bt.Text(max_length=3, min_length=0), default=None)}, {"value": str | None}), r"Wrong\.value: a field that may be left out needs a delimiter"),
    ("derived without values", lambda: bt.derived(TEXT, "name", by=len, values=()), HERE + "derived: expected each value once, and at least one"),
    ("derived values twice", lambda: bt.derived(TEXT, "name", by=len, values=("a", "a")), HERE + "derived: expected each value once"),
    ("derived values that are none", lambda: bt.derived(TEXT, "name", by=len, values=5), HERE + "derived: expected all values that there are, got 5"),  # type: ignore[arg-type]
    ("derived values without a hash", lambda: bt.derived(TEXT, "name", by=len, values=([1], [1])), HERE + "derived: expected each value once"),
    ("derived without a codec", lambda: bt.derived(str, "name", by=len), HERE + "derived: expected a key codec"),  # type: ignore[arg-type]
    ("derived of nothing", lambda: bt.derived(TEXT, by=len), HERE + "derived: expected the names of the attributes"),
    ("derived of a number", lambda: bt.derived(TEXT, 5, by=len), HERE + "derived: expected the names of the attributes"),  # type: ignore[arg-type]
    ("derived by no function", lambda: bt.derived(TEXT, "name", by=5), HERE + "derived: by: expected a function of name, got 5"),  # type: ignore[arg-type]
    ("salt of one bucket", lambda: bt.salt("name", buckets=1), HERE + "salt: expected at least 2 buckets, got 1"),
    ("salt of half buckets", lambda: bt.salt("name", buckets=2.5), HERE + "salt: expected at least 2 buckets"),  # type: ignore[arg-type]
    ("salt of nothing", lambda: bt.salt(buckets=2), HERE + "derived: expected the names of the attributes"),
    ("digest of no bytes", lambda: bt.digest("name", size=0), HERE + "digest: expected a size of 1 to 32 bytes, got 0"),
    ("digest of too many bytes", lambda: bt.digest("name", size=33), HERE + "digest: expected a size of 1 to 32 bytes, got 33"),
    ("slots without a bucket", lambda: one(slots(), bt.Slots[int]), r"Wrong\.value: slots are those of a time bucket: give the model one"),
    ("slots of an uneven length", lambda: of_days(slots("7h"), bt.Slots[int]), r"Wrong\.value: slots '%H' of a day: expected an even part of a day"),
    ("slots of no length", lambda: of_days(slots("often"), bt.Slots[int]), r"Wrong\.value: every: expected a length of time such as '15min'"),
    ("slots of a number", lambda: of_days(slots(15), bt.Slots[int]), r"Wrong\.value: every: expected a length of time"),
    ("slots of too few names", lambda: of_days(slots("15min"), bt.Slots[int]), r"Wrong\.value: slots '%H' of a day: expected the minute, %M, once"),
    ("slots named by a number", lambda: of_days(slots(qualifier=5), bt.Slots[int]), r"Wrong\.value: slots 5 of a day: expected a format"),
    ("slots annotated as a history", lambda: of_days(slots(), bt.History[int]), r"Wrong\.value: expected the annotation Slots\[\.\.\.\]"),
    ("slots that are optional", lambda: of_days(slots(), bt.Slots[int] | None), r"Wrong\.value: expected the annotation Slots\[\.\.\.\]"),
    ("slots of another codec", lambda: of_days(slots(codec=bt.Utf8()), bt.Slots[int]), r"Wrong\.value: .* holds str, but the annotation says int"),
    ("slots without a family", lambda: bt.slots("f", every="1h", qualifier="%H"), HERE + "slots: expected a family.*, got 'f'"),  # type: ignore[arg-type]
    ("mapping annotated as a set", lambda: one(bt.mapping(F, TEXT), set[str]), r"Wrong\.value: expected the annotation dict\[\.\.\., \.\.\.\]"),
    ("mapping of one type", lambda: one(bt.mapping(F, TEXT), dict), r"Wrong\.value: expected the annotation dict\[\.\.\., \.\.\.\]"),
    ("mapping of other names", lambda: one(bt.mapping(F, TEXT), dict[int, int]), r"Wrong\.value: qualifiers: .* holds str, but the annotation says int"),
    ("mapping of another codec", lambda: one(bt.mapping(F, TEXT, codec=bt.Utf8()), dict[str, int]), r"Wrong\.value: .* holds str, but the annotation says int"),
    ("mapping with a default", lambda: one(bt.mapping(F, TEXT), dict[str, int] | None), r"Wrong\.value: expected the annotation dict"),
    ("mapping without names", lambda: bt.mapping(F, bt.Utf8()), HERE + "mapping: expected a codec of qualifiers such as Text.*, got Utf8"),  # type: ignore[call-overload]
    ("members without names", lambda: bt.members(F, None), HERE + "members: expected a codec of qualifiers .* got None"),  # type: ignore[arg-type]
    ("members with a wrong prefix", lambda: bt.members(F, TEXT, prefix=5), HERE + "members: expected a prefix, text or bytes, got 5"),  # type: ignore[arg-type]
    ("members annotated as a list", lambda: one(bt.members(F, TEXT), list[str]), r"Wrong\.value: expected the annotation set\[\.\.\.\]"),
    ("members of other names", lambda: one(bt.members(F, TEXT), set[int]), r"Wrong\.value: qualifiers: .* holds str, but the annotation says int"),
    ("marks annotated as a set", lambda: one(bt.marks(F, TEXT), set[str]), r"Wrong\.value: expected the annotation History\[\.\.\.\]"),
    ("marks of other names", lambda: one(bt.marks(F, TEXT), bt.History[int]), r"Wrong\.value: qualifiers: .* holds str"),
    ("marks in words", lambda: bt.marks("f", TEXT, prefix="x"), HERE + "marks 'x': expected a family.*, got 'f'"),  # type: ignore[arg-type]
    ("histories of numbers", lambda: one(bt.histories(F, TEXT), dict[str, int]), r"Wrong\.value: expected the annotation dict\[\.\.\., History\[\.\.\.\]\]"),
    ("histories of times", lambda: one(bt.histories(F, TEXT), dict[str, bt.Timed[int]]), r"Wrong\.value: expected the annotation dict\[\.\.\., History\[\.\.\.\]\]"),
    ("a mapping of histories", lambda: one(bt.mapping(F, TEXT), dict[str, bt.History[int]]), r"Wrong\.value: expected bt\.histories\(\.\.\.\) for the annotation dict\[str, .*History\[int\]\]"),
    ("times of numbers", lambda: one(bt.timed(F, TEXT), dict[str, int]), r"Wrong\.value: expected the annotation dict\[\.\.\., Timed\[\.\.\.\]\]"),
    ("times of other names", lambda: one(bt.timed(F, TEXT), dict[int, bt.Timed[int]]), r"Wrong\.value: qualifiers: .* holds str"),
    ("times of other values", lambda: one(bt.timed(F, TEXT, codec=bt.Int64()), dict[str, bt.Timed[str]]), r"Wrong\.value: .* holds int, but the annotation says str"),
    ("times without names", lambda: bt.timed(F, "x"), HERE + "timed: expected a codec of qualifiers"),  # type: ignore[arg-type]
    ("times of entries and of the row's end", lambda: model({"value": bt.timed(F, TEXT), "end": bt.expires()}, {"value": dict[str, bt.Timed[int]], "end": datetime}), r"Wrong\.value: expected columns, mappings and sets alone"),
    ("two that begin alike", lambda: model({"a": bt.members(F, TEXT), "b": bt.members(F, TEXT, prefix="b")}, {"a": set[str], "b": set[str]}), HERE + r"Wrong\.b: its columns cannot be distinguished from those of 'a'"),
    ("a prefix of a prefix", lambda: model({"a": bt.members(F, TEXT, prefix="xy"), "b": bt.mapping(F, TEXT, prefix="x")}, {"a": set[str], "b": dict[str, int]}), r"Wrong\.b: its columns cannot be distinguished from those of 'a'"),
    ("counter of spans without every=", lambda: one(bt.counter("n", G), bt.History[int]), r"Wrong\.value: expected every=, such as every=\"1h\", for a counter of each span of time, .*int \| None for one number"),
    ("counter of entries by another function", lambda: one(bt.counter("n", G), dict[str, int]), r"Wrong\.value: expected bt\.counters\(\.\.\.\), a number for each entry, for the annotation dict\[str, int\]"),
    ("counters that are one number", lambda: one(bt.counters(G, TEXT), int | None), r"Wrong\.value: expected the annotation dict\[\.\.\., \.\.\.\]"),
    ("counters of text", lambda: one(bt.counters(G, TEXT), dict[str, str]), r"Wrong\.value: .* holds int, but the annotation says str"),
    ("counters without names", lambda: bt.counters(G, "x"), HERE + "counters: expected a codec of qualifiers .*, got 'x'"),  # type: ignore[arg-type]
    ("counters that are collected", lambda: model({"s": OLD_SUMS, "value": bt.counters(OLD_SUMS, TEXT)}, {"value": dict[str, int]}), r"Wrong\.value: a counter lies at timestamp 0, in 1970, .*: leave the age out of the rule$"),
    ("counter that is never None", lambda: one(bt.counter("n", G), int), r"Wrong\.value: expected the annotation int \| None of a counter, got int"),
    ("counter of spans that is a number", lambda: one(bt.counter("n", G, every="1h"), int | None), r"Wrong\.value: expected the annotation History\[\.\.\.\]"),
    ("counter of spans of text", lambda: one(bt.counter("n", G, every="1h"), bt.History[str]), r"Wrong\.value: .* holds int, but the annotation says str"),
    ("counter of no length", lambda: one(bt.counter("n", G, every="often"), bt.History[int]), r"Wrong\.value: every: expected a length of time such as '15min' .*got 'often'"),
    ("counter of spans in a bucket", lambda: model({"day": bt.key(bt.DateText()), "value": bt.counter("n", G, every="1h")}, {"day": date, "value": bt.History[int]}, bucket="day"), r"Wrong\.value: every: expected a model without bucket="),
    ("spans that are collected before their end", lambda: model({"s": OLD_SUMS, "value": bt.counter("v", OLD_SUMS, every="1day")}, {"value": bt.History[int]}), r"Wrong\.value: the age of a count is that of the start of its span, 1day before the end, .*keep counts for longer than 1day"),
    ("counter of text", lambda: one(bt.counter("n", G), str | None), r"Wrong\.value: .* holds int, but the annotation says str"),
    ("aggregate of nothing", lambda: bt.family("g", aggregate="mean"), HERE + "family 'g': aggregate: expected one of sum, .*got 'mean'"),
    ("two timestamps", lambda: model({"a": bt.timestamp(), "b": bt.timestamp()}, {"a": datetime, "b": datetime}), "Wrong: expected one timestamp of the plain cells"),
    ("timestamp twice", lambda: one(bt.timestamp(), datetime, timestamp=0), "Wrong: expected one timestamp of the plain cells"),
    ("timestamp of a date", lambda: one(bt.timestamp(), date), r"Wrong\.value: expected the annotation datetime"),
    ("timestamp without None", lambda: one(bt.timestamp(default=None), datetime), r"Wrong\.value: expected the annotation datetime, or datetime \| None with default=None"),
    ("timestamp with None", lambda: one(bt.timestamp(), datetime | None), r"Wrong\.value: expected the annotation datetime"),
    ("timestamp with a default", lambda: bt.timestamp(default=0), HERE + "timestamp: the only default is None"),  # type: ignore[call-overload]
    ("timestamp of a text", lambda: model({}, {}, timestamp="name"), "Wrong: timestamp: expected the name of a key field that is a datetime, got 'name'"),
    ("timestamp of nobody", lambda: model({}, {}, timestamp="nobody"), "Wrong: timestamp: expected the name of a key field"),
    ("timestamp of a column", lambda: one(bt.column("v", F), datetime, timestamp="value"), "Wrong: timestamp: expected the name of a key field"),
    ("timestamp of a number", lambda: model({}, {}, timestamp=5), "Wrong: timestamp: expected the name of a time of the row, or 0, got 5"),
    ("timestamp of False", lambda: model({}, {}, timestamp=False), "Wrong: timestamp: expected the name of a time of the row, or 0, got False"),
    ("timestamp without a plain cell", lambda: model({"plain": bt.history("h", F), "at": bt.timestamp()}, {"plain": bt.History[int], "at": datetime}), r"Wrong\.at: no plain cell could hold it"),
    ("timestamp in a bucket", lambda: model(day(h=bt.history("h", F), at=bt.timestamp()), {"day": date, "h": bt.History[int], "at": datetime}, bucket="day"), r"Wrong\.at: a row of a bucket begins with its first event"),
]  # fmt: skip


@pytest.mark.parametrize(("declare", "message"), [one[1:] for one in WRONG], ids=[one[0] for one in WRONG])
def test_a_wrong_declaration_is_refused_by_name(declare: Callable[[], object], message: str) -> None:
    """A wrong declaration is one DeclarationError that says where it stands, what was expected and what came."""
    with pytest.raises(DeclarationError, match=message) as refused:
        declare()
    assert all(f"{__file__}:" in line for line in str(refused.value).splitlines())


def test_the_class_that_the_wrong_ones_are_made_of_is_right() -> None:
    """What the table of wrong declarations is built on is itself a good model."""
    assert bt.schema_of(model({}, {})).key.shape == "{name}"
    assert bt.schema_of(untyped(LETTER)).key.shape == "{name}#{value}"
    assert len(bt.schema_of(of_days(slots(), bt.Slots[int])).series) == 1
    both = {"a": bt.members(F, TEXT, prefix="a"), "b": bt.members(F, TEXT, prefix="b")}
    assert len(bt.schema_of(model(both, {"a": set[str], "b": set[str]})).columns) == 3
