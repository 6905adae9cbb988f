"""How a row key serves a query: the proof that a query is a key, a prefix or a range."""

from enum import Enum

from attrs import frozen

from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.query import Query


class AccessKind(Enum):
    """From the cheapest read to the dearest."""

    POINT = "one row"
    RANGE = "one range of rows"
    PREFIX = "the rows of one prefix"
    SCAN = "every row"


@frozen
class Access:
    """The read that serves a query: ``prefix`` fields are given, ``between`` is bounded.

    A scan, too, has a prefix where the key begins with constants: it reads the rows of
    this model, not those of others in the table.
    """

    kind: AccessKind
    prefix: tuple[KeyField, ...]
    between: KeyField | None = None


@frozen
class Unserved:
    """No key, prefix or range serves the query; ``why`` says what is in the way."""

    why: str


def access(key: RowKey, query: Query) -> Access | Unserved:
    """The cheapest read of ``key``'s table that returns the rows of ``query`` and no others.

    Constants count as given wherever they stand.
    """
    known = {part.name for part in key.asked}
    unknown = [name for name in (*query.equal, query.between) if name and name not in known]
    if unknown:
        return Unserved(f"{unknown[0]!r} is no field of the row key")
    given = set(query.equal)
    prefix = _leading(key, given)
    missing = given - {part.name for part in prefix}
    if missing:
        gap = key.fields[len(prefix)].name
        return Unserved(f"{gap!r} stands in front of {_names(key, missing)} in the key, and is not given")
    blurred = next((part for part in prefix if not _ends(key, part)), None)
    if blurred is not None and len(prefix) < len(key.fields):
        return Unserved(
            f"where {blurred.name!r} ends cannot be told: it may go on where the next field begins"
        )
    if query.between is not None:
        return _range(key, prefix, query.between)
    if len(prefix) == len(key.fields):
        return Access(AccessKind.POINT, prefix)
    if given:
        return Access(AccessKind.PREFIX, prefix)
    if query.scan is not None:
        return Access(AccessKind.SCAN, prefix)
    return Unserved("it gives no field, so it reads the whole table")


def _leading(key: RowKey, given: set[str]) -> tuple[KeyField, ...]:
    """The longest run of leading fields that are given or constant."""
    count = 0
    while count < len(key.fields) and (key.fields[count].constant or key.fields[count].name in given):
        count += 1
    return key.fields[:count]


def _range(key: RowKey, prefix: tuple[KeyField, ...], name: str) -> Access | Unserved:
    between = key.field(name)
    if between in prefix:
        return Unserved(f"{name!r} is given and bounded at once")
    following = key.fields[len(prefix)]
    if following != between:
        return Unserved(f"{following.name!r} stands in front of {name!r} in the key, and is not given")
    if not between.codec.ordered:
        return Unserved(f"the bytes of {name!r} do not sort as its values do ({between.codec.meaning})")
    if not _keeps_order(key, between):
        return Unserved(
            f"{name!r} has no fixed width, and its values may hold bytes that sort below the delimiter"
        )
    return Access(AccessKind.RANGE, prefix, between)


def _ends(key: RowKey, part: KeyField) -> bool:
    """Whether ``part`` ends where its value does, so that a prefix that ends with it holds no other value's rows."""
    if part.fixed is not None:
        return True
    holds = part.codec.holds_delimiter and part.codec.alphabet.issuperset(key.delimiter)
    return bool(key.delimiter) and not holds


def _keeps_order(key: RowKey, part: KeyField) -> bool:
    """Whether what follows ``part`` in the key cannot upset its order.

    With a fixed width nothing can, and at the end of the key nothing follows. In
    between, each byte of a value must sort above the delimiter that ends it.
    """
    if part.fixed is not None or part == key.fields[-1]:
        return True
    return bool(key.delimiter) and min(part.codec.alphabet) > max(key.delimiter)


def _names(key: RowKey, names: set[str]) -> str:
    return ", ".join(repr(part.name) for part in key.fields if part.name in names)
