"""The recorded progress of data steps that no revision of this checkout has any more: their file or function was renamed, or deleted."""

from collections.abc import Collection, Iterator
from pathlib import Path

from attrs import frozen

from btmodel.errors import shown
from btmodel.migrate.history import MigrationHistory, Reached
from btmodel.migrate.history.run_record import RunRecord
from btmodel.migrate.revisions.revision import ID, Revision
from btmodel.migrate.revisions.standing import Standing
from btmodel.migrate.revisions.steps import StepState, progress_name
from btmodel.words import counted

# What begins the name that lets the record go.
FORGET = "forget-step:"


@frozen
class LostStep:
    """The progress of a data step that was not applied, by its name ``0003_fill_venue/fill_venue``, and no revision has that step."""

    name: str
    reached: Reached

    @property
    def forget(self) -> str:
        """The name that lets its record go."""
        return f"{FORGET}{self.name}"

    @property
    def adds(self) -> bool:
        """Whether it has added, or may have: the same step under another name would add for these rows again."""
        return self.reached.may_have_added

    @property
    def far(self) -> str:
        """How far it has come, and whether that was added."""
        far = str(self.reached)
        if self.adds:
            rows = counted(self.reached.rows + self.reached.adding_rows, "row")
            last = self.reached.adding or self.reached.key
            far = f"it added for {rows}, up to {shown(last)}" if last else "it has added for rows"
        if self.adds:
            return far
        # A run records how far it came only now and then.
        return f"it came to {far}" if self.reached else "it may have written for its first rows"

    def __str__(self) -> str:
        id, _, step = self.name.partition("/")
        return f"{self.name} has begun, {self.far}, and no revision here is called {id} and has a step {step}"


def lost_steps(now: Standing, history: MigrationHistory) -> Iterator[LostStep]:
    """The recorded steps that neither the files have nor an applied revision of another branch; raises :class:`btmodel.errors.ServerError`."""
    revisions = now.graph.revisions.values()
    known = {progress_name(revision, step) for revision in revisions for step in revision.data_steps}
    done = {record.id for record in now.records} | {
        link.id for revision in revisions for link in revision.replaces
    }
    for name, reached in sorted(history.all_progress().items()):
        id, _, step = name.partition("/")
        is_step = ID.fullmatch(id) and step.isidentifier()
        if is_step and name not in known and id not in done and reached.has_begun:
            yield LostStep(name, reached)


def why_lost(
    lost: Collection[LostStep],
    steps: Collection[StepState],
    revision: Revision,
    folder: Path,
    allow: Collection[str],
) -> Iterator[str]:
    """Why data steps of ``revision`` that have not begun do not run: one of them may be a lost one that has added, under another name."""
    new = [state.step for state in steps if state.reached is None]
    if not new or "data_step" not in revision.code:
        return
    for one in lost:
        if one.adds and one.forget not in allow:
            id, _, step = one.name.partition("/")
            yield (
                f"{folder / revision.id}.py: nothing was applied, because {one}: if {new[0]} is that step, give it these names again "
                f"({folder / id}.toml, {id}.py and the function {step}), so that nothing is added twice; if it is another one, use "
                f"--allow {one.forget}, which forgets that record"
            )


def forget_lost(lost: Collection[LostStep], allow: Collection[str], run_record: RunRecord) -> None:
    """Remove the records that the user allows to go; raises :class:`LockLost` and :class:`btmodel.errors.ServerError`."""
    for one in lost:
        if one.forget in allow:
            run_record.history.end_progress(one.name)
