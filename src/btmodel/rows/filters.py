"""Read filters as values, and the filter that a garbage-collection rule asks for.

Bigtable collects lazily, up to a week late, so a read must leave out what the rule
of its family would delete: rows then look the same before and after the service
collects.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from attrs import frozen

from btmodel.codecs.time import micros_since_epoch
from btmodel.schema import Family, GcRule, Intersection, KeepAll, MaxAge, MaxVersions, ModelSchema, Union


class Filter:
    """What a read leaves out."""


@frozen
class Families(Filter):
    """Only cells of these families."""

    ids: tuple[str, ...]

    def __str__(self) -> str:
        return f"families {', '.join(self.ids)}"


@frozen
class Versions(Filter):
    """Only the ``newest`` cells of each column."""

    newest: int

    def __str__(self) -> str:
        return f"newest {self.newest} of a column"


@frozen
class Within(Filter):
    """Only cells younger than ``age``, counted from the moment of the read."""

    age: timedelta

    def start(self, now: datetime) -> int:
        """The oldest timestamp that passes, in microseconds, rounded up to whole milliseconds."""
        return -(-micros_since_epoch(now - self.age) // 1000) * 1000

    def __str__(self) -> str:
        return f"younger than {self.age}"


@frozen
class Times(Filter):
    """Only cells with a timestamp in ``[start, end)``, in microseconds; an ``end`` of 0 is open."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"timestamps [{self.start}, {self.end or 'open'})"


@frozen
class Chain(Filter):
    """What passes every one of ``filters``, in order."""

    filters: tuple[Filter, ...]

    def __str__(self) -> str:
        return " > ".join(map(str, self.filters))


@frozen
class Interleave(Filter):
    """What passes any of ``filters``; a cell that passes two comes twice."""

    filters: tuple[Filter, ...]

    def __str__(self) -> str:
        return "(" + " | ".join(map(str, self.filters)) + ")"


def chain(filters: Iterable[Filter | None]) -> Filter | None:
    """The chain of those filters that are there; no filter, or the only one, needs no chain."""
    parts: list[Filter] = []
    for part in filters:
        parts += part.filters if isinstance(part, Chain) else [part] if part else []
    return Chain(tuple(parts)) if len(parts) > 1 else parts[0] if parts else None


def of_rule(rule: GcRule | None) -> Filter | None:
    """The filter that lets through just what ``rule`` keeps; None where it keeps everything.

    A rule says what is deleted, so a union of rules becomes a chain of filters and an
    intersection an interleave.
    """
    match rule:
        case MaxVersions(versions):
            return Versions(versions)
        case MaxAge(age):
            return Within(age)
        case Union(rules):
            # Versions first: they are counted over all cells, as the service does.
            kept = [of_rule(part) for part in rules]
            return chain(sorted(filter(None, kept), key=lambda part: not isinstance(part, Versions)))
        case Intersection(rules):
            kept = [of_rule(part) for part in rules]
            passing = [part for part in kept if part is not None]
            if len(passing) < len(kept):
                return None
            return Interleave(tuple(passing)) if len(passing) > 1 else passing[0]
        case KeepAll() | None:
            return None
        case _:
            raise TypeError(f"unknown GC rule {rule!r}")


def of_model(model: ModelSchema) -> Filter | None:
    """The filter of a read of whole rows: the model's families, and what their rules keep.

    A family that holds no history is read in its newest versions only.
    """
    holding = {column.family for column in model.histories}
    return _by_family(
        (family, of_rule(family.gc) if family.id in holding else _newest(family.gc))
        for family in model.families
    )


def of_histories(model: ModelSchema) -> Filter | None:
    """The filter of a read of events: the families that hold them, and what their rules keep."""
    holding = {column.family for column in model.histories}
    return _by_family((family, of_rule(family.gc)) for family in model.families if family.id in holding)


def _by_family(kept: Iterable[tuple[Family, Filter | None]]) -> Filter | None:
    """One branch for the families that share a filter."""
    ids: dict[Filter | None, list[str]] = {}
    for family, passing in kept:
        ids.setdefault(passing, []).append(family.id)
    branches = [chain([Families(tuple(names)), passing]) for passing, names in ids.items()]
    found = tuple(branch for branch in branches if branch is not None)
    return Interleave(found) if len(found) > 1 else next(iter(found), None)


def _newest(rule: GcRule | None) -> Filter | None:
    return chain([Versions(1), _without_versions(of_rule(rule))])


def _without_versions(kept: Filter | None) -> Filter | None:
    """What is left of a rule's filter once only the newest cell is read: no rule deletes it by its rank."""
    match kept:
        case Versions():
            return None
        case Chain(filters):
            return chain(_without_versions(part) for part in filters)
        case Interleave(filters):
            left = [_without_versions(part) for part in filters]
            passing = tuple(part for part in left if part is not None)
            return Interleave(passing) if len(passing) == len(left) else None
        case _:
            return kept
