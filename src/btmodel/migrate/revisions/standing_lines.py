"""The standing of an instance in lines for people."""

from collections.abc import Iterator

from btmodel.migrate.history import AppliedRevision, MigrationHistory
from btmodel.migrate.revisions.records import deployed_name, is_confirmed
from btmodel.migrate.revisions.standing import Standing


def standing_tally(now: Standing) -> str:
    """How many revisions are applied, pending, edited and unknown."""
    counts = {"applied": now.applied, "pending": now.pending, "edited": now.edited, "unknown": now.unknown}
    return ", ".join(f"{len(some)} {word}" for word, some in counts.items() if some) or "no revisions"


def standing_lines(now: Standing, history: MigrationHistory) -> Iterator[tuple[str, str, str]]:
    """Of each revision a word, the id, and what there is to know: files first, then what they lack.

    Raises :class:`btmodel.errors.ServerError`.
    """
    for revision in now.graph.revisions.values():
        record = now.record_of(revision)
        if revision in now.edited:
            yield "edited", revision.id, "its file was edited after it was applied: restore it"
        elif revision in now.partly:
            yield "partly", revision.id, "the instance has only some of the revisions that it replaces"
        elif record is not None:
            yield "applied", revision.id, f"{revision.title}  ({_when(record)})"
        else:
            waits = revision.deployed and not is_confirmed(revision, history)
            why = f" (waits until {revision.deployed}: confirm it with --allow {deployed_name(revision)})"
            yield "pending", revision.id, f"{revision.title}{why if waits else ''}"
    for record in now.unknown:
        yield "unknown", record.id, f"not in {now.graph.folder}  ({_when(record)})"


def _when(record: AppliedRevision) -> str:
    return f"{record.at:%Y-%m-%d %H:%M:%S} UTC by {record.by}"
