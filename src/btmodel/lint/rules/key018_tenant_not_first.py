"""KEY018 tenant-not-first: the rows of a tenant are stored apart

What it finds
    A key field declared `tenant=True`, or, if none is, one called `tenant` or `tenant_id`, behind other fields. Only constants and fields of
    cardinality 1 may be in front of it.

Why
    If the tenant comes first, its rows are stored together: one query reads them, and one
    prefix deletes them when the tenant leaves. Otherwise, its data is scattered among that of
    the others.

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
    deleted together.

Source
    https://cloud.google.com/bigtable/docs/schema-design (multitenancy: row key prefixes).
"""

from collections.abc import Iterator

from attrs import evolve

from btmodel.design.advice import change
from btmodel.design.keys import single
from btmodel.design.spread import leading
from btmodel.lint.finding import Finding, Level, key_fixes
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema
from btmodel.words import words

_TENANTS = ("tenant", "tenant_id", "tenant_key", "tenant_code", "tenant_name")


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the first tenant field of a key that begins with something else."""
    if not any(part.tenant for part in model.key.fields):
        model = _as_declared(model)
    tenant = next((part for part in model.key.fields if part.tenant and not single(part)), None)
    first = leading(model)
    if tenant is None or first is None or first.tenant:
        return
    yield RULE.finding(
        model,
        f"the tenant `{tenant.name}` comes after `{first.name}` in the key `{model.key.shape}`",
        why="the rows of a tenant are stored apart, so no prefix can read them, or delete them when the tenant leaves",
        fix=key_fixes(model, lambda key: change(model, key, "put the tenant in front")),
        part=tenant.name,
        at=tenant.location,
    )


def _as_declared(model: ModelSchema) -> ModelSchema:
    """The model with the field that is called like a tenant declared as one."""
    fields = tuple(
        evolve(part, tenant=True) if part.asked and "_".join(words(part.name)).lower() in _TENANTS else part
        for part in model.key.fields
    )
    return model if fields == model.key.fields else evolve(model, key=evolve(model.key, fields=fields))


RULE: Rule[ModelSchema] = Rule(
    "KEY018", "tenant-not-first", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING,)
)
