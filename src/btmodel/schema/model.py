"""The schema of one model."""

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import evolve, field, frozen

from btmodel.errors import QueryRefused, ValueRefused
from btmodel.schema.bucket import Bucket
from btmodel.schema.column import Column
from btmodel.schema.family import Family
from btmodel.schema.figures import FAMILY_ID, FAMILY_ID_MEANING, TABLE_ID, TABLE_ID_MEANING
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.location import Location
from btmodel.schema.parameters import filled, placeholders
from btmodel.schema.query import Query
from btmodel.schema.rate import Rate
from btmodel.schema.settings import UNSTATED, TableSettings
from btmodel.schema.stamp import WRITTEN, Stamp


@frozen(slots=False)
class ModelSchema:
    """Everything that a model class declares, as plain values.

    ``nodes`` is the number of nodes that serve the table, where the model says it. ``atomic``
    are the key fields that identify an entity, all of which must change at once.
    ``stamp`` says which timestamp plain cells get. ``allow`` maps the id of a rule to
    the reason why the model may break it. ``settings`` are those of its table, as far as this model
    states them. Its row key schema is not among them, because it depends on all models of the table: ``row_key_schema``
    is whether there is to be one. ``renamed_from`` is the id of the table whose rows that table takes over.
    """

    name: str
    module: str
    doc: str
    table: str
    key: RowKey
    families: tuple[Family, ...]
    columns: tuple[Column, ...]
    queries: tuple[Query, ...] = ()
    events: Rate | None = None
    bucket: Bucket | None = None
    nodes: int | None = None
    atomic: tuple[str, ...] = ()
    stamp: Stamp = WRITTEN
    allow: Mapping[str, str] = field(factory=dict)
    settings: TableSettings = UNSTATED
    row_key_schema: bool | None = None
    renamed_from: str | None = None
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def live(self) -> bool:
        """Whether it is a table as an instance has it, which knows of no key, instead of a declared model."""
        return not self.key.fields

    @cached_property
    def bucket_field(self) -> KeyField | None:
        """The key field that names the bucket: the time of the bucket's own granularity."""
        if self.bucket is None:
            return None
        named = (part for part in self.key.fields if part.codec.granularity == self.bucket.value)
        return next(named, None)

    @property
    def series(self) -> tuple[Column, ...]:
        """The columns that hold events."""
        return tuple(column for column in self.columns if column.eventful)

    @property
    def holds_events(self) -> bool:
        """Whether events can be asked for over buckets: the bucket is the last field that a key asks for."""
        field = self.bucket_field
        return field is not None and field == self.key.asked[-1]

    @cached_property
    def single_cells(self) -> frozenset[tuple[str, bytes]]:
        """Family and qualifier of each mirror, and of each column that is one: no entry of a column that is many."""
        mirrors = {(one.family, one.qualifier) for part in self.key.fields if (one := part.mirror)}
        return frozenset(mirrors | {(one.family, one.qualifier) for one in self.columns if not one.open})

    @property
    def parameters(self) -> tuple[str, ...]:
        """What the table's id and those of its families leave open, by name: ``day`` in ``SENSOR_{day}``."""
        return tuple(dict.fromkeys(name for id in self._ids for name in placeholders(id)))

    @property
    def _ids(self) -> Iterator[str]:
        yield self.table
        yield from (family.id for family in self.families)

    def bound(self, values: Mapping[str, str]) -> "ModelSchema":
        """The schema with its parameters filled in. Raises :class:`QueryRefused` and :class:`ValueRefused`."""
        if values.keys() != set(self.parameters):
            wanted = ", ".join(self.parameters) or "none"
            raise QueryRefused(
                f"{self.name}: wanted the parameters {wanted}, got {', '.join(values) or 'none'}"
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
        return evolve(
            self,
            table=ids[self.table],
            key=evolve(self.key, fields=tuple(mirrored)),
            families=tuple(evolve(family, id=ids[family.id]) for family in self.families),
            columns=tuple(evolve(column, family=ids[column.family]) for column in self.columns),
        )

    def family(self, id: str) -> Family | None:
        """The family called ``id``, or None."""
        return next((family for family in self.families if family.id == id), None)

    def query(self, name: str) -> Query:
        """The declared query called ``name``."""
        return next(query for query in self.queries if query.name == name)
