"""Comparisons in parts: sections of both tables that the workers of a runner compare side by side, each with a record of what it has found.

A pass has two walks. The first one adds up what the rows of a section are; the sums of all sections say where rows may differ, and the second
walk looks at these rows. A worker that begins a section again finds the same, or what was repaired since.
"""

import json
import time
from collections.abc import Iterable
from functools import reduce
from typing import Any

from attrs import asdict, evolve, frozen

from btmodel.migrate.data.comparison import PartComparison, Pass, Suspects
from btmodel.migrate.data.copies import ExampleCells
from btmodel.migrate.data.moves import Move
from btmodel.migrate.data.sections import RunnerFailed, Section, Spread, WorkerProgress, divided, polled
from btmodel.migrate.data.sums import Counts, Sums
from btmodel.migrate.data.unmoved import Unmoved
from btmodel.migrate.data.walks import Progress, Recorded, RowAccess
from btmodel.migrate.history import Reached

_EVERY = 2.0  # seconds between two records of how far a section has come


@frozen
class ComparedPart:
    """The comparison of a section by a worker; each of both walks has a record of its own, so that one which begins again says nothing of the other."""

    db: RowAccess
    step: Move
    section: Section
    recorded: WorkerProgress

    def sums(self) -> Sums:
        """What the rows of the section add up to; what of the old ones is not moved is recorded."""
        sums, unmoved = self._comparison(self.section.name).sums()
        self._record(self.section.name, Pass(sums.counts, unmoved), sums.new)
        return sums

    def repair(self, suspects: Suspects) -> None:
        """Look at the rows of the section that may differ, make them equal, and record how many did, with those of a worker that was here before."""
        name = _repairs(self.section)
        before = self.recorded.owned(name).found
        copied, removed = self._comparison(name).repaired(suspects)
        found = Pass(copied=copied, removed=removed)
        self._record(name, _both(_pass(before), found) if before else found)

    def _comparison(self, name: str) -> PartComparison:
        return PartComparison(self.db, self.step, self._progress(name), self.section.rows)

    def _record(self, name: str, found: Pass, rows: int = 0) -> None:
        reached = self.recorded.owned(name)
        self.recorded.record_progress(name, evolve(reached, written=rows, found=_text(found)))

    def _progress(self, name: str) -> Progress:
        """Record now and then how many rows were read."""
        reached, last = self.recorded.owned(name), time.monotonic()

        def report(rows: int, key: bytes) -> None:
            nonlocal last
            if time.monotonic() - last > _EVERY:
                self.recorded.record_progress(name, evolve(reached, written=rows))
                last = time.monotonic()

        return report


@frozen
class Passes:
    """Passes of a comparison on workers, one after the other."""

    step: Move
    history: Recorded
    name: str
    code: str
    spread: Spread
    progress: Progress
    remove: bool

    def __call__(self, number: int) -> Pass:
        """Do one; raises what the workers raise."""
        keys = {*self.spread.splits(self.step.table), *self.spread.splits(self.step.target_table)}
        sections = divided(f"{self.name}/compared/{number}", sorted(keys - {b""}))
        records = [name for section in sections for name in (section.name, _repairs(section))]
        for name in records:
            self.history.progress(name)  # which this run takes over
            self.history.record_progress(name, Reached(b"", 0, self.code))
        with polled(lambda: self._report(records)):
            self.spread.compare(sections, self.remove, number)
        found = self.history.sections(self.name)
        for name in records:
            if not found[name].found:
                raise RunnerFailed(
                    f"{self.step.name}: --runner: the pipeline has ended, and its part {name} was not compared: run this again"
                )
        return reduce(_both, (_pass(found[name].found) for name in records))

    def _report(self, records: Iterable[str]) -> None:
        found = self.history.sections(self.name)
        self.progress(sum(found[name].written for name in records), b"")


def _repairs(section: Section) -> str:
    """The name of the record of the second walk over a section."""
    return f"{section.name}/repairs"


def summed(several: Iterable[Sums]) -> Sums:
    """The sums of several sections."""
    found = Sums()
    for one in several:
        found.include(one)
    return found


def _both(one: Pass, other: Pass) -> Pass:
    counts = Counts(one.counts.old + other.counts.old, one.counts.new + other.counts.new)
    copied, removed = one.copied + other.copied, one.removed + other.removed
    return Pass(counts, one.unmoved.with_others(other.unmoved), copied, removed)


def _text(one: Pass) -> str:
    return json.dumps(asdict(one))


def _pass(text: str) -> Pass:
    found = json.loads(text)
    unmoved: dict[str, Any] = {
        name: ExampleCells(one["rows"], one["cells"], tuple(one["first"])) if isinstance(one, dict) else one
        for name, one in found["unmoved"].items()
    }
    return Pass(Counts(**found["counts"]), Unmoved(**unmoved), found["copied"], found["removed"])
