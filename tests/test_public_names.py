"""The public face: what is not listed here can move tomorrow."""

import inspect

import btmodel

PUBLIC = [
    "AsInKey",
    "AsyncDatabase",
    "Base58",
    "Base64",
    "Base64Text",
    "BigEndian",
    "Boolean",
    "BtmodelError",
    "Bytes",
    "Call",
    "CellCodec",
    "Compressed",
    "Database",
    "DateText",
    "DecimalNumber",
    "DecimalText",
    "DeclarationError",
    "Descending",
    "Either",
    "EnumText",
    "EnumValue",
    "EpochMicros",
    "EpochMillis",
    "EpochSeconds",
    "EscapedBytes",
    "EscapedText",
    "FailedRow",
    "Flag",
    "FlagText",
    "Float64",
    "FloatBytes",
    "FloatText",
    "GenerationError",
    "Hex",
    "HexDigest",
    "HexInt",
    "HexText",
    "History",
    "Int",
    "Int64",
    "IntBytes",
    "IsoDate",
    "IsoWeek",
    "Json",
    "KeyCodec",
    "Kind",
    "Length",
    "LengthPrefixed",
    "LittleEndian",
    "Micros",
    "MigrationError",
    "MigrationFailed",
    "MissingFamily",
    "MissingRow",
    "MissingTable",
    "Model",
    "NotAllowed",
    "NumpyArray",
    "Order",
    "OrderedInt",
    "Packed",
    "PaddedInt",
    "Present",
    "Protobuf",
    "QueryRefused",
    "Raw",
    "RawArray",
    "Repeated",
    "ReversedDigits",
    "ReversedDomain",
    "ReversedMicros",
    "ReversedMillis",
    "ReversedSeconds",
    "SchemaConflict",
    "ServerError",
    "SettingsError",
    "SimulationRefused",
    "Slots",
    "Text",
    "TimeText",
    "Twins",
    "TwinsFailed",
    "Unanswered",
    "Unavailable",
    "UndecodableCell",
    "UndecodableKey",
    "Utf8",
    "UuidBytes",
    "UuidRaw",
    "UuidText",
    "ValueRefused",
    "Week",
    "WriteFailed",
    "column",
    "configure",
    "connect",
    "connect_async",
    "constant",
    "counter",
    "create_tables",
    "derived",
    "digest",
    "family",
    "history",
    "keep_all",
    "key",
    "key_of",
    "mapping",
    "marks",
    "max_age",
    "max_versions",
    "members",
    "mutation_of",
    "query",
    "salt",
    "schema_of",
    "slots",
    "table",
    "timestamp",
    "twins",
    "unknown_cells",
]


def test_the_public_names_are_these() -> None:
    """A public name is added or taken away on purpose, here too."""
    assert sorted(btmodel.__all__) == PUBLIC
    assert len(set(btmodel.__all__)) == len(btmodel.__all__)


def test_public_names_are_there_and_say_what_they_are() -> None:
    """Every public name can be imported and has a docstring of its own."""

    def is_documented(thing: object) -> bool:
        own = inspect.ismodule(thing) or vars(thing).get("__doc__") or thing.__doc__
        return bool(own and (inspect.getdoc(thing) or "").strip())

    wrong = [name for name in PUBLIC if not is_documented(getattr(btmodel, name))]
    assert not wrong, "\n".join(wrong)


def test_all_that_is_public_is_listed() -> None:
    """A star import gives the public names and nothing else; what is shown by ``dir`` includes them all."""
    space: dict[str, object] = {}
    exec("from btmodel import *", space)
    assert sorted(space.keys() - {"__builtins__"}) == PUBLIC
