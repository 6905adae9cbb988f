"""Rows in a pipeline: their coder, and rows of Beam with a schema."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import base64
import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Generic, NoReturn, TypeVar
from uuid import UUID

import apache_beam as beam
from apache_beam.coders.typecoders import registry
from apache_beam.pvalue import PCollection, Row
from apache_beam.typehints.row_type import RowTypeConstraint
from apache_beam.utils.timestamp import Timestamp
from attrs import frozen

from btmodel.declare import Model, from_dict, to_dict
from btmodel.errors import QueryRefused
from btmodel.words import did_you_mean, near

_UNSET = ...  # in the place of a column that was not read


class ModelCoder(beam.coders.Coder):
    """Rows of one model as the values of their attributes, without names: a third smaller than pickled rows.

    Sources and sinks register it for their models. Columns that were not read stay unset. The bytes of equal rows may
    differ, so rows are no keys: group by ``bt.key_of(row)``, or by their fields.
    """

    def __init__(self, model: type[Model]) -> None:
        """Raises :class:`QueryRefused` for a class without a table."""
        if not hasattr(model, "__schema__"):
            raise QueryRefused(f"ModelCoder: expected a model with a table, got {model!r}")
        self._model = model
        self._names = (*model.__schema__.attributes, "_unknown_cells")

    def encode(self, value: Model) -> bytes:
        """The bytes of a row."""
        return pickle.dumps(tuple([getattr(value, name, _UNSET) for name in self._names]), protocol=5)

    def decode(self, encoded: bytes) -> Model:
        """The row again."""
        row = object.__new__(self._model)
        for name, value in zip(self._names, pickle.loads(encoded), strict=True):
            if value is not _UNSET:
                object.__setattr__(row, name, value)
        return row

    def is_deterministic(self) -> bool:
        """No: sets and maps have no order."""
        return False

    def as_deterministic_coder(self, step_label: str, error_message: str | None = None) -> NoReturn:
        """Raise :class:`QueryRefused`: rows are no keys."""
        raise QueryRefused(
            f"{step_label}: rows of {self._model.__name__} are no keys: group by bt.key_of(row), or by a tuple of its fields"
        )

    def to_type_hint(self) -> type[Model]:
        """The model."""
        return self._model

    # No type of an override fits the type variable that Beam returns.
    @classmethod
    def from_type_hint(cls, typehint: Any, registry: Any) -> Any:
        """The coder of a model."""
        return cls(typehint)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return ModelCoder, (self._model,)

    def __eq__(self, other: object) -> bool:
        return type(other) is ModelCoder and other._model is self._model

    def __hash__(self) -> int:
        return hash(self._model)


def register(model: type[Model]) -> None:
    """Have the pipelines of this process take rows of ``model`` from step to step by their coder."""
    registry.register_coder(model, ModelCoder)


M = TypeVar("M", bound=Model)


@frozen
class _BeamType:
    """How a type of values lies in rows of Beam: as ``type``, made by ``into``; ``as_json`` makes of that what JSON lines have."""

    type: type
    into: Callable[[Any], Any]
    as_json: Callable[[Any], Any]


def _same(value: Any) -> Any:
    return value


_KINDS: Mapping[type, _BeamType] = {
    **{type: _BeamType(type, _same, _same) for type in (bool, int, float, str)},
    bytes: _BeamType(bytes, _same, lambda value: base64.b64encode(value).decode()),
    Decimal: _BeamType(Decimal, _same, str),
    UUID: _BeamType(str, str, _same),
    date: _BeamType(date, _same, date.isoformat),
    datetime: _BeamType(
        Timestamp, Timestamp.from_utc_datetime, lambda value: value.to_utc_datetime(has_tz=True).isoformat()
    ),
}
# Everything else, such as documents, sets and histories, is the text that JSON lines have.
_TEXT = _BeamType(str, json.dumps, json.loads)


def _fields(model: type[Model], only: Sequence[str] | None = None) -> dict[str, tuple[_BeamType, bool]]:
    """The attributes of a model, or those of its key and ``only`` these, each with the kind of its values and whether rows may lack it."""
    schema = model.__schema__
    found = {
        field.name: (_KINDS.get(field.codec.python_type, _TEXT), field.optional) for field in schema.key.asked
    }
    keys = {*found}
    for column in schema.columns:
        kind = _KINDS.get(column.codec.python_type, _TEXT) if column.shape.plain else _TEXT
        found[column.name] = kind, column.shape.plain and not column.required
    if schema.stamp.stored and schema.stamp.attribute is not None:
        found[schema.stamp.attribute] = _KINDS[datetime], not schema.stamp.required
    return {name: field for name, field in found.items() if only is None or name in keys or name in only}


def _check(transform: str, model: type[Model], only: Sequence[str] | None = None) -> None:
    """Raise :class:`QueryRefused` for what is no model, or no attribute of it."""
    if not hasattr(model, "__schema__"):
        raise QueryRefused(f"{transform}: expected a model with a table, got {model!r}")
    known = _fields(model)
    for name in only or ():
        if name not in known:
            raise QueryRefused(
                f"{transform}: {model.__name__} has no attribute {name!r}{did_you_mean(near(str(name), known))}"
            )


class AsRows(beam.PTransform[PCollection[M], PCollection[Row]], Generic[M]):
    """Rows of ``model`` as rows of a Beam schema: ``pipeline | ReadRows(read) | AsRows(Quote) | SqlTransform(...)``.

    Numbers, text, bytes, decimals, dates and times have Beam's types, and a UUID is text. What Beam's schemas have no type for,
    such as documents, sets, mappings and histories, is JSON text, as `btmodel rows --json` prints it. With ``only``, the rows have the fields of the key and these
    attributes, which the read must have asked for.
    """

    def __init__(self, model: type[M], only: Sequence[str] | None = None) -> None:
        """Raises :class:`QueryRefused` for what is no model, or no attribute of it."""
        super().__init__()
        _check("AsRows", model, only)
        self._model, self._only = model, only

    def expand(self, rows: Any) -> "PCollection[Row]":
        """A row for each."""
        types: list[tuple[str, Any]] = [  # which are types or unions
            (name, kind.type | None if optional else kind.type)
            for name, (kind, optional) in _fields(self._model, self._only).items()
        ]
        made = beam.ParDo(_AsRows(self._model, self._only))
        beam_rows: PCollection[Row] = rows | made.with_output_types(RowTypeConstraint.from_fields(types))
        return beam_rows


class FromRows(beam.PTransform[PCollection[Row], PCollection[M]], Generic[M]):
    """Rows of ``model`` from rows of a Beam schema, as :class:`AsRows` makes them; fields that the model does not have are left out."""

    def __init__(self, model: type[M]) -> None:
        """Raises :class:`QueryRefused` for what is no model."""
        super().__init__()
        _check("FromRows", model)
        self._model = model

    def expand(self, rows: Any) -> "PCollection[M]":
        """A row for each. A row that does not fit the model raises :class:`ValueRefused`."""
        register(self._model)
        made = beam.ParDo(_FromRows(self._model)).with_output_types(self._model)
        model_rows: PCollection[M] = rows | made
        return model_rows


class _OfModel(beam.DoFn):
    def __init__(self, model: type[Model], only: Sequence[str] | None = None) -> None:
        super().__init__()
        self._model, self._only = model, only

    def setup(self) -> None:
        self._kinds = {name: kind for name, (kind, _) in _fields(self._model, self._only).items()}
        self._has_text = _TEXT in self._kinds.values()


class _AsRows(_OfModel):
    def process(self, element: Any) -> Iterator[Row]:
        """The row of Beam."""
        texts = to_dict(element, json=True) if self._has_text else {}
        values = {
            name: texts[name] if kind is _TEXT else getattr(element, name)
            for name, kind in self._kinds.items()
        }
        yield Row(
            **{
                name: None if value is None else self._kinds[name].into(value)
                for name, value in values.items()
            }
        )


class _FromRows(_OfModel):
    def process(self, element: Any) -> Iterator[Model]:
        """The row of the model."""
        values = {name: getattr(element, name, None) for name in self._kinds}
        given = {
            name: self._kinds[name].as_json(value) for name, value in values.items() if value is not None
        }
        yield from_dict(self._model, given, json=True)
