"""Data steps that a run has begun and not ended: from where they go on, and whether they may."""

from collections.abc import Collection, Iterator
from pathlib import Path

import attrs
from attrs import frozen

from btmodel.migrate.data import Recorded
from btmodel.migrate.journal import Journal, Reached
from btmodel.migrate.revisions.revision import Revision
from btmodel.migrate.revisions.step_code import step_checksum, step_checksum_of_lines, unwritten


@frozen
class Standing:
    """How far a data step of a revision has come: ``reached`` is None where it has not begun.

    ``code`` is the checksum of its code as it is now, and ``lines`` that as it was recorded before.
    """

    step: str
    code: str
    reached: Reached | None
    lines: str = ""

    @property
    def edited(self) -> bool:
        """Whether other code than that of now has come so far."""
        return self.reached is not None and self.reached.code not in (self.code, self.lines)

    @property
    def restart(self) -> str:
        """The name by which an edited step begins at the first row again."""
        return f"restart-step:{self.step}"

    @property
    def resume(self) -> str:
        """The name by which an edited step goes on where it was."""
        return f"resume-step:{self.step}"

    def __str__(self) -> str:
        if self.reached is None:
            return self.step
        return (
            f"{self.step} ({'edited since it came to' if self.edited else 'goes on behind'} {self.reached})"
        )


def progress_name(revision: Revision, step: str) -> str:
    """Under what the progress of a data step is recorded: ``0003_fill_venue/fill_venue``."""
    return f"{revision.id}/{step}"


def standings(revision: Revision, journal: Journal) -> Iterator[Standing]:
    """How far the data steps of ``revision`` have come, in order; raises :class:`btmodel.errors.ServerError`."""
    for step in revision.data_steps:
        reached = journal.progress(progress_name(revision, step)) or None
        yield Standing(step, step_checksum(revision, step), reached, step_checksum_of_lines(revision, step))


def why_unwritten(revision: Revision, folder: Path) -> Iterator[str]:
    """Why data steps of ``revision`` are refused that were never filled in."""
    for step, line in unwritten(revision):
        yield (
            f"{folder / revision.id}.py:{line}: nothing was applied, because the data step {step} is still to be written: "
            f"fill it in, or take it out of the file, and out of data_steps in {revision.id}.toml"
        )


def why_edited(one: Standing, revision: Revision, folder: Path, allow: Collection[str]) -> Iterator[str]:
    """Why a data step is refused that was edited half-way, where ``allow`` does not say what then."""
    if not one.edited:
        return
    said = [name for name in (one.restart, one.resume) if name in allow]
    if len(said) == 2:
        yield f"--allow {one.restart} and --allow {one.resume}: say one of them"
    if not said:
        yield (
            f"{folder / revision.id}.py: {one.step} was edited since it came to {one.reached}: put its code back as it "
            f"was, or say --allow {one.restart} to begin at the first row again, or --allow {one.resume} to go on behind "
            "that row with the new code"
        )


def settle(one: Standing, revision: Revision, recorded: Recorded, allow: Collection[str]) -> Reached | None:
    """Where a data step goes on, as ``allow`` says where it was edited; None for the first row.

    Raises what ``recorded`` does.
    """
    if not one.edited or one.reached is None:
        return one.reached
    name = progress_name(revision, one.step)
    reached = recorded.progress(name)
    if one.restart in allow or reached is None:
        recorded.record_progress(name, Reached(b"", 0, one.code))
        return None
    recorded.record_progress(name, attrs.evolve(reached, code=one.code))
    return reached
