"""From the declarations of a class to its schema."""

import inspect
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from functools import partial
from typing import Any

from btmodel.declare.body import Attribute
from btmodel.declare.columns import columns, families
from btmodel.declare.key_fields import key_fields
from btmodel.declare.problems import Problems
from btmodel.declare.query import DeclaredQuery
from btmodel.declare.settings import parse_keywords
from btmodel.errors import DeclarationError
from btmodel.schema import Location, ModelSchema, Query, RowKey


def build_schema(
    cls: type, declared: Mapping[str, Attribute], settings: Mapping[str, Any], location: Location
) -> ModelSchema:
    """The schema of a model class. Raises :class:`DeclarationError` where none can be built."""
    where = cls.__name__
    problems = Problems(location)
    keywords = parse_keywords(where, settings, problems)
    found = tuple(problems.each(families(where, declared)))
    ids = {family.id for family in found}
    fields = tuple(problems.each(key_fields(where, declared, ids)))
    cells = tuple(problems.each(columns(where, declared, ids)))
    problems.refuse()
    schema = ModelSchema(
        name=where,
        module=cls.__module__,
        doc=inspect.cleandoc(cls.__doc__ or ""),
        table=keywords.table,
        key=RowKey(fields, keywords.delimiter),
        families=found,
        columns=cells,
        queries=tuple(_queries(declared)),
        events=keywords.events,
        bucket=keywords.bucket,
        allow=keywords.allow,
        location=location,
    )
    for check in (_check_key, _check_cells, _check_bucket):
        problems.one(partial(check, schema), None)
    problems.refuse()
    return schema


def _queries(declared: Mapping[str, Attribute]) -> Iterable[Query]:
    for name, attribute in declared.items():
        if isinstance(attribute.declaration, DeclaredQuery):
            yield attribute.declaration.named(name)


def _check_key(schema: ModelSchema) -> None:
    if not schema.key.asked:
        raise DeclarationError(
            f"{schema.location}: {schema.name} has no key field: declare at least one key(...)"
        )


def _check_cells(schema: ModelSchema) -> None:
    """Refuse a model that no row can be written of: a row without cells does not exist."""
    if not schema.columns and not any(part.mirror for part in schema.key.fields):
        raise DeclarationError(
            f"{schema.location}: {schema.name} has no cell to write, and a row without cells does not exist: "
            "declare a column(...), or a mirror= of a key field"
        )


def _check_bucket(schema: ModelSchema) -> None:
    """Refuse a bucket that no key field names, one without events, and rows that an event alone cannot begin."""
    if schema.bucket is None:
        return
    field = schema.bucket_field
    if field is None or field.codec.python_type not in (date, datetime):
        raise DeclarationError(
            f"{schema.location}: {schema.name}: bucket={schema.bucket.value!r} needs a key field of whole "
            f"{schema.bucket.value}s, such as DateText() for days, IsoWeek() for weeks or TimeText('%Y%m%d%H') for hours"
        )
    if not schema.histories:
        raise DeclarationError(
            f"{schema.location}: {schema.name}: bucket={schema.bucket.value!r}, but no history(...) to hold its events"
        )
    for column in schema.columns:
        if column.required:
            raise DeclarationError(
                f"{column.location}: {schema.name}.{column.name}: a row of a bucket begins with its first event, "
                "which has no such cell: declare the column as optional, `| None` with default=None"
            )
