"""Models rebuilt from their recorded layouts, checked against rows like a guess."""

from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any

import attrs
from attrs import frozen

from btmodel.codecs.cell import CellCodec, Raw
from btmodel.codecs.key import Bytes, Constant, KeyCodec
from btmodel.codecs.parts import enums_of
from btmodel.errors import BtmodelError, DeclarationError
from btmodel.guess.cell_codecs import guess_cell
from btmodel.guess.family import ColumnGuess, any_name
from btmodel.guess.key import KeyGroup, KeyGuess, SampledRow, TableSample, commonest
from btmodel.guess.key_codecs import guess_field
from btmodel.guess.model import ModelGuess, allowed, columns_of, mirrors, placeholder, reads
from btmodel.guess.names import attribute, identifier, model_name, unused
from btmodel.recorded.layouts import RecordedCell, RecordedPart, recorded_cell, recorded_part
from btmodel.rows import Cell, RowCodec
from btmodel.rows.key_codec import RowKeyCodec
from btmodel.schema import (
    Bucket,
    CellLayout,
    Column,
    Family,
    KeyField,
    KeyPart,
    Layout,
    Mirror,
    ModelSchema,
    RowKey,
)
from btmodel.schema.bucket import bucket_of
from btmodel.schema.limits import KEY_BYTES

RECORDED = "recorded when the table was migrated"
# What stands in the place of a codec that cannot be made again until its bytes are known.
_ANY = Bytes(max_length=KEY_BYTES, min_length=0)


def recorded_key(
    layout: Layout, rows: Sequence[SampledRow]
) -> tuple[tuple[SampledRow, ...], KeyGuess | None]:
    """The ``rows`` whose keys are those of ``layout``, and that key; None where no key can be made of it."""
    parts = [_spelt(recorded_part(part)) for part in layout.key]
    behind = [part.behind.encode() for part in layout.key[:-1]]
    delimiter = commonest(behind, [row.key for row in rows])
    if not parts or len({part.name for part in layout.key}) < len(parts):
        return (), None
    if any(made.optional for made in parts[:-1]) or (parts[-1].optional and not any(behind[-1:])):
        return (), None  # no declaration says so: only the last field may be left out, with a delimiter
    fields = tuple(
        KeyField(
            part.name,
            _ANY if made.codec is None else made.codec,
            1 if isinstance(made.codec, Constant) else None,
            optional=made.optional,
            ends=None if at == len(behind) or behind[at] == delimiter else behind[at],
        )
        for at, (part, made) in enumerate(zip(layout.key, parts, strict=True))
    )
    key = RowKey(fields, delimiter)
    mine = tuple(row for row in rows if _values(key, row) is not None)
    settled = tuple(
        attrs.evolve(field, codec=_codec(field, made, key, mine))
        for field, made in zip(fields, parts, strict=True)
    )
    key = RowKey(settled, delimiter)
    evidence = {
        field.name: "; ".join(_comments(part, made, field, len(mine)))
        for part, made, field in zip(layout.key, parts, settled, strict=True)
    }
    return mine, KeyGuess(key, evidence)


def vague(layout: Layout) -> bool:
    """Whether the record does not show which keys are those of a model."""
    return any(_spelt(recorded_part(part)).codec is None for part in layout.key)


def _spelt(made: RecordedPart) -> RecordedPart:
    """The field without a codec that no declaration can spell, because its enum is elsewhere."""
    return attrs.evolve(made, codec=None) if any(enums_of(made.codec)) else made


def _codec(field: KeyField, made: RecordedPart, key: RowKey, rows: Sequence[SampledRow]) -> KeyCodec[Any]:
    """The codec of a field: as it was recorded, or as its bytes look."""
    if made.codec is not None or not rows:
        return field.codec
    found = guess_field(
        [value for row in rows if (value := (_values(key, row) or {}).get(field.name))] or [b""]
    )
    return found.codec


def _values(key: RowKey, row: SampledRow) -> dict[str, Any] | None:
    """The fields of the key of a row; None where it is no such key."""
    codec = RowKeyCodec(ModelSchema("", "", "", "T", key, (), ()))
    try:
        values = codec.decode(row.key)
        return values if codec.encode(values) == row.key else None
    except BtmodelError:
        return None


def _comments(part: KeyPart, made: RecordedPart, field: KeyField, rows: int) -> Iterator[str]:
    if made.codec is not None and not made.derived:
        yield f"{RECORDED}; {keys(rows)}"
        return
    yield f"{RECORDED} as {part.codec}"
    if made.codec is None:
        yield "that is no codec of btmodel, so this one is guessed: give it the recorded one"
    if made.derived:
        yield "how it is derived is not in the record, so it is a plain field here: declare it as it was"
    yield "until then, `btmodel migrate plan` takes the key for another one"


def keys(rows: int) -> str:
    """How many keys agree, in words."""
    return f"all {rows:,} keys agree" if rows > 1 else "one key agrees" if rows else "no row was read"


_DOTS = "..."


def recorded_column(family: Family, cell: CellLayout, rows: Sequence[SampledRow]) -> ColumnGuess | None:
    """The column that was recorded of ``family``; None where not even its shape is known."""
    found = _spelt_cell(recorded_cell(cell))
    if found is None or not found.placed:
        return None
    name = cell.cell.removeprefix(f"{family.id}:")
    opened = found.shape.open
    if opened:
        name = name.removesuffix(_DOTS)
    qualifier = _qualifier(family, name, rows)
    of_rows = [
        [
            one
            for one in row.cells
            if one.family == family.id
            and (one.qualifier.startswith(qualifier) if opened else one.qualifier == qualifier)
        ]
        for row in rows
    ]
    cells = list(chain.from_iterable(of_rows))
    codec, said = _cell_codec(found, cell, cells)
    names = found.names or (any_name() if opened and not found.slots else None)
    wanted = cell.attribute or identifier(qualifier or family.id.encode(), "entries" if opened else "column")
    required = bool(cell.required) and all(of_rows)  # a row that was read may lack it
    column = Column(
        wanted,
        family.id,
        qualifier,
        codec,
        required,
        found.shape,
        names=names,
        slots=found.slots,
        spans=found.spans,
    )
    return ColumnGuess(column, said)


def _spelt_cell(found: RecordedCell | None) -> RecordedCell | None:
    """The cells without the codecs that no declaration can spell, because their enums are elsewhere."""
    if found is None or not any(enums_of((found.codec, found.names))):
        return found
    codec = None if any(enums_of(found.codec)) else found.codec
    return attrs.evolve(found, codec=codec, names=None if any(enums_of(found.names)) else found.names)


def _cell_codec(found: RecordedCell, cell: CellLayout, cells: Sequence[Cell]) -> tuple[CellCodec[Any], str]:
    evidence = (
        f"{len(cells):,} cells agree" if len(cells) > 1 else "a cell agrees" if cells else "no cell was read"
    )
    if found.whole and found.codec is not None:
        return found.codec, f"{RECORDED}; {evidence}"
    values = [one.value for one in cells]
    codec, seen = found.codec, "its names are any bytes"
    if codec is None and values:
        guess = guess_cell(values)
        codec, seen = guess.codec, f"guessed: {guess.said}"
    elif codec is None:
        codec, seen = Raw(), "no cell was read"
    return codec, (
        f"{RECORDED} as {cell.codec}, which is not all btmodel's own; here {seen}; declare it as it was, "
        "or `btmodel migrate plan` takes it for another codec"
    )


def _qualifier(family: Family, text: str, rows: Sequence[SampledRow]) -> bytes:
    """The qualifier that is recorded as ``text``, in which bytes that are no text are escaped."""
    if "\\x" in text:
        escaped = {cell.qualifier for row in rows for cell in row.cells if cell.family == family.id}
        for one in sorted(escaped):
            if one.decode(errors="backslashreplace") == text:
                return one
    return text.encode()


@frozen
class RecordedModels:
    """The models of a record, none where it does not fit the rows, and notes on that."""

    models: tuple[ModelGuess, ...] = ()
    notes: tuple[str, ...] = ()


def recorded_models(
    sample: TableSample, families: Sequence[Family], taken: Collection[str]
) -> RecordedModels:
    """The models that were recorded of a table, where they read every row; with ``families``, by names not ``taken``."""
    if not sample.layouts:
        return RecordedModels()
    groups = _grouped(sample)
    if groups is None:
        return RecordedModels(notes=(f"{_NOT_TAKEN}: the keys of some rows are other ones",))
    found: list[ModelGuess] = []
    names = set(taken)
    mentioned = {cell.cell.partition(":")[0] for layout in sample.layouts for cell in layout.cells}
    for layout, group in groups:
        first = not found
        mine = {cell.cell.partition(":")[0] for cell in layout.cells}
        mine |= {cell.family for row in group.rows for cell in row.cells}
        own = [family for family in families if family.id in mine or (first and family.id not in mentioned)]
        name = unused(model_name(layout.model), names)
        names.add(name)
        model = _model(name, sample.table.id, own, group, layout)
        if model is None:
            return RecordedModels(
                notes=(f"{_NOT_TAKEN}: the model {layout.model} would not read all of its rows",)
            )
        found.append(model)
    return RecordedModels(tuple(found))


_NOT_TAKEN = "what was recorded when it was migrated does not fit all rows, so it is guessed"


def _grouped(sample: TableSample) -> list[tuple[Layout, KeyGroup]] | None:
    """Each layout with its rows: those whose keys are read by it, and by none before; None where one is left."""
    left: Sequence[SampledRow] = sample.rows
    found: list[tuple[Layout, KeyGroup]] = []
    several = len(sample.layouts) > 1
    # A key of which a part is not known could be that of any row.
    for layout in sorted(sample.layouts, key=vague):
        description = f"that were recorded as {layout.model}" if several else ""
        rows, key = recorded_key(layout, left)
        if key is None:
            return None
        found.append((layout, KeyGroup(rows, key, description)))
        mine = {row.key for row in rows}
        left = [row for row in left if row.key not in mine]
    return None if left else sorted(found, key=lambda pair: pair[0].model)


def _model(
    name: str, table: str, families: Sequence[Family], group: KeyGroup, layout: Layout
) -> ModelGuess | None:
    """The model of a layout; None where it does not read its rows, or would be refused."""
    columns = list(_columns(families, group.rows, layout)) or list(placeholder(families))
    if not columns:
        return None
    repeated = {
        field: (mirror, seen)
        for field, (mirror, _, seen) in mirrors(group, columns).items()
        if any(
            (guess.column.family, guess.column.qualifier, guess.column.codec)
            == (mirror.family, mirror.qualifier, mirror.codec)
            for guess in columns
        )
    }
    repeated |= _named_mirrors(group, columns, layout)
    hidden = {(mirror.family, mirror.qualifier) for mirror, _ in repeated.values()}
    taken: set[str] = set()
    evidence: dict[str, str] = {}

    def named(wanted: str, said: str) -> str:
        free_name = attribute(wanted, taken)
        taken.add(free_name)
        evidence[free_name] = said
        return free_name

    fields = []
    for field in group.key.key.fields:
        mirror, seen = repeated.get(field.name, (None, ""))
        said = "; ".join(filter(None, (group.key.evidence[field.name], seen)))
        fields.append(attrs.evolve(field, name=named(field.name, said), mirror=mirror))
    declared = [
        attrs.evolve(guess.column, name=named(guess.column.name, guess.evidence))
        for guess in columns
        if guess.column.open or (guess.column.family, guess.column.qualifier) not in hidden
    ]
    attributes = {}
    for family in families:
        wanted = identifier(family.id.encode(), "family")
        attributes[family.id] = attribute(f"{wanted}_family" if wanted in taken else wanted, taken)
        taken.add(attributes[family.id])
    schema = ModelSchema(
        name=name,
        module="inspected",
        doc="",
        table=table,
        key=attrs.evolve(group.key.key, fields=tuple(fields)),
        families=tuple(families),
        columns=tuple(declared),
        bucket=_bucket(columns),
        existing=True,
    )
    guess = ModelGuess(schema, evidence, attributes, group.description, recorded=True)
    candidates = (
        candidate for candidate in _with_bucket(guess, group.rows) if reads(candidate.schema, group.rows)
    )
    return next(filter(None, map(allowed, candidates)), None)


_SAYS_BUCKET = (
    "the events of a row lie in it, so it is taken for the bucket, of which the record says nothing"
)


def _with_bucket(guess: ModelGuess, rows: Sequence[SampledRow]) -> Iterator[ModelGuess]:
    """The model with the last time of its key as the bucket of its events, where all lie in it, then as it is."""
    schema = guess.schema
    field = schema.key.fields[-1]
    granularity = field.codec.granularity
    if schema.bucket is None and granularity and not field.optional:
        try:
            found = attrs.evolve(schema, bucket=bucket_of(granularity))
        except DeclarationError:  # a unit that no bucket has, such as seconds
            found = schema
        optional = not any(column.required for column in found.columns)
        if found.series and found.holds_events and optional and _events_within(found, rows):
            said = "; ".join(filter(None, (guess.evidence.get(field.name), _SAYS_BUCKET)))
            yield attrs.evolve(guess, schema=found, evidence={**guess.evidence, field.name: said})
    yield guess


def _events_within(schema: ModelSchema, rows: Sequence[SampledRow]) -> bool:
    """Whether all events of each row lie in its bucket."""
    codec: RowCodec[dict[str, Any]] = RowCodec(schema, lambda values, unknown: values)
    bucket, field = schema.bucket, schema.bucket_field
    assert bucket is not None
    assert field is not None
    for row in rows:
        try:
            values = codec.decode(row.key, row.cells)
        except BtmodelError:
            return False
        time = values[field.name]
        if not isinstance(time, datetime):
            time = datetime(time.year, time.month, time.day, tzinfo=UTC)
        start, times = bucket.start(time), chain.from_iterable(values[one.name] for one in schema.series)
        if any(bucket.start(event) != start for event in times):
            return False
    return True


def _named_mirrors(
    group: KeyGroup, columns: Sequence[ColumnGuess], layout: Layout
) -> dict[str, tuple[Mirror, str]]:
    """The cells that were recorded as those of a field of the key, which they repeat, by the field."""
    cells = {cell.attribute: cell.cell for cell in layout.cells}
    mirrors = {field.name: field.codec.mirror() for field in group.key.key.fields if field.name in cells}
    return {
        name: (Mirror(column.family, column.qualifier, codec), f"{column.cell} repeats it, as recorded")
        for name, codec in mirrors.items()
        for column in (guess.column for guess in columns)
        if (column.cell, column.codec) == (cells[name], codec) and column.shape.plain
    }


def _columns(families: Sequence[Family], rows: Sequence[SampledRow], layout: Layout) -> Iterator[ColumnGuess]:
    """The recorded columns of these families, then guesses at those that rows have beside them."""
    for family in families:
        own = [cell for cell in layout.cells if cell.cell.startswith(f"{family.id}:")]
        found = [recorded_column(family, cell, rows) for cell in own]
        known = [guess for guess in found if guess is not None]
        yield from known
        if not any(guess.column.open for guess in known):
            yield from columns_of(family, rows, None, {guess.column.qualifier for guess in known})


def _bucket(columns: Sequence[ColumnGuess]) -> Bucket | None:
    """The bucket whose slots some columns are."""
    return next((guess.column.slots.bucket for guess in columns if guess.column.slots), None)
