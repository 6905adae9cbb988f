"""Making the tables of models from a program."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from btmodel.client.target import Target, resolve
from btmodel.declare import Model, schema_of
from btmodel.errors import DeclarationError, ServerError, SettingsError
from btmodel.schema import tables

if TYPE_CHECKING:
    # Not at run time: importing btmodel should load neither Google's client nor gRPC.
    from btmodel.client._async.database import AsyncDatabase
    from btmodel.client._sync.database import Database
    from btmodel.migrate import Plan


_REPLACED = 5.0  # seconds in which another server is there for a local file


def _replaced(target: Target, work: Callable[[], "Plan"]) -> "Plan":
    """What ``work`` gives, which may be done twice, once the server of a local file that was killed is replaced.

    Raises the :class:`ServerError` of ``work`` where it is not.
    """
    from btmodel.migrate.waiting import Backoff, passes

    backoff = Backoff(_REPLACED)
    while True:
        try:
            return work()
        except ServerError as error:
            if target.file is None or not passes(error):
                raise
            target.revive()
            if not backoff.wait():
                raise


def create_tables(
    where: "str | Database | AsyncDatabase", /, *models: type[Model], **parameters: str
) -> "Plan":
    """Make the tables and families of ``models`` that are missing, and return the plan that did it.

    ``where`` is an instance, as ``connect`` takes it, or a connection. ``parameters`` complete
    the names of models such as ``table="SENSOR_{day}"``. It needs admin rights, may be
    repeated, and changes nothing that is there: raises :class:`MigrationError`, with
    nothing applied, where a live family is not as declared. Everything else is the
    work of ``btmodel migrate``. Raises :class:`DeclarationError` without ``models``, and
    :class:`SettingsError` where ``where`` is neither an instance nor a connection.
    """
    from btmodel.client.admin import Admin
    from btmodel.migrate import bring

    if not isinstance(where, str) and not isinstance(getattr(where, "target", None), Target):
        raise SettingsError(f"create_tables: expected an instance or a connection first, got {where!r}")
    if not models:
        raise DeclarationError("create_tables: expected at least one model after the instance, got none")
    wanted = tables(schema_of(model).bound(parameters) for model in models)
    target = resolve(where) if isinstance(where, str) else where.target
    options = target.options if isinstance(where, str) else where.options

    def made() -> "Plan":
        with Admin(target.instance, target.host, options) as admin:
            return bring(admin, wanted)

    try:
        return _replaced(target, made)
    finally:
        if isinstance(where, str):
            target.release()
