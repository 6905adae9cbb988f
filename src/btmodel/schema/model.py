"""The schema of one model."""

from collections.abc import Mapping
from functools import cached_property

from attrs import field, frozen

from btmodel.schema.bucket import Bucket
from btmodel.schema.column import Column
from btmodel.schema.family import Family
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.location import Location
from btmodel.schema.query import Query
from btmodel.schema.rate import Rate


@frozen(slots=False)
class ModelSchema:
    """Everything that a model class declares, as plain values.

    ``allow`` maps the id of a rule to the reason why the model may break it.
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
    allow: Mapping[str, str] = field(factory=dict)
    location: Location | None = field(default=None, eq=False, repr=False)

    @cached_property
    def bucket_field(self) -> KeyField | None:
        """The key field that names the bucket: the time of the bucket's own granularity."""
        if self.bucket is None:
            return None
        named = (part for part in self.key.fields if part.codec.granularity == self.bucket.value)
        return next(named, None)

    @property
    def histories(self) -> tuple[Column, ...]:
        """The columns whose cell versions are events."""
        return tuple(column for column in self.columns if column.history)

    @property
    def holds_events(self) -> bool:
        """Whether events can be asked for over buckets: the bucket ends what a key asks for, and sorts as time does."""
        field = self.bucket_field
        return field is not None and field == self.key.asked[-1] and field.codec.ordered

    def family(self, id: str) -> Family | None:
        """The family called ``id``, or None."""
        return next((family for family in self.families if family.id == id), None)

    def query(self, name: str) -> Query:
        """The declared query called ``name``."""
        return next(query for query in self.queries if query.name == name)
