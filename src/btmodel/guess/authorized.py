"""Authorized views of a live table, read back into declarations of its models."""

from collections.abc import Sequence
from typing import Any

from attrs import evolve

from btmodel.codecs.key import Bytes
from btmodel.errors import BtmodelError
from btmodel.guess.model import AuthorizedGuess, ModelGuess
from btmodel.rows.key import RowKeyCodec
from btmodel.rows.plan import Planner
from btmodel.schema import AuthorizedView, KeyField, ModelSchema, Query, RowKey
from btmodel.schema.limits import KEY_BYTES
from btmodel.schema.view import subsets_of

# Values that a line of Python says without an import.
_PLAIN = (str, bytes, int, bool, float)
_REST = KeyField("", Bytes(max_length=KEY_BYTES, min_length=0))


def with_authorized(
    models: Sequence[ModelGuess], views: Sequence[AuthorizedView]
) -> tuple[tuple[ModelGuess, ...], list[str]]:
    """The ``models`` of a table, each with those of its authorized ``views`` that it can declare; and the others, each with the reason."""
    found: list[list[AuthorizedGuess]] = [[] for _ in models]
    why: list[str] = []
    for view in views:
        for at, model in enumerate(models):
            if (guess := _guess(view, model.schema)) is not None:
                found[at].append(guess)
                break
        else:
            why.append(undeclared(view, "no model above has just these rows and columns"))
    return tuple(map(_declaring, models, found)), why


def undeclared(view: AuthorizedView, why: str) -> str:
    """What to do about an authorized view that no guessed model declares."""
    return (
        f"authorized view {view.id!r} shows {view}: {why}: declare it with bt.table(..., authorized_views=[bt.authorized_view({view.id!r}, "
        "...)]) once a model has its columns"
    )


def _declaring(model: ModelGuess, found: Sequence[AuthorizedGuess]) -> ModelGuess:
    schema = evolve(model.schema, authorized=tuple(guess.view for guess in found))
    return evolve(model, schema=schema, authorized=tuple(found))


def _guess(view: AuthorizedView, model: ModelSchema) -> AuthorizedGuess | None:
    """The view as a declaration of this model; None where it has other rows or columns than one can name."""
    where = _where(view, model)
    if where is None:
        return None
    if view.same == evolve(view, subsets=subsets_of(model.families, (), None)).same:
        return AuthorizedGuess(view, where, None)
    shown = [
        column
        for column in model.columns
        if all(view.shows(place.family, place.qualifier, open=place.open) for place in column.places)
    ]
    declared = evolve(view, subsets=subsets_of(model.families, model.key.fields, shown))
    if not shown or view.same != declared.same:
        return None
    return AuthorizedGuess(view, where, tuple(column.name for column in shown))


def _where(view: AuthorizedView, model: ModelSchema) -> tuple[tuple[str, Any], ...] | None:
    """The values of leading key fields that its rows have; None where no values give its row prefixes."""
    if b"" in view.row_prefixes:
        return () if len(view.row_prefixes) == 1 else None
    for count in range(1, len(model.key.fields)):
        values = _values(view.row_prefixes, model.key, count)
        if values and _gives(model, values, view.row_prefixes):
            return tuple(values.items())
    return None


def _values(prefixes: Sequence[bytes], key: RowKey, count: int) -> dict[str, Any] | None:
    """The values of the first ``count`` fields in these prefixes of keys, a list of several; None where one is no such prefix."""
    leading = RowKeyCodec(
        ModelSchema("", "", "", "", RowKey((*key.fields[:count], _REST), key.delimiter), (), ())
    )
    found: dict[str, list[Any]] = {}
    for prefix in prefixes:
        try:
            values = leading.decode(prefix)
        except BtmodelError:
            return None
        if values.pop(_REST.name) != b"" or not all(type(value) in _PLAIN for value in values.values()):
            return None
        for name, value in values.items():
            found.setdefault(name, []).extend([value] * (value not in found.get(name, ())))
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def _gives(model: ModelSchema, values: dict[str, Any], prefixes: Sequence[bytes]) -> bool:
    """Whether a view that is declared with ``values`` has these row prefixes, and is not refused."""
    try:
        made = Planner(model).prefixes(Query("authorized_view", tuple(values)), values)
    except BtmodelError:
        return False
    return made == tuple(sorted(prefixes))
