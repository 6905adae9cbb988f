"""How rows travel between the steps of a pipeline."""

# pyright: reportMissingImports=false
# Apache Beam has an environment of its own.

import pickle
from collections.abc import Callable
from typing import Any, NoReturn

import apache_beam as beam
from apache_beam.coders.typecoders import registry

from btmodel.declare import Model
from btmodel.errors import QueryRefused

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
