"""The kinds of change, one file each: the change, and the function that finds it.

A new kind is a new file, its lines below, and, where it needs a call of its own, that
call in ``btmodel.migrate.calls``.
"""

from collections.abc import Callable, Iterator

from btmodel.migrate.changes import (
    add_family,
    automated_backups,
    change_aggregate,
    change_codec,
    change_gc,
    change_key,
    change_stream,
    copy,
    create_table,
    protection,
    renamed,
    require_column,
    reuse,
    row_key_schema,
    tiered_storage,
    undeclared_family,
    undeclared_layout,
    undeclared_setting,
    undeclared_table,
    undeclared_value_type,
)
from btmodel.migrate.changes.add_family import AddFamily
from btmodel.migrate.changes.automated_backups import AutomatedBackups
from btmodel.migrate.changes.base import Change, Drift, Effect, FamilyChange
from btmodel.migrate.changes.change_aggregate import ChangeAggregate
from btmodel.migrate.changes.change_codec import ChangeCodec
from btmodel.migrate.changes.change_gc import ChangeGc
from btmodel.migrate.changes.change_key import ChangeKey
from btmodel.migrate.changes.change_stream import ChangeStream
from btmodel.migrate.changes.copy import CopyFamily, CopyTable
from btmodel.migrate.changes.create_table import CreateTable
from btmodel.migrate.changes.facts import UNKNOWN, Facts
from btmodel.migrate.changes.protection import Protect, Unprotect
from btmodel.migrate.changes.record_layouts import RecordLayouts
from btmodel.migrate.changes.renamed import (
    AbandonFamily,
    AbandonTable,
    DropCopiedFamily,
    DropCopiedTable,
    RenamedFamily,
    RenamedTable,
)
from btmodel.migrate.changes.require_column import RequireColumn
from btmodel.migrate.changes.reuse import ReuseFamily, ReuseTable
from btmodel.migrate.changes.row_key_schema import EditKeySchema, RemoveKeySchema, SetKeySchema
from btmodel.migrate.changes.setting import SettingChange
from btmodel.migrate.changes.tiered_storage import TieredStorage
from btmodel.migrate.changes.undeclared_family import DropFamily, UndeclaredFamily
from btmodel.migrate.changes.undeclared_layout import Forget, UndeclaredLayout
from btmodel.migrate.changes.undeclared_setting import UndeclaredSetting
from btmodel.migrate.changes.undeclared_table import DropTable, UndeclaredTable
from btmodel.migrate.changes.undeclared_value_type import UndeclaredValueType
from btmodel.schema import Table

# What is harmless where the table holds no row: each says in ``empty`` whether it was found so.
HarmlessIfEmpty = ChangeKey | ChangeCodec | RequireColumn | CopyFamily | CopyTable | ReuseFamily | ReuseTable

Find = Callable[[Table | None, Table | None, Facts], Iterator[Change]]

# In the order in which a table is dealt with: what is added before what is changed before what goes.
# Protection is found here, and put first or last by the plan.
FINDERS: tuple[Find, ...] = (
    create_table.find,
    add_family.find,
    copy.find,
    change_gc.find,
    change_aggregate.find,
    change_key.find,
    change_codec.find,
    require_column.find,
    reuse.find,
    change_stream.find,
    automated_backups.find,
    tiered_storage.find,
    row_key_schema.find,
    protection.find,
    renamed.find,
    undeclared_family.find,
    undeclared_table.find,
    undeclared_setting.find,
    undeclared_value_type.find,
    undeclared_layout.find,
)

__all__ = [
    "FINDERS",
    "UNKNOWN",
    "AbandonFamily",
    "AbandonTable",
    "AddFamily",
    "AutomatedBackups",
    "Change",
    "ChangeAggregate",
    "ChangeCodec",
    "ChangeGc",
    "ChangeKey",
    "ChangeStream",
    "CopyFamily",
    "CopyTable",
    "CreateTable",
    "Drift",
    "DropCopiedFamily",
    "DropCopiedTable",
    "DropFamily",
    "DropTable",
    "EditKeySchema",
    "Effect",
    "Facts",
    "FamilyChange",
    "Forget",
    "HarmlessIfEmpty",
    "Protect",
    "RecordLayouts",
    "RemoveKeySchema",
    "RenamedFamily",
    "RenamedTable",
    "RequireColumn",
    "ReuseFamily",
    "ReuseTable",
    "SetKeySchema",
    "SettingChange",
    "TieredStorage",
    "UndeclaredFamily",
    "UndeclaredLayout",
    "UndeclaredSetting",
    "UndeclaredTable",
    "UndeclaredValueType",
    "Unprotect",
]
