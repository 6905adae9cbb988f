"""Names within the classes of a repository: they hide what its module imports under such a name."""

from collections.abc import Iterator

from btmodel.schema import Access, ModelSchema, access
from btmodel.schema.checks import MEMBERS, NEWEST, arguments
from btmodel_codegen.naming import free

# Methods of lazy reads and of edits, of which the repository has no such one.
_OF_ROWS = ("only", "where", "entries", "set", "apply", "clear_family")
# Parameters that methods have besides those that are called after fields and columns.
_PARAMETERS = (
    *("self", "db", "only", "n", "start", "end", "closed", "at", "progress", "on_error", "fields"),
    *("row", "key", "column", "columns", "by", "value", "values", "expected", "conditions"),
    *("begin", "families"),
)


def hiding(model: ModelSchema) -> set[str]:
    """The names of all attributes, methods and parameters in the module of a model."""
    attributes = {part.name for part in model.key.asked} | {column.name for column in model.columns}
    options = {free(name, attributes) for name in _PARAMETERS}
    queries = {query.name for query in model.queries} | {query.name for query in model.sql_queries}
    queries |= {parameter.name for query in model.sql_queries for parameter in query.parameters}
    return {
        *(attributes | options | queries | MEMBERS | set(model.parameters)),
        *(NEWEST, *_OF_ROWS, *_PARAMETERS, *_of_queries(model)),
    }


def _of_queries(model: ModelSchema) -> Iterator[str]:
    for query in model.queries:
        found = access(model.key, query)
        if isinstance(found, Access):
            yield from arguments(query, found).all
