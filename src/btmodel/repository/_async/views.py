"""Repositories of views, which only read, and lead from a row to that of the table which it was made of."""

from collections.abc import Iterable
from contextlib import aclosing
from functools import partial
from typing import Any, NoReturn, TypeVar

from btmodel.declare import Model, codec_of, schema_of
from btmodel.errors import ValueRefused
from btmodel.repository._async.repository import READ_AT_ONCE, AsyncRepository
from btmodel.repository._async.rows import AsyncRows
from btmodel.rows import Planner, RowDecoder

M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
F = TypeVar("F", bound=str)
R = TypeVar("R", bound=AsyncRows[Any, Any, Any])
S = TypeVar("S", bound=Model)


class _NoWriter:
    """Stands where repositories of tables have a method that writes."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> NoReturn:
        raise AttributeError(
            f"{owner.__name__} has no {self._name}: nothing is written to a view, which the service keeps of a table: write to that"
        )


# For type checkers None, which cannot be called.
_NONE: Any = _NoWriter


class AsyncViewRows(AsyncRows[M, K, F]):
    """Rows of a view, which are read when they are iterated."""

    delete: None = _NONE()  # type: ignore[assignment]


class AsyncViewRepository(AsyncRepository[M, K, R]):
    """Rows of one view. ``btmodel generate`` writes its subclasses. A view lags behind its table."""

    put: None = _NONE()  # type: ignore[assignment]
    put_many: None = _NONE()  # type: ignore[assignment]
    put_arrow: None = _NONE()  # type: ignore[assignment]
    put_cells: None = _NONE()  # type: ignore[assignment]
    writer: None = _NONE()  # type: ignore[assignment]
    put_if_absent: None = _NONE()  # type: ignore[assignment]
    replace: None = _NONE()  # type: ignore[assignment]
    replace_many: None = _NONE()  # type: ignore[assignment]
    delete_many: None = _NONE()  # type: ignore[assignment]
    changes: None = _NONE()  # type: ignore[assignment]
    apply_many: None = _NONE()  # type: ignore[assignment]

    async def _sources(self, source: type[S], rows: Iterable[M]) -> list[S | None]:
        """The rows of the table of ``source`` that ``rows`` were made of, in their order."""
        view = self._schema.view
        names = {of: name for name, of in view.fields} if view else {}
        codec, schema = codec_of(source), schema_of(source)
        decoder = RowDecoder(partial(codec.decode, only=None, whole=True), codec.compiled_reader(None))
        asked = [part.name for part in schema.key.asked]
        raws = []
        for row in rows:
            if not isinstance(row, self.model):
                raise ValueRefused(
                    f"a row of {self._schema.name}", row, where=f"{type(self).__name__}.sources"
                )
            raws.append(codec.keys.encode({name: getattr(row, names[name]) for name in asked}))
        wanted = list(dict.fromkeys(raws))
        found: dict[bytes, S] = {}
        for at in range(0, len(wanted), READ_AT_ONCE):
            plan = Planner(schema).keys(wanted[at : at + READ_AT_ONCE])
            async with aclosing(self._db.read_batches(plan, decoder)) as batches:
                async for batch in batches:
                    found.update(zip(batch.keys, batch.rows, strict=True))
        return [found.get(raw) for raw in raws]
