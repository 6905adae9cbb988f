"""The schema of one model."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cached_property, partial, wraps
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from attrs import asdict, evolve, field, frozen

from btmodel.errors import QueryRefused, ValueRefused
from btmodel.schema.bucket import TimeBucket
from btmodel.schema.column import Column, Family
from btmodel.schema.gc import oldest
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.limits import FAMILY_ID, FAMILY_ID_MEANING, TABLE_ID, TABLE_ID_MEANING
from btmodel.schema.names import AUTHORIZED, Location, filled, placeholders
from btmodel.schema.rate import Rate, every_text
from btmodel.value import Value
from btmodel.words import place_text

if TYPE_CHECKING:
    from btmodel.schema.view import AuthorizedView, TableView, ViewKind

# A change stream, backups or tiered storage of this length are none at all.
OFF = timedelta(0)


@frozen(eq=False, repr=False)
class TableSettings(Value):
    """The settings of a table that the Admin API changes in place (google.bigtable.admin.v2.Table).

    None means that nothing is stated, so that whatever is live stays; a live table states all of them.
    ``change_stream`` is how long changes can be read (1 to 7 days), ``automated_backups`` how long each
    daily backup is kept (3 to 90 days), ``tiered_storage`` the age from which cells move to infrequent
    access (30 days or more); zero, ``OFF``, means that there is none. ``row_key_schema`` is the key in
    Bigtable's own encodings as the JSON text that :func:`btmodel.schema.key_schema.row_key_schema`
    describes, with sorted keys; empty where there is none.
    """

    deletion_protection: bool | None = None
    change_stream: timedelta | None = None
    automated_backups: timedelta | None = None
    tiered_storage: timedelta | None = None
    row_key_schema: str | None = None

    def over(self, live: "TableSettings") -> "TableSettings":
        """What a table that has ``live`` has once these are set: what is not stated stays."""
        stated = {name: value for name, value in asdict(self).items() if value is not None}
        return evolve(live, **stated)


# What most models state.
UNSTATED = TableSettings()


@frozen(eq=False, repr=False)
class Query(Value):
    """What the application asks of a table: these fields given, this one between two values.

    In the place of ``between``, ``starting`` is a field whose values begin with a given part.
    ``scan`` holds the reason where reading the whole table is meant; without one, a
    query must be served by a key, a prefix or a range.

    ``only`` are the columns that it reads, or none for whole rows; ``newest`` is whether it reads the
    newest row first. The rest is for the review: ``where`` are the attributes by which the
    reader picks among the rows that come, ``span`` is the usual time between the ends of
    ``between``, ``together`` are the names of other models whose rows are read with these.
    """

    name: str
    equal: tuple[str, ...]
    between: str | None = None
    starting: str | None = None
    scan: str | None = None
    only: tuple[str, ...] = ()
    newest: bool = False
    where: tuple[str, ...] = ()
    span: timedelta | None = None
    together: tuple[str, ...] = ()
    location: Location | None = field(default=None, eq=False, repr=False)


#: The types of parameters, and what SQL calls them.
SQL_TYPES = {
    bytes: "BYTES", str: "STRING", int: "INT64", float: "FLOAT64", bool: "BOOL", datetime: "TIMESTAMP", date: "DATE",
}  # fmt: skip


class SqlParameter(NamedTuple):
    """A parameter of a query in SQL: of a Python type, or with the values of an attribute, which SQL gets in the bytes of its codec."""

    name: str
    type: Any  #: such as ``int`` or ``list[str]``
    attribute: str | None = None
    optional: bool = False  #: whether it may be None


@frozen(eq=False, repr=False)
class SqlQuery(Value):
    """A query in SQL, declared by a model: its text, and its parameters in their order."""

    name: str
    text: str
    parameters: tuple[SqlParameter, ...]
    location: Location | None = field(default=None, eq=False, repr=False)


@frozen(eq=False, repr=False)
class Stamp(Value):
    """The timestamp of plain cells: that of an attribute, a fixed one, or the time of writing.

    ``attribute`` names a time of the row. Where it is no key field it lives in the
    timestamps alone (``stored`` is true), and is read from them; where it is None, the
    time of writing is taken, unless it is ``required``. ``fixed`` counts microseconds since 1970.
    With ``expires`` it is the end of a row's life: what has come to it is not read any more. With ``round`` a time
    is taken for the millisecond that it lies in, instead of refused.
    """

    attribute: str | None = None
    stored: bool = False
    required: bool = False
    fixed: int | None = None
    expires: bool = False
    round: bool = False

    @property
    def repeated(self) -> bool:
        """Whether all writes of a row have the same timestamp, so that each replaces the cell of the one before."""
        return self.fixed is not None or (self.attribute is not None and not self.stored)


# The time of writing.
WRITTEN = Stamp()


class Clock(Enum):
    """What the timestamps of cells mean, in words."""

    WRITING = "the time of writing"
    EVENT = "the time of the event"
    SPAN = "the start of the span"
    END = "the end of life"
    FIXED = "always the same"


# What is deleted so soon behind a time that the application gives was to end then.
SHORT = timedelta(minutes=1)


@frozen(slots=False, eq=False, repr=False)
class ModelSchema(Value):
    """Everything that a model class declares, as plain values.

    ``nodes`` is the number of nodes that serve the table, where the model says it. ``atomic``
    are the key fields that identify an entity, all of which must change at once.
    ``stamp`` says which timestamp plain cells get, ``lateness`` how long after its time an event may be written. ``allow`` maps the id of a rule to
    the reason why the model may break it. ``settings`` are those of its table, as far as this model
    states them. Its row key schema is not among them, because it depends on all models of the table: ``row_key_schema``
    is whether there is to be one. ``renamed_from`` is the id of the table whose rows that table takes over,
    ``moved_from`` that of one whose rows get other keys there, ``moved_to`` that of one where its own rows get other keys.
    ``owned`` is whether its rows are those of an owned twin, which are deleted with the rows that they are made of.
    ``twins`` is how it is declared as an owned twin, where it is one and is not owned: the declaration in Python, as it has to be.
    ``existing`` is whether rows of this model are stored already, so that another design means writing them again.
    ``authorized`` are the authorized views of its table that this model declares, ``schema_bundle`` is the id of the bundle that holds the
    schemas of its Protobuf messages. ``shown`` are the columns that are read, None for all of them: an authorized view may show some. ``view`` is None for a model of a table; else its rows are those of a view that the service keeps, and ``table`` is the view
    as requests name it, ``materializedViews/ID``.
    """

    name: str
    module: str
    doc: str
    table: str
    key: RowKey
    families: tuple[Family, ...]
    columns: tuple[Column, ...]
    queries: tuple[Query, ...] = ()
    sql_queries: tuple[SqlQuery, ...] = ()
    events: Rate | None = None
    bucket: TimeBucket | None = None
    nodes: int | None = None
    atomic: tuple[str, ...] = ()
    stamp: Stamp = WRITTEN
    allow: Mapping[str, str] = field(factory=dict)
    lateness: timedelta | None = None
    settings: TableSettings = UNSTATED
    row_key_schema: bool | None = None
    renamed_from: str | None = None
    moved_from: str | None = None
    moved_to: str | None = None
    existing: bool = False
    owned: bool = field(default=False, eq=False, repr=False)
    twins: str | None = field(default=None, eq=False, repr=False)
    shown: frozenset[str] | None = None
    authorized: "tuple[AuthorizedView, ...]" = ()
    schema_bundle: str | None = None
    view: "View | None" = None
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def undeclared(self) -> bool:
        """Whether it is a table as an instance has it, which knows of no key, instead of a declared model."""
        return not self.key.fields

    @property
    def place(self) -> str:
        """Where its rows are, in words: ``table QUOTE``, ``view QUOTE_BY_SIZE``."""
        return place_text(self.table)

    def through(self, view: str) -> "ModelSchema":
        """The schema of the same rows as an authorized view of the table shows them. Raises :class:`QueryRefused` for one that is not declared."""
        found = next((other for other in self.authorized if other.id == view), None)
        if found is None:
            known = ", ".join(one.id for one in self.authorized) or "none"
            raise QueryRefused(
                f"{self.name}: through: expected an authorized view of the model ({known}), got {view!r}"
            )
        shown = {column.name for column in self.columns if all(map(partial(_shows, found), column.places))}
        return evolve(
            self,
            table=f"{self.table}{AUTHORIZED}{view}",
            shown=None if len(shown) == len(self.columns) else frozenset(shown),
            authorized=(),
        )

    @cached_property
    def bucket_field(self) -> KeyField | None:
        """The key field that names the bucket: the time of the bucket's own granularity."""
        if self.bucket is None:
            return None
        named = (part for part in self.key.fields if part.codec.granularity == self.bucket.granularity)
        return next(named, None)

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The names of what a row has: key fields, columns, and the time that lies in its timestamps."""
        stamp = self.stamp.attribute if self.stamp.stored else None
        names = (*(part.name for part in self.key.asked), *(column.name for column in self.columns))
        return (*names, stamp) if stamp else names

    @cached_property
    def required_attributes(self) -> tuple[str, ...]:
        """Those of :attr:`attributes` that no row is made without."""
        optional = {part.name for part in self.key.asked if part.optional}
        optional |= {
            column.name
            for column in self.columns
            if column.shape.summed or (column.shape.single and not column.required)
        }
        if not self.stamp.required and self.stamp.attribute:
            optional.add(self.stamp.attribute)
        return tuple(name for name in self.attributes if name not in optional)

    @property
    def seen(self) -> tuple[Column, ...]:
        """The columns that are read."""
        shown = self.shown
        return (
            self.columns
            if shown is None
            else tuple(column for column in self.columns if column.name in shown)
        )

    @property
    def series(self) -> tuple[Column, ...]:
        """The columns that hold events."""
        return tuple(column for column in self.columns if column.eventful and not column.shape.summed)

    @property
    def holds_events(self) -> bool:
        """Whether events can be asked for over buckets: the bucket is the last field that a key asks for."""
        field = self.bucket_field
        return field is not None and field == self.key.asked[-1]

    @cached_property
    def single_cells(self) -> frozenset[tuple[str, bytes]]:
        """Family and qualifier of each mirror, and of each column that is one: no entry of a column that is many."""
        mirrors = {(one.family, one.qualifier) for part in self.key.fields if (one := part.mirror)}
        columns = (place for column in self.columns if not column.open for place in column.places)
        return frozenset(mirrors | {(column.family, column.qualifier) for column in columns})

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the table's id, those of its families and their GC rules leave open, by name: ``day`` in ``SENSOR_{day}``."""
        of_ids = (name for id in self._ids for name in placeholders(id))
        of_rules = (name for family in self.families if family.gc for name in family.gc.parameters)
        return tuple(dict.fromkeys((*of_ids, *of_rules)))

    @property
    def _ids(self) -> Iterator[str]:
        yield self.table
        yield from (family.id for family in self.families)

    def bound(self, values: Mapping[str, str]) -> "ModelSchema":
        """The schema with its parameters filled in. Raises :class:`QueryRefused` and :class:`ValueRefused`."""
        if values.keys() != set(self.parameters):
            wanted = ", ".join(self.parameters) or "none"
            raise QueryRefused(
                f"{self.name}: expected the parameters {wanted}, got {', '.join(values) or 'none'}"
            )
        if not values:
            return self
        ids = {id: filled(id, values) for id in self._ids}
        if not TABLE_ID.fullmatch(ids[self.table]):
            raise ValueRefused(f"a table id: {TABLE_ID_MEANING}", ids[self.table], where=self.name)
        for family in self.families:
            if not FAMILY_ID.fullmatch(ids[family.id]):
                raise ValueRefused(f"a family id: {FAMILY_ID_MEANING}", ids[family.id], where=self.name)
        bound = [ids[family.id] for family in self.families]
        if len(set(bound)) < len(bound):
            raise ValueRefused("families of different ids", ", ".join(bound), where=self.name)
        mirrored = [
            evolve(part, mirror=evolve(part.mirror, family=ids[part.mirror.family])) if part.mirror else part
            for part in self.key.fields
        ]
        made = evolve(
            self,
            table=ids[self.table],
            key=evolve(self.key, fields=tuple(mirrored)),
            families=tuple(
                evolve(family, id=ids[family.id], gc=family.gc and family.gc.bound(values))
                for family in self.families
            ),
            columns=tuple(evolve(column, family=ids[column.family]) for column in self.columns),
        )
        for column in made.columns:
            reason = ends_early(made, column)
            if reason:
                raise QueryRefused(f"{self.name}.{column.name}: {reason}")
        return made

    def family(self, id: str) -> Family | None:
        """The family called ``id``, or None."""
        return next((family for family in self.families if family.id == id), None)

    def clock(self, column: Column | None = None) -> Clock:
        """What the timestamps of the cells of ``column`` mean; without one, those of mirrors."""
        if column is not None and column.shape.summed:
            return Clock.SPAN if column.spans else Clock.FIXED
        if column is None or column.stamped or column.shape.slotted:
            if self.stamp.fixed is not None:
                return Clock.FIXED
            if self.stamp.attribute is None:
                return Clock.WRITING
            if self.stamp.expires:
                return Clock.END
            given = self.stamp.stored
        else:
            given = not column.versioned
        # A time that is given for each cell, and behind which the service deletes it at once, is its end.
        family = self.family(column.family) if column is not None else None
        age = oldest(family.gc) if family else None
        return Clock.END if given and age is not None and age < SHORT else Clock.EVENT

    @property
    def sql_attributes(self) -> list[str]:
        """The attributes whose values a query in SQL may be given: key fields, and columns of one value."""
        found = [part.name for part in self.key.asked]
        return found + [column.name for column in self.columns if column.shape.plain]

    def stored(self, name: str) -> KeyField | Column:
        """The key field or the column of an attribute."""
        fields: list[KeyField | Column] = [*self.key.asked, *self.columns]
        return next(part for part in fields if part.name == name)

    def query(self, name: str) -> Query:
        """The declared query called ``name``."""
        return next(query for query in self.queries if query.name == name)


def _shows(view: "AuthorizedView", column: Column) -> bool:
    return view.shows(column.family, column.qualifier, open=column.open)


def ends_early(schema: ModelSchema, column: Column) -> str | None:
    """What is to be said where the rule of the family deletes the spans of a counter before they end; None where it does not."""
    family = schema.family(column.family)
    age = oldest(family.gc) if family else None
    if family is None or column.spans is None or age is None or age > column.spans.every:
        return None
    every = every_text(column.spans.every)
    return (
        f"the age of a count is that of the start of its span, {every} before the end, so the rule of its family "
        f"{family.id!r} ({family.gc}) deletes it before: keep counts for longer than {every}"
    )


T = TypeVar("T")


def remembered(compute: Callable[[ModelSchema], T]) -> Callable[[ModelSchema], T]:
    """The function ``compute``, whose value a schema keeps, as it keeps that of a cached property.

    A schema never changes, so neither does the value; copies compute their own.
    """
    name = f"{compute.__module__}.{compute.__qualname__}"

    @wraps(compute)
    def look_up(model: ModelSchema) -> T:
        known = vars(model)
        if name not in known:
            known[name] = compute(model)
        found: T = known[name]
        return found

    return look_up


@frozen(eq=False, repr=False)
class View(Value):
    """What makes a model one of a view: its kind, the model and the table that it is of, and its definition in the service.

    ``fields`` are the attributes of the view's model that are copies of those of the other model, as pairs of names;
    ``of`` is that model's name, ``of_module`` its module, ``of_table`` its table. ``where`` is the condition in words, empty without one.
    ``source`` is that model, and ``sums`` are the columns of a rollup, each with the attribute that is summed up; None where rows are counted.
    ``functions`` are these columns, each with what makes it of the rows of a group, such as ``sum`` or ``count``.
    """

    kind: "ViewKind"
    of: str
    of_module: str
    of_table: str
    definition: "TableView"
    fields: tuple[tuple[str, str], ...]
    where: str = ""
    location: Location | None = field(default=None, eq=False, repr=False)
    source: "ModelSchema | None" = field(default=None, eq=False, repr=False)
    sums: tuple[tuple[str, str | None], ...] = field(default=(), eq=False, repr=False)
    functions: tuple[tuple[str, str], ...] = field(default=(), eq=False, repr=False)


@frozen(eq=False, repr=False)
class TwinSchema(Value):
    """A model that is written with another one.

    ``function`` is the name of what makes its row, and may make none or several; None where the row takes the
    attributes of its names.
    """

    model: ModelSchema
    function: str | None = None


def _named(function: str) -> str:
    """A function as source text names it; one without a name stays as it is there."""
    return function if function.isidentifier() else "..."


@frozen(eq=False, repr=False)
class TwinsSchema(Value):
    """A model and its twins, as ``bt.twins`` declares them, as plain values.

    ``name`` and ``module`` are those of the variable that holds them. ``source_last`` is whether the model is written after
    its twins, ``owned`` whether it is declared that no two of its rows have the same twin. ``moving`` is whether its rows move to the twin.
    """

    name: str
    module: str
    source: ModelSchema
    others: tuple[TwinSchema, ...]
    source_last: bool = False
    owned: bool = False
    moving: bool = False
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def models(self) -> tuple[ModelSchema, ...]:
        """The models in the order in which they are written."""
        others = tuple(twin.model for twin in self.others)
        return (*others, self.source) if self.source_last else (self.source, *others)

    @property
    def half_moved(self) -> tuple[ModelSchema, ...]:
        """The models whose rows move from another table that these twins do not write: readers of that table would miss what they write."""
        written = {model.table for model in self.models}
        return tuple(model for model in self.models if model.moved_from and model.moved_from not in written)

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the ids of their tables and families leave open, by name."""
        return tuple(dict.fromkeys(name for model in self.models for name in model.parameters))

    @property
    def declaration(self) -> str:
        """The declaration of the twins as owned ones, in Python."""
        others = (
            twin.model.name if twin.function is None else f"({twin.model.name}, {_named(twin.function)})"
            for twin in self.others
        )
        last = ", source_last=True" if self.source_last else ""
        return f"bt.twins({self.source.name}, {', '.join(others)}{last}, owned=True)"

    @property
    def one_to_one(self) -> bool:
        """Whether no two rows of the source can have the same row as their twin.

        Known where a row of a twin has all that the key of the source is made of in its own key. What a
        function makes of a row is not known, unless it is declared.
        """
        if self.owned:
            return True
        key = self.source.key
        wanted = {*(part.name for part in key.asked), *key.hashed}
        return all(
            twin.function is None and wanted <= {part.name for part in twin.model.key.asked}
            for twin in self.others
        )
