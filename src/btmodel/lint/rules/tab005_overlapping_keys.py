"""TAB005 overlapping-keys: two models of one table whose rows cannot be distinguished

What it finds
    Two models of one table for which btmodel cannot prove that no row key fits both. Constants
    that differ at the same place prove it, and so do values that cannot be equal: digits and
    letters, 8 bytes and 10, a last field and one that continues.

    Models whose keys have the same fields count as views of the same rows. For those, the rule
    finds a cell that the two read in different ways: as other values, or with a timestamp that
    is the end of the row's life (`bt.expires()`) in one model alone. It also finds a column that one model
    declares with `renamed_from=`, and that the other still reads under the old qualifier alone.

Why
    A query, a scan or a delete of one model meets rows of the other. If their keys can be read
    as its own, nothing fails: it returns rows that never existed, or deletes them.

Example
    import btmodel as bt


    class Settings(bt.Model, table="USERS"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        name: str = bt.key(bt.Text(max_length=20), cardinality=50)

        data = bt.family("data", gc=bt.max_versions(1))
        value: str = bt.column("value", data)


    class Visit(bt.Model, table="USERS"):
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

Use instead
    import btmodel as bt


    class Settings(bt.Model, table="USERS"):
        kind = bt.constant("settings")
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        name: str = bt.key(bt.Text(max_length=20), cardinality=50)

        data = bt.family("data", gc=bt.max_versions(1))
        value: str = bt.column("value", data)


    class Visit(bt.Model, table="USERS"):
        kind = bt.constant("visit")
        user: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        page: str = bt.column("page", data)

Allow
    Suppress it if the values distinguish the rows and the types cannot say so, or if one model
    exists to read what the other wrote; say which. Put the suppression into the model that is
    declared later.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: rows are found by their
    key alone; several kinds of rows in one table share the space of its keys).
"""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from attrs import evolve

from btmodel.codecs import meaning_of
from btmodel.design.keys import with_constant
from btmodel.design.overlap import alike, apart, neighbours
from btmodel.design.related_tables import sharing_tables
from btmodel.lint.cells import clashing_cells
from btmodel.lint.finding import Finding, Fix
from btmodel.lint.rule import Rule
from btmodel.schema import Column, KeyField, ModelSchema, RowKey


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each model whose rows may be taken for those of one declared before it in the same table."""
    for sharing in sharing_tables(models):
        for first, model in neighbours(sorted(sharing, key=_declared)):
            if alike(first.key, model.key):
                yield from _clashes(first, model)
                yield from _left_behind(first, model)
                yield from _left_behind(model, first)
            elif not apart(first.key, model.key):
                yield _overlap(first, model)


def _declared(model: ModelSchema) -> tuple[str, int, str]:
    return (model.module, model.location.line if model.location else 0, model.name)


def _overlap(first: ModelSchema, model: ModelSchema) -> Finding:
    before, here = _told_apart(first, model)
    return RULE.finding(
        model,
        f"in table {model.table!r} a row of `{model.key.shape}` may be taken for one of {first.name}, "
        f"`{first.key.shape}`",
        why="reads and deletes of one model silently meet rows of the other",
        fix=Fix(
            f"put constants that differ in the same place of both, as `{before.shape}` in {first.name} and "
            f"`{here.shape}` here",
            (evolve(model, key=here), evolve(first, key=before)),
            otherwise=f"; or give {model.name} a table of its own",
            replaced=(first,),
        ),
    )


def _told_apart(first: ModelSchema, model: ModelSchema) -> tuple[RowKey, RowKey]:
    """The two keys with a constant each in front, behind constants that they have in common."""
    pairs = zip(first.key.fields, model.key.fields, strict=False)
    place = sum(1 for _ in takewhile(lambda pair: _same_constant(*pair), pairs))
    before, here = (with_constant(each.key, place, each.name.lower()) for each in (first, model))
    return before, here


def _same_constant(one: KeyField, other: KeyField) -> bool:
    return one.constant is not None and (one.constant, one.ends) == (other.constant, other.ends)


def _clashes(first: ModelSchema, model: ModelSchema) -> Iterator[Finding]:
    for before, here in clashing_cells(first, model):
        yield RULE.finding(
            model,
            f"`{here.name}` reads the cells `{here.cell}` otherwise than {first.name}.{before.name} does "
            f"(`{before.cell}`: {_how(before, first)}; here: {_how(here, model)}), of the same rows of {model.table!r}",
            why="both models have the same keys, so each meets the cells that the other wrote",
            fix=_own_cell(first, model, here),
            part=here.name,
            at=here.location,
        )


def _left_behind(renaming: ModelSchema, model: ModelSchema) -> Iterator[Finding]:
    """The columns of ``model`` that read what ``renaming`` writes under another qualifier from now on."""
    for column in renaming.columns:
        if column.renamed_from is None:
            continue
        old = evolve(column, qualifier=column.renamed_from, also=())
        for here in model.columns:
            places = {place.cell for place in here.places}
            if here.shape is column.shape and old.cell in places and column.cell not in places:
                yield RULE.finding(
                    model,
                    f"`{here.name}` reads the cells `{old.cell}`, which {renaming.name}.{column.name} writes as `{column.cell}` from now on, of the "
                    f"same rows of {model.table!r}",
                    why="it would miss what is written there, and find nothing once a step has moved the cells",
                    fix=_renamed_too(renaming, model, here, column),
                    part=here.name,
                    at=here.location,
                )


def _renamed_too(renaming: ModelSchema, model: ModelSchema, here: Column, column: Column) -> Fix:
    """The same qualifiers as in the model that renames the column."""
    new = evolve(here, qualifier=column.qualifier, also=column.also, renamed_from=column.renamed_from)
    columns = tuple(new if other == here else other for other in model.columns)
    old, now = (raw.decode(errors="backslashreplace") for raw in (here.qualifier, column.qualifier))
    return Fix(
        f"declare it as `{now}` with `renamed_from={old!r}` as well",
        (evolve(model, columns=columns), renaming),
        replaced=(renaming,),
    )


def _own_cell(first: ModelSchema, model: ModelSchema, column: Column) -> Fix:
    """Another cell; which of two ways to read it is right only the author knows."""
    taken = {
        other.qualifier for each in (first, model) for other in each.columns if other.family == column.family
    }
    name = column.qualifier + column.name.encode()
    end = b":" if column.open else b""
    new = next(free for n in range(len(taken) + 1) if (free := name + b"2" * n + end) not in taken)
    columns = tuple(evolve(other, qualifier=new) if other == column else other for other in model.columns)
    return Fix(
        f"give it a cell of its own, such as `{column.family}:{new.decode(errors='backslashreplace')}`",
        (evolve(model, columns=columns), first),
        otherwise=f"; or, if both mean the same value, declare it as in {first.name}, as is for you to decide",
        replaced=(first,),
    )


def _how(column: Column, model: ModelSchema) -> str:
    names = f", named by {meaning_of(column.names)}" if column.names else ""
    end = f", until `{model.stamp.attribute}`" if model.stamp.expires else ""
    return f"{column.shape.lies}, {meaning_of(column.codec)}{names}{end}"


RULE: Rule[Sequence[ModelSchema]] = Rule("TAB005", "overlapping-keys", check, page=__doc__, rewrites=None)
