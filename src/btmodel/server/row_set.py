"""The row set of a request as sorted, disjoint key ranges."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from btmodel.server import limits
from btmodel.server.protos import Message
from btmodel.server.request_errors import RequestError, invalid


@frozen(order=True)
class KeyRange:
    """The keys from *start* up to, but not including, *end*; None is after the last key."""

    start: bytes
    end: bytes | None

    def after(self, key: bytes) -> KeyRange:
        """The part of the range after a key."""
        return KeyRange(key + b"\0", self.end)

    def before(self, key: bytes) -> KeyRange:
        """The part of the range before a key."""
        return KeyRange(self.start, key)


EVERYTHING = KeyRange(b"", None)


def key_ranges(row_set: Message) -> list[KeyRange]:
    """The ranges of a RowSet; a set with neither keys nor ranges is the whole table."""
    if not row_set.row_keys and not row_set.row_ranges:
        return [EVERYTHING]
    found = []
    for position, key in enumerate(row_set.row_keys):
        try:
            limits.check_row_key(key)
        except RequestError as error:
            raise invalid(
                f"Error in field 'row_keys' : Error in element #{position} : {error.text}"
            ) from None
        found.append(KeyRange(key, key + b"\0"))
    for position, message in enumerate(row_set.row_ranges):
        try:
            found.append(key_range(message))
        except RequestError as error:
            raise invalid(f"Error in element #{position}: {error.text}") from None
    return merged(found)


def key_range(message: Message) -> KeyRange:
    """The keys of one RowRange; an empty bound is an open end. Refuses a range that is upside down."""
    start_kind = message.WhichOneof("start_key")
    end_kind = message.WhichOneof("end_key")
    start: bytes = getattr(message, start_kind) if start_kind else b""
    end: bytes = getattr(message, end_kind) if end_kind else b""
    for bound in (start, end):
        if len(bound) > limits.ROW_KEY_SIZE + 1:  # the key right after the longest one may bound a range
            limits.check_row_key(bound)
    if end:
        both_closed = start_kind == "start_key_closed" and end_kind == "end_key_closed"
        if start > end or (start == end and not both_closed):
            relation = "less than or equal to" if both_closed else "less than"
            raise invalid(f"{start_kind} must be {relation} {end_kind}")
    first = start + b"\0" if start_kind == "start_key_open" and start else start
    if not end:
        return KeyRange(first, None)
    return KeyRange(first, end + b"\0" if end_kind == "end_key_closed" else end)


def overlap(one: KeyRange, other: KeyRange) -> KeyRange | None:
    """The keys that are in both ranges; None where there are none."""
    ends = [end for end in (one.end, other.end) if end is not None]
    start, end = max(one.start, other.start), min(ends, default=None)
    return None if end is not None and end <= start else KeyRange(start, end)


def parted(keys: Iterable[bytes]) -> list[KeyRange]:
    """All keys, divided before each of those given, which are in order."""
    starts = [b"", *filter(None, keys)]
    return [KeyRange(start, end) for start, end in zip(starts, [*starts[1:], None], strict=True)]


def merged(found: list[KeyRange]) -> list[KeyRange]:
    """Sort ranges, join those that touch, and drop the empty ones."""
    result: list[KeyRange] = []
    for each in sorted(found, key=lambda r: r.start):
        if each.end is not None and each.end <= each.start:
            continue
        if result and (result[-1].end is None or each.start <= result[-1].end):
            last = result.pop()
            end = None if last.end is None or each.end is None else max(last.end, each.end)
            each = KeyRange(last.start, end)
        result.append(each)
    return result


def prefix_range(prefix: bytes) -> KeyRange:
    """The keys that start with a prefix."""
    stripped = prefix.rstrip(b"\xff")
    end = stripped[:-1] + bytes([stripped[-1] + 1]) if stripped else None
    return KeyRange(prefix, end)
