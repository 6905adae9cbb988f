"""The models that a table was migrated for, made again from their record, and held against the rows like any guess."""

from collections.abc import Collection, Iterator, Sequence

import attrs
from attrs import frozen

from btmodel.guess.family import ColumnGuess
from btmodel.guess.groups import Group
from btmodel.guess.model import ModelGuess, allowed, columns_of, mirrors, placeholder, reads
from btmodel.guess.names import attribute, identifier, model_name, unused
from btmodel.guess.recorded_cells import recorded_column
from btmodel.guess.recorded_key import recorded_key, vague
from btmodel.guess.rows import SampledRow, TableSample
from btmodel.schema import Bucket, Family, Layout, ModelSchema


@frozen
class Recorded:
    """The models of a record, none where it does not fit the rows, and notes on that."""

    models: tuple[ModelGuess, ...] = ()
    notes: tuple[str, ...] = ()


def recorded_models(sample: TableSample, families: Sequence[Family], taken: Collection[str]) -> Recorded:
    """The models that were recorded of a table, where they read every row; with ``families``, by names not ``taken``."""
    if not sample.layouts:
        return Recorded()
    groups = _grouped(sample)
    if groups is None:
        return Recorded(notes=(f"{_NOT_TAKEN}: the keys of some rows are other ones",))
    found: list[ModelGuess] = []
    names = set(taken)
    mentioned = {cell.cell.partition(":")[0] for layout in sample.layouts for cell in layout.cells}
    for layout, group in groups:
        first = not found
        mine = {cell.cell.partition(":")[0] for cell in layout.cells}
        mine |= {cell.family for row in group.rows for cell in row.cells}
        own = [one for one in families if one.id in mine or (first and one.id not in mentioned)]
        name = unused(model_name(layout.model), names)
        names.add(name)
        model = _model(name, sample.table.id, own, group, layout)
        if model is None:
            return Recorded(notes=(f"{_NOT_TAKEN}: the model {layout.model} would not read all of its rows",))
        found.append(model)
    return Recorded(tuple(found))


_NOT_TAKEN = "what was recorded when it was migrated does not fit all rows, so it is guessed"


def _grouped(sample: TableSample) -> list[tuple[Layout, Group]] | None:
    """Each layout with its rows: those whose keys are read by it, and by none before; None where one is left."""
    left: Sequence[SampledRow] = sample.rows
    found: list[tuple[Layout, Group]] = []
    several = len(sample.layouts) > 1
    # A key of which a part is not known could be that of any row.
    for layout in sorted(sample.layouts, key=vague):
        told = f"that were recorded as {layout.model}" if several else ""
        rows, key = recorded_key(layout, left)
        if key is None:
            return None
        found.append((layout, Group(rows, key, told)))
        mine = {row.key for row in rows}
        left = [row for row in left if row.key not in mine]
    return None if left else sorted(found, key=lambda pair: pair[0].model)


def _model(
    name: str, table: str, families: Sequence[Family], group: Group, layout: Layout
) -> ModelGuess | None:
    """The model of a layout; None where it does not read its rows, or would be refused."""
    columns = list(_columns(families, group.rows, layout)) or list(placeholder(families))
    if not columns:
        return None
    repeated = {
        field: (mirror, seen)
        for field, (mirror, _, seen) in mirrors(group, columns).items()
        if any(
            (one.column.family, one.column.qualifier, one.column.codec)
            == (mirror.family, mirror.qualifier, mirror.codec)
            for one in columns
        )
    }
    hidden = {(mirror.family, mirror.qualifier) for mirror, _ in repeated.values()}
    taken: set[str] = set()
    evidence: dict[str, str] = {}

    def named(wanted: str, said: str) -> str:
        found = attribute(wanted, taken)
        taken.add(found)
        evidence[found] = said
        return found

    fields = []
    for field in group.key.key.fields:
        mirror, seen = repeated.get(field.name, (None, ""))
        said = "; ".join(filter(None, (group.key.evidence[field.name], seen)))
        fields.append(attrs.evolve(field, name=named(field.name, said), mirror=mirror))
    declared = [
        attrs.evolve(one.column, name=named(one.column.name, one.evidence))
        for one in columns
        if one.column.open or (one.column.family, one.column.qualifier) not in hidden
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
    )
    guess = ModelGuess(schema, evidence, attributes, group.told, recorded=True)
    return allowed(guess) if reads(schema, group.rows) else None


def _columns(families: Sequence[Family], rows: Sequence[SampledRow], layout: Layout) -> Iterator[ColumnGuess]:
    """The recorded columns of these families, then guesses at those that rows have beside them."""
    for family in families:
        own = [cell for cell in layout.cells if cell.cell.startswith(f"{family.id}:")]
        found = [recorded_column(family, cell, rows) for cell in own]
        known = [one for one in found if one is not None]
        yield from known
        if not any(one.column.open for one in known):
            yield from columns_of(family, rows, None, {one.column.qualifier for one in known})


def _bucket(columns: Sequence[ColumnGuess]) -> Bucket | None:
    """The bucket whose slots some columns are."""
    return next((one.column.slots.bucket for one in columns if one.column.slots), None)
