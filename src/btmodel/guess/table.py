"""One table: its models, its settings, and what no model can express."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence

import attrs
from attrs import evolve, frozen

from btmodel.guess.key import KeyGroup, TableSample, any_key, groupings
from btmodel.guess.model import ModelGuess, guess_model
from btmodel.guess.names import class_name, unused
from btmodel.guess.recorded import recorded_models
from btmodel.guess.views import ViewGuess, guess_view, undeclared_authorized, with_authorized
from btmodel.lint import errors, review
from btmodel.schema import OFF, Aggregate, Family, ModelSchema, RowKey, Table, TableSettings, TableView
from btmodel.schema.key_schema import key_schema_text, row_key_schema
from btmodel.schema.limits import PERIODS
from btmodel.schema.rate import every_text, parse_every
from btmodel.source_text import gc_code


def with_settings(
    models: Sequence[ModelGuess], live: TableSettings
) -> tuple[tuple[ModelGuess, ...], list[str]]:
    """The models, of which the first states what is on in ``live``; and what cannot be stated, each with its reason."""
    why = list(_unsayable(live))
    off = {name: None for name in PERIODS if not _sayable_settings(live, name)}
    stated = attrs.evolve(
        live, **off, deletion_protection=live.deletion_protection or None, row_key_schema=None
    )
    schema: bool | None = None
    if live.row_key_schema:
        found, _ = row_key_schema([model.schema for model in models])
        schema = (found is not None and key_schema_text(found) == live.row_key_schema) or None
        if schema is None:
            why.append("its row key schema is not that of the key as it was guessed")
    first, *others = models
    changed = attrs.evolve(first.schema, settings=stated, row_key_schema=schema)
    return (attrs.evolve(first, schema=changed), *others), why


def field_names(live: TableSettings) -> tuple[str, ...]:
    """The names of the key fields in the row key schema, in order; none if there is no schema."""
    if not live.row_key_schema:
        return ()
    fields = json.loads(live.row_key_schema).get("fields", ())
    return tuple(field.get("fieldName", "") for field in fields)


def _sayable_settings(live: TableSettings, name: str) -> bool:
    """Whether a setting is on, and one that a declaration takes."""
    period = getattr(live, name)
    if period is None or period == OFF:
        return False
    least, most = PERIODS[name]
    return bool(least <= period <= most) and parse_every(every_text(period)) == period


def _unsayable(live: TableSettings) -> Iterator[str]:
    for name in PERIODS:
        period = getattr(live, name)
        if period is not None and period != OFF and not _sayable_settings(live, name):
            yield f"{name} is {period}, which no model can declare"


@frozen
class TableGuess:
    """A live table with the models for it, of which there is none where the table cannot be declared.

    ``said`` says what was read of it, and ``undeclared`` what the models leave out, each with its reason.
    ``notes`` are about the record of its migrations, where that is not what the models are. ``views`` are its indexes and rollups.
    """

    table: Table
    models: tuple[ModelGuess, ...]
    said: str
    undeclared: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    views: tuple[ViewGuess, ...] = ()


def guess_tables(samples: Iterable[TableSample]) -> Iterator[TableGuess]:
    """The models for each table, with names that differ."""
    taken: set[str] = set()
    for sample in samples:
        found = guess_table(sample, taken)
        taken |= {guess.schema.name for guess in found.models} | {guess.schema.name for guess in found.views}
        yield found


def guess_table(sample: TableSample, taken: Collection[str] = ()) -> TableGuess:
    """The models for one table and its views; none of them is called as one of ``taken``."""
    families, undeclared = _declarable(sample.table)
    left_out = {family.id for family in sample.table.families} - {family.id for family in families}
    recorded = recorded_models(sample, families, taken)
    found = recorded.models or next(
        filter(None, (_models(sample.table, families, groups, taken) for groups in _groupings(sample))), ()
    )
    if not found:
        why = undeclared if left_out else [*undeclared, *_refusal(sample.table)]
        unread = [_undeclared(view, "the table has no model") for view in sample.table.views]
        unread += [undeclared_authorized(view, "the table has no model") for view in sample.table.authorized]
        return TableGuess(
            sample.table, (), sample.said, (*why, *unread, *_bundles(sample.table)), recorded.notes
        )
    stated, why = with_settings(found, sample.table.settings)
    stated, hidden = with_authorized(stated, sample.table.authorized)
    views, others = _views(sample.table, stated, taken)
    left = (*undeclared, *why, *others, *hidden, *_bundles(sample.table))
    return TableGuess(sample.table, stated, sample.said, left, recorded.notes, tuple(views))


def _views(
    table: Table, models: Sequence[ModelGuess], taken: Collection[str]
) -> tuple[list[ViewGuess], list[str]]:
    """The views of a table as declarations; and what is said of the others, with their queries."""
    names = {*taken, *(model.schema.name for model in models)}
    found: list[ViewGuess] = []
    others: list[str] = []
    for view in table.views:
        one = guess_view(view, models, names)
        if isinstance(one, str):
            others.append(_undeclared(view, one))
        else:
            found.append(one)
            names.add(one.schema.name)
    return found, others


def _undeclared(view: TableView, why: str) -> str:
    return f"materialized view {view.id!r}: declare it as a bt.Index or a bt.Rollup: {why}: {view.asked}"


def _groupings(sample: TableSample) -> Iterator[tuple[KeyGroup, ...]]:
    if sample.rows:
        yield from groupings(sample.rows)
    else:
        yield (KeyGroup((), any_key("no row was read")),)


def _models(
    table: Table, families: tuple[Family, ...], groups: tuple[KeyGroup, ...], taken: Collection[str]
) -> tuple[ModelGuess, ...]:
    """A model for each group; none at all where one of them does not work out."""
    found: list[ModelGuess] = []
    names = set(taken)
    # What no row of a group has, the first of them declares.
    used = {cell.family for group in groups for row in group.rows for cell in row.cells}
    for group in groups:
        first = group is groups[0]
        mine = {cell.family for row in group.rows for cell in row.cells}
        own = [family for family in families if family.id in mine or (first and family.id not in used)]
        name = unused(_name(table.id, group, several=len(groups) > 1), names)
        names.add(name)
        model = guess_model(name, table.id, own, group, field_names(table.settings))
        if model is None:
            return ()
        found.append(model)
    return tuple(found)


def _name(table: str, group: KeyGroup, *, several: bool) -> str:
    constants = [field.constant for field in group.key.key.fields if field.constant]
    return class_name(f"{table}_{constants[0]}" if several and constants else table)


def _bundles(table: Table) -> Iterator[str]:
    """The schema bundles of the table: no declaration follows from one, which does not say what the message classes are."""
    for bundle in table.bundles:
        yield (
            f"schema bundle {bundle.id!r} is there: declare the columns of {bundle} with bt.Protobuf(...), and bt.table(..., "
            f"schema_bundle={bundle.id!r})"
        )


def _declarable(table: Table) -> tuple[tuple[Family, ...], list[str]]:
    """The families that a model can declare, and why it cannot declare the others."""
    found: list[Family] = []
    why: list[str] = []
    for family in table.families:
        kind: object = family.aggregate  # a live one may be none of ours
        if kind is not None and not isinstance(kind, Aggregate):
            kind_name = getattr(kind, "value", kind)
            why.append(f"family {family.id!r} aggregates as {kind_name!r}, which no model can declare")
        elif not _sayable(family):
            why.append(f"family {family.id!r} keeps {family.gc}, which no model can declare")
        else:
            # The type of a live family's values is stated by no declaration.
            found.append(evolve(family, value_type=None))
    return tuple(found), why


def _sayable(family: Family) -> bool:
    try:
        return family.gc is None or bool(gc_code(family.gc))
    except TypeError:
        return False


def _refusal(table: Table) -> list[str]:
    """Why a table whose families can be declared has no model."""
    if not table.families:
        return ["it has no column family, so it can hold no row, and no model can declare it"]
    schema = ModelSchema("", "", "", table.id, RowKey(any_key("").key.fields, b"#"), table.families, ())
    found = [finding.message for finding in errors(review(schema)) if finding.limit]
    return found or ["its families aggregate and delete by age, and no model can declare columns of those"]
