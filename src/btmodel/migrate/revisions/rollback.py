"""Roll back to an earlier revision."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs
from attrs import frozen

from btmodel.errors import MigrationError, some
from btmodel.migrate.applying.copying import Data, Differs, only_new
from btmodel.migrate.applying.run import Done
from btmodel.migrate.applying.stages import RunListener, Stage
from btmodel.migrate.changes.base import Drift, InstanceChange
from btmodel.migrate.changes.layouts import ChangeCodec
from btmodel.migrate.changes.results import NO_RESULTS, StepResults
from btmodel.migrate.data import MoveStep
from btmodel.migrate.history import CopyRecord, MigrationHistory
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.instance import Instance
from btmodel.migrate.planning.plan import Plan, diff, done_before, read_known, refuse_needless
from btmodel.migrate.planning.text import PlanText, allowing, first, plan_text, with_left_over
from btmodel.migrate.revisions.move_losses import moves_of
from btmodel.migrate.revisions.past_moves import NONE
from btmodel.migrate.revisions.planning import plan_with
from btmodel.migrate.revisions.premature import empty_name
from btmodel.migrate.revisions.records import forget, forget_progress, is_confirmed, recording, stays_name
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, refuse_unknown, refuse_what_does_not_fit
from btmodel.migrate.revisions.step_results import PastSteps
from btmodel.migrate.revisions.steps import progress_name, writing
from btmodel.migrate.revisions.undone_steps import (
    RewrittenBack,
    UndoneStep,
    UnreadCells,
    rewritten_back,
    undone_steps,
    unread_cells,
)
from btmodel.migrate.tables.renamings import Renaming, names_of, renamings
from btmodel.migrate.tables.templates import concrete
from btmodel.schema import Family, Table


def renamings_back(
    to: Revision, undone: Sequence[Revision], live: Iterable[Table], records: Iterable[CopyRecord]
) -> tuple[Renaming, ...]:
    """The renamings that lead back to ``to`` from the ``undone`` revisions, which are in the order of applying.

    Raises :class:`MigrationError` if two of them renamed the same thing, and neither copy is finished.
    """
    there, known = {table.id: table for table in live}, tuple(records)
    wanted = tuple(_with_heirs(table, undone, there) for table in to.tables)
    copies = {(copy.old, copy.new): copy for copy in known if copy.ended is not None}
    # Resume a copy back that an earlier run has begun.
    declared = {renaming.old_name for renaming in renamings(to.tables, there.values(), copies.values())}
    return tuple(
        renaming if renaming.old_name in declared else _back(renaming, to.id, copies)
        for renaming in renamings(wanted, there.values(), known)
    )


def _back(renaming: Renaming, to: str, copies: Mapping[tuple[str, str], CopyRecord]) -> Renaming:
    undoes = None
    if renaming.is_live and renaming.record is None:
        undoes = copies.get((renaming.new_name, renaming.old_name))
    return attrs.evolve(renaming, undoes=undoes, back_to=to)


def _with_heirs(table: Table, undone: Sequence[Revision], there: Mapping[str, Table]) -> Table:
    """``table``, declared as renamed from the name that took over from it and is in the instance."""
    tables = [heir.id for heir in _tables(table, undone) if heir.id != table.id and heir.id in there]
    id = _only(table.id, dict.fromkeys(tables)) or table.id
    live = there.get(id)
    if live is None:
        return table
    families = tuple(_with_heir(table, family, undone, live) for family in table.families)
    return attrs.evolve(table, families=families, renamed_from=table.renamed_from if id == table.id else id)


def _with_heir(table: Table, family: Family, undone: Sequence[Revision], live: Table) -> Family:
    found: list[str] = []
    id = family.id
    for there in _tables(table, undone):
        id = next((one.id for one in there.families if _takes_over(one, id, there)), id)
        if there.id == live.id and live.family(id) is not None:
            found.append(id)
    others = dict.fromkeys(one for one in found if one != family.id or live.id != table.id)
    heir_id = _only(f"{table.id}.{family.id}", {f"{live.id}.{other}": None for other in others})
    heir = None if heir_id is None else heir_id.removeprefix(f"{live.id}.")
    return family if heir in (None, family.id) else attrs.evolve(family, renamed_from=heir)


def _takes_over(one: Family, id: str, heir: Table) -> bool:
    return one.id == id or (one.renamed_from == id and heir.family(id) is None)


def _tables(table: Table, undone: Sequence[Revision]) -> Iterator[Table]:
    """``table`` in each of the ``undone`` revisions, under the name that it has there."""
    id = table.id
    for revision in undone:
        by_id = {one.id: one for one in revision.tables}
        heirs = (one for one in revision.tables if one.renamed_from == id)
        found = by_id.get(id) or next(heirs, None)
        if found is not None:
            id = found.id
            yield found


def _only(name: str, heirs: Mapping[str, None]) -> str | None:
    if len(heirs) > 1:
        raise MigrationError(
            f"nothing was rolled back: {' and '.join(heirs)} took over from {name}, one after the other, and are all "
            "there still: go back one revision at a time, and drop what is copied"
        )
    return next(iter(heirs), None)


_SHOWN = 5  # tables that a message names
# Which cells are as a step has rewritten them.
ALL, SOME = "all", "some"


@frozen
class WayBack:
    """The revisions to undo, the last one first, and the revision that is last afterwards; None if none is.

    ``pending`` are revisions that are not applied: their data steps may have begun on the tables, and an interrupted
    rollback may already have undone them. ``folder`` has the code of their steps, and ``recorded`` are the ids of all recorded ones.
    ``past`` is what the steps of the revisions that stay have done, and ``begun`` are those of ``pending`` of which a run was interrupted. ``rewritten`` are those whose cells an
    earlier rollback has left as their steps have rewritten them, by their ids: ``all`` or ``some`` of them. ``moves`` are the steps that have moved rows, or may have, also on from a table to which rows were moved before, and ``switches`` those that compared the tables before reads were switched.
    ``skipped`` are the steps of ``undone`` that have written nothing, as their revisions were applied without them.
    """

    undone: tuple[Revision, ...]
    to: Revision | None
    pending: tuple[Revision, ...] = ()
    recorded: frozenset[str] | None = None
    moves: tuple[MoveStep, ...] = ()
    switches: tuple[MoveStep, ...] = ()
    folder: Path = Path()
    begun: tuple[Revision, ...] = ()
    past: PastSteps | None = None
    rewritten: Mapping[str, str] = attrs.field(factory=dict[str, str])
    skipped: Mapping[str, Collection[str]] = NONE

    @property
    def steps(self) -> tuple[UndoneStep, ...]:
        """The steps that rewrite rows in place and that it goes below, in order: undone now, undone before, or interrupted."""
        late = (one for one in self.pending if one in self.begun or one.id in self.rewritten)
        return undone_steps((*reversed(self.undone), *late), self.folder, self.tables, self.skipped)

    @property
    def unfinished(self) -> frozenset[str]:
        """The ids of the revisions whose steps have done only some of their work."""
        some = {id for id, cells in self.rewritten.items() if cells == SOME}
        return frozenset(some | {one.id for one in self.begun})

    @property
    def stays_rewritten(self) -> Mapping[str, str]:
        """Of which revisions cells of its tables are still as their steps have rewritten them, once it is done."""
        tables = {table.id for table in self.tables}
        there = {step.revision.id for step in self.steps if step.model.table in tables}
        return {id: SOME if id in self.unfinished else ALL for id in there}

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables of the target revision."""
        return self.to.tables if self.to else ()

    @property
    def heading(self) -> str:
        """The heading above its plan."""
        return f"back to {self.to.id if self.to else 'nothing'}:"


def way_back(now: Standing, to: Revision | None = None) -> WayBack:
    """The way back to ``to``, or else by one revision.

    Raises :class:`MigrationError` if no revision is applied, if ``to`` is not, or if the records do not match the
    files.
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
                f"{last.id} joins {' and '.join(parents)}: name the one to return to with --to"
            )
        to = now.graph.revisions[parents[0]] if parents else None
    elif to not in now.applied:
        raise MigrationError(f"--to {to.id}: it is not applied, so there is nothing to roll back to")
    kept = now.graph.up_to(to.id) if to else ()
    undone = tuple(revision for revision in reversed(now.applied) if revision not in kept)
    steps = [step for one in (*undone, *now.pending) for step in moves_of(one, now.graph.folder)]
    moves = (step for step in steps if not step.only_compares)
    switches = (step for one in undone for step in moves_of(one, now.graph.folder) if step.only_compares)
    recorded = frozenset(record.id for record in now.records)
    ran = [revision for revision in kept if revision in now.stepped]
    past = PastSteps(kept, ran, now.graph.folder, now.times)
    return WayBack(
        undone,
        to,
        now.pending,
        recorded,
        tuple(moves),
        tuple(switches),
        now.graph.folder,
        past=past,
        skipped=now.skipped,
    )


@frozen(slots=False)
class RollbackStage(Stage):
    """A rollback: its plan, then the removal of the records of the undone revisions, the last one first.

    ``empty`` are the tables of the target revision that hold no row, where one with rows would be dropped. ``moved`` are cells that
    its models would look for where they are no more, and ``rewritten`` are those that they could not read.
    """

    way: WayBack
    allowed: frozenset[str] = frozenset()
    empty: tuple[str, ...] = ()
    instance: Instance | None = None
    moved: tuple[UnreadCells, ...] = ()
    rewritten: tuple[RewrittenBack, ...] = ()

    @property
    def heading(self) -> str:
        """The target revision."""
        return self.way.heading

    def text(self, *, moved: bool = False) -> PlanText:
        """Its plan as text, with what the undone revisions created in a group of its own."""
        return with_left_over(plan_text(self.plan), self.left_over)

    @property
    def left_over(self) -> tuple[Drift, ...]:
        """What the undone revisions created, unless ``allowed`` says whether to keep or to drop it."""
        return (*self._lost, *_took_over(self.plan))

    def _while_empty(self, drift: Drift) -> str:
        """A warning that what is dropped may have the only copy of rows that were moved."""
        if drift.family_id is not None or not self.empty:
            return ""
        hold = "holds" if len(self.empty) == 1 else "hold"
        return f", while {some(self.empty, _SHOWN)} {hold} no row, so that it may have the only copy"

    @property
    def _lost(self) -> list[Drift]:
        return [drift for drift in _lost(self.way, self.plan) if _keep(drift) not in self.allowed]

    @property
    def planned_on(self) -> frozenset[str] | None:
        """The revisions that were recorded when it was planned."""
        return self.way.recorded

    def is_expected(self, added: Collection[str], removed: Collection[str]) -> bool:
        """Whether other runs have undone nothing but what it undoes itself, the last one first."""
        ids = [id for one in self.way.undone for id in (one.id, *(link.id for link in one.replaces))]
        return not added and set(removed) <= set(ids)

    def begun_since(self, history: MigrationHistory) -> Iterator[str]:
        """The revisions that are not applied and were not begun when it was planned: what their steps have written stays, about which it asks."""
        known = self.way.begun
        yield from (one.id for one in self.way.pending if one not in known and _has_begun(one, history))

    def is_pending(self, recorded: Collection[str]) -> bool:
        """Always true: it also ends the records of half-finished data steps."""
        return True

    def is_left(self, recorded: Collection[str], instance: Instance, history: MigrationHistory) -> bool:
        """Always true: repeating it does no harm."""
        return True

    def finish(
        self, run_record: RunRecord, data: Data | None, listener: RunListener, done: Sequence[Done]
    ) -> None:
        """Remove the records of half-finished data steps and of the undone revisions."""
        rewritten = self.way.stays_rewritten
        for revision in self.way.pending:
            with recording("the instance is rolled back", revision, done):
                still = rewritten.get(revision.id, "")
                forget_progress(revision, run_record, rolled_back=True, rewritten=still)
        for revision in self.way.undone:
            with recording(f"{revision.id} is rolled back", revision, done):
                forget(revision, run_record, rewritten.get(revision.id, ""))
            listener.revision(revision.id)
        if data is not None and self.instance is not None:
            for step in self.way.switches:
                _say_what_is_not_read(step, self.instance, run_record, data)

    def _refused(self, change: InstanceChange) -> str:
        """Why a change is refused; with what rewrites the cells of another codec back, where a step has rewritten them."""
        for one in self.rewritten:
            if isinstance(change, ChangeCodec) and one.is_of(change):
                return one.where(self.way.to)
        return f"{change.subject} {change.summary}"

    def refuse_loss(self) -> None:
        """Raise :class:`MigrationError` if the rollback loses something that ``allowed`` does not name."""
        lost = self._lost
        refused = [change for change in self.plan.refused if change.requires is not None]
        stepped = (*self.way.begun, *self.way.undone)
        skipped = self.way.skipped
        steps = [
            (revision, step)
            for revision in stepped
            for step in writing(revision)
            if step not in skipped.get(revision.id, ())
        ]
        written = [(revision, step) for revision, step in steps if stays_name(step) not in self.allowed]
        empty = [change for change in _empty(self.way, self.plan) if _empty_name(change) not in self.allowed]
        moved = [one for one in self.moved if one.name not in self.allowed]
        why = [
            *(
                f"{change.subject}, which was dropped, would be created empty, after which `gcloud bigtable instances tables undelete` brings its rows back no more"
                for change in empty
            ),
            *(f"{drift.subject} would be dropped{self._while_empty(drift)}" for drift in lost),
            *map(self._refused, refused),
            *(one.where(self.way.to) for one in moved),
            *(f"what the data step {step} of {revision.id} wrote stays" for revision, step in written),
        ]
        needed = [
            *map(_empty_name, empty),
            *(change.requires for change in (*lost, *refused) if change.requires),
            *(one.name for one in moved),
            *(stays_name(step) for _, step in written),
        ]
        if why:
            why = list(first(why))
            why[-1] += f": use {allowing(needed)} if you mean that"
            if lost:
                why[-1] += (
                    f", or, to keep what came with it, undeclared, {allowing(map(_keep, lost))} instead of a drop"
                )
        why += first([_choice(drift) for drift in _took_over(self.plan)])
        if why:
            raise MigrationError(f"nothing was rolled back: {'; '.join(why)}")


def rollback_stage(
    way: WayBack, instance: Instance, history: MigrationHistory, allow: Collection[str] = ()
) -> RollbackStage:
    """The stage that leads from the instance back to the target of ``way``.

    It drops what the undone revisions created, if ``allow`` names it, and renames back what they renamed. Raises
    :class:`MigrationError` if a name allows nothing and did not do so before, or if two renamings conflict; and
    :class:`btmodel.errors.ServerError`.
    """
    begun = tuple(one for one in way.pending if _has_begun(one, history))
    rewritten_before = {one.id: cells for one in way.pending if (cells := _is_rewritten(one, history))}
    way = attrs.evolve(way, begun=begun, rewritten=rewritten_before)
    live, copies = read_known(instance, history), history.copies()
    renamings = renamings_back(way.to, way.undone[::-1], live, copies) if way.to else ()
    past = way.past.results(way.tables, live) if way.past else NO_RESULTS
    results = StepResults(moves=past.moves, undone=way.moves, unknown=past.unknown)
    plan, known = plan_with(instance, way.tables, live, allow, copies, renamings, results=results)
    if both := [
        f"--allow {change.name} and --allow {_keep(change)}"
        for change in _dropped(way, plan)
        if _keep(change) in allow
    ]:
        raise MigrationError(f"nothing was rolled back: {'; '.join(both)}: name one of them")
    # A rollback that is repeated undoes nothing, and the user has said what it needs.
    steps = way.steps if way.undone or way.begun else ()
    moved = tuple(
        one for one in unread_cells(steps, way.unfinished, way.tables) if not instance.is_empty(one.now_in)
    )
    rewritten = tuple(rewritten_back(steps, way.unfinished, way.tables))
    # A user who repeats an interrupted command names again what it has already done.
    harmless = (
        {*done_before(history), *_steps(way.pending), *_asked_before(way), *_kept_before(way, plan)}
        if allow
        else set[str]()
    )
    refuse_needless(
        [name for name in allow if name not in harmless],
        known
        | _steps((*way.undone, *way.begun))
        | {*map(_empty_name, _empty(way, plan)), *(one.name for one in moved)}
        | {_keep(change) for change in (*_lost(way, plan), *_dropped(way, plan))},
        (plan,),
        (way.heading,),
    )
    filled = [drift.table_id for drift in _lost(way, plan) if drift.family_id is None]
    if all(instance.is_empty(id) for id in filled):
        return RollbackStage(plan, way, frozenset(allow), instance=instance, moved=moved, rewritten=rewritten)
    stay = {table.id for table in live} & {table.id for table in way.tables}
    empty = tuple(id for id in sorted(stay) if instance.is_empty(id))
    return RollbackStage(plan, way, frozenset(allow), empty, instance, moved, rewritten)


def _asked_before(way: WayBack) -> Iterator[str]:
    """The names that a rollback may have asked for that was interrupted after it had recorded how rows are read."""
    for revision in (*way.undone, *way.pending):
        yield from (change.name for change in diff(way.tables, revision.tables) if change.recorded)
    steps = undone_steps((*reversed(way.undone), *way.pending), way.folder, way.tables)
    pending = {one.id for one in way.pending}
    yield from (one.name for one in unread_cells(steps, pending, way.tables))


def _kept_before(way: WayBack, plan: Plan) -> Iterator[str]:
    """The names with which a rollback that was recorded may have kept what is no longer declared."""
    made = _declared_places(way.pending, plan)
    return (_keep(drift) for drift in plan.drift if (drift.table_id, drift.family_id) in made)


def _has_begun(revision: Revision, history: MigrationHistory) -> bool:
    """Whether a step of a pending ``revision`` has written for rows, or may have: a run records how far it came only now and then."""
    reached = (history.progress(progress_name(revision, step)) for step in revision.data_steps)
    return any(one is not None and not (one.is_rolled_back or one.rewritten) for one in reached) or (
        bool(revision.data_steps) and is_confirmed(revision, history)
    )


def _is_rewritten(revision: Revision, history: MigrationHistory) -> str:
    """Which cells an earlier rollback has left as a step of a pending ``revision`` has rewritten them; empty if none."""
    reached = (history.progress(progress_name(revision, step)) for step in revision.data_steps)
    return next((one.rewritten for one in reached if one is not None and one.rewritten), "")


def _say_what_is_not_read(step: MoveStep, instance: Instance, run_record: RunRecord, data: Data) -> None:
    """Say what only the new table of a move has, once its reads are switched back to the old one."""
    try:
        left = only_new(step, instance, run_record, data)
    except Differs as error:
        data.say(str(error))
        return
    if left:
        data.say(
            f"{step.target_table} has {left} that do not follow from {step.table}: what reads {step.table} does not see them; write them to {step.table}, where they "
            "are still needed"
        )


def _declared_places(revisions: Iterable[Revision], plan: Plan) -> set[tuple[str, str | None]]:
    """The tables and families that the revisions declare."""
    return {
        place
        for revision in revisions
        for table in concrete(revision.tables, plan.live)[0]
        for place in _places(table)
    }


def _lost(way: WayBack, plan: Plan) -> list[Drift]:
    """What the undone revisions created, and what would be lost."""
    made = _declared_places(way.undone, plan)
    declared = names_of(plan.declared)
    gone = (
        drift
        for drift in plan.drift
        if drift.end is not None and drift.end.drops
        if drift.step_of is None or drift.step_of.new_name not in declared
    )
    return [drift for drift in gone if (drift.table_id, drift.family_id) in made]


def _dropped(way: WayBack, plan: Plan) -> list[InstanceChange]:
    """What the undone revisions created, and the user has allowed to drop."""
    made = _declared_places(way.undone, plan)
    return [change for change in plan.changes if change.drops and (change.table_id, change.family_id) in made]


def _empty(way: WayBack, plan: Plan) -> list[InstanceChange]:
    """The tables that the way back creates without their rows, as they are not in the instance any more."""
    if not way.undone:
        return []
    left = {change.table_id for change in plan.changes if change.moves}  # a renaming brings them back
    return [
        change
        for change in plan.changes
        if change.makes and change.family_id is None and change.table_id not in left
    ]


def _empty_name(change: InstanceChange) -> str:
    """The name that allows to create it without rows."""
    return empty_name(change.subject)


def _keep(one: InstanceChange) -> str:
    """The name that keeps what a revision created."""
    return f"keep-{'table' if one.family_id is None else 'family'}:{one.subject}"


def _took_over(plan: Plan) -> list[Drift]:
    """The new name of a renaming whose old name is still in the instance."""
    return [drift for drift in plan.drift if drift.step_of is not None and drift.step_of.undoes]


def _choice(one: Drift) -> str:
    """What can be done with the new name of a renaming whose old name is still in the instance."""
    drop, abandon, again = one.ends
    kept = one.step_of.new_name if one.step_of is not None else ""
    return (
        f"{one.subject} may have cells that {kept} lacks, written since it took over: use --allow "
        f"{again.name} to copy them back, --allow {drop.name} to drop it where there are none, or --allow "
        f"{abandon.name} to drop it with them"
    )


def _places(table: Table) -> list[tuple[str, str | None]]:
    return [(table.id, None), *((table.id, family.id) for family in table.families)]


def _steps(revisions: Iterable[Revision]) -> set[str]:
    return {stays_name(step) for revision in revisions for step in revision.data_steps}
