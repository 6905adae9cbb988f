"""The records of revisions: written when one is applied, removed when it is rolled back, and set by a baseline.

Also that a deployment is confirmed for which a revision waits: btmodel cannot see deployments, so the user confirms each, once.
"""

import hashlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime

from attrs import evolve

from btmodel.errors import MigrationError, MigrationFailed, ServerError, some
from btmodel.migrate.applying.run import Done, is_permitted
from btmodel.migrate.history import AppliedRevision, MigrationHistory, Reached
from btmodel.migrate.history.lock import LockLost
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.planning.plan import Plan
from btmodel.migrate.planning.text import allowing, listed
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.standing import Standing, refuse_unknown
from btmodel.migrate.revisions.steps import progress_name


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
        run_record.history.record_progress(deployed_name(revision), Reached(b"", 0, _digest(revision)))


def is_confirmed(revision: Revision, history: MigrationHistory) -> bool:
    """Whether it was confirmed to an interrupted run that what ``revision`` waits for is deployed; raises :class:`btmodel.errors.ServerError`."""
    there = history.progress(deployed_name(revision)) if revision.deployed else None
    return there is not None and there.code == _digest(revision)


def _digest(revision: Revision) -> str:
    """Of the sentence that was confirmed: another one has to be confirmed itself."""
    return hashlib.sha256(revision.deployed.encode()).hexdigest()[:32]


def forget_progress(
    revision: Revision, run_record: RunRecord, *, rolled_back: bool, rewritten: str = ""
) -> None:
    """Remove what is recorded of an unfinished ``revision``: the progress of its data steps, and that it is deployed.

    That of a step that has added is kept, so that it does not add for the same rows again, unless the user says so. ``rewritten`` says which cells are still
    as its steps have rewritten them, ``all`` or ``some``, and is recorded for further rollbacks. Raises :class:`btmodel.errors.ServerError`.
    """
    history = run_record.history
    for step in revision.data_steps:
        name = progress_name(revision, step)
        reached = history.progress(name)
        if reached is None or not reached.may_have_added:
            history.end_progress(name, Reached(b"", 0, rewritten=rewritten) if rewritten else None)
        else:
            history.end_progress(
                name, reached.rolled_back if rolled_back else evolve(reached, starts=(), run="")
            )
    if revision.deployed:
        history.end_progress(deployed_name(revision))


def forget(revision: Revision, run_record: RunRecord, rewritten: str = "") -> None:
    """Remove the records of ``revision`` and of those that it replaces, but that cells are still as its steps have ``rewritten`` them.

    Raises :class:`LockLost` and :class:`ServerError`.
    """
    # If it is applied again, they start at the first row.
    forget_progress(revision, run_record, rolled_back=True, rewritten=rewritten)
    for link in (revision.link, *reversed(revision.replaces)):
        run_record.history.remove_revision(link.id)


def record(
    revision: Revision, run_record: RunRecord, steps: Sequence[str] = (), skipped: Sequence[str] = ()
) -> None:
    """Record that ``revision`` is applied, for which these data ``steps`` have run, and those ``skipped`` have written nothing; raises :class:`LockLost` and :class:`ServerError`."""
    now = datetime.now(UTC)
    applied = AppliedRevision(
        revision.id, revision.checksum, now, run_record.by, tuple(steps), tuple(skipped)
    )
    run_record.history.add_revision(applied)
    forget_progress(revision, run_record, rolled_back=False)


@contextmanager
def recording(what: str, revision: Revision, done: Sequence[Done]) -> Iterator[None]:
    """If the record of a revision, which is written in this block, fails: raise what is done by then."""
    try:
        yield
    except (ServerError, LockLost, KeyboardInterrupt) as error:
        why = "interrupted" if isinstance(error, KeyboardInterrupt) else str(error)
        names = [one.change.name for one in done]
        raise MigrationFailed(
            f"{what}, and that is not known to be recorded: {why}",
            names,
            (),
            [revision.id],
            permitted=is_permitted(error),
        ) from error


_SHOWN = 5  # files that one message names


def refuse_difference(revision: Revision, plan: Plan, now: Standing) -> None:
    """Raise :class:`MigrationError` if ``plan``, which leads to ``revision``, has anything to do."""
    if plan.pending:
        raise MigrationError(
            f"nothing was recorded, because the instance is not as {revision.id} says: {listed(plan.pending)}: "
            f"{_way_out(revision, now)}"
        )


def _way_out(revision: Revision, now: Standing) -> str:
    """What to do about that difference; not to migrate, if files were edited or later revisions are applied."""
    last = now.applied[-1] if now.applied else revision
    later = f"record the last one with `btmodel migrate baseline {last.id}`" if last != revision else ""
    if now.edited:
        files = some([one.files(now.graph.folder) for one in now.edited], _SHOWN)
        back = (
            f"put {files} back as applied, and write the change as a new revision with `btmodel migrate new`"
        )
        return f"{back}; or, where the instance is as {last.id} says, {later}" if later else back
    if later and revision in now.applied:
        return f"it is applied already, and so is {last.id}: {later}, where the instance is as that says"
    return (
        f"bring it there with `btmodel migrate apply --to {revision.id}`, or declare what the instance has, which `btmodel "
        "inspect` writes, and write that as a revision with `btmodel migrate new`"
    )


def skip_name(revision: Revision, step: str) -> str:
    """The name that lets a baseline record a revision whose ``step`` has not run on the instance, as far as is known."""
    return f"skip-step:{progress_name(revision, step)}"


def stays_name(step: str) -> str:
    """The name that confirms that the rows which a data ``step`` has written stay as they are."""
    return f"data-step:{step}"


def skip_squashed_name(revision: Revision) -> str:
    """The name that lets a baseline record a squashed ``revision`` of whose parts the instance lacks some, with their data steps."""
    return f"skip-step:{revision.id}"


def _skipped(revision: Revision, now: Standing, history: MigrationHistory) -> Iterator[tuple[str, str]]:
    """The data steps up to ``revision`` of which no record says that they have run, by the names that skip them, and how far each has come; also those that were squashed."""
    records = {record.id: record for record in now.records}
    for one in now.graph.up_to(revision.id):
        if one in now.partly:
            lacking = [link.id for link in one.replaces if link.id not in records]
            yield (
                skip_squashed_name(one),
                f"{one.id} replaces {some(lacking, _SHOWN)}, which the instance lacks, and has none of their data steps: apply those with the "
                "files from before they were squashed",
            )
            continue
        known = [records[id] for id in (one.id, *(link.id for link in one.replaces)) if id in records]
        if known and one not in now.edited:
            continue  # it was recorded before, with what has run
        ran = {step for record in known for step in record.steps}
        for step in one.data_steps:
            if step in ran:
                continue
            reached = history.progress(progress_name(one, step))
            far = "no record says that it has run"
            if reached is not None:
                far = (
                    f"a run of it has come to {reached}, and was not finished"
                    if reached
                    else "a run of it has begun, and was not finished"
                )
            yield skip_name(one, step), f"{progress_name(one, step)}: {far}"


def refuse_skipped(
    revision: Revision, now: Standing, history: MigrationHistory, allow: Collection[str] = ()
) -> None:
    """Raise :class:`MigrationError` if data steps up to ``revision`` would be recorded that have not run, as far as is known, unless ``allow`` names them.

    Also raises :class:`btmodel.errors.ServerError`.
    """
    skipped = dict(_skipped(revision, now, history))
    way = now.graph.up_to(revision.id)
    known = {skip_name(one, step) for one in way for step in one.data_steps}
    known |= {skip_squashed_name(one) for one in way if one.replaces}
    if wrong := [name for name in allow if name not in known]:
        raise MigrationError(f"--allow {wrong[0]}: no revision up to {revision.id} has such a data step")
    left = {name: why for name, why in skipped.items() if name not in allow}
    if left:
        raise MigrationError(
            f"nothing was recorded, because data steps would never run: {some([*left.values()], _SHOWN)}: run them with `btmodel migrate apply`; or, where the rows "
            f"are as they would leave them, use {allowing(left)}"
        )


def baseline(
    revision: Revision,
    plan: Plan,
    now: Standing,
    history: MigrationHistory,
    by: str,
    allow: Collection[str] = (),
) -> tuple[Revision, ...]:
    """Record ``revision`` and its ancestors as applied, with the layouts, and return the newly recorded ones.

    A record with another checksum is replaced. Raises :class:`MigrationError` if the instance differs from
    ``revision``, has revisions that these files lack, or if data steps have not run that ``allow`` does not name, and
    :class:`btmodel.errors.ServerError`.
    """
    refuse_unknown(now)
    refuse_difference(revision, plan, now)
    refuse_skipped(revision, now, history, allow)
    for change in plan.changes:
        if change.records is not None:
            history.record_layouts(change.table_id, change.records)
    misfits = (*now.pending, *now.edited)
    found = tuple(one for one in now.graph.up_to(revision.id) if one in misfits)
    for one in found:
        record(one, RunRecord(history, by))
        for link in one.replaces:
            history.remove_revision(link.id)
    return found
