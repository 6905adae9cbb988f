"""Declared queries as attributes of a model class."""

from collections.abc import Iterable
from datetime import timedelta
from functools import cached_property
from inspect import cleandoc
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Never, NoReturn, Union, get_args, get_origin

from attrs import evolve, frozen

from btmodel.declare.declarations import declares, here
from btmodel.declare.keywords import without_table
from btmodel.errors import DeclarationError, QueryRefused, ValueRefused
from btmodel.schema import SQL_TYPES, Location, ModelSchema, Query, SqlParameter, SqlQuery
from btmodel.schema.rate import parse_every
from btmodel.value import Value

if TYPE_CHECKING:
    from btmodel.rows import Planner, ReadPlan


@frozen(slots=False, eq=False, repr=False)
class ModelQuery(Value):
    """A declared query of a model: ``Quote.by_symbol``."""

    schema: ModelSchema
    query: Query

    def plan(self, /, *_: Never, **values: Any) -> "ReadPlan":
        """The read that the query becomes; the bounded field is given as a pair ``(start, end)``.

        Raises :class:`QueryRefused` for wrong fields, :class:`ValueRefused` for a value that does not fit.
        """
        if _:
            said = f"expected each field by its name, as {self._call}, got {len(_)} without"
            raise QueryRefused(f"{self.schema.name}.{self.query.name}: {said}")
        return self._planner.query(self.query, values)

    def explain(self, /, *_: Never, **values: Any) -> str:
        """The ranges of row keys and the filter that the query becomes, as text. No server is asked."""
        return f"{self.schema.name}.{self.query.name}\n{self.plan(*_, **values)}"

    if not TYPE_CHECKING:

        def __call__(self, *_: object, **values: object) -> NoReturn:
            """Say how it is planned, and who reads it."""
            name = self.query.name
            raise TypeError(
                f"{self.schema.name}.{name}: a query of a model is not called: {self._call} plans it, and "
                f"`{name}(...)` of a repository reads"
            )

    @property
    def _call(self) -> str:
        """How it is planned."""
        fields = [f"{name}=..." for name in (*self.query.equal, self.query.starting) if name]
        fields += [f"{name}=(start, end)" for name in (self.query.between,) if name]
        return f"`{self.schema.name}.{self.query.name}.plan({', '.join(fields)})`"

    def __repr__(self) -> str:
        asked = [*self.query.equal]
        asked += [f"{name} between two values" for name in (self.query.between,) if name]
        asked += [f"the beginning of {name}" for name in (self.query.starting,) if name]
        return f"<query {self.schema.name}.{self.query.name}: {', '.join(asked) or 'every row'}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelQuery, (self.schema, self.query)

    @cached_property
    def _planner(self) -> "Planner":
        # Loaded with the first read: a model that is only declared needs none of it.
        from btmodel.rows import Planner

        return Planner(self.schema)


@frozen(eq=False, repr=False)
class DeclaredQuery(Value):
    """A query as it stands in the body of a model; read from the class it is a :class:`ModelQuery`."""

    query: Query

    def named(self, name: str) -> Query:
        """The schema's record of the query, under the name of its attribute."""
        return evolve(self.query, name=name)

    def __get__(self, instance: object, owner: type) -> ModelQuery:
        # A model replaces this by its own ModelQuery; a mixin has no key that could serve the query.
        raise AttributeError(f"{without_table(owner.__name__)}; its queries cannot be used")


@frozen(eq=False, repr=False)
class ModelSql(Value):
    """A declared query in SQL of a model: ``Sale.turnover``. A repository runs it."""

    schema: ModelSchema
    query: SqlQuery

    @property
    def text(self) -> str:
        """What is sent."""
        return self.query.text

    @property
    def types(self) -> dict[str, Any]:
        """The types of the parameters, as ``sql`` of a connection takes them."""
        return {
            parameter.name: bytes if parameter.attribute else parameter.type
            for parameter in self.query.parameters
        }

    def parameters(self, /, **values: Any) -> dict[str, Any]:
        """The parameters of a run: those that are values of an attribute in the bytes of its codec.

        Raises :class:`QueryRefused` for names that the query lacks, :class:`ValueRefused` for a value that does not fit.
        """
        names = [parameter.name for parameter in self.query.parameters]
        if set(values) != set(names):
            raise QueryRefused(
                f"{self.schema.name}.{self.query.name}: expected {', '.join(names) or 'no parameters'}, got {', '.join(values) or 'none'}"
            )
        return {
            parameter.name: self._sent(parameter, values[parameter.name])
            for parameter in self.query.parameters
        }

    def _sent(self, parameter: SqlParameter, value: Any) -> Any:
        if parameter.attribute is None or (value is None and parameter.optional):
            return value
        try:
            return self.schema.stored(parameter.attribute).codec.encode(value)
        except ValueRefused as error:
            raise error.at(f"{self.schema.name}.{self.query.name}: {parameter.name}") from None

    def __repr__(self) -> str:
        return f"<SQL {self.schema.name}.{self.query.name}({', '.join(parameter.name for parameter in self.query.parameters)})>"

    def __reduce__(self) -> tuple[Any, ...]:
        return ModelSql, (self.schema, self.query)


@frozen(eq=False, repr=False)
class DeclaredSql(Value):
    """A query in SQL as it stands in the body of a model; read from the class it is a :class:`ModelSql`."""

    query: SqlQuery

    def named(self, name: str) -> SqlQuery:
        """The schema's record of the query, under the name of its attribute."""
        return evolve(self.query, name=name)

    def __get__(self, instance: object, owner: type) -> ModelSql:
        raise AttributeError(f"{without_table(owner.__name__)}; its queries cannot be used")


@declares
def sql_query(text: str, /, **parameters: Any) -> DeclaredSql:
    """A query in GoogleSQL that the application asks: its text, and the type of each parameter, which follows an ``@`` in it.

    A type is bytes, str, int, float, bool, datetime or date, a list of one of them (``list[str]``), or one of them or None (``int | None``). The name
    of an attribute in its place, ``article="article"``, takes values of that attribute, and SQL gets them in the bytes that its codec stores.

    ``btmodel generate`` analyses the query with Google's own front end, which ``btmodel[sql]`` brings: unknown columns and wrong types are
    errors there, and the repository gets a method of this name whose rows have the columns of the query.
    """
    location = here()
    if not isinstance(text, str) or not text.strip():
        raise DeclarationError(f"{location}: sql_query: expected a query, got {text!r}")
    found = tuple(_sql_parameter(location, name, given) for name, given in parameters.items())
    return DeclaredSql(SqlQuery("", cleandoc(text), found, location))


def _sql_parameter(location: Location, name: str, given: Any) -> SqlParameter:
    if isinstance(given, str):
        return SqlParameter(name, None, given)
    parts = get_args(given) if isinstance(given, UnionType) or get_origin(given) is Union else (given,)
    plain = [part for part in parts if part is not NoneType]
    elements = [get_args(one)[0] if get_origin(one) is list else one for one in plain]
    if len(elements) != 1 or elements[0] not in SQL_TYPES:
        raise DeclarationError(
            f"{location}: sql_query: {name}: expected bytes, str, int, float, bool, datetime or date, a list of one of them, one of them or "
            f"None, or the name of an attribute, got {given!r}"
        )
    return SqlParameter(name, plain[0], optional=len(parts) > len(plain))


def _refuse_wrong_names(
    location: Location, equal: Iterable[object], between: object, starting: object
) -> None:
    if isinstance(between, tuple | list):
        raise DeclarationError(
            f"{location}: query: between: expected one field, got {between!r}: rows are in the order of one key, so no read "
            "serves two ranges at once: put both into one field, as a geohash, and ask for its prefixes with starting=, or "
            "as the cell of a grid, and give that; or bound one field, and name the other in where="
        )
    for name in (*equal, *(one for one in (between, starting) if one is not None)):
        if not isinstance(name, str):
            raise DeclarationError(
                f'{location}: query: expected names of key fields, as "symbol", got {name!r}'
            )


@declares
def query(
    *equal: str,
    between: str | None = None,
    starting: str | None = None,
    scan: str | None = None,
    only: Iterable[str] = (),
    newest: bool = False,
    where: Iterable[str] = (),
    span: str | None = None,
    together: Iterable[str] = (),
) -> DeclaredQuery:
    """A query that the application asks: these key fields given, and ``between`` from a start to an end.

    ``starting``, in its place, names a field whose values begin with a given part: ids
    that begin with ``4c``, ``google.com`` and the domains below it.

    The model is refused unless its key serves the query as one row, one prefix or one
    range. Where the whole table is meant, ``scan`` says why.

    ``only`` names the columns that it reads, in place of whole rows. With ``newest`` the rows come
    newest first: from the end, where the time in the key is not reversed.

    The others are for the review, which takes the first query of a model for the most
    important one. ``where`` names what the reader picks rows by as they come, ``span`` is the usual
    time between the ends of ``between`` (``"1day"``), and ``together`` names the
    models whose rows are read along with these.
    """
    location = here()
    if between is not None and starting is not None:
        raise DeclarationError(f"{location}: query: expected between= or starting=, got both")
    _refuse_wrong_names(location, equal, between, starting)
    if len(set(equal)) < len(equal):
        raise DeclarationError(f"{location}: query: expected each field once, got {', '.join(equal)}")
    if scan is not None and (not isinstance(scan, str) or not scan.strip()):
        raise DeclarationError(f"{location}: query: scan: expected the reason in words, got {scan!r}")
    if scan is not None and (equal or between or starting):
        raise DeclarationError(f"{location}: query: scan= reads every row, so it takes no fields")
    if span is not None and between is None:
        raise DeclarationError(f"{location}: query: span= is the time between the ends of between=")
    return DeclaredQuery(
        Query(
            "",
            equal,
            between,
            starting,
            scan,
            only=_names(location, "only", only),
            newest=bool(newest),
            where=_names(location, "where", where),
            span=None if span is None else _span(location, span),
            together=_names(location, "together", together),
            location=location,
        )
    )


def _names(location: Location, what: str, names: Iterable[str]) -> tuple[str, ...]:
    found = () if isinstance(names, str) or not isinstance(names, Iterable) else tuple(names)
    if names != () and (not found or not all(isinstance(name, str) for name in found)):
        raise DeclarationError(f'{location}: query: {what}: expected names, as ("bid", "ask"), got {names!r}')
    return found


def _span(location: Location, text: str) -> timedelta:
    try:
        return parse_every(text, "span")
    except DeclarationError as error:
        raise DeclarationError(f"{location}: query: {error}") from None
