"""The columns of a model as they lie in the chunks of an answer."""

from collections.abc import Collection
from struct import Struct

from attrs import frozen

from btmodel.codecs.inline import InlineCell, cell_inline
from btmodel.rows.wire import NUMBER, field, tag
from btmodel.schema import Column, ModelSchema, Shape

_MOST_COLUMNS = 128
_PLAIN = (Shape.VALUE, Shape.COUNTER)
STAMP = 8  # bytes of a timestamp of this century

CHUNK = field(1, b"")[0]
KEY = field(1, b"")[0]
FAMILY = field(2, b"")[0]
VALUE = field(6, b"")[0]
COMMIT = tag(9, NUMBER) + b"\x01"


@frozen
class Place:
    """One column of a row, and the variable that holds its bytes.

    A repeated key field has no ``column``: its cell is passed over. Where ``spans``, the variable holds the
    place of the bytes in the message instead, -1 where there are none, and, unless all values are
    of one size, a second one holds their end.
    """

    family: str
    qualifier: bytes
    column: Column | None
    variable: str
    spans: bool = False

    @property
    def variables(self) -> list[str]:
        """What is known of it when the row ends."""
        return [self.variable] if self.size is not None or not self.spans else [self.variable, self.end]

    @property
    def end(self) -> str:
        """The variable for the end of a value."""
        return f"{self.variable}_end"

    @property
    def required(self) -> bool:
        """Whether every row has it."""
        return self.column is not None and self.column.required

    @property
    def inline(self) -> InlineCell | None:
        """The expressions of its codec, where it has some."""
        return cell_inline(self.column.codec) if self.column else None

    @property
    def size(self) -> int | None:
        """The bytes of every value, where they are as many."""
        return self.inline.size if self.inline else None

    @property
    def layout(self) -> Struct | None:
        """How the number lies that the variable is to hold, where it is one."""
        return self.inline.layout if self.inline and not self.spans else None

    @property
    def name(self) -> bytes:
        """What stands in front of the timestamp in a chunk that does not repeat the names of the one before."""
        return field(3, field(1, self.qualifier)) + tag(4, NUMBER)

    def head(self, *, last: bool) -> bytes:
        """What such a chunk begins with, where the value's size is fixed; the ``last`` of a row ends it, too."""
        assert self.size is not None
        size = len(self.name) + STAMP + len(value_head(self.size)) + self.size
        return field(1, bytes(size + len(COMMIT) * last))[: -size - len(COMMIT) * last] + self.name


def value_head(size: int) -> bytes:
    """What stands between a timestamp and a value of so many bytes."""
    return field(6, bytes(size))[:-size]


def family_name(family: str) -> bytes:
    """How a chunk names its family."""
    return field(2, field(1, family.encode()))


def walkable(model: ModelSchema, only: Collection[str] | None) -> list[Column] | None:
    """The columns of a row, or those that ``only`` names; None where rows are to be read the plain way."""
    columns = [column for column in model.columns if only is None or column.name in only]
    stamped = model.stamp.stored and model.stamp.attribute
    if not columns or len(columns) > _MOST_COLUMNS or stamped or model.key.hashed:
        return None
    return columns if all(column.shape in _PLAIN for column in columns) else None


def by_family(model: ModelSchema, columns: Collection[Column], *, spans: bool = False) -> list[list[Place]]:
    """The places of a row, each family's in the order of their qualifiers, in which servers send them."""
    mirrors = [part.mirror for part in model.key.fields if part.mirror]
    found: list[tuple[str, bytes, Column | None]] = [(one.family, one.qualifier, None) for one in mirrors]
    found += [(column.family, column.qualifier, column) for column in columns]
    found.sort(key=lambda one: one[:2])
    places = [Place(*one, f"v{at}", spans) for at, one in enumerate(found)]
    ids = dict.fromkeys(place.family for place in places)
    return [[place for place in places if place.family == id] for id in ids]
