"""The attributes of one family: columns, mappings, slots."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import cached_property

from attrs import frozen

from btmodel.codecs.cell import Int64, Present, Raw
from btmodel.codecs.key import Bytes, HexDigest, KeyCodec, Kind
from btmodel.errors import DeclarationError
from btmodel.guess.cell_codecs import guess_cell
from btmodel.guess.key_codecs import FieldGuess, fits, guess_field, span
from btmodel.guess.names import identifier
from btmodel.rows import Cell
from btmodel.schema import Bucket, Column, Family, MaxVersions, Shape
from btmodel.schema.bucket import SlotFormat, Spans
from btmodel.schema.gc import oldest
from btmodel.schema.limits import QUALIFIER_BYTES
from btmodel.schema.rate import every_text

_FEWEST = 4
_MANY_SLOTS = 12
# How slots of a bucket are named, each with the seconds that its numbers count, from coarse to fine.
_FORMS: dict[Bucket, tuple[tuple[str, tuple[int, ...]], ...]] = {
    Bucket.DAY: (("%H", (3600,)), ("%H%M", (3600, 60))),
    Bucket.HOUR: (("%M", (60,)), ("%M%S", (60, 1))),
}
_LIMITS = {3600: 24, 60: 60, 1: 60}
_WHOLE = {Bucket.DAY: 86_400, Bucket.HOUR: 3_600}


def slot_format(names: Sequence[bytes], bucket: Bucket) -> SlotFormat | None:
    """The slots of ``bucket`` that ``names`` are: two digits for each unit, all of them times there are."""
    for text, units in _FORMS.get(bucket, ()):
        starts = [_start(name, units) for name in names]
        found = [start for start in starts if start is not None]
        if len(found) < len(names) or len(set(found)) < _FEWEST:
            continue
        many = len(set(found)) >= _MANY_SLOTS
        every = math.gcd(_WHOLE[bucket], *found) if many else units[-1]  # of few, others may lie in between
        try:
            return SlotFormat(text, timedelta(seconds=every), bucket)
        except DeclarationError:  # the step needs other units than the names have
            continue
    return None


def _start(name: bytes, units: Sequence[int]) -> int | None:
    """The seconds from the start of the bucket to the slot; None for what is no name of one."""
    if len(name) != 2 * len(units) or not name.isdigit():
        return None
    numbers = [int(name[at : at + 2]) for at in range(0, len(name), 2)]
    if any(number >= _LIMITS[unit] for number, unit in zip(numbers, units, strict=True)):
        return None
    return sum(number * unit for number, unit in zip(numbers, units, strict=True))


_MOST_COLUMNS = 50  # attributes of one family that a person would write
_NUMBERED = 4  # qualifiers that are all numbers, times or ids: they are data, and no names
_SPARSE = 20  # qualifiers, each in few of the rows: likewise
_IN_FEW = 0.25
_USUAL = 0.5
_MANY = 20  # rows, from which on it counts how many have a column
_PREFIX_ENDS = b":/#|."
_USUAL_SPANS = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1))


@frozen
class ColumnGuess:
    """An attribute, and the evidence for it."""

    column: Column
    evidence: str


@frozen(slots=False)
class FamilyCells:
    """The cells of one family in the rows of one model; ``bucket`` is the time that a row may hold."""

    family: Family
    rows: tuple[tuple[Cell, ...], ...]
    bucket: Bucket | None

    @cached_property
    def by_qualifier(self) -> dict[bytes, list[list[Cell]]]:
        """For each column, in the order of the qualifiers, its versions in each row that has it."""
        found: dict[bytes, list[list[Cell]]] = defaultdict(list)
        for cells in self.rows:
            versions: dict[bytes, list[Cell]] = defaultdict(list)
            for cell in cells:
                versions[cell.qualifier].append(cell)
            for qualifier, one in versions.items():
                found[qualifier].append(one)
        return dict(sorted(found.items()))

    @cached_property
    def having(self) -> int:
        """The rows that have a cell of the family."""
        return sum(bool(cells) for cells in self.rows)

    def only(self, qualifiers: frozenset[bytes]) -> "FamilyCells":
        """The same, of these columns alone."""
        rows = (tuple(cell for cell in cells if cell.qualifier in qualifiers) for cells in self.rows)
        return FamilyCells(self.family, tuple(rows), self.bucket)


def guess_family(cells: FamilyCells) -> Iterator[ColumnGuess]:
    """The attributes of a family; none where no cell of it was read."""
    if not cells.by_qualifier:
        return
    if cells.family.aggregate is not None:
        yield from _counters(cells)
        return
    opened = _opened(cells)
    named = cells.only(frozenset(cells.by_qualifier.keys() - opened))
    for qualifier, rows in named.by_qualifier.items():
        yield _single(cells, qualifier, rows)
    if opened:
        yield _many(cells.only(opened))


def any_cells(family: Family) -> Column:
    """The attribute that fits every cell of ``family`` there can be."""
    if family.aggregate is not None:
        return Column("totals", family.id, b"", Int64(), False, Shape.COUNTERS, names=any_name())
    return Column("cells", family.id, b"", Raw(), False, Shape.MAPPING, names=any_name())


def any_name() -> KeyCodec[bytes]:
    """The codec that fits every qualifier there can be."""
    return Bytes(max_length=QUALIFIER_BYTES, min_length=0)


def _opened(cells: FamilyCells) -> frozenset[bytes]:
    """The qualifiers that are data rather than names of attributes."""
    names = list(cells.by_qualifier)
    marks = not any(map(_holds, cells.by_qualifier.values()))
    digits = [name for name in names if name.isdigit()]
    if len(digits) >= (_NUMBERED if not marks else 2):
        return frozenset(digits)
    behind = len(_prefix(names))
    data = _is_data(guess_field([name[behind:] for name in names]))
    if len(names) >= _NUMBERED and (data or marks):
        return frozenset(names)
    present = {name: len(rows) for name, rows in cells.by_qualifier.items()}
    sparse = sum(present.values()) <= _IN_FEW * len(names) * cells.having
    if len(names) <= _MOST_COLUMNS and not (len(names) >= _SPARSE and sparse):
        return frozenset()
    usual = {name for name in names if cells.having >= _MANY and present[name] >= _USUAL * cells.having}
    return frozenset(names) - usual if len(usual) <= _MOST_COLUMNS else frozenset(names)


def _holds(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether a cell of a column has a byte in it."""
    return any(cell.value for row in rows for cell in row)


def _is_data(guess: FieldGuess) -> bool:
    """Whether names that are all of this kind are hardly those of attributes."""
    return guess.sure and (guess.codec.kind in (Kind.NUMBER, Kind.TIME) or isinstance(guess.codec, HexDigest))


def _single(cells: FamilyCells, qualifier: bytes, rows: Sequence[Sequence[Cell]]) -> ColumnGuess:
    family = cells.family
    several = sum(len(row) > 1 for row in rows)
    share = f"{len(rows):,} of {len(cells.rows):,} rows: "
    if several and _means_several(family, several, len(rows)) and _datable(rows):
        values = [cell.value for row in rows for cell in row]
        guess = guess_cell(values)
        said = f"{share}several versions in {several:,}; {guess.said}"
        column = Column(
            identifier(qualifier, "events"), family.id, qualifier, guess.codec, False, Shape.HISTORY
        )
        return ColumnGuess(column, said)
    guess = guess_cell([row[0].value for row in rows])
    older = f"; {several:,} of them with older versions" if several and _keeps_several(family) else ""
    column = Column(identifier(qualifier, "column"), family.id, qualifier, guess.codec, False)
    return ColumnGuess(column, f"{share}{guess.said}{older}")


def _keeps_several(family: Family) -> bool:
    return family.gc is None or not family.gc.deletes(timedelta(0), 2)


def _means_several(family: Family, several: int, rows: int) -> bool:
    """Whether versions are meant: the rule counts them, or most of the rows have some."""
    counted = any(isinstance(part, MaxVersions) for part in family.gc.thresholds()) if family.gc else False
    return _keeps_several(family) and (counted or 2 * several >= rows)


def _datable(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether every timestamp is a time that Python can hold."""
    try:
        return all(cell.time for row in rows for cell in row)
    except OverflowError:
        return False


def _counters(cells: FamilyCells) -> Iterator[ColumnGuess]:
    """The counters of an aggregate: numbers of 64 bits, of entries where the qualifiers are data."""
    opened = _opened(cells)
    if opened and _endless(cells.only(opened)):
        yield _many(cells.only(opened))
    for qualifier, rows in cells.only(frozenset(cells.by_qualifier.keys() - opened)).by_qualifier.items():
        values = [row[0].value for row in rows]
        if all(len(value) == 8 for value in values):
            name = identifier(qualifier, "total")
            counts = [int.from_bytes(value, "big", signed=True) for value in values]
            said = f"{len(rows):,} of {len(cells.rows):,} rows: {span(min(counts), max(counts))}"
            spans = _spans(cells.family, rows)
            shape = Shape.COUNTS if spans else Shape.COUNTER
            column = Column(name, cells.family.id, qualifier, Int64(), False, shape, spans=spans)
            more = f"; all timestamps are multiples of {every_text(spans.every)}" if spans else ""
            yield ColumnGuess(column, f"{said}{more}")


def _endless(cells: FamilyCells) -> bool:
    """Whether all numbers are those of counters without spans of time: of 8 bytes, at timestamp 0."""
    found = [cell for rows in cells.by_qualifier.values() for row in rows for cell in row]
    return all(len(cell.value) == 8 and not cell.timestamp for cell in found)


def _spans(family: Family, rows: Sequence[Sequence[Cell]]) -> Spans | None:
    """The spans of time whose numbers these are; None where they are those of one endless counter, or of no usual spans."""
    stamps = [timedelta(microseconds=cell.timestamp) for row in rows for cell in row]
    age = oldest(family.gc)
    if not any(stamps):
        return None
    return next(
        (
            Spans(every)
            for every in _USUAL_SPANS
            if not any(stamp % every for stamp in stamps) and (age is None or every < age)
        ),
        None,
    )


def _many(cells: FamilyCells) -> ColumnGuess:
    """A family as a mapping, a set, or the slots of a bucket."""
    family, names = cells.family, list(cells.by_qualifier)
    prefix = _prefix(names)
    rests = [name[len(prefix) :] for name in names]
    values = [row[0].value for rows in cells.by_qualifier.values() for row in rows]
    guess = guess_cell(values)
    summed = family.aggregate is not None
    slots = slot_format(rests, cells.bucket) if cells.bucket and not summed else None
    what = f"{cells.having:,} of {len(cells.rows):,} rows, {len(names):,} different qualifiers: "
    name = identifier(prefix or family.id.encode(), "entries")
    if slots:
        said = f"{what}the slots of a {slots.bucket.value} ({slots.text}); values: {guess.said}"
        column = Column(name, family.id, prefix, guess.codec, False, Shape.SLOTS, slots=slots)
        return ColumnGuess(column, said)
    kind = guess_field(rests)
    codec = kind.codec if fits(kind.codec, rests) else any_name()
    if summed:
        column = Column(name, family.id, prefix, Int64(), False, Shape.COUNTERS, names=codec)
        return ColumnGuess(column, f"{what}{kind.said}; values: {guess.said}")
    if isinstance(guess.codec, Present):
        column = Column(name, family.id, prefix, Present(), False, Shape.MEMBERS, names=codec)
        return ColumnGuess(column, f"{what}{kind.said}; all cells are empty")
    column = Column(name, family.id, prefix, guess.codec, False, Shape.MAPPING, names=codec)
    return ColumnGuess(column, f"{what}{kind.said}; values: {guess.said}")


def _prefix(names: Sequence[bytes]) -> bytes:
    """The common prefix of all of ``names``, up to its last separator."""
    least, most = min(names), max(names)
    same = next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    cut = max((least.rfind(bytes([mark]), 0, same) for mark in _PREFIX_ENDS), default=-1) + 1
    return least[:cut] if all(len(name) > cut for name in names) else b""
