"""The row key of a model: its fields and delimiters."""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from math import log
from typing import Any

from attrs import field, frozen

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import Constant, KeyCodec
from btmodel.on_demand import pattern
from btmodel.schema.names import Location
from btmodel.value import Value
from btmodel.words import as_text, one_line


@frozen(eq=False, repr=False)
class Mirror(Value):
    """A cell that repeats a key field, written with every row."""

    family: str
    qualifier: bytes
    codec: CellCodec[Any]


@frozen(eq=False, repr=False)
class Derived(Value):
    """How a key field follows from other attributes: a salt, a shard, or a hash of them.

    ``by`` is called with the values of ``of``, which are key fields or required columns;
    where ``of_bytes`` is true, with their bytes.
    ``values`` are all that it can give, where they are few enough to read the rows of each;
    without them, the field is known only where all of ``of`` are.
    """

    of: tuple[str, ...]
    by: Callable[..., Any]
    values: tuple[Any, ...] | None = None
    of_bytes: bool = False


_FEW = pattern(r"([0-9.]+)\s*%\s*:\s*([0-9_]+)")
_ZIPF = pattern(r"zipf(?::([0-9.]+))?")
# com.yahoo.ycsb.generator.ZipfianGenerator.ZIPFIAN_CONSTANT
YCSB_THETA = 0.99
# Beyond this, the first value has nine of ten events, whatever follows.
MOST_THETA = 5.0
# Ranks whose frequencies are summed up one by one; those behind are taken as an area.
_SUMMED = 10_000


@frozen(eq=False, repr=False)
class Skew(Value):
    """How unevenly the values of a field come: ``90%:200``, where 200 values have 90 % of the events, ``zipf:0.99``, or ``uniform``.

    ``share`` and ``values`` are those of the first form; ``theta`` is the exponent of the second, and 0 where they come evenly.
    """

    text: str
    share: float = 0.0
    values: int = 0
    theta: float = 0.0

    @classmethod
    def parse(cls, text: object) -> "Skew":
        """The skew that ``text`` names; ``ValueError`` where it is none."""
        if text == "uniform":
            return cls("uniform")
        if isinstance(text, str):
            if (few := _FEW.fullmatch(text)) and 0 < float(few[1]) <= 100 and int(few[2]) > 0:
                return cls(text, float(few[1]) / 100, int(few[2]))
            if (zipf := _ZIPF.fullmatch(text)) and 0 < float(zipf[1] or YCSB_THETA) <= MOST_THETA:
                return cls(text, theta=float(zipf[1] or YCSB_THETA))
        raise ValueError(
            f'expected "90%:200" (90 % of the events on 200 values), "zipf:0.99" or "uniform", got {text!r}'
        )

    def even(self, count: int | None) -> int | None:
        """As many values, coming evenly, as give each the share of the most frequent one; None where that is not known.

        ``count`` is how many there are.
        """
        share = self.most(count)
        return None if share is None else max(1, int(1 / share))

    def most(self, count: int | None) -> float | None:
        """The share of the most frequent one of ``count`` values; None where that is not known."""
        if self.values:
            rest = (
                (1 - self.share) / (count - self.values) if count is not None and count > self.values else 0
            )
            return max(self.share / self.values, rest)
        return None if count is None else 1 / _harmonic(count, self.theta)

    def shares(self, count: int) -> Iterator[tuple[int, float]]:
        """All of ``count`` values, as numbers of those that come about as often, each with the share of one of them."""
        if self.values:
            few = min(self.values, count)
            yield few, self.share / few
            if count > few:
                yield count - few, (1 - self.share) / (count - few)
            return
        rank, all_ = 1, _harmonic(count, self.theta)
        while rank <= count:
            alike = min(max(1, rank // 50), count - rank + 1)
            yield alike, float(rank + (alike - 1) / 2) ** -self.theta / all_
            rank += alike


@lru_cache(maxsize=64)
def _harmonic(count: int, theta: float) -> float:
    """The sum of ``rank ** -theta`` over all ranks."""
    found: float = sum(float(rank) ** -theta for rank in range(1, min(count, _SUMMED) + 1))
    if count <= _SUMMED:
        return found
    if theta == 1:
        return found + log(count / _SUMMED)
    behind: float = (float(count) ** (1 - theta) - float(_SUMMED) ** (1 - theta)) / (1 - theta)
    return found + behind


@frozen(eq=False, repr=False)
class KeyField(Value):
    """One field of a row key.

    ``cardinality`` is how many distinct values are expected, or None where the
    model does not say. ``sequential`` is whether values are given one after the other, None
    where the model does not say; ``domain`` whether they are names of domains, ``tenant``
    whether they say whose data a row is, ``pii`` whether they identify a person, ``changes`` whether a row
    gets another one in its life (None: judge by the name). ``skew`` is how unevenly values come. ``size`` is the bytes of a typical value, where that is not the middle of the least and the
    most. ``optional`` is true of a last field that a row may lack, with the
    delimiter in front of it. ``ends`` is what stands behind it instead of the key's delimiter. ``factory`` makes the value of a new row that is given none.
    """

    name: str
    codec: KeyCodec[Any]
    cardinality: int | None = None
    mirror: Mirror | None = None
    derived: Derived | None = None
    optional: bool = False
    ends: bytes | None = None
    sequential: bool | None = None
    domain: bool | None = None
    tenant: bool | None = None
    pii: bool | None = None
    changes: bool | None = None
    size: int | None = None
    skew: Skew | None = None
    location: Location | None = field(default=None, eq=False, repr=False)
    factory: Callable[[], Any] | None = field(default=None, eq=False, repr=False)

    @property
    def constant(self) -> str | None:
        """The text that every row has here, which no caller gives; None where rows differ."""
        if not isinstance(self.codec, Constant):
            return None
        return self.codec.text if isinstance(self.codec.text, str) else as_text(self.codec.text)

    @property
    def literal(self) -> bytes:
        """The bytes of a constant; empty where rows differ."""
        return self.codec.raw if isinstance(self.codec, Constant) else b""

    @property
    def typical(self) -> int:
        """Bytes of a typical value: as declared, or the middle of the least and the most."""
        return self.codec.length.typical if self.size is None else self.size

    @property
    def even(self) -> int | None:
        """The number of values, or as few, coming evenly, as give each the share that the most frequent one has by ``skew``."""
        return self.cardinality if self.skew is None else self.skew.even(self.cardinality)

    @property
    def fixed(self) -> int | None:
        """Bytes of every encoding, or None where lengths differ."""
        return self.codec.length.fixed

    @property
    def asked(self) -> bool:
        """Whether a row must give it: it is no constant, and does not follow from others."""
        return self.constant is None and self.derived is None


def begins_within(raw: bytes, delimiter: bytes) -> bool:
    """Whether the delimiter behind ``raw`` would be found before its end.

    Of a delimiter of several bytes, the end of the value may be the beginning, as in ``a#`` and ``##``.
    """
    return (raw + delimiter).find(delimiter) != len(raw)


@frozen(slots=False, eq=False, repr=False)
class RowKey(Value):
    """The fields of a row key in order, and the delimiter between them, unless a field has one of its own.

    Delimiters may be empty. ``unstored`` are values that derived fields are made from, and that no row holds. ``bound`` is
    how many bytes a key has at most, where that is less than its fields may have together.
    """

    fields: tuple[KeyField, ...]
    delimiter: bytes
    unstored: tuple[KeyField, ...] = ()
    bound: int | None = None

    @cached_property
    def asked(self) -> tuple[KeyField, ...]:
        """The fields that a row must give: all but the constants and those that follow from others."""
        return (*self.unstored, *(part for part in self.fields if part.asked))

    @cached_property
    def hashed(self) -> tuple[str, ...]:
        """The columns that a field of the key is made from, and that a row key therefore needs."""
        names = {part.name for part in (*self.fields, *self.unstored)}
        found = (name for part in self.fields if part.derived for name in part.derived.of)
        return tuple(dict.fromkeys(name for name in found if name not in names))

    @property
    def sources(self) -> tuple[str, ...]:
        """What fields of the key are made from and the key itself does not hold: columns, and what is not stored."""
        return (*(part.name for part in self.unstored), *self.hashed)

    @cached_property
    def salts_of_others(self) -> tuple[KeyField, ...]:
        """The salts of what the key does not hold, such as those that divide the additions to a counter.

        Of each there are as many rows as it has values, however many values it is made from.
        """
        stored = {part.name for part in self.fields}
        return tuple(
            part
            for part in self.fields
            if part.derived and part.derived.values is not None and stored.isdisjoint(part.derived.of)
        )

    @property
    def optional(self) -> KeyField | None:
        """The last field, where rows may lack it."""
        return self.fields[-1] if self.fields and self.fields[-1].optional else None

    @cached_property
    def free(self) -> KeyField | None:
        """The field of variable width that ends where the fixed ones behind it begin, and so may hold anything."""
        variable = [part for part in self.fields if part.fixed is None]
        if not variable or variable[-1].codec.self_ending:
            return None
        return variable[-1] if self.optional in (None, variable[-1]) else None

    @cached_property
    def after_free(self) -> int:
        """Bytes behind the ``free`` field: delimiters, and fields of fixed width; 0 where there is no such field."""
        if self.free is None:
            return 0
        at = self.fields.index(self.free)
        delimiters = sum(len(self.behind(part)) for part in self.fields[at:-1])
        return delimiters + sum(part.codec.length.most for part in self.fields[at + 1 :])

    @property
    def least(self) -> int:
        """Bytes of the shortest key."""
        most = sum(part.codec.length.least for part in self.fields) + self._delimiters
        lacking = self.optional.codec.length.least + len(self.behind(self.fields[-2])) if self.optional else 0
        return most - lacking

    @property
    def most(self) -> int:
        """Bytes of the longest key."""
        most = sum(part.codec.length.most for part in self.fields) + self._delimiters
        return most if self.bound is None else min(most, self.bound)

    @property
    def _delimiters(self) -> int:
        return sum(len(self.behind(part)) for part in self.fields[:-1])

    def behind(self, part: KeyField) -> bytes:
        """The delimiter that stands behind ``part``, where another field follows."""
        return self.delimiter if part.ends is None else part.ends

    @property
    def shape(self) -> str:
        """The key drawn with its field names: ``LoL#{player}#{day}``."""
        return self.drawn(
            (part.constant or f"{{{part.name}{'?' * part.optional}}}", self.behind(part))
            for part in self.fields
        )

    @staticmethod
    def drawn(parts: Iterable[tuple[str, bytes]]) -> str:
        """Names of fields, each with what stands behind it, as one text without hidden characters."""
        names = [text for name, behind in parts for text in (one_line(name), as_text(behind))]
        return "".join(names[:-1])

    def field(self, name: str) -> KeyField:
        """The field called ``name``."""
        return next(part for part in self.fields if part.name == name)

    def refuses_delimiter(self, part: KeyField) -> bool:
        """Whether a value of ``part`` that holds the delimiter must be refused to keep keys apart.

        A field of fixed width is taken apart by position, a self-ending one by its own
        bytes: they may hold anything.
        """
        return (
            bool(self.behind(part))
            and part.fixed is None
            and not part.codec.self_ending
            and not part.codec.holds_delimiter
            and part.codec.alphabet.issuperset(self.behind(part))
        )

    def blurred(self, part: KeyField, raw: bytes) -> bool:
        """Whether ``raw`` must be refused as a value of ``part``: the delimiter would begin before it ends."""
        return self.refuses_delimiter(part) and begins_within(raw, self.behind(part))
