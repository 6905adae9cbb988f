"""The layout of a model's rows as recordable text, and an outline of it.

Bigtable knows nothing of it, so it is recorded beside the tables when they are migrated. A
changed layout is then seen before a reader takes old bytes for new ones.
"""

import ast
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, lru_cache, partial
from types import MappingProxyType
from typing import Any

import attrs
from attrs import field, frozen

from btmodel.codecs import cell, key
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import value_text
from btmodel.codecs.key import KeyCodec
from btmodel.on_demand import pattern
from btmodel.schema.column import Column, Shape
from btmodel.schema.key import KeyField
from btmodel.schema.model import ModelSchema
from btmodel.value import Value

OPEN, CLOSE = "([{", ")]}"


def pieces(text: str, separator: str) -> tuple[str, ...]:
    """What stands between the ``separator``, one character, that is in no parentheses and no quotes."""
    found: list[str] = []
    start = depth = 0
    for at, one in unquoted(text):
        depth += (one in OPEN) - (one in CLOSE)
        if one == separator and not depth:
            found.append(text[start:at].strip())
            start = at + 1
    return (*found, text[start:].strip())


def closing(text: str, opening: int) -> int | None:
    """Where the parenthesis at ``opening`` is closed; None where it is not."""
    depth = 0
    for at, one in unquoted(text):
        if at < opening:
            continue
        depth += (one in OPEN) - (one in CLOSE)
        if not depth:
            return at
    return None


def unquoted(text: str) -> Iterator[tuple[int, str]]:
    """The characters that stand in no quotes, and their places."""
    quote = ""
    escaped = False
    for at, one in enumerate(text):
        if quote:
            if escaped:
                escaped = False
            elif one == "\\":
                escaped = True
            elif one == quote:
                quote = ""
        elif one in "'\"":
            quote = one
        else:
            yield at, one


@frozen(eq=False)
class CodecText:
    """The text of a codec in two: what is in it everywhere, and what codecs state in braces, ``Packed(...){...}``.

    Two texts are equal where they agree as far as both say it: what older versions recorded has no braces. So
    equality is not transitive, and texts are put side by side by it, never gathered.
    """

    bare: str
    # The place in ``bare`` behind each codec that states something, and the entries that it states.
    stated: tuple[tuple[int, tuple[str, ...]], ...]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CodecText):
            return NotImplemented
        return self._agrees(other) or self.unnamed._agrees(other.unnamed)

    def _agrees(self, other: "CodecText") -> bool:
        known = dict(other.stated)
        return self.bare == other.bare and all(known.get(at, said) == said for at, said in self.stated)

    def __hash__(self) -> int:
        return hash(_CLASS.sub("", self.bare))

    @property
    def unnamed(self) -> "CodecText":
        """The same with a number for each name of an enum or a record whose insides are in the text: such a name is in no bytes."""
        numbers: dict[str, str] = {}
        bare, stated, start = "", list[tuple[int, tuple[str, ...]]](), 0
        for at, said in self.stated:
            names = {found[1] for one in said if (found := _OWNER.match(one))}
            bare += _numbered(self.bare[start:at], numbers, names)
            stated.append((len(bare), tuple(_without_names(one, numbers, names) for one in said)))
            start = at
        return CodecText(bare + _numbered(self.bare[start:], numbers, ()), tuple(stated))


# Where the name of a class stands: that of an enum, whose members follow, of a document, and of a record.
_CLASS = pattern(r"\b(enum|of|record)=([^\W\d][\w.]*(?:#\d+)?)")
# The class that an entry says something of: `D.x: int`, `S.SOLD = 'sold'`, `Span 0 start`.
_OWNER = pattern(r"([^\W\d][\w.]*?(?:#\d+)?)(?:\.\w+(?::| =)| \d+ \w+$)")
_QUOTED = pattern(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def _numbered(text: str, numbers: dict[str, str], stated: Collection[str]) -> str:
    """``text`` with numbers for the names of enums and of the records of joined fields, and for those in ``stated``."""

    def number(found: "re.Match[str]") -> str:
        kind, name = found.groups()
        followed = kind == "enum" or name in stated or (kind == "record" and "Joined(" in text)
        return f"{kind}={numbers.setdefault(name, f'#{len(numbers)}')}" if followed else found[0]

    return "".join(
        part if at % 2 else _CLASS.sub(number, part) for at, part in enumerate(_QUOTED.split(text))
    )


def _without_names(entry: str, numbers: dict[str, str], names: Collection[str]) -> str:
    """An entry with numbers for ``names``."""
    if not names:
        return entry
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    name = re.compile(rf"(?<![\w.])(?:{'|'.join(longest)})(?![\w#])")
    return "".join(
        part if at % 2 else name.sub(lambda one: numbers.setdefault(one[0], f"#{len(numbers)}"), part)
        for at, part in enumerate(_QUOTED.split(entry))
    )


@lru_cache(1_000)
def codec_parts(text: str) -> CodecText:
    """``text`` in two. Braces that no version wrote are left where they are."""
    bare: list[str] = []
    stated: list[tuple[int, tuple[str, ...]]] = []
    start = 0
    for at, one in unquoted(text):
        if one != "{" or at < start or text[at - 1 : at] != ")":
            continue
        end = closing(text, at)
        said = None if end is None else _entries(text[at : end + 1])
        if end is None or said is None:
            continue
        bare.append(text[start:at])
        start = end + 1
        stated.append((sum(map(len, bare)), said))
    return CodecText("".join((*bare, text[start:])), tuple(stated))


def stated_text(entries: Iterable[str]) -> str:
    """What a codec states, as it stands behind its text; nothing where that is nothing."""
    said = ", ".join(map(repr, dict.fromkeys(entries)))
    return f"{{{said}}}" if said else ""


def fuller(text: str, other: str) -> str:
    """Of two texts that are equal as far as both say it, the one that says more; of others, the first."""
    one, also = codec_parts(text), codec_parts(other)
    return other if one == also and len(also.stated) > len(one.stated) else text


def _entries(braces: str) -> tuple[str, ...] | None:
    try:
        entries = ast.literal_eval(f"[{braces[1:-1]}]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return tuple(entries) if entries and all(isinstance(entry, str) for entry in entries) else None


@cache
def built_in() -> Mapping[str, type]:
    """The codecs that are called in texts by their names alone."""
    found = [getattr(module, name) for module in (key, cell) for name in module.__all__]
    return MappingProxyType({one.__name__: one for one in found if isinstance(one, type)})


@frozen
class KeyPart:
    """A field of a row key: how it is written, and the text that stands behind it where another one follows.

    Its ``name`` is for people. It is not in the bytes, so a new name is no change.
    """

    codec: str = field(eq=codec_parts)
    behind: str
    name: str = field(eq=False)


@frozen
class CellLayout:
    """Cells of a model: ``MD:BID``, or ``MD:...`` where they are many, and how they are written.

    ``required`` is whether a row cannot be read without it, None where that is not known. It is not in the bytes, so
    it makes no other layout. Nor does ``attribute``, the name of the attribute or key field that they hold, None where that is not known.
    """

    cell: str
    codec: str = field(eq=codec_parts)
    required: bool | None = field(default=None, eq=False)
    attribute: str | None = field(default=None, eq=False)


@frozen(eq=False, repr=False)
class Layout(Value):
    """The key and the cells of a model, in the order of the key, and of the cells' names."""

    model: str = field(eq=False)
    key: tuple[KeyPart, ...]
    cells: tuple[CellLayout, ...]

    @property
    def key_text(self) -> str:
        """The key on one line: ``{exchange: Text(width=6)}#{symbol: Text(width=5)}``."""
        return "".join(f"{{{part.name}: {part.codec}}}{part.behind}" for part in self.key)

    @property
    def statements(self) -> tuple[object, ...]:
        """All that is said, also of what makes no other layout: what codecs state, which cells are required, and which attributes they hold."""
        cells = tuple((one.cell, one.codec, one.required, one.attribute) for one in self.cells)
        return (tuple(part.codec for part in self.key), cells)


def layout_of(model: ModelSchema) -> Layout:
    """How the rows of ``model`` lie in its table."""
    parts = model.key.fields
    key = tuple(
        KeyPart(_key_codec(part), _text(model.key.behind(part)) if part is not parts[-1] else "", part.name)
        for part in parts
    )
    cells = {cell.cell: cell for cell in _cells(model)}
    return Layout(model.name, key, tuple(cells[name] for name in sorted(cells)))


def codec_text(codec: Any) -> str:
    """A codec, or a part of one, as it would be written in a declaration: what is default is left out.

    So an argument that a later version adds, with a default that changes nothing, changes no text.
    Classes and functions are written by their names: those of users that are called as codecs of btmodel with
    ``own.`` in front. What the codec states beyond follows in braces.
    """
    if isinstance(codec, KeyCodec | CellCodec):
        return f"{_written(codec)}{stated_text((*codec.stated, *_own_defaults(codec)))}"
    return _written(codec)


def _written(codec: Any) -> str:
    if attrs.has(type(codec)):
        return _call(codec, ((name, value) for name, value, usual in _arguments(codec) if not usual))
    if isinstance(codec, Enum):
        return f"{type(codec).__name__}.{codec.name}"
    if isinstance(codec, type) and issubclass(codec, Enum):
        return f"{codec.__qualname__}({', '.join(f'{member.name}={member.value!r}' for member in codec)})"
    if isinstance(codec, partial):
        return f"{codec_text(codec.func)}({', '.join(map(codec_text, codec.args))})"
    if isinstance(codec, tuple):
        return f"({', '.join(map(codec_text, codec))})"
    if isinstance(codec, KeyCodec | CellCodec) and type(codec).__repr__ is object.__repr__:
        return _call(codec, sorted(vars(codec).items()))
    return value_text(codec)


def _call(codec: Any, given: Iterable[tuple[str, object]]) -> str:
    arguments = ", ".join(f"{name}={codec_text(value)}" for name, value in given)
    return f"{_class_name(type(codec))}({arguments})"


def _arguments(codec: Any) -> Iterator[tuple[str, object, bool]]:
    """The arguments of a class of attrs, each with whether it is the default, and so is not written.

    What two equal codecs may differ in decides no bytes, and is none of them.
    """
    for attribute in attrs.fields(type(codec)):
        if attribute.init and attribute.eq:
            value = getattr(codec, attribute.name)
            yield attribute.alias, value, bool(value == attribute.default)


def _own_defaults(codec: Any) -> Iterator[str]:
    """What is not written of a codec of the user's. Defaults of btmodel's own stay what they are."""
    if built_in().get(type(codec).__name__) is type(codec):
        return
    if attrs.has(type(codec)):
        yield from (f"{name} = {codec_text(value)}" for name, value, usual in _arguments(codec) if usual)
    elif is_dataclass(codec):
        yield from (
            f"{attribute.name} = {codec_text(getattr(codec, attribute.name))}"
            for attribute in fields(codec)
            if attribute.init
        )


def _class_name(codec: type) -> str:
    """The name of a class; of a user's that is called as one of ours, one that can be none of ours."""
    name = codec.__name__
    return name if built_in().get(name, codec) is codec else f"own.{name}"


def _key_codec(part: KeyField) -> str:
    text = codec_text(part.codec)
    if part.derived:
        made = f"{codec_text(part.derived.by)} of {', '.join(part.derived.of)}"
        values = "" if part.derived.values is None else f" in {part.derived.values!r}"
        text = f"{text} by {made}{values}"
    return f"{text} or nothing" if part.optional else text


def _cells(model: ModelSchema) -> Iterator[CellLayout]:
    for part in model.key.fields:
        if part.mirror:
            name = f"{part.mirror.family}:{_text(part.mirror.qualifier)}"
            text = f"{Shape.VALUE.name.lower()} {codec_text(part.mirror.codec)}"
            yield CellLayout(name, text, required=False, attribute=part.name)  # the key says it
    for column in model.columns:
        # Of a column that is read from several cells, a row may lack each of them.
        required = column.required and column.shape.plain and not column.also
        for place in column.places:
            yield CellLayout(place.cell, _cell_codec(column), required, column.name)


def _cell_codec(column: Column) -> str:
    parts = [column.shape.name.lower(), codec_text(column.codec)]
    parts += [codec_text(one) for one in (column.names, column.slots, column.spans) if one is not None]
    return " ".join(parts)


def _text(raw: bytes) -> str:
    return raw.decode(errors="backslashreplace")


def outline(model: ModelSchema) -> str:
    """The same text as long as the repository that was generated for ``model`` still goes with it.

    Names, shapes, codecs and queries count: its signatures and its documentation are made of them. Sizes and rules
    do not: a repository looks them up in the model.
    """
    key = [[part.name, part.asked, part.optional, codec_text(part.codec)] for part in model.key.fields]
    columns = [
        [column.name, column.shape.name, column.required, codec_text(column.codec), codec_text(column.names)]
        for column in model.columns
    ]
    key += [[part.name, codec_text(part.codec)] for part in model.key.unstored]
    queries = [
        [
            query.name,
            query.equal,
            query.between,
            query.starting,
            query.scan is not None,
            query.only,
            query.newest,
        ]
        for query in model.queries
    ]
    ids = [model.parameters, model.bucket and model.bucket.words.upper(), model.stamp.attribute]
    document = json.dumps([key, model.key.hashed, columns, queries, ids], default=list)
    import hashlib  # only here: loading OpenSSL takes longer than all of this room

    return hashlib.sha256(document.encode()).hexdigest()[:12]
