"""The recorded and declared layouts of one table side by side, and whether a new codec reads the cells that a recorded one wrote."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeGuard

import attrs
from attrs import frozen

from btmodel.codecs.byte_set import common_bytes
from btmodel.codecs.cell import Base64Text, CellCodec, Compressed, EnumValue, HexText, Prefixed, Raw
from btmodel.codecs.key import (
    AsInKey,
    Bytes,
    EnumText,
    EscapedBytes,
    EscapedText,
    Int,
    KeyCodec,
    LengthPrefixed,
    Repeated,
    ReversedDomain,
    Text,
)
from btmodel.codecs.parts import enums_of
from btmodel.errors import shown
from btmodel.recorded.layouts import (
    RecordedCell,
    recorded_bytes,
    recorded_cell,
    recorded_codec,
    recorded_part,
)
from btmodel.schema import CellLayout, KeyPart, Layout, Shape, Table
from btmodel.schema.bucket import Spans
from btmodel.schema.layout import CodecText, closing, codec_parts, fuller, pieces, unquoted
from btmodel.schema.names import placeholders


@frozen
class Matched:
    """The layouts of a table: ``both`` pairs declared and recorded ones; ``new`` and ``left`` are the others of each side.

    A recorded layout belongs to the model with the same name, or else to one with the same key and no record of its
    own name: renaming a class is no change. If each side has exactly one layout left, they belong together even if
    names and keys differ, so a new class name cannot hide a new key.
    """

    both: tuple[tuple[Layout, Layout], ...]
    new: tuple[Layout, ...]
    left: tuple[Layout, ...]


def match(declared: Iterable[Layout], recorded: Iterable[Layout]) -> Matched:
    """Match the ``declared`` layouts of a table with the recorded ones."""
    left = list(recorded)
    pairs: list[tuple[Layout, Layout | None]] = []
    wanted = list(declared)
    alone = len(wanted) == len(left) == 1
    named = {layout.model: layout for layout in left}
    own = {layout.model: named[layout.model] for layout in wanted if layout.model in named}
    left = [layout for layout in left if layout.model not in own]
    for layout in wanted:
        partner = own.get(layout.model) or next(
            (other for other in left if alone or other.key == layout.key), None
        )
        if partner is not None and partner in left:
            left.remove(partner)
        pairs.append((layout, partner))
    both = tuple((layout, other) for layout, other in pairs if other is not None)
    return Matched(both, tuple(layout for layout, other in pairs if other is None), tuple(left))


def to_record(declared: Iterable[Layout], recorded: Iterable[Layout]) -> tuple[Layout, ...]:
    """The layouts to record after ``declared`` is in effect: these, and recorded ones that nothing declares any more."""
    found = match(declared, recorded)
    kept = [attrs.evolve(one, key=_key(one, other), cells=_cells(one, other)) for one, other in found.both]
    return tuple(sorted((*kept, *found.new, *found.left), key=lambda layout: layout.model))


def codecs_of(layouts: Iterable[Layout]) -> tuple[object, ...]:
    """Everything that layouts state, including facts that ``==`` ignores."""
    return tuple(layout.statements for layout in layouts)


def gone_cells(declared: Layout, recorded: Layout) -> tuple[CellLayout, ...]:
    """The cells that ``recorded`` has and ``declared`` lacks."""
    names = {cell.cell for cell in declared.cells}
    return tuple(cell for cell in recorded.cells if cell.cell not in names)


def looks_renamed(declared: Layout, recorded: Layout) -> Mapping[str, str]:
    """The names of recorded cells that are gone, each with that of the new one that may hold its values now.

    That is where each side has one cell of a family and a codec that the other side lacks: a column was renamed, or one was removed and
    another one was added.
    """
    before = {cell.cell for cell in recorded.cells}
    gone = _single(gone_cells(declared, recorded))
    new = _single(cell for cell in declared.cells if cell.cell not in before)
    return {cell.cell: new[kind].cell for kind, cell in gone.items() if kind in new}


def _single(cells: Iterable[CellLayout]) -> dict[tuple[str, CodecText], CellLayout]:
    """Cells of plain values by their family and codec, where one alone has these."""
    alike: dict[tuple[str, CodecText], list[CellLayout]] = {}
    for cell in cells:
        if cell.codec.startswith(_PLAIN):
            alike.setdefault((family_of(cell.cell), codec_parts(cell.codec)), []).append(cell)
    return {kind: found[0] for kind, found in alike.items() if len(found) == 1}


_PLAIN = f"{Shape.VALUE.name.lower()} "


def family_of(cell: str) -> str:
    """The family id in the name of a cell such as ``MD:BID``."""
    return cell.partition(":")[0]


def in_families(recorded: Iterable[Layout], families: Collection[str]) -> tuple[Layout, ...]:
    """``recorded`` without cells of other families than ``families``; names with braces are kept."""
    return tuple(
        attrs.evolve(layout, cells=tuple(cell for cell in layout.cells if _is_in(cell, families)))
        for layout in recorded
    )


def without_layouts(tables: Iterable[Table]) -> tuple[Table, ...]:
    """``tables`` without their layouts."""
    return tuple(attrs.evolve(table, layouts=()) for table in tables)


def _is_in(cell: CellLayout, families: Collection[str]) -> bool:
    family = family_of(cell.cell)
    return family in families or bool(placeholders(family))


def _key(declared: Layout, recorded: Layout) -> tuple[KeyPart, ...]:
    """The declared key, completed by recorded facts about its codecs that the declaration does not state."""
    if len(declared.key) != len(recorded.key):
        return declared.key
    pairs = zip(declared.key, recorded.key, strict=True)
    return tuple(attrs.evolve(part, codec=fuller(part.codec, other.codec)) for part, other in pairs)


def _completed(cell: CellLayout, known: CellLayout) -> CellLayout:
    required = known.required if cell.required is None else cell.required
    return attrs.evolve(
        cell,
        codec=fuller(cell.codec, known.codec),
        required=required,
        attribute=cell.attribute or known.attribute,
    )


def _cells(declared: Layout, recorded: Layout) -> tuple[CellLayout, ...]:
    known = {cell.cell: cell for cell in recorded.cells}
    kept = [_completed(cell, known.get(cell.cell, cell)) for cell in declared.cells]
    # Rows written from now on lack the columns that are no longer declared.
    gone = [attrs.evolve(cell, required=False) for cell in gone_cells(declared, recorded)]
    return tuple(sorted((*kept, *gone), key=lambda one: one.cell))


Relation = Callable[[Any, Any], bool]


def wider(new: Any, old: Any, *, key: bool) -> bool:
    """Whether ``new`` writes and reads every value of ``old`` in the same way.

    With ``key``, its bytes must also end at the same place wherever it stands in a row key. Codecs are compared by
    their arguments; None stands for an unknown codec.
    """
    if new is None or old is None or type(new) is not type(old):
        return False
    if key and isinstance(new, KeyCodec) and not _same_place(new, old):
        return False
    relations = _WIDER.get(type(new), _NONE)
    return all(
        relations.get(field.alias, _same)(getattr(new, field.name), getattr(old, field.name))
        for field in attrs.fields(type(new))
        if field.init
    )


def _same_place(new: KeyCodec[Any], old: KeyCodec[Any]) -> bool:
    """Whether both have a fixed width, or neither has; the width of an enum must not change."""
    if isinstance(new, EnumText):
        return new.length == old.length
    return new.length.fixed == old.length.fixed


def _same(new: object, old: object) -> bool:
    return new == old


def _more(new: int | None, old: int | None) -> bool:
    return new == old or (new is not None and old is not None and new > old)


def _less(new: int, old: int) -> bool:
    return new <= old


def _any(new: object, old: object) -> bool:
    return True


def _cell(new: Any, old: Any) -> bool:
    return wider(new, old, key=False)


def _item(new: Any, old: Any) -> bool:
    return wider(new, old, key=True)


def _members(new: type[Enum], old: type[Enum]) -> bool:
    """Whether every value still is that of its member, or of one whose name is new; a value of another type counts as another value."""
    found = {member.name: repr(member.value) for member in new}
    there = {*found.values()}
    return all(
        found[member.name] == repr(member.value) if member.name in found else repr(member.value) in there
        for member in old
    )


_NONE: Mapping[str, Relation] = MappingProxyType({})
# The arguments of codecs that may differ, and how. All others must stay as they are: a width, a format, a number
# of padded digits and a record all change the bytes of values.
_WIDER: Mapping[type, Mapping[str, Relation]] = MappingProxyType(
    {
        AsInKey: {"codec": _cell},
        Base64Text: {"codec": _cell},
        Bytes: {"max_length": _more, "min_length": _less},
        Compressed: {"codec": _cell, "most": _more},
        EnumText: {"enum": _members},
        EnumValue: {"enum": _members, "value": _cell},
        EscapedBytes: {"max_length": _more, "min_length": _less},
        EscapedText: {"max_length": _more, "min_length": _less},
        HexText: {"codec": _cell},
        Int: {"max_digits": _more},
        LengthPrefixed: {"codec": _item},
        Prefixed: {"codec": _cell},
        Repeated: {"codec": _item, "least": _less, "most": _more},
        ReversedDomain: {"max_length": _more},
        Spans: {"every": _any},  # existing counts keep their times
        Text: {"max_length": _more, "min_length": _less},
    }
)


_EITHER = "Either(new="
# Codecs of several Eithers read all their combinations.
_MOST_EITHERS = 8
# Cells to try as examples.
_MOST_EXAMPLES = 200


@frozen
class CodecConflict:
    """Cells of the codec ``old`` that ``new`` may read as other values; ``new`` is None if no codec reads them.

    ``example`` is such a cell with both values; empty if none was found, although nothing proves that there is none.
    """

    old: str
    new: str | None
    example: str = ""


@lru_cache(1_000)
def conflict(declared: str, recorded: str) -> CodecConflict | None:
    """Why cells of the ``recorded`` layout would not be read as before by the ``declared`` one; None if they would.

    The codecs of an ``Either`` are tried in order. So no codec may read these cells before the one that reads them as
    before, except codecs that were already tried before it.
    """
    new, old = readings(declared), readings(recorded)
    in_order = [one for one in new if one in old] == [one for one in old if one in new]
    for at, one in enumerate(old):
        for other in new:
            if _wider(other, one, key=False):
                break
            if in_order and other in old[:at]:
                continue
            if (found := _overlap(other, one)) is not None:
                return found
        else:
            return CodecConflict(one, None)
    return None


def reads_all(declared: str, recorded: str) -> bool:
    """Whether each of these ``declared`` codecs reads the cells of its ``recorded`` one as before."""
    return conflict(declared, recorded) is None


def takes_all(declared: KeyPart, recorded: KeyPart) -> bool:
    """Whether the ``declared`` key part writes and reads every value of the ``recorded`` one as before."""
    if declared.behind != recorded.behind:
        return False
    return declared == recorded or _wider(declared.codec, recorded.codec, key=True)


def takes_all_keys(declared: Sequence[KeyPart], recorded: Sequence[KeyPart]) -> bool:
    """Whether the ``declared`` key writes and reads every ``recorded`` key as before."""
    return len(declared) == len(recorded) and all(map(takes_all, declared, recorded))


def lost_key(declared: KeyPart, recorded: KeyPart) -> bool:
    """Whether ``recorded`` needs code that ``declared`` lacks: a function, an enum, or a custom codec."""
    new, old = recorded_part(declared), recorded_part(recorded)
    return bool(old.derived and not new.derived) or (_needs_code(old.codec) and not _needs_code(new.codec))


def lost_cell(declared: str, recorded: str) -> bool:
    """Whether cells of ``recorded`` need code that cells of ``declared`` lack."""
    new, old = (recorded_cell(CellLayout("", text)) for text in (declared, recorded))
    return old is not None and new is not None and _cell_needs_code(old) and not _cell_needs_code(new)


def _cell_needs_code(cell: RecordedCell) -> bool:
    return not cell.whole or any(enums_of((cell.codec, cell.names)))


def _needs_code(codec: object) -> bool:
    return codec is None or any(enums_of(codec))


@frozen
class LostMembers:
    """The members of ``enum``, by its name, whose values none of its members has any more, each with its value as code."""

    enum: str
    members: Mapping[str, str]


def lost_members(declared: str, recorded: str) -> LostMembers | None:
    """What the enum of a cell has lost; None for cells that hold none, and for changes of more than its values."""
    new, old = (recorded_cell(CellLayout("", text)) for text in (declared, recorded))
    enums = [list(enums_of(cell and cell.codec)) for cell in (new, old)]
    if [len(found) for found in enums] != [1, 1]:
        return None
    (after,), (before,) = enums
    values = {repr(member.value) for member in after}
    lost = {member.name: repr(member.value) for member in before if repr(member.value) not in values}
    return LostMembers(after.__name__, lost) if lost else None


def reader_of(layout: Layout, name: str) -> CellLayout | None:
    """The cell of ``layout`` by which the cells called ``name`` are read: the same, or one that stands for many."""
    same = next((cell for cell in layout.cells if cell.cell == name), None)
    many = (cell for cell in layout.cells if cell.cell.endswith("..."))
    return same or next((cell for cell in many if name.startswith(cell.cell.removesuffix("..."))), None)


def is_unread(reader: CellLayout | None, codec: str) -> bool:
    """Whether ``reader`` could not read values of the layout ``codec`` as what they are; one that takes bytes as they are reads all."""
    if reader is None or isinstance(recorded_codec(codec_in(reader.codec)), Raw):
        return False
    return not reads_all(f"value {codec_in(reader.codec)}", f"value {codec_in(codec)}")


def codec_in(text: str) -> str:
    """The codec of values in the layout of a cell, whatever its shape."""
    return pieces(text, " ")[1]


def readings(text: str) -> tuple[str, ...]:
    """The codecs that read cells of this layout, in the order in which they are tried: one, or those of an ``Either``."""
    at = _outside_quotes(text, _EITHER) if text.count(_EITHER) <= _MOST_EITHERS else None
    if at is None:
        return (text,)
    end = closing(text, at + len("Either"))
    if end is None:
        return (text,)
    inner = pieces(text[at + len("Either(") : end], ",")
    if len(inner) != 2 or not inner[1].startswith("old=(") or not inner[1].endswith(")"):
        return (text,)
    codecs = [inner[0].removeprefix("new="), *pieces(inner[1][len("old=(") : -1], ",")]
    found = (reading for codec in codecs for reading in readings(f"{text[:at]}{codec}{text[end + 1 :]}"))
    return tuple(dict.fromkeys(found))


def _overlap(declared: str, recorded: str) -> CodecConflict | None:
    """How the new codec may misread cells of the recorded one; None if it is proved that it does not."""
    new, old = (pieces(text, " ")[1:2] for text in (declared, recorded))
    if not new or not old:
        return CodecConflict(recorded, declared)  # nothing was ever written in such a layout
    by_new, by_old = recorded_bytes(new[0]), recorded_bytes(old[0])
    stored = b""
    while _framed(by_new) and _framed(by_old):
        # Each codec unpacks what the other one packed; values after a 0 byte are not packed.
        by_new, by_old, stored = by_new.codec, by_old.codec, stored + b"\0"
    found = list(islice(common_bytes(by_new.reads, by_old.writes), _MOST_EXAMPLES))
    if not found:
        return None
    return CodecConflict(
        old[0], new[0], _misread(new[0], old[0], [stored + raw for raw in found if raw is not None])
    )


def _framed(codec: CellCodec[Any]) -> TypeGuard[Compressed[Any]]:
    return isinstance(codec, Compressed) and codec.framed


def _misread(new: str, old: str, cells: Iterable[bytes]) -> str:
    """The first of these cells that both codecs read, as different values."""
    codecs = recorded_codec(new), recorded_codec(old)
    if None in codecs:
        return ""
    for raw in cells:
        try:
            values = [shown(codec.decode(raw)) for codec in codecs]
        except (ValueError, OverflowError):
            continue
        if values[0] != values[1]:
            return f"the cell {shown(raw)} is {values[1]} by {old}, and would be read as {values[0]} by {new}"
    return ""


def _wider(declared: str, recorded: str, *, key: bool) -> bool:
    """Whether the texts differ only in codecs that accept more than before."""
    new, old = pieces(declared, " "), pieces(recorded, " ")
    return len(new) == len(old) and all(
        _takes(one, other, key=key) for one, other in zip(new, old, strict=True)
    )


def _takes(declared: str, recorded: str, *, key: bool) -> bool:
    new, old = codec_parts(declared), codec_parts(recorded)
    if not _states_more(new, old):
        return False
    return new.bare == old.bare or wider(recorded_codec(declared), recorded_codec(recorded), key=key)


def _states_more(new: CodecText, old: CodecText) -> bool:
    """Whether everything that ``old`` states still holds for ``new``, and additions may be absent from cells."""
    if new.bare == old.bare:
        now, before = dict(new.stated), dict(old.stated)
        pairs = [(now[at], before[at]) for at in now.keys() & before.keys()]
    elif len(new.stated) != len(old.stated):
        return not old.stated  # assume that unknown facts are as declared
    else:
        pairs = [(one, other) for (_, one), (_, other) in zip(new.stated, old.stated, strict=True)]
    return all(_entries_hold(one, other) for one, other in pairs)


def _entries_hold(new: Iterable[str], old: Iterable[str]) -> bool:
    """Whether each old entry still exists with its type (or also None) and its default, and new entries have a default."""
    now = {name: default for name, _, default in (one.partition(" = ") for one in new)}
    left = {*now}
    for name, _, default in (one.partition(" = ") for one in old):
        same = next((one for one in (name, f"{name} | None") if one in now), None)
        if same is None or (default and now[same] != default):
            return False
        left.discard(same)
    return all(now[one] for one in left)


def _outside_quotes(text: str, word: str) -> int | None:
    """The position of the first ``word`` that stands as a whole word outside quotes; -1 if there is none."""
    for at, _ in unquoted(text):
        if text.startswith(word, at) and not (at and (text[at - 1].isalnum() or text[at - 1] == "_")):
            return at
    return None
