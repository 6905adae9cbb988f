"""What others made and filled since a plan: it is not overwritten, and not recorded as if it were as declared."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from functools import cached_property

from attrs import frozen

from btmodel.migrate.books import Books
from btmodel.migrate.changes import AddFamily, Change, CopyFamily, CopyTable, CreateTable, RecordLayouts
from btmodel.migrate.copying import Data
from btmodel.migrate.instance import Instance
from btmodel.migrate.layouts import family_of
from btmodel.migrate.plan import Plan
from btmodel.migrate.table import Moved
from btmodel.rows import Families, ReadPlan, RowRange
from btmodel.schema import Layout, Table
from btmodel.schema.parameters import placeholders


@frozen(slots=False)
class Strangers:
    """Those who are no run of btmodel, or one of other models, and were at the tables of ``plan`` since it was made."""

    plan: Plan
    instance: Instance
    books: Books
    data: Data | None

    def refuse(self, id: str, live: Table | None) -> None:
        """Raise :class:`Moved` where they made and filled what was to be made of the table ``id``.

        It is ``live`` now. What another run made, which wrote that down, is as declared. Raises
        :class:`btmodel.errors.ServerError`, too.
        """
        changes = self.plan.by_table[id]
        made = [one for one in changes if isinstance(one, AddFamily | CreateTable)]
        if not made or live is None or id in self.books.unfinished:
            return
        for change in made:
            self._refuse_filled(change, changes, live)

    def _refuse_filled(self, change: Change, changes: tuple[Change, ...], live: Table) -> None:
        copied = [one for one in changes if one.moves and one.subject == change.subject]
        known = _is_recorded(change, self._recorded.get(live.id, ()))
        relied = not known and _is_recorded(change, _to_record(changes))
        if not (copied or relied) or self._was_begun(copied) or not self._holds_cells(change, live):
            return
        if copied:
            raise Moved(
                f"{change.subject} was made and filled by others since the plan was made, and {copied[0].name} would "
                "overwrite its cells at the same times: plan again, to see what can be allowed"
            )
        raise Moved(
            f"{change.subject} was made and filled by others since the plan was made, and nobody knows that it is "
            "written as declared: look at it with `btmodel inspect`, and plan again"
        )

    def refuse_records(self, id: str) -> None:
        """Raise :class:`Moved` where they recorded other rows of the table ``id``; and :class:`btmodel.errors.ServerError`."""
        wanted = _to_record(self.plan.by_table[id])
        if not wanted or placeholders(id):
            return
        recorded = self._recorded.get(id, ())
        known = next((table.layouts for table in self.plan.live if table.id == id), ())
        if recorded and recorded not in (known, wanted):
            raise Moved(
                f"how the rows of {id!r} are written was recorded by another since the plan was made: plan again, to see "
                "what differs"
            )

    @cached_property
    def _recorded(self) -> Mapping[str, tuple[Layout, ...]]:
        return self.books.journal.layouts()

    def _was_begun(self, copies: list[Change]) -> bool:
        """Whether a run has begun one of ``copies``: what is there was made by it, and is filled by it."""
        found = [one.renaming for one in copies if isinstance(one, CopyFamily | CopyTable)]
        names = {(one.old_name, one.new_name) for one in found}
        return bool(names) and any((one.old, one.new) in names for one in self.books.journal.copies())

    def _holds_cells(self, change: Change, live: Table) -> bool:
        family = change.family_id
        if (family is not None and live.family(family) is None) or self.instance.is_empty(live.id):
            return False
        if family is None or self.data is None:
            return True  # of a family nobody can tell without the rows
        plan = ReadPlan(live.id, (RowRange(b"", b""),), Families((family,)))
        with closing(self.data.rows.read(plan)) as rows:
            return next(rows, None) is not None


def _to_record(changes: tuple[Change, ...]) -> tuple[Layout, ...]:
    return next((one.layouts for one in changes if isinstance(one, RecordLayouts)), ())


def _is_recorded(change: Change, layouts: tuple[Layout, ...]) -> bool:
    """Whether ``layouts`` say how the cells of the table, or the family, are written that ``change`` makes."""
    return bool(layouts) if change.family_id is None else change.family_id in set(_families(layouts))


def _families(layouts: tuple[Layout, ...]) -> Iterator[str]:
    return (family_of(cell.cell) for layout in layouts for cell in layout.cells)
