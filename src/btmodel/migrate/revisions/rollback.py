"""The way back: from the applied revisions to an earlier one."""

from collections.abc import Collection, Iterable

from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.changes import (
    Drift,
    DropFamily,
    DropTable,
    RenamedFamily,
    RenamedTable,
    UndeclaredFamily,
    UndeclaredTable,
)
from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import Journal
from btmodel.migrate.plan import Plan
from btmodel.migrate.reading import done_before, read_known
from btmodel.migrate.revisions.planning import plan_with
from btmodel.migrate.revisions.reversing import renamings_back
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, refuse_unknown, refuse_what_does_not_fit
from btmodel.migrate.templates import concrete
from btmodel.migrate.told import allowing, first
from btmodel.migrate.wrong_allow import refuse_needless
from btmodel.schema import Table


@frozen
class WayBack:
    """The revisions that are undone, the last one first, and the one that is then the last; None is none.

    ``pending`` are those that are not applied: their data steps may be half-way through tables as they were, and a run that
    was killed may have undone them already.
    """

    undone: tuple[Revision, ...]
    to: Revision | None
    pending: tuple[Revision, ...] = ()

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables to which it leads."""
        return self.to.tables if self.to else ()

    @property
    def heading(self) -> str:
        """What stands above its plan."""
        return f"back to {self.to.id if self.to else 'nothing'}:"


def way_back(now: Standing, to: Revision | None = None) -> WayBack:
    """The way back to ``to``; without it, one revision back.

    Raises :class:`MigrationError` where none is applied, ``to`` is not, or what is applied does not fit the files.
    """
    refuse_what_does_not_fit(now)
    refuse_unknown(now)
    if to is None:
        last = now.last
        if last is None:
            raise MigrationError("no revision is applied, so there is none to roll back")
        parents = now.graph.parents[last.id]
        if len(parents) > 1:
            raise MigrationError(
                f"{last.id} joins {' and '.join(parents)}: say --to which of them the way back leads"
            )
        to = now.graph.revisions[parents[0]] if parents else None
    elif to not in now.applied:
        raise MigrationError(f"--to {to.id}: it is not applied, so no way leads back to it")
    kept = now.graph.up_to(to.id) if to else ()
    return WayBack(tuple(one for one in reversed(now.applied) if one not in kept), to, now.pending)


def plan_back(way: WayBack, instance: Instance, journal: Journal, allow: Collection[str] = ()) -> Plan:
    """The plan from what is live to where ``way`` leads.

    What the undone revisions had made and was not there before goes, where ``allow`` names it; what they had renamed is
    renamed back. Raises :class:`MigrationError` where a name allows nothing, nor did so before, or two renamings are in one way, and :class:`btmodel.errors.ServerError`.
    """
    live, copies = read_known(instance, journal), journal.copies()
    renamings = renamings_back(way.to, way.undone[::-1], live, copies) if way.to else ()
    plan, known = plan_with(instance, way.tables, live, allow, copies, renamings)
    if both := [
        f"--allow {one.name} and --allow {_keep(one)}" for one in _dropped(way, plan) if _keep(one) in allow
    ]:
        raise MigrationError(f"nothing was rolled back: {'; '.join(both)}: say one of them")
    # Who repeats a command that was killed says again what it had done.
    harmless = {*done_before(journal), *_steps(way.pending)} if allow else set[str]()
    refuse_needless(
        [name for name in allow if name not in harmless],
        known | _steps(way.undone) | {_keep(one) for one in (*_lost(way, plan), *_dropped(way, plan))},
        (plan,),
        (way.heading,),
    )
    return plan


def left_over(way: WayBack, plan: Plan, allow: Collection[str] = ()) -> tuple[Drift, ...]:
    """What came with the undone revisions and stands still, of which ``allow`` does not say what becomes of it."""
    return (*(one for one in _lost(way, plan) if _keep(one) not in allow), *_took_over(plan))


def refuse_loss(way: WayBack, plan: Plan, allow: Collection[str] = ()) -> None:
    """Raise :class:`MigrationError` where the way back loses what ``allow`` does not name."""
    lost = [one for one in _lost(way, plan) if _keep(one) not in allow]
    refused = [one for one in plan.refused if one.requires is not None]
    lost_steps = [(one, step) for one in way.undone for step in one.data_steps if _step(step) not in allow]
    told = [
        *(f"{one.subject} would be dropped" for one in lost),
        *(f"{one.subject} {one.summary}" for one in refused),
        *(f"what the data step {step} of {one.id} wrote stays" for one, step in lost_steps),
    ]
    needed = [
        *(one.requires for one in (*lost, *refused) if one.requires),
        *(_step(step) for _, step in lost_steps),
    ]
    if told:
        told = list(first(told))
        told[-1] += f": say {allowing(needed)} if that is meant"
        if lost:
            told[-1] += (
                f", or, to keep what came with it, undeclared, {allowing(map(_keep, lost))} in the place of a drop"
            )
    told += first([_choice(one) for one in _took_over(plan)])
    if told:
        raise MigrationError(f"nothing was rolled back: {'; '.join(told)}")


def _made(way: WayBack, plan: Plan) -> set[tuple[str, str | None]]:
    """The tables and families that the undone revisions declare."""
    return {
        place
        for one in way.undone
        for table in concrete(one.tables, plan.live)[0]
        for place in _places(table)
    }


def _lost(way: WayBack, plan: Plan) -> list[UndeclaredFamily | UndeclaredTable]:
    """What the undone revisions made, and is to go."""
    made = _made(way, plan)
    return [
        one
        for one in plan.drift
        if isinstance(one, UndeclaredFamily | UndeclaredTable) and (one.table_id, one.family_id) in made
    ]


def _dropped(way: WayBack, plan: Plan) -> list[DropFamily | DropTable]:
    """What the undone revisions made, and is dropped as somebody has said."""
    made = _made(way, plan)
    drops = (one for one in plan.changes if isinstance(one, DropFamily | DropTable))
    return [one for one in drops if (one.table_id, one.family_id) in made]


def _keep(one: UndeclaredFamily | UndeclaredTable | DropFamily | DropTable) -> str:
    """The name by which what came with a revision is kept."""
    return f"keep-{'table' if one.family_id is None else 'family'}:{one.subject}"


def _took_over(plan: Plan) -> list[RenamedFamily | RenamedTable]:
    """What took over, where what it took over from stands still."""
    return [
        one for one in plan.drift if isinstance(one, RenamedFamily | RenamedTable) and one.renaming.undoes
    ]


def _choice(one: RenamedFamily | RenamedTable) -> str:
    """What may become of what took over, where what it took over from stands still."""
    drop, abandon, again = one.ends
    return (
        f"{one.subject} may have cells that {one.renaming.new_name} lacks, written since it took over: say --allow "
        f"{again.name} to copy them back, --allow {drop.name} to drop it where there are none, or --allow "
        f"{abandon.name} to drop it with them"
    )


def _places(table: Table) -> list[tuple[str, str | None]]:
    return [(table.id, None), *((table.id, family.id) for family in table.families)]


def _steps(revisions: Iterable[Revision]) -> set[str]:
    return {_step(step) for one in revisions for step in one.data_steps}


def _step(name: str) -> str:
    return f"data-step:{name}"
