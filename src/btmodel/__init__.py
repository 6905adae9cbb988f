"""btmodel: the ORM of Google Cloud Bigtable. See the README for where to begin."""

from types import ModuleType
from typing import TYPE_CHECKING

from btmodel.codecs import cell as _cell
from btmodel.codecs import key as _key
from btmodel.on_demand import load_on_demand

# Made by `bt.constant`, `bt.mapped`, and annotations.
_UNNAMED = ("DEFAULTS", "Constant", "MappedCell", "MappedKey", "default_codec")


def _codecs(package: ModuleType) -> str:
    """The names that a package of codecs exports, except the internal ones."""
    return " ".join(name for name in package.__all__ if name not in _UNNAMED)


# Each public name, and the module where it is. It is loaded when it is first asked for: a program pays for what it uses.
if not TYPE_CHECKING:
    __getattr__, __dir__, __all__ = load_on_demand(
        __name__,
        {
            "btmodel.client": "connect connect_async",
            "btmodel.client._async.database": "AsyncDatabase AsyncSqlRows",
            "btmodel.client._sync.database": "Database SqlRows",
            "btmodel.client.options": "Call",
            "btmodel.codecs.cell": _codecs(_cell),
            "btmodel.codecs.key": _codecs(_key),
            "btmodel.codecs.key.combined": "mapped",
            "btmodel.declare": (
                "Index Model Rollup Twins authorized_view average_of column constant count counter counters covered derived digest distinct_of expires family "
                "from_dict histories history key key_of mapping marks max_of members min_of mutation_of query replace salt schema_of slots sql_query "
                "sum_of table timed timestamp to_dict twins unknown_cells"
            ),
            "btmodel.errors": (
                "BtmodelError ChangesLost DeclarationError FailedRow GenerationError LaterRow MigrationError MigrationFailed "
                "MissingFamily MissingRow MissingTable NotAllowed QueryRefused SchemaConflict ServerError "
                "SettingsError SimulationRefused TwinsFailed Unanswered Unavailable UndecodableCell UndecodableKey "
                "ValueRefused WriteFailed"
            ),
            "btmodel.repository.change_stores": "ChangeReaders ChangeStore FileStore Seen TableStore",
            "btmodel.rows.changes": "Change",
            "btmodel.rows.collections": "History Slots Timed",
            "btmodel.rows.comparisons": (
                "Comparison absent at_least at_most between contains less_than more_than newer_than "
                "older_than one_of present"
            ),
            "btmodel.rows.conditions": "Condition",
            "btmodel.schema.gc": "keep_all max_age max_versions",
            "btmodel.settings": "configure",
            "btmodel.tables": "create_tables create_tables_async",
        },
    )
else:  # written by codegen/public_names.py
    from btmodel.client import connect as connect
    from btmodel.client import connect_async as connect_async
    from btmodel.client._async.database import AsyncDatabase as AsyncDatabase
    from btmodel.client._async.database import AsyncSqlRows as AsyncSqlRows
    from btmodel.client._sync.database import Database as Database
    from btmodel.client._sync.database import SqlRows as SqlRows
    from btmodel.client.options import Call as Call
    from btmodel.codecs.cell import Base64Text as Base64Text
    from btmodel.codecs.cell import CellCodec as CellCodec
    from btmodel.codecs.cell import Compressed as Compressed
    from btmodel.codecs.cell import DecimalNumber as DecimalNumber
    from btmodel.codecs.cell import DecimalText as DecimalText
    from btmodel.codecs.cell import Either as Either
    from btmodel.codecs.cell import EnumValue as EnumValue
    from btmodel.codecs.cell import Flag as Flag
    from btmodel.codecs.cell import FlagText as FlagText
    from btmodel.codecs.cell import Float64 as Float64
    from btmodel.codecs.cell import FloatBytes as FloatBytes
    from btmodel.codecs.cell import FloatText as FloatText
    from btmodel.codecs.cell import HexText as HexText
    from btmodel.codecs.cell import Int64 as Int64
    from btmodel.codecs.cell import IntBytes as IntBytes
    from btmodel.codecs.cell import IsoDate as IsoDate
    from btmodel.codecs.cell import IsoTime as IsoTime
    from btmodel.codecs.cell import Json as Json
    from btmodel.codecs.cell import Micros as Micros
    from btmodel.codecs.cell import NumpyArray as NumpyArray
    from btmodel.codecs.cell import Packed as Packed
    from btmodel.codecs.cell import PerEntry as PerEntry
    from btmodel.codecs.cell import Prefixed as Prefixed
    from btmodel.codecs.cell import Present as Present
    from btmodel.codecs.cell import Protobuf as Protobuf
    from btmodel.codecs.cell import Raw as Raw
    from btmodel.codecs.cell import RawArray as RawArray
    from btmodel.codecs.cell import SortedRun as SortedRun
    from btmodel.codecs.cell import TextBytes as TextBytes
    from btmodel.codecs.cell import Utf8 as Utf8
    from btmodel.codecs.cell import UuidBytes as UuidBytes
    from btmodel.codecs.key import AsInKey as AsInKey
    from btmodel.codecs.key import Base58 as Base58
    from btmodel.codecs.key import Base64 as Base64
    from btmodel.codecs.key import BigEndian as BigEndian
    from btmodel.codecs.key import Boolean as Boolean
    from btmodel.codecs.key import Bytes as Bytes
    from btmodel.codecs.key import DateText as DateText
    from btmodel.codecs.key import Descending as Descending
    from btmodel.codecs.key import EnumText as EnumText
    from btmodel.codecs.key import EpochBucket as EpochBucket
    from btmodel.codecs.key import EpochMicros as EpochMicros
    from btmodel.codecs.key import EpochMillis as EpochMillis
    from btmodel.codecs.key import EpochNanos as EpochNanos
    from btmodel.codecs.key import EpochSeconds as EpochSeconds
    from btmodel.codecs.key import EscapedBytes as EscapedBytes
    from btmodel.codecs.key import EscapedText as EscapedText
    from btmodel.codecs.key import Hex as Hex
    from btmodel.codecs.key import HexDigest as HexDigest
    from btmodel.codecs.key import HexInt as HexInt
    from btmodel.codecs.key import Int as Int
    from btmodel.codecs.key import IsoTimeText as IsoTimeText
    from btmodel.codecs.key import IsoWeek as IsoWeek
    from btmodel.codecs.key import Joined as Joined
    from btmodel.codecs.key import KeyCodec as KeyCodec
    from btmodel.codecs.key import Kind as Kind
    from btmodel.codecs.key import Length as Length
    from btmodel.codecs.key import LengthPrefixed as LengthPrefixed
    from btmodel.codecs.key import LittleEndian as LittleEndian
    from btmodel.codecs.key import Order as Order
    from btmodel.codecs.key import OrderedCode as OrderedCode
    from btmodel.codecs.key import OrderedInt as OrderedInt
    from btmodel.codecs.key import PaddedInt as PaddedInt
    from btmodel.codecs.key import Repeated as Repeated
    from btmodel.codecs.key import ReversedDigits as ReversedDigits
    from btmodel.codecs.key import ReversedDomain as ReversedDomain
    from btmodel.codecs.key import ReversedMicros as ReversedMicros
    from btmodel.codecs.key import ReversedMillis as ReversedMillis
    from btmodel.codecs.key import ReversedSeconds as ReversedSeconds
    from btmodel.codecs.key import Text as Text
    from btmodel.codecs.key import TimeBytes as TimeBytes
    from btmodel.codecs.key import TimeText as TimeText
    from btmodel.codecs.key import UuidRaw as UuidRaw
    from btmodel.codecs.key import UuidText as UuidText
    from btmodel.codecs.key import VarInt as VarInt
    from btmodel.codecs.key import Week as Week
    from btmodel.codecs.key.combined import mapped as mapped
    from btmodel.declare import Index as Index
    from btmodel.declare import Model as Model
    from btmodel.declare import Rollup as Rollup
    from btmodel.declare import Twins as Twins
    from btmodel.declare import authorized_view as authorized_view
    from btmodel.declare import average_of as average_of
    from btmodel.declare import column as column
    from btmodel.declare import constant as constant
    from btmodel.declare import count as count
    from btmodel.declare import counter as counter
    from btmodel.declare import counters as counters
    from btmodel.declare import covered as covered
    from btmodel.declare import derived as derived
    from btmodel.declare import digest as digest
    from btmodel.declare import distinct_of as distinct_of
    from btmodel.declare import expires as expires
    from btmodel.declare import family as family
    from btmodel.declare import from_dict as from_dict
    from btmodel.declare import histories as histories
    from btmodel.declare import history as history
    from btmodel.declare import key as key
    from btmodel.declare import key_of as key_of
    from btmodel.declare import mapping as mapping
    from btmodel.declare import marks as marks
    from btmodel.declare import max_of as max_of
    from btmodel.declare import members as members
    from btmodel.declare import min_of as min_of
    from btmodel.declare import mutation_of as mutation_of
    from btmodel.declare import query as query
    from btmodel.declare import replace as replace
    from btmodel.declare import salt as salt
    from btmodel.declare import schema_of as schema_of
    from btmodel.declare import slots as slots
    from btmodel.declare import sql_query as sql_query
    from btmodel.declare import sum_of as sum_of
    from btmodel.declare import table as table
    from btmodel.declare import timed as timed
    from btmodel.declare import timestamp as timestamp
    from btmodel.declare import to_dict as to_dict
    from btmodel.declare import twins as twins
    from btmodel.declare import unknown_cells as unknown_cells
    from btmodel.errors import BtmodelError as BtmodelError
    from btmodel.errors import ChangesLost as ChangesLost
    from btmodel.errors import DeclarationError as DeclarationError
    from btmodel.errors import FailedRow as FailedRow
    from btmodel.errors import GenerationError as GenerationError
    from btmodel.errors import LaterRow as LaterRow
    from btmodel.errors import MigrationError as MigrationError
    from btmodel.errors import MigrationFailed as MigrationFailed
    from btmodel.errors import MissingFamily as MissingFamily
    from btmodel.errors import MissingRow as MissingRow
    from btmodel.errors import MissingTable as MissingTable
    from btmodel.errors import NotAllowed as NotAllowed
    from btmodel.errors import QueryRefused as QueryRefused
    from btmodel.errors import SchemaConflict as SchemaConflict
    from btmodel.errors import ServerError as ServerError
    from btmodel.errors import SettingsError as SettingsError
    from btmodel.errors import SimulationRefused as SimulationRefused
    from btmodel.errors import TwinsFailed as TwinsFailed
    from btmodel.errors import Unanswered as Unanswered
    from btmodel.errors import Unavailable as Unavailable
    from btmodel.errors import UndecodableCell as UndecodableCell
    from btmodel.errors import UndecodableKey as UndecodableKey
    from btmodel.errors import ValueRefused as ValueRefused
    from btmodel.errors import WriteFailed as WriteFailed
    from btmodel.repository.change_stores import ChangeReaders as ChangeReaders
    from btmodel.repository.change_stores import ChangeStore as ChangeStore
    from btmodel.repository.change_stores import FileStore as FileStore
    from btmodel.repository.change_stores import Seen as Seen
    from btmodel.repository.change_stores import TableStore as TableStore
    from btmodel.rows.changes import Change as Change
    from btmodel.rows.collections import History as History
    from btmodel.rows.collections import Slots as Slots
    from btmodel.rows.collections import Timed as Timed
    from btmodel.rows.comparisons import Comparison as Comparison
    from btmodel.rows.comparisons import absent as absent
    from btmodel.rows.comparisons import at_least as at_least
    from btmodel.rows.comparisons import at_most as at_most
    from btmodel.rows.comparisons import between as between
    from btmodel.rows.comparisons import contains as contains
    from btmodel.rows.comparisons import less_than as less_than
    from btmodel.rows.comparisons import more_than as more_than
    from btmodel.rows.comparisons import newer_than as newer_than
    from btmodel.rows.comparisons import older_than as older_than
    from btmodel.rows.comparisons import one_of as one_of
    from btmodel.rows.comparisons import present as present
    from btmodel.rows.conditions import Condition as Condition
    from btmodel.schema.gc import keep_all as keep_all
    from btmodel.schema.gc import max_age as max_age
    from btmodel.schema.gc import max_versions as max_versions
    from btmodel.settings import configure as configure
    from btmodel.tables import create_tables as create_tables
    from btmodel.tables import create_tables_async as create_tables_async
