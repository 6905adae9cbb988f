"""Column families."""

from collections.abc import Sequence
from enum import Enum

from attrs import field, frozen

from btmodel.errors import DeclarationError
from btmodel.schema.gc import GcRule
from btmodel.schema.names import Location
from btmodel.value import Value


class Aggregate(Enum):
    """How the cells of an aggregate family take what is added to them: signed 64-bit integers."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"


@frozen(eq=False, repr=False)
class OtherAggregate(Value):
    """How a live family aggregates, where that is none of ours.

    Never declared: it stands for what the service calls ``value``, and is equal to no
    :class:`Aggregate`.
    """

    value: str


@frozen(eq=False, repr=False)
class Family(Value):
    """A column family: its id in the table, its garbage-collection rule, and how it aggregates.

    ``gc`` is None where no rule was stated, which the rule FAM004 refuses.
    ``aggregate`` is None for a family of plain cells; it is fixed when the family is made.
    ``value_type`` is never declared: it is the type of a live family's values that no declaration states, as
    the JSON text of a ``google.bigtable.admin.v2.Type`` with sorted keys; such a family is never equal to a declared one.
    ``renamed_from`` is the id of the family of the same table whose cells it takes over.
    """

    id: str
    gc: GcRule | None
    aggregate: Aggregate | None = None
    renamed_from: str | None = field(default=None, eq=False)
    location: Location | None = field(default=None, eq=False, repr=False)
    value_type: str | None = field(default=None, kw_only=True)


def refuse_families(table: str, families: Sequence[Family]) -> None:
    """Refuse renamings of ``families``, all those of a table, that cannot have been."""
    ids = {family.id for family in families}
    taken: dict[str, str] = {}
    for family in families:
        old = family.renamed_from
        if old is None:
            continue
        what = f"table {table!r}, family {family.id!r}: renamed_from"
        if old in ids:
            raise DeclarationError(f"{what}: {old!r} is also declared, so it was not renamed")
        if old in taken:
            raise DeclarationError(f"{what}: {taken[old]!r} takes over {old!r} already")
        taken[old] = family.id
