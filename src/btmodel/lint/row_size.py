"""Rows that grow too large, and the bucket in which they fit."""

from collections.abc import Callable
from datetime import timedelta

from attrs import evolve

from btmodel.codecs import key
from btmodel.design.keys import before, drawn
from btmodel.design.spread import leading, timelike
from btmodel.errors import DeclarationError
from btmodel.estimates import Share, cells_of_row, row_size, span
from btmodel.lint.finding import ArgumentEdit, Fix, literal
from btmodel.schema import Bucket, Column, KeyField, ModelSchema
from btmodel.schema.bucket import SlotFormat, Spans
from btmodel.schema.limits import ADVISED_ROW_BYTES, MUTATIONS_A_REQUEST
from btmodel.schema.rate import every_text
from btmodel.words import counted, size_text

# The key field of each bucket: the type of its values, and its codec.
_FIELDS = {
    Bucket.YEAR: ("date", 'DateText("%Y")'),
    Bucket.MONTH: ("date", 'DateText("%Y%m")'),
    Bucket.WEEK: ("date", "IsoWeek()"),
    Bucket.DAY: ("date", "DateText()"),
    Bucket.HOUR: ("datetime", 'TimeText("%Y%m%d%H")'),
    Bucket.MINUTE: ("datetime", 'TimeText("%Y%m%d%H%M")'),
}


# Lengths of the spans that a counter adds up, from short to long.
_SPANS = [
    *(timedelta(seconds=count) for count in (1, 10)),
    *(timedelta(minutes=count) for count in (1, 5, 15)),
    *(timedelta(hours=count) for count in (1, 6)),
    *(timedelta(days=count) for count in (1, 7, 30)),
]


def smaller(model: ModelSchema, share: Share) -> str | Fix:
    """How to keep the rows of ``model`` small, of which ``share`` is the largest part."""
    column = share.source
    if isinstance(column, Column) and column.spans is not None:
        return _longer_spans(model, column)
    if isinstance(column, Column) and column.eventful:
        finer = coarsest(model, lambda one: _fits(one, model))
        if finer is not None and isinstance(finer.bucket, Bucket):
            fitting = f"{size_text(row_size(finer).usual.least)} in {counted(cells_of_row(finer).usual.least, 'cell')}"
            return f"take the {finer.bucket.value} as the bucket, in which a row has {fitting}: {declaration(model, finer)}"
        key = _drawn(model, _time(model), "at")
        return f"write a row for each event: `at: datetime = bt.key(bt.EpochMillis())`, which gives the key `{key}`"
    if isinstance(column, Column) and column.open:
        return _apart(model, f"{column.name}_key", column)
    return f"write `{column.name}` to a table of its own, under the same key; or store it in an object store, and its address here"


def _longer_spans(model: ModelSchema, column: Column) -> str | Fix:
    """A counter of the shortest spans that let a row be small; rows of spans cannot be rows of a bucket."""
    fewer = f"shorten the age that family {column.family!r} keeps"
    for every in _SPANS:
        if column.spans is None or every <= column.spans.every:
            continue
        changed = evolve(column, spans=Spans(every))
        made = evolve(model, columns=tuple(changed if one == column else one for one in model.columns))
        if _fits(made, model):
            count = counted(cells_of_row(made).usual.least, "cell")
            said = f'count longer spans, `every="{every_text(every)}"`, of which a row has {size_text(row_size(made).usual.least)} in {count}'
            return Fix(
                said,
                (made,),
                edit=ArgumentEdit("every", literal(every_text(every))),
                otherwise=f"; or {fewer}",
            )
    return f"count longer spans, or {fewer}"


def _apart(model: ModelSchema, name: str, column: Column) -> str:
    """A row for each entry; behind what climbs all those that are written together would lie in one place."""
    first = leading(model)
    if first is not None and (timelike(model, first) or first.sequential):
        key, place = drawn(model.key, before(model.key, first, name)), f"stands in front of `{first.name}` in"
    else:
        key, place = _drawn(model, None, name), "becomes the last field of"
    return f"write a row for each of `{column.name}`, whose name {place} the key: `{key}`"


def _fits(finer: ModelSchema, model: ModelSchema) -> bool:
    """Whether the rows of ``finer`` are known to be small enough, as far as those of ``model`` are known."""
    size, count = row_size(finer).usual, cells_of_row(finer).usual
    known = set(size.missing) <= set(row_size(model).usual.missing)
    return known and size.least <= ADVISED_ROW_BYTES and count.least <= MUTATIONS_A_REQUEST


def coarsest(model: ModelSchema, fits: Callable[[ModelSchema], bool]) -> ModelSchema | None:
    """``model`` with the coarsest bucket, finer than what its key has now, in which it ``fits``; None where none is."""
    for bucket in reversed(Bucket):
        if bucket.longest < span(model):
            try:
                finer = evolve(
                    model,
                    bucket=bucket,
                    columns=tuple(_in_bucket(column, bucket) for column in model.columns),
                )
            except DeclarationError:
                continue  # a slot may be longer than the bucket
            if fits(finer):
                return finer
    return None


def declaration(model: ModelSchema, finer: ModelSchema) -> str:
    """The declarations that give ``model`` the bucket of ``finer``: the bucket, its key field, the slots, the key."""
    assert isinstance(finer.bucket, Bucket)
    name = finer.bucket.value
    kind, codec = _FIELDS[finer.bucket]
    old = _time(model)
    written = f"bt.{codec}"
    if old is not None and isinstance(old.codec, key.Descending):
        written = f"bt.Descending({written})"
    parts = [f'`bucket="{name}"`', f"`{name}: {kind} = bt.key({written})`" + _instead(old)]
    parts += [
        f'`{column.name}` with `qualifier="{column.slots.text}"`'
        for column, before in zip(finer.columns, model.columns, strict=True)
        if column.slots is not None and column.slots != before.slots
    ]
    return f"{', '.join(parts)}, which gives the key `{_drawn(model, old, name)}`"


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


def _drawn(model: ModelSchema, old: KeyField | None, name: str) -> str:
    fields = [name if part == old else part for part in model.key.fields]
    return drawn(model.key, fields if old is not None else [*fields, name])
