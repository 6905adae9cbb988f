"""Making the tables of models from a program."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from btmodel.client.target import Target, resolve
from btmodel.declare import Model, schema_of
from btmodel.errors import DeclarationError, SettingsError
from btmodel.schema.table import named_tables

if TYPE_CHECKING:
    # Not at run time: importing btmodel should load neither Google's client nor gRPC.
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database
    from btmodel.migrate import Plan


def create_tables(where: "str | Database", /, *models: type[Model], **parameters: str) -> "Plan":
    """Make the tables and families of ``models`` that are missing, and return the plan that did it.

    ``where`` is an instance, as ``connect`` takes it, or a connection of ``connect``. ``parameters`` complete
    the names of models such as ``table="SENSOR_{day}"``; each model takes those that it has. It needs admin rights, may be
    repeated, and changes nothing that is there: raises :class:`MigrationError`, with
    nothing applied, where a live family is not as declared. Everything else is the
    work of ``btmodel migrate``. Raises :class:`DeclarationError` without ``models``, :class:`QueryRefused`
    where a parameter is missing or none of theirs, and :class:`SettingsError` where ``where`` is neither an instance nor such a connection.
    """
    from btmodel.client._async.database import AsyncDatabase

    if isinstance(where, AsyncDatabase):
        raise SettingsError(
            "create_tables: expected an instance or a connection of connect, got one of connect_async: "
            "await bt.create_tables_async(...), which does not hold up the event loop"
        )
    return _create_tables("create_tables", where, models, parameters)


async def create_tables_async(
    where: "str | AsyncDatabase", /, *models: type[Model], **parameters: str
) -> "Plan":
    """Do what :func:`create_tables` does, for asyncio: ``where`` is an instance or a connection of ``connect_async``.

    The event loop goes on meanwhile. A task that is cancelled no longer waits, and what has begun is done to its end.
    """
    from asyncio import to_thread

    return await to_thread(_create_tables, "create_tables_async", where, models, parameters)


def _create_tables(
    name: str,
    where: "str | Database | AsyncDatabase",
    models: tuple[type[Model], ...],
    parameters: Mapping[str, str],
) -> "Plan":
    from btmodel.client.admin import Admin
    from btmodel.migrate import bring

    if not isinstance(where, str) and not isinstance(getattr(where, "target", None), Target):
        raise SettingsError(f"{name}: expected an instance or a connection first, got {where!r}")
    if not models:
        raise DeclarationError(f"{name}: expected at least one model after the instance, got none")
    wanted = named_tables([schema_of(model) for model in models], parameters)
    target = resolve(where) if isinstance(where, str) else where.target
    options = target.options if isinstance(where, str) else where.options

    try:
        with Admin(target, options) as admin:
            return bring(admin, wanted)
    finally:
        if isinstance(where, str):
            target.release()
