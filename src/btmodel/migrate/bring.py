"""Tables that a program brings into being by itself, such as one for each day."""

from collections.abc import Iterable

from btmodel.errors import MigrationError
from btmodel.migrate.apply import apply
from btmodel.migrate.changes import AddFamily, CreateTable
from btmodel.migrate.instance import Instance
from btmodel.migrate.layouts import without_layouts
from btmodel.migrate.plan import Plan, make_plan
from btmodel.schema import Table


def bring(instance: Instance, declared: Iterable[Table]) -> Plan:
    """Make the tables and families of ``declared`` that are not live, and return the plan that did it.

    Nothing else is changed, and other tables are not even read, but for those that were renamed. It may be repeated, and
    many processes may do it at once. Raises :class:`MigrationError`, with nothing applied, where
    something that is live would have to change; :class:`MigrationFailed` where a server
    fails on the way, or another changes a table at the same time; and :class:`ServerError`.
    """
    # How rows lie is recorded by `btmodel migrate`: a program that makes tables keeps no journal.
    wanted = without_layouts(declared)
    former = [table.renamed_from for table in wanted if table.renamed_from is not None]
    live = instance.read_tables([*(table.id for table in wanted), *former])
    plan = make_plan(instance.instance, wanted, live)
    others = [change for change in plan.changes if not isinstance(change, CreateTable | AddFamily)]
    if others:
        what = "; ".join(f"{change.subject} {change.summary}" for change in others)
        raise MigrationError(
            f"nothing was applied, because what is live is not as declared ({what}): only tables and "
            "families that are missing are made here; for the rest see `btmodel migrate plan`"
        )
    apply(plan, instance)
    return plan
