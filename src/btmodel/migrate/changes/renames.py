"""Changes of renamed families and tables: copies, drops and reuse of the old name."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar

import attrs
from attrs import field, frozen

from btmodel.migrate.changes import attributes, layouts
from btmodel.migrate.changes.base import (
    LATE_WRITES,
    UNKNOWN,
    Drift,
    Effect,
    FamilyChange,
    InstanceChange,
    InstanceFacts,
    Phase,
    ReadingChange,
    TableChange,
    kept,
)
from btmodel.migrate.changes.tables import DropFamily, DropTable
from btmodel.migrate.history.records import CopyRecord
from btmodel.migrate.tables.layouts import match
from btmodel.migrate.tables.renamings import Renaming, with_copied
from btmodel.schema import Family, Layout, Table

_WAY = (
    "go on to a revision without renamed_from=, which fills the new one by a data step (docs/migrations.md) that reads "
    "the old model and writes the new one"
)


class _RenameStep(InstanceChange):
    """A change that is a step of a renaming."""

    __slots__ = ()

    renaming: Renaming

    @property
    def step_of(self) -> Renaming:
        return self.renaming


@frozen
class CopyChange(_RenameStep):
    """Copy the cells with their timestamps, and compare until nothing differs; the old place stays.

    ``again`` copies what differs a second time. ``empty`` says that its tables exist and hold no row. ``heir`` is the
    recorded copy to a previous new name that is not declared any more.
    """

    sign: ClassVar[str] = ">"
    usual: ClassVar[Effect] = Effect.SLOW
    phase: ClassVar[Phase] = Phase.COPY
    harmless_if_empty: ClassVar[bool] = True

    renaming: Renaming
    again: bool = False
    empty: bool = False
    heir: CopyRecord | None = None

    @property
    def relies_on_empty(self) -> bool:
        return self.empty

    @property
    def table_id(self) -> str:
        return self.renaming.new.id

    @property
    def rows_of(self) -> tuple[str, ...]:
        """The table that receives cells; with an ``heir``, also the table that they come from, and the heir."""
        if self.heir is None or self.family_id is not None:
            return (self.table_id,)
        others = (self.renaming.old.id, self.heir.new)
        return (self.table_id, *others) if self.renaming.is_live else others

    @property
    def subject(self) -> str:
        return self.renaming.new_name

    @property
    def effect(self) -> Effect:
        """Blocked if the new place may already hold cells that the application wrote."""
        if _wrong(self.renaming):
            return Effect.IMPOSSIBLE
        there = self.heir or (self.renaming.is_live and not self.renaming.begun)
        if self.again or (there and not self.empty):
            return Effect.BLOCKED
        return Effect.DESTRUCTIVE if self.lost else Effect.SLOW

    @property
    def effect_if_allowed(self) -> Effect:
        """Destructive if some cells are not copied; nothing else is lost."""
        return (
            Effect.IMPOSSIBLE if _wrong(self.renaming) else Effect.DESTRUCTIVE if self.lost else Effect.SLOW
        )

    @property
    def summary(self) -> str:
        verb = "goes on to copy" if self.renaming.begun else "copies"
        return f"{verb} the cells of {self.renaming.old_name}; the more there are, the longer it takes"

    @property
    def details(self) -> tuple[str, ...]:
        if wrong := _wrong(self.renaming):
            return (*wrong, _WAY)
        if self.effect is Effect.BLOCKED and self.heir:
            return (self.instead or "",)
        if self.effect is Effect.BLOCKED:
            return (
                f"{self.subject} is live already: cells of it at the same times are overwritten, and those that were "
                "deleted there come back",
            )
        stays = f"{self.renaming.old_name} stays; what is written to it meanwhile is copied, too, as far as it is seen"
        return (stays, *([self.instead] if self.instead else []))

    @property
    def instead(self) -> str | None:
        """What to do first, or instead, so that cells of earlier renamings are not left behind; None if there are none."""
        here = self.renaming
        if self.heir and not self.empty:
            now = dict(self.heir.families)
            names = [(new.id, now[old.id]) for old, new in here.pairs if old.id in now]
            return (
                f"{here.old_name} was renamed to {self.heir.new}, which may have cells that were written since: "
                f"{_declare(self.subject, self.heir.new, None if self.family_id else names)}"
            )
        copies = [copy for family in here.left_out if (copy := here.heir(family))]
        if not copies:
            return None
        return drop_first(copies, "family", here.before, f"while {here.old_name} is declared still")

    @property
    def lost(self) -> str | None:
        tables = (self.renaming.old.id, self.renaming.new.id)
        lost = [
            f"{tables[0]}.{old.id} keeps {kept(old)}, and {tables[1]}.{new.id} keeps {kept(new)}"
            for old, new in self.renaming.tighter
        ]
        lost += [_left(self.renaming, family) for family in self.renaming.left_out]
        return f"cells that are not copied: {'; '.join(lost)}" if lost else None

    @property
    def refusal(self) -> str:
        if self.effect is not Effect.DESTRUCTIVE:
            return super().refusal
        return f"{self.subject}, copied from {self.renaming.old_name}: {self.lost}"

    @property
    def undo(self) -> str | None:
        return "until the old one is dropped, which has them still" if self.lost else None

    @property
    def then(self) -> str:
        verb = f"drop-{self.renaming.kind}"
        return f"deploy what reads and writes {self.subject}, then {self.renaming.command} --allow {verb}:{self.renaming.old_name}"

    def recorded_after(self, layouts: tuple[Layout, ...]) -> tuple[Layout, ...]:
        return with_copied(layouts, self.renaming.layouts)


@frozen
class CopyFamily(CopyChange):
    """Copy the cells of a renamed family."""

    verb: ClassVar[str] = "copy-family"

    @property
    def family_id(self) -> str | None:
        return self.renaming.family.id if self.renaming.family else None


@frozen
class CopyTable(CopyChange):
    """Copy the rows of a renamed table."""

    verb: ClassVar[str] = "copy-table"


def copies(changes: Iterable[InstanceChange]) -> tuple[CopyChange, ...]:
    """The changes among ``changes`` that copy cells."""
    return tuple(change for change in changes if isinstance(change, CopyChange))


def copy_of(
    renaming: Renaming,
    *,
    again: bool = False,
    empty: Collection[str] = (),
    heir: CopyRecord | None = None,
) -> CopyFamily | CopyTable:
    """The change that copies the cells of ``renaming``; ``empty`` are the ids of tables without rows."""
    kind = CopyTable if renaming.family is None else CopyFamily
    copying = kind(renaming, again, heir=heir)
    return attrs.evolve(copying, empty=set(copying.rows_of) <= set(empty))


def find_copy(
    declared: Table | None, live: Table | None, facts: InstanceFacts
) -> Iterator[CopyFamily | CopyTable]:
    """The unfinished copies to ``declared``, or to a ``live`` table that was renamed again before its copy was complete."""
    there = declared or live
    if there is None:
        return
    heirs = {copy.old: copy for copy in facts.reverted}
    for renaming in facts.to(there.id):
        if renaming.copied is None:
            yield copy_of(renaming, empty=facts.empty, heir=heirs.get(renaming.old_name))


def drop_first(copies: Sequence[CopyRecord], kind: str, before: str | None, when: str) -> str:
    """Tell the user to drop what was already copied, with the commands as of revision ``before``.

    ``when`` is added to the sentence if there are no revisions.
    """
    allow = " ".join(f"--allow drop-{kind}:{copy.old}" for copy in copies)
    drop = f"{' and '.join(copy.old for copy in copies)} first, once compared"
    command = "btmodel migrate" if before is None else f"btmodel migrate apply --to {before}"
    # A copy that an earlier pending revision will make has not been made by any run yet.
    made = "" if all(copy.by and copy.ended for copy in copies) else f"run `{command}`, and then "
    return f"{made}drop {drop}, with `{command} {allow}`{f', {when}' if before is None else ''}"


def _declare(name: str, former: str, families: Iterable[tuple[str, str]] | None) -> str:
    """Tell the user how to declare a table or family ``name`` as renamed from ``former``.

    ``families`` are the families of a table with their former names, and None for a family.
    """
    of = name[: name.rindex(".") + 1] if families is None else ""  # both families belong to one table
    own = former.removeprefix(of)
    also = "".join(
        f', and {name}.{new} with renamed_from="{old}"' for new, old in families or () if old != new
    )
    return f'declare {name} with renamed_from="{own}"{also}'


def _left(renaming: Renaming, family: Family) -> str:
    """Why a family of a renamed table is left behind."""
    copy = renaming.heir(family)
    if copy is None:
        return f"nothing takes over family {family.id}"
    return (
        f"family {family.id} was copied to {copy.new}, and is not dropped: what it alone has is left behind"
    )


def _wrong(renaming: Renaming) -> tuple[str, ...]:
    """Why a copy would corrupt data; empty if it would not."""
    found = [
        f"{family.id} aggregates, and what it has added up cannot be set in another family"
        for pair in renaming.pairs
        for family in pair
        if family.aggregate is not None
    ]
    new, old = renaming.lying
    if renaming.family is None:
        keys = list(layouts.find_key(new, old, UNKNOWN))
        found += [
            f"the row key of {key.declared.model} was {key.live.key_text}, and is {key.declared.key_text}"
            for key in keys
        ]
        lie = match(new.layouts, old.layouts)
        if not lie.both and lie.new and lie.left:
            found.append(f"its rows have keys {lie.left[0].key_text}, and none of its models has")
    for one in layouts.find_codec(new, old, UNKNOWN):
        if not one.keeps_all:
            found.append(f"{one.cell} of {one.model} was {one.live}, and is {one.declared}")
    found += [one.summary for one in attributes.find_taken(new, old, UNKNOWN)]
    return tuple(dict.fromkeys(found))


@frozen
class DropCopiedFamily(_RenameStep, DropFamily):
    """Drop a renamed family after comparing it with the new one."""

    renaming: Renaming

    @property
    def lost(self) -> str:
        return f"every cell of the family, in every row, once it is seen that {self.renaming.new_name} has them all{LATE_WRITES}"

    @property
    def undo(self) -> str:
        return _undo(self.renaming)


@frozen
class DropCopiedTable(_RenameStep, DropTable):
    """Drop a renamed table after comparing it with the new one."""

    renaming: Renaming

    @property
    def lost(self) -> str:
        heirs = {family.id: self.renaming.heir(family) for family in self.renaming.left_out}
        lost = "".join(
            f"; all cells of {id}, which {f'was copied to {copy.new} before' if copy else 'nothing took over'}"
            for id, copy in heirs.items()
        )
        return f"every row of the table, once it is seen that {self.renaming.new_name} has them all{LATE_WRITES}{lost}"

    @property
    def undo(self) -> str:
        return f"{_undo(self.renaming)}; or {DropTable(self.table).undo}"


@frozen
class AbandonFamily(DropFamily):
    """Drop a renamed family even if it has cells that the new one lacks."""

    verb: ClassVar[str] = "abandon-family"


@frozen
class AbandonTable(DropTable):
    """Drop a renamed table, or one whose rows were moved, even if it has cells that the new one lacks."""

    verb: ClassVar[str] = "abandon-table"


class _Renamed(_RenameStep, Drift):
    """A renamed table or family that is still in the instance under its old name."""

    __slots__ = ()

    @property
    def summary(self) -> str:
        done = self.renaming.copied
        if done is None:
            return f"renamed to {self.renaming.new_name}: stays until its cells are copied"
        # A copy that an earlier pending revision will make has not been made by any run yet.
        when = f"on {done.ended:%Y-%m-%d %H:%M:%S} UTC by {done.by}" if done.by else "by then"
        if self.renaming.undoes:
            return f"took over from {self.renaming.new_name}, and was copied from there {when}"
        return f"renamed to {self.renaming.new_name}, and copied {when}"

    @property
    def details(self) -> tuple[str, ...]:
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
    def end(self) -> InstanceChange | None:
        return self.ends[0] if self.renaming.copied else None

    @property
    def ends(self) -> tuple[InstanceChange, ...]:
        if self.renaming.copied is None:
            return ()
        return (*self._drops, copy_of(self.renaming, again=True))

    @property
    def _drops(self) -> tuple[InstanceChange, InstanceChange]:
        """The drop that compares both places first, and the drop that does not."""
        raise NotImplementedError

    def is_left_by(self, tables: Sequence[Table]) -> bool:
        return True


@frozen
class RenamedFamily(_Renamed, FamilyChange):
    """A family in the instance whose cells another family takes over."""

    verb: ClassVar[str] = "renamed-family"

    renaming: Renaming

    @property
    def _drops(self) -> tuple[InstanceChange, InstanceChange]:
        here = (self.of_table, self.family)
        return DropCopiedFamily(*here, self.renaming), AbandonFamily(*here)


@frozen
class RenamedTable(_Renamed, TableChange):
    """A table in the instance whose rows another table takes over."""

    verb: ClassVar[str] = "renamed-table"

    renaming: Renaming

    @property
    def _drops(self) -> tuple[InstanceChange, InstanceChange]:
        return DropCopiedTable(self.table, self.renaming), AbandonTable(self.table)


def _undo(renaming: Renaming) -> str:
    return f"by a renaming back, from {renaming.new_name}"


def find_renamed(
    declared: Table | None, live: Table | None, facts: InstanceFacts
) -> Iterator[RenamedFamily | RenamedTable]:
    """The renaming of the whole table ``live``, or those of its families."""
    if live is None:
        return
    if declared is None:
        renaming = facts.of(live.id)
        if renaming is not None:
            yield RenamedTable(live, renaming)
        # Families of a table that goes as a whole go with it, unless its rows are compared with those of another one.
        if renaming is not None or facts.rows_moved(live.id) is None:
            return
    for family in live.families:
        renaming = facts.of(live.id, family.id)
        if renaming is not None and (declared is None or declared.family(family.id) is None):
            yield RenamedFamily(live.id, family, renaming)


@frozen
class _Reuse(ReadingChange):
    """Use the old name of a renaming again, with all its cells; the record of the copy is removed.

    ``heir`` is the name that took the cells over. With ``reverts``, the heir is not declared any more.
    """

    sign: ClassVar[str] = "!"

    heir: str
    way: str
    reverts: bool = field(default=False, kw_only=True)

    @property
    def instead(self) -> str:
        return self.way

    @property
    def renews(self) -> bool:
        return True

    @property
    def summary(self) -> str:
        if self.empty:
            return f"is declared anew, was renamed to {self.heir}, and holds no row"
        if self.reverts:
            return (
                f"is declared again, and was renamed to {self.heir}, which is not declared any more: cells that were written "
                f"to {self.heir} since would be missing"
            )
        return f"is declared anew, and was renamed to {self.heir}: its old cells would be read as new ones"

    @property
    def details(self) -> tuple[str, ...]:
        if self.empty:
            return ()
        if self.reverts:
            return (f"{self.way}; to allow it by name is to go on with the cells that {self.subject} has",)
        return (
            f"{self.way}; or give the new one another name; to allow it by name is to keep the old cells in the new one",
        )


@frozen
class ReuseFamily(_Reuse):
    """Use a renamed family again, as a new declaration says."""

    verb: ClassVar[str] = "reuse-family"

    family: str

    @property
    def family_id(self) -> str:
        return self.family

    @property
    def subject(self) -> str:
        return f"{self.of_table}.{self.family}"


@frozen
class ReuseTable(_Reuse):
    """Use a renamed table again, as a new declaration says."""

    verb: ClassVar[str] = "reuse-table"

    @property
    def rows_of(self) -> tuple[str, ...]:
        """The table, and the heir if the renaming is reverted."""
        return (self.of_table, self.heir) if self.reverts else (self.of_table,)


def find_reuse(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[ReuseFamily | ReuseTable]:
    """The renamed tables and families of ``live`` that ``declared`` uses again, beside their new names or instead of them."""
    back = {copy.old: copy for copy in facts.reverted}
    anew = {**back, **{copy.old: copy for copy in facts.anew}}
    if (copy := anew.get(live.id)) is not None:
        reverts = copy is back.get(live.id)
        empty = live.id in facts.empty and (not reverts or copy.new in facts.empty)
        way = _way_back(copy, "") if reverts else _way(copy, "table", facts)
        yield ReuseTable(live.id, copy.new, way, empty=empty, reverts=reverts)
    for family in declared.families:
        if (copy := anew.get(f"{live.id}.{family.id}")) is not None:
            reverts = copy is back.get(copy.old)
            way = _way_back(copy, f"{live.id}.") if reverts else _way(copy, "family", facts)
            empty = live.id in facts.empty
            yield ReuseFamily(live.id, copy.new, way, family.id, empty=empty, reverts=reverts)


def _way(copy: CopyRecord, kind: str, facts: InstanceFacts) -> str:
    """What to do first, so that the name that is declared again holds no cells."""
    return drop_first([copy], kind, facts.before, f"while {copy.old} is not declared")


def _way_back(copy: CopyRecord, of: str) -> str:
    """What to declare, so that the new name gives back its cells; ``of`` is the prefix of the family's name."""
    way = _declare(copy.old, copy.new, None if of else copy.families)
    return f"{way}, which copies back the cells of {copy.new}"
