"""The key space of a table as intervals.

The walk divides the atoms by the bytes of one field after the other. At a field that moves now and then (a date) it
divides the time instead, and continues in the region of each value. It ends at a crowd, which is spread over an
interval; at a tail, where each stretch of time becomes an interval behind the one before; or at the end of the key,
which is a row. Intervals are allotted by the share of events, so the busiest keys are distinguished best.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import groupby, pairwise
from random import Random
from typing import Any, TypeVar

import numpy as np
from attrs import evolve, frozen

from btmodel.errors import UndecodableKey
from btmodel.rows import RowKeyCodec
from btmodel.simulate.keyspace.key_fields import EventPace, FieldPlan, KeyPlan, Stratum, Variable

# A value that occurs this often in a sample is frequent; a rarer one stands for others like it.
_OFTEN = 3


@frozen
class Atom:
    """One value of each variable. It stands for ``rows`` tuples of values, which have ``share`` of all events together.

    ``crowd`` are the variables for which it stands for several values.
    """

    values: Mapping[str, Any]
    share: float
    rows: float
    crowd: frozenset[str]


def atoms_of(variables: Sequence[Variable], most: int) -> list[Atom]:
    """About ``most`` atoms, whose shares add up to 1; frequent values are distinguished by every variable."""
    drawing = _Drawing(variables, Random("atoms"))
    return list(drawing.below(0, Atom({}, 1.0, 1.0, frozenset()), float(most)))


class _Drawing:
    """Goes through the variables, and distributes the number of atoms over their values."""

    def __init__(self, variables: Sequence[Variable], random: Random) -> None:
        self._variables = variables
        self._random = random
        self._known: dict[tuple[int, int], list[Stratum]] = {}

    def below(self, at: int, atom: Atom, most: float) -> Iterator[Atom]:
        if at == len(self._variables):
            yield atom
            return
        variable = self._variables[at]
        if at and (atom.crowd or most < 2):
            yield from self.below(at + 1, self._one(at, atom), most)
            return
        for stratum in self._strata(at, max(1, int(most))):
            crowd = atom.crowd | {variable.name} if stratum.crowd else atom.crowd
            values = {**atom.values, variable.name: stratum.value}
            found = Atom(values, atom.share * stratum.share, atom.rows * stratum.count, crowd)
            yield from self.below(at + 1, found, most * stratum.share)

    def _one(self, at: int, atom: Atom) -> Atom:
        """The atom with the one value of the next variable that stands for all its values."""
        variable = self._variables[at]
        some = self._strata(at, 1000)
        [one] = self._random.choices(some, [stratum.share for stratum in some])
        values = {**atom.values, variable.name: one.value}
        crowd = atom.crowd | {variable.name} if len(some) > 1 or one.crowd else atom.crowd
        return Atom(values, atom.share, atom.rows * variable.count, crowd)

    def _strata(self, at: int, most: int) -> list[Stratum]:
        if (at, most) not in self._known:
            self._known[at, most] = self._variables[at].draw(most)
        return self._known[at, most]


def sampled_atoms(codec: RowKeyCodec, keys: Sequence[bytes], names: Sequence[str], rows: float) -> list[Atom]:
    """The atoms of a real sample of keys: the values of the fields ``names``, as frequent as in the sample.

    ``rows`` is the number of tuples of such values. Keys that do not fit the model are skipped.
    """
    found = Counter(_values(codec, keys, names))
    whole = sum(found.values())
    return [
        Atom(
            dict(zip(names, values, strict=True)),
            count / whole,
            1.0 if count >= _OFTEN else max(1.0, rows * count / whole),
            frozenset() if count >= _OFTEN else frozenset(names),
        )
        for values, count in found.items()
    ]


def _values(codec: RowKeyCodec, keys: Sequence[bytes], names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    for key in keys:
        try:
            parts = {part.name: part.codec.decode(raw) for part, raw in codec.split(key)}
        except (UndecodableKey, ValueError):
            continue
        if parts.keys() >= set(names):
            yield tuple(parts[name] for name in names)


T = TypeVar("T")

# The part of the intervals for the time before the start.
_PAST = 0.15
_MOST_PAST = 400
_MOMENT = 1e-6


class IntervalKind(Enum):
    """The kind of an interval."""

    CROWD = "many keys, spread over it"
    TAIL = "one growing end"
    ROW = "one row"


@frozen(eq=False)
class Interval:
    """The keys from ``low`` up to the next interval, with ``share`` of all events from ``begin`` to ``end``.

    Times are seconds from the start. ``rows`` is the maximal number of rows per unit of the key's finest time.
    ``values`` are those of the first ``depth`` fields of its first key.
    """

    low: bytes
    kind: IntervalKind
    share: float
    rows: float
    begin: float
    end: float
    values: Mapping[str, Any]
    depth: int


@frozen
class Span:
    """Time from ``begin`` to ``end``, in seconds from the start."""

    begin: float
    end: float


@frozen
class WalkPlace:
    """The position of the walk: before the field ``at``, behind the bytes ``raw``, in a span of time.

    ``known`` are the values of the moving fields among these bytes; a span may have several of them.
    """

    at: int
    raw: bytes
    span: Span
    most: float
    known: Mapping[str, Any]


class KeySpaceWalk:
    """One walk through the key space of one table."""

    def __init__(self, plan: KeyPlan, pace: EventPace) -> None:
        self._plan = plan
        self._pace = pace
        past = np.linspace(-pace.history, 0, _MOST_PAST, endpoint=False) if pace.history else np.empty(0)
        self._grid = [*past.tolist(), *(np.arange(pace.steps) * pace.step_seconds).tolist()]
        self._known_changes: dict[str, list[float]] = {}

    def intervals(self, atoms: list[Atom], most: int) -> list[Interval]:
        """About ``most`` intervals, in the order of their keys."""
        span = Span(-self._pace.history, self._pace.end)
        return sorted(self._below(WalkPlace(0, b"", span, float(most), {}), atoms), key=lambda one: one.low)

    def _below(self, place: WalkPlace, atoms: list[Atom]) -> Iterator[Interval]:
        if place.at == len(self._plan.parts):
            whole = IntervalKind.CROWD if any(atom.crowd for atom in atoms) else IntervalKind.ROW
            yield self._whole(place, atoms, whole)
            return
        part = self._plan.parts[place.at]
        if part.tail:
            yield from self._tail(place, atoms, part)
            return
        changes = self._changes(part, atoms[0])
        if len(_within(changes, place.span)) == 1:
            yield from self._parted(place, atoms, part)
        elif place.most >= 2 * len(_within(changes, Span(max(0.0, place.span.begin), place.span.end))):
            yield from self._regions(place, atoms, part, _cut_at(changes, place.span))
        elif part.fixed:
            yield from self._parted(place, atoms, part)
        else:
            # Too few writes to distinguish the values.
            yield from self._tail(place, atoms, part)

    def _regions(
        self, place: WalkPlace, atoms: list[Atom], part: FieldPlan, runs: list[Span]
    ) -> Iterator[Interval]:
        """The values of a field that moves now and then, one after the other."""
        past = [run for run in runs if run.end <= 0]
        future = [run for run in runs if run.end > 0]
        share = _PAST if past else 0.0
        past = _joined(past, max(1, int(place.most * share)))
        for some, most in ((past, share * place.most), (future, (1 - share) * place.most)):
            if some:
                each = max(1.0, most / len(some))
                few = self._thinned(place.at, atoms, int(each))
                for run in some:
                    yield from self._parted(evolve(place, span=run, most=each), few, part)

    def _parted(self, place: WalkPlace, atoms: list[Atom], part: FieldPlan) -> Iterator[Interval]:
        """The atoms, divided by the bytes of a fixed field."""
        groups = self._groups(part, atoms, place.span)
        level = sum(atom.share for atom in atoms) / place.most
        if len(groups) <= place.most:
            for raw, group in groups:
                yield from self._behind(place, raw, group, part, level)
            return
        for some in _heaps(groups, lambda pair: sum(atom.share for atom in pair[1]), level):
            if len(some) == 1:
                yield from self._behind(place, *some[0], part, level)
            else:
                yield self._spread(place, some[0][0], [atom for _, group in some for atom in group])

    def _behind(
        self, place: WalkPlace, raw: bytes, group: list[Atom], part: FieldPlan, level: float
    ) -> Iterator[Interval]:
        """The atoms with one value of a field; a crowd ends the walk."""
        if len(group) == 1 and group[0].crowd & part.fixed:
            yield self._spread(place, raw, group)
            return
        ended = raw
        if place.at < len(self._plan.parts) - 1:
            ended += self._plan.key.behind(part.field)
        most = max(1.0, sum(atom.share for atom in group) / level)
        yield from self._below(
            WalkPlace(place.at + 1, place.raw + ended, place.span, most, _known_values(place, part, raw)),
            group,
        )

    def _groups(self, part: FieldPlan, atoms: list[Atom], span: Span) -> list[tuple[bytes, list[Atom]]]:
        # A group of values begins at the least of their bytes.
        ends = (span.begin, span.end - _MOMENT) if part.moves else (span.begin,)
        if not part.fixed:
            return [(min(self._plan.raw(part, atoms[0].values, at) for at in ends), atoms)]
        raws = [(min(self._plan.raw(part, atom.values, at) for at in ends), atom) for atom in atoms]
        raws.sort(key=lambda pair: pair[0])
        return [(raw, [atom for _, atom in pairs]) for raw, pairs in groupby(raws, key=lambda pair: pair[0])]

    def _tail(self, place: WalkPlace, atoms: list[Atom], part: FieldPlan) -> Iterator[Interval]:
        """Stretches of time, each behind the one before, or wherever the codec puts it."""
        share, rows = sum(atom.share for atom in atoms), sum(atom.rows for atom in atoms) * self._plan.behind
        values = atoms[0].values
        kind = IntervalKind.TAIL if part.tail else IntervalKind.CROWD
        for span in self._stretches(place):
            ends = [self._plan.raw(part, values, at) for at in (span.begin, span.end - _MOMENT)]
            at = span.begin if ends[0] <= ends[1] else span.end - _MOMENT
            shown = {**values, **self._plan.clock.now(at), **place.known}
            low = place.raw + min(ends)
            yield Interval(low, kind, share, rows, span.begin, span.end, shown, place.at + 1)

    def _stretches(self, place: WalkPlace) -> list[Span]:
        """The span of a place, cut into as many stretches as allowed."""
        begin, end = place.span.begin, place.span.end
        if place.most < 2:
            return [place.span]
        share = _PAST if begin < 0 and end > 0 else 1.0
        past = _cut(begin, min(end, 0.0), min(int(place.most * share), _MOST_PAST))
        step = self._pace.step_seconds
        first, last = round(max(begin, 0.0) / step), round(max(end, 0.0) / step)
        future = _cut(first, last, min(int(place.most * (1 - share * (begin < 0))), last - first))
        return past + [Span(round(span.begin) * step, round(span.end) * step) for span in future]

    def _spread(self, place: WalkPlace, raw: bytes, atoms: list[Atom]) -> Interval:
        """An interval over which the atoms are spread, which begins with the bytes ``raw`` of the field."""
        known = _known_values(place, self._plan.parts[place.at], raw)
        return self._whole(
            WalkPlace(place.at + 1, place.raw + raw, place.span, 1.0, known), atoms, IntervalKind.CROWD
        )

    def _whole(self, place: WalkPlace, atoms: list[Atom], kind: IntervalKind) -> Interval:
        share, rows = sum(atom.share for atom in atoms), sum(atom.rows for atom in atoms) * self._plan.behind
        shown = {**self._plan.clock.now(max(place.span.begin, 0.0)), **atoms[0].values, **place.known}
        return Interval(place.raw, kind, share, rows, place.span.begin, place.span.end, shown, place.at)

    def _changes(self, part: FieldPlan, atom: Atom) -> list[float]:
        """The moments at which a field gets other bytes, from the first moment on."""
        if not part.moves:
            return self._grid[:1]
        name = part.field.name
        if name not in self._known_changes:
            self._known_changes[name] = self._found_changes(lambda at: self._plan.raw(part, atom.values, at))
        return self._known_changes[name]

    def _found_changes(self, raw: Callable[[float], bytes]) -> list[float]:
        found, known, last = [self._grid[0]], raw(self._grid[0]), self._grid[0]
        for at in self._grid[1:]:
            new = raw(at)
            if new != known:
                # No finer than steps, although the stretches before the start are longer than steps.
                found.append(at if at > 0 else _first_same(raw, new, last, at))
            known, last = new, at
        return found

    def _thinned(self, at: int, atoms: list[Atom], most: int) -> list[Atom]:
        """About ``most`` atoms: those with the largest shares, and the others joined in their order."""
        if len(atoms) <= most:
            return atoms
        parts = [part for part in self._plan.parts[at:] if not part.moves and not part.tail]
        names = frozenset().union(*(part.fixed for part in self._plan.parts[at:]))
        ordered = sorted(atoms, key=lambda one: [self._plan.raw(part, one.values, 0.0) for part in parts])
        level = sum(atom.share for atom in atoms) / max(1, most)
        return [_together(some, names) for some in _heaps(ordered, lambda one: one.share, level)]


def _known_values(place: WalkPlace, part: FieldPlan, raw: bytes) -> Mapping[str, Any]:
    """The known values behind a field with these bytes."""
    return {**place.known, part.field.name: part.field.codec.decode(raw)} if part.moves else place.known


def _heaps(items: Sequence[T], share: Callable[[T], float], level: float) -> Iterator[list[T]]:
    """Groups of neighbours that together reach the share ``level``; a neighbour with that share is alone."""
    heap: list[T] = []
    held = 0.0
    for item in items:
        size = share(item)
        if heap and size >= level:
            yield heap
            heap, held = [], 0.0
        heap.append(item)
        held += size
        if held >= level:
            yield heap
            heap, held = [], 0.0
    if heap:
        yield heap


def _first_same(raw: Callable[[float], bytes], new: bytes, low: float, high: float) -> float:
    """Approximately the first moment between two at which the bytes are ``new``; other bytes may occur before."""
    # Moments are whole seconds, except the two given ones.
    while low < (middle := float(round((low + high) / 2))) < high:
        low, high = (low, middle) if raw(middle) == new else (middle, high)
    return high


def _within(changes: list[float], span: Span) -> range:
    """The values that occur in a span; each is valid from its change on."""
    first = max(0, bisect_right(changes, span.begin) - 1)
    return range(first, max(first + 1, bisect_left(changes, span.end)))


def _cut_at(changes: list[float], span: Span) -> list[Span]:
    """A span, cut where the value changes."""
    edges = [span.begin, *(changes[at] for at in _within(changes, span)[1:]), span.end]
    return [Span(*pair) for pair in pairwise(edges)]


def _together(atoms: Sequence[Atom], names: frozenset[str]) -> Atom:
    """Several atoms as one, which stands for a crowd of all values of these variables."""
    if len(atoms) == 1:
        return atoms[0]
    share, rows = sum(atom.share for atom in atoms), sum(atom.rows for atom in atoms)
    return Atom(atoms[0].values, share, rows, atoms[0].crowd | names)


def _joined(runs: list[Span], most: int) -> list[Span]:
    """Runs, with neighbours joined if there are more than ``most``."""
    size = -(-len(runs) // most) if runs else 1
    return [Span(runs[at].begin, runs[min(at + size, len(runs)) - 1].end) for at in range(0, len(runs), size)]


def _cut(begin: float, end: float, most: int) -> list[Span]:
    """A span in at most so many pieces of about equal length; none for an empty span."""
    if end <= begin:
        return []
    edges = np.linspace(begin, end, max(1, most) + 1).tolist()
    return [Span(*pair) for pair in pairwise(edges)]
