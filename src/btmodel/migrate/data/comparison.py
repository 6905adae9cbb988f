"""Compare the rows of a moved table with those that follow from the old one, while both are written.

The order of keys differs, so rows cannot be compared side by side. What their hashes add up to is compared, by groups of keys (:class:`Sums`). What is
written between the reads of both tables makes groups differ, too. So the rows of groups that differ are read once more, each with its counterpart in the other
table, and only what still differs after several reads is a difference. Memory does not grow with the tables, and a pass ends after two walks over each table,
however many rows are written meanwhile. Both walks go over parts of the tables, which processes and machines may work through side by side.
"""

import time
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from hashlib import blake2b
from itertools import groupby

from attrs import field, frozen

from btmodel.errors import MigrationError, shown
from btmodel.migrate.data.kept_cells import visible
from btmodel.migrate.data.moves import Move, settle, targets_of
from btmodel.migrate.data.sums import Counts, Differing, Sums
from btmodel.migrate.data.unmoved import Unmoved
from btmodel.migrate.data.walks import (
    BATCH_BYTES,
    Cells,
    Position,
    Progress,
    Row,
    RowAccess,
    batches,
    read_keys,
    seen_batches,
    size_of,
    whole,
)
from btmodel.rows import Cell, ReadPlan, RowRange
from btmodel.words import counted

# Rows that differ at first sight and are looked at together.
_TOGETHER = 500
_PASSES = 10
_REPORTED = 1_000  # rows between two reports of progress
# How often rows that differ are read again, as both writes of one change may be under way, and the seconds in between.
AGAIN, WAIT = 5, 0.2
# The seconds before each further read of rows that would end the run, or lead to one more pass: where the second write of a change is sent again, it takes as long as the deadline of a write.
LONGER = (1, 2, 4, 8, 16, 32)
_SHOWN = 3
# The name that lets a comparison delete what the old table does not have: ``take-back:listed``.
TAKE_BACK = "take-back"


@frozen
class Equality:
    """What a comparison found: equal ``rows``, those ``copied`` as the new table lacked cells, and those ``removed``.

    ``unmoved`` is what of the old table does not go to the new one.
    """

    rows: int = 0
    copied: int = 0
    removed: int = 0
    unmoved: Unmoved = field(factory=Unmoved)

    def __str__(self) -> str:
        parts = [f"{counted(self.rows, 'row')} equal"]
        if self.copied:
            parts.append(f"{counted(self.copied, 'row')} copied, as cells of the old table were missing")
        if self.removed:
            parts.append(
                f"{counted(self.removed, 'row')} with cells removed, which the old table does not have"
            )
        if said := str(self.unmoved):
            parts.append(said)
        return ", ".join(parts)


@frozen
class PartComparison:
    """The comparison of the rows with keys in ``part``, of the old table and of the new one."""

    db: RowAccess
    step: Move
    progress: Progress = lambda rows, key: None
    part: RowRange = field(factory=lambda: RowRange(b"", b""))

    def sums(self) -> tuple[Sums, Unmoved]:
        """What the rows add up to, and what of the old ones is not moved."""
        found, unmoved = Sums(), Unmoved()
        for rows, (key, seen) in enumerate(self._new(), 1):
            found.add_new(key, _hash(seen), counts=not self._may_outlive(seen))
            self._report(rows, key)
        for rows, (key, hash) in enumerate(self._old(unmoved), 1):
            found.add_old(key, hash)
            self._report(rows, key)
        return found, unmoved

    def _report(self, rows: int, key: bytes) -> None:
        if rows % _REPORTED == 0:
            self.progress(rows, key)

    def _may_outlive(self, seen: Cells) -> bool:
        """Whether a new row may be what its old row has left when it expired."""
        return all(map(self.step.old_rules.may_outlive, seen))

    def repaired(self, suspects: "Suspects", wait: Callable[[float], None] = time.sleep) -> tuple[int, int]:
        """How many rows lacked cells, and how many had more than the old table; both are as they should be then.

        Raises :class:`MigrationError` where the new table has more than the old one, and that is not to be removed.
        """
        copied = removed = 0
        for olds, news in () if suspects.keys is None else self._suspects(suspects.keys):
            # What the first pass leaves is under way, until some of it has not come after the longest wait.
            patient = suspects.number > 0 and not copied
            some = _repaired(self, olds, news, suspects, patient=patient, wait=wait)
            copied, removed = copied + some[0], removed + some[1]
        return copied, removed

    def _suspects(self, keys: Container[bytes]) -> Iterator[tuple[list[bytes], list[bytes]]]:
        """Keys of old rows that differ from those new ones, and of new rows that differ from their old ones, of rows whose new keys are among ``keys``.

        They come some hundreds at a time, or fewer of large rows.
        """
        olds, news = list[bytes](), list[bytes]()
        size = 0
        for some, found in ((olds, self._differing_olds(keys)), (news, self._differing_news(keys))):
            for key, bytes_of_row in found:
                some.append(key)
                size += bytes_of_row
                if len(olds) + len(news) == _TOGETHER or size >= BATCH_BYTES:
                    yield olds, news
                    olds.clear()
                    news.clear()
                    size = 0
        if olds or news:
            yield olds, news

    def _differing_olds(self, keys: Container[bytes]) -> Iterator[tuple[bytes, int]]:
        """The keys of old rows of which cells are not in the new table, each with the size of the row."""
        with closing(seen_batches(self.db, self._read(self.step.table), self.progress)) as several:
            for batch in several:
                moved = self._visible(self.step.moved(batch))
                some = {
                    source: cells for source, cells in moved.items() if any(at[0] in keys for at in cells)
                }
                targets = targets_of(some.values())
                sizes = {row[0]: size_of(row) for row in batch}
                yield from ((key, sizes[key]) for key in self._lacking(some, self._there(targets), targets))

    def _differing_news(self, keys: Container[bytes]) -> Iterator[tuple[bytes, int]]:
        """The keys of new rows with cells that do not follow from the old table, each with the size of the row."""
        with closing(seen_batches(self.db, self._read(self.step.target_table), self.progress)) as several:
            for batch in several:
                there = self._of_new([row for row in batch if row[0] in keys])
                sizes = {row[0]: size_of(row) for row in batch}
                yield from (
                    (key, sizes[key]) for key in self._beyond(there, self._moved(self._sources(there)))
                )

    def holds_rows(self) -> bool:
        """Whether the old table has a row."""
        with closing(self.db.read(whole(self.step.table))) as rows:
            return any(True for _ in rows)

    def _read(self, table: str) -> ReadPlan:
        return ReadPlan(table, (self.part,), None)

    def _new(self) -> Iterator[tuple[bytes, Cells]]:
        with closing(self.db.read(self._read(self.step.target_table))) as rows:
            for key, cells in rows:
                ours = {(key, *cell[:3]): cell.value for cell in cells if self._is_of(cell)}
                if (seen := self._compared(visible(self.step.rules, ours))) and self.step.is_new(key):
                    yield key, seen

    def _of_new(self, rows: Iterable[Row]) -> dict[bytes, Cells]:
        """The cells of rows of the new table, as far as these are of the new model."""
        found = {
            key: {(key, *cell[:3]): cell.value for cell in cells if self._is_of(cell)}
            for key, cells in rows
            if self.step.is_new(key)
        }
        return {key: cells for key, cells in found.items() if cells}

    def _is_of(self, cell: Cell) -> bool:
        return cell.family in self.step.rules

    def _old(self, unmoved: Unmoved) -> Iterator[tuple[bytes, int]]:
        with closing(self.db.read(self._read(self.step.table))) as rows:
            for batch in batches(rows):
                for source, cells in self.step.moved(batch, unmoved).items():
                    seen = self._compared(_seen(self.step, source, cells, unmoved))
                    for key, of_key in groupby(sorted(seen.items()), lambda one: one[0][0]):
                        yield key, _hash(dict(of_key))

    def looked_at(self, olds: Collection[bytes], news: Collection[bytes]) -> "Difference":
        """What new rows lack, and what they have beyond their old rows.

        The new table is read first: what it has and the old one lacks later was deleted since, or never belonged there.
        """
        keys = {*news, *targets_of(self._moved(olds).values())}
        there = self._there(keys)
        moved = self._moved({*olds, *self._sources(there)})
        of_olds = self._visible({source: moved[source] for source in olds if source in moved})
        lacking = self._lacking(of_olds, there, keys)
        return Difference(lacking, self._beyond(there, moved), there)

    def _lacking(
        self, moved: Mapping[bytes, Cells], there: Mapping[bytes, Cells], keys: Container[bytes]
    ) -> dict[bytes, Cells]:
        """The cells that new rows with these ``keys``, of which some are ``there``, lack or have with another value, by old rows."""
        found: dict[bytes, Cells] = {}
        for source, cells in moved.items():
            beside = {at: value for key in targets_of([cells]) for at, value in there.get(key, {}).items()}
            wanted = {at: value for at, value in cells.items() if at[0] in keys and beside.get(at) != value}
            later = self.step.made.older(wanted, beside) & self.step.made.alike(wanted, beside)
            if missing := {at: value for at, value in wanted.items() if at not in later}:
                found[source] = missing
        return found

    def _beyond(self, there: Mapping[bytes, Cells], moved: Mapping[bytes, Cells]) -> dict[bytes, Cells]:
        """The cells of new rows that readers see and that do not follow from old ones; not what newer cells of the old rows will hide."""
        wanted = by_new_row(moved)
        found: dict[bytes, Cells] = {}
        for key, cells in there.items():
            beside = wanted.get(key, {})
            stays = self._kept({**cells, **beside})
            seen = self._compared(visible(self.step.rules, cells))
            known = self.step.made.older(seen, beside) | self.step.made.alike(seen, beside) | beside.keys()
            left = {at: value for at, value in seen.items() if at in stays and at not in known}
            if left := {at: value for at, value in left.items() if not self.step.old_rules.may_outlive(at)}:
                found[key] = left
        return found

    def _sources(self, there: Mapping[bytes, Cells]) -> set[bytes]:
        """The keys of the old rows of these new rows, as far as these say it."""
        rows = ((key, [Cell(*at[1:], value) for at, value in cells.items()]) for key, cells in there.items())
        return {source for key, cells in rows if (source := self.step.source_of(key, cells)) is not None}

    def _moved(self, sources: Collection[bytes]) -> dict[bytes, Cells]:
        """All cells that follow from these old rows: a made one that has expired in the old table may be there at a later time in the new one."""
        return self.step.moved(read_keys(self.db, self.step.table, sources))

    def _visible(self, moved: Mapping[bytes, Cells]) -> dict[bytes, Cells]:
        return {source: self._kept(cells) for source, cells in moved.items()}

    def _kept(self, cells: Cells) -> Cells:
        """The cells of new rows that the GC rules of both tables keep."""
        return self.step.old_rules.kept(visible(self.step.rules, cells))

    def _compared(self, seen: Cells) -> Cells:
        """The cells that count among those of a new row that readers see."""
        return self.step.made.newest(self.step.old_rules.kept(seen))

    def _there(self, keys: Collection[bytes]) -> dict[bytes, Cells]:
        return self._of_new(read_keys(self.db, self.step.target_table, keys))


@frozen
class Difference:
    """What new rows are ``lacking``, by the keys of old rows, and have ``beyond`` these, by their own keys, as one read has found it; ``there`` are the new rows."""

    lacking: Mapping[bytes, Cells]
    beyond: Mapping[bytes, Cells]
    there: Mapping[bytes, Cells]

    def found_again(self, now: "Difference") -> "Difference":
        """What of it another read finds ``now``: the same cells are missing, or there.

        Of a cell that is rewritten at its time, the new table lacks the newest value for a moment, again and again; that both tables have other values than before shows that both
        are written.
        """
        lacking = {
            key: {at: value for at, value in cells.items() if not self._is_rewritten(key, at, now)}
            for key, cells in _cells_in_both(self.lacking, now.lacking).items()
        }
        lacking = {key: cells for key, cells in lacking.items() if cells}
        return Difference(lacking, _cells_in_both(self.beyond, now.beyond), now.there)

    def _is_rewritten(self, key: bytes, at: Position, now: "Difference") -> bool:
        return self.lacking[key][at] != now.lacking[key][at] and self._value(at) != now._value(at)

    def _value(self, at: Position) -> bytes | None:
        return self.there.get(at[0], {}).get(at)


def by_new_row(moved: Mapping[bytes, Cells]) -> dict[bytes, Cells]:
    """Cells that follow from old rows, by the keys of the new rows."""
    found: dict[bytes, Cells] = {}
    for cells in moved.values():
        for at, value in cells.items():
            found.setdefault(at[0], {})[at] = value
    return found


def _seen(step: Move, source: bytes, cells: Cells, unmoved: Unmoved) -> Cells:
    """The cells of a new row that its GC rules keep; the others are added to ``unmoved``."""
    seen = visible(step.rules, cells)
    if len(seen) < len(cells):
        expired = [Cell(*at[1:], value) for at, value in cells.items() if at not in seen]
        unmoved.expired = unmoved.expired.with_row(source, expired)
    return seen


def what_stays(step: Move, rows: Iterable[Row]) -> Unmoved:
    """What of these old rows does not go to the new table; raises :class:`MigrationError` for a row that the step refuses."""
    unmoved = Unmoved()
    for source, cells in step.moved(rows, unmoved).items():
        _seen(step, source, cells, unmoved)
    return unmoved


@frozen
class Suspects:
    """Where rows may differ: the ``keys`` of groups that do, None without any, and how many rows there are, in the pass ``number``; ``remove`` lets cells be removed that the old table does not have."""

    keys: Differing | None
    counts: Counts
    remove: bool = False
    number: int = 0


@frozen
class Pass:
    """What one pass of a comparison has found: how many rows there are and what of the old ones is not moved, and how many were ``copied`` and ``removed``."""

    counts: Counts = field(factory=Counts)
    unmoved: Unmoved = field(factory=Unmoved)
    copied: int = 0
    removed: int = 0


def one_pass(
    db: RowAccess, step: Move, progress: Progress, number: int, *, remove: bool, wait: Callable[[float], None]
) -> Pass:
    """Compare both tables in this process, copy what the new one lacks, and, with ``remove``, take back what it has beyond. Raises :class:`MigrationError`."""
    whole_tables = PartComparison(db, step, progress)
    sums, unmoved = whole_tables.sums()
    suspects = Suspects(sums.differing(), sums.counts, remove, number)
    return Pass(sums.counts, unmoved, *whole_tables.repaired(suspects, wait))


def compare_move(
    db: RowAccess,
    step: Move,
    progress: Progress = lambda rows, key: None,
    *,
    remove: bool = False,
    wait: Callable[[float], None] = time.sleep,
    passing: Callable[[int], Pass] | None = None,
) -> Equality:
    """Compare both tables until a pass finds nothing to change, and copy what the new one lacks.

    With ``remove``, cells that the old table does not have are removed from the new one. ``passing`` does a pass elsewhere, given its number. Raises
    :class:`MigrationError` if the new table has such cells otherwise, or if every pass finds rows that it lacks.
    """
    passing = passing or partial(one_pass, db, step, progress, remove=remove, wait=wait)
    copied = removed = 0
    for number in range(_PASSES):
        one = passing(number)
        copied, removed = copied + one.copied, removed + one.removed
        if not (one.copied or one.removed):
            return Equality(one.counts.old, copied, removed, one.unmoved)
    raise MigrationError(
        f"{step.name}: {step.table!r} has rows that {step.target_table!r} lacks, in each of {_PASSES} comparisons, which copied them "
        f"({counted(copied, 'row')}): something writes {step.table!r} alone, or processes that write both end again and again between their two writes; find it, let it write both, "
        "and run this again"
    )


def _repaired(
    made: PartComparison,
    olds: Collection[bytes],
    news: Collection[bytes],
    suspects: Suspects,
    *,
    patient: bool,
    wait: Callable[[float], None],
) -> tuple[int, int]:
    """How many of these rows lacked cells, and how many had more than the old table; both are as they should be then.

    Rows that lack cells are waited for longer where it is ``patient``.
    """
    left = made.looked_at(olds, news)
    for _ in range(AGAIN):
        if not left.lacking and not left.beyond:
            break
        wait(WAIT)  # a writer may be between its two writes
        left = left.found_again(made.looked_at(left.lacking, left.beyond))
    for seconds in LONGER:
        if not (left.beyond and not suspects.remove) and not (left.lacking and patient):
            break
        wait(seconds)
        left = left.found_again(made.looked_at(left.lacking, left.beyond))
    lacking, beyond = left.lacking, left.beyond
    if beyond and not made.holds_rows():
        raise _old_table_is_empty(made.step)
    if beyond and suspects.counts.most_are_beyond:
        raise _old_table_has_lost_rows(made.step, suspects.counts)
    if beyond and not suspects.remove:
        raise _has_cells_beyond(made.step, beyond)
    _write_differences(made, lacking, beyond)
    return len(lacking), len(beyond)


def _cells_in_both(before: Mapping[bytes, Cells], now: Mapping[bytes, Cells]) -> dict[bytes, Cells]:
    """Those cells of ``now`` that were in ``before``, by their rows; no row is without cells."""
    common = {key: {at: cells[at] for at in cells if at in before.get(key, {})} for key, cells in now.items()}
    return {key: cells for key, cells in common.items() if cells}


def _write_differences(
    made: PartComparison, lacking: Mapping[bytes, Cells], beyond: Mapping[bytes, Cells]
) -> None:
    """Write what is missing, and take back what is beyond, while writers go on."""
    step, db = made.step, made.db
    found: dict[bytes, Cells] = {}
    for key, cells in read_keys(db, step.target_table, beyond):
        source = step.source_of(key, cells)
        if source is None:
            raise MigrationError(
                f"{step.name}: row {shown(key)} of {step.target_table!r} does not say which row of {step.table!r} it comes from: "
                "look at it, and delete it"
            )
        # Older versions that a cell has hidden would be seen once it is gone.
        columns = {at[1:3] for at in beyond[key]}
        there = {(key, *cell[:3]): cell.value for cell in cells if cell[:2] in columns}
        found.setdefault(source, {}).update({**there, **beyond[key]})
    sources = {*lacking, *found}
    rows = read_keys(db, step.table, sources)
    wanted = step.moved(rows)
    written = {
        source: {at: value for at, value in cells.items() if at not in wanted.get(source, {})}
        for source, cells in found.items()
    }
    ours = {
        key: {at: value for at, value in cells.items() if at in lacking.get(key, {})}
        for key, cells in wanted.items()
    }
    settle(db, step, rows, {key: ours.get(key, {}) for key in sources}, written)


def _has_cells_beyond(step: Move, beyond: Mapping[bytes, Cells]) -> MigrationError:
    """The error of a new table with cells that the old one does not have."""
    first = "; ".join(shown(key) for key in sorted(beyond)[:_SHOWN])
    cells = sum(map(len, beyond.values()))
    old, new = step.table, step.target_table
    return MigrationError(
        f"{step.name}: {new!r} has at least {counted(cells, 'cell')} in {counted(len(beyond), 'row')} that do not follow from {old!r}, such as {first}: "
        f"something writes {new!r} alone, or a process ended between its two deletions; or {old!r} was dropped and created again since rows were moved, and {new!r} has the "
        f"only copy of these; or the function {step.name} was edited since. If these rows are wanted, first write them to {old!r} as well, let every process write both as long as "
        f"{old!r} is read, and run this again; {_go_on(step)}; if the function was edited, put it back as it was, unless these are what it wrote before and should not. Only if you have looked at these rows with `btmodel rows` and none "
        f"is wanted, --allow {TAKE_BACK}:{step.name} deletes all cells of {new!r} that do not follow from {old!r}, also of rows that are not named here"
    )


def _go_on(step: Move) -> str:
    """What to do where the old table has lost its rows."""
    return (
        f"if {step.table!r} was created again, keep {step.target_table!r} declared and go on with it alone: record this revision as applied with `btmodel migrate baseline ID "
        f"--allow skip-step:ID/{step.name}`, and drop {step.table!r} with --allow copy-and-drop-table:{step.table} once nothing writes it, which first copies what it has got since"
    )


def _old_table_is_empty(step: Move) -> MigrationError:
    """The error of an old table without rows, where the new one may hold the only copy."""
    return MigrationError(
        f"{step.name}: {step.table!r} has no rows, and {step.target_table!r} has some, of which none was removed: if {step.table!r} was dropped and "
        f"created again, {step.target_table!r} has the only copy: keep it declared, and go on with it"
    )


def _old_table_has_lost_rows(step: Move, counts: Counts) -> MigrationError:
    """The error of an old table with so few rows that the new one may hold the only copy of most."""
    old, new = step.table, step.target_table
    return MigrationError(
        f"{step.name}: {counted(counts.new, 'row')} of {new!r} stand against {counts.old} that follow from {old!r}, and none was removed, as {new!r} may have the only copy of most: "
        f"{_go_on(step)}; if the function {step.name} was edited since rows were moved, put it back as it was; if something writes {new!r} alone, write these rows to {old!r} as "
        "well, and run this again"
    )


def _hash(cells: Cells) -> int:
    return int.from_bytes(blake2b(repr(sorted(cells.items())).encode(), digest_size=8).digest())
