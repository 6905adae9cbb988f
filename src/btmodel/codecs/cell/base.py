"""The interface of every cell codec."""

from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from attrs import frozen

from btmodel.codecs import Codec, Facts
from btmodel.codecs.byte_set import ANY, ByteSet, exactly
from btmodel.value import Value

T = TypeVar("T")

_ASSUMED = 16  # bytes of a typical value


@frozen(eq=False, repr=False)
class SortedRun(Value):
    """Values from ``first`` to ``last`` whose bytes sort as they do or, ``downward``, the other way round.

    An end that is None is open: there is no least, or no greatest, value.
    """

    first: Any = None
    last: Any = None
    downward: bool = False


# Of a codec whose bytes sort as its values do.
SORTED = (SortedRun(),)


class CellFacts(Facts, total=False):
    """What a codec of cells says of itself."""

    fixed_size: int | None
    typical_size: int
    max_size: int | None
    reads: ByteSet
    writes: ByteSet
    runs: tuple[SortedRun, ...]


class CellCodec(Codec[T]):
    """How the value of one column becomes the bytes of a cell.

    The encoding is a contract on disk: a changed codec reads old cells wrongly.
    ``decode(encode(x)) == x`` must hold for every value that ``encode`` accepts.

    A codec of your own is a small frozen class with ``encode`` and ``decode``, and what its keywords or properties say
    of it otherwise than here; it has the same standing as the built-in ones:
    ``bt.column("c", family, codec=Mine())``.
    """

    if TYPE_CHECKING:

        def __init_subclass__(cls, **facts: Unpack[CellFacts]) -> None: ...

    _facts = CellFacts
    of_entries = False  # whether it is one of mappings alone, whose entries choose the codec of their values

    @property
    def fixed_size(self) -> int | None:
        """Bytes of every value, where all are of one size; else None."""
        return None

    @property
    def max_size(self) -> int | None:
        """Bytes of the largest value, or None where nothing bounds it.

        Where it is known, ``typical_size`` is trusted as well; else a model has to say the sizes.
        """
        return self.fixed_size

    @property
    def typical_size(self) -> int:
        """Bytes of a typical value, for the review of names and sizes: of the largest, or an assumption."""
        return _ASSUMED if self.max_size is None else self.max_size

    @property
    def reads(self) -> ByteSet:
        """A set that holds all bytes which :meth:`decode` reads, and may hold more: all of ``fixed_size``, or any.

        By it a migration proves that cells of an older codec are not read by this one.
        """
        return ANY if self.fixed_size is None else exactly(self.fixed_size)

    @property
    def writes(self) -> ByteSet:
        """Likewise the bytes that :meth:`encode` gives: those that it reads, unless overridden."""
        return self.reads

    def encodings(self, value: T) -> tuple[bytes, ...]:
        """The bytes that a cell with ``value`` may hold, as far as the server is asked for them: one, mostly."""
        return (self.encode(value),)

    @property
    def runs(self) -> tuple[SortedRun, ...]:
        """All values, in runs whose bytes sort; none where they do not, unless stated.

        By them the server is asked for values that are less or more than another one. One open run
        says that all bytes sort as the values do, as ``(bt.SortedRun(),)`` does. Signed big-endian numbers have two, as
        their bytes begin with the positive ones.
        """
        return ()

    def bound(self, value: T) -> bytes | None:
        """The least encoding of any storable value that is not below ``value``; None where all are below.

        Asked only where there are :attr:`runs`; the bytes of ``value`` itself, unless overridden.
        """
        return self.encode(value)


class AroundCell(CellCodec[T]):
    """What a codec around another one has from that, unless stated."""

    codec: CellCodec[T]

    @property
    def python_type(self) -> type:
        """That of the codec inside."""
        return self.codec.python_type

    @property
    def annotation(self) -> Any:
        """That of the codec inside."""
        return self.codec.annotation
