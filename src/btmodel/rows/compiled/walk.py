"""The walk over the chunks of one row, for rows in any other form.

In the generated code ``m`` is the message, ``c`` the place of the chunk that comes next, and
``h`` that of the chunk whose head has been read: it begins the name of its column at ``q``
and ends at ``stop``. ``stamp`` is a timestamp that has been looked at: the cells of a row mostly share it.
"""

from collections.abc import Collection
from contextlib import nullcontext
from struct import Struct

from attrs import frozen

from btmodel.codecs.inline import FunctionSource, InlineCell, cell_inline
from btmodel.rows.serialized import NUMBER, field, is_varint, tag
from btmodel.schema import Column, ModelSchema

_MOST_COLUMNS = 128
STAMP = 8  # bytes of a timestamp of this century

CHUNK = field(1, b"")[0]
KEY = field(1, b"")[0]
FAMILY = field(2, b"")[0]
VALUE = field(6, b"")[0]
COMMIT = tag(9, NUMBER) + b"\x01"


@frozen
class ColumnPlace:
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
    return columns if all(column.shape.single for column in columns) else None


def by_family(
    model: ModelSchema, columns: Collection[Column], *, spans: bool = False
) -> list[list[ColumnPlace]]:
    """The places of a row, each family's in the order of their qualifiers, in which servers send them."""
    mirrors = [part.mirror for part in model.key.fields if part.mirror]
    found: list[tuple[str, bytes, Column | None]] = [
        (mirror.family, mirror.qualifier, None) for mirror in mirrors
    ]
    found += [(column.family, column.qualifier, column) for column in columns]
    found.sort(key=lambda one: one[:2])
    places = [ColumnPlace(*one, f"v{at}", spans) for at, one in enumerate(found)]
    ids = dict.fromkeys(place.family for place in places)
    return [[place for place in places if place.family == id] for id in ids]


STOP = "return at, keys, rows"
_COMMITTED = f"m[p] == {COMMIT[0]} and m[p + 1] == {COMMIT[1]}"


class WalkWriter:
    """Writes the code that walks over a row, and stops in front of one that it does not know.

    With ``stored``, it puts the bytes of the newest timestamp of a row into ``newest``.
    """

    def __init__(
        self, source: FunctionSource, families: list[list[ColumnPlace]], *, stored: bool = False
    ) -> None:
        self._source = source
        self._families = families
        self._stored = stored
        self._names = [source.name(family_name(places[0].family)) for places in families]
        self._sizes = sorted({place.size for places in families for place in places if place.size})

    def prepare(self) -> None:
        """What is known in front of the first row."""
        self._source.line("stamp = b''", *(f"stamp{size} = b''" for size in self._sizes))

    def row(self) -> None:
        """From the chunk at ``at``, which names the row, to the end of its last one, ``c``."""
        source = self._source
        source.line("c = at")
        if self._stored:
            self.prepare()  # so that each row looks at its own
            source.line("newest = b''")
        self._head()
        self._unless(f"m[p] == {KEY}")
        source.line("named = p", "p += 1")
        self._length("n")
        source.line("key = m[p : p + n]", "p += n", "ended = p")
        self._unless("key > last")
        absent = [place for places in self._families for place in places if not place.required]
        names = [name for place in absent for name in place.variables]
        flags = [f"f{at}" for at in range(len(self._families))] if len(self._families) > 1 else []
        source.line(*([f"{' = '.join(names)} = {-1 if absent[0].spans else None}"] if absent else []))
        source.line(*([f"{' = '.join(flags)} = False"] if flags else []))
        with source.block("while True:"):
            self._one_family() if not flags else self._all_families()

    def _one_family(self) -> None:
        size = len(family_name(self._families[0][0].family))
        self._unless(f"m[p : p + {size}] == {self._names[0]}")
        self._source.line(f"q = p + {size}", "h = c", "wide = 0")
        self._places(0)

    def _all_families(self) -> None:
        """Families come in any order, each named by its first chunk."""
        source = self._source
        self._head()
        self._skip_key()
        for at, places in enumerate(self._families):
            size = len(family_name(places[0].family))
            named = f"not f{at} and m[p : p + {size}] == {self._names[at]}"
            with source.block(f"{'elif' if at else 'if'} {named}:"):
                source.line(f"f{at} = True", f"q = p + {size}", "h = c", "wide = 0")
                self._places(at)
        source.line(STOP)

    def _places(self, family: int) -> None:
        """The columns of a family, one after the other; behind them stands what is not known."""
        for at, place in enumerate(self._families[family]):
            later = self._families[family][at + 1 :]
            may_end = not any(one.required for one in later)
            self._place(place, family, may_end=may_end, must_end=not later and len(self._families) == 1)
        if len(self._families) > 1:
            with self._source.block("if h != c:"):
                self._source.line("continue")  # a chunk that was not read yet may name another family
        self._source.line(STOP)

    def _place(self, place: ColumnPlace, family: int, *, may_end: bool, must_end: bool) -> None:
        if place.size is None:
            self._any_size(place, family, may_end=may_end)
        else:
            self._one_size(place, place.size, family, may_end=may_end, must_end=must_end)
        with self._source.block("else:"):
            self._any_form(place, family, may_end=may_end)

    def _one_size(self, place: ColumnPlace, size: int, family: int, *, may_end: bool, must_end: bool) -> None:
        """A cell that repeats no name, and whose value has so many bytes: what it begins with is known as a whole."""
        source = self._source
        forms = [last for last in (False, True) if (may_end if last else not must_end)]
        for at, last in enumerate(forms):
            head = place.head(last=last)
            with source.block(f"{'elif' if at else 'if'} m[c : c + {len(head)}] == {source.name(head)}:"):
                source.line(f"p = c + {len(head)}")
                self._fixed_value(place, size)
                if last:
                    self._unless(_COMMITTED)
                    source.line("c = p + 2")
                    self._end(family)
                else:
                    source.line("c = p")

    def _any_size(self, place: ColumnPlace, family: int, *, may_end: bool) -> None:
        """A cell that repeats no name, in a chunk of less than 128 bytes."""
        source = self._source
        name = source.name(place.name)
        behind = 2 + len(place.name)
        small = f"m[c] == {CHUNK} and m[c + 1] < 128"
        with source.block(
            f"if m[c + 2 : c + {behind}] == {name} and {small} and m[c + {behind + STAMP}] == {VALUE}:"
        ):
            source.line("stop = c + 2 + m[c + 1]", f"p = c + {behind}")
            with source.block(f"if m[p : p + {STAMP}] != stamp:"):
                self._new_stamp()
            source.line(f"p += {STAMP + 2}", "n = p + m[p - 1]", *_taken(place))
            with source.block("if n == stop:"):
                source.line("c = n")
            if may_end:
                committed = f"m[n] == {COMMIT[0]} and m[n + 1] == {COMMIT[1]}"
                with source.block(f"elif n + {len(COMMIT)} == stop and {committed}:"):
                    source.line("c = stop")
                    self._end(family)
            with source.block("else:"):
                source.line(STOP)

    def _any_form(self, place: ColumnPlace, family: int, *, may_end: bool) -> None:
        """A cell in a chunk of any length, with or without the names of the one before."""
        source = self._source
        with source.block("if h != c:"):
            # Google's emulator repeats the row and the family in each chunk, which are then compared at once.
            source.line("q = c + wide")
            with source.block(f"if wide and m[c + 2 : q] == names and m[c] == {CHUNK} and m[c + 1] < 128:"):
                source.line("stop = c + 2 + m[c + 1]")
            with source.block("else:"):
                # Where another family begins, this column is not there.
                passed = may_end and not place.required and len(self._families) > 1
                self._repeated(family, passed="continue" if passed else STOP)
            source.line("h = c")
        found = f"m[q : q + {len(place.name)}] == {source.name(place.name)}"
        if place.required:
            self._unless(found)
        with nullcontext() if place.required else source.block(f"if {found}:"):
            source.line(f"p = q + {len(place.name)}")
            if place.size is None:
                self._value(place)
            else:
                self._fixed_value(place, place.size)
            with source.block("if p != stop:"):
                if may_end:
                    with source.block(f"if stop - p == {len(COMMIT)} and {_COMMITTED}:"):
                        source.line("c = stop")
                        self._end(family)
                source.line(STOP)
            source.line("c = stop")

    def _repeated(self, family: int, passed: str) -> None:
        """What a chunk repeats of the one before, up to ``q``; ``passed`` is what to do where it names another family."""
        source = self._source
        size = len(family_name(self._families[family][0].family))
        self._head()
        source.line("q = p")
        self._skip_key()
        with source.block(f"if m[p] == {FAMILY}:"):
            with source.block(f"if m[p : p + {size}] != {self._names[family]}:"):
                source.line(passed)
            source.line(f"p += {size}")
        source.line("names = m[q:p]", "wide = 2 + p - q if p > q else 0", "q = p")

    def _end(self, family: int) -> None:
        """The row has ended, as it may if all that it needs in other families has come."""
        needed = [
            f"f{at}"
            for at, places in enumerate(self._families)
            if at != family and any(place.required for place in places)
        ]
        if needed:
            self._unless(" and ".join(needed))
        self._source.line("break")

    def _fixed_value(self, place: ColumnPlace, size: int) -> None:
        """The timestamp and a value of so many bytes."""
        source = self._source
        head = value_head(size)
        behind = STAMP + len(head)
        with source.block(f"if m[p : p + {behind}] != stamp{size}:"):
            self._new_stamp()
            self._unless(f"m[p : p + {behind}] == stamp{size}")
        if place.layout is not None:
            source.line(f"{place.variable} = {source.name(place.layout.unpack_from)}(m, p + {behind})[0]")
        elif place.spans:
            source.line(f"{place.variable} = p + {behind}")
        else:
            source.line(f"{place.variable} = m[p + {behind} : p + {behind + size}]")
        source.line(f"p += {behind + size}")

    def _value(self, place: ColumnPlace) -> None:
        """The timestamp and the value; one of no bytes is not sent."""
        source = self._source
        with source.block(f"if m[p : p + {STAMP}] != stamp:"):
            self._new_stamp()
        source.line(f"p += {STAMP}")
        with source.block(f"if p < stop and m[p] == {VALUE}:"):
            source.line("p += 1")
            self._length("n")
            source.line("n += p", *_taken(place), "p = n")
        with source.block("else:"):
            source.line("n = p", *_taken(place))

    def _new_stamp(self) -> None:
        source = self._source
        source.line(f"stamp = m[p : p + {STAMP}]")
        self._unless(f"{source.name(is_varint)}(stamp)")
        source.line(*(f"stamp{size} = stamp + {value_head(size)!r}" for size in self._sizes))
        if self._stored:
            # All bytes but the last go on: turned round, they sort as their numbers do.
            with source.block("if stamp[::-1] > newest[::-1]:"):
                source.line("newest = stamp")

    def _head(self) -> None:
        """The tag and the length of the chunk at ``c``; ``p`` is then where its content begins."""
        self._unless(f"m[c] == {CHUNK}")
        self._source.line("p = c + 1")
        self._length("n")
        self._source.line("stop = p + n")

    def _skip_key(self) -> None:
        """The name of the row, where a chunk repeats it."""
        source = self._source
        with source.block(f"if m[p] == {KEY}:"):
            self._unless("m[p : p + ended - named] == m[named:ended]")
            source.line("p += ended - named")

    def _length(self, variable: str) -> None:
        """A length of one or two bytes at ``p``, which is moved behind it."""
        source = self._source
        source.line(f"{variable} = m[p]", "p += 1")
        with source.block(f"if {variable} > 127:"):
            self._unless("m[p] < 128")
            source.line(f"{variable} += (m[p] << 7) - 128", "p += 1")

    def _unless(self, holds: str) -> None:
        with self._source.block(f"if not ({holds}):"):
            self._source.line(STOP)


def _taken(place: ColumnPlace) -> list[str]:
    """Take the value that lies from ``p`` to ``n``."""
    if place.spans:
        return [f"{place.variable} = p", f"{place.end} = n"]
    return [f"{place.variable} = m[p:n]"]
