"""Rows as they arrive, collected to record batches."""

from collections.abc import Callable, Sequence
from typing import Any

from attrs import define, field

from btmodel.columnar.cells import cell_array
from btmodel.columnar.fields import Fields
from btmodel.columnar.gathered import Spans, Unproved, places
from btmodel.columnar.keys import key_arrays
from btmodel.columnar.libraries import numpy, pyarrow
from btmodel.rows.compiled import Block, SpanReader

_BYTES = 16 * 1024 * 1024  # of messages that are held

Run = tuple[Block, int] | list[Any]


# Decodes the first rows of a block, so many, the plain way, which knows what is wrong with a row, and
# appends them; may raise behind those that are well.
Plainly = Callable[[Block, int, list[Any]], None]


@define
class Collector:
    """Rows of one read, of which ``reader`` gave some as blocks, until there are ``most`` of them."""

    fields: Fields
    reader: SpanReader | None
    plainly: Plainly
    most: int
    rows: int = field(init=False, default=0)
    _bytes: int = field(init=False, default=0)
    _runs: list[Run] = field(init=False, factory=list)

    @property
    def full(self) -> bool:
        """Whether a batch should be taken."""
        return self.rows >= self.most or self._bytes >= _BYTES

    def add(self, rows: Sequence[Any]) -> None:
        """Take in rows: those in a block are in one piece, from its first one on."""
        at = 0
        while at < len(rows):
            one = rows[at]
            if type(one) is Block:
                count = rows.count(one)
                self._runs.append((one, count))
                self._bytes += one.end - one.start
            else:
                count = 1
                if not self._runs or not isinstance(self._runs[-1], list):
                    self._runs.append([])
                self._runs[-1].append(one)  # type: ignore[union-attr]
            at += count
            self.rows += count

    def batch(self) -> tuple[Any, Exception | None]:
        """The record batch of all of them, or of those in front of one that cannot be decoded, and its error."""
        runs, self._runs = self._runs, []
        self.rows = self._bytes = 0
        blocks = [run for run in runs if not isinstance(run, list)]
        try:
            if blocks:
                fast = self._of_blocks(blocks)
                return (fast if len(blocks) == len(runs) else self._mixed(runs, fast)), None
        except Unproved:
            pass
        return self._all_plainly(runs)

    def _all_plainly(self, runs: Sequence[Run]) -> tuple[Any, Exception | None]:
        rows: list[Any] = []
        failed = None
        try:
            for run in runs:
                if isinstance(run, list):
                    rows += run
                else:
                    self.plainly(*run, rows)
        except Exception as error:
            failed = error
        return self.fields.of_rows(rows), failed

    def _mixed(self, runs: Sequence[Run], fast: Any) -> Any:
        """Rows of both kinds, in their order."""
        pa, np = pyarrow(), numpy()
        plain = self.fields.of_rows([row for run in runs if isinstance(run, list) for row in run])
        order, taken, behind = [], 0, fast.num_rows
        for run in runs:
            if isinstance(run, list):
                order.append(np.arange(behind, behind + len(run)))
                behind += len(run)
            else:
                order.append(np.arange(taken, taken + run[1]))
                taken += run[1]
        both = pa.Table.from_batches([fast, plain]).combine_chunks().to_batches()
        return both[0].take(pa.array(np.concatenate(order)))

    def _of_blocks(self, blocks: Sequence[tuple[Block, int]]) -> Any:
        assert self.reader is not None
        keys = [key for block, count in blocks for key in block.keys[:count]]
        buffer, matrix = places(blocks, self.reader.width)
        arrays = key_arrays(self.fields.model.key, keys, self.fields.key)
        for one in self.fields.all:
            if one.column is not None:
                at, size = self.reader.places[one.name]
                starts = matrix[:, at]
                ends = matrix[:, at + 1] if size is None else starts + size
                arrays[one.name] = cell_array(one, one.column.codec, Spans(buffer, starts, ends))
        return self.fields.batch([arrays[one.name] for one in self.fields.all])
