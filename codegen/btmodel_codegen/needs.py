"""What a generated module needs: the names that it imports of the runtime and of the standard library."""

from collections.abc import Iterator

from btmodel.schema import ModelSchema, Shape
from btmodel.schema.possible_edits import identifies, removes, sets_value, sorts
from btmodel_codegen.columns import field_names
from btmodel_codegen.leading import prefixes, time_and_ahead
from btmodel_codegen.naming import Place
from btmodel_codegen.python_text import GUARD

ASYNC = ("", "Async")


def needs(model: ModelSchema) -> Iterator[Place]:
    """Names by module."""
    base, rows = bases(model)
    for prefix in ASYNC:
        yield "btmodel.repository", f"{prefix}{base}"
        yield "btmodel.repository", f"{prefix}{rows}"
        if model.view is None:
            yield "btmodel.repository", f"{prefix}Edit"
    yield GUARD
    yield from (("btmodel.repository", name) for name in ("OnError", "Times"))
    yield "collections.abc", "Iterable"
    yield "typing", "NamedTuple"
    yield "typing", "TYPE_CHECKING"
    if model.columns:
        yield "collections.abc", "Sequence"
    if model.columns or model.view is None:  # what reads or edits in steps gives itself
        yield "typing", "Self"
    if field_names(model):
        yield "typing", "Literal"
        yield from (("typing", name) for name in ("TypedDict", "Unpack"))
        if model.view is None:
            yield "typing", "Any"
        yield from (("btmodel", name) for name in ("Comparison", "Condition"))
    settable = [
        column
        for column in model.columns
        if sets_value(column) and not identifies(model, column) and not model.view
    ]
    if settable:
        yield from (("collections.abc", name) for name in ("Callable", "Iterable"))
        yield "btmodel.repository", "AnyIterable"
    added = [column for column in model.columns if column.shape is Shape.COUNTERS]
    if added or any(column.shape not in (Shape.VALUE, Shape.MEMBERS) for column in settable):
        yield "collections.abc", "Mapping"
    if any(map(removes, model.columns)):
        yield "typing", "TypedDict"
        if any(map(sorts, model.columns)):
            yield from (("typing", name) for name in ("Any", "overload"))
    if model.authorized:
        yield from (("typing", name) for name in ("Literal", "Self"))
    if any(query.between for query in model.queries):
        yield "btmodel.repository", "Closed"
    newest = time_and_ahead(model)
    if any(query.equal for query in model.queries) or (newest and newest[1]):
        yield "btmodel.repository", "OneOrMany"
    if model.view is None:
        yield from _of_prefixes(len(prefixes(model)))
    if model.sql_queries:
        yield from (("btmodel", f"{prefix}SqlRows") for prefix in ASYNC)
    if model.holds_events:
        yield "collections.abc", "AsyncIterable"
        yield "attrs", "frozen"


def bases(model: ModelSchema) -> tuple[str, str]:
    """The base of a model's repository, and of its lazy reads."""
    if model.view:
        return "ViewRepository", "ViewRows"
    return "EventRepository" if model.holds_events else "Repository", "Rows"


def _of_prefixes(count: int) -> Iterator[Place]:
    if count:
        yield "collections.abc", "Callable"
    if count > 1:
        yield from (("typing", name) for name in ("Any", "overload"))
