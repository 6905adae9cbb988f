"""One model, checked against the rows that it was guessed from."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.errors import BtmodelError, DeclarationError
from btmodel.guess.family import ColumnGuess, FamilyCells, any_cells, guess_family
from btmodel.guess.key import KeyGroup, SampledRow
from btmodel.guess.names import attribute, identifier
from btmodel.lint import Finding, errors, review
from btmodel.rows import RowCodec
from btmodel.schema import AuthorizedView, Bucket, Family, Mirror, ModelSchema, RowKey
from btmodel.schema.checks import CHECKS
from btmodel.schema.gc import keeps_for_ever

REASON = "as inspected"
# With keys that break these, no row could be assigned to a model.
_AMBIGUOUS = frozenset({"KEY008", "KEY020"})
# Rows, and different values, from which on a cell that is as a part of the key in all of them repeats it. A
# number counts up from 1 in many a new table, and so does what has nothing to do with it: of small ones, many.
_FEWEST, _DIFFERENT = 5, 2
_SMALL, _DIFFERENT_SMALL = 1000, 50


@frozen
class AuthorizedGuess:
    """An authorized view as a declaration: values of leading key fields, and names of columns; None where it has whole families."""

    view: AuthorizedView
    where: tuple[tuple[str, Any], ...]
    only: tuple[str, ...] | None


@frozen
class ModelGuess:
    """A model that reads the rows that it was guessed from.

    ``evidence`` says of each attribute, by name, why it was chosen, ``families`` gives the name of the attribute
    of each family, by id, and ``description`` says which rows of a shared table these are, as in
    "whose keys begin with 'user'", and is empty where they are all. ``recorded`` is whether it is the one that
    was declared when the table was migrated. ``authorized`` are the declarations of the authorized views that its schema has.
    """

    schema: ModelSchema
    evidence: Mapping[str, str]
    families: Mapping[str, str]
    description: str = ""
    recorded: bool = False
    authorized: tuple[AuthorizedGuess, ...] = ()


def guess_model(
    name: str, table: str, families: Sequence[Family], group: KeyGroup, fields: Sequence[str] = ()
) -> ModelGuess | None:
    """The model of one group of rows, with ``families``; None where it would be refused, or does not fit them.

    ``fields`` are the names of the fields of the key, where the table knows as many as there are.
    """
    bucket = _bucket(group.key.key)
    columns = [found for family in families for found in columns_of(family, group.rows, bucket)]
    columns = columns or list(placeholder(families))
    if not columns:
        return None
    guess = _named(name, table, families, columns, _renamed(group, fields))
    for candidate in _candidates(guess):
        if reads(candidate.schema, group.rows):
            return allowed(candidate)
    return None


def columns_of(
    family: Family, rows: Sequence[SampledRow], bucket: Bucket | None, known: Collection[bytes] = ()
) -> Iterator[ColumnGuess]:
    """The guesses at the columns of ``family``, but for those of ``known`` qualifiers."""
    cells = (
        tuple(cell for cell in row.cells if cell.family == family.id and cell.qualifier not in known)
        for row in rows
    )
    found = guess_family(FamilyCells(family, tuple(cells), bucket))
    # A counter without spans lies at timestamp 0: no rule with an age lets it be declared.
    return (
        guess
        for guess in found
        if guess.column.spans or not guess.column.shape.summed or keeps_for_ever(family.gc)
    )


def placeholder(families: Sequence[Family]) -> Iterator[ColumnGuess]:
    """An attribute for a model that has none: a class needs one, and a plain family takes any cell."""
    for family in sorted(families, key=lambda one: one.aggregate is not None):
        if family.aggregate is None or keeps_for_ever(family.gc):
            said = "no cell was read, so any is taken: a class needs an attribute"
            yield ColumnGuess(any_cells(family), said)
            return


def _bucket(key: RowKey) -> Bucket | None:
    """The time that a row may hold: the granularity of the last field."""
    last = key.fields[-1]
    granularity = None if last.optional else last.codec.granularity
    return next((bucket for bucket in (Bucket.DAY, Bucket.HOUR) if bucket.value == granularity), None)


def _named(
    name: str, table: str, families: Sequence[Family], columns: Sequence[ColumnGuess], group: KeyGroup
) -> ModelGuess:
    """The model, with names for all its attributes: first of columns, which have names, then of the key and the families."""
    key = group.key.key
    taken: set[str] = set()
    evidence: dict[str, str] = {}

    def named(wanted: str, said: str) -> str:
        free_name = attribute(wanted, taken)
        taken.add(free_name)
        if said:
            evidence[free_name] = said
        return free_name

    repeated = mirrors(group, columns)
    mirrored = {(mirror.family, mirror.qualifier) for mirror, _, _ in repeated.values()}
    declared = [
        attrs.evolve(guess.column, name=named(guess.column.name, guess.evidence))
        for guess in columns
        if guess.column.open or (guess.column.family, guess.column.qualifier) not in mirrored
    ]
    fields = []
    for field in key.fields:
        mirror, wanted, seen = repeated.get(field.name, (None, field.name, ""))
        said = "; ".join(filter(None, (group.key.evidence.get(field.name, ""), seen)))
        fields.append(attrs.evolve(field, name=named(wanted, said), mirror=mirror))
    attributes: dict[str, str] = {}
    for family in families:
        wanted = identifier(family.id.encode(), "family")
        attributes[family.id] = named(f"{wanted}_family" if wanted in taken else wanted, "")
    slots = any(column.shape.slotted for column in declared)
    schema = ModelSchema(
        name=name,
        module="inspected",
        doc="",
        table=table,
        key=attrs.evolve(key, fields=tuple(fields)),
        families=tuple(families),
        columns=tuple(declared),
        bucket=_bucket(key) if slots else None,
        existing=True,
    )
    return ModelGuess(schema, evidence, attributes, group.description)


def _renamed(group: KeyGroup, names: Sequence[str]) -> KeyGroup:
    """The group with these names for the fields of its key, as far as they can be names of attributes."""
    key = group.key
    if len(names) != len(key.key.fields) or not all(attribute(name, ()) == name for name in names):
        return group
    fields = [attrs.evolve(field, name=name) for field, name in zip(key.key.fields, names, strict=True)]
    said = {name: key.evidence.get(field.name, "") for field, name in zip(key.key.fields, names, strict=True)}
    return attrs.evolve(
        group, key=attrs.evolve(key, key=attrs.evolve(key.key, fields=tuple(fields)), evidence=said)
    )


def mirrors(group: KeyGroup, columns: Sequence[ColumnGuess]) -> dict[str, tuple[Mirror, str, str]]:
    """The cells that repeat a field of the key in every row, by the field: as a mirror, and what they call it."""
    found: dict[str, tuple[Mirror, str, str]] = {}
    if len(group.rows) < _FEWEST:
        return found
    single = [guess.column for guess in columns if guess.column.shape.plain]
    try:
        keys = [_values(group, row) for row in group.rows]
    except BtmodelError:
        return found
    cells = [_newest(row) for row in group.rows]
    for field in group.key.key.fields:
        if field.optional or not field.asked or field.codec.kind is Kind.CONSTANT:
            continue
        codec = field.codec.mirror()
        wanted = [codec.encode(values[field.name]) for values in keys]
        small = field.codec.kind is Kind.NUMBER and min(values[field.name] for values in keys) < _SMALL
        if len(set(wanted)) < (_DIFFERENT_SMALL if small else _DIFFERENT):
            continue
        for column in single:
            place = (column.family, column.qualifier)
            if all(row.get(place) == value for row, value in zip(cells, wanted, strict=True)):
                mirror = Mirror(column.family, column.qualifier, codec)
                found[field.name] = (mirror, column.name, f"{column.cell} repeats it in all rows")
                single.remove(column)
                break
    return found


def _values(group: KeyGroup, row: SampledRow) -> dict[str, Any]:
    schema = ModelSchema("", "", "", "T", group.key.key, (), ())
    return RowCodec(schema, _nothing).keys.decode(row.key)


def _newest(row: SampledRow) -> dict[tuple[str, bytes], bytes]:
    newest: dict[tuple[str, bytes], bytes] = {}
    for cell in row.cells:
        newest.setdefault(cell[:2], cell.value)
    return newest


def _candidates(guess: ModelGuess) -> Iterator[ModelGuess]:
    """The guess, and weaker ones, should cells not fit: each open family as bytes, then nothing but bytes."""
    yield guess
    schema = guess.schema
    plain = [family for family in schema.families if family.aggregate is None]
    taken = {*guess.evidence, *guess.families.values()}
    for family in plain:
        column = attrs.evolve(any_cells(family), name=attribute("cells", taken))
        yield attrs.evolve(guess, schema=attrs.evolve(schema, columns=(column,), bucket=None))


def reads(schema: ModelSchema, rows: Sequence[SampledRow]) -> bool:
    """Whether every row is read, and every key is written again as it was."""
    codec = RowCodec(schema, _nothing)
    try:
        for row in rows:
            codec.decode(row.key, row.cells)
            if codec.keys.encode(codec.keys.decode(row.key)) != row.key:
                return False
    except BtmodelError:
        return False
    return True


def _nothing(values: dict[str, Any], unknown: object) -> None:
    return None


def allowed(guess: ModelGuess) -> ModelGuess | None:
    """The guess with the errors of the review allowed; None where one of them cannot be, or no class declares it."""
    if not _declarable(guess.schema):
        return None
    found = errors(review(guess.schema))
    if any(finding.limit or finding.rule in _AMBIGUOUS for finding in found):
        return None
    return attrs.evolve(guess, schema=attrs.evolve(guess.schema, allow=suppressions(found)))


def _declarable(schema: ModelSchema) -> bool:
    """Whether a class can be declared like this."""
    if any(column.shape.spanned and column.spans is None for column in schema.columns):
        return False
    try:
        for check in CHECKS:
            check(schema)
    except DeclarationError:
        return False
    return True


def suppressions(found: Sequence[Finding]) -> dict[str, str]:
    """The suppressions without which these findings would refuse the class."""
    return dict.fromkeys(sorted({finding.rule for finding in found}), REASON)
