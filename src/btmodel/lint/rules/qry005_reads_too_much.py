"""QRY005 reads-too-much: a query that drops most of the rows that it reads

What it finds
    A query of one range or one prefix whose `where` selects rows by a column, or by a key field
    that the query does not give, and drops more than half of them. The share follows from the
    cardinalities: with 500 values, one row in 500 is kept. A bool has two values, an enum has
    its members. If another cardinality is not declared, the share is unknown, and the finding
    says so. It is a warning if more than 99 % are dropped, and what the query gives has fewer than 100 values, so that it
    reads a large part of the table; else information. The rule ignores scans of the whole table.

    If the query asks for a rectangle of a map (one of `latitude` and `longitude` in a range,
    the other in `where`), the fix names the ways that exist: no key serves two ranges at once.

Why
    A filter saves sending a row, but not reading it. Only the key saves reading rows.

Example
    from datetime import datetime

    import btmodel as bt


    class Payment(bt.Model, table="PAYMENT", events="100/s"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        shop: str = bt.column("shop", data, cardinality=500)
        cents: int = bt.column("cents", data)

        in_shop = bt.query("account", between="at", where=["shop"])

Use instead
    from datetime import datetime

    import btmodel as bt


    class Payment(bt.Model, table="PAYMENT", events="100/s"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        shop: str = bt.key(bt.Text(width=8), cardinality=500)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

        in_shop = bt.query("account", "shop", between="at")

Allow
    Suppress it if the range is small, or if the query is rare; say how many rows it reads.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion;
    query and filter performs poorly). That up to half of the rows may be thrown away, the 99 % and
    the 100 values are this project's own choice.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from math import prod

from attrs import evolve

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Text
from btmodel.design.candidates import as_field
from btmodel.design.keys import drawn, rectangle
from btmodel.design.second_tables import second_tables
from btmodel.design.spread import MANY
from btmodel.estimates import distinct
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Access, AccessKind, Column, KeyField, ModelSchema, Query, RowKey, access
from btmodel.source_text import declaration
from btmodel.words import quoted

# A query that keeps this share of what it reads is not worth another key (this project's own figure).
WORTHWHILE = 0.5
# One that keeps less than this is a warning, where it reads far and wide.
_WASTE = 0.01


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each query of a range or a prefix that keeps less than half of its rows."""
    for query in model.queries:
        picked = _picked(model, query)
        kept = _kept(picked)
        if not picked or (kept is not None and kept >= WORTHWHILE):
            continue
        found = access(model.key, query)
        if isinstance(found, Access) and found.kind in (AccessKind.RANGE, AccessKind.PREFIX):
            yield RULE.finding(
                model,
                f"the query `{query.name}` reads {found.kind.value} and selects by "
                f"{', '.join(f'`{one.name}`' for one in picked)}, {_share(picked, kept)}",
                why="a filter saves sending rows, but not reading them",
                fix=_fix(model, query, found, picked),
                part=query.name,
                at=query.location,
                level=Level.WARNING if kept is not None and kept < _WASTE and _wide(found) else Level.INFO,
            )


def _wide(found: Access) -> bool:
    """Whether what the query gives leaves it a large part of the table: of a narrow one, few rows may be left to drop."""
    given = distinct(found.prefix)
    return given is not None and given < MANY


def _picked(model: ModelSchema, query: Query) -> list[KeyField | Column]:
    """What the query picks by among the rows that come: single values, and fields that it leaves open."""
    if not query.where:
        return []
    asked = (*query.equal, query.between, query.starting)
    found: list[KeyField | Column] = [part for part in model.key.asked if part.name not in asked]
    found += [column for column in model.columns if column.shape.plain]
    return [one for name in query.where for one in found if one.name == name]


def _values(one: KeyField | Column) -> int | None:
    """How many values there are, as declared, or as the type has."""
    declared = one.cardinality if isinstance(one, KeyField) else one.expected.cardinality
    if declared is not None:
        return declared
    type_ = one.codec.python_type
    if is_class(type_, bool):
        return 2
    return len(type_) if is_class(type_, Enum) else None


def _kept(picked: Sequence[KeyField | Column]) -> float | None:
    """The share of the rows that is kept, as if all values were alike in number; None where it is not known."""
    counts = [_values(one) for one in picked]
    return None if None in counts else 1 / prod(count for count in counts if count)


def _share(picked: Sequence[KeyField | Column], kept: float | None) -> str:
    if kept is not None:
        return f"which drops about {100 * (1 - kept):.4g} % of the rows"
    unknown = ", ".join(f"`{one.name}`" for one in picked if _values(one) is None)
    return f"and the share of dropped rows is unknown: {unknown} has no declared cardinality"


def _fix(model: ModelSchema, query: Query, found: Access, picked: Sequence[KeyField | Column]) -> Fix:
    """The key with what is picked by in front of the rest, and the query that gives it."""
    names = [one.name for one in picked]
    place = rectangle(model, query)
    if place is not None:
        return Fix(*place)
    rest = [part for part in model.key.fields if part not in found.prefix and part.name not in names]
    moved: list[KeyField | str] = [one if isinstance(one, KeyField) else one.name for one in picked]
    fields: list[KeyField | str] = [*found.prefix, *moved, *rest]
    given = declaration(query, *names)
    promoted = [one for one in picked if isinstance(one, Column)]
    asked = evolve(
        query, equal=(*query.equal, *names), where=tuple(name for name in query.where if name not in names)
    )
    queries = tuple(asked if one == query else one for one in model.queries)
    if fields == list(model.key.fields):
        text = f"give {quoted(names)}, which comes next in the key: `{given}`"
        return Fix(text, (evolve(model, queries=queries),))
    columns = [one.name for one in promoted]
    what = f"make {quoted(columns)} part of the key, if a row never changes it" if columns else "reorder it"
    second = _needed_as_it_is(model, query, fields)
    made = (
        evolve(_made(model, promoted, fields), queries=queries)
        if not second
        else evolve(model, queries=tuple(one for one in queries if one != asked))
    )
    where = ", in a second table" if second else ""
    tables = second_tables(model, [asked]) if second else ()
    return Fix(f"{what}{where}: the key `{drawn(model.key, fields)}` serves `{given}`", (made, *tables))


def _made(model: ModelSchema, promoted: Sequence[Column], fields: Sequence[KeyField | str]) -> ModelSchema:
    """The model with these fields for its key; a str is the name of a column that becomes one."""
    columns = {one.name: as_field(one) for one in promoted}
    parts = tuple(one if isinstance(one, KeyField) else columns[one] for one in fields)
    return evolve(
        model,
        key=evolve(model.key, fields=parts),
        columns=tuple(one for one in model.columns if one not in promoted),
    )


def _needed_as_it_is(model: ModelSchema, query: Query, fields: Sequence[KeyField | str]) -> bool:
    """Whether another query that the key serves would not be served by these fields."""
    parts = (part if isinstance(part, KeyField) else KeyField(part, Text(width=1)) for part in fields)
    moved = RowKey(tuple(parts), model.key.delimiter)
    served = (one for one in model.queries if one != query and isinstance(access(model.key, one), Access))
    return any(not isinstance(access(moved, one), Access) for one in served)


RULE: Rule[ModelSchema] = Rule(
    "QRY005",
    "reads-too-much",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.INFO, Level.WARNING),
)
