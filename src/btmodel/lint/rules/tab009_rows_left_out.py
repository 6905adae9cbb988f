"""TAB009 rows-left-out: a view whose key does not take every value of a column

What it finds
    A key field of a `bt.Index` or a `bt.Rollup` whose codec refuses values that the column of the table, or its key field, may hold: text that is longer, or that holds the
    delimiter behind the field, numbers out of range, text that is not the value of a member. The rule tries such values with both codecs. It finds nothing where the codec of the
    column refuses them, too, or where its declared `max_size` rules them out.

    Lengths, numbers above a limit, text that is none of an enum, and times before 1970 of what is called by a birthday are a warning. Where the column is no longer than the key can hold, and
    only text with the delimiter or with control characters, empty text or negative numbers are refused, this is information.

Why
    The service makes the row of a view with SQL, and there is no one to give an error to: a row with such a value is written to the table, and is missing from the view without a word. A
    reader of the view never sees it, and a sum does not have it.

Example
    import btmodel as bt


    class Parcel(bt.Model, table="PARCEL"):
        id: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        customer: str = bt.column("c", p)
        weight: int = bt.column("w", p)

        of_id = bt.query("id")


    class ParcelOfCustomer(bt.Index, of=Parcel, view="PARCEL_OF_CUSTOMER"):
        customer: str = bt.key(bt.Text(max_length=20), cardinality=100_000)
        id: str = bt.covered()
        weight: int = bt.covered()

        of_customer = bt.query("customer")

Use instead
    import btmodel as bt


    class Parcel(bt.Model, table="PARCEL"):
        id: str = bt.key(bt.HexDigest(12), cardinality=3_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        customer: str = bt.column("c", p, codec=bt.AsInKey(bt.Text(max_length=20)))
        weight: int = bt.column("w", p)

        of_id = bt.query("id")


    class ParcelOfCustomer(bt.Index, of=Parcel, view="PARCEL_OF_CUSTOMER"):
        customer: str = bt.key(bt.Text(max_length=20), cardinality=100_000, ends="\\0")
        id: str = bt.covered()
        weight: int = bt.covered()

        of_customer = bt.query("customer")

Allow
    Suppress it if the program that writes the table refuses such values itself, or if the view is meant to leave these rows out; say which.

Source
    https://cloud.google.com/bigtable/docs/continuous-materialized-views (a view has the rows that its query gives). That a row is left out whose value does not fit into the key
    is how btmodel writes the query: see docs/views.md.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from attrs import evolve

from btmodel.codecs import meaning_of
from btmodel.codecs.key import AsInKey, EpochMicros, Text
from btmodel.errors import ValueRefused
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, KeyField, ModelSchema, RowKey, View, ViewKind
from btmodel.source_text import written
from btmodel.words import as_text, counted, words

# Words of names of times that are often before 1970, from which on most codecs count.
_EARLY = frozenset(words("birth birthday birthdate born dob founded built"))


class _Tried(NamedTuple):
    """A value that a column may hold, in words: whether programs are likely to write it, and whether that it may be is ``grave``."""

    value: object
    words: str
    likely: bool = True
    grave: bool = True


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each key field of a view that does not take every value of what it is made of."""
    view = model.view
    if view is None or view.source is None:
        return
    copies = dict(view.fields)
    for part in model.key.fields:
        of = _made_of(view.source, copies.get(part.name))
        if of is None or of.codec == part.codec or f"{of.name} = " in view.where:
            continue
        refused = [one for one in _tried(model.key, part, of) if _leaves_out(model.key, part, of, one.value)]
        likely = [one for one in refused if one.likely]
        if not refused:
            continue
        named = " or ".join(dict.fromkeys(one.words for one in likely or refused))
        lost = "in the view" if view.kind is ViewKind.INDEX else "counted in the view"
        yield RULE.finding(
            model,
            f"a row of `{view.source.name}` whose `{of.name}` is {named} is not {lost}",
            why=f"`{of.name}` is {_shown(of.codec)} in `{view.source.name}` and may hold it, and `{part.name}` is {_shown(part.codec)} in the key "
            f"`{model.key.shape}` and cannot: the row is written, and nothing says that it is missing here",
            fix=partial(_ways, model, view, part, of),
            part=part.name,
            at=part.location,
            level=Level.WARNING if any(one.grave for one in likely) else Level.INFO,
        )


def _made_of(source: ModelSchema, name: str | None) -> Column | KeyField | None:
    made: tuple[Column | KeyField, ...] = (*source.key.fields, *source.columns)
    return next((one for one in made if one.name == name), None)


def _leaves_out(key: RowKey, part: KeyField, of: Column | KeyField, value: object) -> bool:
    """Whether the source takes the value, and the key of the view does not."""
    try:
        raw = of.codec.encode(value)
    except ValueRefused:
        return False
    most = of.expected.max_size if isinstance(of, Column) else None
    if most is not None and len(raw) > most:
        return False
    try:
        made = part.codec.encode(_as_in_key(part, value))
    except ValueRefused:
        return True
    return key.blurred(part, made)


def _as_in_key(part: KeyField, value: Any) -> Any:
    """The value as SQL gives it to the key: the value of a member, the day of a time; raises :class:`ValueRefused` where there is none."""
    wanted: Any = part.codec.python_type
    if isinstance(value, wanted) and not (wanted is date and isinstance(value, datetime)):
        return value
    plain = value.value if isinstance(value, Enum) else value
    if issubclass(wanted, Enum):
        if plain not in [member.value for member in wanted]:
            raise ValueRefused(f"the value of a member of {wanted.__name__}", value)
        return wanted(plain)
    if wanted is date and isinstance(plain, datetime):
        return plain.date()
    if wanted is datetime and isinstance(plain, date):
        return datetime(plain.year, plain.month, plain.day, tzinfo=UTC)
    kind: Any = wanted
    return plain if isinstance(plain, wanted) else kind(plain)


def _tried(key: RowKey, part: KeyField, of: Column | KeyField) -> Iterator[_Tried]:
    """Values of the type of the source that a key may refuse."""
    kind: Any = of.codec.python_type
    least, most = part.codec.length.least, part.codec.length.most
    if issubclass(kind, Enum):
        for member in kind:
            yield _Tried(member, f"`{member.value}`")
    elif kind is bool:
        return
    elif issubclass(kind, str):
        yield from _texts(key, part, least, most)
    elif kind is bytes:
        yield _Tried(b"x" * (most + 1), f"longer than {counted(most, 'byte')}")
        if least:
            yield _Tried(b"x" * (least - 1), f"shorter than {counted(least, 'byte')}", likely=least > 1)
    elif kind is int:
        yield _Tried(-1, "negative", grave=False)
        for digits in range(1, 20):
            yield _Tried(10**digits - 1, f"of {counted(digits, 'digit')} or more")
            if _leaves_out(key, part, of, 10**digits - 1):
                return
    elif issubclass(kind, date) and not _EARLY.isdisjoint(map(str.lower, words(of.name))):
        early = datetime(1930, 1, 2, tzinfo=UTC)
        yield _Tried(early if issubclass(kind, datetime) else early.date(), "a time before 1970")


def _texts(key: RowKey, part: KeyField, least: int, most: int) -> Iterator[_Tried]:
    if not isinstance(part.codec, Text):
        # An enum, or digits of one length.
        yield _Tried("~" * most, f"not {meaning_of(part.codec)}")
        return
    yield _Tried("x" * (most + 1), f"longer than {counted(most, 'byte')}")
    if key.refuses_delimiter(part):
        behind = as_text(key.behind(part))
        yield _Tried(behind.rjust(max(least, len(behind)), "x"), f"text with `{behind}` in it", grave=False)
    if least > 1:
        yield _Tried("x" * (least - 1), f"shorter than {counted(least, 'byte')}")
    if part.codec.encoding == "ascii":
        yield _Tried("\u00e9".rjust(max(least, 1), "x"), "text with other characters than those of ASCII")
    yield _Tried("", "empty", likely=False)
    yield _Tried("\n".rjust(max(least, 1), "x"), "text with control characters", likely=False)
    yield _Tried("x ".rjust(max(least, 2), "x"), "text that ends with a space", likely=False)


def _ways(model: ModelSchema, view: View, part: KeyField, of: Column | KeyField) -> Iterator[Fix]:
    """The codec of the source in the key; or a column that refuses what the key cannot hold, with an end that no value holds."""
    source = view.source
    assert source is not None
    inner: Any = of.codec.codec if isinstance(of.codec, AsInKey) else of.codec
    if isinstance(of, KeyField) or isinstance(of.codec, AsInKey):
        for ended in dict.fromkeys((_ended(model.key, part), part)):
            made = evolve(ended, codec=inner)
            yield Fix(
                f"let the key hold it: `{part.name}` with {_shown(inner)}{_end(made, part)}",
                (_with(model, part, made, source),),
            )
    if isinstance(of, Column) and of.codec.python_type is part.codec.python_type:
        codec = _wider(part, of)
        column = evolve(of, codec=AsInKey(EpochMicros() if of.codec.python_type is datetime else codec))
        other = evolve(source, columns=tuple(column if one == of else one for one in source.columns))
        for ended in dict.fromkeys((_ended(model.key, part), part)):
            made = evolve(ended, codec=codec)
            also = "" if codec == part.codec else f", and give `{part.name}` {_shown(codec)}"
            also += (
                f', and end `{part.name}` in the key with a byte that no value holds: `ends="\\0"`'
                if made.ends != part.ends
                else ""
            )
            yield Fix(
                f"let `{source.name}.{of.name}` refuse it when it is written: `codec={written(column.codec)}`{also}",
                (_with(model, part, made, other), other),
                replaced=(source,),
            )
    yield Fix(
        f"declare `{source.name}.{of.name}` with a type and a codec that {_shown(part.codec)} holds all values of, or give `{part.name}` a codec that holds all of them"
    )


def _wider(part: KeyField, of: Column) -> Any:
    """The codec of the key, as long as the longest value that is declared of the column."""
    most = of.expected.max_size
    if isinstance(part.codec, Text) and part.codec.max_length is not None and most:
        return evolve(part.codec, max_length=max(most, part.codec.max_length))
    return part.codec


def _ended(key: RowKey, part: KeyField) -> KeyField:
    return evolve(part, ends=b"\0") if key.refuses_delimiter(part) and part.ends is None else part


def _end(made: KeyField, part: KeyField) -> str:
    return "" if made.ends == part.ends else ' and `ends="\\0"`'


def _with(model: ModelSchema, part: KeyField, made: KeyField, source: ModelSchema) -> ModelSchema:
    """The view with another field in its key, of a table that may have changed."""
    assert model.view is not None
    fields = tuple(made if field == part else field for field in model.key.fields)
    return evolve(model, key=evolve(model.key, fields=fields), view=evolve(model.view, source=source))


def _shown(codec: Any) -> str:
    return f"`{written(codec)}`"


RULE: Rule[ModelSchema] = Rule(
    "TAB009",
    "rows-left-out",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.WARNING, Level.INFO),
)
