"""Reads as values: ranges, filter, limit, cursor and parallel parts."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Iterator
from enum import Enum
from hashlib import blake2b
from typing import Any, Literal

from attrs import evolve, frozen

from btmodel.errors import QueryRefused, refuse_no_number, shown
from btmodel.rows.filters import Filter, KeyLength, chain
from btmodel.rows.ranges import RowRange
from btmodel.words import counted, place_text, printable

# Which ends belong to a range, as in mathematics.
Closed = Literal["[)", "[]", "()", "(]"]


class RangeOrder(Enum):
    """How the rows of several ranges follow one another."""

    KEY_ORDER = "in the order of their keys"
    IN_TURN = "one range after the other"
    MERGED = "merged in the order of their keys, the salt left out"


@frozen(repr=False)
class ReadPlan:
    """One read: the ranges of row keys that it asks for, its filter, its limit of rows.

    No ranges at all means that nothing can match, and nothing is asked. Ranges that are
    joined IN_TURN or MERGED are a read each. Of keys that are MERGED the first
    ``leads`` bytes, one number for each range, do not count in the order.
    ``backwards`` reads from the last row to the first. Where ``length`` is given, the rows are those in the ranges
    whose keys have so many bytes.
    """

    table: str
    ranges: tuple[RowRange, ...]
    filter: Filter | None
    limit: int | None = None
    joined: RangeOrder = RangeOrder.KEY_ORDER
    leads: tuple[int, ...] = ()
    backwards: bool = False
    length: int | None = None

    @property
    def sent(self) -> Filter | None:
        """The filter that the server gets: also that of the keys' length, where the ranges hold rows that are not meant."""
        return self.filter if self.length is None else chain([KeyLength(self.length), self.filter])

    def limited(self, limit: int | None) -> "ReadPlan":
        """The same read of at most ``limit`` rows."""
        if limit is not None:
            refuse_no_number("limit", "rows", limit, 2**63 - 1)
        return self if limit == self.limit else evolve(self, limit=limit)

    def at_most(self, rows: int) -> "ReadPlan":
        """The same read of at most ``rows`` rows, and of no more than it is limited to already."""
        if rows is None:
            raise QueryRefused(
                "limit: expected a number of rows from 1 on, got None: leave it out for all rows"
            )
        limited = self.limited(rows)
        return limited if self.limit is None or rows < self.limit else self

    def turned(self) -> "ReadPlan":
        """The same read in the opposite order.

        Raises :class:`QueryRefused` for one that is limited: it would not give its rows, but those at the
        other end.
        """
        if self.limit is not None:
            raise QueryRefused(
                f"backwards: expected a read without a limit, got one of at most {counted(self.limit, 'row')}, which "
                "would give the rows of the other end: call backwards() before limit(...), or take these rows "
                "as a list and reverse it, rows[::-1]"
            )
        return evolve(self, backwards=not self.backwards)

    def after(self, key: bytes) -> "ReadPlan":
        """What is left of the read once the row of ``key`` has come, in the read's own order.

        Ranges that are joined IN_TURN or MERGED must not overlap. Raises
        :class:`QueryRefused` for a key that lies in no range.
        """
        at = next((index for index, span in enumerate(self.ranges) if span.holds(key)), None)
        if at is None:
            raise QueryRefused(f"expected a key in the ranges of the read, got {shown(key)}")
        cuts = [self._cut(index, at, key) for index in range(len(self.ranges))]
        left = [index for index, span in enumerate(cuts) if span is not None and not span.empty]
        return evolve(
            self,
            ranges=tuple(span for span in cuts if span is not None and not span.empty),
            leads=tuple(self.leads[index] for index in left) if self.leads else (),
        )

    def _cut(self, index: int, at: int, key: bytes) -> RowRange | None:
        """What is left of one range once ``key``, of the range ``at``, has come; None where nothing is."""
        span = self.ranges[index]
        earlier = index > at if self.backwards else index < at
        if self.joined is RangeOrder.IN_TURN and index != at:
            return None if earlier else span
        if self.joined is RangeOrder.MERGED:
            key = span.start[: self.leads[index]] + key[self.leads[at] :]
        # Of rows that are equal but for the salt, the one of the earlier range has come before.
        come = earlier or index == at or self.joined is RangeOrder.KEY_ORDER
        if self.backwards:
            return span.before(key if come else key + b"\0")
        return span.since(key + b"\0" if come else key)

    @property
    def parts(self) -> tuple["ReadPlan", ...]:
        """The reads that it is made of, each of which gives its rows in the order of their keys."""
        if self.joined is RangeOrder.KEY_ORDER:
            return (self,)
        if self.joined is RangeOrder.MERGED:
            together = [ranges for _, ranges in self._by_lead]
        else:
            together = [(span,) for span in (self.ranges[::-1] if self.backwards else self.ranges)]
        return tuple(
            evolve(self, ranges=ranges, joined=RangeOrder.KEY_ORDER, leads=()) for ranges in together
        )

    @property
    def part_leads(self) -> tuple[int, ...]:
        """How many bytes of the keys of each part do not count in the order, where parts are MERGED."""
        return tuple(len(lead) for lead, _ in self._by_lead)

    @property
    def _by_lead(self) -> list[tuple[bytes, tuple[RowRange, ...]]]:
        """The ranges of each lead: their rows follow one another in the order of their keys."""
        found: dict[bytes, list[RowRange]] = {}
        for span, lead in zip(self.ranges, self.leads, strict=True):
            found.setdefault(span.start[:lead], []).append(span)
        return [(lead, tuple(ranges)) for lead, ranges in found.items()]

    def __str__(self) -> str:
        lines = ["{:<7} {}".format(*place_text(self.table).split(" ", 1))]
        lines += [f"rows    {span}" for span in self.ranges] or ["rows    none: the range is empty"]
        lines += [f"joined  {self.joined.value}"] if self.joined is not RangeOrder.KEY_ORDER else []
        lines += [f"filter  {self.sent or 'none'}"]
        lines += [f"limit   {counted(self.limit, 'row')}"] if self.limit is not None else []
        lines += ["order   from the last row to the first"] if self.backwards else []
        return printable("\n".join(lines))

    def __repr__(self) -> str:
        facts = (line.partition(" ") for line in str(self).splitlines())
        return f"<read of {', '.join(f'{name} {fact.strip()}' for name, _, fact in facts)}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What a notebook shows."""
        printer.text(str(self))


DIGEST = LEFT = 8  # bytes


def cursor_of(plan: ReadPlan, key: bytes, left: int | None = None) -> str:
    """Where ``plan`` stands once the row of ``key`` has come; of a limited one, ``left`` rows may follow.

    The text is neither secret nor authenticated: everyone who has it can read the key, and everyone who knows
    this code can make one up, for any key in the ranges of the read. The digest in it finds what was
    changed or mixed up by accident.
    """
    remainder = b"" if plan.limit is None else (left or 0).to_bytes(LEFT)
    return urlsafe_b64encode(_digest(plan, remainder + key) + remainder + key).decode().rstrip("=")


def resumed(plan: ReadPlan, text: str) -> ReadPlan:
    """What is left of ``plan`` behind a cursor, and never more than that, also of a cursor that was tampered with.

    Raises :class:`QueryRefused` for what is no cursor of this read, and for one that was changed.
    """
    try:
        raw = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (AttributeError, TypeError, UnicodeEncodeError, binascii.Error):
        raw = b""
    remainder = raw[DIGEST:]
    left = None if plan.limit is None else int.from_bytes(remainder[:LEFT])
    key = remainder if left is None else remainder[LEFT:]
    if raw[:DIGEST] != _digest(plan, remainder) or cursor_of(plan, key, left) != text:
        raise _refused(text)
    if plan.limit is None or left is None:
        return plan.after(key)
    if not 0 < left < plan.limit:
        raise _refused(text)
    return plan.after(key).limited(left)


def _refused(text: object) -> QueryRefused:
    return QueryRefused(
        "cursor: expected the one of a page of this read, as it was given; this one is of another read, "
        f"or was changed: {shown(text)}"
    )


def _digest(plan: ReadPlan, remainder: bytes) -> bytes:
    """What distinguishes reads, and what the cursor holds. Columns and conditions may change between pages.

    The arguments of a query lie in the ranges; they, their order and the limit distinguish reads.
    """
    read = (plan.table, plan.ranges, plan.joined.name, plan.leads, plan.backwards, plan.limit)
    return blake2b(repr((read, remainder)).encode(), digest_size=DIGEST).digest()


MOST_WORKERS = 64


@frozen
class Parallel:
    """How a read goes on in parallel: at most ``workers`` parts at once.

    ``ordered`` is whether rows come in the order of the read, or as they arrive.
    """

    workers: int
    ordered: bool
    apart: bool = False  # each in another process

    def __attrs_post_init__(self) -> None:
        if type(self.workers) is not int or not 1 <= self.workers <= MOST_WORKERS:
            kind = "processes" if self.apart else "workers"
            raise QueryRefused(f"parallel: expected from 1 to {MOST_WORKERS} {kind}, got {self.workers!r}")

    @property
    def unordered(self) -> "Parallel":
        """The same, with what comes given as it arrives."""
        return evolve(self, ordered=False)

    def check(self, plan: ReadPlan) -> None:
        """Raise :class:`QueryRefused` for a read whose rows could not be continued."""
        if self.apart and (plan.limit is not None or plan.backwards):
            raise QueryRefused(
                "parallel: expected a read without a limit and in the order of its keys, as other processes read its parts: leave "
                "out limit(...) and backwards(), or processes="
            )
        if self.ordered and plan.joined is not RangeOrder.KEY_ORDER:
            raise QueryRefused(
                "parallel: this read merges the parts of a salted table in their order, and reads them at once "
                "as it is; with ordered=False its rows come as they arrive"
            )
        if not self.ordered and plan.limit is not None:
            raise QueryRefused(
                "parallel: expected a read without a limit, as rows come in no order and its limit would leave it to "
                "chance which of them do: leave out ordered=False, or stop the loop yourself"
            )

    def parts(self, plan: ReadPlan, splits: Iterable[bytes]) -> list[ReadPlan]:
        """The reads that ``plan`` is cut into at the keys ``splits``, in its order; those without rows are left out."""
        whole = evolve(plan, joined=RangeOrder.KEY_ORDER, leads=())
        spans = (_within(plan.ranges, section) for section in _sections(splits))
        parts = [evolve(whole, ranges=ranges) for ranges in spans if ranges]
        return parts[::-1] if plan.backwards else parts


def _sections(splits: Iterable[bytes]) -> Iterator[RowRange]:
    """All keys, cut at ``splits``."""
    start = b""
    for key in sorted(set(splits) - {b""}):
        yield RowRange(start, key)
        start = key
    yield RowRange(start, b"")


def _within(ranges: Iterable[RowRange], section: RowRange) -> tuple[RowRange, ...]:
    cuts = (span.since(section.start) for span in ranges)
    found = (span.before(section.end) if section.end else span for span in cuts)
    return tuple(span for span in found if not span.empty)
