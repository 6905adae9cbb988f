"""The class keywords of a model: table, delimiter, events, bucket, timestamp, nodes, atomic, max_key, existing, lateness, allow.

``bt.table(...)`` declares authorized views, which are worked out of the model here.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Literal, TypeVar

from attrs import evolve, field, frozen

from btmodel.declare.declarations import as_bytes, declares, here, parsed
from btmodel.declare.problems import Problems
from btmodel.errors import DeclarationError, QueryRefused, ValueRefused
from btmodel.schema import AuthorizedView, FamilySubset, Location, ModelSchema, Query, Rate, TableSettings
from btmodel.schema.bucket import TimeBucket, bucket_of
from btmodel.schema.gc import age_text
from btmodel.schema.limits import COLD_AFTER, KEY_BYTES, PERIODS, TABLE_ID, TABLE_ID_MEANING
from btmodel.schema.model import OFF, UNSTATED
from btmodel.schema.rate import parse_every
from btmodel.schema.view import subsets_of
from btmodel.value import Value
from btmodel.words import meant

# What :func:`table` takes beside the id.
SETTINGS = (
    "deletion_protection",
    "change_stream",
    "automated_backups",
    "tiered_storage",
    "row_key_schema",
    "authorized_views",
    "schema_bundle",
    "renamed_from",
    "moved_from",
    "moved_to",
)
# A length of time, or None where it is not stated; False and zero where there is to be none.
Period = timedelta | str | Literal[False] | None


@frozen(eq=False, repr=False)
class DeclaredAuthorizedView(Value):
    """An authorized view, as declared: values of leading key fields, and names of columns, None for all of them."""

    id: str
    where: Mapping[str, object]
    only: tuple[str, ...] | None
    protected: bool | None
    location: Location | None = field(default=None, eq=False, repr=False)


@declares
def authorized_view(
    id: str,
    *,
    where: Mapping[str, object] | None = None,
    only: Iterable[str] | None = None,
    deletion_protection: bool | None = None,
) -> DeclaredAuthorizedView:
    """A part of a table to which people and programs can be given access, for ``bt.table(..., authorized_views=[...])``.

    ``where`` gives leading fields of the row key, ``{"tenant": "acme"}``, each with its value or a list of values: the view has
    the rows whose keys begin so, and without it all rows. ``only`` are names of columns; without them the view has all columns of the
    model, and all others of its families. The service treats both as service data, so a field with ``pii=True`` is refused.

    Raises :class:`DeclarationError`; what does not fit the model is refused with its class.
    """
    location = here()
    if not isinstance(id, str) or not TABLE_ID.fullmatch(id):
        raise DeclarationError(
            f"{location}: authorized_view: expected its id ({TABLE_ID_MEANING}), got {id!r}"
        )
    at = f"{location}: authorized view {id!r}"
    if where is not None and not isinstance(where, Mapping):
        raise DeclarationError(
            f'{at}: where: expected leading key fields with values, as {{"tenant": "acme"}}, got {where!r}'
        )
    names = None if only is None or isinstance(only, str) else tuple(only)
    if only is not None and (not names or not all(isinstance(name, str) for name in names)):
        raise DeclarationError(f"{at}: only: expected names of columns in a list, got {only!r}")
    protected = _flag(at, "deletion_protection", deletion_protection)
    return DeclaredAuthorizedView(id, dict(where or {}), names, protected, location)


@frozen(eq=False, repr=False)
class DeclaredTable(Value):
    """A table, as declared: its id, its settings, whether SQL reads its key, what it was called, and what it has beside its families.

    ``row_key_schema`` is None where it is not stated: only all models of the table together make the schema.
    """

    id: str
    settings: TableSettings = UNSTATED
    row_key_schema: bool | None = None
    renamed_from: str | None = None
    moved_from: str | None = None
    moved_to: str | None = None
    authorized_views: tuple[DeclaredAuthorizedView, ...] = ()
    schema_bundle: str | None = None
    location: Location | None = field(default=None, eq=False, repr=False)


@declares
def table(
    id: str,
    *,
    deletion_protection: bool | None = None,
    change_stream: Period = None,
    automated_backups: Period = None,
    tiered_storage: Period = None,
    row_key_schema: bool | None = None,
    authorized_views: Sequence[DeclaredAuthorizedView] = (),
    schema_bundle: str | None = None,
    renamed_from: str | None = None,
    moved_from: str | None = None,
    moved_to: str | None = None,
) -> DeclaredTable:
    """A table with its settings, for ``table=``. A setting that you do not give stays as it is; False switches it off.

    With ``deletion_protection``, the service refuses to delete the table and its families.
    ``change_stream`` is how long changes of rows can be read: 1 to 7 days. ``automated_backups`` is how long
    each daily backup is kept: 3 to 90 days. ``tiered_storage`` is the age from which cells lie in
    infrequent access: 30 days or more. Lengths of time are a timedelta or a text such as ``"7d"``.
    ``row_key_schema`` lets GoogleSQL read the fields of the key, which must all be in Bigtable's own
    encodings. ``authorized_views`` are parts of the table that access is given to by themselves, each made with
    ``bt.authorized_view``. ``schema_bundle`` is the id of a bundle with the Protobuf schemas of all models of the table, by which
    GoogleSQL reads fields of messages. ``renamed_from`` is the id of the table whose rows this one takes over, with their keys;
    ``moved_from`` is the id of one whose rows get other keys here, for which ``btmodel migrate new`` writes the revisions.
    A model of that old table states ``moved_to``, the id of the new one, as long as the application needs both: revisions
    know it already.

    Raises :class:`DeclarationError` for what no table can be.
    """
    location = here()
    if not isinstance(id, str):
        raise DeclarationError(f"{location}: table: expected its id as text, got {id!r}")
    where = f"{location}: table {id!r}"
    settings = TableSettings(
        deletion_protection=_flag(where, "deletion_protection", deletion_protection),
        change_stream=_period(where, "change_stream", change_stream),
        automated_backups=_period(where, "automated_backups", automated_backups),
        tiered_storage=_period(where, "tiered_storage", tiered_storage),
    )
    sql = _flag(where, "row_key_schema", row_key_schema)
    renamed = _former(where, id, "renamed_from", renamed_from)
    moved = _former(where, id, "moved_from", moved_from)
    if renamed is not None and moved is not None:
        raise DeclarationError(
            f"{where}: expected renamed_from or moved_from, got both: only a move gives rows other keys"
        )
    gone = _former(where, id, "moved_to", moved_to)
    views = _authorized_views(where, authorized_views)
    if schema_bundle is not None and (
        not isinstance(schema_bundle, str) or not TABLE_ID.fullmatch(schema_bundle)
    ):
        raise DeclarationError(
            f"{where}: schema_bundle: expected the id of the bundle ({TABLE_ID_MEANING}), got {schema_bundle!r}"
        )
    return DeclaredTable(id, settings, sql, renamed, moved, gone, views, schema_bundle, location)


def _authorized_views(where: str, given: object) -> tuple[DeclaredAuthorizedView, ...]:
    views = tuple(given) if isinstance(given, list | tuple) else None
    if views is None or not all(isinstance(view, DeclaredAuthorizedView) for view in views):
        raise DeclarationError(
            f"{where}: authorized_views: expected a list of bt.authorized_view(...), got {given!r}"
        )
    ids = [view.id for view in views]
    if twice := next((id for id in ids if ids.count(id) > 1), None):
        raise DeclarationError(
            f"{where}: authorized_views: expected an id of its own for each, got {twice!r} twice"
        )
    return views


def declared_table(where: str, value: object) -> DeclaredTable:
    """The value of ``table=`` of the model ``where``; raises :class:`DeclarationError`."""
    if isinstance(value, str):
        return DeclaredTable(value)
    if isinstance(value, DeclaredTable):
        return value
    raise DeclarationError(f"{where}: table: expected the id of a table, or bt.table(...), got {value!r}")


def _flag(where: str, name: str, value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise DeclarationError(f"{where}: {name}: expected True or False, got {value!r}")


def _period(where: str, name: str, value: object) -> timedelta | None:
    """The length of time that a setting says; zero for none."""
    least, most = PERIODS[name]
    if value is None:
        return None
    if value is False or value == OFF:
        return OFF
    wanted = (
        f"{age_text(least)} or more" if most == COLD_AFTER[1] else f"{age_text(least)} to {age_text(most)}"
    )
    if isinstance(value, timedelta):
        period = value
    elif isinstance(value, str):
        period = parse_every(value, f"{where}: {name}")
    else:
        raise DeclarationError(
            f"{where}: {name}: expected a length of time ({wanted}), or False for none, got {value!r}"
        )
    if not least <= period <= most:
        raise DeclarationError(f"{where}: {name}: expected {wanted}, or False for none, got {value!r}")
    return period


def _former(where: str, id: str, name: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not TABLE_ID.fullmatch(value):
        raise DeclarationError(
            f"{where}: {name}: expected the id that it had ({TABLE_ID_MEANING}), got {value!r}"
        )
    if value == id:
        raise DeclarationError(f"{where}: {name}: expected the id that it had before, got its own")
    return value


P = TypeVar("P")
KEYWORDS = (
    "table",
    "delimiter",
    "events",
    "bucket",
    "timestamp",
    "nodes",
    "atomic",
    "max_key",
    "existing",
    "lateness",
    "allow",
)


def _refuse_all_unknown(where: str, given: Iterable[str], problems: Problems) -> None:
    """Refuse class keywords that mean nothing, naming the one that was probably meant."""
    for name in given:
        problems.one(partial(_refuse_unknown, where, name), None)


def without_table(name: str) -> str:
    """Why a class that has no table cannot be used as a model, and what to do."""
    return (
        f'{name} is no model of a table: give it table=, as in `class {name}(bt.Model, table="...")`, '
        "or use a class with a table that inherits from it"
    )


def refuse_without_table(where: str, given: Iterable[str], problems: Problems) -> None:
    """Refuse the class keywords of a class that is no model of a table."""
    _refuse_all_unknown(where, given, problems)
    known = [name for name in given if name in KEYWORDS]
    if known:
        problems.one(partial(_refuse_without_table, where, known), None)


def _refuse_without_table(where: str, known: Iterable[str]) -> None:
    raise DeclarationError(f"{where}: {', '.join(known)} without table= means nothing")


def _refuse_unknown(where: str, name: str) -> None:
    if name in SETTINGS:
        raise DeclarationError(
            f"{where}: {name} is not a class keyword: give it with the id of the table, "
            f'table=bt.table("ID", {name}=...)'
        )
    if name not in KEYWORDS:
        raise DeclarationError(f"{where}: unknown class keyword {name!r}{meant(name, KEYWORDS)}")


@frozen(eq=False, repr=False)
class Keywords(Value):
    """The class keywords, parsed."""

    table: DeclaredTable
    delimiter: bytes
    events: Rate | None
    bucket: TimeBucket | None
    timestamp: str | int | None
    nodes: int | None
    atomic: tuple[str, ...]
    max_key: int | None
    existing: bool
    lateness: timedelta | None
    allow: Mapping[str, str]


def parse_keywords(where: str, given: Mapping[str, Any], problems: Problems) -> Keywords:
    """The class keywords of the model ``where``; what is wrong with them goes to ``problems``."""
    _refuse_all_unknown(where, given, problems)
    no_suppression: dict[str, str] = {}
    return Keywords(
        table=problems.one(lambda: declared_table(where, given["table"]), DeclaredTable("")),
        delimiter=problems.one(lambda: _delimiter(where, given.get("delimiter", "#")), b""),
        events=problems.one(lambda: parsed(where, Rate.parse, given.get("events")), None),
        bucket=problems.one(lambda: parsed(where, bucket_of, given.get("bucket")), None),
        timestamp=problems.one(lambda: _timestamp(where, given.get("timestamp")), None),
        nodes=problems.one(lambda: _nodes(where, given.get("nodes")), None),
        atomic=problems.one(lambda: _atomic(where, given.get("atomic", ())), ()),
        max_key=problems.one(lambda: _max_key(where, given.get("max_key")), None),
        existing=problems.one(lambda: _flag(where, "existing", given.get("existing")) or False, False),
        lateness=problems.one(lambda: _lateness(where, given.get("lateness")), None),
        allow=problems.one(lambda: _allow(where, given.get("allow")), no_suppression),
    )


def _delimiter(where: str, value: object) -> bytes:
    raw = as_bytes(value)
    if raw is None:
        raise DeclarationError(f"{where}: delimiter: expected text or bytes, got {value!r}")
    return raw


def _timestamp(where: str, value: object) -> str | int | None:
    if value is None or isinstance(value, str) or (type(value) is int and value == 0):
        return value
    raise DeclarationError(f"{where}: timestamp: expected the name of a time of the row, or 0, got {value!r}")


def _nodes(where: str, value: object) -> int | None:
    if value is None or (type(value) is int and value >= 1):
        return value
    raise DeclarationError(f"{where}: nodes: expected a number of nodes from 1 on, got {value!r}")


def _max_key(where: str, value: object) -> int | None:
    if value is None or (type(value) is int and 1 <= value <= KEY_BYTES):
        return value
    raise DeclarationError(
        f"{where}: max_key: expected a number of bytes from 1 to {KEY_BYTES:,}, got {value!r}"
    )


def _lateness(where: str, value: object) -> timedelta | None:
    if value is None:
        return None
    late = value if isinstance(value, timedelta) else parse_every(value, f"{where}: lateness")
    if late <= OFF:
        raise DeclarationError(
            f"{where}: lateness: expected how late events are written at most, as '2d' or a timedelta, got {value!r}"
        )
    return late


def _atomic(where: str, value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if isinstance(names, tuple | list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    raise DeclarationError(
        f"{where}: atomic: expected the names of the key fields that identify an entity, got {value!r}"
    )


def _allow(where: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise DeclarationError(
            f"{where}: allow: expected rules with reasons, {{'KEY001': 'why'}}, got {value!r}"
        )
    return dict(value)


def with_parts(schema: ModelSchema, table: DeclaredTable, problems: Problems) -> ModelSchema:
    """The schema with the authorized views that ``table`` declares; what is wrong goes to ``problems``."""
    problems.one(partial(_refuse_empty_bundle, schema, table), None)
    found = (problems.one(partial(_view, schema, view), None) for view in table.authorized_views)
    return evolve(schema, authorized=tuple(view for view in found if view is not None))


def _refuse_empty_bundle(schema: ModelSchema, table: DeclaredTable) -> None:
    if schema.schema_bundle is not None and not any(column.messages for column in schema.columns):
        raise DeclarationError(
            f"{table.location}: {schema.name}: schema_bundle: expected a model with columns of bt.Protobuf(...), whose schemas the bundle "
            "holds, got one without: declare it on the model of the table that has them"
        )


def _view(schema: ModelSchema, declared: DeclaredAuthorizedView) -> AuthorizedView:
    where = f"{declared.location}: {schema.name}: authorized view {declared.id!r}"
    if schema.parameters:
        raise DeclarationError(
            f"{where}: the ids of the table or its families are completed at run time ({', '.join(schema.parameters)}), and an authorized "
            "view belongs to one table"
        )
    try:
        prefixes = _prefixes(schema, declared)
    except (QueryRefused, ValueRefused) as error:
        raise DeclarationError(f"{where}: where: {error}") from None
    except DeclarationError as error:
        raise DeclarationError(f"{where}: {error}") from None
    return AuthorizedView(declared.id, prefixes, _subsets(schema, declared, where), declared.protected)


def _prefixes(schema: ModelSchema, declared: DeclaredAuthorizedView) -> tuple[bytes, ...]:
    if not declared.where:
        return (b"",)
    known = [part.name for part in schema.key.asked]
    for name in declared.where:
        if name not in known:
            raise DeclarationError(
                f"where: {schema.name} has no key field {name!r}{meant(name, known, 'key fields')}"
            )
        if next(part for part in schema.key.asked if part.name == name).pii:
            raise DeclarationError(
                f"where: {name} identifies a person (pii=True), and the service treats the row prefixes of authorized views as service "
                "data, not as customer data: put a tenant, or another id that is not a person's, in front of it"
            )
    from btmodel.rows.planner import Planner  # here: few tables have authorized views

    query = Query("authorized_view", tuple(declared.where))
    return Planner(schema).prefixes(query, declared.where)


def _subsets(schema: ModelSchema, declared: DeclaredAuthorizedView, where: str) -> tuple[FamilySubset, ...]:
    columns = {column.name: column for column in schema.columns}
    for name in declared.only or ():
        if name not in columns:
            raise DeclarationError(
                f"{where}: only: {schema.name} has no column {name!r}{meant(name, columns, 'columns')}"
            )
    shown = None if declared.only is None else [columns[name] for name in declared.only]
    return subsets_of(schema.families, schema.key.fields, shown)
