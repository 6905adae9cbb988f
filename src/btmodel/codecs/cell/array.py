"""Arrays of numpy in cells. Needs the extra ``btmodel[numpy]``."""

import math
from io import BytesIO
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from btmodel.codecs.byte_set import ANY, ByteSet, exactly, literal, many, sequence
from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import DeclarationError, ValueRefused, reason, shown
from btmodel.on_demand import pattern
from btmodel.value import Value
from btmodel.words import counted

if TYPE_CHECKING:
    import numpy as np

Shape = tuple[int | None, ...]

_HEADER_BYTES = 10_000
_ORDERED = pattern("[<>|]")


def _numpy() -> Any:
    try:
        import numpy
        import numpy.lib.format
    except ImportError:
        raise DeclarationError("cells of arrays need numpy: install btmodel[numpy]") from None
    return numpy


def _dtype(given: Any) -> Any:
    """The dtype that ``given`` names; None for any."""
    numpy = _numpy()
    if given is None:
        return None
    try:
        dtype = numpy.dtype(given)
    except (TypeError, ValueError) as error:
        raise DeclarationError(f"expected a dtype of numpy such as '<f8', got {given!r}: {error}") from None
    if dtype.hasobject:
        raise DeclarationError(f"expected a dtype of plain values, got {given!r}, which holds Python objects")
    return dtype


def _explicit(given: Any) -> Any:
    """The dtype that ``given`` spells with its byte order."""
    dtype: Any = _dtype(given)
    single = dtype is not None and dtype.str[0] == "|"
    if dtype is None or not isinstance(given, str) or dtype.names or not (single or _ORDERED.match(given)):
        raise DeclarationError(
            f"RawArray: expected a plain dtype as text with its byte order, such as '<f8', got {given!r}"
        )
    if not dtype.itemsize:
        raise DeclarationError(f"RawArray: expected a dtype with its size, such as 'S8', got {given!r}")
    return dtype


def _dtype_entries(dtype: Any) -> tuple[str, ...]:
    return () if dtype is None else (f"dtype {_numpy().lib.format.dtype_to_descr(dtype)!r}",)


def _shape(given: Any) -> Shape | None:
    if given is None:
        return None
    sizes = given if isinstance(given, tuple) else (given,)
    if any(size is not None and (type(size) is not int or size < 1) for size in sizes):
        raise DeclarationError(f"expected a shape such as (3, None), got {given!r}")
    return sizes


def _stated_shape(given: Any) -> Shape:
    """The shape that a raw array has, with one open dimension at the most."""
    shape = _shape(given)
    if not shape or shape.count(None) > 1:
        raise DeclarationError(
            f"RawArray: expected a shape with one None at the most, such as (None, 3), got {given!r}"
        )
    return shape


def _a_bool(instance: object, attribute: object, given: object) -> None:
    if type(given) is not bool:
        raise DeclarationError(
            f"{type(instance).__name__}: expected round=True or round=False, got {shown(given)}"
        )


def _taken(value: Any, dtype: Any, shape: Shape | None, *, round: bool) -> "np.ndarray[Any, Any]":
    """``value``, an array of the dtype and the shape; of other numbers the nearest ones, where the codec rounds."""
    if type(value) is not _numpy().ndarray:
        raise ValueRefused("an array of numpy", value)
    castable = dtype is not None and dtype.kind == "f" and value.dtype.kind in "fiu" and value.dtype != dtype
    array = _cast(value, dtype) if castable and round else value
    why = _misfit(array, dtype, shape)
    if why:
        fix = " (cast it yourself, or declare the codec with round=True)" if castable and not round else ""
        raise ValueRefused(f"{why}{fix}", value)
    return array


def _cast(array: Any, dtype: Any) -> "np.ndarray[Any, Any]":
    """The floats of ``dtype`` that are nearest to the numbers of ``array``, which must be in its range."""
    numpy = _numpy()
    with numpy.errstate(over="ignore"):
        made: np.ndarray[Any, Any] = array.astype(dtype)
    if not numpy.array_equal(numpy.isfinite(array), numpy.isfinite(made)):
        raise ValueRefused(f"an array of numbers within the range of {dtype.str}", array)
    return made


def _misfit(array: Any, dtype: Any, shape: Shape | None) -> str:
    """What was expected of ``array`` that it is not; empty where it fits."""
    if dtype is not None and array.dtype != dtype:
        return f"an array of {dtype.str}, not of {array.dtype.str}"
    if array.dtype.hasobject or not array.dtype.itemsize:
        return "an array of plain values of at least a byte"
    if shape is None or (
        len(shape) == array.ndim
        and all(wanted in (None, size) for wanted, size in zip(shape, array.shape, strict=True))
    ):
        return ""
    return f"an array of the shape {shape}, not {array.shape}"


@frozen(eq=False, repr=False)
class NumpyArray(
    Value,
    CellCodec["np.ndarray[Any, Any]"],
    typical_size=1000,
    reads=sequence(literal(b"\x93NUMPY"), ANY),
    meaning="array in the .npy format",
):
    """An array in numpy's own ``.npy`` format, which holds its dtype, byte order and shape.

    Where ``dtype`` or ``shape`` is given, other arrays are refused; None in a shape is a dimension of any size.
    With ``round``, arrays of other numbers become the nearest ones of a ``dtype`` of floats.
    Arrays of Python objects are refused always. Needs ``btmodel[numpy]``.

    Arrays are compared item by item, so ``==`` of two rows that hold arrays of several items raises
    ``ValueError``, as numpy does: compare their attributes with ``numpy.array_equal``.
    """

    dtype: Any = field(default=None, converter=_dtype)
    shape: Shape | None = field(default=None, converter=_shape)
    # The bytes of an array that fits are the same.
    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=_a_bool)

    @property
    def python_type(self) -> type:
        """``numpy.ndarray``."""
        cls: type = _numpy().ndarray
        return cls

    @property
    def stated(self) -> tuple[str, ...]:
        """The dtype with its byte order, which its text leaves out where it is that of the machine."""
        return _dtype_entries(self.dtype)

    def encode(self, value: "np.ndarray[Any, Any]") -> bytes:
        """The file."""
        array = _taken(value, self.dtype, self.shape, round=self.round)
        file = BytesIO()
        try:
            _numpy().lib.format.write_array(file, array, version=(1, 0), allow_pickle=False)
        except ValueError as error:
            raise ValueRefused(f"an array that the .npy format 1.0 can hold ({error})", value) from None
        return file.getvalue()

    def decode(self, raw: bytes) -> "np.ndarray[Any, Any]":
        """The array, a copy of its own."""
        numpy = _numpy()
        shape, fortran, dtype, start = _header(numpy, raw)
        # Before any memory is taken: a header may promise more than there is.
        wanted = math.prod(shape) * dtype.itemsize
        if dtype.hasobject or not dtype.itemsize or min(shape, default=0) < 0 or wanted != len(raw) - start:
            raise ValueError(
                f"expected {counted(wanted, 'byte')} of {dtype} for the shape {shape}, got {len(raw) - start}"
            )
        order = "F" if fortran else "C"
        try:
            array = numpy.ndarray(shape, dtype, raw, start, order=order).copy(order=order)
        except (ValueError, OverflowError, TypeError) as error:
            raise ValueError(f"expected the shape of an array, got {shape}: {error}") from None
        why = _misfit(array, self.dtype, self.shape)
        if why:
            raise ValueError(f"expected {why}")
        made: np.ndarray[Any, Any] = array
        return made


def _header(numpy: Any, raw: bytes) -> tuple[tuple[int, ...], bool, Any, int]:
    """Shape, Fortran order, dtype, and where the items begin."""
    readers = {
        (1, 0): numpy.lib.format.read_array_header_1_0,
        (2, 0): numpy.lib.format.read_array_header_2_0,
    }
    file = BytesIO(raw)
    try:
        version = numpy.lib.format.read_magic(file)
        shape, fortran, dtype = readers[version](file, max_header_size=_HEADER_BYTES)
    except Exception as error:  # a header is a Python literal, and its parsers raise what they like
        raise ValueError(f"expected an array in the .npy format, got {raw[:20]!r}: {reason(error)}") from None
    return shape, fortran, dtype, file.tell()


@frozen(eq=False, repr=False)
class RawArray(Value, CellCodec["np.ndarray[Any, Any]"]):
    """The items of an array and nothing else, in C order: ``RawArray("<f4", (None, 3))``.

    ``dtype`` is text that begins with the byte order, ``<`` or ``>``, unless an item is of single bytes;
    arrays of another one are refused, or, with ``round``, those of other numbers become the nearest floats of it. ``shape`` has a size for each dimension, or None for one of
    them, which follows from the length of the cell. Needs ``btmodel[numpy]``.

    Rows that hold arrays compare as those of :class:`NumpyArray` do.
    """

    dtype: Any = field(converter=_explicit)
    shape: Shape = field(converter=_stated_shape)
    # The bytes of an array that fits are the same.
    round: bool = field(default=False, eq=False, repr=False, kw_only=True, validator=_a_bool)

    @property
    def python_type(self) -> type:
        """``numpy.ndarray``."""
        cls: type = _numpy().ndarray
        return cls

    @property
    def typical_size(self) -> int:
        """That of the shape, with an assumption for None: a hundred."""
        size: int = math.prod(size or 100 for size in self.shape) * self.dtype.itemsize
        return size

    @property
    def max_size(self) -> int | None:
        """That of the shape, or None where a dimension is open."""
        return None if None in self.shape else self.typical_size

    @property
    def reads(self) -> ByteSet:
        """All of the size, or of a multiple of it where a dimension is open."""
        return many(exactly(self._step)) if None in self.shape else exactly(self._step)

    @property
    def stated(self) -> tuple[str, ...]:
        """The dtype with its byte order, which its text leaves out where it is that of the machine."""
        return _dtype_entries(self.dtype)

    @property
    def meaning(self) -> str:
        """The encoding in a few words, for people."""
        return f"array of {self.dtype.str} of the shape {self.shape}, in C order"

    def encode(self, value: "np.ndarray[Any, Any]") -> bytes:
        """The items."""
        raw: bytes = _taken(value, self.dtype, self.shape, round=self.round).tobytes(order="C")
        return raw

    def decode(self, raw: bytes) -> "np.ndarray[Any, Any]":
        """The array, a copy of its own."""
        step = self._step
        count, rest = divmod(len(raw), step)
        if rest or (None not in self.shape and count != 1):
            wanted = f"a multiple of {step} bytes" if None in self.shape else counted(step, "byte")
            raise ValueError(f"expected {wanted}, got {len(raw)}")
        shape = tuple(count if size is None else size for size in self.shape)
        array: np.ndarray[Any, Any] = _numpy().frombuffer(raw, self.dtype).reshape(shape).copy()
        return array

    @property
    def _step(self) -> int:
        """Bytes of the array, or of each step of its open dimension."""
        size: int = math.prod(size or 1 for size in self.shape) * self.dtype.itemsize
        return size
