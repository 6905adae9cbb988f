"""Whether a new codec reads the cells that a recorded one wrote."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Any, TypeGuard

import attrs
from attrs import frozen

from btmodel.codecs.byte_set import common_bytes
from btmodel.codecs.cell import Base64Text, CellCodec, Compressed, EnumValue, HexText, Prefixed
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
from btmodel.errors import shown
from btmodel.recorded.layouts import (
    RecordedCell,
    enums_of,
    recorded_bytes,
    recorded_cell,
    recorded_codec,
    recorded_part,
)
from btmodel.schema import CellLayout, KeyPart
from btmodel.schema.bucket import Spans
from btmodel.schema.layout import CodecText, closing, codec_parts, pieces, unquoted

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
        relations.get(one.alias, _same)(getattr(new, one.name), getattr(old, one.name))
        for one in attrs.fields(type(new))
        if one.init
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
    """Whether every member still exists with its value; a value of another type counts as another value."""
    found = {one.name: repr(one.value) for one in new}
    return all(found.get(one.name) == repr(one.value) for one in old)


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
class Conflict:
    """Cells of the codec ``old`` that ``new`` may read as other values; ``new`` is None if no codec reads them.

    ``example`` is such a cell with both values; empty if none was found, although nothing proves that there is none.
    """

    old: str
    new: str | None
    example: str = ""


@lru_cache(1_000)
def conflict(declared: str, recorded: str) -> Conflict | None:
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
            return Conflict(one, None)
    return None


def reads_all(declared: str, recorded: str) -> bool:
    """Whether each of these ``declared`` codecs reads the cells of its ``recorded`` one as before."""
    return conflict(declared, recorded) is None


def takes_all(declared: KeyPart, recorded: KeyPart) -> bool:
    """Whether the ``declared`` key part writes and reads every value of the ``recorded`` one as before."""
    if declared.behind != recorded.behind:
        return False
    return declared == recorded or _wider(declared.codec, recorded.codec, key=True)


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


def _overlap(declared: str, recorded: str) -> Conflict | None:
    """How the new codec may misread cells of the recorded one; None if it is proved that it does not."""
    new, old = (pieces(text, " ")[1:2] for text in (declared, recorded))
    if not new or not old:
        return Conflict(recorded, declared)  # nothing was ever written in such a layout
    by_new, by_old = recorded_bytes(new[0]), recorded_bytes(old[0])
    stored = b""
    while _framed(by_new) and _framed(by_old):
        # Each codec unpacks what the other one packed; values after a 0 byte are not packed.
        by_new, by_old, stored = by_new.codec, by_old.codec, stored + b"\0"
    found = list(islice(common_bytes(by_new.reads, by_old.writes), _MOST_EXAMPLES))
    if not found:
        return None
    return Conflict(
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
