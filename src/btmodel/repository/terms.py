"""Rows of models that are known at run time only: what people type to choose them, the reads of it, and rows as text."""

import json
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.declare import Model, schema_of, to_dict
from btmodel.declare.row_forms import typed
from btmodel.errors import QueryRefused, SettingsError, ValueRefused
from btmodel.repository import Edit, Repository, Rows
from btmodel.rows import Cell, Entry, Mutation, RowCodec
from btmodel.schema import ModelSchema, Query
from btmodel.words import meant

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database

T = TypeVar("T")
AnyRows = Rows[Any, Any, str]
_SPAN, _ANY = "..", "*"


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


def texts_of(row: Model, most: int | None = None) -> dict[str, str]:
    """The attributes of a row as short texts: a time is in UTC, without an offset; of an attribute of many the first entries, at ``most`` so many."""
    plain = to_dict(row)
    try:
        values = to_dict(row, json=True)
    except ValueRefused:  # an infinite number, which JSON does not have
        values = {name: str(value) for name, value in plain.items()}
    return {name: _cut(plain[name], value, most) for name, value in values.items()}


def _cut(plain: object, value: object, most: int | None) -> str:
    """The text of a value; of more entries than ``most``, which is for people, how many are left out."""
    left = len(value) - most if most is not None and isinstance(value, dict | list) else 0
    if left <= 0:
        return _text(plain, value)
    assert isinstance(value, dict | list)
    shown = dict(islice(value.items(), most)) if isinstance(value, dict) else value[:most]
    return f"{_text(plain, shown)} … {left:,} more"


def _text(plain: object, value: object) -> str:
    return time_text(plain) if isinstance(plain, datetime) else as_text(value)


def time_text(time: datetime) -> str:
    """A time in UTC, without an offset, as people read it."""
    fine = "auto" if time.microsecond % 1_000 or not time.microsecond else "milliseconds"
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(" ", fine)


def as_text(value: Any) -> str:
    """A value of JSON as people read and type it: text as it is, nothing for null, and JSON of anything else."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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


def pairs(texts: Iterable[str], example: str) -> Iterable[tuple[str, str]]:
    """Names and values that are joined by ``=``. Raises :class:`SettingsError` for a text without one."""
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SettingsError(f"expected NAME=VALUE, such as {example}, got {text!r}")
        yield name, value


@frozen
class Terms:
    """Values of key fields: given, at most one between two values, at most one by its beginning."""

    equal: dict[str, Any]
    between: dict[str, tuple[Any, Any]]
    starting: dict[str, Any]

    @classmethod
    def of(cls, model: type[Model], texts: Iterable[str]) -> "Terms":
        """The values that were typed.

        ``symbol=IBM`` is one value, and twice the same name are several; ``time=A..B`` is a range without its end,
        either of which may be left out; ``path=/a*`` is what a value begins with; ``symbol==A..B`` is taken as it is.
        """
        schema = schema_of(model)
        names = [*(part.name for part in schema.key.asked), *schema.key.hashed]
        found = cls({}, {}, {})
        for name, value in pairs(texts, _example(schema)):
            if name not in names:
                raise SettingsError(
                    f"{schema.name} has no key field {name!r}{meant(name, names, 'key fields')}"
                )
            found._add(model, name, value)
        if len(found.between) + len(found.starting) > 1:
            several = ", ".join([*found.between, *found.starting])
            raise SettingsError(f"{schema.name}: expected a range of one field, got ranges of {several}")
        return found

    def _add(self, model: type[Model], name: str, text: str) -> None:
        literal = text.startswith("=")
        ranged = not literal and (_SPAN in text or text.endswith(_ANY))
        if name in (self.values if ranged else {**self.between, **self.starting}):
            raise SettingsError(
                f"{model.__name__}.{name}: expected values or one range, got {name}={text} as well"
            )
        if not ranged:
            self._give(name, typed(model, name, text.removeprefix("=")))
        elif _SPAN in text:
            start, _, end = text.partition(_SPAN)
            self.between[name] = _end(model, name, start), _end(model, name, end)
        else:
            self.starting[name] = text[: -len(_ANY)]

    def _give(self, name: str, value: Any) -> None:
        given = self.equal.get(name)
        if name not in self.equal:
            self.equal[name] = value
        elif isinstance(given, list):
            given.append(value)
        else:
            self.equal[name] = [given, value]

    @property
    def values(self) -> dict[str, Any]:
        """All values by name, as a query takes them."""
        return {**self.equal, **self.between, **self.starting}

    def key(self, model: type[Model]) -> bytes:
        """The row key of these values. Raises :class:`QueryRefused` unless they are one value of each key field."""
        several = [name for name, value in self.equal.items() if isinstance(value, list)]
        for name in (*several, *self.between, *self.starting):
            raise QueryRefused(
                f"{model.__name__}.{name}: expected one value of each key field, got {'several' if name in several else 'a range'}: "
                "`btmodel rows` prints several rows"
            )
        return model.row_key(**self.equal)

    def read(self, rows: AnyRepository, query: str | None = None, *, newest: bool = False) -> AnyRows:
        """The read of these values: by a declared query, or by the one that the key serves; of all rows without any.

        Raises :class:`QueryRefused` where the key serves none.
        """
        schema = schema_of(rows.model)
        if query is not None:
            return rows.ask(_declared(schema, query), self.values)
        if not self.values and not newest:
            return rows.all()
        between = next(iter(self.between), None)
        if newest and between is None:
            between = _time(schema, self.equal)
        starting = next(iter(self.starting), None)
        return rows.ask(Query("rows", tuple(self.equal), between, starting, newest=newest), self.values)


def _end(model: type[Model], name: str, text: str) -> Any:
    """An end of a range; None, which is open, without a text."""
    return typed(model, name, text) if text else None


def _example(schema: ModelSchema) -> str:
    return f"{schema.key.asked[0].name}=..." if schema.key.asked else "NAME=..."


def _declared(schema: ModelSchema, name: str) -> Query:
    found = {query.name: query for query in schema.queries}
    if name not in found:
        raise SettingsError(f"{schema.name} has no query {name!r}{meant(name, found, 'queries')}")
    return found[name]


def _time(schema: ModelSchema, given: Mapping[str, Any]) -> str:
    """The time by which the newest rows are those."""
    for part in schema.key.asked:
        if part.codec.kind is Kind.TIME and part.name not in given:
            return part.name
    raise QueryRefused(
        f"{schema.name}: newest: expected a key with a time that is not given, by which rows are new or old"
    )
