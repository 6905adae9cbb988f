"""Tables and families that the data steps of a revision were written with, and that another branch has taken away before they run."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.migrate.history import CopyRecord
from btmodel.migrate.instance import Instance
from btmodel.migrate.revisions.merging import NameHistory, Place
from btmodel.migrate.revisions.standing import RevisionTarget
from btmodel.migrate.tables.templates import is_template
from btmodel.schema import Table


@frozen
class Missed:
    """A table or family that a revision was written with, and that another one will have renamed or dropped before it.

    ``by`` is the id of that other revision, and ``applied`` says whether it is already applied.
    """

    place: Place
    by: str
    applied: bool

    @property
    def name(self) -> str:
        """``table QUOTE``, or ``family QUOTE.MD``."""
        table, family = self.place
        return f"table {table}" if family is None else f"family {table}.{family}"


def missed(
    target: RevisionTarget,
    live: Iterable[Table],
    copies: Iterable[CopyRecord],
    instance: Instance,
    applied: Collection[str],
) -> tuple[Missed, ...]:
    """The tables and families that the data steps of ``target`` would miss; none if their tables have no rows.

    ``live`` are the tables and ``copies`` the finished copies at the time when the data steps would run. Raises
    :class:`btmodel.errors.ServerError`.
    """
    if not target.beside or not target.revision.data_steps or target.is_applied:
        return ()
    there = {table.id: table for table in live}
    copied = {copy.old for copy in copies}
    places = [
        place
        for place in _lacking(target)
        if not _has(there.values(), place) or ".".join(filter(None, place)) in copied
    ]
    names = NameHistory.given_by(target.beside)
    tables = {id for place in places for id in names.of_table(place[0])}
    if all(instance.is_empty(id) for id in tables):
        return ()
    return tuple(_missed(place, target, applied) for place in places)


def _missed(place: Place, target: RevisionTarget, applied: Collection[str]) -> Missed:
    by = next(
        (revision.id for revision in target.beside if not _has(revision.tables, place)), target.beside[-1].id
    )
    return Missed(place, by, by in applied)


def _lacking(target: RevisionTarget) -> Iterator[Place]:
    """The tables and families in the revision of ``target`` that other branches will have renamed or dropped before it."""
    for table in target.revision.tables:
        if is_template(table):
            continue
        if not _has(target.tables, (table.id, None)):
            yield table.id, None
            continue
        for family in table.families:
            if not _has(target.tables, (table.id, family.id)):
                yield table.id, family.id


def _has(tables: Iterable[Table], place: Place) -> bool:
    id, family = place
    found = next((table for table in tables if table.id == id), None)
    return found is not None and (family is None or found.family(family) is not None)


def why_missed(
    missed: Collection[Missed],
    target: RevisionTarget,
    folder: Path,
    allow: Collection[str],
    covered: Collection[str] = (),
) -> Iterator[str]:
    """Why data steps that would miss something are refused, unless ``allow`` names them, or they are ``covered`` by that of a merge."""
    steps = [
        step for step in target.revision.data_steps if run_name(step) not in allow and step not in covered
    ]
    if not missed or not steps:
        return
    id = target.revision.id
    gone = " and ".join(f"{one.name}, which {one.by} has renamed or dropped by then" for one in missed)
    done = [one.by for one in missed if one.applied]
    way = f"apply it before that, with `btmodel migrate apply --to {id}`"
    if done:
        way = f"go back before {done[0]} with `btmodel migrate rollback`, and {way}"
    names = " ".join(f"--allow {run_name(step)}" for step in steps)
    yield (
        f"{folder / id}.py: nothing was applied, because its data steps were written with {gone}: {way}; or, where the "
        f"steps neither read nor write it, say {names}"
    )


def run_name(step: str) -> str:
    """The name that allows a data step to run all the same."""
    return f"run-step:{step}"
