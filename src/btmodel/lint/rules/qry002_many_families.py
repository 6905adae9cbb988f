"""QRY002 many-families: a query that reads columns of several families

What it finds
    A query whose `only` names columns of several families with equal GC rules, so that one
    family could hold them all. The rule ignores families with different GC rules and aggregate
    families, which are separate for a reason, and queries without `only`, which read whole
    rows.

    If no query says what it reads, all are read as whole rows. Then the rule finds 4 families or
    more with equal GC rules that have a single column each: a family for every column.

Why
    A family is stored, read and cached separately. A query of one family reads less, and from
    one place, than a query of several.

Example
    from datetime import datetime
    from decimal import Decimal

    import btmodel as bt


    class Quote(bt.Model, table="QUOTE", events="5000/s"):
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        at: datetime = bt.key(bt.EpochMillis())

        bids = bt.family("B", gc=bt.max_versions(1))
        bid: Decimal = bt.column("BID", bids)
        bid_size: int = bt.column("BIDSIZE", bids)
        asks = bt.family("A", gc=bt.max_versions(1))
        ask: Decimal = bt.column("ASK", asks)

        spread = bt.query("symbol", between="at", only=["bid", "bid_size", "ask"])

Use instead
    from datetime import datetime
    from decimal import Decimal

    import btmodel as bt


    class Quote(bt.Model, table="QUOTE", events="5000/s"):
        symbol: str = bt.key(bt.Text(width=5), cardinality=8_000)
        at: datetime = bt.key(bt.EpochMillis())

        prices = bt.family("P", gc=bt.max_versions(1))
        bid: Decimal = bt.column("BID", prices)
        bid_size: int = bt.column("BIDSIZE", prices)
        ask: Decimal = bt.column("ASK", prices)

        spread = bt.query("symbol", between="at", only=["bid", "bid_size", "ask"])

Allow
    Suppress it if the families are those of an older table, or if a more important query reads
    one of them alone.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (store data that you
    access in one query in one column family), https://cloud.google.com/bigtable/docs/schema-design.
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from btmodel.errors import some
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Family, ModelSchema, Query

# So many families of one column each are a habit (this project's own figure).
_EACH = 4


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each query that reads columns of several families which could be one, and a family for every column."""
    if not any(query.only for query in model.queries):
        yield from _one_each(model)
    for query in model.queries:
        read = [column for column in model.columns if column.name in query.only]
        for columns in _alike(model, read):
            homes = _homes(columns)
            if len(homes) > 1:
                listed = ", ".join(f"{_named(found)} of {id!r}" for id, found in homes.items())
                yield RULE.finding(
                    model,
                    f"the query `{query.name}` reads columns of {len(homes)} families: {listed}",
                    why="a family is stored and read separately, so a query is cheapest if it needs only one",
                    fix=_fix(model, columns),
                    part=query.name,
                    at=query.location,
                )


def _one_each(model: ModelSchema) -> Iterator[Finding]:
    """What is found of families that have one column each, and are read together."""
    for columns in _alike(model, model.columns):
        alone = [found[0] for found in _homes(columns).values() if len(found) == 1 and found[0].shape.single]
        if len(alone) >= _EACH:
            yield RULE.finding(
                model,
                f"{len(alone)} families with the same GC rule have one column each: {some([f'`{column.name}`' for column in alone], 4)}",
                why="families are stored and read separately, so a whole row is read from as many places as it has families",
                fix=_together(model, alone),
            )


def _together(model: ModelSchema, columns: Sequence[Column]) -> Fix:
    """One family with all of the columns, called as their attributes."""
    old = model.family(columns[0].family)
    assert old is not None
    left = {column.family for column in model.columns if column not in columns}
    left |= {part.mirror.family for part in model.key.fields if part.mirror}
    families = tuple(family for family in model.families if family.id in left)
    new = Family(free_family(evolve(model, families=families), "data"), old.gc, old.aggregate)
    held = tuple(
        evolve(column, family=new.id, qualifier=column.name.encode()) if column in columns else column
        for column in model.columns
    )
    cells = some([f"`{new.id}:{column.name}`" for column in columns], 4)
    text = f"put them into one family, `{declared_family(new)}`, as {cells}"
    return Fix(text, (evolve(model, families=(*families, new), columns=held),))


def _alike(model: ModelSchema, columns: Sequence[Column]) -> Iterator[list[Column]]:
    """The columns in groups whose families keep the same, and aggregate in the same way."""
    groups: dict[object, list[Column]] = {}
    for column in columns:
        family = model.family(column.family)
        if family is not None:
            groups.setdefault((family.gc, family.aggregate), []).append(column)
    yield from groups.values()


def _homes(columns: Sequence[Column]) -> dict[str, list[Column]]:
    """The columns of each family."""
    found: dict[str, list[Column]] = {}
    for column in columns:
        found.setdefault(column.family, []).append(column)
    return found


def _named(columns: Sequence[Column]) -> str:
    return ", ".join(f"`{column.name}`" for column in columns)


def _fix(model: ModelSchema, columns: Sequence[Column]) -> str:
    """The family with the most of the columns, and what the others would be called in it."""
    homes = _homes(columns)
    order = [family.id for family in model.families]
    target = max(homes, key=lambda id: (len(homes[id]), -order.index(id)))
    moved = _moved(model, columns, target)
    taken = {column.qualifier for column in model.columns if column.family == target}
    taken |= {
        part.mirror.qualifier for part in model.key.fields if part.mirror and part.mirror.family == target
    }
    cells = []
    for column in moved:
        qualifier = _free(column, taken)
        taken.add(qualifier)
        text = qualifier.decode(errors="backslashreplace")
        cells.append(f"`{target}:{text}...` (`prefix={text!r}`)" if column.open else f"`{target}:{text}`")
    return f"put {_named(moved)} into the family {target!r}, as {', '.join(cells)}"


def _moved(model: ModelSchema, columns: Sequence[Column], target: str) -> list[Column]:
    """What moves to the family ``target``: with a column, those that another query reads along with it."""
    names = {column.name for column in columns if column.family != target}
    families = {column.family for column in columns}
    before: set[str] = set()
    while names != before:
        before = set(names)
        for query in model.queries:
            if names.intersection(query.only):
                names |= _of_families(model, query, families - {target})
    return [column for column in model.columns if column.name in names]


def _of_families(model: ModelSchema, query: Query, families: set[str]) -> set[str]:
    return {
        column.name for column in model.columns if column.name in query.only and column.family in families
    }


def _free(column: Column, taken: set[bytes]) -> bytes:
    """The qualifier, or the attribute's name where the family has one like it; many columns need a prefix."""
    qualifier = (column.qualifier or f"{column.name}:".encode()) if column.open else column.qualifier
    if qualifier not in taken:
        return qualifier
    return f"{column.name}{':' if column.open else ''}".encode()


RULE: Rule[ModelSchema] = Rule(
    "QRY002", "many-families", check, page=__doc__, rewrites=Rewritten.FAMILY, levels=(Level.WARNING,)
)
