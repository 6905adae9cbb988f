"""The role of each key field: fixed, moving with the clock, or always new.

The bytes that the codec of the model writes decide how a field moves, not its type. A field with a new value within
each time step is a *tail* if its bytes are in order; if they are scattered (reversed digits), its values count as
random. A field derived from such a field is drawn from few values (a salt) or from many (a hash).
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

from attrs import frozen

from btmodel.errors import SimulationRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import KeyField, RowKey
from btmodel.simulate.keyspace.field_values import (
    Codec,
    EventPace,
    MovingValues,
    Stratum,
    making,
    number_of,
    strata,
    time_of,
    weighted,
)
from btmodel.simulate.workload import EventTime, Sequential, Uniform, Weighted, Workload

# The sample size that classifies a derived or scattered field.
_SAMPLES = 4096
_FEW = 300
_PROBES = 64


@frozen
class FieldPlan:
    """A field of the key: the values of an atom (``fixed``) and the moving values (``moves``) that determine its bytes.

    ``tail`` says that it has a new, greater value at each moment.
    """

    field: KeyField
    fixed: frozenset[str]
    moves: frozenset[str]
    tail: bool


@frozen
class Variable:
    """Values of which each atom has one: those of a field, or of a column that the key is derived from.

    ``draw`` returns at most as many strata as requested. ``count`` is the number of values; for a field that follows
    from a time, a stratum has only part of them.
    """

    name: str
    count: float
    draw: Callable[[int], list[Stratum]]


@frozen(slots=False)
class KeyPlan:
    """The parts of a key, the variables in the order in which it needs them, and the moving fields.

    ``behind`` is the number of different values behind the tail, at each of its moments. ``fresh`` says that every
    event has a key of its own.
    """

    key: RowKey
    codec: RowKeyCodec
    clock: MovingValues
    parts: tuple[FieldPlan, ...]
    variables: tuple[Variable, ...]
    behind: float
    fresh: bool

    def raw(self, part: FieldPlan, values: Mapping[str, Any], seconds: float) -> bytes:
        """The bytes of a field at a moment, for an atom with these values."""
        return self.codec.part(part.field, {**self.clock.now(seconds), **values} if part.moves else values)


@frozen(slots=False)
class KeyPlanner:
    """Makes the plan of a workload."""

    workload: Workload
    pace: EventPace
    codec: RowKeyCodec

    @cached_property
    def _sources(self) -> dict[str, Codec]:
        """The codec of each field of a row, and of each column that the key is derived from."""
        model = self.workload.model
        columns = {column.name: column.codec for column in model.columns if column.name in model.key.hashed}
        return {part.name: part.codec for part in model.key.asked} | columns

    @cached_property
    def clock(self) -> MovingValues:
        """The moving values."""
        moving = {}
        for name, codec in self._sources.items():
            match self.workload.fields.get(name):
                case EventTime():
                    moving[name] = time_of(codec, self.workload.start)
                case Sequential():
                    before = max(self._count(name), int(-self.pace.events(-self.pace.history)))
                    moving[name] = number_of(codec, before, self.pace)
        return MovingValues(moving)

    def plan(self) -> KeyPlan:
        """The plan. Raises :class:`SimulationRefused` if values of a field cannot be made up."""
        parts: list[FieldPlan] = []
        variables: dict[str, Variable] = {}
        behind, counted = 1.0, set[str]()
        for field in self.workload.model.key.fields:
            part, needed = self._part(field)
            if any(known.tail for known in parts):
                behind *= prod(new.count for new in needed if new.name not in {*variables, *counted})
                counted |= {new.name for new in needed}
            else:
                variables |= {new.name: new for new in needed if new.name not in variables}
            parts.append(part)
        fresh = any(isinstance(field, Sequential) for field in self.workload.fields.values())
        key = self.workload.model.key
        return KeyPlan(key, self.codec, self.clock, tuple(parts), tuple(variables.values()), behind, fresh)

    def _part(self, one: KeyField) -> tuple[FieldPlan, list[Variable]]:
        """A field, with the variables that it depends on."""
        uses = (one.name,) if one.asked else one.derived.of if one.derived else ()
        moves = frozenset(uses) & self.clock.moving.keys()
        fixed = frozenset(uses) - moves
        if not moves and one in self.workload.model.key.salts_of_others:
            return FieldPlan(one, frozenset({one.name}), frozenset(), tail=False), [self._salted(one)]
        if not moves or not self._moves_within_a_step(one, fixed):
            return FieldPlan(one, fixed, moves, tail=False), [
                self._variable(name) for name in uses if name in fixed
            ]
        if fixed or not self._follows_itself(one):
            return FieldPlan(one, frozenset({one.name}), frozenset(), tail=False), [self._drawn(one)]
        return FieldPlan(one, frozenset(), moves, tail=True), []

    def _salted(self, one: KeyField) -> Variable:
        """The values of a salt, as often as they come of what it is made from."""
        assert one.derived is not None
        atoms = self._some_atoms(frozenset(one.derived.of), _SAMPLES)
        found = Counter(self._raw(one, atom, 0.0) for atom in atoms)
        values = [Stratum(one.codec.decode(raw), share) for raw, share in _shares(found)]
        return Variable(one.name, float(len(values)), lambda most: values)

    def _variable(self, name: str) -> Variable:
        count = self._count(name)
        distribution = self.workload.fields.get(name, Uniform())
        if isinstance(distribution, Weighted):
            values = weighted(distribution)
            return Variable(name, count, lambda most: values)
        make = making(name, self._sources[name], count, self.workload.start)
        return Variable(name, count, lambda most: strata(distribution, count, make, most, name))

    def _count(self, name: str) -> int:
        if name not in self.workload.counts:
            raise SimulationRefused(f"{self.workload.model.name}: `{name}` has no declared cardinality")
        return self.workload.counts[name]

    def _moves_within_a_step(self, one: KeyField, fixed: frozenset[str]) -> bool:
        """Whether the bytes differ in most steps between the start and a later moment of the step."""
        steps, length = self.pace.steps, self.pace.step_seconds
        random = Random(one.name)
        [atom] = self._some_atoms(fixed, 1)
        tried = [random.randrange(steps) * length for _ in range(_PROBES)]
        other = sum(self._raw(one, atom, at) != self._raw(one, atom, at + 0.77 * length) for at in tried)
        return other > len(tried) / 2

    def _follows_itself(self, one: KeyField) -> bool:
        """Whether the bytes grow with time, at most moments."""
        raws = [self._raw(one, {}, at) for at in sorted(self._moments(one))]
        places = sorted(range(len(raws)), key=raws.__getitem__)
        if len(set(raws)) < min(len(raws), _FEW):
            return False
        near = sum(abs(a - b) == 1 for a, b in pairwise(places))
        return near > 0.8 * (len(raws) - 1)

    def _drawn(self, one: KeyField) -> Variable:
        """The values of a field that scatters a moving one, as a variable of its own with few or practically unlimited values."""
        codec = one.codec
        uses = one.derived.of if one.derived else (one.name,)
        atoms = self._some_atoms(frozenset(uses) - self.clock.moving.keys(), _SAMPLES)
        moments = self._moments(one)
        found = Counter(self._raw(one, atom, at) for atom, at in zip(atoms, moments, strict=True))
        if len(found) <= _FEW:
            values = [Stratum(codec.decode(raw), share, share) for raw, share in _shares(found)]
            return Variable(one.name, 1.0, lambda most: values)
        raws = [codec.decode(raw) for raw in found]

        def crowds(most: int) -> list[Stratum]:
            many = min(most, len(raws))
            return [Stratum(value, 1 / many, 1 / many, crowd=True) for value in raws[:many]]

        return Variable(one.name, 1.0, crowds)

    def _moments(self, one: KeyField) -> list[float]:
        random = Random(one.name + "moments")
        return [random.uniform(0, self.pace.end) for _ in range(_SAMPLES)]

    def _some_atoms(self, fixed: frozenset[str], many: int) -> list[dict[str, Any]]:
        """Values of these variables, drawn with their frequencies."""
        found: list[dict[str, Any]] = [{} for _ in range(many)]
        for name in sorted(fixed):
            some = self._variable(name).draw(_SAMPLES)
            drawn = Random(name + "atoms").choices(some, [stratum.share for stratum in some], k=many)
            for atom, stratum in zip(found, drawn, strict=True):
                atom[name] = stratum.value
        return found

    def _raw(self, one: KeyField, atom: Mapping[str, Any], seconds: float) -> bytes:
        return self.codec.part(one, {**self.clock.now(seconds), **atom})


def _shares(found: Counter[bytes]) -> list[tuple[bytes, float]]:
    """The share of each value; equal shares if the differences are only random."""
    whole, mean = sum(found.values()), sum(found.values()) / len(found)
    chance = all(abs(count - mean) < 4 * mean**0.5 for count in found.values())
    return [(raw, 1 / len(found) if chance else count / whole) for raw, count in sorted(found.items())]
