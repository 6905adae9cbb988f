"""Row keys and orders of their fields, as rules see them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, permutations, takewhile
from math import prod
from typing import Any, NamedTuple

from attrs import evolve

from btmodel.codecs import key as codecs
from btmodel.codecs.cell import default_codec
from btmodel.codecs.key import Constant, EscapedBytes, EscapedText, Kind, Order, Text
from btmodel.schema import (
    Access,
    Column,
    Derived,
    Expected,
    KeyField,
    ModelSchema,
    Query,
    RowKey,
    Unserved,
    access,
)
from btmodel.schema.limits import NODE_ROW_WRITES
from btmodel.schema.lookup import time_of
from btmodel.words import counted, quoted, words

# Writes a second that a single tablet takes with ease: see the page of KEY001.
WITH_EASE = NODE_ROW_WRITES / 100


# These stand for a text, and for a name of an entry, whose length nothing declares. Each is known by being this very object:
# what is declared is another one.
UNKNOWN_TEXT, UNKNOWN_NAME = Text(width=20), Text(max_length=30)


@cache
def unknown_number() -> "codecs.PaddedInt":  # by name: this module is loaded with every model
    """What stands for a number of which nothing says how small or large it is; it is always the same object, too."""
    return codecs.PaddedInt(18)


def to_fill_in(codec: codecs.KeyCodec[Any]) -> str:
    """What has to be put into a codec that is written out, as a part of a sentence; empty where the declarations say its length."""
    if codec is unknown_number():
        return " where no number is below 0"
    if codec is not UNKNOWN_TEXT and codec is not UNKNOWN_NAME:
        return ""
    return f", with the bytes of the longest value in the place of {codec.length.most}"


def written_with_ease(model: ModelSchema) -> bool:
    """Whether the declared rate is one for a single tablet; a rate that is not declared is taken as high."""
    return model.events is not None and model.events.per_second <= WITH_EASE


def drawn(key: RowKey, fields: Iterable[KeyField | str]) -> str:
    """The key of ``fields``, drawn with the delimiter of ``key``; a str is the name of a column."""
    return RowKey.drawn(
        (f"{{{part}}}", key.delimiter)
        if isinstance(part, str)
        else (RowKey((part,), b"").shape, key.behind(part))
        for part in fields
    )


def single(part: KeyField) -> bool:
    """Whether ``part`` has one value only, so that it sets no rows apart."""
    return part.constant is not None or part.cardinality == 1


def open_ended(key: RowKey, part: KeyField) -> bool:
    """Whether a reader from the left cannot know where ``part`` ends, if more follows."""
    if part.fixed is not None or part.codec.self_ending:
        return False
    behind = key.behind(part)
    if not behind:
        return True
    return part.codec.holds_delimiter and part.codec.alphabet.issuperset(behind)


# Bytes up to which padding costs little (this project's own figure).
_NARROW = 20


class Ending(NamedTuple):
    """A change that gives an open-ended field an end, in words, and the key with it; None where only words say it."""

    text: str
    key: RowKey | None


# A control character that is there to separate units, and that text holds only where a codec takes control characters.
_SEPARATOR = b"\x1f"


def endings(key: RowKey, part: KeyField) -> list[Ending]:
    """The changes that give an open-ended ``part`` an end, the best first: those that let it hold what it holds."""
    codec, width = part.codec, counted(part.codec.length.most, "byte")
    behind = key.behind(part)
    if not behind:
        # Padded values end before their blanks; those of other codecs have no blanks to end before.
        wide = f"give `{part.name}` a fixed width of {width}, or " if isinstance(codec, Text) else ""
        what, argument = (
            ("it from the next field", "ends") if part.ends is not None else ("the fields", "delimiter")
        )
        made = (
            None if codec.holds_delimiter and codec.alphabet.issuperset(b"#") else _separated(key, part, b"#")
        )
        return [Ending(f'{wide}separate {what}: `{argument}="#"`', made)]
    if not isinstance(codec, Text):
        shown = behind.decode(errors="backslashreplace")
        leave = f"leave out the `holds_delimiter` of `{part.name}`, which refuses values with {shown!r}"
        return [Ending(f"{leave}; or write it with a codec of a fixed width of {width}", None)]
    return list(_endings_of_text(key, part, codec, behind))


def _endings_of_text(key: RowKey, part: KeyField, codec: Text, behind: bytes) -> Iterator[Ending]:
    """The endings of a text that holds the delimiter behind it."""
    ended = (
        [part]
        if part.ends is not None
        else [other for other in key.fields if other.ends is None and other.fixed is None]
    )
    if not any(other.codec.alphabet.issuperset(_SEPARATOR) for other in ended):
        argument = "ends" if part.ends is not None else "delimiter"
        which = f"`{part.name}` never holds" if part.ends is not None else "no field holds"
        text = f'separate {"it" if part.ends is not None else "the fields"} by a character that {which}: `{argument}="\\x1f"`'
        yield Ending(text, _separated(key, part, _SEPARATOR))
    if codec.encoding == "utf-8":
        escaped = EscapedText(codec.length.most)
        yield Ending(
            f"encode `{part.name}` as `bt.EscapedText({codec.length.most:_})`, which ends itself",
            swapped(key, part, evolve(part, codec=escaped)),
        )
    if codec.length.most <= _NARROW and not codec.wide:
        padded = evolve(codec, width=codec.length.most, max_length=None, holds_delimiter=False)
        wide = f"give `{part.name}` a fixed width of {counted(codec.length.most, 'byte')}"
        yield Ending(wide, swapped(key, part, evolve(part, codec=padded)))
    shown = behind.decode(errors="backslashreplace")
    yield Ending(
        f"if no value of `{part.name}` holds {shown!r}, leave out its `holds_delimiter`",
        swapped(key, part, evolve(part, codec=evolve(codec, holds_delimiter=False))),
    )


def _separated(key: RowKey, part: KeyField, by: bytes) -> RowKey:
    """The key with another delimiter; with another end of ``part``, where that has one of its own."""
    return evolve(key, delimiter=by) if part.ends is None else swapped(key, part, evolve(part, ends=by))


def closing(key: RowKey, part: KeyField) -> str:
    """The changes that give an open-ended ``part`` an end, each in words."""
    first, *others = (each.text for each in endings(key, part))
    return first + "".join(f"; or{',' if text.startswith('if ') else ''} {text}" for text in others)


def closed(key: RowKey, part: KeyField) -> RowKey | None:
    """``key`` with the first of the :func:`endings` of an open-ended ``part``; None where that says it in words alone."""
    return endings(key, part)[0].key


def swapped(key: RowKey, part: KeyField, new: KeyField) -> RowKey:
    """``key`` with another field in the place of ``part``."""
    return evolve(key, fields=tuple(new if other == part else other for other in key.fields))


def in_order(part: KeyField) -> str:
    """The change of ``part``, of variable width, with which the bytes after it do not disturb its order."""
    width = f"a fixed width of {counted(part.codec.length.most, 'byte')}"
    if part.codec.order is not Order.ASCENDING or 0 in part.codec.alphabet:
        return f"give `{part.name}` {width}"
    narrow = isinstance(part.codec, Text) and part.codec.length.most <= _NARROW
    short = f", or give it {width}" if narrow else ""
    return f'end `{part.name}` with a NUL, `ends="\\0"`, which sorts below all that it may hold{short}'


def before(key: RowKey, part: KeyField, moved: KeyField | str) -> tuple[KeyField | str, ...]:
    """The fields of ``key`` with ``moved`` taken from its place, if it has one, and put before ``part``."""
    rest: list[KeyField | str] = [other for other in key.fields if other != moved]
    rest.insert(rest.index(part), moved)
    return tuple(rest)


def tenant_first(fields: Sequence[KeyField | str]) -> tuple[KeyField | str, ...]:
    """The fields with those of a tenant in front of the others, behind parts of one value."""
    front = tuple(takewhile(lambda part: isinstance(part, KeyField) and single(part), fields))
    rest = fields[len(front) :]
    tenants = tuple(part for part in rest if isinstance(part, KeyField) and part.tenant)
    return (*front, *tenants, *(part for part in rest if part not in tenants))


def salt_declaration(salt: KeyField) -> str:
    """A salt as it is declared."""
    assert salt.derived is not None
    of = ", ".join(f'"{name}"' for name in salt.derived.of)
    return f"{salt.name} = bt.salt({of}, buckets={len(salt.derived.values or ())})"


def lost(model: ModelSchema, fields: Iterable[KeyField | str]) -> tuple[str, ...]:
    """The queries, by name, that the key serves and would not serve any more with ``fields`` for its own."""
    parts = (part if isinstance(part, KeyField) else KeyField(part, Text(width=1)) for part in fields)
    key = RowKey(tuple(parts), model.key.delimiter)
    return tuple(
        query.name
        for query in model.queries
        if not isinstance(access(model.key, query), Unserved) and isinstance(access(key, query), Unserved)
    )


def main_read(model: ModelSchema) -> tuple[Query, Access, KeyField] | None:
    """The most important query whose rows are ordered by time, with its read and the time."""
    for query in model.queries:
        found = access(model.key, query)
        if not isinstance(found, Unserved):
            time = time_of(model.key, found)
            if time is not None:
                return query, found, time
    return None


def needlessly_reversed(model: ModelSchema) -> tuple[Query, KeyField] | None:
    """The most important query whose rows are ordered by time, and the time, where this is reversed and the query does not want the newest first."""
    read = main_read(model)
    if read is None or read[2].codec.order is not Order.DESCENDING or read[0].newest:
        return None
    return read[0], read[2]


def replaced(model: ModelSchema, part: KeyField, *parts: KeyField) -> ModelSchema:
    """``model`` with ``parts`` in the place of a field of its key."""
    fields = (new for old in model.key.fields for new in (parts if old == part else (old,)))
    return evolve(model, key=evolve(model.key, fields=tuple(fields)))


def fresh(model: ModelSchema, *names: str) -> str:
    """The first of ``names``, or the first one with a number, that nothing of the model has."""
    taken = {part.name for part in model.key.fields}
    taken |= {column.name for column in model.columns} | {query.name for query in model.queries}
    numbered = (f"{names[0]}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*names, *numbered) if name not in taken)


def as_columns(model: ModelSchema, parts: Iterable[KeyField]) -> tuple[Column, ...] | None:
    """The columns that fields of the key become; None where no schema says it, as of a value without a codec for cells."""
    plain = [family.id for family in model.families if family.aggregate is None]
    used = [column.family for column in model.columns if column.shape.plain]
    family = next((id for id in (*used, *plain) if id in plain), None)
    taken = {column.qualifier for column in model.columns if column.family == family}
    made: list[Column] = []
    for part in parts:
        codec = default_codec(part.codec.python_type)
        short = (part.name[:length].encode() for length in range(1, len(part.name) + 1))
        qualifier = next((one for one in short if one not in taken), None)
        if family is None or codec is None or qualifier is None or part.derived or part.mirror:
            return None
        taken.add(qualifier)
        most = part.codec.length.most if part.codec.python_type is str else None
        expected = Expected(max_size=most, cardinality=part.cardinality)
        required = not part.optional and model.bucket is None  # events are added to a bucket one by one
        made.append(Column(part.name, family, qualifier, codec, required, expected=expected))
    return tuple(made)


def merging(left: Iterable[KeyField], taken: Iterable[KeyField]) -> tuple[KeyField, int] | None:
    """The field of ``taken`` that has more values than there are keys of ``left``, and how many these are; None where the declared numbers prove none.

    Each value of a field is in some row at least. If rows with fewer keys keep it as a column, some of them become one row.
    """
    left = tuple(left)
    counts = [_most(left, part) for part in left]
    if None in counts:
        return None
    keys = prod(count for count in counts if count is not None)
    return next(((part, keys) for part in taken if part.asked and (part.cardinality or 0) > keys), None)


def _most(fields: Sequence[KeyField], part: KeyField) -> int | None:
    """How many values a field adds to the keys of ``fields``, at most; None where that is not declared."""
    if part.constant is not None:
        return 1
    if part.derived is None:
        return None if part.cardinality is None else part.cardinality + part.optional
    follows = {field.name for field in fields if field.asked}.issuperset(part.derived.of)
    return 1 if follows else len(part.derived.values) if part.derived.values is not None else None


def with_constant(key: RowKey, place: int, text: str) -> RowKey:
    """``key`` with a constant in front of its field number ``place``."""
    kind = KeyField("kind", Constant(text))
    return evolve(key, fields=(*key.fields[:place], kind, *key.fields[place:]))


Fields = tuple[KeyField, ...]

# Groups of fields beyond which not all orders are tried, but those that queries ask for, and single moves.
_ALL = 4
# Orders of the queries that are then tried.
_QUERIES = 24


def orders(fields: Fields, queries: Sequence[Query]) -> Iterator[Fields]:
    """The orders of ``fields`` that a rule could ask for, the present one first.

    Constants in front stay there, and so does a last field that rows may lack; tenants come before all
    else. Fields that no query and no rule distinguishes keep their order.
    """
    front = tuple(takewhile(single, fields))
    last = tuple(part for part in fields[-1:] if part.optional)
    middle = fields[len(front) : len(fields) - len(last)]
    tenants = tuple(part for part in middle if part.tenant)
    others = tuple(part for part in middle if part not in tenants)
    alike: dict[object, list[KeyField]] = {}
    for part in others:
        alike.setdefault(_role(part, queries), []).append(part)
    found = (
        _merged([tuple(group) for group in alike.values()]) if len(others) <= _ALL else _few(others, queries)
    )
    for rest in found:
        yield (*front, *tenants, *rest, *last)


def _few(fields: Fields, queries: Sequence[Query]) -> Iterator[Fields]:
    """The order that there is, each with one field moved, and those in which queries come one after the other."""
    found = dict.fromkeys([fields])
    for part in fields:
        rest = [other for other in fields if other != part]
        found |= dict.fromkeys((*rest[:at], part, *rest[at:]) for at in range(len(fields)))
    known = {part.name: part for part in fields}
    times = [part.name for part in fields if part.codec.kind is Kind.TIME]
    for some in islice(permutations(queries), _QUERIES):
        given = [name for query in some for name in query.equal]
        bounded = [name for query in some for name in (query.between, query.starting) if name]
        for rest_first in ([], [name for name in known if name not in times]):
            names = dict.fromkeys([*given, *rest_first, *bounded, *known])
            found[tuple(known[name] for name in names if name in known)] = None
    return iter(found)


def _role(part: KeyField, queries: Sequence[Query]) -> object:
    """The role of a field in the queries; fields with the same role are interchangeable."""
    asked = tuple(
        (part.name in query.equal, part.name in query.where, part.name in (query.between, query.starting))
        for query in queries
    )
    # Fields of one value take no part in anything, wherever they stand.
    return (asked, "single") if single(part) else (asked, part.codec, part.cardinality, part.derived and part)


def _merged(groups: Sequence[Fields]) -> Iterator[Fields]:
    """Every way to merge the groups, each in its own order."""
    if not any(groups):
        yield ()
    for at, group in enumerate(groups):
        if group:
            rest = [*groups[:at], group[1:], *groups[at + 1 :]]
            for merged in _merged(rest):
                yield (group[0], *merged)


def moved(places: Mapping[str, int], fields: Fields) -> int:
    """How many of ``fields`` must be taken from their ``places`` to be put in this order."""
    present = [places[part.name] for part in fields if part.name in places]
    longest: list[int] = []
    for at, place in enumerate(present):
        before = (longest[other] for other in range(at) if present[other] < place)
        longest.append(1 + max(before, default=0))
    return len(present) - max(longest, default=0)


def salted(fields: Fields, salt: KeyField) -> Fields:
    """``fields`` with a salt in front, behind constants and tenants."""
    rest = tenant_first(tuple(part for part in fields if part != salt))
    known = [part for part in rest if isinstance(part, KeyField)]
    at = len(tuple(takewhile(lambda part: single(part) or part.tenant, known)))
    return (*known[:at], salt, *known[at:])


def of_values(salt: KeyField, buckets: int) -> KeyField:
    """``salt`` as it is declared with so many ``buckets``."""
    assert salt.derived is not None
    derived = evolve(salt.derived, by=hash, values=tuple(range(buckets)), of_bytes=False)
    return evolve(salt, codec=codecs.PaddedInt(len(str(buckets - 1))), derived=derived)


_LATITUDE = frozenset(("lat", "latitude"))
_LONGITUDE = frozenset(("lon", "lng", "long", "longitude"))


def rectangle(model: ModelSchema, query: Query) -> tuple[str, tuple[ModelSchema, ...]] | None:
    """What to do where a query asks for a range of two things at once, and the model that it leads to: no key has two ranges.

    These are the sides of a map, by their names, or two numbers of the key that are written alike.
    """
    sides = [_side(name) for name in (query.between or "", *query.where)]
    names = [name for name, side in zip(query.where, sides[1:], strict=True) if side is not None]
    if {_LATITUDE, _LONGITUDE} <= {*sides} and sides[0] is not None:
        name, cells = fresh(model, "geohash"), "a geohash"
        places = "in a cell of 9 characters, of about 5 m, and a prefix of fewer is a larger cell"
        rest = "; or the cell of a grid, and ask for one cell after the other"
    elif names := _measured_alike(model, query):
        name, cells = fresh(model, "cell"), "the cell of a grid whose digits alternate between both"
        places = "and a prefix of fewer digits is a larger cell"
        rest = "; or bound what keeps fewer rows by `between=`, and read and drop the others"
    else:
        return None
    text = (
        f"no key serves two ranges at once: put one field of both in the key, as {cells}, "
        f"`{name}: str = bt.key(bt.Text(width=9))`, {places}, keep the exact values as columns, {quoted((query.between or '', *names))}, and ask for the prefixes of the cells that cover the rectangle, "
        f'`starting="{name}"`{rest}'
    )
    return text, _by_cells(model, query, names, name)


# Numbers that are called so name a thing, and are asked for one by one.
_IDS = frozenset(
    words(
        "id no number nr code key tag serial index seq sequence level floor year page line row column slot lane"
    )
)
# A number with so many values is a measurement, and no query asks for one of them.
_MEASURED = 1_000


def _measured_alike(model: ModelSchema, query: Query) -> list[str]:
    """The fields of the key that a query picks by, which are numbers of many values, written as the one that it bounds."""
    bounded = next((part for part in model.key.asked if part.name == query.between), None)
    if bounded is None or not _measure(bounded):
        return []
    alike = (part for part in model.key.asked if part.name in query.where and _measure(part))
    return [part.name for part in alike if part.codec == bounded.codec]


def _measure(part: KeyField) -> bool:
    number = part.codec.kind is Kind.NUMBER and not part.sequential
    called = _IDS.isdisjoint(word.lower() for word in words(part.name))
    return number and called and (part.cardinality or 0) >= _MEASURED


def _by_cells(model: ModelSchema, query: Query, names: Sequence[str], name: str) -> tuple[ModelSchema, ...]:
    """The model with one field for the sides of a rectangle, which become columns; none where no schema says it."""
    sides = [part for part in model.key.fields if part.name == query.between or part.name in names]
    columns = as_columns(model, sides)
    if not sides or columns is None:
        return ()
    cell = KeyField(name, Text(width=9))
    first, *others = sides
    kept = tuple(cell if part == first else part for part in model.key.fields if part not in others)
    where = tuple(name for name in query.where if name not in names)
    asked = evolve(query, between=None, span=None, starting=cell.name, where=where)
    queries = tuple(asked if other == query else other for other in model.queries)
    key = evolve(model.key, fields=kept)
    return (evolve(model, key=key, columns=(*model.columns, *columns), queries=queries),)


def _side(name: str) -> frozenset[str] | None:
    """Which side of a rectangle a field is called like."""
    parts = {word.lower() for word in words(name)}
    return next((side for side in (_LATITUDE, _LONGITUDE) if side & parts), None)


_TENANTS = ("tenant", "tenant_id", "tenant_key", "tenant_code", "tenant_name")


def _named_tenant(part: KeyField) -> bool:
    return part.asked and "_".join(words(part.name)).lower() in _TENANTS


def with_named_tenants(model: ModelSchema) -> ModelSchema:
    """The model with the field that is called like a tenant declared as one, where no field is."""
    if any(part.tenant for part in model.key.fields):
        return model
    fields = tuple(
        evolve(part, tenant=True) if part.tenant is None and _named_tenant(part) else part
        for part in model.key.fields
    )
    return model if fields == model.key.fields else evolve(model, key=evolve(model.key, fields=fields))


# Bytes of a typical key beyond which it is long (this project's own figure).
TYPICAL_BYTES = 256


def known_bytes(key: RowKey) -> int:
    """The bytes of a typical key, as far as they are declared."""
    return sum(map(least_bytes, key.fields)) + sum(len(key.behind(part)) for part in key.fields[:-1])


def least_bytes(part: KeyField) -> int:
    """The bytes of a typical value, as declared, or else the least."""
    return part.codec.length.least if part.size is None else part.size


def longest_of(part: KeyField) -> int:
    """The bytes of the longest value, outside of a key."""
    return (
        part.codec.max_length
        if isinstance(part.codec, EscapedText | EscapedBytes)
        else part.codec.length.most
    )


def hashed(model: ModelSchema, part: KeyField, reason: str) -> tuple[ModelSchema, ...]:
    """The model with a hash of ``part``, which is kept in a column, and the same where the hash has to be allowed for that reason."""
    from btmodel.codecs.key import HexDigest  # here: this module is loaded with every model

    columns = as_columns(model, [part])
    if columns is None:
        return ()
    (column,) = columns
    expected = Expected(size=part.fixed or part.size, max_size=longest_of(part), cardinality=part.cardinality)
    mark = KeyField(f"{part.name}_hash", HexDigest(32), derived=Derived((part.name,), hash, of_bytes=True))
    made = replaced(model, part, mark)
    made = evolve(made, columns=(*model.columns, evolve(column, expected=expected)))
    allow = {**model.allow, "KEY004": reason}
    return made, evolve(made, allow=allow)
