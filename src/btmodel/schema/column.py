"""Column families, columns and their shapes."""

from collections.abc import Sequence
from datetime import timedelta
from enum import Enum
from typing import Any

from attrs import evolve, field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError
from btmodel.schema.bucket import SlotFormat, Spans
from btmodel.schema.gc import GcRule
from btmodel.schema.names import Location
from btmodel.schema.rate import Rate
from btmodel.value import Value


class Aggregate(Enum):
    """How the cells of an aggregate family take what is added to them: signed 64-bit integers."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"


@frozen(eq=False, repr=False)
class OtherAggregate(Value):
    """How a live family aggregates, where that is none of ours.

    Never declared: it stands for what the service calls ``value``, and is equal to no
    :class:`Aggregate`.
    """

    value: str


@frozen(eq=False, repr=False)
class Family(Value):
    """A column family: its id in the table, its garbage-collection rule, and how it aggregates.

    ``gc`` is None where no rule was stated, which the rule FAM004 refuses.
    ``aggregate`` is None for a family of plain cells; it is fixed when the family is made.
    ``value_type`` is never declared: it is the type of a live family's values that no declaration states, as
    the JSON text of a ``google.bigtable.admin.v2.Type`` with sorted keys; such a family is never equal to a declared one.
    ``renamed_from`` is the id of the family of the same table whose cells it takes over.
    """

    id: str
    gc: GcRule | None
    aggregate: Aggregate | None = None
    renamed_from: str | None = field(default=None, eq=False)
    location: Location | None = field(default=None, eq=False, repr=False)
    value_type: str | None = field(default=None, kw_only=True)


def refuse_families(table: str, families: Sequence[Family]) -> None:
    """Refuse renamings of ``families``, all those of a table, that cannot have been."""
    ids = {family.id for family in families}
    taken: dict[str, str] = {}
    for family in families:
        old = family.renamed_from
        if old is None:
            continue
        what = f"table {table!r}, family {family.id!r}: renamed_from"
        if old in ids:
            raise DeclarationError(f"{what}: {old!r} is also declared, so it was not renamed")
        if old in taken:
            raise DeclarationError(f"{what}: {taken[old]!r} takes over {old!r} already")
        taken[old] = family.id


@frozen(eq=False, repr=False)
class Expected(Value):
    """The declared figures of a column; None is what the model does not say.

    ``size`` and ``max_size`` are the bytes of a typical value and of the largest one,
    ``cardinality`` the number of distinct values in the table. ``every`` is the time between two events
    of one row, ``entries`` the most entries or members that one row has. ``keep`` is what the
    column wants to be kept, where that may differ from its family's rule. ``increments`` is the rate at which the
    cell of one row is added to.
    """

    size: int | None = None
    max_size: int | None = None
    cardinality: int | None = None
    every: timedelta | None = None
    entries: int | None = None
    keep: GcRule | None = None
    increments: Rate | None = None


class Shape(Enum):
    """How an attribute lies in cells."""

    VALUE = "the newest value of one column", ""
    HISTORY = "the versions of one column: a time and a value each", "versions"
    SLOTS = "a column for each slot of the row's bucket", "slots"
    MARKS = "events: the qualifier is the value, the timestamp the time", "names versions empty"
    MAPPING = "a column for each entry: the qualifier is its key", "names"
    HISTORIES = "a column for each entry, with its versions: the qualifier is its key", "names versions"
    TIMED = "a column for each entry: the qualifier is its key, the timestamp its time", "names time"
    MEMBERS = "an empty cell for each member: the qualifier is its value", "names empty"
    COUNTER = "a number that is added to", "sum"
    COUNTERS = "a number for each entry, which is added to: the qualifier is its key", "names sum"
    COUNTS = "a number for each span of time, which is added to: the timestamp is its start", "sum versions"

    def __init__(self, lies: str, facts: str) -> None:
        """Whatever asks which shape a column has asks for one of these, each said here once.

        ``versioned``: every version of a cell is meant, not the newest alone. ``slotted``, ``named``: there is a column for
        each slot, or for each name that a key codec writes. ``empty``: the qualifier is the value. ``timed``: entries have
        times of their own. ``summed``: it is never
        given, but added to; where it is also ``versioned``, for each of the ``spans`` of time.
        """
        self.lies = lies  # in words
        self.versioned, self.slotted = "versions" in facts, "slots" in facts
        self.named, self.empty, self.summed = "names" in facts, "empty" in facts, "sum" in facts
        self.open = self.slotted or self.named  # many columns
        self.marked = self.versioned and self.empty  # events whose values are qualifiers
        self.entered = self.named and not self.marked  # a mapping or a set
        self.eventful = self.slotted or (self.versioned and not self.entered)  # times with a value each
        self.spanned = self.summed and self.versioned  # which are spans that are added to
        # Entries whose cells have timestamps of their own, so that a range of times says something of them.
        self.timed = self.entered and (self.versioned or "time" in facts)
        self.single = not (self.open or self.versioned)  # one cell
        self.plain = self.single and not self.summed  # that holds the value
        # With the timestamp of the row's plain cells.
        self.stamped = self.plain or (self.entered and not self.timed and not self.summed)
        # That declares it.
        one = "column" if self.plain else "counter" if self.summed and not self.named else ""
        self.function = one or self.name.lower()


@frozen(eq=False, repr=False)
class Column(Value):
    """A column of a model: an attribute, and the cells that hold it.

    A VALUE is None where ``required`` is false and the cell is absent. Where there is a
    column for each slot, mark, entry or member, ``qualifier`` is what all of their
    qualifiers begin with; the rest is written by ``slots``, or by ``names``. ``spans`` are what a counter adds up
    by itself. ``keep_undecoded`` is whether entries that do not decode are unknown cells of a row, and no error. A
    VALUE whose cell is absent is read from ``also``, other qualifiers of the family, of which the first one that has a
    cell counts; they are never written. ``renamed_from`` is the one of them under which the column was written before.
    ``round`` is whether a time of an event that is finer than a millisecond is cut, and not refused.
    """

    name: str
    family: str
    qualifier: bytes
    codec: CellCodec[Any]
    required: bool
    shape: Shape = Shape.VALUE
    names: KeyCodec[Any] | None = None
    slots: SlotFormat | None = None
    spans: Spans | None = None
    keep_undecoded: bool = False
    also: tuple[bytes, ...] = ()
    renamed_from: bytes | None = field(default=None, eq=False)
    round: bool = field(default=False, eq=False)
    expected: Expected = field(factory=Expected)
    location: Location | None = field(default=None, eq=False, repr=False)

    @property
    def cell(self) -> str:
        """Family and qualifier, as ``MD:BID``; of an open column with dots behind its prefix."""
        return f"{self.family}:{self.qualifier.decode(errors='backslashreplace')}{'...' if self.open else ''}"

    @property
    def places(self) -> "tuple[Column, ...]":
        """The column as it lies under each of its qualifiers, the one that counts first in front."""
        if not self.also:
            return (self,)
        return tuple(evolve(self, qualifier=one, also=()) for one in (self.qualifier, *self.also))

    @property
    def messages(self) -> tuple[type, ...]:
        """The class of the Protobuf messages that lie in its cells as they are; none where there are others, or they are wrapped."""
        return (self.codec.python_type,) if getattr(self.codec, "message_class", None) else ()

    @property
    def open(self) -> bool:
        """Whether it is many columns: all those of its family whose qualifiers begin with ``qualifier``."""
        return self.shape.open

    @property
    def versioned(self) -> bool:
        """Whether every version of a cell is meant, not the newest alone."""
        return self.shape.versioned

    @property
    def eventful(self) -> bool:
        """Whether it is a series of events: times with a value each."""
        return self.shape.eventful

    @property
    def stamped(self) -> bool:
        """Whether its cells have the timestamp of the row's plain cells."""
        return self.shape.stamped

    @property
    def value_type(self) -> type:
        """The type of one value: of a cell, or, for marks, of a qualifier."""
        return self.names.python_type if self.shape.marked and self.names else self.codec.annotation
