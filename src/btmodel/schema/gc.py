"""GC rules as values, and what a change of rule deletes.

A rule says which cells of a column may be deleted. A union (``|``) deletes a cell
where any of its rules does, an intersection (``&``) where all of them do
(google.bigtable.admin.v2.GcRule). Rules are compared by meaning, never by shape.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from enum import Enum
from itertools import product

from attrs import field, frozen

from btmodel.errors import DeclarationError, ValueRefused
from btmodel.schema.names import filled, placeholders, sample
from btmodel.schema.rate import parse_every
from btmodel.value import Value
from btmodel.words import counted

_STEP = timedelta(microseconds=1)

# google.bigtable.admin.v2.GcRule.max_num_versions is an int32.
MOST_VERSIONS = 2**31 - 1


class GcRule:
    """A rule; combine two with ``|`` (either deletes) or ``&`` (both must)."""

    def __or__(self, other: "GcRule") -> "GcRule":
        return _combined(Union, self, other)

    def __and__(self, other: "GcRule") -> "GcRule":
        return _combined(Intersection, self, other)

    def deletes(self, age: timedelta, rank: int) -> bool:
        """Whether a cell of this age, the ``rank``-th newest of its column (from 1), may be deleted."""
        raise NotImplementedError

    def thresholds(self) -> "Iterator[MaxAge | MaxVersions]":
        """The rules without parts that this one is made of."""
        raise NotImplementedError

    @property
    def given(self) -> "tuple[GivenAge, ...]":
        """Its ages that are known at run time only."""
        return tuple(dict.fromkeys(part for part in self.thresholds() if isinstance(part, GivenAge)))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names in the braces of its ages."""
        return tuple(dict.fromkeys(name for age in self.given for name in placeholders(age.text)))

    def with_ages(self, ages: "Mapping[GivenAge, timedelta]") -> "GcRule":
        """The rule with ages in the place of those that are given at run time."""
        return self

    def bound(self, values: Mapping[str, str]) -> "GcRule":
        """The rule with its parameters filled in. Raises :class:`ValueRefused` for what makes no age."""
        return self.with_ages({age: age.of(values) for age in self.given})

    def compared_to(self, old: "GcRule") -> "GcChange":
        """What changing ``old`` to this rule does. Exact, not a heuristic.

        A rule is a monotone predicate over age and rank, so two rules that agree on
        the grid of both their thresholds agree everywhere. Of ages that are given at run time, all that
        make a difference are tried.
        """
        tighter = looser = False
        for ages in _assumed([*self.thresholds(), *old.thresholds()]):
            one, other = self.with_ages(ages), old.with_ages(ages)
            for age, rank in _grid([*one.thresholds(), *other.thresholds()]):
                before, after = other.deletes(age, rank), one.deletes(age, rank)
                tighter |= after and not before
                looser |= before and not after
        return GcChange((tighter, looser))


class GcChange(Enum):
    """What a change of rule does: delete cells that were kept, keep cells that were deleted."""

    EQUAL = (False, False)
    TIGHTER = (True, False)
    LOOSER = (False, True)
    BOTH = (True, True)

    @property
    def deletes_kept_cells(self) -> bool:
        """Whether cells that the old rule kept will be deleted, those already written included."""
        return self.value[0]


def _positive_count(instance: object, attribute: object, value: int) -> None:
    if type(value) is not int or not 1 <= value <= MOST_VERSIONS:
        raise DeclarationError(
            f"max_versions: expected a number of versions from 1 to {MOST_VERSIONS}, got {value!r}"
        )


def _positive_age(instance: object, attribute: object, value: timedelta) -> None:
    if not isinstance(value, timedelta) or value < timedelta(milliseconds=1):
        raise DeclarationError(f"max_age: expected an age of at least 1 ms, got {value!r}")


def _several(instance: object, attribute: object, value: tuple[GcRule, ...]) -> None:
    if not value or not all(isinstance(rule, GcRule) for rule in value):
        raise DeclarationError(f"{type(instance).__name__.lower()}: expected GC rules, got {value!r}")


@frozen(eq=False, repr=False)
class MaxVersions(Value, GcRule):
    """Deletes every cell but the ``versions`` newest of a column."""

    versions: int = field(validator=_positive_count)

    def deletes(self, age: timedelta, rank: int) -> bool:
        """True for older versions."""
        return rank > self.versions

    def thresholds(self) -> "Iterator[MaxAge | MaxVersions]":
        """Itself."""
        yield self

    def __str__(self) -> str:
        return f"newest {counted(self.versions, 'version')}"


@frozen(eq=False, repr=False)
class MaxAge(Value, GcRule):
    """Deletes cells whose timestamp is older than ``age``."""

    age: timedelta = field(validator=_positive_age)

    def deletes(self, age: timedelta, rank: int) -> bool:
        """True for older cells."""
        return age > self.age

    def thresholds(self) -> "Iterator[MaxAge | MaxVersions]":
        """Itself."""
        yield self

    def __str__(self) -> str:
        return f"younger than {age_text(self.age)}"


@frozen(eq=False, repr=False)
class GivenAge(MaxAge):
    """Deletes cells that are older than an age that is given at run time: ``text`` is one once its names in braces are filled in.

    Until then, nothing is known to be too old.
    """

    text: str
    age: timedelta = field(default=timedelta.max, init=False, eq=False, repr=False)

    def of(self, values: Mapping[str, str]) -> timedelta:
        """The age that ``values`` make. Raises :class:`ValueRefused` where they make none."""
        names = placeholders(self.text)
        for name in names:
            if not isinstance(values[name], str):
                example = "30d" if self.text == f"{{{name}}}" else "30"
                raise ValueRefused(
                    f"text for the age {self.text!r}, such as {example!r}", values[name], where=name
                )
        text = filled(self.text, values)
        try:
            return parse_every(text)
        except DeclarationError:
            raise ValueRefused(
                "text that makes an age such as '7d' or '36h'", text, where=", ".join(names)
            ) from None

    def with_ages(self, ages: "Mapping[GivenAge, timedelta]") -> GcRule:
        """The age, where it is among ``ages``."""
        return MaxAge(ages[self]) if self in ages else self

    def __str__(self) -> str:
        return f"younger than {self.text}"


@frozen(eq=False, repr=False)
class KeepAll(Value, GcRule):
    """Deletes nothing: said aloud, because Bigtable's silence means it too."""

    def deletes(self, age: timedelta, rank: int) -> bool:
        """Never."""
        return False

    def thresholds(self) -> "Iterator[MaxAge | MaxVersions]":
        """None."""
        yield from ()

    def __str__(self) -> str:
        return "everything"


@frozen(eq=False, repr=False)
class Union(Value, GcRule):
    """Deletes a cell where any of ``rules`` does."""

    rules: tuple[GcRule, ...] = field(validator=_several)

    def deletes(self, age: timedelta, rank: int) -> bool:
        """True where any does."""
        return any(rule.deletes(age, rank) for rule in self.rules)

    def thresholds(self) -> "Iterator[MaxAge | MaxVersions]":
        """Those of its parts."""
        for rule in self.rules:
            yield from rule.thresholds()

    def with_ages(self, ages: Mapping[GivenAge, timedelta]) -> GcRule:
        """With those of its parts."""
        return Union(tuple(rule.with_ages(ages) for rule in self.rules))

    def __str__(self) -> str:
        return "(" + " and ".join(map(str, self.rules)) + ")"


@frozen(eq=False, repr=False)
class Intersection(Value, GcRule):
    """Deletes a cell where all of ``rules`` do."""

    rules: tuple[GcRule, ...] = field(validator=_several)

    def deletes(self, age: timedelta, rank: int) -> bool:
        """True where all do."""
        return all(rule.deletes(age, rank) for rule in self.rules)

    def thresholds(self) -> "Iterator[MaxAge | MaxVersions]":
        """Those of its parts."""
        for rule in self.rules:
            yield from rule.thresholds()

    def with_ages(self, ages: Mapping[GivenAge, timedelta]) -> GcRule:
        """With those of its parts."""
        return Intersection(tuple(rule.with_ages(ages) for rule in self.rules))

    def __str__(self) -> str:
        return "(" + " or ".join(map(str, self.rules)) + ")"


def max_versions(versions: int) -> GcRule:
    """Keep the ``versions`` newest cells of a column."""
    return MaxVersions(versions)


def max_age(
    age: timedelta | str | None = None,
    *,
    days: float = 0,
    hours: float = 0,
    minutes: float = 0,
    seconds: float = 0,
    milliseconds: float = 0,
) -> GcRule:
    """Keep cells for the sum of the given times, of which ``age`` is a timedelta, or for a text such as ``"7d"``; at least 1 ms.

    A text stands alone. Text with a name in braces, ``"{ttl}"`` or ``"{days}d"``, is an age that is given where the name of its table
    is.
    """
    if isinstance(age, str) and ("{" in age or "}" in age):
        return _placeholder_age(age, any((days, hours, minutes, seconds, milliseconds)))
    if isinstance(age, str):
        if any((days, hours, minutes, seconds, milliseconds)):
            raise DeclarationError(f"max_age: expected text alone, got {age!r} and other times beside it")
        age = parse_every(age, "max_age")
    if age is not None and not isinstance(age, timedelta):
        raise DeclarationError(
            f"max_age: expected a timedelta, text such as '7d', or days=, hours= and the like, got {age!r}"
        )
    try:
        given = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, milliseconds=milliseconds)
        return MaxAge(given if age is None else age + given)
    except (TypeError, ValueError, OverflowError) as error:
        raise DeclarationError(f"max_age: expected numbers of days, hours and the like: {error}") from None


def _placeholder_age(text: str, more: bool) -> GivenAge:
    if more or not placeholders(text) or set("{}") & set(sample(text)):
        raise DeclarationError(
            "max_age: expected an age whose names stand in braces, such as '{ttl}' or '{days}d', and no other times "
            f"beside it, got {text!r}"
        )
    return GivenAge(text)


def kept_text(rule: GcRule | None) -> str:
    """What a rule keeps, as the object of a sentence: "the newest 3 versions"."""
    match rule:
        case None | KeepAll():
            return "everything"
        case MaxVersions():
            return f"the {rule}"
        case MaxAge():
            return f"only what is {rule}"
        case _:
            return f"only {rule}"


def keep_all() -> GcRule:
    """Keep every cell for ever."""
    return KeepAll()


def simplified(rule: GcRule) -> GcRule:
    """The same meaning without a KeepAll inside another rule, for which the service has no word."""
    if not isinstance(rule, Union | Intersection):
        return rule
    parts = [simplified(part) for part in rule.rules]
    limits = [part for part in parts if not isinstance(part, KeepAll)]
    if not limits or (isinstance(rule, Intersection) and len(limits) < len(parts)):
        return KeepAll()
    return limits[0] if len(limits) == 1 else type(rule)(tuple(limits))


def age_text(age: timedelta) -> str:
    """An age in its largest whole unit: ``7d``, ``36h``, ``1500ms``."""
    micros = age // _STEP
    units = {"d": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000}
    unit = next((unit for unit, size in units.items() if micros % size == 0), "us")
    return f"{micros // units.get(unit, 1)}{unit}"


def _combined(kind: type[Union] | type[Intersection], left: GcRule, right: GcRule) -> GcRule:
    if not isinstance(right, GcRule):
        raise DeclarationError(f"expected a GC rule on both sides of | or &, got {right!r}")
    parts: list[GcRule] = []
    for rule in (left, right):
        parts += rule.rules if isinstance(rule, kind) else [rule]
    return kind(tuple(parts))


def agreeing(rule: GcRule, live: GcRule) -> GcRule | None:
    """``rule`` with ages of ``live`` in the place of those that are given at run time, where that means the same."""
    known = sorted({part.age for part in live.thresholds() if isinstance(part, MaxAge)})
    for ages in product(known, repeat=len(rule.given)):
        found = rule.with_ages(dict(zip(rule.given, ages, strict=True)))
        if found.compared_to(live) is GcChange.EQUAL:
            return found
    return None


def _assumed(parts: Sequence[MaxAge | MaxVersions]) -> Iterator[Mapping[GivenAge, timedelta]]:
    """Ages in the place of those that are given at run time: in each order among themselves and with the other ones."""
    given = list(dict.fromkeys(part for part in parts if isinstance(part, GivenAge)))
    ages = {part.age for part in parts if isinstance(part, MaxAge) and part not in given}
    around = range(-len(given), len(given) + 1)
    near = {at + step * _STEP for at in (ages or {timedelta(days=1)}) for step in around if _near(at, step)}
    longest = [timedelta.max - step * _STEP for step in range(len(given))]
    tried = [age for age in {*near, *longest} if age >= timedelta(milliseconds=1)]
    return (dict(zip(given, each, strict=True)) for each in product(tried, repeat=len(given)))


def _near(age: timedelta, steps: int) -> bool:
    return steps <= 0 or age <= timedelta.max - steps * _STEP


def _grid(parts: Iterable[MaxAge | MaxVersions]) -> Iterator[tuple[timedelta, int]]:
    ages, ranks = {timedelta(0)}, {1}
    for part in parts:
        if isinstance(part, MaxAge):
            ages |= {part.age, min(part.age, timedelta.max - _STEP) + _STEP}
        else:
            ranks |= {part.versions, part.versions + 1}
    return ((age, rank) for age in ages for rank in ranks)


# Cells of up to this rank (from 1) and this age are kept; infinite where there is no limit.
KeptRange = tuple[float, timedelta]


def kept_ranges(rule: GcRule | None) -> list[KeptRange]:
    """What ``rule`` keeps: cells within the rank and the age of any of these."""
    match rule:
        case MaxVersions(versions):
            return [(versions, timedelta.max)]
        case MaxAge(age):
            return [(math.inf, age)]
        case Union(rules):
            # What a union keeps, each of its rules keeps.
            found: list[KeptRange] = [(math.inf, timedelta.max)]
            for part in rules:
                found = _widest((min(a, b), min(s, t)) for a, s in found for b, t in kept_ranges(part))
            return found
        case Intersection(rules):
            return _widest(kept for part in rules for kept in kept_ranges(part))
        case KeepAll() | None:
            return [(math.inf, timedelta.max)]
        case _ if rule.deletes(age=timedelta(0), rank=1):  # a live rule that the service would refuse
            return [(0, timedelta(0))]
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def oldest(rule: GcRule | None) -> timedelta | None:
    """The age beyond which ``rule`` keeps no cell, not even the newest of its column; None where there is none."""
    age = max(age for _, age in kept_ranges(rule))
    return None if age == timedelta.max else age


def keeps_for_ever(rule: GcRule | None) -> bool:
    """Whether ``rule`` keeps the newest cell of a column whatever its age."""
    return oldest(rule) is None


def _widest(candidates: Iterable[KeptRange]) -> list[KeptRange]:
    """The ranges that no other one contains."""
    found: list[KeptRange] = []
    for versions, age in sorted(set(candidates), reverse=True):
        if not found or age > found[-1][1]:
            found.append((versions, age))
    return found
