"""The plans that lead an instance through stages, as they look from where it is now."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import attrs
from attrs import frozen

from btmodel.errors import MigrationError
from btmodel.migrate.apply import refuse
from btmodel.migrate.changes import CopyFamily, CopyTable, DropFamily, DropTable, RecordLayouts
from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import CopyRecord, Journal
from btmodel.migrate.natural import natural
from btmodel.migrate.plan import Plan, allowable, make_plan
from btmodel.migrate.reading import done_before, read_facts, read_known
from btmodel.migrate.renamings import Renaming
from btmodel.migrate.revisions.missed import Missed, missed, run_name, why_missed
from btmodel.migrate.revisions.resuming import Standing, standings, why_edited, why_unwritten
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.stages import Stage
from btmodel.migrate.templates import concrete
from btmodel.migrate.wrong_allow import refuse_needless
from btmodel.schema import Table


@frozen
class Planned:
    """A stage, and the plan from what will then be live to the tables at which it aims.

    ``steps`` is how far its data steps have come, ``missed`` what they would miss, and ``allowed`` what was said to run them all
    the same.
    """

    stage: Stage
    plan: Plan
    steps: tuple[Standing, ...] = ()
    allowed: frozenset[str] = frozenset()
    missed: tuple[Missed, ...] = ()

    @property
    def heading(self) -> str:
        """What stands above the plan; nothing where what is applied stands as it says."""
        id = self.stage.revision.id
        if self.stage.is_applied:
            return f"{id} is applied, and live is not as it says:" if self.plan.pending else ""
        return f"{id}: {self.title}"

    @property
    def title(self) -> str:
        """The message of the revision, and the last of those that are applied beside it."""
        beside = self.stage.beside[-1:]
        return self.stage.revision.title + "".join(f" (beside {one.id})" for one in beside)


def planned(
    stages: Iterable[Stage],
    instance: Instance,
    journal: Journal,
    allow: Collection[str] = (),
    applied: Iterable[Revision] = (),
) -> tuple[Planned, ...]:
    """The plan of each stage: of the first from what is live, of others from what those before will leave.

    A name in ``allow`` allows what it names in every stage. Raises :class:`WrongAllow` where it allows
    nothing in any, nor did so before, as in those that are ``applied``; and :class:`btmodel.errors.ServerError`.
    """
    found: list[Planned] = []
    known, before = set[str](), {one.id: one for one in applied}
    # Who repeats a command that was killed says again what it had done.
    harmless = {*done_before(journal), *_step_names(before.values())} if allow else set[str]()
    live, copies = read_known(instance, journal), journal.copies()
    for stage in stages:
        plan, names = plan_with(instance, stage.tables, live, allow, copies, before=stage.before)
        known |= names
        lacking = missed(stage, live, copies, instance, before)
        live, copies = after(plan, live), copies_after(plan)
        steps = () if stage.is_applied else tuple(standings(stage.revision, journal))
        known |= {name for one in steps if one.edited for name in (one.restart, one.resume)}
        harmless |= set(_step_names([stage.revision]))
        found.append(Planned(stage, plan, steps, frozenset(allow), lacking))
    refuse_needless(
        [name for name in allow if name not in harmless],
        known,
        [one.plan for one in found],
        [one.heading for one in found],
    )
    return tuple(found)


def refuse_all(found: Sequence[Planned], folder: Path) -> None:
    """Raise :class:`MigrationError` where plans may not be applied, or data steps may not be run, with all names that would allow it."""
    told: list[str] = []
    try:
        refuse(*(one.plan for one in found))
    except MigrationError as error:
        told.append(str(error))
    for one in found:
        if not one.stage.is_applied:
            told += why_unwritten(one.stage.revision, folder)
            told += why_missed(one.missed, one.stage, folder, one.allowed)
            told += (
                why for step in one.steps for why in why_edited(step, one.stage.revision, folder, one.allowed)
            )
    if told:
        raise MigrationError("\n".join(told))


def _step_names(revisions: Iterable[Revision]) -> Iterator[str]:
    """The names by which data steps go on that were edited half-way, or would miss something."""
    for step in (step for one in revisions for step in one.data_steps):
        yield from (Standing(step, "", None).restart, Standing(step, "", None).resume, run_name(step))


def plan_with(
    instance: Instance,
    tables: tuple[Table, ...],
    live: tuple[Table, ...],
    allow: Collection[str],
    copies: Iterable[CopyRecord],
    renamings: tuple[Renaming, ...] | None = None,
    before: str | None = None,
) -> tuple[Plan, frozenset[str]]:
    """The plan from ``live`` to ``tables`` with those names of ``allow`` that it needs, and all names that it knows.

    ``renamings`` are those on the way, where they are other ones than ``tables`` declare, and ``before`` is the revision
    behind which that of ``tables`` comes.
    """
    wanted, there = concrete(tables, live)
    facts = attrs.evolve(read_facts(instance, wanted, there, copies), renamings=renamings, before=before)
    known = allowable(wanted, there, facts)
    return make_plan(instance.instance, wanted, there, sorted(known & set(allow)), facts), known


def after(plan: Plan, live: Iterable[Table]) -> tuple[Table, ...]:
    """What is live once ``plan`` is applied to ``live``: what is declared, and what is not and stays."""
    dropped = {
        (one.table_id, one.family_id) for one in plan.changes if isinstance(one, DropFamily | DropTable)
    }
    layouts = {one.table_id: one.layouts for one in plan.changes if isinstance(one, RecordLayouts)}
    there = {table.id: table for table in live if (table.id, None) not in dropped}
    there |= {table.id: _over(table, there.get(table.id), dropped) for table in plan.declared}
    return tuple(
        attrs.evolve(there[id], layouts=layouts.get(id, there[id].layouts))
        for id in sorted(there, key=natural)
    )


def copies_after(plan: Plan) -> tuple[CopyRecord, ...]:
    """What the journal has of copies once ``plan`` is applied: those that are not over, and those that it makes."""
    now, over = datetime.now(UTC), plan.copies_over
    copies = (one for one in plan.changes if isinstance(one, CopyFamily | CopyTable))
    made = (one.renaming.recorded("", now, now) for one in copies)
    return (*(one for one in plan.facts.copies if one not in over), *made)


def _over(declared: Table, live: Table | None, dropped: Collection[tuple[str, str | None]]) -> Table:
    """``declared`` where ``live`` is: the layouts stay, and with them what nothing declares."""
    if live is None:
        return attrs.evolve(declared, layouts=())
    stays = [
        one for one in live.families if declared.family(one.id) is None and (live.id, one.id) not in dropped
    ]
    families = sorted((*declared.families, *stays), key=lambda one: one.id)
    return Table(declared.id, tuple(families), declared.settings.over(live.settings), live.layouts)
