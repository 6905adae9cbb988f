"""What a data step would miss, as others have renamed or dropped it beside its revision."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.migrate.instance import Instance
from btmodel.migrate.journal import CopyRecord
from btmodel.migrate.revisions.origins import Names, Place
from btmodel.migrate.revisions.stages import Stage
from btmodel.migrate.templates import is_template
from btmodel.schema import Table


@frozen
class Missed:
    """A table, or a family, with which a revision was written, that another one has renamed or dropped by then.

    ``by`` is that other revision, and ``applied`` whether it is applied already.
    """

    place: Place
    by: str
    applied: bool

    @property
    def name(self) -> str:
        """The table, or the family: ``table QUOTE``, ``family QUOTE.MD``."""
        table, family = self.place
        return f"table {table}" if family is None else f"family {table}.{family}"


def missed(
    stage: Stage,
    live: Iterable[Table],
    copies: Iterable[CopyRecord],
    instance: Instance,
    applied: Collection[str],
) -> tuple[Missed, ...]:
    """What the data steps of ``stage`` would miss of the rows that are ``live`` by then; nothing where there is no row.

    ``copies`` are those that are made by then. Raises :class:`btmodel.errors.ServerError`.
    """
    if not stage.beside or not stage.revision.data_steps or stage.is_applied:
        return ()
    there = {table.id: table for table in live}
    copied = {one.old for one in copies}
    places = [
        place
        for place in _lacking(stage)
        if not _has(there.values(), place) or ".".join(filter(None, place)) in copied
    ]
    names = Names.given_by(stage.beside)
    tables = {id for place in places for id in names.of_table(place[0])}
    if all(instance.is_empty(id) for id in tables):
        return ()
    return tuple(_missed(place, stage, applied) for place in places)


def _missed(place: Place, stage: Stage, applied: Collection[str]) -> Missed:
    by = next((one.id for one in stage.beside if not _has(one.tables, place)), stage.beside[-1].id)
    return Missed(place, by, by in applied)


def _lacking(stage: Stage) -> Iterator[Place]:
    """What the revision of ``stage`` declares, and is not declared by then, as those beside it have renamed or dropped it."""
    for table in stage.revision.tables:
        if is_template(table):
            continue
        if not _has(stage.tables, (table.id, None)):
            yield table.id, None
            continue
        for family in table.families:
            if not _has(stage.tables, (table.id, family.id)):
                yield table.id, family.id


def _has(tables: Iterable[Table], place: Place) -> bool:
    id, family = place
    found = next((table for table in tables if table.id == id), None)
    return found is not None and (family is None or found.family(family) is not None)


def why_missed(
    missed: Collection[Missed], stage: Stage, folder: Path, allow: Collection[str]
) -> Iterator[str]:
    """Why data steps are refused that would miss something, where ``allow`` does not name them."""
    steps = [step for step in stage.revision.data_steps if run_name(step) not in allow]
    if not missed or not steps:
        return
    id = stage.revision.id
    told = " and ".join(f"{one.name}, which {one.by} has renamed or dropped by then" for one in missed)
    done = [one.by for one in missed if one.applied]
    way = f"apply it before that, with `btmodel migrate apply --to {id}`"
    if done:
        way = f"go back behind {done[0]} with `btmodel migrate rollback`, and {way}"
    names = " ".join(f"--allow {run_name(step)}" for step in steps)
    yield (
        f"{folder / id}.py: nothing was applied, because its data steps were written with {told}: {way}; or, where the "
        f"steps neither read nor write it, say {names}"
    )


def run_name(step: str) -> str:
    """The name by which a data step is run all the same."""
    return f"run-step:{step}"
