"""The key fields of a simulated table: the role of each (fixed, moving with the clock, or always new), and its values.

The bytes that the codec of the model writes decide how a field moves, not its type. A field with a new value within
each time step is a *tail* if its bytes are in order; if they are scattered (reversed digits), its values count as
random. A field derived from such a field is drawn from few values (a salt) or from many (a hash).
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cached_property
from itertools import pairwise
from math import prod
from random import Random
from string import ascii_lowercase, digits
from typing import Any
from uuid import UUID

import numpy as np
from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Base58, Base64, KeyCodec, Length, Repeated
from btmodel.codecs.key.base import WholeNumber
from btmodel.errors import SimulationRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import KeyField, RowKey
from btmodel.schema.bucket import bucket_of
from btmodel.simulate.arrays import Array
from btmodel.simulate.workload import (
    Distribution,
    EventTime,
    Few,
    Sequential,
    Uniform,
    Weighted,
    Workload,
    Zipf,
)
from btmodel.words import counted

Codec = KeyCodec[Any] | CellCodec[Any]
Making = Callable[[int], Any]

_LONGEST = 16  # bytes of made-up text, if the codec has no limit


def making(name: str, codec: Codec, count: int, start: datetime) -> Making:
    """A function that makes the value for each number from 0 to ``count - 1``.

    Times count days back from ``start``. Raises :class:`SimulationRefused` if no values can be made up that the codec
    accepts.
    """
    for form in _forms(codec, count, start):
        if _works(form, codec, count):
            return form
    raise SimulationRefused(
        f"{name}: expected {counted(count, 'different value')} of {meaning_of(codec)}, and could make up fewer; "
        "give another count, values with weights, or keys of a real sample"
    )


def whole_numbers(codec: Codec) -> tuple[int, int]:
    """The least and the greatest number of a codec, or of the codec that it wraps."""
    inner = getattr(codec, "codec", codec)
    return (inner.least, inner.most) if isinstance(inner, WholeNumber) else (0, 2**63 - 1)


def _works(form: Making, codec: Codec, count: int) -> bool:
    """Whether the codec accepts the values; tries the first, a middle and the last one."""
    try:
        tried = {codec.encode(form(number)) for number in {0, count // 2, count - 1}}
    except Exception:
        # A custom codec may raise anything.
        return False
    return len(tried) > 1 or count == 1


def _forms(codec: Codec, count: int, start: datetime) -> Iterator[Making]:
    kind = codec.python_type
    if is_class(kind, Enum):
        members = list(kind)
        yield lambda number: members[number % len(members)]
    elif kind is bool:
        yield bool
    elif kind is int:
        least = whole_numbers(codec)[0]
        yield lambda number: least + number
    elif kind is datetime:
        yield lambda number: start - timedelta(days=number)
    elif kind is date:
        yield lambda number: (start - timedelta(days=number)).date()
    elif kind is UUID:
        yield lambda number: UUID(int=(number << 128) // count)
    elif isinstance(codec, Repeated):
        inner = making("an item", codec.codec, count, start)
        yield lambda number: (inner(number),) * max(codec.least, 1)
    else:
        yield from _texts(codec, count)


def _texts(codec: Codec, count: int) -> Iterator[Making]:
    """Texts and bytes in several alphabets, the most readable first."""
    length = codec.length if isinstance(codec, KeyCodec) else Length(1, codec.max_size or _LONGEST)
    # A padded text may be shorter than its width.
    least = getattr(codec, "min_length", length.least)
    for letters in (ascii_lowercase, digits + ascii_lowercase, digits + "abcdef"):
        text = _spelling(letters.encode(), max(1, least), length.most, count)
        yield lambda number, text=text: text(number).decode()  # type: ignore[misc]
    domain = _spelling(ascii_lowercase.encode(), 1, _LONGEST, count)
    yield lambda number: f"{domain(number).decode()}.com"
    inner = getattr(codec, "codec", codec)
    if isinstance(inner, Base58 | Base64):
        # Not every word of these letters is a value.
        yield _spelling(bytes(range(256)), inner.size, inner.size, count)
    if isinstance(codec, KeyCodec):
        for size in (length.least, length.most):
            raw = _spelling(bytes(sorted(codec.alphabet)), size, size, count)
            yield lambda number, raw=raw: codec.decode(raw(number))  # type: ignore[misc]
    for size in range(1, _LONGEST + 1):
        yield _spelling(bytes(range(256)), size, size, count)


def _spelling(letters: bytes, least: int, most: int, count: int) -> Making:
    """Numbers as words, just long enough to distinguish ``count`` numbers and spread over all words of that length."""
    length = least
    while len(letters) ** length < count and length < most:
        length += 1
    words = len(letters) ** length

    def spell(number: int) -> bytes:
        rest, word = number * words // count, bytearray()
        for _ in range(length):
            rest, letter = divmod(rest, len(letters))
            word.append(letters[letter])
        return bytes(word[::-1])

    return spell


# Ranks whose weights are added one by one; the sum of the others is an integral.
_SUMMED = 100_000


@frozen
class Stratum:
    """A value with its share of all events; it stands for ``count`` values that have the share together.

    For values that are drawn for each event, such as a salt of its time, ``count`` is the part of the keys that have
    it. ``crowd`` says that it stands for more values than itself.
    """

    value: Any
    share: float
    count: float = 1.0
    crowd: bool = False


def strata(distribution: Distribution, count: int, make: Making, most: int, seed: str) -> list[Stratum]:
    """At most ``most`` strata for ``count`` values; their shares add up to 1.

    Frequent values are scattered over all values; ``seed`` decides how, so that a field has the same frequent values
    everywhere.
    """
    match distribution:
        case Zipf(theta):
            heads = zipf_shares(theta, count, count if count <= most else max(1, most // 2))
            return _ranked(heads, count, make, most, seed)
        case Few(share, values) if values < count and values <= max(1, most // 2):
            return _ranked([share / values] * values, count, make, most, seed)
        case Few(share, values) if values < count:
            # Too many to distinguish: samples of either kind.
            many = max(1, most // 2)
            popular = _even(count, make, many, seed)
            others = _even(count, make, many, seed + "others")
            return [
                Stratum(stratum.value, stratum.share * part, number / len(some), crowd=True)
                for some, part, number in ((popular, share, values), (others, 1 - share, count - values))
                for stratum in some
            ]
        case _:
            return _even(count, make, most, seed)


def weighted(distribution: Weighted) -> list[Stratum]:
    """Values with weights, one stratum each."""
    whole = sum(weight for _, weight in distribution.values)
    return [Stratum(value, weight / whole) for value, weight in distribution.values]


def zipf_shares(theta: float, count: int, heads: int) -> list[float]:
    """The shares of the first ``heads`` of ``count`` ranks."""
    summed = min(count, max(_SUMMED, heads))
    weights = np.arange(1, summed + 1, dtype=float) ** -theta
    whole = float(weights.sum())
    if count > summed:
        low, high = summed + 0.5, count + 0.5
        whole += (
            np.log(high / low) if theta == 1 else (high ** (1 - theta) - low ** (1 - theta)) / (1 - theta)
        )
    return [float(weight) / float(whole) for weight in weights[:heads]]


def _ranked(heads: list[float], count: int, make: Making, most: int, seed: str) -> list[Stratum]:
    """The ranks in ``heads`` one by one, each at a random place; the others evenly."""
    places = Random(seed).sample(range(count), len(heads))
    found = [Stratum(make(place), share) for place, share in zip(places, heads, strict=True)]
    others, rest = count - len(heads), 1 - sum(heads)
    if not others or rest <= 0:
        return found
    known = set(places)
    many = min(others, max(1, most - len(heads)))
    if many == others:
        free = [number for number in range(count) if number not in known]
    else:
        free = [_free(number, known, count) for number in _spread(count, many, seed)]
    return found + [Stratum(make(number), rest / many, others / many, others > many) for number in free]


def _even(count: int, make: Making, most: int, seed: str) -> list[Stratum]:
    many = min(count, most)
    return [
        Stratum(make(number), 1 / many, count / many, count > many) for number in _spread(count, many, seed)
    ]


def _spread(count: int, many: int, seed: str) -> list[int]:
    """``many`` of ``count`` numbers, one at random in each stretch: regular steps would show in the digits."""
    if many >= count:
        return list(range(count))
    random = Random(seed + "spread")
    edges = [count * edge // many for edge in range(many + 1)]
    return [random.randrange(edges[one], edges[one + 1]) for one in range(many)]


def _free(number: int, known: set[int], count: int) -> int:
    while number in known:
        number = (number + 1) % count
    return number


_DAY = 86_400.0


@frozen(eq=False)
class EventPace:
    """The events of a table: ``rate`` per second in each step, ``sums`` from the start to each edge of a step.

    ``before`` is the rate of the events before the start, which lasted for ``history`` seconds.
    """

    step_seconds: float
    rate: Array
    sums: Array
    before: float
    history: float

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.rate)

    @property
    def end(self) -> float:
        """The end, in seconds from the start."""
        return self.steps * self.step_seconds

    def events(self, seconds: float) -> float:
        """The events from the start up to this moment; negative for a moment before the start."""
        if seconds < 0:
            return self.before * max(seconds, -self.history)
        whole, part = divmod(seconds / self.step_seconds, 1)
        step = min(int(whole), self.steps)
        more = self.rate[step] * part * self.step_seconds if step < self.steps else 0.0
        return float(self.sums[step] + more)


def pace_of(workload: Workload, steps: int, step_seconds: float) -> EventPace:
    """The pace of a workload: its rate, which grows from day to day and varies with the time of day."""
    middle = (np.arange(steps) + 0.5) * step_seconds
    midnight = workload.start.replace(hour=0, minute=0, second=0, microsecond=0)
    of_day = (middle + (workload.start - midnight).total_seconds()) / _DAY
    swing = 1 - workload.daily * np.cos(2 * np.pi * of_day)
    rate = workload.writes * (1 + workload.growth) ** (middle / _DAY) * swing
    sums = np.concatenate(([0.0], np.cumsum(rate * step_seconds)))
    return EventPace(step_seconds, rate, sums, workload.writes, workload.history.total_seconds())


_FINE = {"second": 1_000_000, "millisecond": 1_000, "microsecond": 1, "nanosecond": 1}
Now = Callable[[float], Any]


@frozen
class MovingValues:
    """All moving values by name: each is a function of the seconds since the start."""

    moving: Mapping[str, Now]

    def now(self, seconds: float) -> dict[str, Any]:
        """The values at that moment."""
        return {name: value(seconds) for name, value in self.moving.items()}


def time_of(codec: Codec, start: datetime) -> Now:
    """The time of an event, rounded down to the precision of the codec."""
    granularity = codec.granularity if isinstance(codec, KeyCodec) else None
    dates = is_class(codec.python_type, date) and not is_class(codec.python_type, datetime)

    def now(seconds: float) -> Any:
        time = cut(start + timedelta(seconds=seconds), granularity)
        return time.date() if dates else time

    return now


def number_of(codec: Codec, before: int, pace: EventPace) -> Now:
    """The next number at a moment, after ``before`` numbers that were given before the start.

    If the codec holds fewer numbers than there are events, they are counted per combination of the fields in front
    (the orders of each shop), and so grow more slowly.
    """
    least, most = whole_numbers(codec)
    each = min(1.0, (most - least) / max(1.0, before + pace.events(pace.end)))
    if each == 1:
        return lambda seconds: max(least, least + before + int(pace.events(seconds)))
    return lambda seconds: min(max(least, least + int((before + pace.events(seconds)) * each)), most)


def cut(time: datetime, granularity: str | timedelta | None) -> datetime:
    """``time`` rounded down to ``granularity``; unchanged if that is None."""
    if granularity is None:
        return time
    if isinstance(granularity, str) and granularity in _FINE:
        return time.replace(microsecond=time.microsecond - time.microsecond % _FINE[granularity])
    return bucket_of(granularity).start(time)


def unit_of(granularity: str | timedelta | None) -> float:
    """The length in seconds of the longest unit with this name; a microsecond for no name."""
    if granularity is None:
        return 1e-6
    micros = _FINE.get(str(granularity))
    return bucket_of(granularity).longest.total_seconds() if micros is None else micros / 1e6


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
