"""Tables as plain data, for revision files, saved plans and records, and back.

What is written is a contract on disk: later versions read what earlier ones wrote.
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any, cast

import attrs

from btmodel.errors import DeclarationError, reason
from btmodel.schema.column import Aggregate, Family, OtherAggregate
from btmodel.schema.gc import GcRule, GivenAge, Intersection, KeepAll, MaxAge, MaxVersions, Union, age_text
from btmodel.schema.layout import CellLayout, KeyPart, Layout
from btmodel.schema.limits import FAMILY_ID, FAMILY_ID_MEANING, PERIODS, TABLE_ID, TABLE_ID_MEANING
from btmodel.schema.model import TableSettings
from btmodel.schema.names import placeholders, sample
from btmodel.schema.table import Table
from btmodel.schema.view import AuthorizedView, FamilySubset, SchemaBundle, TableView
from btmodel.words import as_text, raw_key

_AGE = re.compile(r"(\d{1,20})(d|h|m|s|ms|us)")
_UNITS = {
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
    "ms": timedelta(milliseconds=1),
    "us": timedelta(microseconds=1),
}
_DEEPEST = 100  # rules in one another; the service takes no more than fit into 500 bytes
# What stands in front of a codec; nothing where an older version wrote it, which did not say.
_REQUIRED = {True: "required ", False: "optional ", None: ""}


def as_data(tables: Iterable[Table]) -> dict[str, Any]:
    """``tables`` by their ids, as values that JSON and TOML can write: no None anywhere."""
    return {table.id: _table(table) for table in tables}


def from_data(data: object, where: str) -> tuple[Table, ...]:
    """The tables that :func:`as_data` gave ``data`` for, in the order of their ids.

    ``where`` says in errors what was read. Raises :class:`DeclarationError`, with the place.
    """
    try:
        tables = _read(data, where)
        return tuple(_read_table(id, tables[id], f"{where}: table {id!r}") for id in sorted(tables))
    except RecursionError:
        raise DeclarationError(f"{where}: values are nested too deep to be read") from None


def _table(table: Table) -> dict[str, Any]:
    settings = {
        name: age_text(value) if isinstance(value, timedelta) else value
        for name, value in attrs.asdict(table.settings).items()
        if value is not None
    }
    data: dict[str, Any] = {"families": {family.id: _family(family) for family in table.families}}
    if table.renamed_from is not None:
        data["renamed_from"] = table.renamed_from
    if settings:
        data["settings"] = settings
    if table.layouts:
        data["models"] = {layout.model: _layout(layout) for layout in table.layouts}
    if table.views:
        data["views"] = {view.id: _view(view) for view in table.views}
    if table.authorized:
        data["authorized_views"] = {view.id: _authorized(view) for view in table.authorized}
    if table.bundles:
        data["schema_bundles"] = {bundle.id: _bundle(bundle) for bundle in table.bundles}
    return data


def _authorized(view: AuthorizedView) -> dict[str, Any]:
    columns = {
        subset.family: {
            "qualifiers": [as_text(name) for name in subset.qualifiers],
            "prefixes": [as_text(name) for name in subset.prefixes],
        }
        for subset in view.subsets
    }
    data: dict[str, Any] = {"rows": [as_text(prefix) for prefix in view.row_prefixes], "columns": columns}
    if view.deletion_protection is not None:
        data["deletion_protection"] = view.deletion_protection
    return data


def _bundle(bundle: SchemaBundle) -> dict[str, Any]:
    # What the descriptors say is written beside them for people; only they are read.
    return {"messages": str(bundle), "descriptors": b64encode(bundle.descriptors).decode()}


def _view(view: TableView) -> dict[str, Any]:
    data: dict[str, Any] = {"query": view.query}
    if view.deletion_protection is not None:
        data["deletion_protection"] = view.deletion_protection
    return data


def _family(family: Family) -> dict[str, Any]:
    data: dict[str, Any] = {"gc": rule_data(family.gc or KeepAll())}
    if family.aggregate is not None:
        data["aggregate"] = family.aggregate.value
    if family.value_type is not None:
        data["value_type"] = family.value_type
    if family.renamed_from is not None:
        data["renamed_from"] = family.renamed_from
    return data


def rule_data(rule: GcRule) -> dict[str, Any]:
    """A GC rule as plain data: ``{"max_versions": 1}``, ``{"max_age": "7d"}``, ``{"union": [...]}``."""
    match rule:
        case MaxVersions(versions):
            return {"max_versions": versions}
        case GivenAge():
            return {"max_age": rule.text}
        case MaxAge(age):
            return {"max_age": age_text(age)}
        case Union(rules):
            return {"union": [rule_data(part) for part in rules]}
        case Intersection(rules):
            return {"intersection": [rule_data(part) for part in rules]}
        case _:
            return {"keep": "everything"}


def _layout(layout: Layout) -> dict[str, Any]:
    data: dict[str, Any] = {
        "key": [{"name": part.name, "codec": part.codec, "behind": part.behind} for part in layout.key],
        "cells": {cell.cell: f"{_REQUIRED[cell.required]}{cell.codec}" for cell in layout.cells},
    }
    # Older versions wrote none.
    attributes = {cell.cell: cell.attribute for cell in layout.cells if cell.attribute is not None}
    return {**data, "attributes": attributes} if attributes else data


def _read_table(id: str, data: object, where: str) -> Table:
    parts = {"views": dict, "authorized_views": dict, "schema_bundles": dict}
    given = _read(data, where, families=dict, renamed_from=str, settings=dict, models=dict, **parts)
    _read_id(id, TABLE_ID, TABLE_ID_MEANING, where)
    families = _read(given.get("families", {}), f"{where}, families")
    models = _read(given.get("models", {}), f"{where}, models")
    return Table(
        id,
        tuple(_read_family(name, families[name], f"{where}, family {name!r}") for name in sorted(families)),
        _read_settings(given.get("settings", {}), f"{where}, settings"),
        tuple(_read_layout(name, models[name], f"{where}, model {name!r}") for name in sorted(models)),
        given.get("renamed_from"),
        views=_read_views(given.get("views", {}), f"{where}, views"),
        authorized=_read_authorized(given.get("authorized_views", {}), f"{where}, authorized_views"),
        bundles=_read_bundles(given.get("schema_bundles", {}), f"{where}, schema_bundles"),
    )


def _read_authorized(data: object, where: str) -> tuple[AuthorizedView, ...]:
    views = _read(data, where)
    return tuple(_read_authorized_view(id, views[id], f"{where}, {id!r}") for id in sorted(views))


def _read_authorized_view(id: str, data: object, where: str) -> AuthorizedView:
    _read_id(id, TABLE_ID, TABLE_ID_MEANING, where)
    given = _read(data, where, rows=list, columns=dict, deletion_protection=bool)
    columns = _read(given.get("columns", {}), f"{where}, columns")
    subsets = []
    for family in sorted(columns):
        place = f"{where}, family {family!r}"
        _read_id(family, FAMILY_ID, FAMILY_ID_MEANING, place)
        found = _read(columns[family], place, qualifiers=list, prefixes=list)
        subsets.append(
            FamilySubset(family, *(_raws(found, name, place) for name in ("qualifiers", "prefixes")))
        )
    return AuthorizedView(id, _raws(given, "rows", where), tuple(subsets), given.get("deletion_protection"))


def _raws(given: Mapping[str, Any], name: str, where: str) -> tuple[bytes, ...]:
    texts = given.get(name, [])
    if not all(isinstance(text, str) for text in texts):
        raise DeclarationError(f"{where}, {name}: expected texts, got {texts!r}")
    return tuple(raw_key(text) for text in texts)


def _read_bundles(data: object, where: str) -> tuple[SchemaBundle, ...]:
    bundles = _read(data, where)
    return tuple(_read_bundle(id, bundles[id], f"{where}, {id!r}") for id in sorted(bundles))


def _read_bundle(id: str, data: object, where: str) -> SchemaBundle:
    _read_id(id, TABLE_ID, TABLE_ID_MEANING, where)
    given = _read(data, where, messages=str, descriptors=str)
    try:
        bundle = SchemaBundle(id, b64decode(given["descriptors"], validate=True))
        bundle.entries()
    except Exception as error:  # of base64, and of protobuf
        raise DeclarationError(f"{where}: expected a FileDescriptorSet in base64: {reason(error)}") from None
    return bundle


def _read_views(data: object, where: str) -> tuple[TableView, ...]:
    views = _read(data, where)
    found = {
        id: _read(views[id], f"{where}, {id!r}", query=str, deletion_protection=bool) for id in sorted(views)
    }
    for id, given in found.items():
        _read_id(id, TABLE_ID, TABLE_ID_MEANING, f"{where}, {id!r}")
        if "query" not in given:
            raise DeclarationError(f"{where}, {id!r}: expected its query")
    return tuple(
        TableView(id, given["query"], given.get("deletion_protection")) for id, given in found.items()
    )


def _read_id(id: str, form: re.Pattern[str], meaning: str, where: str) -> None:
    if not form.fullmatch(sample(id)):
        raise DeclarationError(f"{where}: expected an id of {meaning}")


def _read_family(id: str, data: object, where: str) -> Family:
    given = _read(data, where, gc=dict, aggregate=str, value_type=str, renamed_from=str)
    _read_id(id, FAMILY_ID, FAMILY_ID_MEANING, where)
    value_type = given.get("value_type")
    return Family(
        id,
        _read_rule(given.get("gc"), f"{where}, gc"),
        _read_aggregate(given.get("aggregate"), where, other=value_type is not None),
        given.get("renamed_from"),
        value_type=value_type,
    )


def _read_aggregate(name: str | None, where: str, *, other: bool) -> Aggregate | None:
    """How a family aggregates; ``other`` describes in full a type that cannot be declared."""
    known = [aggregate.value for aggregate in Aggregate]
    if name is None or name in known:
        return None if name is None else Aggregate(name)
    if other:
        return cast("Aggregate", OtherAggregate(name))
    raise DeclarationError(f"{where}: aggregate: expected one of {', '.join(known)}, got {name!r}")


def _read_rule(data: object, where: str, depth: int = 1) -> GcRule:
    if depth > _DEEPEST:
        raise DeclarationError(
            f"{where}: rules are nested too deep to be read: expected up to {_DEEPEST} in one another"
        )
    match data:
        case {"max_versions": int(versions)}:
            try:
                return MaxVersions(versions)
            except DeclarationError as error:
                raise DeclarationError(f"{where}: {error}") from None
        case {"max_age": str(age)} if placeholders(age):
            return GivenAge(age)
        case {"max_age": str(age)}:
            return MaxAge(_read_age(age, where))
        case {"union": list(rules)}:
            return Union(tuple(_read_rule(rule, where, depth + 1) for rule in rules))
        case {"intersection": list(rules)}:
            return Intersection(tuple(_read_rule(rule, where, depth + 1) for rule in rules))
        case {"keep": "everything"}:
            return KeepAll()
        case _:
            raise DeclarationError(
                f'{where}: expected max_versions, max_age, union, intersection, or keep = "everything", '
                f"got {data!r}"
            )


def _read_settings(data: object, where: str) -> TableSettings:
    kinds = {"deletion_protection": bool, "row_key_schema": str, **dict.fromkeys(PERIODS, str)}
    given = _read(data, where, **kinds)
    periods = {name: _read_age(given[name], f"{where}, {name}") for name in PERIODS if name in given}
    return TableSettings(**{**given, **periods})


def _read_layout(model: str, data: object, where: str) -> Layout:
    given = _read(data, where, key=list, cells=dict, attributes=dict)
    parts = [_read(part, f"{where}, key", name=str, codec=str, behind=str) for part in given.get("key", ())]
    for part in parts:
        if len(part) < 3:
            raise DeclarationError(
                f"{where}, key: expected name, codec and behind of each part, got {part!r}"
            )
    cells = _read(given.get("cells", {}), f"{where}, cells")
    attributes = given.get("attributes", {})
    names = _read(attributes, f"{where}, attributes", **dict.fromkeys(attributes, str))
    return Layout(
        model,
        tuple(KeyPart(part["codec"], part["behind"], part["name"]) for part in parts),
        tuple(_read_cell(name, str(cells[name]), names.get(name)) for name in sorted(cells)),
    )


def _read_cell(name: str, text: str, attribute: str | None) -> CellLayout:
    for required, word in _REQUIRED.items():
        if word and text.startswith(word):
            return CellLayout(name, text.removeprefix(word), required, attribute)
    return CellLayout(name, text, attribute=attribute)


def _read_age(text: str, where: str) -> timedelta:
    match = _AGE.fullmatch(text)
    if match is None:
        raise DeclarationError(f'{where}: expected a time such as "7d", "36h" or "1500ms", got {text!r}')
    try:
        return int(match[1]) * _UNITS[match[2]]
    except OverflowError:
        raise DeclarationError(
            f"{where}: expected a time of up to {timedelta.max.days}d, got {text!r}"
        ) from None


def _read(data: object, where: str, **kinds: type) -> Mapping[str, Any]:
    """``data`` as a mapping; where ``kinds`` are given, with no other keys, and values of these types."""
    if not isinstance(data, Mapping):
        raise DeclarationError(f"{where}: expected names and values, got {data!r}")
    for name, value in data.items():
        if kinds and name not in kinds:
            raise DeclarationError(f"{where}: {name!r} is not known: expected {', '.join(kinds)}")
        if kinds and type(value) is not kinds[name]:
            raise DeclarationError(f"{where}, {name}: expected {_NAMES[kinds[name]]}, got {value!r}")
    return data


_NAMES = {bool: "true or false", dict: "names and values", list: "a list", str: "a text"}
