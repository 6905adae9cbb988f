"""Repositories of models that are known at run time only, for the commands and the studio."""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from btmodel.declare import Model, schema_of
from btmodel.errors import ValueRefused
from btmodel.repository import Edit, Repository, Rows
from btmodel.rows import Cell, Entry, Mutation, RowCodec
from btmodel.schema import Query

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database

T = TypeVar("T")
AnyRows = Rows[Any, Any, str]


class AnyRepository(Repository[Any, Any, AnyRows]):
    """Rows of a model that is known at run time only, so without generated methods."""

    @property
    def table(self) -> str:
        """The id of the table, with its parameters."""
        return self._schema.table

    def all(self) -> AnyRows:
        """Every row of the table."""
        return self.ask(Query("rows", (), scan="all rows are asked for"), {})

    def ask(self, query: Query, values: Mapping[str, Any]) -> AnyRows:
        """The rows of a query."""
        return self._query(query, values)

    def decoded(self, read: AnyRows, key: bytes, cells: list[Cell]) -> Model:
        """The row of these cells, which ``read`` gave. Raises :class:`UndecodableKey` and :class:`UndecodableCell`."""
        row: Model = self._reader.selected(read._selection).strict(key, cells)
        return row

    def of_key(self, key: bytes) -> Model | None:
        """The row of a key as it is stored; None where there is none. Raises :class:`UndecodableCell`."""
        row: Model | None = self._db.read_first(self._planner.row(key), self._reader.whole)
        return row

    @property
    def codec(self) -> RowCodec[Any]:
        """Takes the keys and the cells of the rows apart."""
        return self._codec

    def edit(self, key: bytes, cells: list[Cell]) -> Edit[Any]:
        """An edit of the row of these cells. Raises :class:`UndecodableKey`."""
        return Edit(self, self._edit(self._reader.key_of(key, cells)))

    def put_each(
        self,
        things: Iterable[T],
        row: Callable[[T], Model],
        refused: Callable[[T, Exception], Exception],
        progress: Callable[[int], object],
        *,
        replace: bool,
    ) -> int:
        """Write the row that ``row`` makes of each thing, as ``put_many`` does, and say with ``refused`` what is wrong with one."""
        made = self._replacement if replace else self._entries()

        def entry(thing: T) -> Entry | Mutation:
            one = row(thing)
            try:
                return made(one)
            except ValueRefused as error:
                raise refused(thing, error) from None

        return self._write_many(entry, things, progress)

    def narrowed(self, read: AnyRows, only: Sequence[str], expected: Mapping[str, Any]) -> AnyRows:
        """The same of some columns, and of rows whose columns have these values."""
        read = read._only(tuple(only)) if only else read
        return read._where(expected, ()) if expected else read


def repository(db: "Database", model: type[Model], parameters: Mapping[str, str]) -> AnyRepository:
    """The rows of a model."""
    made = type(
        f"{model.__name__}Repository",
        (AnyRepository,),
        {"model": model, "key": _key(model)},
    )
    found: AnyRepository = made(db, **parameters)
    return found


def _key(model: type[Model]) -> type[tuple[Any, ...]]:
    key = schema_of(model).key
    names = [*(part.name for part in key.asked), *key.hashed]
    return namedtuple(f"{model.__name__}Key", names, rename=True)
