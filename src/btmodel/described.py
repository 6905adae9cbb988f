"""A model in phrases: its fields, cells, settings, queries and twins; and an example key, with a ruler that shows the bytes of each field."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any, get_origin
from uuid import UUID

from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Constant, KeyCodec, Kind, Order, ReversedDomain
from btmodel.estimates import Amount, Share, Sizes, row_size
from btmodel.schema import (
    Access,
    AccessKind,
    Family,
    GcRule,
    GivenAge,
    Intersection,
    KeepAll,
    KeyField,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Query,
    RowKey,
    TwinSchema,
    Union,
    Unserved,
    access,
)
from btmodel.schema.gc import simplified
from btmodel.schema.model import Clock
from btmodel.schema.rate import every_text
from btmodel.words import as_text, counted, duration_text, quoted, size_text


def number(amount: Amount) -> str:
    """A number; ``?`` where nothing is known of it, ``+`` behind what is at least."""
    return _size_or_unknown(amount, f"{amount.least:,}")


def size(amount: Amount) -> str:
    """Bytes in the unit that suits them, marked in the same way."""
    return _size_or_unknown(amount, size_text(amount.least))


def both(sizes: Sizes) -> str:
    """The usual number, and the largest where it is another one: ``8 (≤ 20)``, ``8, largest not known``."""
    usual, largest = number(sizes.usual), number(sizes.largest)
    if usual == largest:
        return usual
    if not sizes.largest.missing:
        return f"{usual} (≤ {largest})"
    more = sizes.largest.least > sizes.usual.least
    return f"{usual}, largest {f'at least {sizes.largest.least:,}' if more else 'not known'}"


def unknown(model: ModelSchema) -> Iterator[str]:
    """The unknown part of the size of a row, and the missing estimates."""
    row = row_size(model)
    for what, amount in (("usual", row.usual), ("largest", row.largest)):
        if amount.missing:
            yield f"the {what} row is not known without {', '.join(amount.missing)}"


def _size_or_unknown(amount: Amount, text: str) -> str:
    return text if not amount.missing else f"{text}+" if amount.least else "?"


def place(share: Share) -> str:
    """Family and qualifier; dots where the qualifier goes on, and the others from which the column is read, too."""
    more = "..." if share.column and share.column.open else ""
    also = "".join(f", or {as_text(one)}" for one in share.column.also) if share.column else ""
    return f"{share.family}:{as_text(share.begins)}{more}{also}"


def written(share: Share) -> str:
    """The encoding of the values, and how the attribute lies in cells where it is no single value."""
    column = share.column
    if column is None:
        return f"mirror of the key, as {meaning_of(share.codec)}"
    if column.names is not None:
        return f"{column.shape.name.lower()}: {meaning_of(share.codec)}; named by {meaning_of(column.names)}"
    if column.spans is not None:
        return f"counter of every {every_text(column.spans.every)}: {meaning_of(share.codec)}"
    shape = "" if not column.eventful else f"{column.shape.name.lower()}: "
    return shape + meaning_of(share.codec)


_ORDERS = {
    Order.ASCENDING: "upward",
    Order.DESCENDING: "downward",
    Order.SCATTERED: "scattered",
    Order.NONE: "not sorted",
}


def width(part: KeyField) -> str:
    """The bytes of a field: ``6``, or ``1 to 20``."""
    length = part.codec.length
    return f"{length.most:,}" if length.fixed is not None else f"{length.least:,} to {length.most:,}"


def sorts(part: KeyField) -> str:
    """How the rows lie by it."""
    return _ORDERS[part.codec.order]


def values(part: KeyField) -> str:
    """How many values a field has; nothing of times, which go on."""
    if part.derived and part.derived.values:
        return f"{len(part.derived.values):,}"
    if part.cardinality is None:
        return "1" if part.constant else "" if part.codec.kind is Kind.TIME else "?"
    return f"{part.cardinality:,}"


def meaning(part: KeyField) -> str:
    """The encoding of a field, and what it follows from."""
    made = f"from {', '.join(part.derived.of)}, as " if part.derived else ""
    return f"{made}{meaning_of(part.codec)}{', may be left out' if part.optional else ''}"


def keeps(family: Family) -> str:
    """What the GC rule of ``family`` keeps of each column: ``the newest 3 versions``."""
    if family.gc is None:
        return "no rule is stated"
    match simplified(family.gc):
        case KeepAll():
            return "everything, for ever"
        case Intersection(rules) if all(map(_kept_noun, rules)):  # what either rule spares
            return _either(rules)
        case rule:
            return _kept_noun(rule) or f"versions that are {_which(rule)}"


def _kept_noun(rule: GcRule) -> str:
    """What a rule keeps, as a noun: for limits, and for a number combined with an age; nothing for other rules."""
    match rule:
        case MaxVersions(1):
            return "the newest version"
        case MaxVersions(versions):
            return f"the newest {counted(versions, 'version')}"
        case MaxAge():
            return f"versions {_which(rule)}"
        case Union((MaxVersions() as newest, MaxAge() as age)) | Union(
            (MaxAge() as age, MaxVersions() as newest)
        ):
            return f"{_kept_noun(newest)}, while younger than {_age(age)}"
        case _:
            return ""


def _either(rules: Sequence[GcRule]) -> str:
    """What a union of rules keeps: numbers first, then ages, with unambiguous commas."""
    ordered = sorted(rules, key=lambda rule: isinstance(rule, MaxAge))
    match ordered:
        case [MaxVersions() as newest, MaxAge() as age]:
            return f"{_kept_noun(newest)}, and all younger than {_age(age)}"
        case _:
            return "; and ".join(map(_kept_noun, ordered))


def _which(rule: GcRule) -> str:
    match rule:
        case MaxVersions(versions):
            return f"among the newest {versions:,}" if versions > 1 else "the newest"
        case MaxAge():
            return f"younger than {_age(rule)}"
        case Union(rules):  # either deletes: kept is what neither does
            return " and ".join(map(_part, rules))
        case Intersection(rules):
            return " or ".join(map(_part, rules))
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def _age(rule: MaxAge) -> str:
    return rule.text if isinstance(rule, GivenAge) else duration_text(rule.age)


def _part(rule: GcRule) -> str:
    return f"({_which(rule)})" if isinstance(rule, Union | Intersection) else _which(rule)


@frozen
class AnsweredQuery:
    """A query as people ask it, and the reads that answer it; ``reads`` is how many, 0 where nothing serves it.

    ``given`` is what it gives, ``asks`` that and the columns it wants, ``rows`` the keys that are read:
    ``{sensor}#{day from..to}...``, and nothing where no key serves it.
    """

    given: str
    asks: str
    how: str
    rows: str
    kind: str
    reads: int


def served(model: ModelSchema, query: Query) -> AnsweredQuery:
    """How the key of ``model`` serves ``query``."""
    found = access(model.key, query)
    given = _query_arguments(query)
    asks = f"{given} → {', '.join(query.only)}" if query.only else given
    if isinstance(found, Unserved):
        return AnsweredQuery(given, asks, f"not served: {found.why}", "", "unserved", 0)
    values = found.scattered.derived.values if found.scattered and found.scattered.derived else None
    count = len(values) if values else 1
    rows = _rows(model.key, found)
    return AnsweredQuery(given, asks, _how(found, count), rows, found.kind.name.lower(), count)


def reads(model: ModelSchema, query: Query) -> str:
    """The rows that a query reads, their order, and, if these are all rows, why."""
    why = f" ({query.scan})" if query.scan else ""
    order = ", newest first" if query.newest else ""
    return f"{served(model, query).how}{order}{why}"


def _query_arguments(query: Query) -> str:
    parts = [*query.equal]
    parts += [f"{query.between} from..to"] if query.between else []
    parts += [f"{query.starting} beginning with..."] if query.starting else []
    return ", ".join(parts) or "nothing"


def _rows(key: RowKey, found: Access) -> str:
    """The keys of the rows that are read, drawn with the names of the fields as far as the read gives them."""
    fields = [
        part.constant or f"{{{part.name}{': each' * (part == found.scattered)}}}" for part in found.prefix
    ]
    if found.between:
        fields.append(f"{{{found.between.name}: from..to}}")
    if found.starting:
        fields.append(f"{{{found.starting.name}...}}")
    whole = len(fields) == len(key.fields) and not found.starting
    behind = [as_text(key.behind(part)) for part in key.fields[: len(fields)]]
    if whole or found.between or found.starting:
        behind[-1:] = [""]
    text = "".join(name + end for name, end in zip(fields, behind, strict=True))
    return text if whole or found.starting else f"{text}..."


def _how(found: Access, count: int) -> str:
    if count == 1:
        return f"{found.kind.value}{', of one length' if found.cut else ''}"
    rows = {AccessKind.POINT: "rows", AccessKind.RANGE: "ranges of rows"}.get(found.kind, "prefixes")
    return f"{count} {rows}, one for each {found.scattered.name if found.scattered else ''}{', of one length' if found.cut else ''}"


def stated(model: ModelSchema) -> Iterator[str]:
    """Each setting that ``model`` states of its table: ``changes can be read for 3 days``."""
    settings = model.settings
    if settings.deletion_protection is not None:
        yield "protected from deletion" if settings.deletion_protection else "not protected from deletion"
    yield from _period(settings.change_stream, "changes can be read for {}", "no change stream")
    yield from _period(settings.automated_backups, "daily backups are kept for {}", "no automated backups")
    cold = "cells are in infrequent access from an age of {} on"
    yield from _period(settings.tiered_storage, cold, "no tiered storage")
    if model.row_key_schema is not None:
        yield "with a row key schema" if model.row_key_schema else "no row key schema"
    if model.renamed_from is not None:
        yield f"renamed from {model.renamed_from}"
    for view in model.authorized:
        yield f"authorized view {view.id} of {view}"
    if model.schema_bundle is not None:
        yield f"schema bundle {model.schema_bundle}"


def stamps(model: ModelSchema) -> Iterator[str]:
    """What the timestamps of its cells mean: ``the time of writing``, ``of `temp` the time of the event``."""
    if any(column.stamped or column.shape.slotted for column in model.columns) or any(
        part.mirror for part in model.key.fields
    ):
        yield _stamped(model)
    named: dict[Clock, list[str]] = {}
    for column in model.columns:
        if not (column.stamped or column.shape.slotted or column.shape.summed):
            named.setdefault(model.clock(column), []).append(column.name)
    for clock, names in named.items():
        yield f"of {quoted(names)} {clock.value}"
    if any(column.shape.summed and not column.spans for column in model.columns):
        yield "of counters always 0"
    for every in dict.fromkeys(column.spans.every for column in model.columns if column.spans):
        yield f"of counters of every {every_text(every)} the start of that span"


def _stamped(model: ModelSchema) -> str:
    """What the timestamps of plain cells mean."""
    stamp = model.stamp
    if stamp.fixed is not None:
        return f"always {counted(stamp.fixed, 'microsecond')} since 1970"
    if stamp.attribute is None:
        return Clock.WRITING.value
    optional = stamp.stored and not stamp.required
    meaning = next((model.clock(column) for column in model.columns if column.stamped), model.clock())
    return f"`{stamp.attribute}`, {meaning.value}{', or else the time of writing' if optional else ''}"


def _period(period: timedelta | None, words: str, none: str) -> Iterator[str]:
    if period is not None:
        yield words.format(duration_text(period)) if period else none


def made(twin: TwinSchema) -> str:
    """How the row of a twin is made; code is between backticks."""
    if twin.function is None:
        return "of the same attributes"
    name = f"`{twin.function}`" if twin.function.isidentifier() else "a function"
    return f"made by {name}; none where that gives None"


# A Monday, for weeks; then what coarser fields take.
_DATES = (date(2021, 5, 31), date(2021, 5, 1), date(2021, 1, 1))
_TIMES = (
    datetime(2021, 5, 31, 12, 34, 56, 789_000, tzinfo=UTC),
    datetime(2021, 5, 31, 12, 34, 56, tzinfo=UTC),
    datetime(2021, 5, 31, 12, 34, tzinfo=UTC),
    datetime(2021, 5, 31, 12, tzinfo=UTC),
    *(datetime(one.year, one.month, one.day, tzinfo=UTC) for one in _DATES),
)
# Made up, short, and easy to distinguish; no field of a key has the one of its neighbour.
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "flint", "grove", "heron")
_DOMAINS = ("www.example.com", "example.com")
_BYTES = bytes.fromhex("0123456789abcdeffedcba9876543210")
_MOST = 256


def sample(part: KeyField, number: int = 1) -> bytes | None:
    """The bytes of some value of ``part``, or None where none is found, as of a codec for a class of the user's.

    ``number`` is that of the field in its key, from 1 on: texts of different fields are different words.
    """
    codec = part.codec
    given = part.derived.values if part.derived else None
    for value in (*(given or ()), *_candidates(codec, number)):
        try:
            return codec.encode(value)
        except Exception:
            # Whatever a codec of the user's raises for what is none of its values.
            continue
    return None


def _candidates(codec: KeyCodec[Any], number: int) -> Iterator[Any]:
    """Values to try, the telling ones first."""
    kind = codec.python_type
    if isinstance(codec, Constant):
        yield codec.text
    elif get_origin(kind) is tuple:
        yield from (some[:count] for some in (_WORDS, ("a", "b", "c"), (1, 2, 3)) for count in (2, 1, 3))
    elif is_class(kind, Enum):
        yield from kind
    elif kind is bool:
        yield True
    elif kind is int:
        yield from _numbers(codec)
    elif kind is datetime:
        yield from _TIMES
    elif kind is date:
        yield from _DATES
    elif kind is UUID:
        yield UUID(bytes=_BYTES)
    elif kind is bytes:
        yield from _raws(codec)
    else:
        yield from _texts(codec, number)


def _numbers(codec: KeyCodec[Any]) -> Iterator[int]:
    digits = "1234567890" * 3
    yield from (int(digits[:size]) for size in range(min(codec.length.most, 10), 0, -1))
    yield 0


def _texts(codec: KeyCodec[Any], number: int) -> Iterator[str]:
    least, most = (min(size, _MOST) for size in (codec.length.least, codec.length.most))
    word = _WORDS[(number - 1) % len(_WORDS)]
    if isinstance(codec, ReversedDomain):
        yield from _DOMAINS
    for text in (word, (word * _MOST)[: max(least, 1)], "0123456789abcdef" * (1 + most // 16)):
        yield text
        yield text[:most]
    yield from ("a" * size for size in range(least, most + 1))


def _raws(codec: KeyCodec[Any]) -> Iterator[bytes]:
    long = _BYTES * (1 + _MOST // len(_BYTES))
    yield from (long[:size] for size in (codec.length.least, *range(16, _MOST), *range(16)))


_UNKNOWN = "?"


@frozen
class Segment:
    """A part of an example key as it is shown: a field and its number from 1 on, or a delimiter (None, 0)."""

    field: KeyField | None
    number: int
    text: str

    @property
    def ruler(self) -> str:
        """The mark below a field, which begins with the number of the field: ``2───┘``."""
        if self.field is None or not self.text:
            return " " * len(self.text)
        name, width = str(self.number), len(self.text)
        return name[:width] + ("─" * width)[len(name) : -1] + "┘" * (width > len(name))


def segments(key: RowKey) -> tuple[Segment, ...]:
    """The fields of an example of ``key``, and the delimiters between them; ``?`` for an unknown byte."""
    found: list[Segment] = []
    for number, part in enumerate(key.fields, 1):
        raw = sample(part, number)
        text = _UNKNOWN * part.codec.length.typical if raw is None else as_text(raw)
        found.append(Segment(part, number, text))
        if part is not key.fields[-1] and key.behind(part):
            found.append(Segment(None, 0, as_text(key.behind(part))))
    return tuple(found)
