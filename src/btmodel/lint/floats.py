"""Floats that are written into keys as they are: two that should be equal may differ in their last digit."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from btmodel.codecs.key import KeyCodec, Kind, Text
from btmodel.design.denials import denies
from btmodel.design.hints import sentences
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

# What rounds a float, in the code of a function.
_ROUNDING = frozenset(("round", "quantize", "int", "floor", "ceil", "trunc", "format", "scaleb", "encode"))
# A format of so few digits that equal numbers have equal texts.
_FEW_DIGITS = pattern(r"\.(?:[0-9]|1[0-4])[eEfFgG]")
_SAID = pattern(r"(?i)(?:\brepr\b|\bfloats?\b|\bfloating[- ]point\b|\bdouble[- ]precision\b|\bieee 754\b)")
_ROUNDED = pattern(r"(?i)\b(?:rounded|rounds?|fixed|scaled|whole)\b")


def exact_floats(model: ModelSchema, part: KeyField) -> bool:
    """Whether the values of a key field are floats that its codec writes with all of their digits, by its functions, or by the description where it is a text."""
    if isinstance(part.codec, Text):
        return _said(model, part.name)
    return any(map(_exact, _within(part.codec)))


def _within(codec: Any) -> list[Any]:
    """The codec, or those that it joins."""
    parts = getattr(codec, "codecs", None)
    return [one for part in parts for one in _within(part)] if isinstance(parts, tuple) else [codec]


def _exact(codec: KeyCodec[Any]) -> bool:
    if not isinstance(getattr(codec, "codec", None), KeyCodec):
        return False
    from btmodel.codecs.key import MappedKey  # here: codecs around others are loaded where a model has one

    if not isinstance(codec, MappedKey) or codec.codec.kind in (Kind.NUMBER, Kind.TIME):
        return False
    made_of_floats = codec.type is float or (
        codec.type in (Decimal, str) and any(map(_by_float, (codec.to, codec.from_)))
    )
    return made_of_floats and not _rounds(codec.to)


def _by_float(function: Callable[..., Any]) -> bool:
    return function is float or "float" in getattr(getattr(function, "__code__", None), "co_names", ())


def _rounds(function: Callable[..., Any]) -> bool:
    code = getattr(function, "__code__", None)
    if code is None:
        return function not in (repr, str, float.hex)
    texts = (text for text in code.co_consts if isinstance(text, str) and text != function.__doc__)
    return bool(_ROUNDING.intersection(code.co_names)) or any(map(_FEW_DIGITS.search, texts))


def _said(model: ModelSchema, name: str) -> bool:
    """Whether a sentence that names a field, or each of several by a word of its own, says that its text is that of a float."""
    own = {word.lower() for word in words(name)}
    for sentence in sentences(model.doc):
        said = _SAID.search(sentence)
        named = own <= {word.lower() for word in words(sentence)}
        if said and named and not (denies(sentence) or _ROUNDED.search(sentence)):
            return True
    return False
