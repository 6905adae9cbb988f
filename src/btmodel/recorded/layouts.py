"""Codecs and layouts from their recorded texts."""

import ast
import re
import warnings
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from struct import calcsize
from struct import error as StructError
from types import EllipsisType, MappingProxyType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin
from uuid import UUID

import attrs
from attrs import frozen

from btmodel.codecs.aware_times import LENGTHS
from btmodel.codecs.cell import CellCodec, Either, Raw
from btmodel.codecs.key import KeyCodec, Kind
from btmodel.codecs.key.calendar import CalendarFormat
from btmodel.errors import BtmodelError
from btmodel.schema import Layout
from btmodel.schema.bucket import Bucket, SlotFormat, Spans
from btmodel.schema.column import Shape
from btmodel.schema.layout import CellLayout, CodecText, KeyPart, built_in, codec_parts, codec_text, pieces
from btmodel.words import duration_text, one

# Only what is btmodel's own can be: a codec of a table below, with literals, times, other such codecs and enums,
# whose members stand in the text. Nothing is imported, and nothing is evaluated.

# Longer texts are of no codec that a user declared.
_LONGEST = 20_000
# The module that enums are given which were made of a text.
RECORDED = "recorded"

_MADE: Mapping[str, type] = MappingProxyType(
    {
        one.__name__: one
        for one in (
            *built_in().values(),
            CalendarFormat,
            SlotFormat,
            Spans,
        )
        if issubclass(one, (KeyCodec, CellCodec, CalendarFormat, SlotFormat, Spans)) and attrs.has(one)
    }
)
# What JSON documents are of; what their parts are is in braces, of which older versions recorded none.
_DOCUMENTS: Mapping[str, Any] = MappingProxyType(
    {"dict": dict[str, Any], "list": list[Any], "tuple": tuple[Any, ...]}
)
_DOCUMENT = re.compile(r"(?<![\w.])Json\(of=(dict|list|tuple)\)$")
_GENERIC: Mapping[str, Any] = MappingProxyType({"dict": dict, "list": list, "tuple": tuple})
_PARTS: Mapping[str, Any] = MappingProxyType(
    {one.__name__: one for one in (bool, int, float, str, bytes, date, datetime, Decimal, UUID)}
    | {"Any": Any}
)
_TIMES: Mapping[str, Callable[..., object]] = MappingProxyType(
    {"datetime.date": date, "datetime.timedelta": timedelta}
)


# What comes of a text that is of no codec, and of one whose arguments are refused.
_NOT_MADE = (
    *(ValueError, TypeError, KeyError, AttributeError, ArithmeticError, AssertionError, StructError),
    *(BtmodelError, SyntaxError, RecursionError, MemoryError),
)


class _Foreign(ValueError):
    """A part of a text that nothing can be made of here."""


def recorded_codec(text: str) -> Any:
    """The codec, format of slots, or spans, that ``text`` was written of; None where it cannot be made again.

    It is just as good as the one that was recorded: it is written with the same text, as far as that says it.
    """
    if len(text) > _LONGEST:
        return None
    try:
        made = _value(_parsed(_with_documents(codec_parts(text))))
        same = isinstance(made, (KeyCodec, CellCodec, SlotFormat, Spans)) and (
            codec_parts(codec_text(made)) == codec_parts(text)
        )
    except _NOT_MADE:
        return None
    return made if same else None


def recorded_bytes(text: str) -> CellCodec[Any]:
    """A codec that reads and writes the bytes of the one that ``text`` was written of, or more than those.

    It is the one that was recorded where that can be made again. Of codecs of classes that are not there, it is
    one of the same bytes; of all others, one of any bytes.
    """
    bare = codec_parts(text).bare
    try:
        made = _value(_StandIns().visit(_parsed(bare))) if len(bare) <= _LONGEST else None
    except _NOT_MADE:
        made = None
    return made if isinstance(made, CellCodec) else Raw()


class _StandIns(ast.NodeTransformer):
    """Puts codecs that need no class in the place of those that need one which is not there."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A codec, and those inside it first."""
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="Json"), keywords=[ast.keyword(arg="of", value=of)]):
                return node if isinstance(of, ast.Name) and of.id in _DOCUMENTS else _parsed("Utf8()")
            case ast.Call(
                func=ast.Name(id="Packed"), keywords=[_, ast.keyword(value=ast.Constant(value=str(layout)))]
            ):
                return _parsed(f"AsInKey(codec=Bytes(width={calcsize(layout)}))")
            case ast.Call(
                func=ast.Name(id="MappedCell"), keywords=[ast.keyword(arg="codec", value=inner), *_]
            ):
                return inner  # the functions change no bytes
            case ast.Call(func=ast.Name(id=name)) if name in _MADE or name in _TIMES:
                return node
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id="own")))
                | ast.Call(func=ast.Name(id="Protobuf"))
            ):
                return _parsed("Raw()")
        return node


def _with_documents(text: CodecText) -> str:
    """The text without braces, and with what these say of documents: ``Json(of=dict[str, int])``."""
    made, start = "", 0
    for at, entries in text.stated:
        part, start = text.bare[start:at], at
        found = _DOCUMENT.search(part)
        made += part[: found.start()] + f"Json(of={' + '.join(entries)})" if found else part
    return made + text.bare[start:]


def _parsed(text: str) -> ast.expr:
    with warnings.catch_warnings():
        # Python warns of odd code such as `1()`; this is none that runs.
        warnings.simplefilter("ignore")
        return ast.parse(text, mode="eval").body


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value) if value is not ...:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Tuple(elts=parts):
            return tuple(map(_value, parts))
        case ast.Name(id=name):
            return _DOCUMENTS[name]
        case ast.Subscript():
            return _document(node)
        case ast.Attribute(value=ast.Name(id="Bucket"), attr=name):
            return Bucket[name]
        case ast.Call(func=ast.Name(id=name), args=[], keywords=given):
            return _object(_MADE[name], {keyword.arg or "": keyword.value for keyword in given})
        case ast.Call(func=ast.Attribute(value=ast.Name(id="datetime")) as name, args=parts, keywords=given):
            return _time(
                ast.unparse(name),
                [*map(_value, parts)],
                {keyword.arg: _value(keyword.value) for keyword in given},
            )
    raise _Foreign(ast.dump(node)[:100])


def _document(node: ast.expr) -> Any:
    """The type of a document, or of a part of one, that holds no class of the user's."""
    match node:
        case ast.Constant(value=None | EllipsisType() as value):
            return value
        case ast.Name(id=name):
            return _PARTS[name]
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            return _document(left) | None
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=parts)):
            return _GENERIC[name][tuple(map(_document, parts))]
        case ast.Subscript(value=ast.Name(id=name), slice=part):
            return _GENERIC[name][_document(part)]
    raise _Foreign("document")


def _time(name: str, values: list[Any], named: dict[str | None, Any]) -> object:
    if any(type(one) is not int for one in (*values, *named.values())):
        raise _Foreign(name)
    return _TIMES[name](*values, **{one or "": value for one, value in named.items()})


def _object(made: type, given: Mapping[str, ast.expr]) -> Any:
    taken = {field.alias: field for field in attrs.fields(made) if field.init}
    values = {name: _argument(taken[name], node) for name, node in given.items()}
    if made is Either:
        return Either(values["new"], *values["old"])
    return made(**values)


def _argument(taken: "attrs.Attribute[Any]", node: ast.expr) -> Any:
    if taken.alias == "enum":
        return _enum(node)
    value = _value(node)
    if get_origin(taken.type) is tuple and not isinstance(value, tuple):
        value = (value,)  # a tuple of one is written without a comma
    if not _fits(value, taken.type):
        raise _Foreign(taken.alias)
    return value


def _fits(value: object, wanted: Any) -> bool:
    origin = get_origin(wanted)
    if origin is Literal:
        return value in get_args(wanted)
    if origin is type:
        return value in _DOCUMENTS.values() or get_origin(value) in _GENERIC.values()
    if origin is tuple:
        first = get_args(wanted)[0]
        return isinstance(value, tuple) and all(_fits(one, first) for one in value)
    if origin is Union:
        return any(_fits(value, part) for part in get_args(wanted))
    if wanted is CalendarFormat or origin is UnionType:
        return isinstance(value, wanted)
    return isinstance(value, origin or wanted)


def _enum(node: ast.expr) -> type[Enum]:
    """An enum of the members that the text names."""
    match node:
        case ast.Call(func=ast.Name() | ast.Attribute() as name, args=[], keywords=given) if given:
            place = ast.unparse(name)
            members = [(keyword.arg or "", _literal(keyword.value)) for keyword in given]
            # Called like this, Enum gives a class, which type checkers do not know.
            return cast(
                "type[Enum]", Enum(place.rpartition(".")[2], members, module=RECORDED, qualname=place)
            )
    raise _Foreign("enum")


def _literal(node: ast.expr) -> Any:
    value = _value(node)
    if not isinstance(value, str | bytes | int | float):
        raise _Foreign("member")
    return value


_OPTIONAL = "or nothing"
_SHAPES = {shape.name.lower(): shape for shape in Shape}


@frozen
class RecordedPart:
    """A field of a key: its codec, None where it cannot be made again.

    ``rest`` is what is said of it beyond: how it is derived, and whether rows may lack it.
    """

    codec: KeyCodec[Any] | None
    rest: str

    @property
    def optional(self) -> bool:
        """Whether rows may lack it."""
        return self.rest.endswith(_OPTIONAL)

    @property
    def derived(self) -> str:
        """How it follows from others: ``by salt_of of at in (1, 2, 3)``; empty where it does not."""
        return self.rest.removesuffix(_OPTIONAL).strip()


@frozen
class RecordedCell:
    """Cells: how they lie, and what they are written with, None where that cannot be made again.

    ``names`` writes the ends of their qualifiers where they are many, and ``slots`` those of a bucket;
    ``spans`` are those that a counter adds up by themselves.
    """

    shape: Shape
    codec: CellCodec[Any] | None
    names: KeyCodec[Any] | None = None
    slots: SlotFormat | None = None
    spans: Spans | None = None

    @property
    def whole(self) -> bool:
        """Whether everything could be made again."""
        return self.codec is not None and self.placed and (not self.shape.named or self.names is not None)

    @property
    def placed(self) -> bool:
        """Whether it is known which times its cells are of, where their shape asks for it."""
        return not (self.shape.slotted and self.slots is None) and not (
            self.shape.spanned and self.spans is None
        )


def recorded_part(part: KeyPart) -> RecordedPart:
    """What is recorded of a field of a key."""
    codec, *rest = pieces(part.codec, " ")
    made = recorded_codec(codec)
    return RecordedPart(made if isinstance(made, KeyCodec) else None, " ".join(rest))


def recorded_cell(cell: CellLayout) -> RecordedCell | None:
    """What is recorded of some cells; None where not even their shape is known."""
    shape, *parts = pieces(cell.codec, " ")
    if shape not in _SHAPES or not 1 <= len(parts) <= 2:
        return None
    codec, other = recorded_codec(parts[0]), recorded_codec(parts[1]) if len(parts) == 2 else None
    return RecordedCell(
        _SHAPES[shape],
        codec if isinstance(codec, CellCodec) else None,
        other if isinstance(other, KeyCodec) else None,
        other if isinstance(other, SlotFormat) else None,
        other if isinstance(other, Spans) else None,
    )


_EVENTFUL = tuple(f"{shape.name.lower()} " for shape in Shape if shape.eventful and not shape.summed)
# The shortest bucket of the calendar.
_SHORTEST = timedelta(minutes=1)
# Of a key without a time, a row holds all events.
_ALWAYS = timedelta.max


@frozen
class OtherSpan:
    """One row becomes several, or several become one: in words, what a row holds ``before`` and ``after``.

    ``row`` is what a data step returns for each row.
    """

    before: str
    after: str
    row: str

    def way(self, model: str) -> str:
        """What to do instead, as the end of a sentence that names the new model; ``model`` is the name of the recorded one."""
        return (
            "under a name and with a table of its own, beside the old one; let the application write each event to both tables, "
            f"the old one first, and fill in the rest with `btmodel migrate new MESSAGE --data {model}`, by a function that returns {self.row} "
            "(docs/migrations.md#another-bucket)"
        )


def other_span(old: Layout, new: Layout, kept: Collection[str] = ()) -> OtherSpan | None:
    """How rows of the ``new`` layout hold other spans of time than those of the ``old`` one; None if rows correspond one to one.

    ``kept`` are the names of new columns: an old key field that one of them holds still tells rows apart.
    """
    before, after = _finest(old), _finest(new)
    if before is None or after is None or before.length == after.length:
        return None
    were, are = _holds_events(old), _holds_events(new)
    held, holds = (time.events if events else "one event" for time, events in ((before, were), (after, are)))
    if were and after.length < before.length and before.is_span and (after.is_span or not are):
        stays = any((time.name, time.length) == (before.name, before.length) for time in _times(new) or ())
        row = f"a row for each {after.noun if are else 'event'}"
        return None if are and stays else OtherSpan(held, holds, row)
    if are and after.length > before.length and after.is_span and before.name not in kept:
        added = "its events, which are" if were else "its event, which is"
        row = f"the row of the {after.noun} with {added} added to those that are there"
        return OtherSpan(held, holds, row)
    return None


@frozen
class _Time:
    """A time in a key: the ``length`` that one of its values stands for, and its ``noun``."""

    name: str
    length: timedelta
    noun: str

    @property
    def is_span(self) -> bool:
        """Whether events may share one; a shorter time is that of what the row is."""
        return self.length >= _SHORTEST

    @property
    def events(self) -> str:
        return "all events" if self.length == _ALWAYS else f"the events of {one(self.noun)}"


def _finest(layout: Layout) -> _Time | None:
    """The shortest time in the key; that of all events where the key has none, and None where a codec does not say it."""
    times = _times(layout)
    return min(times, key=lambda time: time.length) if times else None


def _times(layout: Layout) -> list[_Time] | None:
    found = [_Time("", _ALWAYS, "key")]
    for part in layout.key:
        codec = recorded_part(part).codec
        if codec is None:
            return None
        span = codec.granularity
        if isinstance(span, timedelta):
            found.append(_Time(part.name, span, duration_text(span)))
        elif span in LENGTHS:
            found.append(_Time(part.name, LENGTHS[span], span))
        elif codec.kind is Kind.TIME:
            return None
    return found


def _holds_events(layout: Layout) -> bool:
    return any(cell.codec.startswith(_EVENTFUL) for cell in layout.cells)
