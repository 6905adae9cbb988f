"""How a row key serves a query: the proof that a query is a key, a prefix or a range."""

from enum import Enum
from typing import NamedTuple

from attrs import frozen

from btmodel.codecs import meaning_of
from btmodel.codecs.key import Kind, Order
from btmodel.schema.key import KeyField, RowKey
from btmodel.schema.model import Query
from btmodel.value import Value


class AccessKind(Enum):
    """From the cheapest read to the dearest."""

    POINT = "one row"
    RANGE = "one range of rows"
    PREFIX = "the rows of one prefix"
    SCAN = "every row"


@frozen(eq=False, repr=False)
class Access(Value):
    """The read that serves a query: ``prefix`` fields are given, and ``between`` is bounded
    or the values of ``starting`` begin with a given part.

    ``scattered`` is a field of the prefix that is not given, whose values are few: it is
    such a read for each of them. A scan, too, has a prefix where the key begins with
    constants: it reads the rows of this model, not those of others in the table.

    ``cut`` is a field of the prefix whose values may go on where the next field begins. All that stands behind it has
    a fixed width. So of the keys that begin with the prefix, those of its value, and no others, have just one length.
    """

    kind: AccessKind
    prefix: tuple[KeyField, ...]
    between: KeyField | None = None
    starting: KeyField | None = None
    scattered: KeyField | None = None
    cut: KeyField | None = None


class Unserved(NamedTuple):
    """No key, prefix or range serves the query; ``why`` says what is in the way."""

    why: str


def access(key: RowKey, query: Query) -> Access | Unserved:
    """The cheapest read of ``key``'s table that returns the rows of ``query`` and no others.

    Constants count as given wherever they stand, and so does what follows from given fields.
    """
    known = {*(part.name for part in key.asked), *key.sources}
    unknown = [name for name in (*query.equal, query.between, query.starting) if name and name not in known]
    if unknown:
        return Unserved(f"{unknown[0]!r} is no field of the row key")
    given = set(query.equal)
    prefix, scattered = _leading(key, given, query.between or query.starting)
    missing = given - _determined_by(key, prefix)
    for name in key.sources:
        if name in missing and not any(_is_hash(part, name) for part in key.fields):
            return Unserved(f"many values of {name!r} share a row key, which has only a salt of it")
    if missing:
        behind = key.fields[len(prefix) :]
        # A salt in the way is none: its values are few.
        gap = next((part for part in behind if not (part.derived and part.derived.values)), behind[0])
        return Unserved(
            f"{gap.name!r} stands in front of {_names(key, missing)} in the key, and is not given"
        )
    blurred = next((part for part in prefix if not _ends(key, part)), None)
    if len(prefix) == len(key.fields):
        blurred = None
    # Without a delimiter it is more likely that one was forgotten than that all these rows should be read.
    if blurred is not None and (blurred != key.free or not key.behind(blurred)):
        return Unserved(
            f"where {blurred.name!r} ends cannot be determined: it may go on where the next field begins"
        )
    if query.between is not None:
        return _range(key, prefix, query.between, scattered, blurred)
    if query.starting is not None:
        return _start(key, prefix, query.starting, scattered, blurred)
    if len(prefix) == len(key.fields):
        return Access(AccessKind.POINT, prefix, scattered=scattered)
    if given:
        return Access(AccessKind.PREFIX, prefix, scattered=scattered, cut=blurred)
    if query.scan is not None:
        return Access(AccessKind.SCAN, prefix)
    rows = "all rows of the model" if prefix else "the whole table"
    return Unserved(f"it gives no field, so it reads {rows}")


def _leading(key: RowKey, given: set[str], then: str | None) -> tuple[tuple[KeyField, ...], KeyField | None]:
    """The longest run of leading fields that are given, constant or derived, and the one to scatter over.

    A field of few values that is not given is worth a read for each of them only where
    something behind it is asked for.
    """
    count = 0
    scattered = None
    for part in key.fields:
        is_given = part.constant is not None or part.name in given or _follows(part, given)
        if not is_given:
            if scattered is not None or part.derived is None or part.derived.values is None:
                break
            scattered = part
        count += 1
    prefix = key.fields[:count]
    if scattered is not None and then is None:
        ahead = prefix[: prefix.index(scattered)]
        if given <= _determined_by(key, ahead):
            return ahead, None
    return prefix, scattered


def _follows(part: KeyField, given: set[str]) -> bool:
    """Whether ``part`` follows from what is given."""
    return part.derived is not None and given.issuperset(part.derived.of)


def _determined_by(key: RowKey, prefix: tuple[KeyField, ...]) -> set[str]:
    """What the fields of ``prefix`` determine: their own values, and the columns that are hashed into them.

    A salt determines nothing, as many values share it; nor does a hash of a key field, which stands in
    the key itself.
    """
    hashed = {name for name in key.sources if any(_is_hash(part, name) for part in prefix)}
    return {part.name for part in prefix} | hashed


def _is_hash(part: KeyField, name: str) -> bool:
    """Whether ``part`` is a hash of ``name``, which distinguishes its values."""
    return part.derived is not None and part.derived.values is None and name in part.derived.of


def _next(key: RowKey, prefix: tuple[KeyField, ...], name: str) -> KeyField | Unserved:
    """The field called ``name``, where it follows the prefix."""
    if name in key.sources:
        return Unserved(f"only a hash of {name!r} is in the key")
    wanted = key.field(name)
    if wanted in prefix:
        return Unserved(f"{name!r} is given and bounded at once")
    following = key.fields[len(prefix)]
    if following != wanted:
        return Unserved(f"{following.name!r} stands in front of {name!r} in the key, and is not given")
    return wanted


def _range(
    key: RowKey, prefix: tuple[KeyField, ...], name: str, scattered: KeyField | None, cut: KeyField | None
) -> Access | Unserved:
    between = _next(key, prefix, name)
    if isinstance(between, Unserved):
        return between
    if not between.codec.ordered:
        return Unserved(f"the bytes of {name!r} do not sort as its values do ({meaning_of(between.codec)})")
    if not keeps_order(key, between):
        return Unserved(
            f"{name!r} has no fixed width, and its values may hold bytes that sort below the delimiter"
        )
    return Access(AccessKind.RANGE, prefix, between, scattered=scattered, cut=cut)


def _start(
    key: RowKey, prefix: tuple[KeyField, ...], name: str, scattered: KeyField | None, cut: KeyField | None
) -> Access | Unserved:
    starting = _next(key, prefix, name)
    if isinstance(starting, Unserved):
        return starting
    if not starting.codec.has_stem:
        return Unserved(
            f"the beginning of {name!r} is not the beginning of its bytes ({meaning_of(starting.codec)})"
        )
    if starting != key.fields[-1] and not _ends(key, starting):
        return Unserved(
            f"where {name!r} ends cannot be determined: its beginning may go on in the next field"
        )
    return Access(AccessKind.PREFIX, prefix, starting=starting, scattered=scattered, cut=cut)


def _ends(key: RowKey, part: KeyField) -> bool:
    """Whether ``part`` ends where its value does, so that a prefix that ends with it holds no other value's rows."""
    if part.fixed is not None or part.codec.self_ending:
        return True
    behind = key.behind(part)
    holds = part.codec.holds_delimiter and part.codec.alphabet.issuperset(behind)
    return bool(behind) and not holds


def keeps_order(key: RowKey, part: KeyField) -> bool:
    """Whether what follows ``part`` in the key cannot upset its order.

    With a fixed width nothing can, nor where no encoding is the beginning of another;
    at the end of the key nothing follows. In between, each byte of a value must sort
    above the delimiter that ends it, and the values must sort upward.
    """
    if part.fixed is not None or part.codec.self_ending:
        return True
    if part.codec.order is Order.DESCENDING:
        return False
    if part == key.fields[-1]:
        return True
    behind = key.behind(part)
    return bool(behind) and min(part.codec.alphabet) > max(behind)


def one_range(key: RowKey, last: KeyField) -> Access | None:
    """The read of the rows with all fields given but the ``last`` that a key asks for; None where they are no one range, in its order."""
    given = tuple(part.name for part in key.asked if part is not last)
    served = access(key, Query("", given, last.name))
    return served if isinstance(served, Access) and served.scattered is None else None


def _names(key: RowKey, names: set[str]) -> str:
    known = [*(part.name for part in key.fields), *key.sources]
    return ", ".join(repr(name) for name in known if name in names)


def time_of(key: RowKey, found: Access) -> KeyField | None:
    """The time by which the rows of a read are ordered: the bounded field, or the first one that is not given."""
    given = set(found.prefix)
    rest = [part for part in key.fields if part not in given]
    part = found.between or found.starting or (rest[0] if rest else None)
    return part if part is not None and part.codec.kind is Kind.TIME else None


def newest_first(key: RowKey, found: Access) -> bool:
    """Whether the rows of a read come newest first in the order of their keys: their time is reversed."""
    time = time_of(key, found)
    return time is not None and time.codec.order is Order.DESCENDING
