"""``table=`` of a model with more than an id: what its table is besides its families."""

from datetime import timedelta
from typing import Literal

from attrs import field, frozen

from btmodel.declare.declared import declares, here
from btmodel.errors import DeclarationError
from btmodel.schema import Location, TableSettings
from btmodel.schema.every import parse_every
from btmodel.schema.figures import (
    BACKUPS_KEPT,
    COLD_AFTER,
    STREAM_KEPT,
    TABLE_ID,
    TABLE_ID_MEANING,
)
from btmodel.schema.gc import age_text
from btmodel.schema.settings import OFF, UNSTATED

# What :func:`table` takes beside the id.
SETTINGS = (
    "deletion_protection",
    "change_stream",
    "automated_backups",
    "tiered_storage",
    "row_key_schema",
    "renamed_from",
)
# A length of time, or None where it is not stated; False and zero where there is to be none.
Period = timedelta | str | Literal[False] | None


@frozen
class DeclaredTable:
    """A table, as declared: its id, its settings, whether SQL reads its key, and what it was called.

    ``row_key_schema`` is None where it is not stated: only all models of the table together make the schema.
    """

    id: str
    settings: TableSettings = UNSTATED
    row_key_schema: bool | None = None
    renamed_from: str | None = None
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
    renamed_from: str | None = None,
) -> DeclaredTable:
    """A table with its settings, for ``table=``. What is not stated stays as it is; False states that there is none.

    With ``deletion_protection``, the service refuses to delete the table and its families.
    ``change_stream`` is how long changes of rows can be read: 1 to 7 days. ``automated_backups`` is how long
    each daily backup is kept: 3 to 90 days. ``tiered_storage`` is the age from which cells lie in
    infrequent access: 30 days or more. Lengths of time are a timedelta or a text such as ``"7d"``.
    ``row_key_schema`` lets GoogleSQL read the fields of the key, which must all be in Bigtable's own
    encodings. ``renamed_from`` is the id of the table whose rows this one takes over.

    Raises :class:`DeclarationError` for what no table can be.
    """
    location = here()
    if not isinstance(id, str):
        raise DeclarationError(f"{location}: table: wanted its id as text, got {id!r}")
    where = f"{location}: table {id!r}"
    settings = TableSettings(
        deletion_protection=_flag(where, "deletion_protection", deletion_protection),
        change_stream=_period(where, "change_stream", change_stream, *STREAM_KEPT),
        automated_backups=_period(where, "automated_backups", automated_backups, *BACKUPS_KEPT),
        tiered_storage=_period(where, "tiered_storage", tiered_storage, *COLD_AFTER),
    )
    sql = _flag(where, "row_key_schema", row_key_schema)
    return DeclaredTable(id, settings, sql, _former(where, id, renamed_from), location)


def declared_table(where: str, value: object) -> DeclaredTable:
    """What ``table=`` of the model ``where`` was given; raises :class:`DeclarationError`."""
    if isinstance(value, str):
        return DeclaredTable(value)
    if isinstance(value, DeclaredTable):
        return value
    raise DeclarationError(f"{where}: table: wanted the id of a table, or bt.table(...), got {value!r}")


def _flag(where: str, name: str, value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise DeclarationError(f"{where}: {name}: wanted True or False, got {value!r}")


def _period(where: str, name: str, value: object, least: timedelta, most: timedelta) -> timedelta | None:
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
            f"{where}: {name}: wanted a length of time ({wanted}), or False for none, got {value!r}"
        )
    if not least <= period <= most:
        raise DeclarationError(f"{where}: {name}: wanted {wanted}, or False for none, got {value!r}")
    return period


def _former(where: str, id: str, value: object) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not TABLE_ID.fullmatch(value):
        raise DeclarationError(
            f"{where}: renamed_from: wanted the id that it had ({TABLE_ID_MEANING}), got {value!r}"
        )
    if value == id:
        raise DeclarationError(f"{where}: renamed_from: wanted the id that it had before, got its own")
    return value
