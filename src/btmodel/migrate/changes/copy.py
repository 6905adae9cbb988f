"""A declared family, or table, that is to take over the cells of another one."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes import change_codec, change_key
from btmodel.migrate.changes.base import Change, Effect, kept
from btmodel.migrate.changes.facts import UNKNOWN, Facts
from btmodel.migrate.journal.protocol import CopyRecord
from btmodel.migrate.layouts import match
from btmodel.migrate.renamings import Renaming
from btmodel.schema import Family, Table

_WAY = (
    "go on to a revision without renamed_from=, which fills the new one by a data step (docs/migrations.md) that reads "
    "the old model and writes the new one"
)


@frozen
class _Copy(Change):
    """Copy the cells, with their timestamps, and compare until nothing differs; the old place stays.

    ``again`` where it was copied before, and what differs is copied once more; ``empty`` where the table that takes over is
    live, and holds no row.
    """

    sign: ClassVar[str] = ">"
    usual: ClassVar[Effect] = Effect.SLOW
    moves: ClassVar[bool] = True

    renaming: Renaming
    again: bool = False
    empty: bool = False

    @property
    def table_id(self) -> str:
        """The id of the table to which cells are copied."""
        return self.renaming.new.id

    @property
    def subject(self) -> str:
        """What takes over."""
        return self.renaming.new_name

    @property
    def effect(self) -> Effect:
        """Blocked where cells that the application wrote may be there already."""
        if _wrong(self.renaming):
            return Effect.IMPOSSIBLE
        if self.again or (self.renaming.is_live and not self.renaming.begun and not self.empty):
            return Effect.BLOCKED
        return Effect.DESTRUCTIVE if self.lost else Effect.SLOW

    @property
    def effect_if_allowed(self) -> Effect:
        """What it loses, if anything; nothing else is lost."""
        return (
            Effect.IMPOSSIBLE if _wrong(self.renaming) else Effect.DESTRUCTIVE if self.lost else Effect.SLOW
        )

    @property
    def summary(self) -> str:
        """From where, and how long it takes."""
        verb = "goes on to copy" if self.renaming.begun else "copies"
        return f"{verb} the cells of {self.renaming.old_name}; the more there are, the longer it takes"

    @property
    def details(self) -> tuple[str, ...]:
        """What stands in the way, or what to see to."""
        if wrong := _wrong(self.renaming):
            return (*wrong, _WAY)
        if self.effect is Effect.BLOCKED:
            return (
                f"{self.subject} is live already: cells of it at the same times are overwritten, and those that were "
                "deleted there come back",
            )
        stays = f"{self.renaming.old_name} stays; what is written to it meanwhile is copied, too, as far as it is seen"
        return (stays, *([self.instead] if self.instead else []))

    @property
    def instead(self) -> str | None:
        """What to do first, so that families which were renamed before are not left behind; None where there are none."""
        here = self.renaming
        copies = [copy for one in here.left_out if (copy := here.heir(one))]
        if not copies:
            return None
        return drop_first(copies, "family", here.before, f"while {here.old_name} is declared still")

    @property
    def lost(self) -> str | None:
        """The cells that the new place would not keep."""
        tables = (self.renaming.old.id, self.renaming.new.id)
        lost = [
            f"{tables[0]}.{old.id} keeps {kept(old)}, and {tables[1]}.{new.id} keeps {kept(new)}"
            for old, new in self.renaming.tighter
        ]
        lost += [_left(self.renaming, one) for one in self.renaming.left_out]
        return f"cells that are not copied: {'; '.join(lost)}" if lost else None

    @property
    def undo(self) -> str | None:
        """The old place has them still."""
        return "until the old one is dropped, which has them still" if self.lost else None

    @property
    def then(self) -> str:
        """What to do next."""
        verb = "drop-table" if self.renaming.family is None else "drop-family"
        return f"deploy what reads and writes {self.subject}, then {self.renaming.command} --allow {verb}:{self.renaming.old_name}"


@frozen
class CopyFamily(_Copy):
    """Copy the cells of a family that is renamed."""

    verb: ClassVar[str] = "copy-family"

    @property
    def family_id(self) -> str | None:
        """The family that takes over."""
        return self.renaming.family.id if self.renaming.family else None


@frozen
class CopyTable(_Copy):
    """Copy the rows of a table that is renamed."""

    verb: ClassVar[str] = "copy-table"


def copy_of(renaming: Renaming, *, again: bool = False, empty: bool = False) -> CopyFamily | CopyTable:
    """The change that copies what is renamed."""
    kind = CopyTable if renaming.family is None else CopyFamily
    return kind(renaming, again, empty)


def find(declared: Table | None, live: Table | None, facts: Facts) -> Iterator[CopyFamily | CopyTable]:
    """The copies that the renamings to ``declared`` need still."""
    if declared is None:
        return
    for renaming in facts.to(declared.id):
        if renaming.copied is None:
            yield copy_of(renaming, empty=declared.id in facts.empty)


def drop_first(copies: Sequence[CopyRecord], kind: str, before: str | None, when: str) -> str:
    """What to do so that what was copied is out of the way: drop it, as of the revision ``before``; ``when`` where there is none."""
    allow = " ".join(f"--allow drop-{kind}:{copy.old}" for copy in copies)
    drop = f"{' and '.join(copy.old for copy in copies)} first, once compared"
    if before is None:
        return f"drop {drop}, with `btmodel migrate {allow}`, {when}"
    command = f"btmodel migrate apply --to {before}"
    # One that a revision before this one is to copy has nobody who did.
    made = "" if all(copy.by for copy in copies) else f"run `{command}`, and then "
    return f"{made}drop {drop}, with `{command} {allow}`"


def _left(renaming: Renaming, family: Family) -> str:
    """Why a family of a renamed table is left behind."""
    copy = renaming.heir(family)
    if copy is None:
        return f"nothing takes over family {family.id}"
    return (
        f"family {family.id} was copied to {copy.new}, and is not dropped: what it alone has is left behind"
    )


def _wrong(renaming: Renaming) -> tuple[str, ...]:
    """Why a copy would be wrong; nothing where it would not."""
    found = [
        f"{one.id} aggregates, and what it has added up cannot be set in another family"
        for pair in renaming.pairs
        for one in pair
        if one.aggregate is not None
    ]
    new, old = renaming.lying
    if renaming.family is None:
        keys = list(change_key.find(new, old, UNKNOWN))
        found += [
            f"the row key of {one.declared.model} was {one.live.key_text}, and is {one.declared.key_text}"
            for one in keys
        ]
        lie = match(new.layouts, old.layouts)
        if not lie.both and lie.new and lie.left:
            found.append(f"its rows have keys {lie.left[0].key_text}, and none of its models has")
    for one in change_codec.find(new, old, UNKNOWN):
        if not one.reads_all:
            found.append(f"{one.cell} of {one.model} was {one.live}, and is {one.declared}")
    return tuple(dict.fromkeys(found))
