"""The way from where an instance stands to a revision."""

from collections.abc import Collection, Iterator, Mapping

from attrs import evolve, frozen

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.origins import Names
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, refuse_unknown, refuse_what_does_not_fit
from btmodel.migrate.revisions.states import tables_of
from btmodel.schema import Family, Table


@frozen
class Stage:
    """A revision to apply, and the tables to which that leads.

    These are its own, unless others are applied by then that it does not stand on, as where two branches met: then they are what
    both lead to together. ``beside`` are those others, in order. ``is_applied`` where it is recorded already, and live is
    compared with it once more; ``before`` is the revision that comes before it.
    """

    revision: Revision
    tables: tuple[Table, ...]
    beside: tuple[Revision, ...] = ()
    is_applied: bool = False
    before: str | None = None


def stages(now: Standing, to: Revision | None = None) -> tuple[Stage, ...]:
    """What leads to ``to``, or else to the last revision, in order.

    Where all is applied it is the last revision alone, so that what was changed by hand comes
    out; none, where the instance is further than these files. Raises :class:`MigrationError` where what is
    applied does not fit the files, or ``to`` does not stand on it.
    """
    refuse_what_does_not_fit(now)
    target = to or now.graph.head
    if target is None:
        return ()
    way = now.graph.up_to(target.id)
    left = [one for one in way if one not in now.applied]
    if not left:
        ahead = now.unknown or any(one not in way for one in now.applied)
        return () if ahead else (Stage(target, target.tables, is_applied=True),)
    refuse_unknown(now)
    if aside := [one.id for one in now.applied if one not in way]:
        raise MigrationError(
            f"{target.id} does not stand on {' and '.join(aside)}, which the instance has applied: join them with "
            "`btmodel migrate merge` and apply that, or go back with `btmodel migrate rollback`"
        )
    return tuple(_stages(now.graph, [one.id for one in now.applied], way))


def _stages(graph: Graph, applied: Collection[str], way: Collection[Revision]) -> Iterator[Stage]:
    """The revisions of ``way`` that are not ``applied``, each behind all that come before it."""
    done, last = set(applied), None
    for one in way:
        if one.id not in applied:
            below = {each.id for each in graph.up_to(one.id)}
            beside = tuple(each for id, each in graph.revisions.items() if id in done - below)
            tables = _beside(graph, one, beside, done) if beside else one.tables
            done.add(one.id)
            yield Stage(one, tables, beside, before=last)
        last = one.id


def _beside(
    graph: Graph, revision: Revision, beside: Collection[Revision], done: Collection[str]
) -> tuple[Table, ...]:
    """The tables of all that is ``done`` and of ``revision``, each renamed from what those ``beside`` made of what it was.

    What both branches renamed has its cells under the name that the other one gave it.
    """
    there = {table.id: table for table in tables_of(graph, done)}
    wanted = tables_of(graph, {*done, revision.id})
    names = Names.given_by((*beside, *graph.up_to(revision.id)))
    taking = _Taking(there, {one.id for one in wanted}, names)
    return tuple(taking.over(table) for table in wanted)


@frozen
class _Taking:
    """What tables take over: ``there`` are those before, ``wanted`` the ids of those that are declared, and ``names`` all that each had."""

    there: Mapping[str, Table]
    wanted: Collection[str]
    names: Names

    def over(self, table: Table) -> Table:
        """``table``, and its families, renamed from what is there of them, under whatever name."""
        former = table.renamed_from
        if table.id not in self.there and former not in self.there:
            found = sorted(self.names.of_table(table.id) & self.there.keys() - set(self.wanted))
            former = found[-1] if found else former
        before = self.there.get(table.id) or self.there.get(former or table.id)
        families = table.families
        if before is not None:
            families = tuple(self._family(one, table, before) for one in families)
        return evolve(table, renamed_from=former, families=families)

    def _family(self, family: Family, table: Table, before: Table) -> Family:
        there = {one.id for one in before.families}
        if family.id in there or family.renamed_from in there:
            return family
        declared = {one.id for one in table.families} if before.id == table.id else set[str]()
        found = sorted(self.names.of_family(table.id, family.id) & there - declared)
        return evolve(family, renamed_from=found[-1]) if found else family
