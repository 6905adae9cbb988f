"""The file of a data step that is still to be written, and is refused until it is."""

from collections.abc import Sequence

from btmodel.errors import MigrationError
from btmodel.migrate.changes import Drift
from btmodel.migrate.diff import diff
from btmodel.migrate.revisions.revision import Revision
from btmodel.schema import Table
from btmodel.schema.parameters import placeholders

_HEAD = '''"""Data steps of {id}: they run once its tables are there, in the order of data_steps.

Each is called with every row of a table, in the order of the keys. A run that is killed is gone on with behind the
last rows that were recorded, so a step may see some rows again: what it gives must come to the same then.
"""

from btmodel.migrate import Mutation, StoredRow, data_step

# Of a model, a step gets rows as the model reads them: declare it here as it was when they were written, so that
# this file stays true when the models of the application go on.
#
#     import btmodel as bt
#
#     class OldQuote(bt.Model, table="QUOTE"):
#         """A quote as it was before this revision."""
#
#         symbol: str = bt.key(bt.Text(max_length=9))
#         data = bt.family("MD", gc=bt.max_versions(1))
#         bid: int = bt.column("BID", data)
#
#     @data_step(OldQuote)
#     def {name}(row: OldQuote) -> Quote: ...
'''
_STEP = '''

@data_step("{table}")
def {name}(row: StoredRow) -> Mutation | None:
    """What is written for a row of {table}: row.key, and row.cells with their family, qualifier, timestamp and value.

    Give a row of a model, which is put, a mutation, a list of these, or None.
    """
    raise NotImplementedError("fill in {name}")
'''


def skeleton(revision: Revision, before: Sequence[Table]) -> str:
    """The code of the data steps of ``revision``, of the first table that changes from ``before``, or the first.

    Raises :class:`MigrationError` where it has no table.
    """
    changes = (one for one in diff(revision.tables, before) if not isinstance(one, Drift))
    known = {table.id for table in before}
    ids = [
        *(one.table_id for one in changes if one.table_id in known),
        *(table.id for table in revision.tables),
    ]
    ids = [id for id in ids if not placeholders(id)]
    if not ids:
        raise MigrationError("--data-step: there is no table of which a step could be")
    head = _HEAD.format(id=revision.id, name=revision.data_steps[0])
    return head + "".join(_STEP.format(table=ids[0], name=name) for name in revision.data_steps)
