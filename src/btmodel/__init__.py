"""btmodel: the ORM of Google Cloud Bigtable. See the README for where to begin."""

from typing import TYPE_CHECKING

from btmodel.client import connect, connect_async
from btmodel.codecs.cell import (
    CellCodec,
    DecimalNumber,
    DecimalText,
    EnumValue,
    Flag,
    Float64,
    FloatText,
    Int64,
    IsoDate,
    Micros,
    Raw,
    Utf8,
    UuidBytes,
)
from btmodel.codecs.key import (
    DateText,
    EpochMicros,
    EpochMillis,
    EpochSeconds,
    Int,
    IsoWeek,
    KeyCodec,
    PaddedInt,
    Text,
    TimeText,
    Week,
)
from btmodel.declare import (
    Model,
    column,
    constant,
    family,
    history,
    key,
    key_of,
    query,
    schema_of,
    unknown_cells,
)
from btmodel.errors import (
    BtmodelError,
    DeclarationError,
    FailedRow,
    GenerationError,
    MigrationError,
    MigrationFailed,
    MissingFamily,
    MissingTable,
    QueryRefused,
    SchemaConflict,
    ServerError,
    SettingsError,
    UndecodableCell,
    UndecodableKey,
    ValueRefused,
    WriteFailed,
)
from btmodel.rows.history import History
from btmodel.schema.gc import keep_all, max_age, max_versions

if TYPE_CHECKING:
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database

__all__ = [
    "AsyncDatabase",
    "BtmodelError",
    "CellCodec",
    "Database",
    "DateText",
    "DecimalNumber",
    "DecimalText",
    "DeclarationError",
    "EnumValue",
    "EpochMicros",
    "EpochMillis",
    "EpochSeconds",
    "FailedRow",
    "Flag",
    "Float64",
    "FloatText",
    "GenerationError",
    "History",
    "Int",
    "Int64",
    "IsoDate",
    "IsoWeek",
    "KeyCodec",
    "Micros",
    "MigrationError",
    "MigrationFailed",
    "MissingFamily",
    "MissingTable",
    "Model",
    "PaddedInt",
    "QueryRefused",
    "Raw",
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


def __getattr__(name: str) -> object:
    """The connections, loaded when they are asked for: Google's client takes most of a second to import."""
    if name in ("AsyncDatabase", "Database"):
        from btmodel.client._async.database import AsyncDatabase
        from btmodel.client._sync.database import Database

        return AsyncDatabase if name == "AsyncDatabase" else Database
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
