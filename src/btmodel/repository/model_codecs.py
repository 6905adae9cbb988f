"""The codecs of a model as a repository uses them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import datetime
from functools import cached_property, partial
from types import TracebackType
from typing import Any, Generic, Self, TypeAlias, TypeVar

from btmodel.declare import Model, codec_of, schema_of
from btmodel.errors import GenerationError, QueryRefused, ValueRefused, shown
from btmodel.repository.rows_in_part import marked
from btmodel.rows import Cell, RowCodec, RowDecoder, Selection, Stored
from btmodel.rows.cells import MILLISECOND, cell_timestamp
from btmodel.schema import ModelSchema
from btmodel.schema.layout import outline
from btmodel.words import one

M = TypeVar("M", bound=Model)
K = TypeVar("K", bound="tuple[Any, ...]")
T = TypeVar("T")


def bound(model: type[M], parameters: Mapping[str, str]) -> tuple[ModelSchema, RowCodec[M]]:
    """The schema and the codec of a model whose ids are completed with ``parameters``."""
    schema = schema_of(model).bound(parameters)
    codec = codec_of(model)
    return schema, RowCodec(schema, codec.make, codec.construct) if parameters else codec


class Reader(Generic[M, K]):
    """Decodes the rows of one model and their keys, which are instances of the named tuple ``key``."""

    def __init__(self, model: type[M], key: type[K], parameters: Mapping[str, str]) -> None:
        self.model, self.parameters = model, dict(parameters)
        self.schema, self.codec = bound(model, parameters)
        self.key = key
        self._fields: Sequence[str] = [part.name for part in self.schema.key.asked]
        self._hashed = frozenset(self.schema.key.hashed)
        self._names = [*self._fields, *self.schema.key.hashed]
        self._made: Callable[[tuple[Any, ...]], K] = key._make  # type: ignore[attr-defined]  # of a named tuple

    def through(self, view: str) -> Self:
        """The same of the rows as an authorized view of the table shows them. Raises :class:`QueryRefused`."""
        other = copy(self)
        other.schema = self.schema.through(view)
        other.codec = RowCodec(other.schema, self.codec.make, self.codec.construct)
        vars(other).pop("whole", None)
        return other

    def raw(self, key: K) -> bytes:
        """The row key of ``key``. Raises :class:`ValueRefused`."""
        if type(key) is not self.key:
            return self.codec.keys.encode(self.fields(key))
        return self.codec.keys.of_row(key)

    def fields(self, key: K) -> dict[str, Any]:
        """The fields of ``key`` by name."""
        if not isinstance(key, self.key):
            name = self.key.__name__
            wanted = f"{one(name)}, as {name}({', '.join(self._names)})"
            raise ValueRefused(wanted, key, where=self.schema.name)
        return dict(zip(self._names, key, strict=True))

    def rows(self, only: frozenset[str] | None = None, *, whole: bool = True) -> RowDecoder[M]:
        """Makes instances of rows; ``only`` and ``whole`` as for :meth:`RowCodec.decode`."""
        fast = self.codec.compiled_reader(only) if whole else None
        return RowDecoder(partial(self.codec.decode, only=only, whole=whole), fast)

    def selected(self, selection: Selection) -> RowDecoder[M]:
        """Makes instances of rows of which what was selected was read."""
        made = self.rows(selection.columns, whole=selection.times is None)
        return marked(made, selection, lambda row: row)

    def stored(self, selection: Selection) -> RowDecoder[Stored[M]]:
        """Makes stored rows of rows of which what was selected was read."""
        made = self.codec.stored_rows(selection.columns, whole=selection.times is None)
        return marked(made, selection, lambda stored: stored.row)

    @cached_property
    def whole(self) -> RowDecoder[M]:
        """Makes instances of whole rows."""
        return self.rows(self.schema.shown)

    @property
    def keys(self) -> RowDecoder[K]:
        """Makes the keys of rows of which the cells that the key is made from were read."""
        return RowDecoder(self.key_of, self.codec.compiled_keys(self._made))

    @property
    def raw_keys(self) -> RowDecoder[bytes]:
        """Gives the row keys, once they are known to be some of the model; raises :class:`UndecodableKey`."""
        return RowDecoder(self.checked, self.codec.compiled_keys())

    def key_of_row(self, row: M) -> K:
        """The fields that the key of a row is made of."""
        return self._made(tuple(getattr(row, name) for name in self._names))

    def key_of(self, raw: bytes, cells: Iterable[Cell]) -> K:
        """The key of a row of which the cells that the key is made from were read."""
        if not self._hashed:
            return self._made(self.codec.keys.read(raw))
        row = self.codec.decode(raw, cells, self._hashed)
        return self.key(*(getattr(row, name) for name in self._names))

    def checked(self, raw: bytes, cells: Iterable[Cell]) -> bytes:
        """The row key, once it is known to be one of the model. Raises :class:`UndecodableKey`."""
        self.codec.keys.read(raw)
        return raw


# Times of writing: one for all rows, one each, or a function of a row; aware, or in microseconds since 1970.
At: TypeAlias = datetime | int | Iterable[datetime | int] | Callable[[M], datetime | int]


def times_of(model: ModelSchema, at: At[Any]) -> Callable[[Any], int]:
    """The function that says at which time a row of ``model`` is written, in microseconds, as ``at`` has it.

    Raises :class:`QueryRefused` where that is not for ``at`` to say; the function raises :class:`ValueRefused`.
    """
    where, stamp = f"{model.name}: at", model.stamp
    if stamp.attribute is not None or stamp.fixed is not None:
        whose = f"its attribute {stamp.attribute!r}" if stamp.attribute else "timestamp= of its class"
        raise QueryRefused(
            f"{where}: expected a model whose cells have the time of writing, and {whose} says the time of these: leave out at="
        )
    if isinstance(at, (datetime, int)):
        same = _written_at(at, where)
        return lambda row: same
    if callable(at):
        return lambda row: _written_at(at(row), where)
    if not isinstance(at, Iterable) or isinstance(at, (str, bytes)):
        wanted = "an aware datetime, microseconds since 1970, a function of a row, or as many of them as rows"
        raise QueryRefused(f"{where}: expected {wanted}, got {shown(at)}")
    times = iter(at)

    def following(row: Any) -> int:
        for time in times:
            return _written_at(time, where)
        raise ValueRefused("a time for each row, and at= has none for this one", row, where=where)

    return following


def of_values(
    model: Callable[..., M], entries: Callable[[At[M] | None], Callable[[M], T]], at: At[M] | None
) -> Callable[[Mapping[str, Any] | ValueRefused], T]:
    """The function that makes of the attributes of a row what ``entries`` makes of rows written ``at`` a time; it raises what is given as an error.

    A row that is refused uses up its time, where each has its own.
    """
    times = iter(at) if isinstance(at, Iterable) and not isinstance(at, (str, bytes)) else None
    made = entries(at if times is None else times)

    def entry(given: Mapping[str, Any] | ValueRefused) -> T:
        if isinstance(given, ValueRefused):
            if times is not None:
                next(times, None)
            raise given
        return made(model(**given))

    return entry


def _written_at(time: object, where: str) -> int:
    try:
        if isinstance(time, datetime):
            return cell_timestamp(time)
        if type(time) is int and 0 <= time < 2**63 and time % MILLISECOND == 0:
            return time
    except ValueRefused as error:
        raise error.at(where) from None
    raise ValueRefused(
        "an aware datetime, or microseconds since 1970, in whole milliseconds", time, where=where
    )


class GeneratedFrom:
    """A context for what a generated module imports of its model: a missing name is reported with its fix."""

    def __init__(self, origin: str) -> None:
        """``origin`` is the model, or the twins, with its module."""
        self._origin = origin

    def __enter__(self) -> None:
        """Nothing to do before."""

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Raise :class:`GenerationError` where the import itself failed, not one within the model's module."""
        own = isinstance(error, ImportError) and at is not None and at.tb_next is None
        if own and "partially initialized" not in str(error):  # an import in a ring is no stale file
            raise GenerationError(
                f"{at and at.tb_frame.f_globals['__name__']}: generated from {self._origin}, which was renamed, moved or "
                f"changed: {error}: run `btmodel generate`, and import its repository as it is called now"
            ) from error


def refuse_stale(repository: type[Any], schema: ModelSchema) -> None:
    """Raise :class:`GenerationError` where ``repository`` was generated for another outline of its model.

    Each class is looked at once.
    """
    if repository._outline is None or "_fresh" in repository.__dict__:
        return
    if repository._outline != outline(schema):
        raise GenerationError(
            f"{repository.__module__}.{repository.__name__}: generated before {schema.module}.{schema.name} was "
            "changed, whose fields, codecs or queries it does not know: run `btmodel generate`"
        )
    repository._fresh = True


@contextmanager
def of_otherwise() -> Iterator[None]:
    """Say of a :class:`QueryRefused` raised inside that it is about the edit of ``otherwise=``."""
    try:
        yield
    except QueryRefused as error:
        raise QueryRefused(f"otherwise=: {error}") from None
