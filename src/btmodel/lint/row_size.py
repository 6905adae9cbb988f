"""Rows that grow too large, and how to keep them small."""

from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from math import inf, log
from typing import Any

from attrs import evolve

from btmodel.codecs import cell
from btmodel.design.keys import before, fresh
from btmodel.design.series import NewKey, aged, aging, key_of_buckets, key_of_events
from btmodel.design.spread import leading, timelike
from btmodel.errors import DeclarationError
from btmodel.estimates import Share, cells_of_row, row_size, shares, span
from btmodel.lint.finding import ArgumentEdit, Fix, literal
from btmodel.lint.retention import gathered_together, gathering, narrowed, ways
from btmodel.schema import (
    Bucket,
    Column,
    Expected,
    KeyField,
    ModelSchema,
    Query,
    RowKey,
    Shape,
    Unserved,
    access,
)
from btmodel.schema.bucket import SlotFormat, Spans
from btmodel.schema.limits import ADVISED_ROW_BYTES, MUTATIONS_A_REQUEST
from btmodel.schema.rate import every_text
from btmodel.source_text import declaration as query_declaration
from btmodel.source_text import family_name
from btmodel.words import counted, one, quoted, size_text

# Bytes of a typical address in an object store (this project's own figure).
_ADDRESS_BYTES = 100


# Cells of a row that a fix makes smaller, however small they are (this project's own figure): a day of two values a second has less.
_MANY = 200_000

# Bytes of a row that one query may read as a whole, of as many cells as they are (this project's own figure).
_LIGHT = ADVISED_ROW_BYTES / 10

# Lengths of the spans that a counter adds up, from short to long.
_SPANS = [
    *(timedelta(seconds=count) for count in (1, 10)),
    *(timedelta(minutes=count) for count in (1, 5, 15)),
    *(timedelta(hours=count) for count in (1, 6)),
    *(timedelta(days=count) for count in (1, 7, 30)),
]


def cells_of_request(model: ModelSchema) -> int:
    """The cells of a full row that a program may write with one request, as far as they are known: events come one after the other."""
    return sum(of_request(share) for share in shares(model))


def of_request(share: Share) -> int:
    """The cells of an attribute that are written with its row."""
    column = share.column
    if column is not None and column.versioned:
        return (column.expected.entries or 0) if column.shape.entered else 0
    return 0 if column is not None and column.shape.slotted else share.cells.usual.least


def smaller(model: ModelSchema, share: Share) -> Iterator[Fix]:
    """How to keep the rows of ``model`` small, of which ``share`` is the largest part."""
    column = share.source
    if isinstance(column, Column) and column.spans is not None:
        yield from _longer_spans(model, column)
    elif isinstance(column, Column) and column.eventful:
        from btmodel.lint.crowded_versions import (  # here: this module is loaded with every model
            crowded,
            rows_of_their_own,
        )

        histories, _ = crowded(model)
        if column in histories:
            yield from rows_of_their_own(model, histories)  # as KEY017 has it: no bucket keeps them apart
        groups = gathered_together(model, ((each, most) for each, most in gathering(model) if most < inf))
        together = next((columns for columns, _ in groups if column in columns), ())
        if len(together) > 1:
            yield from ways(model, *together)  # as COL005 has it of what comes at one time
        yield from _fewer_events(model, column)
        yield from narrowed(model, column)
    elif isinstance(column, Column) and column.open:
        yield apart(model, column)
    else:
        yield _elsewhere(model, column)
        if isinstance(column, Column):
            yield outside(model, column)


def _longer_spans(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """A counter of the shortest spans that let a row be small; rows of spans cannot be rows of a bucket."""
    fewer = f"shorten the age that family {column.family!r} keeps"
    for every in _SPANS:
        if column.spans is None or every <= column.spans.every:
            continue
        changed = evolve(column, spans=Spans(every))
        made = evolve(model, columns=tuple(changed if other == column else other for other in model.columns))
        if _fits(made, model):
            count = counted(cells_of_row(made).usual.least, "cell")
            said = f'count longer spans, `every="{every_text(every)}"`, of which a row has {size_text(row_size(made).usual.least)} in {count}'
            edit = ArgumentEdit("every", literal(every_text(every)))
            yield Fix(said, (made,), edit=edit, otherwise=f"; or {fewer}")
            return
    yield Fix(f"count longer spans, or {fewer}")


def _fewer_events(model: ModelSchema, column: Column) -> Iterator[Fix]:
    finer = _near_queries(model) or coarsest(model, lambda one: _fits(one, model))
    if finer is not None and isinstance(finer.bucket, Bucket):
        fitting = (
            f"{size_text(row_size(finer).usual.least)} in {counted(cells_of_row(finer).usual.least, 'cell')}"
        )
        key = key_of_buckets(model, finer.bucket, _time(model))
        text = f"make the bucket {one(finer.bucket.value)}: a row then has {fitting}, with {declaration(model, finer, key)}"
        kept = aged(model, finer.bucket.longest)
        made, bounds = _bounding(model, evolve(key.given(finer), families=kept.families), key)
        yield Fix(text + aging(model, kept) + bounds, (made,), instead=key.instead)
    key, kept = key_of_events(model), aged(model)
    text = f"write a row for each event: `{key.declared}`, which gives the key `{key.key.shape}`{key.asked}{aging(model, kept)}"
    made, bounds = _bounding(model, key.holds(kept, column), key)
    yield Fix(text + bounds, (made,), instead=key.instead)


def _bounding(model: ModelSchema, made: ModelSchema, key: NewKey) -> tuple[ModelSchema, str]:
    """``made``, whose queries of all rows of a thing bound the new time, where the old ones read one row; and how they are then declared."""
    if key.old is not None:
        return made, ""  # they gave the time that there was
    queries, bounds = [], ""
    for query in made.queries:
        bound = evolve(query, between=key.time.name)
        if (
            query.equal
            and not (query.between or query.starting or query.scan or query.newest)
            and not isinstance(access(made.key, bound), Unserved)
        ):
            bounds += f"; ask for a part of them, `{query.name} = {query_declaration(bound)}`"
            query = bound
        queries.append(query)
    return evolve(made, queries=tuple(queries)), bounds


def apart(model: ModelSchema, column: Column) -> Fix:
    """A row for each entry; behind what climbs all those that are written together would lie in one place."""
    assert column.names is not None
    name = fresh(model, f"{column.name}_key")
    part = KeyField(name, column.names)
    first = leading(model)
    if first is not None and (timelike(model, first) or first.sequential):
        part = evolve(part, cardinality=column.expected.entries)
        fields: tuple[KeyField | str, ...] = before(model.key, first, part)
        place = f"in front of `{first.name}` in"
    else:
        fields, place = (*model.key.fields, part), "as the last field of"
    key = evolve(model.key, fields=tuple(field for field in fields if isinstance(field, KeyField)))
    held = ""
    if column.shape.empty:  # a row needs a cell
        qualifier = column.qualifier.decode(errors="backslashreplace") or column.name
        held = f', with one cell in it, `{column.name}: bool = bt.column("{qualifier}", {family_name(column.family)}, codec=bt.Present())`'
    text = f"write a row for each entry of `{column.name}`, with its name {place} the key"
    if len(model.columns) > 1:
        there = f"{held}{_with_sources(model, column)}{_read_there(model, column, key)}"
        text += f" of a second table: `{key.shape}`{there}, and leave `{column.name}` out of this one, which keeps its other columns"
    else:
        text += f": `{key.shape}`{held}"
    versions = column.shape is Shape.HISTORIES
    plain = evolve(
        column,
        shape=Shape.HISTORY if versions else Shape.VALUE,
        names=None,
        required=not versions,
        expected=evolve(column.expected, entries=None),
    )
    return Fix(text, _with_second(model, column, key, plain))


def all_apart(model: ModelSchema, columns: Sequence[Column]) -> Fix:
    """A row for each entry of the first of ``columns``; for each of all of them where the model has no others."""
    first = apart(model, columns[0])
    if len(columns) == 1 or set(columns) != set(model.columns):
        return first
    rest, alone = first.models
    others = all_apart(rest, columns[1:])
    return evolve(first, text=f"{first.text}; then {others.text}", models=(*others.models, alone))


def _with_second(model: ModelSchema, column: Column, key: RowKey, held: Column) -> tuple[ModelSchema, ...]:
    """The model without ``column``, if it has more than that, and the one with this key that holds it."""
    rest = tuple(other for other in model.columns if other != column)
    columns = (*_sources(model, column), held)
    used = {one.family for one in columns} | {part.mirror.family for part in key.fields if part.mirror}
    families = tuple(family for family in model.families if family.id in used)
    alone = evolve(model, key=key, columns=columns, families=families, atomic=())
    return (
        (evolve(model, columns=rest), evolve(alone, queries=_asking_there(model, column, key)))
        if rest
        else (alone,)
    )


def _asking_there(model: ModelSchema, column: Column, key: RowKey) -> tuple[Query, ...]:
    """The queries that read ``column``, as the second table with this key serves them."""
    reading = (query for query in model.queries if not (query.scan or query.where))
    asked = (evolve(query, only=()) for query in reading if not query.only or column.name in query.only)
    return tuple(query for query in asked if not isinstance(access(key, query), Unserved))


def _read_there(model: ModelSchema, column: Column, key: RowKey) -> str:
    """A word on the queries of the second table; empty where there are none."""
    queries = _asking_there(model, column, key)
    return (
        ", read by " + ", ".join(f"`{query.name} = {query_declaration(query)}`" for query in queries)
        if queries
        else ""
    )


def _sources(model: ModelSchema, column: Column) -> tuple[Column, ...]:
    """The columns that the key is made from, which every table with this key needs: ``column`` needs no other copy."""
    of = {name for part in model.key.fields if part.derived for name in part.derived.of}
    return tuple(other for other in model.columns if other.name in of and other != column)


def _with_sources(model: ModelSchema, column: Column) -> str:
    """A word on these columns; empty where there are none."""
    names = [other.name for other in _sources(model, column)]
    return (
        f", with {quoted(names)} in it, too, as its key is made from {'them' if names[1:] else 'it'}"
        if names
        else ""
    )


def _elsewhere(model: ModelSchema, part: Column | KeyField) -> Fix:
    """A second table, under the same key, for the largest column."""
    text = f"write `{part.name}` to a table of its own, under the same key"
    models = _with_second(model, part, model.key, part) if isinstance(part, Column) else ()
    if isinstance(part, Column):
        text += _with_sources(model, part) + (_read_there(model, part, model.key) if models[1:] else "")
    return Fix(text, models)


def outside(model: ModelSchema, column: Column) -> Fix:
    """An object store for the values, whose addresses stay here."""
    address: dict[str, Any] = {"codec": cell.Utf8(), "shape": Shape.VALUE, "names": None, "slots": None}
    held = evolve(column, **address, expected=Expected(size=_ADDRESS_BYTES, max_size=4 * _ADDRESS_BYTES))
    columns = tuple(held if other == column else other for other in model.columns)
    text = f"store `{column.name}` in an object store, and its address in `{held.cell}`"
    return Fix(text, (evolve(model, columns=columns),), alternative=True)


def _fits(finer: ModelSchema, model: ModelSchema) -> bool:
    """Whether the rows of ``finer`` are known to be small enough, as far as those of ``model`` are known."""
    size, count = row_size(finer).usual, cells_of_row(finer).usual.least
    known = set(size.missing) <= set(row_size(model).usual.missing)
    few = count <= _MANY and cells_of_request(finer) <= MUTATIONS_A_REQUEST
    return known and few and size.least <= ADVISED_ROW_BYTES


def light(finer: ModelSchema, model: ModelSchema) -> bool:
    """Whether a query may read rows of ``finer`` as a whole, by their bytes, as far as those of ``model`` are known."""
    size, known = row_size(finer).usual, {*row_size(model).usual.missing}
    return (
        size.least <= _LIGHT
        and known.issuperset(size.missing)
        and cells_of_request(finer) <= MUTATIONS_A_REQUEST
    )


def coarsest(model: ModelSchema, fits: Callable[[ModelSchema], bool]) -> ModelSchema | None:
    """``model`` with the coarsest bucket, finer than what its key has now, in which it ``fits``; None where none is."""
    return next((finer for finer in _finer(model) if fits(finer)), None)


def _finer(model: ModelSchema) -> Iterator[ModelSchema]:
    """``model`` with each bucket that is finer than what its key has now, the coarsest first."""
    for bucket in reversed(Bucket):
        if bucket.longest < span(model):
            try:
                columns = tuple(_in_bucket(column, bucket) for column in model.columns)
                yield evolve(model, bucket=bucket, columns=columns)
            except DeclarationError:
                continue  # a slot may be longer than the bucket


def _near_queries(model: ModelSchema) -> ModelSchema | None:
    """``model`` with the bucket nearest to the times that its queries ask for, of those in which a row is light, however many cells it has; None where none bounds the time."""
    time = _time(model)
    asked = [query.span for query in model.queries if query.span and time and query.between == time.name]
    buckets = [finer for finer in _finer(model) if light(finer, model)]
    if not asked:
        return None
    return min(buckets, key=lambda finer: sum(abs(log(span(finer) / each)) for each in asked), default=None)


def declaration(model: ModelSchema, finer: ModelSchema, key: NewKey) -> str:
    """The declarations that give ``model`` the bucket of ``finer``: the bucket, its key field, the slots, the key."""
    assert isinstance(finer.bucket, Bucket)
    parts = [f'`bucket="{finer.bucket.value}"`', f"`{key.declared}`" + _instead(key.old)]
    parts += [
        f'`{column.name}` with `qualifier="{column.slots.text}"`'
        for column, before in zip(finer.columns, model.columns, strict=True)
        if column.slots is not None and column.slots != before.slots
    ]
    return f"{', '.join(parts)}, which gives the key `{key.key.shape}`{key.asked}"


def _in_bucket(column: Column, bucket: Bucket) -> Column:
    if column.slots is None:
        return column
    return evolve(column, slots=SlotFormat.plain(column.slots.every, bucket))


def _time(model: ModelSchema) -> KeyField | None:
    """The field that names the time of a row, in whose place a finer one comes."""
    named = (part for part in model.key.fields if part.codec.granularity is not None)
    return model.bucket_field or next(named, None)


def _instead(old: KeyField | None) -> str:
    return " after the other fields of the key" if old is None else f" instead of `{old.name}`"
