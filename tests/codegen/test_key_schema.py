"""Row key schemas: what Bigtable's encodings, as their comments define them, read out of the keys of a model."""

import json
from collections.abc import Sequence
from datetime import date
from enum import Enum
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from btmodel_codegen import generate
from google.cloud.bigtable_admin_v2.types import CreateTableRequest, Type
from hypothesis import given
from hypothesis import strategies as st

import btmodel as bt
from btmodel.codecs.key import (
    BigEndian,
    Bytes,
    Constant,
    DateText,
    EnumText,
    EscapedBytes,
    EscapedText,
    HexDigest,
    KeyCodec,
    OrderedInt,
    PaddedInt,
    Text,
    UuidRaw,
    UuidText,
)
from btmodel.schema.key_schema import row_key_schema
from tests.codegen.golden import case, load
from tests.schemas import PIECES, TEXTS, UUIDS, RandomKey, Side, key_of, model_of, random_keys

END, NUL, EMPTY = b"\0\x01", b"\0\xff", b"\0\0"


def decoded(schema: Type.Struct, raw: bytes) -> dict[str, Any]:
    """The fields of a row key, read in sorted mode as the comments on ``Type.Struct.Encoding`` say."""
    encoding = schema.encoding
    match encoding._pb.WhichOneof("encoding"):
        case "singleton":
            assert len(schema.fields) == 1
            pieces = [raw]
        case "delimited_bytes":
            delimiter = encoding.delimited_bytes.delimiter
            assert 1 <= len(delimiter) <= 50
            pieces = raw.split(delimiter)
            assert not any(byte <= delimiter[0] for piece in pieces for byte in piece)
        case "ordered_code_bytes":
            pieces = ordered_code(raw)
            pieces += [b""] * (len(schema.fields) - len(pieces))
    assert len(pieces) == len(schema.fields), raw
    return {
        field.field_name: scalar(field.type_, piece)
        for field, piece in zip(schema.fields, pieces, strict=True)
    }


def ordered_code(raw: bytes) -> list[bytes]:
    """The fields between bytes 00 01, NULs restored, and 00 00 for one that is empty; none other is empty."""
    if raw == EMPTY:
        return []
    encoded: list[list[bytes]] = [[]]
    at = 0
    while at < len(raw):
        # Of a NUL, its pair; of any other byte, itself.
        unit = raw[at : at + 2] if raw[at] == 0 else raw[at : at + 1]
        at += len(unit)
        if unit == END:
            encoded.append([])
        else:
            encoded[-1].append(unit)
    assert encoded[-1] not in ([], [EMPTY]), "an empty last field is left out"
    return [_unescaped(units) for units in encoded]


def _unescaped(units: list[bytes]) -> bytes:
    if units == [EMPTY]:
        return b""
    assert units, "an empty field is 00 00"
    assert EMPTY not in units
    assert all(len(unit) == 1 or unit == NUL for unit in units), "a NUL is 00 FF"
    return b"".join(unit[:1] for unit in units)


def scalar(type_: Type, raw: bytes) -> Any:
    """One value of a scalar type."""
    match type_._pb.WhichOneof("kind"):
        case "string_type":
            assert "utf8_bytes" in type_.string_type.encoding
            return raw.decode()
        case "bytes_type":
            assert "raw" in type_.bytes_type.encoding
            return raw
        case "int64_type":
            assert "ordered_code_bytes" in type_.int64_type.encoding
            return ordered_int(raw)
    raise AssertionError(f"no scalar with an encoding: {type_}")


def ordered_int(raw: bytes) -> int:
    """A number of both signs: as many first bits alike as there are bytes, then the bits of two's complement."""
    bits = "".join(f"{byte:08b}" for byte in raw)
    negative = bits[0] == "0"
    length = len(bits) - len(bits.lstrip(bits[0]))
    assert length == len(raw)
    value = bits[length:]
    return int(value, 2) - (1 << len(value)) if negative else int(value, 2)


def as_sql_has_it(codec: KeyCodec[Any], value: Any) -> Any:
    """A value as SQL can have it: of an enum its value, of a UUID its text or its bytes."""
    match value:
        case Enum():
            return value.value
        case UUID():
            return value.bytes if isinstance(codec, UuidRaw) else str(value)
    return value


def schema_of_key(random: RandomKey) -> Type.Struct | None:
    """The schema of a key, through the request that it is sent in."""
    document = json.loads(generate([random.model], ["json"])["tables.json"])
    [body] = document["requests"]
    request = CreateTableRequest.from_json(json.dumps(body))
    if "row_key_schema" not in request.table:
        [note] = document["notes"]
        assert note.startswith("Table t has no rowKeySchema. Row")
        return None
    assert not document["notes"]
    return request.table.row_key_schema


def assert_reads_every_key(random: RandomKey, seed: int) -> None:
    """Where the key has a schema, it reads every key as the values that it was made from, in their order."""
    schema = schema_of_key(random)
    if schema is None:
        return
    fields = {field.name: field for field in random.key.fields}
    rows = random.rows(seed, 60)
    for raw, values in rows.items():
        wanted = {
            name: as_sql_has_it(field.codec, values[name]) if field.asked else field.constant
            for name, field in fields.items()
            if field.derived is None
        }
        read = decoded(schema, raw)
        assert {name: read[name] for name in wanted} == wanted
        assert list(read) == list(fields)
    in_order = [tuple(decoded(schema, raw).values()) for raw in sorted(rows)]
    assert all(first < second for first, second in pairwise(in_order))


@given(random=random_keys(), seed=st.integers(0, 2**32))
def test_a_schema_reads_every_key_of_any_model(random: RandomKey, seed: int) -> None:
    """Of whatever key: a schema is given only where it reads every key as its values, and sorts as they do."""
    assert_reads_every_key(random, seed)


NULS = ["", "a", "ab", "b#", "\0", "a\0", "\0\0a", "a\0b"]
POOLS: list[tuple[KeyCodec[Any], list[Any]]] = [
    (Text(max_length=4), TEXTS),
    (Text(max_length=4, min_length=0), ["", "a", "ab", "b", " "]),
    (Text(max_length=4, holds_delimiter=True), TEXTS),
    (Text(width=2), TEXTS),
    (Text(width=2, min_length=2), TEXTS),
    (Bytes(max_length=3), PIECES),
    (Bytes(width=2), PIECES),
    (EscapedText(4, min_length=1), NULS),
    (EscapedText(4), NULS),
    (EscapedBytes(3, min_length=1), PIECES),
    (EnumText(Side), list(Side)),
    (HexDigest(2), ["00", "ff", "a0"]),
    (UuidText(), UUIDS),
    (UuidRaw(), UUIDS),
    (OrderedInt(), [0, -1, 63, 64, -64, -65, 8191, 8192, 2**63 - 1, -(2**63), 300]),
    (Constant("LoL"), ["LoL"]),
]


DELIMITERS = [b"\x1f", b"\0", b"\0\x01", b"\x1f#", b"  ", b"#", b""]
ESCAPED = [pool for pool in POOLS if isinstance(pool[0], EscapedText | EscapedBytes)]


@st.composite
def readable_keys(draw: st.DrawFn) -> RandomKey:
    """Keys of codecs that Bigtable has encodings for, with delimiters that they may or may not fit."""
    chosen = draw(st.lists(st.sampled_from(POOLS), min_size=1, max_size=3))
    delimiter = draw(st.sampled_from(DELIMITERS))
    if draw(st.booleans()):
        # Mostly ordered code: escaped fields in front.
        chosen = [*draw(st.lists(st.sampled_from(ESCAPED), min_size=1, max_size=2)), chosen[0]]
        delimiter = draw(st.sampled_from([b"", b"", b"#"]))
    key = key_of(*(codec for codec, _ in chosen), delimiter=delimiter)
    if not key.asked:
        return draw(readable_keys())
    pools = {
        part.name: [value for value in pool if _fits(part.codec, value)]
        for part, (_, pool) in zip(key.fields, chosen, strict=True)
        if part.constant is None
    }
    return RandomKey(key, pools)


def _fits(codec: KeyCodec[Any], value: Any) -> bool:
    try:
        codec.encode(value)
    except bt.ValueRefused:
        return False
    return True


@given(random=readable_keys(), seed=st.integers(0, 2**32))
def test_a_schema_reads_every_key_that_may_have_one(random: RandomKey, seed: int) -> None:
    """The same, of keys that are more often than not nearly in one of Bigtable's encodings."""
    assert_reads_every_key(random, seed)


@pytest.mark.parametrize(
    ("codecs", "delimiter", "encoding"),
    [
        ([Text(max_length=4)], b"#", {"singleton": {}}),
        ([OrderedInt()], b"#", {"singleton": {}}),
        ([Bytes(width=2)], b"#", {"singleton": {}}),
        ([Text(max_length=4), UuidText()], b"\x1f", {"delimitedBytes": {"delimiter": "Hw=="}}),
        ([Text(max_length=4), Text(max_length=2)], b"\0\x01", {"delimitedBytes": {"delimiter": "AAE="}}),
        ([EscapedText(4, min_length=1), Text(max_length=2)], b"", {"orderedCodeBytes": {}}),
    ],
)
def test_keys_in_bigtables_encodings_have_a_schema(
    codecs: Sequence[KeyCodec[Any]], delimiter: bytes, encoding: dict[str, Any]
) -> None:
    """A single field, fields above their delimiter, and escaped fields are read as they are."""
    schema, reasons = row_key_schema([model_of(key_of(*codecs, delimiter=delimiter))])
    assert reasons == []
    assert schema is not None
    assert schema["encoding"] == encoding


@pytest.mark.parametrize(
    ("codecs", "delimiter", "reason"),
    [
        (
            [Text(width=6)],
            b"#",
            "Row.k0: 6 bytes, padded with spaces, which would be read as a part of the value",
        ),
        ([DateText()], b"#", "Row.k0: no encoding of Bigtable's reads 8 digits: year, month, day"),
        ([PaddedInt(4)], b"#", "Row.k0: no encoding of Bigtable's reads 4 digits, zeros on the left"),
        ([BigEndian(8)], b"#", "Row.k0: no encoding of Bigtable's reads 8 bytes, unsigned, big-endian"),
        (
            [BigEndian(8, signed=True)],
            b"#",
            "Row.k0: no encoding of Bigtable's reads 8 bytes, signed, big-endian",
        ),
        (
            [Text(max_length=4), UuidText()],
            b"#",
            "Row: `k0` may hold a space, '!' or '\"', and delimited fields may hold only what sorts above '#'",
        ),
        (
            [Text(max_length=4), Text(max_length=9), UuidText()],
            b"!",
            "Row: `k0`, `k1` may hold a space, and delimited fields may hold only what sorts above '!'",
        ),
        (
            [Text(max_length=4), Bytes(width=2)],
            b"\x1f",
            "Row: `k1` may hold the byte 00, the byte 01, the byte 02 and others, and delimited fields may hold only "
            "what sorts above the byte 1f",
        ),
        (
            [UuidText(), UuidText()],
            b"-#",
            "Row: `k0`, `k1` may hold '-', and delimited fields may hold only what sorts above '-'",
        ),
        (
            [Bytes(width=2), UuidText()],
            b"",
            "Row: between its fields stand 0 bytes, and a delimiter has 1 to 50",
        ),
        ([EscapedText(4)], b"", "Row.k0: it has an end of its own, 00 01"),
        (
            [EscapedText(4), Text(max_length=2)],
            b"",
            "Row.k0: it may be empty, which ordered code writes as 00 00",
        ),
        (
            [EscapedText(4, min_length=1), Text(max_length=2)],
            b"#",
            "Row.k0: ordered code puts 00 01 after it",
        ),
        ([EscapedText(4, min_length=1), Bytes(width=2)], b"", "Row.k1: it may hold bytes 00"),
        (
            [EscapedText(4, min_length=1), Text(max_length=2, min_length=0)],
            b"",
            "Row.k1: it may be empty, and ordered code leaves out an empty last field",
        ),
    ],
)
def test_other_keys_have_a_reason(codecs: Sequence[KeyCodec[Any]], delimiter: bytes, reason: str) -> None:
    """What no encoding reads as the value is named, with the field and the reason."""
    schema, reasons = row_key_schema([model_of(key_of(*codecs, delimiter=delimiter))])
    assert schema is None
    assert any(one.startswith(reason) for one in reasons), reasons


class Mine(Text):
    """A codec of somebody else's that is derived from one of ours, and may write whatever it likes."""


class First(bt.Model, table="both"):
    """A key that has a schema."""

    name: str = bt.key(bt.Text(max_length=4))
    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


class Second(bt.Model, table="both"):
    """A key of another field in the same table."""

    d: str = bt.key(bt.Text(max_length=4))
    f = bt.family("f", gc=bt.max_versions(1))
    value: int = bt.column("v", f)


class Lacking(bt.Model, table="lacking", delimiter="\x1f"):
    """A last field that not every row has."""

    name: str = bt.key(bt.Text(max_length=4))
    day: date | None = bt.key(bt.DateText(), default=None)
    d = bt.family("d", gc=bt.max_versions(1))
    value: int = bt.column("v", d)


def test_a_schema_holds_for_all_rows_of_the_table() -> None:
    """No schema where another model writes other keys, where rows lack a field, or where a name is taken."""
    schemas = [bt.schema_of(model) for model in (First, Second)]
    assert row_key_schema(schemas[:1])[0] is not None
    [taken] = row_key_schema(schemas)[1]
    assert taken.startswith("Second.d: the name is that of a family")
    assert "Lacking.day: not every row has it" in row_key_schema([bt.schema_of(Lacking)])[1]
    shapes = [model_of(key_of(Text(max_length=3))), model_of(key_of(Bytes(max_length=3)))]
    assert row_key_schema(shapes) == (None, ["Row and Row write keys of different shapes"])
    assert row_key_schema([model_of(key_of(Mine(max_length=3)))])[0] is None


@case
def test_every_table_of_the_json_has_a_schema_or_a_reason(folder: Path) -> None:
    """A table has a row key schema, or a sentence among the notes; never both, and never neither."""
    document = json.loads(generate(load(folder), ["json"])["tables.json"])
    with_schema = {one["tableId"] for one in document["requests"] if "rowKeySchema" in one["table"]}
    with_reason = {note.split()[1] for note in document["notes"]}
    assert with_schema | with_reason == {one["tableId"] for one in document["requests"]}
    assert not with_schema & with_reason
