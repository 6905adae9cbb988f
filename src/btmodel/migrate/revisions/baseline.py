"""The baseline of an instance that was there before its revisions: recorded as applied, with nothing done."""

from btmodel.errors import MigrationError, some
from btmodel.migrate.books import Books
from btmodel.migrate.changes import RecordLayouts
from btmodel.migrate.journal import Journal
from btmodel.migrate.plan import Plan
from btmodel.migrate.revisions.applying import record
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, refuse_unknown
from btmodel.migrate.told import listed

_SHOWN = 5  # files that a message names


def refuse_difference(revision: Revision, plan: Plan, now: Standing) -> None:
    """Raise :class:`MigrationError` where ``plan``, which leads to ``revision``, would do anything."""
    if plan.pending:
        raise MigrationError(
            f"nothing was recorded, because what is live is not as {revision.id} says: {listed(plan.pending)}: "
            f"{_way_out(revision, now)}"
        )


def _way_out(revision: Revision, now: Standing) -> str:
    """What mends it: where files were edited, or later revisions are applied, live is not to be led to ``revision``."""
    last = now.applied[-1] if now.applied else revision
    later = f"record the last one with `btmodel migrate baseline {last.id}`" if last != revision else ""
    if now.edited:
        files = some([one.files(now.graph.folder) for one in now.edited], _SHOWN)
        back = (
            f"put {files} back as applied, and write the change as a new revision with `btmodel migrate new`"
        )
        return f"{back}; or, where live is as {last.id} says, {later}" if later else back
    if later and revision in now.applied:
        return f"it is applied already, and so is {last.id}: {later}, where live is as that says"
    return (
        f"bring it there with `btmodel migrate apply --to {revision.id}`, or declare what is live, which `btmodel "
        "inspect` writes, and write that as a revision with `btmodel migrate new`"
    )


def baseline(
    revision: Revision, plan: Plan, now: Standing, journal: Journal, by: str
) -> tuple[Revision, ...]:
    """Record ``revision`` and all that it stands on as applied, where they are not, and how rows lie; those recorded.

    A record of another checksum is replaced. Raises :class:`MigrationError` where live differs, or the instance has
    revisions that these files lack, and :class:`btmodel.errors.ServerError`.
    """
    refuse_unknown(now)
    refuse_difference(revision, plan, now)
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
