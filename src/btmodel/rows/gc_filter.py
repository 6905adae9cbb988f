"""The filter of what GC rules keep.

Bigtable collects lazily, up to a week late, so a read must leave out what the rule
of its family would delete: rows then look the same before and after the service
collects.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import datetime, timedelta

from btmodel.rows.cells import Cell
from btmodel.rows.filters import (
    Chain,
    Families,
    Filter,
    Interleave,
    QualifierRange,
    Qualifiers,
    Times,
    Unexpired,
    Versions,
    Within,
    chain,
)
from btmodel.rows.ranges import successor
from btmodel.schema import (
    Column,
    Family,
    GcRule,
    ModelSchema,
)
from btmodel.schema.gc import kept_ranges, oldest

MOST_VERSIONS = 2**31 - 1  # the service counts in 32 bits
# The name of a column that is many, and the qualifiers that are meant of it, behind its prefix:
# from a first one up to, and without, a last one, which is empty where that is open.
Span = tuple[str, bytes, bytes]
# The name of a column that is many, and the qualifiers that are meant of it, in full.
Exact = tuple[str, tuple[bytes, ...]]


def of_rule(rule: GcRule | None) -> Filter | None:
    """The filter that lets through just what ``rule`` keeps; None where it keeps everything.

    A rule keeps the newest cells of a column up to some rank and age, or up to some
    others, and so on: an interleave of chains. Versions are never counted behind an
    interleave, which would count the copies of a cell.
    """
    return _any_of([_step(versions, age) for versions, age in kept_ranges(rule)])


def _step(versions: float, age: timedelta) -> Filter | None:
    counted = None if versions == math.inf else Versions(int(versions))
    return chain([counted, None if age == timedelta.max else Within(age)])


def _any_of(kept: list[Filter | None]) -> Filter | None:
    passing = tuple(part for part in kept if part is not None)
    if len(passing) < len(kept):
        return None
    return passing[0] if len(passing) == 1 else Interleave(passing)


def of_model(
    model: ModelSchema,
    spans: Iterable[Span] = (),
    exact: Iterable[Exact] = (),
    *,
    every_version: bool = False,
) -> Filter | None:
    """The filter of a read of whole rows: the model's families, and what their rules keep.

    A family whose versions are not meant is read in its newest ones only, unless
    ``every_version`` that is kept is wanted. Of columns with ``spans`` or ``exact``
    qualifiers no others are read; their families are read by their columns, the
    others whole.
    """
    spans, exact = tuple(spans), tuple(exact)
    chosen = {name for name, *_ in (*spans, *exact)}
    by_columns = {column.family for column in model.columns if column.name in chosen}
    versioned = {family.id for family in model.families} if every_version else versioned_families(model)
    whole = _by_family(
        (family, of_family(model, family.id, versioned))
        for family in model.families
        if family.id not in by_columns
    )
    if not by_columns:
        return whole
    names = [column.name for column in model.columns if column.family in by_columns]
    return _interleaved([whole, of_columns(model, names, spans, exact, every_version=every_version)])


def _interleaved(filters: Iterable[Filter | None]) -> Filter | None:
    """What any of these filters lets through, where None is one that nothing is read by; None without any."""
    parts: list[Filter] = []
    for one in filters:
        parts += one.filters if isinstance(one, Interleave) else [one] if one is not None else []
    return Interleave(tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def _alive(model: ModelSchema) -> Filter | None:
    """What leaves out cells that have come to the end of their life, where that is what their timestamps are."""
    return Unexpired() if model.stamp.expires else None


def of_events(model: ModelSchema, start: int, end: int, newest: int | None = None) -> Filter | None:
    """The filter of a read of events in ``[start, end)``: the families that hold them, and what their rules keep.

    An ``end`` of 0 is open. Versions are counted before times are looked at, as the garbage collector
    does. Of slots the timestamp is the time of writing, so their family is read whole. The ``newest``
    events of a row lie among as many newest versions of each column, and no others are sent then.
    """
    counted = None if newest is None else Versions(min(newest, MOST_VERSIONS))
    versioned = versioned_families(model)
    holding = {column.family for column in model.series}
    slotted = {column.family for column in model.series if column.shape.slotted}
    return _by_family(
        (
            family,
            _narrowed(
                of_family(model, family.id, versioned),
                (counted,) if family.id in slotted else (Times(start, end), counted),
            ),
        )
        for family in model.families
        if family.id in holding
    )


def _narrowed(passing: Filter | None, further: Iterable[Filter | None]) -> Filter | None:
    """``passing``, and what of it passes ``further``, in every branch, as versions are never counted behind an interleave."""
    if isinstance(passing, Interleave):
        return Interleave(tuple(_chained(condition, further) for condition in passing.filters))
    return chain([passing, *further])


def _chained(first: Filter, further: Iterable[Filter | None]) -> Filter:
    return chain([first, *further]) or first


def of_family(model: ModelSchema, id: str, versioned: Collection[str] = ()) -> Filter | None:
    """What is read of the cells of a family: all that its rule keeps, or the newest of it, and nothing that has ended."""
    family = model.family(id)
    rule = family.gc if family else None
    return chain([of_rule(rule) if id in versioned else _newest(rule), _alive(model)])


def passing_cells(kept: Filter | None, cells: list[Cell], now: datetime) -> list[Cell]:
    """The cells of one column, newest first, that pass a filter of :func:`of_family`, as the service applies it."""
    match kept:
        case None:
            return cells
        case Versions(newest):
            return cells[:newest]
        case Within() | Unexpired():
            start = kept.start(now)
            return [cell for cell in cells if cell.timestamp >= start]
        case Chain(filters):
            for part in filters:
                cells = passing_cells(part, cells, now)
            return cells
        case Interleave(filters):
            times = {cell.timestamp for part in filters for cell in passing_cells(part, cells, now)}
            return [cell for cell in cells if cell.timestamp in times]
        case _:
            raise TypeError(f"no filter of a GC rule: {kept!r}")


def versioned_families(model: ModelSchema) -> set[str]:
    """The families that hold columns whose versions are all meant."""
    return {column.family for column in model.columns if column.versioned}


def of_columns(
    model: ModelSchema,
    names: Collection[str],
    spans: Iterable[Span] = (),
    exact: Iterable[Exact] = (),
    *,
    every_version: bool = False,
    window: tuple[Filter, ...] = (),
) -> Filter | None:
    """The filter of a read of these columns alone: their cells, and what the rules of their families keep.

    Of columns whose versions are all meant, ``window`` chooses some.
    """
    within = {name: (low, high) for name, low, high in spans}
    alive = _alive(model)
    entries = dict(exact)
    branches: list[Filter | None] = []
    for family in model.families:
        asked = [column for column in model.columns if column.family == family.id and column.name in names]
        others = {qualifier for id, qualifier in model.single_cells if id == family.id}
        for versioned, kept in ((False, _newest(family.gc)), (True, of_rule(family.gc))):
            passing = chain([kept, alive])
            of_kind = [column for column in asked if (column.versioned or every_version) is versioned]
            plain = [column for column in of_kind if not (window and column.versioned)]
            # A branch for each: versions are never counted behind an interleave.
            branches += [
                chain([place, passing]) for place in _places(family.id, plain, within, entries, others)
            ]
            for column in of_kind:
                if column not in plain:
                    places = _places(family.id, [column], within, entries, others)
                    branches += [_in_window(place, passing, window) for place in places]
    return _interleaved(branches)


def _in_window(place: Filter, passing: Filter | None, window: tuple[Filter, ...]) -> Filter | None:
    """What ``window`` chooses of the versions of a column that pass; what a rule keeps are always the newest, so it counts the same."""
    if isinstance(passing, Interleave):
        return Interleave(tuple(_chained(place, (condition, *window)) for condition in passing.filters))
    return chain([place, passing, *window])


def _without(family: str, start: bytes, end: bytes, others: Iterable[bytes]) -> Iterator[Filter]:
    """The qualifiers from ``start`` up to ``end``, but for those of ``others``, which are columns by themselves."""
    for other in sorted(others):
        if start <= other and (not end or other < end):
            if start < other:
                yield QualifierRange(family, start, other)
            start = other + b"\0"
    if not end or start < end:
        yield QualifierRange(family, start, end)


def _places(
    family: str,
    columns: Iterable[Column],
    within: Mapping[str, tuple[bytes, bytes]],
    entries: Mapping[str, tuple[bytes, ...]],
    others: Collection[bytes],
) -> Iterator[Filter]:
    """Filters for the qualifiers of some columns of one family: the single ones together, each open one alone."""
    single: list[bytes] = []
    for column in columns:
        if column.name in entries:
            single += [entry for entry in entries[column.name] if entry not in others]
        elif column.open:
            low, high = within.get(column.name, (b"", b""))
            end = column.qualifier + high if high else successor(column.qualifier)
            yield from _without(family, column.qualifier + low, end, others)
        else:
            single += [column.qualifier, *column.also]
    if single:
        yield Qualifiers(family, tuple(single))


def of_newest(model: ModelSchema, column: Column) -> Filter:
    """The filter that lets through the newest cell of one column, unless it is older than its rule keeps."""
    found = chain([Qualifiers(column.family, (column.qualifier,)), of_family(model, column.family)])
    assert found is not None
    return found


def of_mirrors(model: ModelSchema) -> tuple[Filter, ...]:
    """Filters that let through the cells that repeat key fields, one each."""
    return tuple(
        Qualifiers(one.family, (one.qualifier,)) for part in model.key.fields if (one := part.mirror)
    )


def of_plain(model: ModelSchema) -> Filter:
    """The filter that lets through the cells in whose timestamps the time of a row lies."""
    mirrors = of_mirrors(model)
    columns = of_columns(model, [column.name for column in model.columns if column.stamped])
    return Interleave((*mirrors, columns) if columns else mirrors)


def _by_family(kept: Iterable[tuple[Family, Filter | None]]) -> Filter | None:
    """One branch for the families that share a filter."""
    ids: dict[Filter | None, list[str]] = {}
    for family, passing in kept:
        ids.setdefault(passing, []).append(family.id)
    return _interleaved(chain([Families(tuple(names)), passing]) for passing, names in ids.items())


def _newest(rule: GcRule | None) -> Filter | None:
    """The newest cell of a column, which no rule deletes by its rank: only the longest age counts."""
    return _step(1, oldest(rule) or timedelta.max)
