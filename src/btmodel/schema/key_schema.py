"""The row key schema of a table, in Bigtable's own encodings.

Strict: a schema is given where every key that a model writes is read as the same values, in the sorted
mode that row keys are read in, and nowhere else. A schema, once set, cannot be edited, and a query that
names a field fails at the first key of another shape. Enums are read as their values, UUIDs as their
text or their 16 bytes, for SQL has neither.

The encodings are those of ``google.bigtable.admin.v2.Type``.
"""

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from btmodel.codecs import meaning_of
from btmodel.codecs.key import (
    Bytes,
    Constant,
    EnumText,
    EscapedBytes,
    EscapedText,
    HexDigest,
    KeyCodec,
    OrderedCode,
    OrderedInt,
    Text,
    UuidRaw,
    UuidText,
)
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.model import ModelSchema

_STRING: dict[str, Any] = {"stringType": {"encoding": {"utf8Bytes": {}}}}
_BYTES: dict[str, Any] = {"bytesType": {"encoding": {"raw": {}}}}
_INT64: dict[str, Any] = {"int64Type": {"encoding": {"orderedCodeBytes": {}}}}

# Exact classes: a user's codec that is derived from one may write other bytes.
_TYPES: dict[type, dict[str, Any]] = {
    Bytes: _BYTES,
    Constant: _STRING,
    EnumText: _STRING,
    EscapedBytes: _BYTES,
    EscapedText: _STRING,
    HexDigest: _STRING,
    OrderedInt: _INT64,
    Text: _STRING,
    UuidRaw: _BYTES,
    UuidText: _STRING,
}
_ESCAPED = (EscapedBytes, EscapedText)
# What ends an escaped field, and what ordered code puts between two.
_SEPARATOR = b"\0\x01"
_MOST_DELIMITER = 50
_MOST_NAMED = 3
_RESERVED = ("_key", "_timestamp")


def row_key_schema(models: Sequence[ModelSchema]) -> tuple[dict[str, Any] | None, list[str]]:
    """The schema of the table that ``models`` share, as JSON; or None, and the sentences that say why."""
    found = [(model, _schema(model.key)) for model in models]
    schemas = [schema for _, (schema, _) in found]
    reasons = [f"{model.name}{reason}" for model, (_, why) in found for reason in why]
    reasons += [
        f"{model.name}.{part.name}: the name is that of a family, or of a column that SQL has anyway"
        for model in models
        for part in model.key.fields
        if part.name in (*_RESERVED, *(family.id for model in models for family in model.families))
    ]
    if not reasons and any(schema != schemas[0] for schema in schemas):
        names = " and ".join(model.name for model in models)
        reasons = [f"{names} write keys of different shapes"]
    return (None, reasons) if reasons else (schemas[0], [])


def unlike_ordered_code(key: RowKey) -> list[str]:
    """Why a key with the separator of ordered code, 00 01, between its fields is not ordered code; empty for any other key.

    Keys that Bigtable reads as fields with 00 01 as their delimiter are fine as well.
    """
    before = key.fields[:-1]
    plain = [part for part in before if not isinstance(part.codec, _ESCAPED)]
    if not plain or any(_separator(key, part) != _SEPARATOR for part in before) or _schema(key)[0]:
        return []
    return list(_not_in_ordered_code(key))


def key_schema_text(schema: Mapping[str, Any]) -> str:
    """A row key schema as text that is equal where the schemas are: JSON, with sorted keys."""
    return json.dumps(schema, sort_keys=True, ensure_ascii=False)


def _schema(key: RowKey) -> tuple[dict[str, Any] | None, list[str]]:
    reasons = [f".{part.name}: {reason}" for part in key.fields for reason in _unreadable(key, part)]
    if reasons:
        return None, reasons
    encoding, reasons = _encoding(key)
    fields = [{"fieldName": part.name, "type": _type(part.codec)} for part in key.fields]
    return (None, reasons) if reasons else ({"fields": fields, "encoding": encoding}, [])


def _type(codec: KeyCodec[Any]) -> dict[str, Any]:
    if isinstance(codec, OrderedCode):
        return _type(codec.codec)
    return _BYTES if isinstance(codec, Constant) and isinstance(codec.text, bytes) else _TYPES[type(codec)]


def _unreadable(key: RowKey, part: KeyField) -> Iterator[str]:
    """Why no key with this field has a schema."""
    codec = part.codec.codec if isinstance(part.codec, OrderedCode) else part.codec
    if type(codec) not in _TYPES or (codec is not part.codec and isinstance(codec, _ESCAPED)):
        yield f"no encoding of Bigtable's reads {meaning_of(part.codec)}"
    elif isinstance(codec, Text) and codec.encoding not in ("utf-8", "ascii"):
        yield f"it is {meaning_of(codec)}, and Bigtable reads UTF-8"
    elif _padded(codec):
        yield f"{meaning_of(codec)}, which would be read as a part of the value"
    if part.optional:
        yield "not every row has it"


def _padded(codec: KeyCodec[Any]) -> bool:
    return isinstance(codec, Text) and codec.width is not None and codec.min_length < codec.width


def _encoding(key: RowKey) -> tuple[dict[str, Any], list[str]]:
    """How the fields are put together, or why none of Bigtable's ways is the key's."""
    if not key.fields:
        return {}, [": it is a table without a model of its rows"]
    coded = any(isinstance(part.codec, (*_ESCAPED, OrderedCode)) for part in key.fields)
    if len(key.fields) == 1 and not coded:
        return {"singleton": {}}, []
    if coded:
        return {"orderedCodeBytes": {}}, list(_not_in_ordered_code(key))
    delimiters = {key.behind(part) for part in key.fields[:-1]}
    if len(delimiters) > 1:
        return {}, [": its fields have different delimiters"]
    [delimiter] = delimiters
    if not 1 <= len(delimiter) <= _MOST_DELIMITER:
        return {}, [
            f": between its fields stand {len(delimiter)} bytes, and a delimiter has 1 to {_MOST_DELIMITER}"
        ]
    return {"delimitedBytes": {"delimiter": b64encode(delimiter).decode()}}, list(_low(key, delimiter[0]))


def _low(key: RowKey, delimiter: int) -> Iterator[str]:
    """Which fields may hold bytes that do not sort above the first one of the delimiter, and which bytes."""
    fields: dict[str, list[str]] = {}
    for part in key.fields:
        low = sorted(byte for byte in part.codec.alphabet if byte <= delimiter)
        below = [byte for byte in low if byte < delimiter] or low
        if below:
            fields.setdefault(_any_of(below), []).append(f"`{part.name}`")
    for held, names in fields.items():
        # All that a field holds must lie above what ends it.
        yield f": {', '.join(names)} may hold {held}, and delimited fields may hold only what sorts above {_named(delimiter)}"


def _any_of(low: Sequence[int]) -> str:
    """Some of the bytes, the ones that people write first."""
    names = list(map(_named, sorted(low, key=lambda byte: (not 0x20 <= byte < 0x7F, byte))))
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[:_MOST_NAMED])} and others"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _named(byte: int) -> str:
    """A byte as people call it."""
    if byte == 0x20:
        return "a space"
    return f"{chr(byte)!r}" if 0x20 < byte < 0x7F else f"the byte {byte:02x}"


def _not_in_ordered_code(key: RowKey) -> Iterator[str]:
    """Why the fields are not what ordered code makes of them: NULs escaped, 00 01 between two, none of them empty."""
    *before, last = key.fields
    for part in before:
        ends = part.codec.min_length if isinstance(part.codec, _ESCAPED) else part.codec.length.least
        if _separator(key, part) != _SEPARATOR:
            yield f".{part.name}: ordered code puts 00 01 after it, and nothing else"
        if not ends:
            yield f".{part.name}: it may be empty, which ordered code writes as 00 00"
    if isinstance(last.codec, _ESCAPED):
        yield f".{last.name}: it has an end of its own, 00 01, which ordered code does not write after the last field"
    elif not last.codec.length.least:
        yield f".{last.name}: it may be empty, and ordered code leaves out an empty last field"
    for part in key.fields:
        if not isinstance(part.codec, (*_ESCAPED, OrderedCode)) and 0 in part.codec.alphabet:
            yield f".{part.name}: it may hold bytes 00, which ordered code escapes"


def _separator(key: RowKey, part: KeyField) -> bytes:
    """What stands between the value of ``part`` and that of the field behind it."""
    own = _SEPARATOR if isinstance(part.codec, _ESCAPED) else b""
    return own + key.behind(part)
