"""Deployments that a revision waits for: btmodel cannot see them, so the user confirms them, once."""

import hashlib
from collections.abc import Collection, Iterator

from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.revisions.revision import Revision


def deployed_name(revision: Revision) -> str:
    """The name by which a user confirms that what ``revision`` waits for is deployed."""
    return f"deployed:{revision.id}"


def why_waiting(revision: Revision, allow: Collection[str]) -> Iterator[str]:
    """Why ``revision`` waits for a deployment, unless ``allow`` confirms that."""
    if revision.deployed and deployed_name(revision) not in allow:
        yield (
            f"{revision.id} waits for a deployment, which btmodel cannot see: {revision.deployed}. Once every "
            f"process does that, and none of an earlier version is left, confirm it with --allow {deployed_name(revision)}"
        )


def confirm(revision: Revision, run_record: RunRecord) -> None:
    """Record that the deployment is confirmed, so that a run that goes on does not ask again.

    Raises :class:`LockLost` and :class:`btmodel.errors.ServerError`.
    """
    if revision.deployed:
        run_record.check()
        run_record.history.record_progress(deployed_name(revision), Reached(b"", 0, _digest(revision)))


def is_confirmed(revision: Revision, history: MigrationHistory) -> bool:
    """Whether it was confirmed to an interrupted run that what ``revision`` waits for is deployed; raises :class:`btmodel.errors.ServerError`."""
    there = history.progress(deployed_name(revision)) if revision.deployed else None
    return there is not None and there.code == _digest(revision)


def forget_confirmation(revision: Revision, run_record: RunRecord) -> None:
    """Remove the record, so that the revision waits anew if it is applied again; raises :class:`btmodel.errors.ServerError`."""
    if revision.deployed:
        run_record.history.end_progress(deployed_name(revision))


def _digest(revision: Revision) -> str:
    """Of the sentence that was confirmed: another one has to be confirmed itself."""
    return hashlib.sha256(revision.deployed.encode()).hexdigest()[:32]
