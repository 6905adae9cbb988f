"""The interface of every cell codec."""

from abc import abstractmethod
from typing import Generic, TypeVar

from btmodel.codecs import CodecMeta
from btmodel.codecs.byte_set import ANY, ByteSet

T = TypeVar("T")


class CellCodec(Generic[T], metaclass=CodecMeta):
    """How the value of one column becomes the bytes of a cell.

    The encoding is a contract on disk: a changed codec reads old cells wrongly.
    ``decode(encode(x)) == x`` must hold for every value that ``encode`` accepts.

    A codec of your own is a small frozen class with these members; it has the same standing as
    the built-in ones: ``bt.column("c", family, codec=Mine())``.
    """

    @property
    @abstractmethod
    def python_type(self) -> type:
        """The type of the values, as generated code spells it."""

    @property
    @abstractmethod
    def typical_size(self) -> int:
        """Bytes of a typical value, for the review of names and sizes."""

    @property
    def max_size(self) -> int | None:
        """Bytes of the largest value, or None where nothing bounds it.

        Where it is known, ``typical_size`` is trusted as well; else a model has to say the sizes.
        """
        return None

    @property
    def reads(self) -> ByteSet:
        """A set that holds all bytes which :meth:`decode` reads, and may hold more: any bytes, unless overridden.

        By it a migration proves that cells of an older codec are not read by this one.
        """
        return ANY

    @property
    def writes(self) -> ByteSet:
        """Likewise the bytes that :meth:`encode` gives: those that it reads, unless overridden."""
        return self.reads

    @property
    def stated(self) -> tuple[str, ...]:
        """What decides the bytes of values beyond the arguments as they are written: the fields of a class, say.

        It is recorded with the codec. Where it changes, ``btmodel migrate`` takes it for another codec, except for new
        entries with a ``" = "``: cells that were written without these are read as before. A codec of your own
        may state a version of its format here.
        """
        return ()

    @property
    @abstractmethod
    def meaning(self) -> str:
        """The encoding in a few words, for people."""

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """The bytes of ``value``. Raises :class:`btmodel.ValueRefused` where it does not fit."""

    def encodings(self, value: T) -> tuple[bytes, ...]:
        """The bytes that a cell with ``value`` may hold, as far as the server is asked for them: one, mostly."""
        return (self.encode(value),)

    @abstractmethod
    def decode(self, raw: bytes) -> T:
        """The value of ``raw``. Raises ``ValueError`` saying why, where it is none."""
