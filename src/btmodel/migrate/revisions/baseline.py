"""The baseline of an instance that was there before its revisions: recorded as applied, with nothing done."""

from btmodel.errors import MigrationError
from btmodel.migrate.books import Books
from btmodel.migrate.changes import RecordLayouts
from btmodel.migrate.journal import Journal
from btmodel.migrate.plan import Plan
from btmodel.migrate.revisions.applying import record
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing
from btmodel.migrate.told import listed


def refuse_difference(revision: Revision, plan: Plan) -> None:
    """Raise :class:`MigrationError` where ``plan``, which leads to ``revision``, would do anything."""
    if plan.pending:
        raise MigrationError(
            f"nothing was recorded, because what is live is not as {revision.id} says: {listed(plan.pending)}: bring it there with "
            f"`btmodel migrate apply --to {revision.id}`, or declare what is live, which `btmodel inspect` writes, and "
            "write that as a revision with `btmodel migrate new`"
        )


def baseline(
    revision: Revision, plan: Plan, now: Standing, journal: Journal, by: str
) -> tuple[Revision, ...]:
    """Record ``revision`` and all that it stands on as applied, where they are not, and how rows lie; those recorded.

    A record of another checksum is replaced. Raises :class:`MigrationError` where live differs, and
    :class:`btmodel.errors.ServerError`.
    """
    refuse_difference(revision, plan)
    for change in plan.changes:
        if isinstance(change, RecordLayouts):
            journal.record_layouts(change.of_table, change.layouts)
    misfits = (*now.pending, *now.edited)
    found = tuple(one for one in now.graph.up_to(revision.id) if one in misfits)
    for one in found:
        record(one, Books(journal, by))
        for link in one.replaces:
            journal.remove_revision(link.id)
    return found
