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

from btmodel.lint.finding import Finding
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema
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
                fix=f"do with {count - TABLE_FAMILIES} fewer: what distinguishes one family from the next, such as "
                f"{sharing[0].families[-1].id!r}, belongs in a qualifier or in the key",
            )


def _shares(sharing: Sequence[ModelSchema]) -> str:
    """The models that share the table, those with the most families first."""
    if len(sharing) == 1:
        return ""
    named = ", ".join(f"{model.name} {len(model.families)}" for model in sharing[:5])
    return f" over its {len(sharing)} models ({named}{', ...' if sharing[5:] else ''})"


RULE: Rule[Sequence[ModelSchema]] = Rule("FAM001", "too-many-families", check, page=__doc__)
