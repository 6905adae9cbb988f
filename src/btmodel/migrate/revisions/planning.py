"""The plans that lead an instance through stages, as they look from where it is now."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime

import attrs
from attrs import frozen

from btmodel.migrate.changes import CopyFamily, CopyTable, DropFamily, DropTable, RecordLayouts
from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import CopyRecord, Journal
from btmodel.migrate.natural import natural
from btmodel.migrate.plan import Plan, WrongAllow, allowable, make_plan, needless
from btmodel.migrate.reading import read_facts, read_known
from btmodel.migrate.revisions.stages import Stage
from btmodel.migrate.templates import concrete
from btmodel.schema import Table


@frozen
class Planned:
    """A stage, and the plan from what will then be live to the tables at which it aims."""

    stage: Stage
    plan: Plan


def planned(
    stages: Iterable[Stage], instance: Instance, journal: Journal, allow: Collection[str] = ()
) -> tuple[Planned, ...]:
    """The plan of each stage: of the first from what is live, of others from what those before will leave.

    A name in ``allow`` allows what it names in every stage. Raises :class:`WrongAllow` where it allows
    nothing in any, and :class:`btmodel.errors.ServerError`.
    """
    found: list[Planned] = []
    known: set[str] = set()
    live, copies = read_known(instance, journal), journal.copies()
    for stage in stages:
        plan, names = plan_with(instance, stage.aim.tables, live, allow, copies)
        known |= names
        live, copies = after(plan, live), (*copies, *copies_of(plan))
        found.append(Planned(stage, plan))
    refuse_needless(allow, known, [one.plan for one in found])
    return tuple(found)


def plan_with(
    instance: Instance,
    tables: tuple[Table, ...],
    live: tuple[Table, ...],
    allow: Collection[str],
    copies: Iterable[CopyRecord],
) -> tuple[Plan, frozenset[str]]:
    """The plan from ``live`` to ``tables`` with those names of ``allow`` that it needs, and all names that it knows."""
    wanted, there = concrete(tables, live)
    facts = read_facts(instance, wanted, there, copies)
    known = allowable(wanted, there, facts)
    return make_plan(instance.instance, wanted, there, sorted(known & set(allow)), facts), known


def refuse_needless(allow: Iterable[str], known: Collection[str], plans: Sequence[Plan]) -> None:
    """Raise :class:`WrongAllow` where a name in ``allow`` is not ``known``; ``plans`` are those that it was said for."""
    for name in allow:
        if name not in known:
            raise WrongAllow(needless(name, known, plans[0].instance if plans else "this instance"), plans)


def after(plan: Plan, live: Iterable[Table]) -> tuple[Table, ...]:
    """What is live once ``plan`` is applied to ``live``: what is declared, and what is not and stays."""
    dropped = {one.subject for one in plan.changes if isinstance(one, DropFamily | DropTable)}
    layouts = {one.table_id: one.layouts for one in plan.changes if isinstance(one, RecordLayouts)}
    there = {table.id: table for table in live if table.id not in dropped}
    there |= {table.id: _over(table, there.get(table.id), dropped) for table in plan.declared}
    return tuple(
        attrs.evolve(there[id], layouts=layouts.get(id, there[id].layouts))
        for id in sorted(there, key=natural)
    )


def copies_of(plan: Plan) -> Iterator[CopyRecord]:
    """What the journal has of the copies of ``plan`` once it is applied."""
    now = datetime.now(UTC)
    for one in plan.changes:
        if isinstance(one, CopyFamily | CopyTable):
            yield CopyRecord(one.renaming.old_name, one.renaming.new_name, "", now, now)


def _over(declared: Table, live: Table | None, dropped: Collection[str]) -> Table:
    """``declared`` where ``live`` is: the layouts stay, and with them what nothing declares."""
    if live is None:
        return attrs.evolve(declared, layouts=())
    stays = [
        one
        for one in live.families
        if declared.family(one.id) is None and f"{live.id}.{one.id}" not in dropped
    ]
    families = sorted((*declared.families, *stays), key=lambda one: one.id)
    return Table(declared.id, tuple(families), declared.settings.over(live.settings), live.layouts)
