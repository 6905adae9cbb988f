"""The rows of an instance's journal, as models: btmodel keeps its own books with itself."""

from datetime import datetime
from typing import Any

from btmodel.codecs.key import Text
from btmodel.declare import Model, column, constant, family, key
from btmodel.declare.collected import into
from btmodel.schema import MaxVersions
from btmodel.schema.reserved import JOURNAL_TABLE


class Record(Model):
    """What all records have: a family in which a new value takes the place of the old one."""

    data = family("data", gc=MaxVersions(1))


# A review that gathers models gathers the user's, also where this file is imported in its midst.
with into(None):

    class LayoutRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """How the rows of a table lay when it was migrated last."""

        kind = constant("layout")
        table: str = key(Text(max_length=400))  # the id of a table, or of a template
        models: dict[str, Any] = column("models", Record.data, size=2_000)

    class RevisionRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """A revision that is applied; ``number`` counts them in the order of their applying."""

        kind = constant("revision")
        id: str = key(Text(max_length=200, holds_delimiter=True))
        number: int = column("number", Record.data)
        checksum: str = column("checksum", Record.data)
        at: datetime = column("at", Record.data)
        by: str = column("by", Record.data)

    class ProgressRow(Record, table=JOURNAL_TABLE, events="1/s"):
        """How far a copy or a data step has come: the row key of the table that it goes through."""

        kind = constant("progress")
        step: str = key(Text(max_length=400, holds_delimiter=True), cardinality=100)
        done: bytes = column("done", Record.data, size=50)
        rows: int | None = column("rows", Record.data, default=None)
        code: str | None = column("code", Record.data, default=None, size=32)
        run: str | None = column("run", Record.data, default=None, size=32)

    class CopyRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """A family, or a table, that was copied because it was renamed."""

        kind = constant("copy")
        old: str = key(Text(max_length=115))
        new: str = key(Text(max_length=115))
        by: str = column("by", Record.data)
        begun: datetime = column("begun", Record.data)
        ended: datetime | None = column("ended", Record.data, default=None)
        families: dict[str, str] | None = column("families", Record.data, default=None, size=100)

    class StepRow(Record, table=JOURNAL_TABLE, events="1/day"):
        """The last changes that were made to a table."""

        kind = constant("step")
        table: str = key(Text(max_length=50))
        changes: list[str] = column("changes", Record.data, size=200)
        by: str = column("by", Record.data)
        begun: datetime = column("begun", Record.data)
        ended: datetime | None = column("ended", Record.data, default=None)

    class LeaseRow(Record, table=JOURNAL_TABLE, events="1/minute"):
        """Who may change the instance now."""

        kind = constant("lease")
        id: str = column("id", Record.data)
        owner: str = column("owner", Record.data)
        since: datetime = column("since", Record.data)
        expires: datetime = column("expires", Record.data)


ROWS: tuple[type[Model], ...] = (LayoutRow, RevisionRow, ProgressRow, CopyRow, StepRow, LeaseRow)
