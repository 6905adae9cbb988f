"""From the declarations of a class to its schema."""

import inspect
from collections.abc import Iterable, Mapping
from functools import partial

from btmodel.declare.body import Attribute
from btmodel.declare.checks import CHECKS
from btmodel.declare.columns import columns, families
from btmodel.declare.key_fields import key_fields
from btmodel.declare.problems import Problems
from btmodel.declare.query import DeclaredQuery
from btmodel.declare.settings import Keywords
from btmodel.declare.stamps import stamp
from btmodel.schema import Location, ModelSchema, Query, RowKey
from btmodel.schema.stamp import WRITTEN


def build_schema(
    cls: type, declared: Mapping[str, Attribute], keywords: Keywords, problems: Problems, location: Location
) -> ModelSchema:
    """The schema of a model class.

    Raises :class:`DeclarationError` where none can be built, with what is among ``problems`` already.
    """
    where = cls.__name__
    found = tuple(problems.each(families(where, declared)))
    ids = {family.id for family in found}
    fields = tuple(problems.each(key_fields(where, declared, ids)))
    cells = tuple(problems.each(columns(where, declared, ids, keywords.bucket)))
    problems.refuse()
    schema = ModelSchema(
        name=where,
        module=cls.__module__,
        doc=inspect.cleandoc(cls.__doc__ or ""),
        table=keywords.table.id,
        key=RowKey(fields, keywords.delimiter),
        families=found,
        columns=cells,
        queries=tuple(_queries(declared)),
        events=keywords.events,
        bucket=keywords.bucket,
        nodes=keywords.nodes,
        atomic=keywords.atomic,
        stamp=problems.one(lambda: stamp(where, declared, keywords.timestamp, location), WRITTEN),
        allow=keywords.allow,
        settings=keywords.table.settings,
        row_key_schema=keywords.table.row_key_schema,
        renamed_from=keywords.table.renamed_from,
        location=location,
    )
    for check in CHECKS:
        problems.one(partial(check, schema), None)
    problems.refuse()
    return schema


def _queries(declared: Mapping[str, Attribute]) -> Iterable[Query]:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, DeclaredQuery):
            yield attribute.declaration.named(name)
