"""The standing of an instance: its applied, pending and unknown revisions."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from attrs import evolve, frozen

from btmodel.errors import MigrationError, some
from btmodel.migrate.history import AppliedRevision
from btmodel.migrate.revisions.graph import Graph
from btmodel.migrate.revisions.merging import NameHistory, tables_of
from btmodel.migrate.revisions.order import in_order
from btmodel.migrate.revisions.revision import Revision
from btmodel.schema import Family, Table
from btmodel.schema.limits import HISTORY_TABLE

_SHOWN = 5  # files that one message names
_SEVERAL = ("they were", "them", "the files say", "they are", "revisions of those names")
_ONE = ("it was", "it", "the file says", "it is", "a revision of that name")


@frozen
class Standing:
    """The comparison of the files with the migration history of an instance.

    ``applied`` and ``pending`` are revisions of ``graph``, in order. ``edited`` are applied revisions whose files
    have changed since, ``unknown`` the records of revisions that ``graph`` lacks, and ``partly`` squashed revisions
    of which the instance has only a part.
    """

    graph: Graph
    records: tuple[AppliedRevision, ...]
    applied: tuple[Revision, ...]
    pending: tuple[Revision, ...]
    edited: tuple[Revision, ...]
    unknown: tuple[AppliedRevision, ...]
    partly: tuple[Revision, ...]

    @property
    def tops(self) -> tuple[Revision, ...]:
        """The applied revisions without applied children; several if branches were applied separately."""
        below = {parent for revision in self.applied for parent in self.graph.parents[revision.id]}
        return tuple(revision for revision in self.applied if revision.id not in below)

    @property
    def last(self) -> Revision | None:
        """The last applied revision; None if none is applied.

        Raises :class:`MigrationError` if there are several, because branches were applied separately.
        """
        tops = self.tops
        if len(tops) > 1:
            joined = " and ".join(revision.id for revision in tops)
            raise MigrationError(
                f"{joined} are applied and neither stands on the other: join them with `btmodel migrate merge`, "
                "and apply that"
            )
        return tops[0] if tops else None

    @property
    def command(self) -> str:
        """The command that compares the instance with the last applied revision and applies no other one."""
        last = self.last
        return f"btmodel migrate apply --to {last.id}" if self.pending and last else "btmodel migrate"

    @property
    def stepped(self) -> tuple[Revision, ...]:
        """The applied revisions whose data steps have all run on the instance: a baseline takes the user's word for that."""
        records = ((revision, self.record_of(revision)) for revision in self.applied)
        return tuple(one for one, record in records if record and {*one.data_steps} <= {*record.steps})

    @property
    def skipped(self) -> Mapping[str, tuple[str, ...]]:
        """The data steps of the applied revisions that have written nothing, as these were applied without them, by the ids of the revisions."""
        return {one.id: record.skipped for one in self.applied if (record := self.record_of(one))}

    @property
    def times(self) -> Mapping[str, datetime]:
        """When the applied revisions were applied, by id."""
        return {one.id: record.at for one in self.applied if (record := self.record_of(one))}

    def record_of(self, revision: Revision) -> AppliedRevision | None:
        """The record of an applied revision, or of the last one that it replaces."""
        ids = {revision.id, *(link.id for link in revision.replaces[-1:])}
        return next((applied for applied in self.records if applied.id in ids), None)


def standing(graph: Graph, records: Iterable[AppliedRevision]) -> Standing:
    """The standing of an instance with these records."""
    known = tuple(records)
    sums = {applied.id: applied.checksum for applied in known}
    applied = tuple(revision for revision in graph.revisions.values() if _is_applied(revision, sums))
    pending = tuple(revision for revision in graph.revisions.values() if revision not in applied)
    revisions = graph.revisions.values()
    ids = {link.id for revision in revisions for link in (*revision.replaces, revision.link)}
    return Standing(
        graph,
        known,
        applied,
        pending,
        tuple(revision for revision in revisions if _is_edited(revision, sums)),
        tuple(applied for applied in known if applied.id not in ids),
        tuple(revision for revision in pending if any(link.id in sums for link in revision.replaces)),
    )


def refuse_what_does_not_fit(now: Standing) -> None:
    """Raise :class:`MigrationError` if applied revisions were edited, or were squashed together with others that are not applied."""
    folder = now.graph.folder
    if now.edited:
        files = some([revision.files(folder) for revision in now.edited], _SHOWN)
        was, it, file, is_, other = _ONE if len(now.edited) == 1 else _SEVERAL
        why = f"{files}: {was} edited since {was} applied (another checksum was applied)"
        stranger = f"where another project has applied {other} there, this is its instance: name that of this project"
        if now.unknown:
            raise MigrationError(
                f"{why}, and the instance has applied {_names(now.unknown)}, which {folder} lacks: {stranger}; or, "
                f"where {is_} this project's, put {it} back as {was}, and get the files from the branch that has them"
            )
        raise MigrationError(
            f"{why}: put {it} back as {was}, and write the change as a new revision; or, where the instance is as {file} "
            f"now, record {it} with `btmodel migrate baseline {now.applied[-1].id}`; {stranger}"
        )
    refuse_partly(now)


def refuse_partly(now: Standing) -> None:
    """Raise :class:`MigrationError` if applied revisions were squashed together with others that are not applied."""
    if now.partly:
        one = now.partly[0]
        last = one.replaces[-1].id  # the others may be squashed revisions themselves
        raise MigrationError(
            f"{now.graph.folder / one.id}.toml: the instance has some of the revisions that it replaces, and lacks "
            f"{last}, the last of them: apply those up to that first, with the files from before they were squashed"
        )


def refuse_unknown(now: Standing) -> None:
    """Raise :class:`MigrationError` if the instance has revisions that these files lack."""
    for applied in now.unknown:
        if same := next((each for each in now.pending if each.is_as(applied.checksum)), None):
            raise MigrationError(
                f"{now.graph.folder / same.id}.toml: the instance has applied it as {applied.id}: give the "
                "file that name again"
            )
    if now.unknown:
        raise MigrationError(
            f"the instance has applied {_names(now.unknown)}, which {now.graph.folder} lacks: get the files from the "
            "branch that has them, so that what they did is not undone; where another project has applied them, name "
            "the instance of this one"
        )


def refuse_without_files(records: Iterable[AppliedRevision]) -> None:
    """Raise :class:`MigrationError` if the instance has revisions and this checkout has none."""
    if names := [applied.id for applied in records]:
        raise MigrationError(
            f"the instance is migrated by revisions, of which {names[-1]} was applied last, and there are none here: "
            "get their files from the branch that has them, or name their folder as `migrations` under [tool.btmodel]; "
            f"to go on without any, delete the rows of {HISTORY_TABLE} whose keys begin with `revision#`, and no others: how "
            "keys and cells are written, copies and data steps are recorded there, too"
        )


def _names(records: Iterable[AppliedRevision]) -> str:
    return some([applied.id for applied in records], _SHOWN)


def _is_applied(one: Revision, known: Collection[str]) -> bool:
    """Whether a revision, or the last one that it replaces, is recorded; its ancestors are applied then."""
    return one.id in known or any(link.id in known for link in one.replaces[-1:])


def _is_edited(one: Revision, known: Mapping[str, str]) -> bool:
    """Whether a revision was applied with another checksum, or the last one that it replaces was.

    If the replaced revisions are recorded and not the revision itself, its current form must be the squashed one.
    """
    if any(not link.fits(known.get(link.id, link.checksum)) for link in (*one.replaces, one.link_to_all)):
        return True
    return (
        bool(one.replaces)
        and one.id not in known
        and _is_applied(one, known)
        and one.squashed != one.checksum
    )


@frozen
class RevisionTarget:
    """A revision to apply, and the tables that result.

    ``tables`` are those of the revision, unless revisions of another branch are applied before it: then both branches
    are merged. ``beside`` are these others, in order. ``is_applied`` marks a revision that is already recorded and
    only compared with the instance again; ``before`` is the preceding revision.
    """

    revision: Revision
    tables: tuple[Table, ...]
    beside: tuple[Revision, ...] = ()
    is_applied: bool = False
    before: str | None = None


def targets(now: Standing, to: Revision | None = None) -> tuple[RevisionTarget, ...]:
    """The revisions that lead to ``to``, or else to the last one, in order.

    If all are applied, the result is the last one alone, so that manual changes are found; it is empty if the
    instance is further than these files. Raises :class:`MigrationError` if the records do not match the files, or if
    ``to`` does not descend from the applied revisions.
    """
    refuse_what_does_not_fit(now)
    last = to or now.graph.head
    if last is None:
        return ()
    way = now.graph.up_to(last.id)
    left = [revision for revision in way if revision not in now.applied]
    if not left:
        ahead = now.unknown or any(revision not in way for revision in now.applied)
        return () if ahead else (RevisionTarget(last, last.tables, is_applied=True),)
    refuse_unknown(now)
    if aside := [revision.id for revision in now.applied if revision not in way]:
        raise MigrationError(
            f"{last.id} does not stand on {' and '.join(aside)}, which the instance has applied: join them with "
            "`btmodel migrate merge` and apply that, or go back with `btmodel migrate rollback`"
        )
    return tuple(_targets(now.graph, [revision.id for revision in now.applied], way))


def _targets(graph: Graph, applied: Collection[str], way: Sequence[Revision]) -> Iterator[RevisionTarget]:
    """The revisions of ``way`` that are not ``applied``, each after all that come before it."""
    done = set(applied)
    last = next((revision.id for revision in reversed(way) if revision.id in applied), None)
    for revision in in_order(graph, [one for one in way if one.id not in applied]):
        below = {each.id for each in graph.up_to(revision.id)}
        beside = tuple(each for id, each in graph.revisions.items() if id in done - below)
        tables = _beside(graph, revision, beside, done) if beside else revision.tables
        done.add(revision.id)
        yield RevisionTarget(revision, tables, beside, before=last)
        last = revision.id


def _beside(
    graph: Graph, revision: Revision, beside: Collection[Revision], done: Collection[str]
) -> tuple[Table, ...]:
    """The merged tables of ``done`` and ``revision``, each declared as renamed from its name in the ``beside`` branch.

    If both branches renamed something, its cells are under the name that the other branch gave it.
    """
    there = {table.id: table for table in tables_of(graph, done)}
    wanted = tables_of(graph, {*done, revision.id})
    names = NameHistory.given_by((*beside, *graph.up_to(revision.id)))
    taking = _TableRenamings(there, {table.id for table in wanted}, names, _last_names(graph, done))
    return tuple(taking.over(table) for table in wanted)


def _last_names(graph: Graph, done: Collection[str]) -> set[tuple[str, str]]:
    """The tables and families that one of these revisions declares and none renames; each may still be in the instance."""
    declared = [
        (table.id, family) for id in done for table in graph.revisions[id].tables for family in table.families
    ]
    renamed = {(table, family.renamed_from) for table, family in declared}
    return {(table, family.id) for table, family in declared} - renamed


@frozen
class _TableRenamings:
    """The renamings of tables: ``there`` are the tables before, ``wanted`` the declared ids, and ``names`` all names of each.

    ``last`` are tables with the last names of their families, including those that a branch no longer declares.
    """

    there: Mapping[str, Table]
    wanted: Collection[str]
    names: NameHistory
    last: Collection[tuple[str, str]]

    def over(self, table: Table) -> Table:
        """``table`` with its families, renamed from whatever name they have in the instance."""
        former = table.renamed_from
        if table.id not in self.there and former not in self.there:
            found = sorted(self.names.of_table(table.id) & self.there.keys() - set(self.wanted))
            former = found[-1] if found else former
        before = self.there.get(table.id) or self.there.get(former or table.id)
        families = table.families
        if before is not None:
            families = tuple(self._family(family, table, before) for family in families)
        return evolve(table, renamed_from=former, families=families)

    def _family(self, family: Family, table: Table, before: Table) -> Family:
        there = {one.id for one in before.families}
        if family.renamed_from in there:
            return family
        declared = {one.id for one in table.families} if before.id == table.id else {family.id}
        # An existing name takes over another one that earlier merges kept beside it and later ones leave out.
        same = self.names.of_family(table.id, family.id) - declared
        found = sorted(same & there)
        if not found and family.id not in there:
            found = sorted(one for one in same if (before.id, one) in self.last)
        return evolve(family, renamed_from=found[-1]) if found else family
