"""FAM001 too-many-families: a table with more than 100 column families

What it finds
    More than 100 families in one table, counting all of its models. If a model is reviewed
    alone, the rule counts only its families.

Why
    According to the documentation, a table works well with up to about 100 families and slows
    down beyond that. If the number of families grows with the data, they should be columns or a
    key field.

Example
    import btmodel as bt


    class Sensor(bt.Model, table="SENSOR"):
        sensor: int = bt.key(bt.PaddedInt(6), cardinality=100_000, sequential=False)

        for day in range(1, 367):
            vars()[f"day{day}"] = bt.family(f"day{day}", gc=bt.max_versions(1))
        del day
        data = bt.family("data", gc=bt.max_versions(1))
        value: float = bt.column("value", data)

Use instead
    from datetime import date

    import btmodel as bt


    class Sensor(bt.Model, table="SENSOR"):
        sensor: int = bt.key(bt.PaddedInt(6), cardinality=100_000, sequential=False)
        day: date = bt.key(bt.DateText())

        data = bt.family("data", gc=bt.max_versions(1))
        value: float = bt.column("value", data)

Allow
    Suppress it if the table exists already and works well, and say how you know. The number is
    a recommendation of the service, not a limit. Put the suppression into the model of the
    table that has the most families.

Source
    https://cloud.google.com/bigtable/docs/schema-design (column families).
"""

from collections.abc import Iterator, Sequence
from functools import partial

from attrs import evolve

from btmodel.lint.finding import Finding, Fix
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Family, ModelSchema
from btmodel.schema.limits import TABLE_FAMILIES


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each table with too many families, once, at the model with the most of them."""
    by_table: dict[str, list[ModelSchema]] = {}
    for model in models:
        by_table.setdefault(model.table, []).append(model)
    for table, sharing in by_table.items():
        sharing.sort(key=lambda model: (-len(model.families), model.module, model.name))
        count = len({family.id for model in sharing for family in model.families})
        if count > TABLE_FAMILIES:
            yield RULE.finding(
                sharing[0],
                f"table {table!r} has {count} column families{_shares(sharing)}; at most {TABLE_FAMILIES} are advised",
                why="a table slows down with more than about 100 families",
                fix=partial(_ways, sharing, count),
            )


def _shares(sharing: Sequence[ModelSchema]) -> str:
    """The models that share the table, those with the most families first."""
    if len(sharing) == 1:
        return ""
    named = ", ".join(f"{model.name} {len(model.families)}" for model in sharing[:5])
    return f" over its {len(sharing)} models ({named}{', ...' if sharing[5:] else ''})"


_VALUES = (
    "families stand for values of something, such as its days, put that value into a qualifier or into the key: "
    "which of the two is for you to decide"
)


def _ways(sharing: Sequence[ModelSchema], count: int) -> Iterator[Fix]:
    """Families of one rule as one, where a single model has them all; else what only the author can decide."""
    if len(sharing) == 1:
        joined = _joined(sharing[0])
        gone = len(sharing[0].families) - len(joined.families)
        if gone:
            left = "1 family" if len(joined.families) == 1 else f"{len(joined.families)} families"
            text = f"declare the columns of families that have the same GC rule in one of them, which leaves {left}"
            yield Fix(text, (joined,), otherwise=f"; or, if {_VALUES}")
    yield Fix(f"do with {count - TABLE_FAMILIES} fewer: where {_VALUES}")


def _joined(model: ModelSchema) -> ModelSchema:
    """The model with all families of one rule and kind in the first of them, but for those with open columns."""
    open = {column.family for column in model.columns if column.open}
    open |= {part.mirror.family for part in model.key.fields if part.mirror}
    homes: dict[object, Family] = {}
    home = {
        family.id: family if family.id in open else homes.setdefault((family.gc, family.aggregate), family)
        for family in model.families
    }
    taken: set[tuple[str, bytes]] = set()
    columns = []
    for column in model.columns:
        place = home[column.family].id if column.family in home else column.family
        qualifier = column.qualifier
        if (place, qualifier) in taken:
            qualifier = f"{column.family}:".encode() + qualifier
        taken.add((place, qualifier))
        columns.append(evolve(column, family=place, qualifier=qualifier))
    kept = {family.id for family in home.values()}
    families = tuple(family for family in model.families if family.id in kept)
    return evolve(model, families=families, columns=tuple(columns))


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "FAM001", "too-many-families", check, page=__doc__, rewrites=Rewritten.FAMILY, slow=True
)
