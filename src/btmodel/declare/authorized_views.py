"""What a table has beside its families, worked out of a model: authorized views and schema bundles."""

from functools import partial

from attrs import evolve

from btmodel.declare.keywords import DeclaredAuthorizedView, DeclaredTable
from btmodel.declare.problems import Problems
from btmodel.errors import DeclarationError, QueryRefused, ValueRefused
from btmodel.rows.planner import Planner
from btmodel.schema import AuthorizedView, FamilySubset, ModelSchema, Query
from btmodel.schema.view import subsets_of
from btmodel.words import meant


def with_parts(schema: ModelSchema, table: DeclaredTable, problems: Problems) -> ModelSchema:
    """The schema with the authorized views that ``table`` declares; what is wrong goes to ``problems``."""
    problems.one(partial(_refuse_empty_bundle, schema, table), None)
    found = (problems.one(partial(_view, schema, view), None) for view in table.authorized_views)
    return evolve(schema, authorized=tuple(view for view in found if view is not None))


def _refuse_empty_bundle(schema: ModelSchema, table: DeclaredTable) -> None:
    if schema.schema_bundle is not None and not any(column.messages for column in schema.columns):
        raise DeclarationError(
            f"{table.location}: {schema.name}: schema_bundle: expected a model with columns of bt.Protobuf(...), whose schemas the bundle "
            "holds, got one without: declare it on the model of the table that has them"
        )


def _view(schema: ModelSchema, declared: DeclaredAuthorizedView) -> AuthorizedView:
    where = f"{declared.location}: {schema.name}: authorized view {declared.id!r}"
    if schema.parameters:
        raise DeclarationError(
            f"{where}: the ids of the table or its families are completed at run time ({', '.join(schema.parameters)}), and an authorized "
            "view belongs to one table"
        )
    try:
        prefixes = _prefixes(schema, declared)
    except (QueryRefused, ValueRefused) as error:
        raise DeclarationError(f"{where}: where: {error}") from None
    except DeclarationError as error:
        raise DeclarationError(f"{where}: {error}") from None
    return AuthorizedView(declared.id, prefixes, _subsets(schema, declared, where), declared.protected)


def _prefixes(schema: ModelSchema, declared: DeclaredAuthorizedView) -> tuple[bytes, ...]:
    if not declared.where:
        return (b"",)
    known = [part.name for part in schema.key.asked]
    for name in declared.where:
        if name not in known:
            raise DeclarationError(
                f"where: {schema.name} has no key field {name!r}{meant(name, known, 'key fields')}"
            )
        if next(part for part in schema.key.asked if part.name == name).pii:
            raise DeclarationError(
                f"where: {name} identifies a person (pii=True), and the service treats the row prefixes of authorized views as service "
                "data, not as customer data: put a tenant, or another id that is not a person's, in front of it"
            )
    query = Query("authorized_view", tuple(declared.where))
    return Planner(schema).prefixes(query, declared.where)


def _subsets(schema: ModelSchema, declared: DeclaredAuthorizedView, where: str) -> tuple[FamilySubset, ...]:
    columns = {column.name: column for column in schema.columns}
    for name in declared.only or ():
        if name not in columns:
            raise DeclarationError(
                f"{where}: only: {schema.name} has no column {name!r}{meant(name, columns, 'columns')}"
            )
    shown = None if declared.only is None else [columns[name] for name in declared.only]
    return subsets_of(schema.families, schema.key.fields, shown)
