"""Table DDL as JSON: the body of a ``CreateTableRequest`` of the Admin API for each table.

A row key schema is part of it wherever Bigtable's own encodings read the key, unless the table is stated to have
none; ``notes`` say why where not.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from btmodel.design.related_tables import by_table
from btmodel.schema import (
    Aggregate,
    AuthorizedView,
    Family,
    GcRule,
    Intersection,
    KeepAll,
    MaxAge,
    MaxVersions,
    ModelSchema,
    SchemaBundle,
    Table,
    TableSettings,
    TableView,
    Union,
    tables,
)
from btmodel.schema.gc import simplified
from btmodel.schema.key_schema import row_key_schema
from btmodel_codegen.marks import mark

FILE = "tables.json"


def files(models: Sequence[ModelSchema]) -> dict[str, str]:
    """The requests that create the tables of ``models``."""
    requests: list[dict[str, Any]] = []
    notes: list[str] = []
    sharing = by_table(models)
    for table in tables(models):
        schema, reasons = row_key_schema(sharing[table.id])
        if table.settings.row_key_schema == "":
            schema, reasons = None, ["Its models state that it has none"]
        requests.append({"tableId": table.id, "table": _table(table, schema)})
        if schema is None:
            notes.append(f"Table {table.id} has no rowKeySchema. {'; '.join(reasons)}.")
    document: dict[str, Any] = {
        "about": f"{mark(FILE)}: CreateTableRequest bodies.",
        "notes": notes,
        "requests": requests,
    }
    more = {
        "viewRequests": [_view(view) for table in tables(models) for view in table.views],
        "authorizedViewRequests": [
            {"table": table.id, "authorizedViewId": view.id, "authorizedView": authorized_json(view)}
            for table in tables(models)
            for view in table.authorized
        ],
        "schemaBundleRequests": [
            {"table": table.id, "schemaBundleId": bundle.id, "schemaBundle": _bundle(bundle)}
            for table in tables(models)
            for bundle in table.bundles
        ],
    }
    said = [f"{_REQUESTS[name]} bodies" for name, found in more.items() if found]
    if said:
        document["about"] = f"{mark(FILE)}: CreateTableRequest bodies, and {', '.join(said)} for after them."
        document |= {name: found for name, found in more.items() if found}
    return {FILE: json.dumps(document, indent=2, ensure_ascii=False) + "\n"}


_REQUESTS = {
    "viewRequests": "CreateMaterializedViewRequest",
    "authorizedViewRequests": "CreateAuthorizedViewRequest",
    "schemaBundleRequests": "CreateSchemaBundleRequest",
}


def authorized_json(view: AuthorizedView) -> dict[str, Any]:
    """An authorized view as the JSON form of ``google.bigtable.admin.v2.AuthorizedView``."""
    subsets = {
        subset.family: {
            name: list(map(_encoded, raws))
            for name, raws in (("qualifiers", subset.qualifiers), ("qualifierPrefixes", subset.prefixes))
            if raws
        }
        for subset in view.subsets
    }
    subset = {"rowPrefixes": list(map(_encoded, view.row_prefixes)), "familySubsets": subsets}
    protection = {} if view.deletion_protection is None else {"deletionProtection": view.deletion_protection}
    return {"subsetView": subset, **protection}


def _bundle(bundle: SchemaBundle) -> dict[str, Any]:
    return {"protoSchema": {"protoDescriptors": _encoded(bundle.descriptors)}}


def _encoded(raw: bytes) -> str:
    return b64encode(raw).decode()


def _view(view: TableView) -> dict[str, Any]:
    protection = {} if view.deletion_protection is None else {"deletionProtection": view.deletion_protection}
    return {"materializedViewId": view.id, "materializedView": {"query": view.query, **protection}}


def _table(table: Table, schema: dict[str, Any] | None) -> dict[str, Any]:
    families = {family.id: _family(family) for family in table.families}
    key = {"rowKeySchema": schema} if schema else {}
    return {"columnFamilies": families, **_settings(table.settings), **key}


def _settings(settings: TableSettings) -> dict[str, Any]:
    """What is stated of the table besides its families; a new table has nothing that is not asked for."""
    found: dict[str, Any] = {}
    if settings.deletion_protection is not None:
        found["deletionProtection"] = settings.deletion_protection
    if settings.change_stream:
        found["changeStreamConfig"] = {"retentionPeriod": duration_json(settings.change_stream)}
    if settings.automated_backups:
        # Daily, which is the only frequency that there is, and what none means.
        found["automatedBackupPolicy"] = {"retentionPeriod": duration_json(settings.automated_backups)}
    if settings.tiered_storage:
        rule = {"includeIfOlderThan": duration_json(settings.tiered_storage)}
        found["tieredStorageConfig"] = {"infrequentAccess": rule}
    return found


def _family(family: Family) -> dict[str, Any]:
    kept = simplified(family.gc or KeepAll())
    rule = {} if isinstance(kept, KeepAll) else {"gcRule": rule_json(kept)}
    return {**rule, **_value_type(family.aggregate)}


def _value_type(aggregate: Aggregate | None) -> dict[str, Any]:
    """What an aggregate family holds; plain cells need no type."""
    if aggregate is None:
        return {}
    number: dict[str, Any] = {"int64Type": {"encoding": {"bigEndianBytes": {}}}}
    return {"valueType": {"aggregateType": {"inputType": number, aggregate.value: {}}}}


def rule_json(rule: GcRule) -> dict[str, Any]:
    """A GC rule as the JSON form of ``google.bigtable.admin.v2.GcRule``."""
    match rule:
        case MaxVersions(versions):
            return {"maxNumVersions": versions}
        case MaxAge(age):
            return {"maxAge": duration_json(age)}
        case Union(rules):
            return {"union": {"rules": [rule_json(rule) for rule in rules]}}
        case Intersection(rules):
            return {"intersection": {"rules": [rule_json(rule) for rule in rules]}}
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def duration_json(period: timedelta) -> str:
    """A length of time as the JSON form of ``google.protobuf.Duration``."""
    seconds, micros = period.days * 86_400 + period.seconds, period.microseconds
    return f"{seconds}.{micros:06d}s" if micros else f"{seconds}s"
