"""Row keys as rules speak of them: drawn, judged and rearranged."""

from collections.abc import Iterable, Sequence
from itertools import takewhile

from attrs import evolve

from btmodel.codecs.key import Constant, Order, Text
from btmodel.counted import counted
from btmodel.schema import Access, KeyField, ModelSchema, Query, RowKey, Unserved, access
from btmodel.schema.access import time_of
from btmodel.schema.figures import NODE_ROW_WRITES

# Writes a second that a single tablet takes with ease: see the page of KEY001.
WITH_EASE = NODE_ROW_WRITES / 100


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
    """Whether a reader from the left cannot tell where ``part`` ends, if more follows."""
    if part.fixed is not None or part.codec.self_ending:
        return False
    behind = key.behind(part)
    if not behind:
        return True
    return part.codec.holds_delimiter and part.codec.alphabet.issuperset(behind)


def closing(key: RowKey, part: KeyField) -> str:
    """What to change in an open-ended ``part`` so that it is not."""
    width = f"give `{part.name}` a fixed width of {counted(part.codec.length.most, 'byte')}"
    behind = key.behind(part)
    if not behind and part.ends is None:
        return f'{width}, or separate the fields: `delimiter="#"`'
    if not behind:
        return f'{width}, or separate it from the next field: `ends="#"`'
    shown = behind.decode(errors="backslashreplace")
    return (
        f"leave out the `holds_delimiter` of `{part.name}`, which refuses values with {shown!r}; or {width}"
    )


def in_order(part: KeyField) -> str:
    """What to change in ``part``, of variable width, so that what follows it does not upset its order."""
    width = f"give `{part.name}` a fixed width of {counted(part.codec.length.most, 'byte')}"
    if part.codec.order is not Order.ASCENDING or 0 in part.codec.alphabet:
        return width
    return f'{width}, or end it with a NUL, `ends="\\0"`, which sorts below all that it may hold'


def before(key: RowKey, part: KeyField, moved: KeyField | str) -> tuple[KeyField | str, ...]:
    """The fields of ``key`` with ``moved`` taken from its place, if it has one, and put before ``part``."""
    rest: list[KeyField | str] = [other for other in key.fields if other != moved]
    rest.insert(rest.index(part), moved)
    return tuple(rest)


def tenant_first(fields: Sequence[KeyField | str]) -> tuple[KeyField | str, ...]:
    """The fields with those that tell a tenant in front of the others, behind parts of one value."""
    front = tuple(takewhile(lambda part: isinstance(part, KeyField) and single(part), fields))
    rest = fields[len(front) :]
    tenants = tuple(part for part in rest if isinstance(part, KeyField) and part.tenant)
    return (*front, *tenants, *(part for part in rest if part not in tenants))


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
    """Of the queries whose rows are in the order of a time, the most important one, its read, and the time."""
    for query in model.queries:
        found = access(model.key, query)
        if not isinstance(found, Unserved):
            time = time_of(model.key, found)
            if time is not None:
                return query, found, time
    return None


def fresh(model: ModelSchema, *names: str) -> str:
    """The first of ``names``, or the first one with a number, that nothing of the model has."""
    taken = {part.name for part in model.key.fields}
    taken |= {column.name for column in model.columns} | {query.name for query in model.queries}
    numbered = (f"{names[0]}{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (*names, *numbered) if name not in taken)


def with_constant(key: RowKey, place: int, text: str) -> RowKey:
    """``key`` with a constant in front of its field number ``place``."""
    kind = KeyField("kind", Constant(text))
    return evolve(key, fields=(*key.fields[:place], kind, *key.fields[place:]))
