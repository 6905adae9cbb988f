"""FAM007 mixed-aggregate: plain cells in an aggregate family, or a counter outside one

What it finds
    A family with `aggregate=` that holds something other than counters (a column, a history, a
    mapping, the mirror of a key field), or a counter in a family without `aggregate=`.

    Also a counter that is called like a maximum or a minimum, such as `longest_wait` or `min_price`, in a family that
    aggregates otherwise, such as a sum: a warning if the docstring of the model says so, too, such as "the longest wait of any
    guest", and information if only its name does.

    Also a `bt.sum_of(...)` of a rollup, over several moments, of what has a value at each moment, such as a level, a temperature or the number of people who
    are present, unless the rollup counts the rows, too, so that readers can make the mean; or of what is a maximum or a minimum. It is a warning if a docstring of the
    rollup or of its table says so ("how many people are in a bath at a moment", "twice a minute"), and information if only the name does.

Why
    Whether a family aggregates is fixed for all of its cells when the family is created. The
    service refuses to set a cell of an aggregate family, and to add to a cell of another
    family. A sum of levels, or of maxima, is no figure of anything: it grows with the number of measurements.

Example
    import btmodel as bt


    class Sales(bt.Model, table="SALES", events="10/s"):
        employee: str = bt.key(bt.Text(max_length=20), cardinality=5_000)

        totals = bt.family("totals", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("cents", totals)
        name: str = bt.column("name", totals, size=20)

        one = bt.query("employee")

Use instead
    import btmodel as bt


    class Sales(bt.Model, table="SALES", events="10/s"):
        employee: str = bt.key(bt.Text(max_length=20), cardinality=5_000)

        totals = bt.family("totals", gc=bt.keep_all(), aggregate="sum")
        cents: int | None = bt.counter("cents", totals)

        data = bt.family("data", gc=bt.max_versions(1))
        name: str = bt.column("name", data, size=20)

        one = bt.query("employee")

Allow
    The error is a hard limit of the service and cannot be suppressed. Suppress the warning if the program
    adds what makes the sum a maximum, or if the name means something else; say what.

Source
    google/bigtable/admin/v2/table.proto (ColumnFamily.value_type),
    https://cloud.google.com/bigtable/docs/schema-design (aggregate families hold aggregate cells
    only).
"""

from collections.abc import Iterator, Sequence
from functools import partial

from attrs import evolve

from btmodel.codecs.cell import Int64
from btmodel.design.value_hints import extreme, said_extreme
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.lint.rule import Rule
from btmodel.schema import Aggregate, Column, Family, KeepAll, KeyField, MaxVersions, ModelSchema, Shape
from btmodel.words import quoted

# What numbers of an aggregate family are, which are added to.
COUNTED = {Shape.VALUE: Shape.COUNTER, Shape.MAPPING: Shape.COUNTERS}


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each attribute whose cells are of another kind than those of its family, and each figure of a rollup that is no sum."""
    if model.view is not None:
        yield from _rolled_up(model)
        return
    for part in model.key.fields:
        family = model.family(part.mirror.family) if part.mirror else None
        if family is not None and family.aggregate is not None:
            yield _plain(model, part, family, f"the mirror of `{part.name}`")
    for column in model.columns:
        family = model.family(column.family)
        if family is None or (family.aggregate is not None) == (column.shape.summed):
            continue
        if family.aggregate is None:
            yield _counter(model, column, family)
        else:
            yield _plain(model, column, family, f"`{column.name}`")
    for family in model.families:
        yield from _extremes(model, family)


def _extremes(model: ModelSchema, family: Family) -> Iterator[Finding]:
    """The counters of a family that are largest or smallest values, by their names or the docstring, and are aggregated otherwise."""
    if not isinstance(family.aggregate, Aggregate):
        return
    counters = [column for column in model.columns if column.family == family.id and column.shape.summed]
    said = {column.name: said_extreme(model.doc, column.name) for column in counters}
    kinds = {column.name: said[column.name] or extreme(column.name) for column in counters}
    for kind in (Aggregate.MAX, Aggregate.MIN):
        found = [column for column in counters if kinds[column.name] == kind.value]
        if not found or family.aggregate is kind:
            continue
        largest = "largest" if kind is Aggregate.MAX else "smallest"
        how = "docstring" if any(said[column.name] for column in found) else "name"
        one = len(found) == 1
        yield RULE.finding(
            model,
            f"{quoted(column.name for column in found)} {'is' if one else 'are'} the {largest} of the values that are written, by the {how}, and family {family.id!r} has "
            f'`aggregate="{family.aggregate.value}"`',
            why=f"the service {_AGGREGATED[family.aggregate]}, and nothing finds the {largest} of them in that afterwards",
            fix=partial(_of_extremes, model, found, family, kind),
            part=found[0].name,
            at=found[0].location,
            level=Level.INFO if how == "name" else Level.WARNING,
        )


def _rolled_up(model: ModelSchema) -> Iterator[Finding]:
    """The sums of a rollup of what has a value at each moment, or is a maximum."""
    from btmodel.lint.rolled_up import right_figures, wrong_sums  # here: this rule is loaded with every model

    for wrong in wrong_sums(model):
        yield RULE.finding(
            model,
            f"`{wrong.column.name}` is the sum of `{wrong.of}` over several moments, and `{wrong.of}` {wrong.why}",
            why="such a sum grows with the number of rows, and nobody finds the values in it afterwards",
            fix=partial(right_figures, model, wrong),
            part=wrong.column.name,
            at=wrong.column.location,
            level=Level.WARNING if wrong.said else Level.INFO,
        )


_AGGREGATED = {
    Aggregate.SUM: "adds all of them up",
    Aggregate.MAX: "keeps the largest",
    Aggregate.MIN: "keeps the smallest",
}
_STEMS = {Aggregate.MAX: "highest", Aggregate.MIN: "lowest"}


def _of_extremes(
    model: ModelSchema, columns: Sequence[Column], family: Family, kind: Aggregate
) -> Iterator[Fix]:
    """A family of the model that keeps the largest or the smallest as long as theirs does, or a new one."""
    known = [each for each in model.families if each.aggregate is kind and each.gc == family.gc]
    new = Family(free_family(model, _STEMS[kind]), family.gc, kind)
    for each in (*known, new):
        made = model
        for column in columns:
            made = moved(made, column, each)
        such = repr(each.id) if each in known else f"`{declared_family(each)}`"
        yield Fix(
            f"put {'it' if len(columns) == 1 else 'them'} into a family that keeps that value, {such}",
            (made,),
        )


def _plain(model: ModelSchema, part: Column | KeyField, family: Family, what: str) -> Finding:
    new = Family(free_family(model, "data"), MaxVersions(1))
    return RULE.finding(
        model,
        f"{what} is a plain cell, but the family {family.id!r} holds aggregates",
        why="the service refuses to set a cell of an aggregate family",
        fix=partial(_ways, model, part, "put it into a plain family", new),
        part=part.name,
        at=part.location,
    )


def _counter(model: ModelSchema, column: Column, family: Family) -> Finding:
    new = Family(free_family(model, "sums"), KeepAll(), Aggregate.SUM)
    return RULE.finding(
        model,
        f"`{column.name}` is a counter, but the family {family.id!r} holds plain cells",
        why="the service refuses to add to a cell of a plain family",
        fix=partial(_ways, model, column, "put it into an aggregate family", new),
        part=column.name,
        at=column.location,
    )


def _ways(model: ModelSchema, part: Column | KeyField, what: str, new: Family) -> Iterator[Fix]:
    """A counter instead, of a number in an aggregate family; a family of the model that takes such cells, or a new one."""
    if isinstance(part, Column) and part.shape in COUNTED and part.codec == Int64():
        summed = evolve(part, shape=COUNTED[part.shape], required=False, also=())
        columns = tuple(summed if column == part else column for column in model.columns)
        optional = "as `int | None` " if part.required else ""
        text = f"if it is added to, declare it {optional}with `bt.{summed.shape.function}(...)`; if not, put it into a plain family"
        yield Fix(text, (evolve(model, columns=columns),))
    for family in model.families:
        if (family.aggregate is None) == (new.aggregate is None):
            yield Fix(f"{what}, such as {family.id!r}", (moved(model, part, family),))
    yield Fix(f"{what}, such as `{declared_family(new)}`", (moved(model, part, new),))


RULE: Rule[ModelSchema] = Rule(
    "FAM007",
    "mixed-aggregate",
    check,
    page=__doc__,
    rewrites=None,
    limit=True,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
