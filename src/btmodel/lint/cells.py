"""The named cells of a model: its columns, and mirrored key fields; short names for them; and the fields inside serialized ones, which the server cannot filter."""

from collections.abc import Iterator, Mapping, Set
from itertools import product
from typing import Any, NamedTuple, cast, get_type_hints

from btmodel.codecs import cell
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import is_record, record_fields
from btmodel.estimates import value_size
from btmodel.lint.finding import ArgumentEdit, literal
from btmodel.schema import Column, Location, ModelSchema
from btmodel.words import words


class NamedCell(NamedTuple):
    """A cell and the attribute that it holds; ``mirror`` is true where that is a key field.

    ``usual`` is the bytes of a typical value, None where neither the codec nor a declaration bounds them; ``longest`` those of the longest qualifier, which of an open
    column is more than ``qualifier``. ``argument`` is that of the declaration which names the
    cell alone, if one does.
    """

    attribute: str
    family: str
    qualifier: bytes
    codec: CellCodec[Any]
    usual: int | None
    longest: int
    location: Location | None
    mirror: bool
    argument: str | None

    @property
    def cell(self) -> str:
        """Family and qualifier, as ``MD:BID``; a long qualifier is cut."""
        text = self.text
        return f"{self.family}:{text if len(text) <= 60 else text[:57] + '...'}"

    @property
    def text(self) -> str:
        """The qualifier as text."""
        return self.qualifier.decode(errors="backslashreplace")

    def renamed(self, qualifier: str) -> ArgumentEdit | None:
        """The change of the declaration that gives the cell another qualifier of the same family."""
        if self.argument is None:
            return None
        return ArgumentEdit(
            self.argument, literal(f"{self.family}:{qualifier}" if self.mirror else qualifier)
        )


def named_cells(model: ModelSchema) -> Iterator[NamedCell]:
    """The mirrors in the order of the key, then the columns in the order of their declaration."""
    for part in model.key.fields:
        if part.mirror is not None:
            mirror = part.mirror
            # A codec that is given stands in the same argument, and would be lost.
            alone = "mirror" if mirror.codec == part.codec.mirror() else None
            longest = len(mirror.qualifier)
            yield NamedCell(
                part.name,
                mirror.family,
                mirror.qualifier,
                mirror.codec,
                mirror.codec.typical_size,
                longest,
                part.location,
                True,
                alone,
            )
    for column in model.columns:
        codec, at = column.codec, column.location
        usual = value_size(codec, column.name, column.expected).usual.value
        longest = len(column.qualifier) + (column.names.length.most if column.names else 0)
        alone = None if column.open else "qualifier"
        yield NamedCell(column.name, column.family, column.qualifier, codec, usual, longest, at, False, alone)
        for other in column.also:
            yield NamedCell(column.name, column.family, other, codec, usual, len(other), at, False, None)


def clashing_cells(one: ModelSchema, other: ModelSchema) -> Iterator[tuple[Column, Column]]:
    """The attributes of two models that hold the same cells in different ways, of ``one`` and of ``other``.

    A mirror stands here as a column. Of cells that a model names on their own, the entries,
    slots or members of another attribute of it are none. Where the timestamps of just one model are the end of a row's
    life, all cells clash: what the other writes has come to its end at once.
    """
    ends = one.stamp.expires != other.stamp.expires
    for a, b in product(_columns(one), _columns(other)):
        differ = ends or _way(a) != _way(b)
        if differ and _overlap(a, b) and not (_ceded(one, a, b) or _ceded(other, b, a)):
            yield a, b


def _columns(model: ModelSchema) -> list[Column]:
    mirrors = (cell for cell in named_cells(model) if cell.mirror)
    return [
        *(
            Column(cell.attribute, cell.family, cell.qualifier, cell.codec, True, location=cell.location)
            for cell in mirrors
        ),
        *(place for column in model.columns for place in column.places),
    ]


def _overlap(a: Column, b: Column) -> bool:
    if a.family != b.family:
        return False
    if a.qualifier == b.qualifier:
        return True
    return (a.open and b.qualifier.startswith(a.qualifier)) or (
        b.open and a.qualifier.startswith(b.qualifier)
    )


def _way(column: Column) -> tuple[object, ...]:
    return (column.shape, column.codec, column.names, column.slots, column.open and column.qualifier)


def _ceded(model: ModelSchema, column: Column, other: Column) -> bool:
    """Whether ``model`` has another attribute for just what ``other`` holds of its open ``column``."""
    return column.open and any(
        (each.family, each.qualifier, each.open) == (other.family, other.qualifier, other.open)
        for each in _columns(model)
        if each != column
    )


# By FieldDescriptor.type in google/protobuf/descriptor.proto; groups and messages are left out.
_FLOATS, _BOOL, _STRING, _BYTES, _NESTED = (1, 2), 8, 9, 12, (10, 11)


def serialized(codec: CellCodec[Any]) -> CellCodec[Any] | None:
    """The codec of a cell that holds several fields as one value, without what compresses it; else None."""
    if isinstance(codec, cell.Either):
        return serialized(codec.new)
    if isinstance(codec, cell.Compressed):
        return serialized(codec.codec)
    return codec if isinstance(codec, cell.Json | cell.Packed | cell.Protobuf) else None


def fields_inside(codec: CellCodec[Any]) -> Mapping[str, type | None]:
    """The fields in a cell of ``codec``, each with its type where that is a plain one; none where they are not known."""
    inner = serialized(codec)
    if isinstance(inner, cell.Protobuf):
        described = cast(Any, inner.message_class).DESCRIPTOR.fields
        return {one.name: _protobuf_type(one) for one in described}
    if inner is None or not is_record(inner.python_type):
        return {}
    hints = _hints(inner.python_type)
    return {field.name: hints.get(field.name) for field in record_fields(inner.python_type)}


def blob_of(model: ModelSchema, name: str) -> tuple[Column, str] | None:
    """The column that ``name`` looks into, and the field that it means there.

    ``event.pressure`` says both. ``pressure`` alone means a field of that name, where the
    model has no attribute called so.
    """
    head, dot, field = name.partition(".")
    blobs = [column for column in model.columns if _may_be_looked_into(column)]
    if dot:
        return next(((column, field) for column in blobs if column.name == head and field), None)
    if name in {column.name for column in model.columns} | {part.name for part in model.key.fields}:
        return None
    return next(((column, name) for column in blobs if name in fields_inside(column.codec)), None)


def _may_be_looked_into(column: Column) -> bool:
    """Behind the name of a mapping stands an entry, which is a cell of its own."""
    single = not column.shape.named and not column.shape.summed
    return single and serialized(column.codec) is not None


def _protobuf_type(field: Any) -> type | None:
    # Of a repeated field the default is an empty list.
    if isinstance(field.default_value, list) or field.type in _NESTED:
        return None
    known: dict[int, type] = {_BOOL: bool, _STRING: str, _BYTES: bytes} | dict.fromkeys(_FLOATS, float)
    return known.get(field.type, int)


def _hints(record: type) -> dict[str, type]:
    try:
        hints = get_type_hints(record)
    except (NameError, TypeError):  # of a class whose annotations name what is not there any more
        return {}
    return {name: hint for name, hint in hints.items() if isinstance(hint, type)}


# Bytes of a name beyond which it is long (this project's own figure).
LONG = 12
_SHORT = 4
# Words, and the beginnings of them that people use instead.
_FORMS = {
    "cell": "cellphone",
    "temp": "temperature",
    "info": "information",
    "config": "configuration",
    "desc": "description",
    "max": "maximum",
    "min": "minimum",
    "id": "identifier",
    "ref": "reference",
}
# Words that name nothing.
_LITTLE = frozenset(
    words(
        "of the a an in on at by for to and or is has no last first current new old measured "
        "avg average mean hourly daily weekly monthly yearly"
    )
)


def shortened(name: str, taken: Set[str], *, alike: bool = False) -> str:
    """A short name for ``name`` that is not ``taken``.

    The first of its words that is short enough, or the short form of the first one that people use (``CELL`` of
    ``CELLPHONE_NUMBER``). Where that is taken, it comes with the first letters of the other words, and then with a number. It does,
    too, where others are ``alike``: it would say of none which one it is.
    """
    parts = words(name) or ["c"]
    first = first_short(parts)
    others = [word for word in parts if not word.startswith(first)]
    whole = first + "".join(word[0] for word in others)[:_SHORT]
    names = [whole] if alike else [first, whole]
    names += [f"{whole if alike else first}{number}" for number in range(2, len(taken) + 3)]
    return next(name for name in names if name not in taken)


def first_short(parts: list[str]) -> str:
    """The first of these words that is short enough, or the short form of the first one that people use."""
    for word in parts:
        known = next((len(short) for short, whole in _FORMS.items() if whole == word.lower()), None)
        if known is not None:
            return word[:known]
        if word.isalpha() and len(word) < LONG and word.lower() not in _LITTLE:
            return word
    return parts[0][:_SHORT]
