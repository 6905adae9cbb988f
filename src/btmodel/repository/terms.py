"""What people type to choose rows, as ``FIELD=VALUE``: the key or the read that it means."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from btmodel.codecs.key import Kind
from btmodel.declare import Model, schema_of
from btmodel.declare.row_forms import typed
from btmodel.errors import QueryRefused, SettingsError
from btmodel.repository.any_repository import AnyRepository, AnyRows
from btmodel.schema import ModelSchema, Query
from btmodel.words import meant

_SPAN, _ANY = "..", "*"


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
