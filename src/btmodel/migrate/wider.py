"""Codecs that take more values than others, and write and read all of the others' values as those do."""

from collections.abc import Callable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any

import attrs

from btmodel.codecs.cell import Compressed, EnumValue
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

Relation = Callable[[Any, Any], bool]


def wider(new: Any, old: Any, *, key: bool) -> bool:
    """Whether ``new`` writes and reads every value that ``old`` takes as that does.

    With ``key``, it also ends at the same byte wherever it stands in a row key. Codecs are told
    apart by their arguments; of one that is None, nothing is known.
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
    """Whether both end by their width, or neither does; the widths of an enum stay as they are."""
    if isinstance(new, EnumText):
        return new.length == old.length
    return new.length.fixed == old.length.fixed


def _same(new: object, old: object) -> bool:
    return new == old


def _more(new: int | None, old: int | None) -> bool:
    return new == old or (new is not None and old is not None and new > old)


def _less(new: int, old: int) -> bool:
    return new <= old


def _cell(new: Any, old: Any) -> bool:
    return wider(new, old, key=False)


def _item(new: Any, old: Any) -> bool:
    return wider(new, old, key=True)


def _members(new: type[Enum], old: type[Enum]) -> bool:
    """Whether no member is lost, and none has another value. A value of another type is another one."""
    found = {one.name: repr(one.value) for one in new}
    return all(found.get(one.name) == repr(one.value) for one in old)


_NONE: Mapping[str, Relation] = MappingProxyType({})
# Which arguments of which codecs may differ, and how. A codec that is not here must stay as it is: a width, a
# format, a number of padded digits and a record all change the bytes of values.
_WIDER: Mapping[type, Mapping[str, Relation]] = MappingProxyType(
    {
        AsInKey: {"codec": _cell},
        Bytes: {"max_length": _more, "min_length": _less},
        Compressed: {"codec": _cell, "most": _more},
        EnumText: {"enum": _members},
        EnumValue: {"enum": _members, "value": _cell},
        EscapedBytes: {"max_length": _more, "min_length": _less},
        EscapedText: {"max_length": _more, "min_length": _less},
        Int: {"max_digits": _more},
        LengthPrefixed: {"codec": _item},
        Repeated: {"codec": _item, "least": _less, "most": _more},
        ReversedDomain: {"max_length": _more},
        Text: {"max_length": _more, "min_length": _less},
    }
)
