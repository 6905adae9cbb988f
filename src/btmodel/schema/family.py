"""Column families."""

from attrs import field, frozen

from btmodel.schema.gc import GcRule
from btmodel.schema.location import Location


@frozen
class Family:
    """A column family: its id in the table, and its garbage-collection rule.

    ``gc`` is None where no rule was stated, which the rule FAM004 refuses.
    """

    id: str
    gc: GcRule | None
    location: Location | None = field(default=None, eq=False, repr=False)
