"""What is live, and was renamed: it stays while it is copied, and until its drop is asked for by name."""

from collections.abc import Iterator
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Change, Drift, FamilyChange, TableChange
from btmodel.migrate.changes.copy import copy_of
from btmodel.migrate.changes.facts import Facts
from btmodel.migrate.changes.undeclared_family import DropFamily
from btmodel.migrate.changes.undeclared_table import DropTable
from btmodel.migrate.renamings import Renaming
from btmodel.schema import Table


@frozen
class DropCopiedFamily(DropFamily):
    """Drop a family that was renamed, once it is compared with the one that took over."""

    renaming: Renaming

    @property
    def lost(self) -> str:
        """What the other one has, too."""
        return f"every cell of the family, in every row, once it is seen that {self.renaming.new_name} has them all"

    @property
    def undo(self) -> str:
        """The other one has them."""
        return _undo(self.renaming)


@frozen
class DropCopiedTable(DropTable):
    """Drop a table that was renamed, once it is compared with the one that took over."""

    renaming: Renaming

    @property
    def lost(self) -> str:
        """What the other one has, too, and what nothing took over."""
        heirs = {one.id: self.renaming.heir(one) for one in self.renaming.left_out}
        lost = "".join(
            f"; all cells of {id}, which {f'was copied to {copy.new} before' if copy else 'nothing took over'}"
            for id, copy in heirs.items()
        )
        return f"every row of the table, once it is seen that {self.renaming.new_name} has them all{lost}"

    @property
    def undo(self) -> str:
        """The other one has them; and the service keeps a deleted table for some days."""
        return f"{_undo(self.renaming)}; or {DropTable(self.table).undo}"


@frozen
class AbandonFamily(DropFamily):
    """Drop a family that was renamed, whatever it has that the one that took over lacks."""

    verb: ClassVar[str] = "abandon-family"


@frozen
class AbandonTable(DropTable):
    """Drop a table that was renamed, whatever it has that the one that took over lacks."""

    verb: ClassVar[str] = "abandon-table"


class _Renamed(Drift):
    """What is live still under its old name."""

    __slots__ = ()

    renaming: Renaming

    @property
    def summary(self) -> str:
        """How far the renaming has come."""
        done = self.renaming.copied
        if done is None:
            return f"renamed to {self.renaming.new_name}: stays until its cells are copied"
        # One that a revision before this one is to copy has nobody who did.
        when = f"on {done.ended:%Y-%m-%d %H:%M:%S} UTC by {done.by}" if done.by else "by then"
        if self.renaming.undoes:
            return f"took over from {self.renaming.new_name}, and was copied from there {when}"
        return f"renamed to {self.renaming.new_name}, and copied {when}"

    @property
    def details(self) -> tuple[str, ...]:
        """What becomes of it."""
        if self.renaming.copied is None:
            return ()
        drop, abandon, again = self.ends
        if self.renaming.undoes:
            return (
                f"it may have cells that were written since: --allow {again.name} copies back what differs, --allow "
                f"{drop.name} drops it where it has nothing that {self.renaming.new_name} lacks, and --allow "
                f"{abandon.name} drops it all the same",
            )
        return (
            "both are compared before the drop, and what is here alone stops it: then "
            f"--allow {again.name} copies that once more, and --allow {abandon.name} drops all the same",
        )

    @property
    def end(self) -> Change | None:
        """Its drop, once it is copied."""
        return self.ends[0] if self.renaming.copied else None


@frozen
class RenamedFamily(_Renamed, FamilyChange):
    """The family is live, and another one takes over its cells."""

    verb: ClassVar[str] = "renamed-family"

    renaming: Renaming

    @property
    def ends(self) -> tuple[Change, ...]:
        """Its drop, compared or not, and another copy."""
        if self.renaming.copied is None:
            return ()
        here = (self.of_table, self.family)
        return (
            DropCopiedFamily(*here, self.renaming),
            AbandonFamily(*here),
            copy_of(self.renaming, again=True),
        )


@frozen
class RenamedTable(_Renamed, TableChange):
    """The table is live, and another one takes over its rows."""

    verb: ClassVar[str] = "renamed-table"

    renaming: Renaming

    @property
    def ends(self) -> tuple[Change, ...]:
        """Its drop, compared or not, and another copy."""
        if self.renaming.copied is None:
            return ()
        return (
            DropCopiedTable(self.table, self.renaming),
            AbandonTable(self.table),
            copy_of(self.renaming, again=True),
        )


def _undo(renaming: Renaming) -> str:
    return f"by a renaming back, from {renaming.new_name}"


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[RenamedFamily | RenamedTable]:
    """``live``, where it was renamed, or those of its families that were."""
    if live is None:
        return
    if declared is None:
        renaming = facts.of(live.id)
        if renaming is not None:
            yield RenamedTable(live, renaming)
        return
    for family in live.families:
        renaming = facts.of(live.id, family.id)
        if renaming is not None and declared.family(family.id) is None:
            yield RenamedFamily(live.id, family, renaming)
