"""The public face: what is not listed here can move tomorrow."""

import inspect

import pytest

import btmodel

PUBLIC = [
    "AsInKey",
    "AsyncDatabase",
    "Base64Text",
    "BtmodelError",
    "CellCodec",
    "Compressed",
    "Database",
    "DateText",
    "DecimalNumber",
    "DecimalText",
    "DeclarationError",
    "Either",
    "EnumValue",
    "EpochMicros",
    "EpochMillis",
    "EpochSeconds",
    "FailedRow",
    "Flag",
    "FlagText",
    "Float64",
    "FloatBytes",
    "FloatText",
    "GenerationError",
    "HexText",
    "History",
    "Int",
    "Int64",
    "IntBytes",
    "IsoDate",
    "IsoWeek",
    "Json",
    "KeyCodec",
    "Micros",
    "MigrationError",
    "MigrationFailed",
    "MissingFamily",
    "MissingTable",
    "Model",
    "NumpyArray",
    "Packed",
    "PaddedInt",
    "Present",
    "Protobuf",
    "QueryRefused",
    "Raw",
    "RawArray",
    "SchemaConflict",
    "ServerError",
    "SettingsError",
    "Text",
    "TimeText",
    "UndecodableCell",
    "UndecodableKey",
    "Utf8",
    "UuidBytes",
    "ValueRefused",
    "Week",
    "WriteFailed",
    "column",
    "connect",
    "connect_async",
    "constant",
    "family",
    "history",
    "keep_all",
    "key",
    "key_of",
    "max_age",
    "max_versions",
    "query",
    "schema_of",
    "unknown_cells",
]


def test_the_public_names_are_these() -> None:
    """A public name is added or taken away on purpose, here too."""
    assert sorted(btmodel.__all__) == PUBLIC
    assert len(set(btmodel.__all__)) == len(btmodel.__all__)


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there_and_says_what_it_is(name: str) -> None:
    """Every public name can be imported and has a docstring of its own."""
    thing = getattr(btmodel, name)
    assert inspect.ismodule(thing) or vars(thing).get("__doc__") or thing.__doc__
    assert (inspect.getdoc(thing) or "").strip()


def test_all_that_is_public_is_listed() -> None:
    """A star import gives the public names and nothing else; what is shown by ``dir`` includes them all."""
    space: dict[str, object] = {}
    exec("from btmodel import *", space)
    assert sorted(space.keys() - {"__builtins__"}) == PUBLIC
