"""Reading an instance for a plan: tables, recorded layouts, clusters."""

from collections.abc import Collection, Iterable

import attrs

from btmodel.migrate.changes import Effect, Facts
from btmodel.migrate.history import CopyRecord, History
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan, diff, make_plan
from btmodel.migrate.tables.layouts import without_layouts
from btmodel.migrate.tables.templates import Recorded, concrete, is_empty, is_template, layouts_of
from btmodel.schema import Table
from btmodel.schema.limits import HISTORY_TABLE
from btmodel.schema.names import placeholders


def read_plan(
    instance: Instance, declared: Iterable[Table], allow: Collection[str] = (), history: History | None = None
) -> Plan:
    """The plan for ``instance`` as it is now.

    Without its ``history``, nothing is said of keys and codecs. Raises :class:`MigrationError` where a name
    in ``allow`` allows nothing, nor did so before, and :class:`btmodel.errors.ServerError`.
    """
    wanted, live = concrete(
        without_layouts(declared) if history is None else declared, read_known(instance, history)
    )
    facts = read_facts(instance, wanted, live, () if history is None else history.copies())
    return make_plan(instance.instance, wanted, live, allow, facts, done_before(history) if allow else ())


def read_live(
    instance: Instance, history: History | None = None, ids: Collection[str] | None = None
) -> tuple[Table, ...]:
    """The tables of ``instance``, or those of ``ids``, with the layouts that ``history`` has of them, or of their templates.

    The table in which the migration history is kept is not among them. Raises :class:`btmodel.errors.ServerError`.
    """
    known = read_known(instance, history, ids)
    recorded = {table.id: table.layouts for table in known if table.layouts}
    return tuple(
        attrs.evolve(table, layouts=layouts_of(table.id, recorded))
        for table in known
        if not is_template(table)
    )


def read_known(
    instance: Instance, history: History | None = None, ids: Collection[str] | None = None
) -> tuple[Table, ...]:
    """The tables of ``instance``, or those of ``ids``, and the templates that ``history`` knows, with what it has of each.

    Of a template there are no families. Raises :class:`btmodel.errors.ServerError`.
    """
    recorded: Recorded = {} if history is None else history.layouts()
    tables = (
        attrs.evolve(table, layouts=recorded.get(table.id, ()))
        for table in instance.read_tables(ids)
        if table.id != HISTORY_TABLE
    )
    templates = (Table(id, (), layouts=recorded[id]) for id in sorted(recorded) if placeholders(id))
    return (*tables, *templates)


def read_facts(
    instance: Instance,
    declared: Iterable[Table],
    live: Iterable[Table],
    copies: Iterable[CopyRecord] = (),
) -> Facts:
    """What else of ``instance`` decides what the changes from ``live`` to ``declared`` do; only that is asked.

    ``copies`` is what the migration history has of renamings.

    Raises :class:`btmodel.errors.ServerError`.
    """
    there = {table.id: table for table in live}
    known = Facts(copies=tuple(copies))
    found = diff(declared, there.values(), known)
    harmless = (one for one in found if one.harmless_if_empty and one.effect is Effect.BLOCKED)
    changed = sorted({id for change in harmless for id in change.rows_of} & there.keys())
    empty = frozenset(id for id in changed if is_empty(instance, id, there))
    asked = any(change.depends_on_clusters for change in found)
    return Facts(instance.replicated() if asked else None, empty, known.copies)


def done_before(history: History | None) -> frozenset[str]:
    """The names of what ``history`` has of the last changes of each table: a repeated command allows them again.

    Raises :class:`btmodel.errors.ServerError`.
    """
    steps = () if history is None else history.steps().values()
    return frozenset(name for step in steps for name in step.changes)
