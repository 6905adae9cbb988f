"""Cell codecs around others: behind a prefix, either of several, between two functions, or one for each entry."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

from attrs import Attribute, Factory, field, frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.byte_set import ByteSet, choice, literal, sequence
from btmodel.codecs.cell.base import AroundCell, CellCodec, SortedRun
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.cell.text import Raw, Utf8
from btmodel.errors import DeclarationError, ValueRefused, raised, reason, shown
from btmodel.value import Value

T = TypeVar("T")
V = TypeVar("V")


def instance_of_cell(instance: object, attribute: object, codec: object) -> None:
    """A validator of attrs that takes codecs of cells."""
    if not isinstance(codec, CellCodec):
        raise DeclarationError(f"{type(instance).__name__}: expected a cell codec, got {shown(codec)}")


def _some_bytes(instance: object, attribute: object, prefix: Any) -> None:
    if not isinstance(prefix, bytes) or not prefix:
        raise DeclarationError(f"Prefixed: expected at least 1 byte as the prefix, got {prefix!r}")


@frozen(eq=False, repr=False)
class Prefixed(Value, AroundCell[T]):
    """What ``codec`` gives, behind the bytes ``prefix``: ``Prefixed(b"\\x00\\x00\\x00\\x00\\x07", Protobuf(Order))``.

    Several in an ``Either`` choose the codec by the first bytes of a cell.
    """

    prefix: bytes = field(validator=_some_bytes)
    codec: CellCodec[T] = field(validator=instance_of_cell)

    @property
    def fixed_size(self) -> int | None:
        """With the prefix, where that inside is of one size."""
        return None if self.codec.fixed_size is None else len(self.prefix) + self.codec.fixed_size

    @property
    def typical_size(self) -> int:
        """With the prefix."""
        return len(self.prefix) + self.codec.typical_size

    @property
    def max_size(self) -> int | None:
        """With the prefix, where that inside is bounded."""
        return None if self.codec.max_size is None else len(self.prefix) + self.codec.max_size

    @property
    def reads(self) -> ByteSet:
        """What the codec inside reads, behind the prefix."""
        return sequence(literal(self.prefix), self.codec.reads)

    @property
    def writes(self) -> ByteSet:
        """What the codec inside writes, behind the prefix."""
        return sequence(literal(self.prefix), self.codec.writes)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"{meaning_of(self.codec)}, behind {self.prefix!r}"

    def encode(self, value: T) -> bytes:
        """The prefix, and the rest."""
        return self.prefix + self.codec.encode(value)

    def encodings(self, value: T) -> tuple[bytes, ...]:
        """Those of the codec inside, behind the prefix."""
        return tuple(self.prefix + encoding for encoding in self.codec.encodings(value))

    def decode(self, raw: bytes) -> T:
        """The value of what is behind the prefix."""
        if not raw.startswith(self.prefix):
            raise ValueError(f"expected {self.prefix!r} in front, got {raw[:20]!r}")
        return self.codec.decode(raw[len(self.prefix) :])


# They would take what was meant for the codecs behind them.
_GREEDY = (Raw, Utf8)


@frozen(init=False)
class Either(CellCodec[T]):
    """Writes with ``new``, and reads with the first codec that can: ``Either(Json(Quote), Packed(Quote, ">dd"))``.

    For a column that changes its encoding while old cells are still there. It is as safe as the codecs distinguish
    their bytes apart: 8 digits of ``DecimalText`` are also an ``Int64``. ``btmodel migrate`` takes it for safe where
    no bytes can be of two of them, and otherwise blocks the change, with a cell that would be misread.
    ``Raw`` and ``Utf8``, which take almost any bytes, are refused in front of another codec.
    """

    new: CellCodec[T]
    old: tuple[CellCodec[T], ...]

    def __init__(self, new: CellCodec[T], *old: CellCodec[T]) -> None:
        self.__attrs_init__(new, old)  # pyright: ignore[reportAttributeAccessIssue]
        if not old or not all(isinstance(codec, CellCodec) for codec in self._codecs):
            raise DeclarationError(f"Either: expected two cell codecs or more, got {self._codecs!r}")
        types = {codec.python_type for codec in self._codecs}
        if len(types) > 1:
            names = ", ".join(sorted(type_.__name__ for type_ in types))
            raise DeclarationError(f"Either: expected codecs of values of one type, got {names}")
        for codec in self._codecs[:-1]:
            if _greedy(codec):
                raise DeclarationError(
                    f"Either: {codec!r} takes almost any bytes, so the codecs after it would never be used"
                )

    @property
    def _codecs(self) -> tuple[CellCodec[T], ...]:
        return (self.new, *self.old)

    @property
    def python_type(self) -> type:
        """That of every codec."""
        return self.new.python_type

    @property
    def annotation(self) -> Any:
        """That of the codec that writes."""
        return self.new.annotation

    @property
    def typical_size(self) -> int:
        """That of the new codec."""
        return self.new.typical_size

    @property
    def max_size(self) -> int | None:
        """The largest of every codec: cells of the older ones are still there."""
        sizes = [codec.max_size for codec in self._codecs]
        return None if None in sizes else max(size for size in sizes if size is not None)

    @property
    def reads(self) -> ByteSet:
        """What any of them reads."""
        return choice(*(codec.reads for codec in self._codecs))

    @property
    def writes(self) -> ByteSet:
        """What any of them writes: cells of the older ones are still there."""
        return choice(*(codec.writes for codec in self._codecs))

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return "; or, where older, ".join(meaning_of(codec) for codec in self._codecs)

    def encode(self, value: T) -> bytes:
        """The bytes that the new codec gives."""
        return self.new.encode(value)

    def encodings(self, value: T) -> tuple[bytes, ...]:
        """The bytes of every codec that takes the value, the new one's first."""
        found = list(self.new.encodings(value))
        for codec in self.old:
            with suppress(ValueRefused):
                found += codec.encodings(value)
        return tuple(found)

    def decode(self, raw: bytes) -> T:
        """The value that the first codec gives which can read the bytes."""
        causes = []
        for codec in self._codecs:
            try:
                return codec.decode(raw)
            except (ValueError, OverflowError) as error:
                causes.append(reason(error))
        raise ValueError("; ".join(causes))


def _greedy(codec: CellCodec[Any]) -> bool:
    return isinstance(codec, _GREEDY) or (isinstance(codec, Either) and _greedy(codec.old[-1]))


def named_function(instance: object, attribute: "Attribute[Any]", function: object) -> None:
    """Refuse what is no function, or has no name to be recorded by."""
    name = getattr(function, "__qualname__", None)
    if not callable(function) or not isinstance(name, str) or name.endswith("<lambda>"):
        raise DeclarationError(
            f"mapped: {attribute.alias}: expected a function with a name, which migrations record, got {function!r}"
        )


def same_value(value: Any, back: Any) -> bool:
    """Whether a value came back. Arrays and the like, which do not compare to one bool, are taken at their word."""
    try:
        return bool(value == back or (value != value and back != back))
    except Exception:
        return True


class Mapped(Value):
    """What both kinds do with the functions."""

    __slots__ = ()
    codec: Any
    to: Callable[[Any], Any]
    from_: Callable[[Any], Any]
    type: Any

    @property
    def python_type(self) -> Any:
        """The type of the values, as stated, or as ``from_`` is annotated."""
        return self.type

    @property
    def meaning(self) -> str:
        """Its functions, and the codec inside."""
        return f"{value_text(self.to)} of the value: {meaning_of(self.codec)}"

    def written(self, value: Any) -> Any:
        """What ``codec`` writes of ``value``. A value that would not come back is refused."""
        if isinstance(self.type, type) and not isinstance(value, self.type):
            raise ValueRefused(f"a value of {self.type.__name__}", value)
        written = self.to(value)
        back = self.from_(written)
        if not same_value(value, back):
            raise ValueRefused(
                f"a value that comes back from {value_text(self.from_)} as it was, not as {back!r}", value
            )
        return written

    def read(self, written: Any) -> Any:
        """The value of what ``codec`` read. Raises ``ValueError`` where the function raises."""
        try:
            return self.from_(written)
        except Exception as error:  # whatever a function of the user's raises
            reason = raised(error)
            raise ValueError(
                f"expected what {value_text(self.from_)} takes, got {written!r}: {reason}"
            ) from error


def _keeps_order(instance: "MappedCell[Any]", attribute: object, ordered: object) -> None:
    if type(ordered) is not bool or (ordered and not instance.codec.runs):
        raise DeclarationError(
            f"mapped: ordered={ordered!r}: expected True or False, and True only where the bytes of "
            f"{shown(instance.codec)} sort as its values do"
        )


@frozen(eq=False, repr=False)
class MappedCell(Mapped, CellCodec[V]):
    """What ``codec`` writes of ``to(value)``; it is read back with ``from_``. See :func:`btmodel.mapped`."""

    codec: CellCodec[Any] = field(validator=instance_of_cell)
    to: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    from_: Callable[[Any], Any] = field(validator=named_function, repr=value_text)
    type: Any = field(repr=value_text)
    # No part of what the codec is: the bytes are the same.
    keeps_order: bool = field(
        default=False, validator=_keeps_order, alias="ordered", eq=False, repr=False, kw_only=True
    )

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """Those of ``codec``, of the values that ``from_`` makes of their ends, where ``ordered`` says that the functions keep the order."""
        if not self.keeps_order:
            return ()
        return tuple(
            SortedRun(self._end(run.first), self._end(run.last), run.downward) for run in self.codec.runs
        )

    def _end(self, written: Any) -> Any:
        return None if written is None else self.from_(written)

    def bound(self, value: V) -> bytes | None:
        """That of ``codec``, of ``to(value)``."""
        return self.codec.bound(self.written(value))

    @property
    def fixed_size(self) -> int | None:
        """That of ``codec``."""
        return self.codec.fixed_size

    @property
    def typical_size(self) -> int:
        """That of ``codec``."""
        return self.codec.typical_size

    @property
    def max_size(self) -> int | None:
        """That of ``codec``."""
        return self.codec.max_size

    @property
    def reads(self) -> ByteSet:
        """What ``codec`` reads."""
        return self.codec.reads

    @property
    def writes(self) -> ByteSet:
        """What ``codec`` writes."""
        return self.codec.writes

    def encode(self, value: V) -> bytes:
        """The bytes that ``codec`` writes of ``to(value)``."""
        return self.codec.encode(self.written(value))

    def encodings(self, value: V) -> tuple[bytes, ...]:
        """Those of ``codec``, of ``to(value)``."""
        return self.codec.encodings(self.written(value))

    def decode(self, raw: bytes) -> V:
        """What ``from_`` makes of what ``codec`` reads."""
        value: V = self.read(self.codec.decode(raw))
        return value


def _pairs(codecs: Any) -> tuple[tuple[Any, CellCodec[Any]], ...]:
    pairs = tuple(codecs.items()) if isinstance(codecs, Mapping) else codecs
    if not isinstance(pairs, tuple) or not pairs or not all(isinstance(pair[1], CellCodec) for pair in pairs):
        raise DeclarationError(f"PerEntry: expected a cell codec for each entry, by its key, got {codecs!r}")
    return pairs


@frozen(eq=False, repr=False)
class PerEntry(Value, CellCodec[Any]):
    """The values of a mapping, each by the codec of its entry: ``PerEntry({"temp": FloatText(), "count": DecimalText()})``.

    ``otherwise`` is the codec of all other entries; without it they are refused, on writing and on reading. It is a codec of
    :func:`btmodel.mapping` alone, as no other cell has the key of an entry.
    """

    of_entries = True
    codecs: tuple[tuple[Any, CellCodec[Any]], ...] = field(converter=_pairs)
    otherwise: CellCodec[Any] | None = None
    _by_key: dict[Any, CellCodec[Any]] = field(
        init=False, eq=False, repr=False, default=Factory(lambda self: dict(self.codecs), takes_self=True)
    )

    def of(self, key: Any) -> CellCodec[Any]:
        """The codec of the entry ``key``. Raises :class:`ValueRefused` where there is none."""
        found = self._by_key.get(key, self.otherwise)
        if found is None:
            raise ValueRefused(f"an entry called {', '.join(map(repr, self._by_key))}", key)
        return found

    @property
    def _all(self) -> tuple[CellCodec[Any], ...]:
        return (*self._by_key.values(), *(() if self.otherwise is None else (self.otherwise,)))

    @property
    def python_type(self) -> Any:
        """Any: each entry has its own."""
        return Any

    @property
    def typical_size(self) -> int:
        """The largest of all codecs'."""
        return max(codec.typical_size for codec in self._all)

    @property
    def max_size(self) -> int | None:
        """The largest of all codecs'."""
        sizes = [codec.max_size for codec in self._all]
        return None if None in sizes else max(size for size in sizes if size is not None)

    @property
    def reads(self) -> ByteSet:
        """What any of them reads."""
        return choice(*(codec.reads for codec in self._all))

    @property
    def meaning(self) -> str:
        """Entry by entry."""
        parts = [f"{key!r}: {meaning_of(codec)}" for key, codec in self.codecs]
        parts += [] if self.otherwise is None else [f"others: {meaning_of(self.otherwise)}"]
        return "; ".join(parts)

    def encode(self, value: Any) -> bytes:
        """Refused: the key of the entry chooses the codec, :meth:`of`."""
        raise ValueRefused("the entry of a mapping, whose key chooses its codec", value)

    def decode(self, raw: bytes) -> Any:
        """Refused, likewise."""
        raise ValueError("expected the entry of a mapping, whose key chooses its codec")
