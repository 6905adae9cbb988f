"""What every repository offers for leading fields of the key: the newest rows, and deleting a prefix."""

from collections.abc import Iterator

from btmodel.codecs.key import Kind
from btmodel.schema import Access, KeyField, ModelSchema, Query, access
from btmodel.schema.checks import NEWEST
from btmodel_codegen.naming import Names, free
from btmodel_codegen.python_text import and_last, docstring, filled
from btmodel_codegen.signatures import Parameter, QueryMethod, given, handed_on, lines_of, several


def newest(model: ModelSchema, names: Names) -> QueryMethod | None:
    """The method for the newest rows; None where no time in the key gives them, or a declared query does."""
    found = time_and_ahead(model)
    if found is None:
        return None
    time, ahead = found
    asked = several(given(model, names, ahead))
    count = free("n", [parameter.name for parameter in asked])
    of = f" of one {and_last(ahead)}" if ahead else ""
    among = " A list asks for the newest among the rows of several values." if ahead else ""
    doc = f"The newest ``{count}`` rows{of}, by {time.name}.\n\nThe newest comes first.{among}"
    pairs = list(map(handed_on, asked))
    return QueryMethod(
        NEWEST,
        docstring(doc, 8),
        (Parameter(count, "int", time.name), *asked),
        (),
        lines_of(pairs),
    )


def time_and_ahead(model: ModelSchema) -> tuple[KeyField, tuple[str, ...]] | None:
    """The time that orders the newest rows, and the names of what is given in front of it; None where ``newest`` is no method."""
    time = next((part for part in model.key.asked if part.codec.kind is Kind.TIME), None)
    if time is None or any(query.name == NEWEST for query in model.queries):
        return None
    ahead = _given_ahead(model, time.name)
    served = isinstance(access(model.key, Query(NEWEST, ahead, time.name)), Access)
    return (time, ahead) if served else None


def prefixes(model: ModelSchema) -> tuple[tuple[str, ...], ...]:
    """What must be given for each prefix of the key that can be deleted, from the shortest.

    What would delete one row alone is left to ``delete``.
    """
    whole = {*(part.name for part in model.key.asked), *model.key.hashed}
    return tuple(
        leading
        for leading in _leading(model)
        if set(leading) != whole and isinstance(access(model.key, Query("delete_prefix", leading)), Access)
    )


def prefix_doc(found: tuple[tuple[str, ...], ...], progress: str, on_error: str) -> str:
    """The docstring of ``delete_prefix``."""
    if not found:
        return ""
    shortest, *longer = found
    more = ", or of more leading fields; return how many" if longer else ", and return how many there were"
    first = f"Delete the rows of one {and_last(shortest)}{more}."
    note = (
        "Every cell of a row is deleted, and rows without a cell that this model reads are deleted, too. Keys are read, and their "
        f"rows deleted in batches, so memory stays flat and no admin right is needed; ``{progress}`` is called with the "
        "number of rows deleted so far. An interrupted call can be repeated. The error of a key that does not belong to "
        f"the model is raised, or given to ``{on_error}``, and its row stays."
    )
    return filled([first, note], 8)


def _leading(model: ModelSchema) -> Iterator[tuple[str, ...]]:
    """What must be given for each run of leading fields of the key, from the shortest."""
    names: dict[str, None] = {}
    for part in model.key.fields:
        before = len(names)
        if part.asked:
            names[part.name] = None
        elif part.derived is not None and part.derived.values is None:
            names |= dict.fromkeys(part.derived.of)
        if len(names) > before:
            yield tuple(names)


def _given_ahead(model: ModelSchema, field: str) -> tuple[str, ...]:
    """What must be given for all the fields in front of one."""
    ahead: tuple[str, ...] = ()
    for names in _leading(model):
        if field in names:
            break
        ahead = names
    return ahead
