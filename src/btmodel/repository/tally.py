"""The count of rows written to each table of a dual write."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from attrs import field, frozen

from btmodel.errors import BtmodelError, FailedRow, TwinsFailed, WriteFailed
from btmodel.rows import Mutation

MOST_FAILURES = 1_000


@frozen
class Tally:
    """How many rows were written to each of ``tables``, and those that failed, in the order of writing."""

    tables: Sequence[str]
    written: list[int] = field(init=False, factory=list)
    failures: list[list[FailedRow]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.written.extend(0 for _ in self.tables)
        self.failures.extend([] for _ in self.tables)

    @property
    def full(self) -> bool:
        """Whether so many rows failed that the rest should not be tried."""
        return sum(map(len, self.failures)) >= MOST_FAILURES

    def refused(self, at: int, error: BtmodelError) -> None:
        """Note that row ``at`` is tried in no table, because of ``error``."""
        for failed in self.failures:
            failed.append(FailedRow(at, None, error))

    def failed(self, at: int, index: int, failure: FailedRow, mutations: Sequence[Mutation | None]) -> None:
        """Note that row ``at`` failed in the table ``index``, and so is not tried in the later ones."""
        known = FailedRow(at, failure.key, failure.cause)
        self.failures[index].append(known)
        untried = TwinsFailed([WriteFailed(self.tables[index], 0, [known], stopped=False)])
        for later in range(index + 1, len(self.tables)):
            mutation = mutations[later]
            if mutation is not None:
                self.failures[later].append(FailedRow(at, mutation.key, untried))

    def check(self, *, stopped: bool = False) -> None:
        """Raise :class:`TwinsFailed` where a row failed; ``stopped`` is whether the rest was not tried."""
        if any(self.failures):
            counts = zip(self.tables, self.written, self.failures, strict=True)
            raise TwinsFailed([WriteFailed(*count, stopped=stopped) for count in counts])

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Tell with whatever else is raised in this block what was finished before."""
        try:
            yield
        except TwinsFailed:
            raise
        except Exception as error:
            counts = (f"{done} to {table}" for table, done in zip(self.tables, self.written, strict=True))
            error.add_note(
                f"batches that were finished before this wrote {', '.join(counts)}; doing it all again is safe"
            )
            raise
