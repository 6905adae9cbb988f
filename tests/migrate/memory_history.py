"""A migration history in memory, and failures on demand."""

from collections.abc import Callable, Mapping
from copy import copy
from datetime import UTC, datetime

from btmodel.migrate.history import AppliedRevision, CopyRecord, Lock, Reached, Step
from btmodel.schema import Layout

Before = Callable[["MemoryHistory", str], None]


class MemoryHistory:
    """A migration history in dicts. ``before`` is called with the name of each method that changes it, and may raise."""

    def __init__(self, before: Before = lambda *_: None) -> None:
        self.before = before
        self.calls: list[str] = []
        self._layouts: dict[str, tuple[Layout, ...]] = {}
        self._revisions: dict[str, AppliedRevision] = {}
        self._progress: dict[str, Reached] = {}
        self._copies: dict[tuple[str, str], CopyRecord] = {}
        self._steps: dict[str, Step] = {}
        self._locks: list[Lock | None] = [None]
        self._permit: Callable[[], None] = lambda: None

    def patient(self) -> "MemoryHistory":
        return self

    def fenced(self, permit: Callable[[], None]) -> "MemoryHistory":
        fenced = copy(self)  # of the same records
        fenced._permit = permit
        return fenced

    def snapshot(self) -> "MemoryHistory":
        taken = copy(self)
        for name in ("_layouts", "_revisions", "_progress", "_copies", "_steps"):
            setattr(taken, name, dict(getattr(self, name)))
        return taken

    def layouts(self) -> Mapping[str, tuple[Layout, ...]]:
        return dict(self._layouts)

    def record_layouts(self, table: str, layouts: tuple[Layout, ...]) -> None:
        self._called("record_layouts")
        self._layouts.pop(table, None)
        if layouts:
            self._layouts[table] = layouts

    def sections(self, step: str) -> dict[str, Reached]:
        return {name: one for name, one in self._progress.items() if name.startswith(f"{step}/")}

    def revisions(self) -> tuple[AppliedRevision, ...]:
        return tuple(self._revisions.values())

    def add_revision(self, revision: AppliedRevision) -> None:
        self._called("add_revision")
        self._revisions.pop(revision.id, None)
        self._revisions[revision.id] = revision

    def remove_revision(self, id: str) -> None:
        self._called("remove_revision")
        self._revisions.pop(id, None)

    def progress(self, step: str) -> Reached | None:
        return self._progress.get(step)

    def record_progress(self, step: str, reached: Reached) -> None:
        self._called("record_progress")
        self._progress[step] = reached

    def swap_progress(self, step: str, old: Reached, new: Reached) -> bool:
        self._called("swap_progress")
        there = self._progress.get(step)
        if (there.run if there else "") != old.run:
            return False
        self._progress[step] = new
        return True

    def all_progress(self) -> dict[str, Reached]:
        return dict(self._progress)

    def end_progress(self, step: str, kept: Reached | None = None) -> None:
        self._called("end_progress")
        self._progress.pop(step, None)
        if kept is not None:
            self._progress[step] = kept

    def copies(self) -> tuple[CopyRecord, ...]:
        return tuple(self._copies[names] for names in sorted(self._copies))

    def record_copy(self, copy: CopyRecord) -> None:
        self._called("record_copy")
        self._copies[copy.old, copy.new] = copy

    def forget_copy(self, copy: CopyRecord) -> None:
        self._called("forget_copy")
        self._copies.pop((copy.old, copy.new), None)

    def steps(self) -> Mapping[str, Step]:
        return dict(self._steps)

    def record_step(self, step: Step) -> None:
        self._called("record_step")
        self._steps[step.table] = step

    def service_time(self) -> datetime:
        return datetime.now(UTC)

    @property
    def _lock(self) -> Lock | None:
        return self._locks[0]

    @_lock.setter
    def _lock(self, lock: Lock | None) -> None:
        self._locks[0] = lock

    def lock(self) -> Lock | None:
        return self._lock

    def swap_lock(self, old: Lock | None, new: Lock | None, *, unrenewed: bool = False) -> bool:
        self._called("swap_lock")
        there = self._lock and self._lock.id
        if there != (old and old.id) or (unrenewed and self._lock != old):
            return False
        self._lock = new
        return True

    def drop_lock(self) -> None:
        self._called("drop_lock")
        self._lock = None

    def _called(self, method: str) -> None:
        if method not in ("swap_lock", "drop_lock"):
            self._permit()
        self.calls.append(method)
        self.before(self, method)
