"""Workers in this process, without a runner of Apache Beam."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from attrs import field, frozen
from renamed_models import Site

from btmodel.migrate.data.compared_parts import summed
from btmodel.migrate.data.comparison import Suspects
from btmodel.migrate.data.sections import RunnerFailed, Section


@frozen
class WorkersHere:
    """They divide each table at ``keys``, and begin with the section from ``start`` on; each part that is compared is compared ``times``, as a runner may."""

    there: Site
    keys: Sequence[bytes] = (b"B",)
    start: bytes = b""
    times: int = 1
    compared: list[str] = field(factory=list)

    def splits(self, table: str) -> Sequence[bytes]:
        """The keys."""
        return self.keys

    def run(self, job: Any, sections: Sequence[Section]) -> None:
        """One after the other."""
        self._all(sections, lambda one: job.work(job.load(), one, self.there.rows, self.there.history))

    def compare(self, job: Any, sections: Sequence[Section], remove: bool, number: int) -> None:
        """One after the other."""
        to, sums = (self.there.rows, self.there.history), {}
        for _ in range(self.times):
            self._all(sections, lambda one: sums.update({one.name: job.sums(job.load(), one, *to)}))
        found = summed(sums.values())
        suspects = Suspects(found.differing(), found.counts, remove, number)
        for _ in range(self.times):
            self._all(sections, lambda one: job.repair(job.load(), one, suspects, *to))
        self.compared.extend(section.name for section in sections)

    def _all(self, sections: Sequence[Section], work: Callable[[Section], object]) -> None:
        for section in sorted(sections, key=lambda one: one.rows.start != self.start):
            try:
                work(section)
            except Exception as error:
                raise RunnerFailed(str(error)) from error


def run_on(workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``--runner=`` of commands run on these."""
    monkeypatch.setattr(
        "btmodel.cli.migrate.confirmed_run._workers", lambda _, mode: workers if mode.runner else None
    )
