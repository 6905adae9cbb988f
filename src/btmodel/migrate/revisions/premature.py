"""Tables that are dropped while a pending revision still reads them, or created without the rows that they had."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from btmodel.declare import schema_of
from btmodel.migrate.data import DataStep, MoveStep
from btmodel.migrate.history import MigrationHistory
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.move_losses import moves_of
from btmodel.migrate.revisions.records import deployed_name, skip_name
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.steps import load
from btmodel.schema import Family, Table

# A table, or a family of it.
_Place = tuple[str, str | None]
# What the names of drops of tables begin with.
_DROPS = ("drop-table:", "copy-and-drop-table:", "abandon-table:")


def why_too_early(plan: Plan, pending: Iterable[Revision], folder: Path) -> Iterator[str]:
    """Why ``plan`` may not drop tables and families that data steps of ``pending`` revisions still read or compare."""
    dropped = {(change.table_id, change.family_id): change for change in plan.changes if change.drops}
    declared = set[_Place]()
    for revision in pending if dropped else ():
        # What a pending revision makes again may go before it, as after a rollback that has kept it.
        declared |= {place for table in revision.tables for place in _places(table.id, table.families)}
        for step in load(revision, folder):
            for place in sorted(_read(step, dropped) - declared, key=str):
                change = dropped.pop(place)
                verb = "compares" if isinstance(step, MoveStep) and step.only_compares else "reads"
                deployed = f" --allow {deployed_name(revision)}" if revision.deployed else ""
                yield (
                    f"nothing was applied, because {change.name} would drop {change.subject} before {revision.id} is applied, whose step {step.name} {verb} it: first run "
                    f"`btmodel migrate apply --to {revision.id}{deployed}`, and drop {change.subject} in a run after that"
                )


def why_gone(revision: Revision, there: Iterable[Table], folder: Path) -> Iterator[str]:
    """Why the moves of ``revision`` cannot run: an old table is not ``there`` any more."""
    known = {table.id for table in there}
    for step in moves_of(revision, folder):
        if step.table not in known and step.target_table in known:
            yield (
                f"{folder / revision.id}.py: nothing was applied, because {step.name} reads {step.table}, which is not in the instance: if it was dropped, bring it back with `gcloud "
                f"bigtable instances tables undelete {step.table}`, within about 7 days; or, if {step.target_table} has all rows, record this revision as applied with "
                f"`btmodel migrate baseline {revision.id} {' '.join(f'--allow {skip_name(revision, name)}' for name in revision.data_steps)}`"
            )


def emptied_tables(
    plan: Plan, declared: Collection[str], graph: Graph, history: MigrationHistory
) -> tuple[str, ...]:
    """The tables that ``plan`` creates without their rows, although applied revisions have them ``declared``.

    A run of btmodel has dropped them, or they are tables of a move; raises :class:`btmodel.errors.ServerError`.
    """
    copied = {copy.table_id for copy in plan.copies}
    made = {change.table_id for change in plan.changes if change.makes_table} & {*declared} - copied
    if not made:
        return ()
    moved = {
        id for one in graph.revisions.values() for step in moves_of(one, graph.folder) for id in _tables(step)
    }
    steps = history.steps().values()
    dropped = {step.table for step in steps if any(name.startswith(_DROPS) for name in step.changes)}
    return tuple(sorted(made & (moved | dropped)))


def empty_name(table: str) -> str:
    """The name that allows to create a dropped table without its rows."""
    return f"empty-table:{table}"


def why_empty(table: str) -> str:
    """Why a dropped table is not created without a permission."""
    return (
        f"nothing was applied, because {table}, which was dropped, would be created empty, after which `gcloud bigtable instances tables undelete` brings its rows back "
        f"no more: undelete it, or use --allow {empty_name(table)} if you mean that"
    )


def _tables(step: DataStep) -> set[str]:
    return {step.table, step.target_table} if isinstance(step, MoveStep) else {step.table}


def _read(step: DataStep, dropped: Collection[_Place]) -> set[_Place]:
    """Which of the ``dropped`` tables and families a step reads: the families of its model, or all of its table if it takes stored rows."""
    if step.model is None:
        return {place for place in dropped if place[0] == step.table}
    found = {*_places(step.table, schema_of(step.model).families)}
    if isinstance(step, MoveStep):
        found.add((step.target_table, None))
    return {place for place in dropped if place in found}


def _places(table: str, families: Iterable[Family]) -> Iterator[_Place]:
    yield table, None
    yield from ((table, family.id) for family in families)
