"""Table DDL for Terraform: ``google_bigtable_table``, a ``google_bigtable_gc_policy`` for its families, and its views.

GC rules are given as ``gc_rules``, which can say every rule; the blocks ``max_age`` and ``max_version`` cannot.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from attrs import frozen

from btmodel.errors import GenerationError
from btmodel.schema import (
    AuthorizedView,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    Table,
    TableSettings,
    TableView,
    Union,
    tables,
)
from btmodel.schema.gc import age_text, simplified
from btmodel_codegen.render import render

FILE = "tables.tf"

# The provider counts nanoseconds in 64 bits.
_LONGEST = timedelta(microseconds=(2**63 - 1) // 1000)
_HOUR = timedelta(hours=1)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@frozen
class _FamilyBlock:
    """A column family: its id, and the type of an aggregate, both quoted."""

    id: str
    type: str | None


@frozen
class _TableBlock:
    """What is stated of a table besides its families, each value quoted; None where it is not stated."""

    protection: str
    change_stream: str | None
    backups: str | None
    daily: str
    key_schema: str | None
    tiered_storage: str | None


@frozen
class _Resource:
    """A table as the template prints it: its name as a resource, and everything else quoted."""

    name: str
    id: str
    families: tuple[_FamilyBlock, ...]
    settings: _TableBlock
    policies: tuple[str, ...]
    views: tuple["_ViewBlock", ...]
    authorized: tuple["_AuthorizedViewBlock", ...]
    bundles: tuple["_Bundle", ...]


@frozen
class _ViewBlock:
    """A materialized view: its name as a resource, and everything else quoted."""

    name: str
    id: str
    query: str
    protection: str


@frozen
class _Subset:
    """The columns of a family in an authorized view, each value quoted."""

    family: str
    qualifiers: str
    prefixes: str


@frozen
class _AuthorizedViewBlock:
    """An authorized view: its name as a resource, and everything else quoted."""

    name: str
    id: str
    protection: str
    rows: str
    subsets: tuple[_Subset, ...]


@frozen
class _Bundle:
    """A schema bundle: its name as a resource, and everything else quoted."""

    name: str
    id: str
    descriptors: str


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """The resources of the tables of ``models``."""
    resources = [_resource(table) for table in tables(models)]
    return {FILE: render("tables.tf.jinja", file=FILE, tables=resources)}


def _resource(table: Table) -> _Resource:
    rules = {family.id: simplified(family.gc or KeepAll()) for family in table.families}
    limits = {quoted(id): _gc_rules(rule) for id, rule in rules.items() if not isinstance(rule, KeepAll)}
    width = max(map(len, limits), default=0)
    return _Resource(
        resource_name(table.id),
        quoted(table.id),
        tuple(_FamilyBlock(quoted(family.id), _type(family)) for family in table.families),
        _settings(table.settings),
        # `terraform fmt` puts the signs of equality below each other.
        tuple(f"{id:{width}} = jsonencode({rule})" for id, rule in limits.items()),
        tuple(map(_view, table.views)),
        tuple(_authorized(table.id, view) for view in table.authorized),
        tuple(
            _Bundle(
                resource_name(f"{table.id}-{bundle.id}"),
                quoted(bundle.id),
                _encoded((bundle.descriptors,))[1:-1],
            )
            for bundle in table.bundles
        ),
    )


def _authorized(table: str, view: AuthorizedView) -> _AuthorizedViewBlock:
    subsets = (
        _Subset(quoted(subset.family), _encoded(subset.qualifiers), _encoded(subset.prefixes))
        for subset in view.subsets
    )
    # As for tables: protected, unless it is stated.
    protection = quoted("UNPROTECTED" if view.deletion_protection is False else "PROTECTED")
    name = resource_name(f"{table}-{view.id}")
    return _AuthorizedViewBlock(
        name, quoted(view.id), protection, _encoded(view.row_prefixes), tuple(subsets)
    )


def _encoded(raws: Sequence[bytes]) -> str:
    return "[" + ", ".join(quoted(b64encode(raw).decode()) for raw in raws) + "]"


def _view(view: TableView) -> _ViewBlock:
    protection = (
        "false" if view.deletion_protection is False else "true"
    )  # as for tables: unless it is stated
    return _ViewBlock(resource_name(view.id), quoted(view.id), quoted(view.query), protection)


def _settings(settings: TableSettings) -> _TableBlock:
    return _TableBlock(
        # Unless it is stated, too: what makes a table should not delete it.
        protection=quoted("UNPROTECTED" if settings.deletion_protection is False else "PROTECTED"),
        change_stream=_period(settings.change_stream),
        backups=_period(settings.automated_backups),
        daily=quoted("24h" if settings.automated_backups else "0"),
        key_schema=quoted(settings.row_key_schema) if settings.row_key_schema else None,
        tiered_storage=age_text(settings.tiered_storage) if settings.tiered_storage else None,
    )


def _period(period: timedelta | None) -> str | None:
    """A length of time, quoted: zero means none to the provider."""
    return None if period is None else quoted(_age(period) if period else "0")


def _type(family: Family) -> str | None:
    return None if family.aggregate is None else quoted(f"int{family.aggregate.value}")


def resource_name(id: str) -> str:
    """The name of a table's resource: its id, or, where that is no identifier, one that no other id gives.

    It follows from the id alone: another name would be another resource, and the table destroyed.
    """
    if re.fullmatch("[A-Za-z_][-A-Za-z0-9_]*", id):
        return id
    return f"_{re.sub('[^-A-Za-z0-9_]', '_', id)}_{sha256(id.encode()).hexdigest()[:8]}"


def quoted(text: str) -> str:
    """``text`` as a quoted template of HCL, in which nothing is a template."""
    escaped = "".join(map(_escaped, text))
    return f'"{re.sub("[$%](?={)", lambda found: found[0] * 2, escaped)}"'


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x1_0000 else f"\\U{ord(character):08x}"


def _gc_rules(rule: GcRule) -> str:
    """The rule in the provider's JSON, as an expression of HCL."""
    json = _rule(rule)
    return _expression(json if "mode" in json else {"rules": [json]})


def _rule(rule: GcRule) -> dict[str, Any]:
    match rule:
        case MaxVersions(versions):
            return {"max_version": versions}
        case MaxAge(age):
            return {"max_age": _age(age)}
        case Union(rules):
            return {"mode": "union", "rules": [_rule(part) for part in rules]}
        case Intersection(rules):
            return {"mode": "intersection", "rules": [_rule(part) for part in rules]}
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def _age(age: timedelta) -> str:
    """An age in a unit that Go's durations have, which days are not."""
    if age > _LONGEST:
        raise GenerationError(f"Terraform cannot state an age of {age_text(age)}: the longest is 292 years")
    return age_text(age) if age % _HOUR else f"{age // _HOUR}h"


def _expression(value: Any) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{name} = {_expression(part)}" for name, part in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(_expression, value)) + "]"
        case str():
            return quoted(value)
        case _:
            return str(value)
