"""``btmodel check --live``: the tables that are there, in the place of models."""

from collections.abc import Sequence

import click

from btmodel.cli.completing import instance_names
from btmodel.errors import SettingsError
from btmodel.schema import ModelSchema
from btmodel.schema.live import of_table

live_option = click.option(
    "--live",
    metavar="INSTANCE",
    shell_complete=instance_names,
    help="Review the tables of an instance, by its name in the settings or path, and no models.",
)


def load_live(context: click.Context, modules: Sequence[str], instance: str) -> list[ModelSchema]:
    """The schemas of all tables of ``instance``; no module is imported.

    Raises :class:`click.UsageError` where modules are named, too, :class:`SettingsError` for a
    name that is no instance, or one without tables, and :class:`ServerError` for one that cannot be reached.
    """
    if modules or context.meta.get("btmodel.models"):
        raise click.UsageError("--live reviews the tables of an instance, so it goes with no module", context)
    # Here, because they load grpc and servers, which a review of models has no use for.
    from btmodel.cli.reached import reached
    from btmodel.client.admin import Admin

    with reached(instance) as target, Admin(target.instance, target.host) as admin:
        found = [of_table(target.instance, table) for table in admin.read_tables()]
    if not found:
        raise SettingsError(f"no table is in {target}")
    return found
