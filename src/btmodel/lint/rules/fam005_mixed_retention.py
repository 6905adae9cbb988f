"""FAM005 mixed-retention: a column that needs other versions or another age than its family keeps

What it finds
    A column whose declared `keep` differs from the GC rule of its family. Two rules that keep
    the same cells are equal, however they are written.

    In a model whose rows have an end (`bt.expires()`), also a family whose rule does not delete
    by age; this is a warning.

Why
    The GC rule belongs to the family. If a column needs only the newest value and its family
    keeps 1,000 versions for another column, you pay for 999 cells that nobody wants. If it is
    the other way round, the service deletes data that you want. The end of a row is the timestamp
    of its cells, so only an age deletes rows that have ended: reads leave the others out, and you
    pay for them forever.

Example
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", events="100/min"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("s", gc=bt.max_versions(100))
        setting: bt.History[str] = bt.history("set", state, size=20)
        note: str | None = bt.column("note", state, default=None, keep=bt.max_versions(1), size=50)

        one = bt.query("host")

Use instead
    import btmodel as bt


    class Machine(bt.Model, table="MACHINE", events="100/min"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        state = bt.family("s", gc=bt.max_versions(100))
        setting: bt.History[str] = bt.history("set", state, size=20)

        newest = bt.family("s2", gc=bt.max_versions(1))
        note: str | None = bt.column("note", newest, default=None, keep=bt.max_versions(1), size=50)

        one = bt.query("host")

Allow
    Suppress it if other programs write to the family, too, and the column is rarely written;
    say how rarely. Suppress it if rows that have ended are kept for other programs; say for which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (column families: columns with different
    retention needs belong in different families: 1 version beside 1,000).
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial

from attrs import evolve

from btmodel.lint.cells import named_cells
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.lint.rule import Rule
from btmodel.schema import Column, Family, GcChange, GcRule, MaxAge, ModelSchema
from btmodel.source_text import gc_code


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column that wants to be kept otherwise, and each family in which rows that have ended stay."""
    if model.stamp.expires:
        yield from _endless(model)
    yield from _kept_otherwise(model)


def _endless(model: ModelSchema) -> Iterator[Finding]:
    filled = {column.family for column in model.columns} | {cell.family for cell in named_cells(model)}
    for family in model.families:
        if family.id not in filled or family.gc is None or family.gc.deletes(timedelta.max, 1):
            continue
        yield RULE.finding(
            model,
            f"rows end at `{model.stamp.attribute}`, but their family {family.id!r} keeps {family.gc}",
            why="reads leave out what has ended, but without an age no rule deletes it, so you pay for it forever",
            fix=_by_age(model, family),
            part=family.id,
            at=family.location,
            level=Level.WARNING,
        )


def _kept_otherwise(model: ModelSchema) -> Iterator[Finding]:
    """Each column that wants to be kept otherwise; where all of a family do alike, its rule is what is wrong."""
    for column in model.columns:
        keep, family = column.expected.keep, model.family(column.family)
        if keep is None or family is None or family.gc is None or _alike(keep, family.gc):
            continue
        yield RULE.finding(
            model,
            f"`{column.name}` needs to keep {keep}, but its family {family.id!r} keeps {family.gc}",
            why="a GC rule belongs to a family: you pay for cells that it keeps in excess, and lose those that it does not keep",
            fix=partial(_ways, model, column, keep, family),
            part=column.name,
            at=column.location,
        )


def _alike(one: GcRule, other: GcRule) -> bool:
    return one.compared_to(other) is GcChange.EQUAL


def _by_age(model: ModelSchema, family: Family) -> Fix:
    age = MaxAge(timedelta(seconds=1))
    text = f'delete it by its age: `bt.family("{family.id}", gc={gc_code(age)})`'
    return Fix(text, (_with_rule(model, family, age),))


def _ways(model: ModelSchema, column: Column, keep: GcRule, family: Family) -> Iterator[Fix]:
    if _all_want(model, family, keep):
        text = f'state what its columns want: `bt.family("{family.id}", gc={gc_code(keep)})`'
        yield Fix(text, (_with_rule(model, family, keep),))
    for other in model.families:
        if other.gc is not None and other.aggregate is family.aggregate and _alike(keep, other.gc):
            text = f"declare `{column.name}` in the family {other.id!r}, which keeps just that"
            yield Fix(text, (moved(model, column, other),))
    new = Family(free_family(model, family.id), keep, family.aggregate)
    text = f"give `{column.name}` a family of its own: `{declared_family(new)}`"
    yield Fix(text, (moved(model, column, new),))


def _with_rule(model: ModelSchema, family: Family, rule: GcRule) -> ModelSchema:
    families = tuple(evolve(one, gc=rule) if one == family else one for one in model.families)
    return evolve(model, families=families)


def _all_want(model: ModelSchema, family: Family, keep: GcRule) -> bool:
    """Whether all cells of the family are of columns that want the same."""
    wanted = {column.name: column.expected.keep for column in model.columns}
    cells = [wanted.get(cell.attribute) for cell in named_cells(model) if cell.family == family.id]
    return all(each is not None and _alike(each, keep) for each in cells)


RULE: Rule[ModelSchema] = Rule(
    "FAM005", "mixed-retention", check, page=__doc__, levels=(Level.ERROR, Level.WARNING)
)
