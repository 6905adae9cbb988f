"""ROW004 split-entity: an entity that must change atomically, in several rows

What it finds
    A model whose key has fields besides those of `atomic`, so one entity has a row for each of
    their values; and a model of another table that declares the same `atomic` fields with the
    same names and codecs (a name as general as `id` alone says nothing). An entity of several
    hundred MB may be divided: if the cardinalities show that it has more than 200 MB, the rule
    finds nothing. A model without `atomic`, whose docstring says that all of something changes or none of it ("all of its pieces, or none"), is judged by the first query that
    reads several rows of one entity, if the fields behind it have few declared values and the key has no time.

    The fix is a row for each entity, and a second table with copies of its parts (`bt.twins`) for the queries that this row does not serve. That each row may change for itself is
    offered only where the description does not deny it.

Why
    Only changes of one row are atomic. If an entity has several rows, one write may fail and
    another succeed, and a reader may see half of a change.

Example
    import btmodel as bt


    class Balance(bt.Model, table="balance", atomic="account"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        currency: str = bt.key(bt.Text(width=3), cardinality=30)

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

        of_account = bt.query("account")

Use instead
    import btmodel as bt


    class Balance(bt.Model, table="balance", atomic="account"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        cents: dict[str, int] = bt.mapping(data, bt.Text(width=3), entries=30)

        of_account = bt.query("account")

Allow
    Suppress it if one row would have several hundred MB, or if readers accept an entity of which a part is
    older.

Source
    https://cloud.google.com/bigtable/docs/schema-design (keep all information for an entity in a
    single row; the exception of several hundred MB).
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from attrs import evolve

from btmodel.codecs.key import Joined, KeyCodec, Kind
from btmodel.design.copied_rows import copied, kept_cell, of_additions
from btmodel.design.keys import drawn
from btmodel.design.proposal import serves
from btmodel.design.related_tables import identity
from btmodel.design.second_tables import as_second
from btmodel.errors import DeclarationError
from btmodel.estimates import distinct
from btmodel.lint.descriptions import ALL_OR_NONE
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, KeyField, ModelSchema, Query, Shape
from btmodel.source_text import declaration, written
from btmodel.words import quoted

# Values of which one row may hold all (this project's own figure).
_FEW = 1_000
# And values of several fields together.
_GRID = 10_000
# Two entities that are identified by fields of such names need not be the same.
_GENERAL = frozenset(("id", "key", "name", "code", "number"))


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each model of an atomic entity that has several rows of it, or only a part of it."""
    entities: dict[object, ModelSchema] = {}
    for model in sorted(models, key=identity):
        if not model.atomic:
            yield from _as_described(model)
            continue
        rest = [part for part in model.key.asked if part.name not in model.atomic]
        if rest:
            yield from _rows(model, rest)
            continue
        first = entities.setdefault(_entity(model), model)
        if first.table != model.table:
            yield _tables(first, model)


def _entity(model: ModelSchema) -> object:
    """What shows whether two models are about the same entities; of general names, the model itself."""
    if _GENERAL.issuperset(model.atomic):
        return identity(model)
    return frozenset((name, model.key.field(name).codec) for name in model.atomic)


def _as_described(model: ModelSchema) -> Iterator[Finding]:
    """The entity that a query reads from several rows, none of them of a time, where the description says that all of it changes or nothing."""
    said = ALL_OR_NONE.search(" ".join(model.doc.split()))
    entity = next((names for query in model.queries if (names := _several(model, query))), None)
    if said is not None and entity is not None and model.view is None:
        whole = evolve(model, atomic=entity)
        rest = [part for part in model.key.asked if part.name not in entity]
        yield from _rows(whole, rest, f"the description says {said[0]!r}: ")


def _several(model: ModelSchema, query: Query) -> tuple[str, ...]:
    """The fields in front of the key that a query gives of an entity of several rows, of which a row could hold all."""
    front = [part for part in model.key.asked if part.name in query.equal]
    rest = [part for part in model.key.asked if part not in front]
    whole = bool(front and rest) and list(model.key.asked[: len(front)]) == front
    return tuple(part.name for part in front) if whole and _bounded(rest) and not _timed(model) else ()


def _timed(model: ModelSchema) -> bool:
    return any(part.codec.kind is Kind.TIME for part in model.key.fields)


def _rows(model: ModelSchema, rest: Sequence[KeyField], said: str = "") -> Iterator[Finding]:
    spread, entity = quoted([part.name for part in rest]), quoted(model.atomic)
    yield RULE.finding(
        model,
        f"{said}all of {entity} must change atomically, but the key `{model.key.shape}` has one row per {spread}",
        why="only changes of one row are atomic",
        fix=partial(_ways, model, rest),
        part=rest[0].name,
        at=rest[0].location,
    )


def _ways(model: ModelSchema, rest: Sequence[KeyField]) -> Iterator[Fix]:
    """A row that holds all, as was declared, or another promise, unless the description gives this one: what has to change at once only the author knows; what can be proved first."""
    whole = tuple(part.name for part in model.key.asked)
    listed = ", ".join(f'"{name}"' for name in whole)
    promise = Fix(
        f"if each row changes for itself, `atomic=({listed})`",
        (evolve(model, atomic=whole),),
        alternative=True,
    )
    row = evolve(_one_row(model, rest), alternative=True)
    copied = _with_copy(model, row)
    if ALL_OR_NONE.search(" ".join(model.doc.split())):
        yield from (copied, row) if copied else (row,)
        return
    if copied:
        yield from (copied, promise)
        return
    yield from (row, promise) if row.models else (promise, row)


def _with_copy(model: ModelSchema, row: Fix) -> Fix | None:
    """The row that holds all, and a copy of its parts in a second table for the queries that the row does not serve; None where it serves them all, or holds none."""
    if not row.models:
        return None
    (made,) = row.models
    names = {part.name for part in made.key.fields}
    lost = tuple(
        query
        for query in model.queries
        if serves(model.key, query)
        and not any(
            each.name == query.name and serves(made.key, each) and each.equal for each in made.queries
        )
    )
    if not lost:
        return None
    kept = tuple(query for query in made.queries if query.name not in {one.name for one in lost})
    found = next(iter(model.atomic)) if len(model.atomic) == 1 else "one"
    name = next(
        name
        for name in (f"of_{found}", "whole", "all_of_it")
        if name not in model.attributes and name not in {one.name for one in model.queries}
    )
    asked = Query(name, tuple(part.name for part in made.key.asked))
    second = copied(model, evolve(as_second(model, model.key, lost[0]), queries=lost, atomic=(), doc=""))
    text = row.text.partition("; ")[0]
    declared = f"`{asked.name} = {declaration(asked)}`"
    copies = (
        f", which {declared} reads; and for {quoted(query.name for query in lost)} write a copy of each part to a second table, `{second.table}`, under the key "
        f"`{second.key.shape}`{kept_cell(model, second)}, by `bt.twins({model.name}, ({second.name}, ...), owned=True)`, of which readers know that a part may be there a moment later{of_additions(model, second)}"
    )
    whole = evolve(made, queries=(*kept, asked))
    return Fix(f"{text}{copies}", (whole, second), instead=row.instead, alternative=True) if names else None


def _one_row(model: ModelSchema, rest: Sequence[KeyField]) -> Fix:
    """The key of a row that holds all, and what its columns are then."""
    kept = [part for part in model.key.fields if part not in rest]
    names = quoted([part.name for part in rest])
    text = f"one row for each {quoted(model.atomic)}, under the key `{drawn(model.key, kept)}`, with {names} in the qualifiers"
    values = [column for column in model.columns if column.shape.plain]
    codec = _qualifiers(rest)
    if values:
        text += _mappings(values, rest, codec)
    queries = tuple(_of_whole_rows(query, kept) for query in model.queries)
    whole = [new.name for new, old in zip(queries, model.queries, strict=True) if new != old]
    if whole:
        text += f"; {quoted(whole)} then read{'' if whole[1:] else 's'} the whole row, without {names}"
    if codec is None or len(values) < len(model.columns) or not kept:
        return Fix(text)
    columns = tuple(_mapping(column, codec, _entries(rest), len(values)) for column in values)
    made = evolve(model, key=evolve(model.key, fields=tuple(kept)), columns=columns, queries=queries)
    return Fix(text, (made,), instead=tuple((part.name, values[0].name) for part in rest) if values else ())


def _mappings(values: Sequence[Column], rest: Sequence[KeyField], codec: KeyCodec[Any] | None) -> str:
    """How the mappings are declared that hold the values of a row."""
    keys = ", ".join(part.codec.python_type.__name__ for part in rest)
    named = keys if not rest[1:] else f"tuple[{keys}]"
    mappings = quoted(
        [f"{column.name}: dict[{named}, {column.codec.python_type.__name__}]" for column in values]
    )
    call = f"`bt.mapping(..., {written(codec)})`" if rest[1:] and codec is not None else "`bt.mapping(...)`"
    prefixes = ", with a prefix each" if values[1:] else ""
    most = "" if _bounded(rest) else f" and `entries={_FEW:_}`, if none has more"
    return f": {mappings}, by {call}{prefixes}{most}"


def _qualifiers(rest: Sequence[KeyField]) -> KeyCodec[Any] | None:
    """The codec of the qualifiers that hold these fields; None where these cannot be told apart there, or never end, as of a series."""
    if not rest[1:]:
        return rest[0].codec
    if any(part.codec.kind is Kind.TIME for part in rest):
        return None
    try:
        return Joined(tuple(part.codec for part in rest), b":")
    except DeclarationError:
        return None


def _of_whole_rows(query: Query, kept: Sequence[KeyField]) -> Query:
    """The query without the fields that are no longer in the key."""
    names = {part.name for part in kept}
    if names.issuperset({*query.equal, query.between, query.starting} - {None}):
        return query
    return evolve(
        query,
        equal=tuple(name for name in query.equal if name in names),
        between=query.between if query.between in names else None,
        starting=query.starting if query.starting in names else None,
        newest=False,
        span=None,
    )


def _mapping(column: Column, codec: KeyCodec[Any], entries: int, count: int) -> Column:
    """A mapping of names, which ``codec`` writes, to what the column holds, with a prefix where it is one of several."""
    prefix = column.name.encode() + b":" if count > 1 else b""
    expected = evolve(column.expected, entries=entries)
    changes: dict[str, Any] = {"shape": Shape.MAPPING, "names": codec, "qualifier": prefix, "also": ()}
    return evolve(column, **changes, required=False, expected=expected)


def _entries(rest: Sequence[KeyField]) -> int:
    """How many values of these fields one row has at most: all that there are, where these are few.

    Many say nothing of one row: a cart has a few of all articles of the shop.
    """
    return (distinct(rest) or _FEW) if _bounded(rest) else _FEW


def _bounded(rest: Sequence[KeyField]) -> bool:
    """Whether one row may hold all values: of one field a few, or of several a few of each, as of the places of a grid."""
    few = all(part.cardinality is not None and part.cardinality <= _FEW for part in rest)
    return few and (distinct(rest) or 0) <= _GRID


def _tables(first: ModelSchema, model: ModelSchema) -> Finding:
    entity, cells = quoted(model.atomic), quoted([column.name for column in model.columns])
    return RULE.finding(
        model,
        f"all of {entity} must change atomically, but is in two tables: {model.table!r}, and {first.table!r} of "
        f"{first.name}",
        why="only changes of one row are atomic",
        fix=f"declare {cells} in {first.name}, in a family of table {first.table!r}, whose rows "
        f"`{first.key.shape}` then hold all of {entity}; whether both have to change at once is for you to decide",
    )


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "ROW004", "split-entity", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING,)
)
