"""Read an instance for a plan: its tables, recorded layouts and clusters."""

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
    """Make the plan for ``instance`` as it is now.

    Without ``history``, the plan does not cover keys and codecs. Raises :class:`MigrationError` if a name in
    ``allow`` allows nothing and did not do so before, and :class:`btmodel.errors.ServerError`.
    """
    wanted, live = concrete(
        without_layouts(declared) if history is None else declared, read_known(instance, history)
    )
    facts = read_facts(instance, wanted, live, () if history is None else history.copies())
    return make_plan(instance.instance, wanted, live, allow, facts, done_before(history) if allow else ())


def read_live(
    instance: Instance, history: History | None = None, ids: Collection[str] | None = None
) -> tuple[Table, ...]:
    """The tables of ``instance``, or those of ``ids``, with the layouts that ``history`` has for them or their templates.

    The table of the migration history is left out. Raises :class:`btmodel.errors.ServerError`.
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
    """The tables of ``instance``, or those of ``ids``, and the templates in ``history``, each with its recorded layouts.

    A template has no families here. Raises :class:`btmodel.errors.ServerError`.
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
    """Read the facts of ``instance`` that decide the effects of the changes from ``live`` to ``declared``, and no others.

    ``copies`` are the recorded copies of renamings. Raises :class:`btmodel.errors.ServerError`.
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
    """The names of the last changes of each table in ``history``, so that a repeated command may allow them again.

    Raises :class:`btmodel.errors.ServerError`.
    """
    steps = () if history is None else history.steps().values()
    return frozenset(name for step in steps for name in step.changes)
