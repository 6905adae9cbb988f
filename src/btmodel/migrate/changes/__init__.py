"""The kinds of change, a file for each thing that they are about: the change, and the function that finds it.

A new kind is a class and a function there, its lines below, and, where it needs a call of its own, that
call in ``btmodel.migrate.instance``.
"""

from collections.abc import Callable, Iterator

from btmodel.migrate.changes import gc_rules, layouts, renames, settings, tables
from btmodel.migrate.changes.base import UNKNOWN, Change, Drift, Effect, Facts, FamilyChange, Phase
from btmodel.migrate.changes.gc_rules import ChangeGc
from btmodel.migrate.changes.layouts import (
    ChangeCodec,
    ChangeKey,
    Forget,
    RecordLayouts,
    RequireColumn,
    UndeclaredLayout,
)
from btmodel.migrate.changes.renames import (
    AbandonFamily,
    AbandonTable,
    CopyChange,
    CopyFamily,
    CopyTable,
    DropCopiedFamily,
    DropCopiedTable,
    RenamedFamily,
    RenamedTable,
    ReuseFamily,
    ReuseTable,
    copies,
)
from btmodel.migrate.changes.settings import (
    AutomatedBackups,
    ChangeStream,
    EditKeySchema,
    Protect,
    RemoveKeySchema,
    SetKeySchema,
    SettingChange,
    TieredStorage,
    UndeclaredSetting,
    Unprotect,
)
from btmodel.migrate.changes.tables import (
    AddFamily,
    ChangeAggregate,
    CreateTable,
    DropFamily,
    DropTable,
    UndeclaredFamily,
    UndeclaredTable,
    UndeclaredValueType,
)
from btmodel.schema import Table

Find = Callable[[Table | None, Table | None, Facts], Iterator[Change]]

# In the order in which a table is dealt with: what is added before what is changed before what goes.
# Protection is found here, and put first or last by the plan.
FINDERS: tuple[Find, ...] = (
    tables.find_new_table,
    tables.find_added_family,
    renames.find_copy,
    gc_rules.find,
    tables.find_aggregate,
    layouts.find_key,
    layouts.find_codec,
    layouts.find_required_column,
    renames.find_reuse,
    settings.find_stream,
    settings.find_backups,
    settings.find_tiered_storage,
    settings.find,
    settings.find_protection,
    renames.find_renamed,
    tables.find_undeclared_family,
    tables.find_undeclared_table,
    settings.find_undeclared_setting,
    tables.find_value_type,
    layouts.find_undeclared_layout,
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
    "CopyChange",
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
    "Phase",
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
    "copies",
]
