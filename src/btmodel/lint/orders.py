"""The orders in which the fields of a key could stand."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, permutations, takewhile

from btmodel.codecs.key import Kind
from btmodel.lint.keys import single, tenant_first
from btmodel.schema import KeyField, Query

Fields = tuple[KeyField, ...]

# Groups of fields beyond which not all orders are tried, but those that queries ask for, and single moves.
_ALL = 4
# Orders of the queries that are then tried.
_QUERIES = 24


def orders(fields: Fields, queries: Sequence[Query]) -> Iterator[Fields]:
    """The orders of ``fields`` that a rule could ask for, the present one first.

    Constants in front stay there, and so does a last field that rows may lack; tenants come before all
    else. Fields that no query and no rule tells apart keep their order.
    """
    front = tuple(takewhile(single, fields))
    last = tuple(part for part in fields[-1:] if part.optional)
    middle = fields[len(front) : len(fields) - len(last)]
    tenants = tuple(part for part in middle if part.tenant)
    others = tuple(part for part in middle if part not in tenants)
    alike: dict[object, list[KeyField]] = {}
    for part in others:
        alike.setdefault(_role(part, queries), []).append(part)
    found = (
        _merged([tuple(group) for group in alike.values()]) if len(others) <= _ALL else _few(others, queries)
    )
    for rest in found:
        yield (*front, *tenants, *rest, *last)


def _few(fields: Fields, queries: Sequence[Query]) -> Iterator[Fields]:
    """The order that there is, each with one field moved, and those in which queries come one after the other."""
    found = dict.fromkeys([fields])
    for part in fields:
        rest = [other for other in fields if other != part]
        found |= dict.fromkeys((*rest[:at], part, *rest[at:]) for at in range(len(fields)))
    known = {part.name: part for part in fields}
    times = [part.name for part in fields if part.codec.kind is Kind.TIME]
    for some in islice(permutations(queries), _QUERIES):
        given = [name for query in some for name in query.equal]
        bounded = [name for query in some for name in (query.between, query.starting) if name]
        for rest_first in ([], [name for name in known if name not in times]):
            names = dict.fromkeys([*given, *rest_first, *bounded, *known])
            found[tuple(known[name] for name in names if name in known)] = None
    return iter(found)


def _role(part: KeyField, queries: Sequence[Query]) -> object:
    """What tells a field from those that could as well stand in its place."""
    asked = tuple(
        (part.name in query.equal, part.name in query.where, part.name in (query.between, query.starting))
        for query in queries
    )
    # Fields of one value take no part in anything, wherever they stand.
    return (asked, "single") if single(part) else (asked, part.codec, part.cardinality, part.derived and part)


def _merged(groups: Sequence[Fields]) -> Iterator[Fields]:
    """Every way to merge the groups, each in its own order."""
    if not any(groups):
        yield ()
    for at, group in enumerate(groups):
        if group:
            rest = [*groups[:at], group[1:], *groups[at + 1 :]]
            for merged in _merged(rest):
                yield (group[0], *merged)


def moved(places: Mapping[str, int], fields: Fields) -> int:
    """How many of ``fields`` must be taken from their ``places`` to be put in this order."""
    present = [places[part.name] for part in fields if part.name in places]
    longest: list[int] = []
    for at, place in enumerate(present):
        before = (longest[other] for other in range(at) if present[other] < place)
        longest.append(1 + max(before, default=0))
    return len(present) - max(longest, default=0)


def salted(fields: Fields, salt: KeyField) -> Fields:
    """``fields`` with a salt in front, behind constants and tenants."""
    rest = tenant_first(tuple(part for part in fields if part != salt))
    known = [part for part in rest if isinstance(part, KeyField)]
    at = len(tuple(takewhile(lambda part: single(part) or part.tenant, known)))
    return (*known[:at], salt, *known[at:])
