"""Families and tables declared with ``renamed_from=`` whose old one is still in the instance."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property

import attrs
from attrs import field, frozen

from btmodel.errors import MigrationError
from btmodel.migrate.data.copies import Copy, keeps_less
from btmodel.migrate.history.records import CopyRecord
from btmodel.schema import CellLayout, Family, Layout, Table
from btmodel.schema.names import fits, placeholders

# The old table, the new one declared with the old names, and the renamed family; None for a renamed table.
Former = tuple[Table, Table, Family | None]


def remembered(
    declared: Mapping[str, Table], live: Mapping[str, Table], records: Iterable[CopyRecord]
) -> Iterator[Former]:
    """The renamings in ``records`` whose old name is ``live`` and not declared, and whose new name is both.

    A copy counts even if an interrupted run had not created its destination. Otherwise the old place could be dropped
    without a comparison while the new one has only some of its cells.
    """
    known = {(copy.old, copy.new): copy for copy in records}
    for id, table in declared.items() if known else ():
        for old in live.values():
            record = known.get((old.id, id))
            if record is not None and old.id not in declared and (id in live or record.ended is None):
                yield old, _renamed(table, record), None
        if id in live:
            yield from _families(table, live[id], known)


def followed(
    declared: Mapping[str, Table],
    live: Mapping[str, Table],
    records: Iterable[CopyRecord],
    renamed: Iterable[tuple[str, str | None]],
) -> Iterator[Former]:
    """The copies of undeclared names to ``renamed`` tables and families that are still in the instance."""
    known = {(copy.old, copy.new): copy for copy in records}
    for id, family in renamed if known else ():
        there = live[id]
        new = None if family is None else there.family(family)
        if new is None:
            for old in live.values():
                record = known.get((old.id, id))
                if record is not None and old.id not in declared:
                    yield old, _renamed(there, record), None
        elif id in declared:
            for one in there.families:
                copied = (f"{id}.{one.id}", f"{id}.{new.id}") in known
                if copied and declared[id].family(one.id) is None:
                    yield there, declared[id], attrs.evolve(new, renamed_from=one.id)


def left_over(
    declared: Mapping[str, Table], live: Mapping[str, Table], records: Iterable[CopyRecord]
) -> Iterator[Former]:
    """The finished copies in ``records`` whose old and new name are ``live`` and both not declared, as where the new one was moved on since."""
    known = {(copy.old, copy.new): copy for copy in records if copy.ended is not None}
    for old in live.values() if known else ():
        for new in live.values():
            record = known.get((old.id, new.id))
            if record is not None and not {old.id, new.id} & declared.keys():
                yield old, _renamed(new, record), None
        undeclared = _undeclared(old, declared)
        for one in undeclared:
            for new_family in undeclared:
                if (f"{old.id}.{one.id}", f"{old.id}.{new_family.id}") in known:
                    yield old, old, attrs.evolve(new_family, renamed_from=one.id)


def _undeclared(live: Table, declared: Mapping[str, Table]) -> tuple[Family, ...]:
    wanted = declared.get(live.id)
    return tuple(one for one in live.families if wanted is None or wanted.family(one.id) is None)


def _families(table: Table, live: Table, known: Mapping[tuple[str, str], CopyRecord]) -> Iterator[Former]:
    undeclared = [family for family in live.families if table.family(family.id) is None]
    for old in undeclared:
        for new in table.families:
            record = known.get((f"{live.id}.{old.id}", f"{table.id}.{new.id}"))
            if record is not None and (live.family(new.id) is not None or record.ended is None):
                yield live, table, attrs.evolve(new, renamed_from=old.id)


def _renamed(table: Table, record: CopyRecord) -> Table:
    """``table`` with the old names that it and its families were copied from."""
    former = {new: None if old == new else old for old, new in record.families}
    families = tuple(
        attrs.evolve(family, renamed_from=former.get(family.id, family.renamed_from))
        for family in table.families
    )
    return attrs.evolve(table, renamed_from=record.old, families=families)


@frozen(slots=False)
class Renaming:
    """A renaming: table ``new``, or one of its families, takes over the cells of ``old``, which is in the instance.

    ``family`` is the renamed family as declared; None for a renamed table. ``is_live`` says whether the new place
    exists, and ``record`` is the recorded copy. In a rollback, ``back_to`` is the target revision, and ``undoes`` the
    recorded copy that is undone if its source still exists. ``within`` are copies between families of ``old``, and
    ``before`` is the id of the preceding revision. ``template`` is the template of the tables, as declared and as
    recorded, if they have no layouts of their own.
    """

    old: Table = field(repr=False)
    new: Table = field(repr=False)
    family: Family | None
    is_live: bool
    record: CopyRecord | None = None
    undoes: CopyRecord | None = None
    back_to: str | None = None
    within: tuple[CopyRecord, ...] = field(default=(), repr=False, eq=False)
    before: str | None = field(default=None, eq=False)
    template: tuple[Table, Table] | None = field(default=None, repr=False)

    @property
    def place(self) -> tuple[str, str | None]:
        """The old table, and the old family; None for the family if the table is renamed."""
        return self.old.id, None if self.family is None else self.family.renamed_from

    @property
    def kind(self) -> str:
        """``family`` or ``table``, as in the names of changes."""
        return "table" if self.family is None else "family"

    @property
    def old_name(self) -> str:
        """The old name: ``QUOTE.MD``, or ``QUOTE`` for a table."""
        return self.old.id if self.family is None else f"{self.old.id}.{self.family.renamed_from}"

    @property
    def new_name(self) -> str:
        """The new name."""
        return self.new.id if self.family is None else f"{self.new.id}.{self.family.id}"

    @property
    def copied(self) -> CopyRecord | None:
        """The record of the finished copy; in a rollback, of the copy that it undoes. None if there is none."""
        done = self.is_live and self.record is not None and self.record.ended is not None
        return self.record if done else self.undoes

    @property
    def begun(self) -> CopyRecord | None:
        """The record of a copy that was begun and not finished, or None."""
        under_way = self.is_live and self.record is not None and self.record.ended is None
        return self.record if under_way else None

    @cached_property
    def pairs(self) -> tuple[tuple[Family, Family], ...]:
        """The families in the instance that are copied, each with the declared one that takes over."""
        return tuple(self._pairs())

    @property
    def left_out(self) -> tuple[Family, ...]:
        """The families of a renamed table that nothing takes over."""
        taken = {old.id for old, _ in self.pairs}
        return () if self.family else tuple(family for family in self.old.families if family.id not in taken)

    def heir(self, family: Family) -> CopyRecord | None:
        """The record of the copy of ``family`` within ``old``; None if it was not renamed there."""
        return next((copy for copy in self.within if copy.old == f"{self.old.id}.{family.id}"), None)

    @property
    def tighter(self) -> tuple[tuple[Family, Family], ...]:
        """The pairs whose new GC rule deletes cells that the old one keeps."""
        return tuple((old, new) for old, new in self.pairs if keeps_less(new, old))

    @property
    def copy(self) -> Copy:
        """The copy to make."""
        families = {old.id: new.id for old, new in self.pairs}
        return Copy(self.old.id, self.new.id, families, {new.id: new.gc for _, new in self.pairs})

    def recorded(self, by: str, begun: datetime, ended: datetime | None = None) -> CopyRecord:
        """The record of the copy, begun by ``by`` at ``began``."""
        families = tuple(self.copy.families.items())
        return CopyRecord(self.old_name, self.new_name, by, begun, ended, families)

    def followed(self, copy: CopyRecord) -> CopyRecord:
        """The record of ``copy``, redirected to the name that takes over its destination."""
        names = self.copy.families
        families = tuple((old, names[new]) for old, new in copy.families if new in names)
        return attrs.evolve(copy, new=self.new_name, families=families)

    @property
    def command(self) -> str:
        """The command in which the user allows a drop of the old name."""
        return "btmodel migrate" if self.back_to is None else f"btmodel migrate apply --to {self.back_to}"

    @property
    def layouts(self) -> tuple[Layout, ...]:
        """The layouts of the copied cells at their new place."""
        return self._moved(self.old)

    @property
    def lying(self) -> tuple[Table, Table]:
        """The new table with its declared layouts, and the old one with its recorded layouts."""
        new, old = self.template or (self.new, self.old)
        return new, attrs.evolve(old, layouts=self._moved(old))

    def _moved(self, old: Table) -> tuple[Layout, ...]:
        names = {old.id: new.id for old, new in self.pairs}
        return tuple(attrs.evolve(layout, cells=_moved(layout.cells, names)) for layout in old.layouts)

    def _pairs(self) -> Iterator[tuple[Family, Family]]:
        families = self.new.families if self.family is None else (self.family,)
        taken = {family.renamed_from for family in families}
        for new in families:
            # A family that another one takes over is not the family of the same name, which is new.
            own = () if self.family or new.id in taken else (new.id,)
            for name in (new.renamed_from, *own):
                old = None if name is None else self.old.family(name)
                if old is not None:
                    yield old, new
                    break


def renamings(
    declared: Iterable[Table], live: Iterable[Table], records: Iterable[CopyRecord] = ()
) -> tuple[Renaming, ...]:
    """The renamings of ``declared`` whose old name is still ``live``, with their recorded copies.

    A recorded copy counts as a renaming even if it is no longer declared, and so does a copy to something that is
    renamed again. Raises :class:`MigrationError` if a table has the same name as a family of another table.
    """
    there = {table.id: table for table in live}
    known = {(copy.old, copy.new): copy for copy in records}
    wanted = {table.id: table for table in declared}
    whole = {names for names, copy in known.items() if copy.ended is not None}
    found = [renaming for table in wanted.values() for renaming in _renamings(table, there, whole)]
    found = _with(found, remembered(wanted, there, known.values()), there)
    before: list[Renaming] = []
    while len(found) > len(before):
        before = found
        found = _with(
            found, followed(wanted, there, known.values(), [renaming.place for renaming in found]), there
        )
    found = _with(found, left_over(wanted, there, known.values()), there)
    _refuse_one_name_of_two((*wanted.values(), *there.values()), found, known)
    return tuple(
        attrs.evolve(
            renaming,
            record=known.get((renaming.old_name, renaming.new_name)),
            within=_within(renaming.old, known.values()),
            template=_template(renaming, wanted, there),
        )
        for renaming in found
    )


def cut_off(
    declared: Iterable[Table],
    live: Iterable[Table],
    records: Iterable[CopyRecord],
    found: Iterable[Renaming],
) -> Iterator[tuple[str, str | None, CopyRecord]]:
    """The copies of tables and families that are ``live`` and not declared, and belong to none of the ``found`` renamings: the new place is gone, or has not all.

    Each with the old table and family.
    """
    known: dict[str, CopyRecord] = {copy.old: copy for copy in records}
    wanted, places = {table.id: table for table in declared}, {renaming.place for renaming in found}
    for table in live if known else ():
        if table.id not in wanted and table.id in known and (table.id, None) not in places:
            yield table.id, None, known[table.id]
        for family in _undeclared(table, wanted):
            record = known.get(f"{table.id}.{family.id}")
            if record is not None and (table.id, family.id) not in places:
                yield table.id, family.id, record


def declared_anew(
    declared: Iterable[Table],
    live: Iterable[Table],
    records: Iterable[CopyRecord],
    found: Collection[Renaming],
) -> tuple[CopyRecord, ...]:
    """The copies whose old name is declared again beside the new name; begun copies count too.

    The new name is declared, or is itself the source of one of the ``found`` renamings.
    """
    known = tuple(records)
    pairs = {(copy.old, copy.new) for copy in known}
    wanted, there = (names_of(declared), names_of(live)) if known else (set[str](), set[str]())
    both = wanted & there
    copies = {
        copy.old: attrs.evolve(copy, new=heir)
        for copy in known
        if copy.old in both
        for heir in sorted(_heirs(copy.old, pairs) & (both | _going_on(found, wanted, there)))
    }
    return tuple(copies.values())


def reverted(
    declared: Iterable[Table],
    live: Iterable[Table],
    records: Iterable[CopyRecord],
    found: Collection[Renaming],
) -> tuple[CopyRecord, ...]:
    """The copies that are reverted without the cells written since, each with its last heir as the new name.

    An heir is the name that a copy took the cells to, or one that took them over from there. A copy is reverted if
    its old name is declared again while an heir is in the instance and not declared. Nothing is lost if one of the
    ``found`` renamings copies the heir's cells back or on to another name, or if they went on to a declared heir.
    """
    ended = {(copy.old, copy.new): copy for copy in records if copy.ended is not None}
    if not ended:
        return ()
    wanted, there = names_of(declared), names_of(live)
    renamed_again = {renaming.old_name for renaming in found if not renaming.copied and not renaming.begun}
    copied_back = {(renaming.old_name, renaming.new_name) for renaming in found}
    going_on = _going_on(found, wanted, there)
    taken_back: list[CopyRecord] = []
    for old, record in {copy.old: copy for copy in ended.values()}.items():
        if old not in there or old not in wanted | renamed_again:
            continue
        heirs = _heirs(old, ended)
        safe = {heir for heir in heirs if (heir, old) in copied_back or heir in wanted & there}
        left = heirs & there - wanted - going_on
        lost = {heir for heir in left if safe.isdisjoint({heir} | _heirs(heir, ended))}
        if lost:
            last = _last(lost, ended)
            families = _along(old, last, ended)
            taken_back.append(ended.get((old, last)) or attrs.evolve(record, new=last, families=families))
    return tuple(taken_back)


def _last(heirs: set[str], copied: Collection[tuple[str, str]]) -> str:
    """The last of ``heirs``, from which no other took over; any of them if they form a ring."""
    ends = {heir for heir in heirs if heirs.isdisjoint(_heirs(heir, copied))}
    return max(ends or heirs)


def names_of(tables: Iterable[Table]) -> set[str]:
    """The names of tables and their families, as the migration history writes them."""
    return {
        name for table in tables for name in (table.id, *(f"{table.id}.{each.id}" for each in table.families))
    }


def with_copied(recorded: Iterable[Layout], copied: Iterable[Layout]) -> tuple[Layout, ...]:
    """The ``recorded`` layouts of a table, with the cells that were ``copied`` to it."""
    found = {layout.model: layout for layout in recorded}
    for layout in copied:
        there = found.get(layout.model, attrs.evolve(layout, cells=()))
        cells = {cell.cell: cell for cell in (*layout.cells, *there.cells)}
        found[layout.model] = attrs.evolve(there, cells=tuple(cells[name] for name in sorted(cells)))
    return tuple(found[model] for model in sorted(found))


def _with(found: list[Renaming], formers: Iterable[Former], there: Mapping[str, Table]) -> list[Renaming]:
    """``found`` after those of ``formers`` that it lacks: a place must get all its cells before they are copied on."""
    more = {renaming.place: renaming for renaming in (_renaming(*former, there) for former in formers)}
    places = {renaming.place for renaming in found}
    return [*(renaming for place, renaming in more.items() if place not in places), *found]


def _renaming(old: Table, new: Table, family: Family | None, there: Mapping[str, Table]) -> Renaming:
    live = there.get(new.id)
    return Renaming(
        old, new, family, live is not None and (family is None or live.family(family.id) is not None)
    )


def _refuse_one_name_of_two(
    tables: Collection[Table], found: Iterable[Renaming], known: Iterable[tuple[str, str]]
) -> None:
    """Refuse a renaming if its name also means something else: the migration history knows tables and families by name."""
    ids = {table.id for table in tables}
    families = {f"{table.id}.{family.id}": table.id for table in tables for family in table.families}
    renamed = {name for renaming in found for name in (renaming.old_name, renaming.new_name)}
    for name in sorted(ids & families.keys() & renamed.union(*known)):
        raise MigrationError(
            f"{name!r} is a table, and a family of the table {families[name]!r} as well, so no record can say which of them "
            "is renamed: give the new one another name, or drop what is renamed first; where both were there before, leave "
            "out renamed_from= and move the cells by a data step"
        )


def _renamings(
    table: Table, there: dict[str, Table], whole: Collection[tuple[str, str]]
) -> Iterator[Renaming]:
    live = there.get(table.id)
    if table.renamed_from in there and not _was_followed(table.renamed_from, table.id, whole):
        old = there[table.renamed_from]
        yield _renaming(old, _over(table, old, whole), None, there)
    for family in table.families:
        former = family.renamed_from
        names = (f"{table.id}.{former}", f"{table.id}.{family.id}")
        if live is None or former is None or _was_followed(*names, whole):
            continue
        if live.family(former) is not None:
            yield _renaming(live, table, family, there)


def _was_followed(old: str, new: str, whole: Collection[tuple[str, str]]) -> bool:
    """Whether ``old`` was copied to something that was copied on to ``new``, as when two branches renamed it."""
    return (old, new) not in whole and new in _heirs(old, whole)


def _heirs(old: str, copied: Collection[tuple[str, str]]) -> set[str]:
    """The names that ``old`` was copied to, directly or step by step; ``copied`` are pairs of names."""
    found = {old}
    while more := {new for name, new in copied if name in found} - found:
        found |= more
    return found - {old}


def _going_on(found: Iterable[Renaming], wanted: Collection[str], there: Collection[str]) -> set[str]:
    """The old names whose cells go on to a ``wanted`` name that is not ``there`` yet, by the ``found`` renamings."""
    return {
        renaming.old_name
        for renaming in found
        if renaming.new_name in wanted and renaming.new_name not in there
    }


def _along(old: str, new: str, ended: Mapping[tuple[str, str], CopyRecord]) -> tuple[tuple[str, str], ...]:
    """The families of table ``old``, which was copied step by step to ``new``, each with its name there."""
    if (old, new) in ended:
        return ended[old, new].families
    onward = {names: copy for names, copy in ended.items() if old not in names}  # without following a ring
    step = next(copy for copy in ended.values() if copy.old == old and new in _heirs(copy.new, onward))
    names = dict(_along(step.new, new, onward))
    return tuple((first, names[then]) for first, then in step.families if then in names)


def _over(table: Table, old: Table, whole: Collection[tuple[str, str]]) -> Table:
    """``table`` without the renamings of families that were already copied within ``old``."""

    def is_over(one: Family) -> bool:
        return (f"{old.id}.{one.renamed_from}", f"{old.id}.{one.id}") in whole and old.family(
            one.id
        ) is not None

    families = (
        attrs.evolve(family, renamed_from=None) if is_over(family) else family for family in table.families
    )
    return attrs.evolve(table, families=tuple(families))


def _within(table: Table, records: Iterable[CopyRecord]) -> tuple[CopyRecord, ...]:
    """The finished copies between families of ``table``."""
    names = {f"{table.id}.{family.id}" for family in table.families}
    return tuple(copy for copy in records if copy.ended is not None and {copy.old, copy.new} <= names)


def _template(
    one: Renaming, declared: Mapping[str, Table], live: Mapping[str, Table]
) -> tuple[Table, Table] | None:
    """The template of a table with a renamed family, as declared and as recorded; None if it has none."""
    if one.family is None or one.old.layouts or one.new.layouts:
        return None
    ids = [id for id in declared.keys() & live.keys() if placeholders(id) and fits(id, one.new.id)]
    return (declared[ids[0]], live[ids[0]]) if len(ids) == 1 else None


def _moved(cells: Iterable[CellLayout], names: dict[str, str]) -> tuple[CellLayout, ...]:
    parts = ((cell, *cell.cell.partition(":")) for cell in cells)
    return tuple(
        attrs.evolve(cell, cell=f"{names[family]}:{column}")
        for cell, family, _, column in parts
        if family in names
    )
