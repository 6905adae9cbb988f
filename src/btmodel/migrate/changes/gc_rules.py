"""Changes of GC rules."""

from collections.abc import Iterator
from datetime import timedelta
from typing import ClassVar

from attrs import frozen

from btmodel.migrate.changes.base import Drift, Effect, FamilyChange, InstanceFacts, kept
from btmodel.migrate.instance import ModifyFamiliesCall, TableCall
from btmodel.schema import Family, GcChange, GcRule, KeepAll, MaxAge, Table
from btmodel.schema.gc import age_text, simplified
from btmodel.schema.names import placeholders

# The service lets a pure age rule of a replicated family grow by this much at a time, if it ignores warnings.
RELAX_AT_MOST = timedelta(days=90)

_WORDS = {
    GcChange.EQUAL: "means the same",
    GcChange.TIGHTER: "keeps less",
    GcChange.LOOSER: "keeps more",
    GcChange.BOTH: "keeps some cells more, some less",
}


@frozen
class ChangeGc(FamilyChange):
    """Give the family its declared GC rule; ``live`` is the family in the instance.

    A tighter rule is destructive: within days, the service applies it to existing cells and cannot bring them back.
    On a ``replicated`` instance the service lets a rule that is only an age grow by at most 90 days at a time, needs
    ``ignore_warnings`` for it, and never lets such a rule be removed.
    """

    verb: ClassVar[str] = "change-gc"
    sign: ClassVar[str] = "~"
    refused_by: ClassVar[str] = "the service"
    depends_on_clusters: ClassVar[bool] = True

    live: Family
    replicated: bool = False

    @property
    def calls(self) -> tuple[TableCall, ...]:
        return (
            ModifyFamiliesCall(self.of_table, update=(self.family,), ignore_warnings=self.ignores_warnings),
        )

    @property
    def kind(self) -> GcChange:
        """Whether the rule keeps more cells, fewer, or some more and some fewer."""
        return _kind(self.family, self.live)

    @property
    def relaxes_age(self) -> bool:
        """Whether cells expire later that only an age removes; the service refuses that on replicated instances."""
        return relaxes_age(self.family.gc, self.live.gc)

    @property
    def ignores_warnings(self) -> bool:
        """Whether the service makes the change only if it ignores warnings."""
        return self.replicated and self.relaxes_age

    @property
    def effect(self) -> Effect:
        """Destructive if the declared rule deletes cells that the rule in the instance keeps."""
        if self.ignores_warnings:
            return Effect.IMPOSSIBLE if self._too_far else Effect.BLOCKED
        return Effect.DESTRUCTIVE if self.kind.deletes_kept_cells else Effect.SAFE

    @property
    def effect_if_allowed(self) -> Effect:
        """A blocked change is slow: it loses nothing, but clusters may differ for more than a week."""
        return Effect.SLOW if self.effect is Effect.BLOCKED else self.effect

    @property
    def name(self) -> str:
        """A name that states the effect: ``tighten-gc:QUOTE.MD``, ``relax-gc:QUOTE.MD``, or ``relax-replicated:QUOTE.MD``."""
        if self.ignores_warnings:
            return f"relax-replicated:{self.subject}"
        verb = "tighten-gc" if self.kind.deletes_kept_cells else "relax-gc"
        return f"{verb}:{self.subject}"

    @property
    def summary(self) -> str:
        said = f"keeps {kept(self.family)}, instead of {kept(self.live)}: {_WORDS[self.kind]}"
        return f"{said}, and the instance is replicated" if self.ignores_warnings else said

    @property
    def details(self) -> tuple[str, ...]:
        if not self.ignores_warnings:
            return ()
        if not self._too_far:
            return ("clusters may keep different cells for more than a week",)
        steps = isinstance(simplified(self.family.gc or KeepAll()), MaxAge)
        way = ", or declare steps of 90 days, each migrated before the next," if steps else ""
        return (
            f"replicated: an age that alone deletes cells can grow by {age_text(RELAX_AT_MOST)} at a time, and cannot be removed; "
            f"delete all clusters but one, migrate and add them again{way} to get there",
        )

    @property
    def lost(self) -> str | None:
        if self.effect is not Effect.DESTRUCTIVE:
            return None
        return "cells that the rule of the instance keeps and the declared rule does not, including those already written"

    @property
    def undo(self) -> str | None:
        if self.effect is not Effect.DESTRUCTIVE:
            return None
        return "no; setting the old rule again at once may save what is not deleted yet, and a backup made before saves everything"

    @property
    def uncertain(self) -> str | None:
        if not self.relaxes_age:
            return None
        return (
            "whether the instance is replicated could not be read: if it is, the service refuses to let cells "
            "live longer that an age alone ends"
        )

    @property
    def _too_far(self) -> bool:
        """Whether the service refuses it on a replicated instance even if it ignores warnings."""
        new, old = (simplified(family.gc or KeepAll()) for family in (self.family, self.live))
        return not (
            isinstance(new, MaxAge) and isinstance(old, MaxAge) and new.age - old.age <= RELAX_AT_MOST
        )


@frozen
class UnknownGc(FamilyChange, Drift):
    """The declared rule has an age known only to the program that names the table, and the rule in the instance does not fit.

    ``live`` is the family in the instance; None if it is missing. The family stays as it is, because the age is
    unknown.
    """

    verb: ClassVar[str] = "unknown-gc"

    live: Family | None

    @property
    def summary(self) -> str:
        there = "is missing" if self.live is None else f"keeps {kept(self.live)}"
        return f"{there}; declared is: {kept(self.family)}"

    @property
    def details(self) -> tuple[str, ...]:
        names = ", ".join(f"{name}=" for name in self.family.gc.parameters) if self.family.gc else ""
        if self.live is None:
            return (f"only your program knows the age: bt.create_tables(..., {names}...) adds the family",)
        return ("only your program knows the age: set the rule where it is known",)


def has_unknown_age(table: Table, family: Family) -> bool:
    """Whether the declared rule of ``family`` has an age that the id of the table does not give."""
    named = placeholders(table.id) or placeholders(family.id)
    return not named and family.gc is not None and bool(family.gc.given)


def find_unknown(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[UnknownGc]:
    """The families whose declared age is unknown and cannot be read from the rule in the instance."""
    for family in declared.families:
        if has_unknown_age(declared, family):
            yield UnknownGc(declared.id, family, live.family(family.id))


def find(declared: Table, live: Table, facts: InstanceFacts) -> Iterator[ChangeGc]:
    """The families whose rules in the instance and in the declaration differ in meaning."""
    for family in declared.families:
        other = None if has_unknown_age(declared, family) else live.family(family.id)
        if other is not None and _kind(family, other) is not GcChange.EQUAL:
            yield ChangeGc(declared.id, family, other, facts.replicated is True)


def relaxes_age(declared: GcRule | None, live: GcRule | None) -> bool:
    """Whether ``live`` is only an age, and ``declared`` keeps the newest cell of a column for longer."""
    old = simplified(live or KeepAll())
    return isinstance(old, MaxAge) and not (declared or KeepAll()).deletes(_after(old.age), 1)


def _after(age: timedelta) -> timedelta:
    step = timedelta(microseconds=1)
    return min(age, timedelta.max - step) + step


def _kind(declared: Family, live: Family) -> GcChange:
    return (declared.gc or KeepAll()).compared_to(live.gc or KeepAll())
