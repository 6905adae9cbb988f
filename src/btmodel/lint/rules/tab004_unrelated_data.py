"""TAB004 unrelated-data: models of one table that only their values distinguish

What it finds
    Models of one table whose keys begin with different fields, after the constants that they
    share, and that no query reads together: one begins with digits and another with letters, or
    one with 8 bytes and another with 10. Models are distinguished if constants differ at the
    same place, and related if they share the first field. If nothing distinguishes the rows,
    TAB005 finds them.

Why
    Rows of one kind are mixed with those of another, so a scan of the table reads both. Nobody
    who sees a key can tell what it is, and a value in an unexpected form leads to rows of
    another model.

Example
    import btmodel as bt


    class Product(bt.Model, table="shop"):
        ean: int = bt.key(bt.PaddedInt(13), cardinality=50_000, sequential=False)

        data = bt.family("data", gc=bt.max_versions(1))
        title: str = bt.column("title", data)


    class Supplier(bt.Model, table="shop"):
        vat: str = bt.key(bt.Text(width=11), cardinality=400)

        data = bt.family("data", gc=bt.max_versions(1))
        phone: str = bt.column("phone", data)

Use instead
    import btmodel as bt


    class Product(bt.Model, table="shop"):
        kind = bt.constant("product")
        ean: int = bt.key(bt.PaddedInt(13), cardinality=50_000, sequential=False)

        data = bt.family("data", gc=bt.max_versions(1))
        title: str = bt.column("title", data)


    class Supplier(bt.Model, table="shop"):
        kind = bt.constant("supplier")
        vat: str = bt.key(bt.Text(width=11), cardinality=400)

        data = bt.family("data", gc=bt.max_versions(1))
        phone: str = bt.column("phone", data)

Allow
    Suppress it if the keys are given, as in a table that other programs write.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (keep related data in the
    same table, unrelated data in different tables),
    https://cloud.google.com/bigtable/docs/schema-design (a row key prefix for each dataset).
"""

from collections.abc import Iterator, Sequence

from attrs import evolve

from btmodel.design.keys import with_constant
from btmodel.design.overlap import apart
from btmodel.design.related_tables import Identity, identity, read_together, sharing_tables
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema, RowKey


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each place of a table's keys at which unrelated models begin to differ, without constants."""
    together = read_together(models)
    for sharing in sharing_tables(models):
        known = sorted((model for model in sharing if model.key.fields), key=identity)
        yield from _from(known, 0, together)


def _from(
    models: Sequence[ModelSchema], place: int, together: frozenset[frozenset[Identity]]
) -> Iterator[Finding]:
    """What is found among models whose keys have the same constants in front of ``place``."""
    constants: dict[str, list[ModelSchema]] = {}
    others: dict[object, ModelSchema] = {}
    for model in models:
        part = model.key.fields[place] if place < len(model.key.fields) else None
        if part is not None and part.constant is not None:
            constants.setdefault(part.constant, []).append(model)
        else:
            others.setdefault(part and (part.name, part.codec), model)
    # Any one of those with a constant stands for them: the others have none at this place.
    ahead = [group[0] for group in constants.values()][:1] if others else []
    beside = [*ahead, *others.values()]
    for model in beside[1:]:
        pair = frozenset((identity(beside[0]), identity(model)))
        if pair not in together and apart(beside[0].key, model.key):
            yield _finding(beside[0], model, place)
    for group in constants.values():
        if len(group) > 1:
            yield from _from(group, place + 1, together)


def _finding(first: ModelSchema, model: ModelSchema, place: int) -> Finding:
    before, here = _with_constant(first, place), _with_constant(model, place)
    return RULE.finding(
        model,
        f"table {model.table!r} holds rows of {first.name} (`{first.key.shape}`) and of {model.name} (`{model.key.shape}`): "
        "only their values distinguish them, and no query reads them together",
        why="a scan of the table reads both, and a value in an unexpected form leads to rows of the other model",
        fix=Fix(
            f"put constants in the same place of both, as `{before.shape}` in {first.name} and `{here.shape}` here",
            (evolve(model, key=here), evolve(first, key=before)),
            otherwise=f"; or give {model.name} a table of its own",
            replaced=(first,),
        ),
    )


def _with_constant(model: ModelSchema, place: int) -> RowKey:
    """The key with a constant that names the model, unless it has one there."""
    part = model.key.fields[place : place + 1]
    if part and part[0].constant is not None:
        return model.key
    return with_constant(model.key, place, model.name.lower())


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "TAB004", "unrelated-data", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.INFO,)
)
