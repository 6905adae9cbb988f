"""KEY018 tenant-not-first: the rows of a tenant are stored apart, or are one with those of others

What it finds
    A key field declared `tenant=True`, or, if none is, one called `tenant` or `tenant_id` that does not declare `tenant=False`, behind other fields. Only constants and fields of
    cardinality 1 may be in front of it. Behind a salt alone it is information: the rows of a tenant are then as many prefixes as the salt has values.

    A key without the owner of its numbers, where the docstring of the model says that each owner numbers its own ("each company numbers its own
    employees", "unique within a shop"), and a column says whose they are (`company`, `shop`, `customer`).

Why
    If the tenant comes first, its rows are stored together: one query reads them, and one
    prefix deletes them when the tenant leaves. Otherwise, its data is scattered among that of
    the others. If numbers are unique for one tenant alone, rows of two tenants with the same number would be one row.

Example
    import btmodel as bt


    class Device(bt.Model, table="DEVICE"):
        device: str = bt.key(bt.Text(width=8), cardinality=100_000)
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=500, tenant=True)

        data = bt.family("data", gc=bt.max_versions(1))
        os: str = bt.column("os", data)

Use instead
    import btmodel as bt


    class Device(bt.Model, table="DEVICE"):
        tenant: str = bt.key(bt.Text(max_length=20), cardinality=500, tenant=True)
        device: str = bt.key(bt.Text(width=8), cardinality=100_000)

        data = bt.family("data", gc=bt.max_versions(1))
        os: str = bt.column("os", data)

Allow
    Suppress it if queries go across tenants, and the rows of a tenant never have to be read or
    deleted together. If a field that is called like a tenant does not say whose data a row is, declare `tenant=False` for it.

Source
    https://cloud.google.com/bigtable/docs/schema-design (multitenancy: row key prefixes).
"""

from collections.abc import Iterator
from uuid import UUID

from attrs import evolve

from btmodel.design.advice import change
from btmodel.design.candidates import adjusted, as_field
from btmodel.design.keys import single, with_named_tenants
from btmodel.design.related_tables import asking
from btmodel.design.spread import leading
from btmodel.lint.finding import Finding, Fix, Level, key_fixes
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema
from btmodel.words import quoted, words

# Whose numbers these are.
_OWNERS = frozenset(
    words(
        "tenant company customer organization organisation org merchant shop store seller client school clinic practice insurer bank agency club "
        "brand publisher operator vendor dealer firm employer landlord association union city county"
    )
)
_OWN_NUMBERS = pattern(
    r"(?i)\b((numbers?|numbered|counts?) (its|their) own ?(\w*)|numbers? (?:its|their) (?:\w+ )?\w+ from (?:1|one|0|zero|scratch)\b|(own|its|their) (numbers?|numbering|ids?) (from (1|0|one|zero|scratch|the beginning)|(starts?|begins?) ((at|from|with) (1|0|one|zero|scratch)|anew|again|over))|unique (only )?(with)?in (an?|one|each|its|the) "
    r"|unique (\w+ ){0,2}only|(the same|equal) (numbers?|ids?) (in|of|at) (another|other|several|two|different))\b"
)


def _of_key(model: ModelSchema, numbered: str) -> bool:
    """Whether what is numbered is a field of the key, or the model itself; or is not said."""
    known = {
        word.lower()
        for name in (model.name, *(part.name for part in model.key.asked))
        for word in words(name)
    }
    return not numbered or bool({numbered.lower(), numbered.lower().removesuffix("s")} & known)


def lacking(model: ModelSchema) -> Column | None:
    """The column that says whose number the key begins with, where the description says that such numbers are unique for one owner alone."""
    said = _OWN_NUMBERS.search(model.doc)
    if said is None or any(part.tenant for part in model.key.fields) or not _of_key(model, said[4] or ""):
        return None
    if any(part.codec.python_type is UUID for part in model.key.asked):
        return None  # which is unique everywhere
    columns = (column for column in model.columns if column.shape.single and column.required)
    return next(
        (one for one in columns if not _OWNERS.isdisjoint(word.lower() for word in words(one.name))), None
    )


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the first tenant field of a key that begins with something else, and a key without the owner of its numbers."""
    owner = lacking(model)
    if owner is not None:
        yield _mixed(model, owner)
        return
    named = with_named_tenants(model)
    unsaid = "" if named is model else "; or, if it does not say whose data a row is, declare `tenant=False`"
    model = named
    tenant = next((part for part in model.key.fields if part.tenant and not single(part)), None)
    first = leading(model)
    if tenant is None or first is None or first.tenant:
        return
    yield RULE.finding(
        model,
        f"the tenant `{tenant.name}` comes after `{first.name}` in the key `{model.key.shape}`",
        why="the rows of a tenant are stored apart, so no prefix can read them, or delete them when the tenant leaves",
        fix=key_fixes(model, lambda key: change(model, key, "put the tenant in front"), lambda _: unsaid),
        part=tenant.name,
        at=tenant.location,
        level=Level.INFO if first.derived and first.derived.values is not None else Level.WARNING,
    )


def _mixed(model: ModelSchema, owner: Column) -> Finding:
    first = next(part for part in model.key.asked)
    new = evolve(as_field(owner), tenant=True)
    key = evolve(model.key, fields=(new, *model.key.fields))
    made = evolve(model, key=key, columns=tuple(one for one in model.columns if one != owner))
    asked = [query.name for query in model.queries if not query.scan or query.equal]
    giving = f", and give `{owner.name}` to {quoted(asked)}, too" if asked else ""
    return RULE.finding(
        model,
        f"the key `{model.key.shape}` has no `{owner.name}`, and by the description `{first.name}` is unique for one `{owner.name}` alone",
        why="rows of two owners with the same number are one row, so each overwrites and reads those of the other",
        fix=Fix(
            f"put `{owner.name}` in front, `tenant=True`: `{key.shape}`{giving}",
            (adjusted(model, asking(made, [owner.name])),),
        ),
        part=first.name,
        at=first.location,
    )


RULE: Rule[ModelSchema] = Rule(
    "KEY018",
    "tenant-not-first",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.INFO),
)
