"""Sets of byte strings that codecs read and write, to prove two codecs apart.

A set is built of alternatives, sequences and repetitions, as a regular expression is. It may hold more than a codec
reads, and never less: two sets that have nothing in common prove that two codecs have not.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator
from math import gcd, inf
from typing import NamedTuple

from attrs import frozen

from btmodel.value import Value


class Lengths(NamedTuple):
    """``least``, and what is more than that by a multiple of ``step``, up to ``most``; a step of 0 is one length."""

    least: int
    most: float
    step: int

    def meet(self, other: "Lengths") -> bool:
        """Whether a length may be one of both."""
        if self.least > other.most or other.least > self.most:
            return False
        step, apart = gcd(self.step, other.step), abs(self.least - other.least)
        return apart % step == 0 if step else apart == 0


class ByteSet(ABC):
    """A set of bytes."""

    @property
    @abstractmethod
    def holds_nothing(self) -> bool:
        """Whether ``b""`` is in it."""

    @property
    @abstractmethod
    def lengths(self) -> Lengths:
        """How long its members may be."""

    @abstractmethod
    def heads(self) -> Iterator[tuple[frozenset[int], "ByteSet"]]:
        """The bytes that its members may begin with, each time with the set of what may follow."""


@frozen(eq=False, repr=False)
class Sequence(Value, ByteSet):
    """A member of each part, one behind the other."""

    parts: tuple[ByteSet, ...] = ()

    @property
    def holds_nothing(self) -> bool:
        """Where all parts do."""
        return all(byte_set.holds_nothing for byte_set in self.parts)

    @property
    def lengths(self) -> Lengths:
        """The sum of its parts'."""
        found = [byte_set.lengths for byte_set in self.parts]
        step = gcd(*(one.step for one in found))
        return Lengths(sum(one.least for one in found), sum(one.most for one in found), step)

    def heads(self) -> Iterator[tuple[frozenset[int], ByteSet]]:
        """Those of the first part, and of what follows it where it may be nothing."""
        if not self.parts:
            return
        first, rest = self.parts[0], self.parts[1:]
        for members, left in first.heads():
            yield members, sequence(left, *rest)
        if first.holds_nothing:
            yield from Sequence(rest).heads()


@frozen(eq=False, repr=False)
class OneByte(Value, ByteSet):
    """A single byte of these."""

    members: frozenset[int]

    @property
    def holds_nothing(self) -> bool:
        """False."""
        return False

    @property
    def lengths(self) -> Lengths:
        """1."""
        return Lengths(1, 1, 0)

    def heads(self) -> Iterator[tuple[frozenset[int], ByteSet]]:
        """The byte, with nothing behind it."""
        yield self.members, Sequence()


@frozen(eq=False, repr=False)
class Choice(Value, ByteSet):
    """A member of one of the parts."""

    parts: tuple[ByteSet, ...]

    @property
    def holds_nothing(self) -> bool:
        """Where a part does."""
        return any(byte_set.holds_nothing for byte_set in self.parts)

    @property
    def lengths(self) -> Lengths:
        """Those of all parts."""
        found = [byte_set.lengths for byte_set in self.parts]
        least = min((one.least for one in found), default=0)
        step = gcd(*(one.step for one in found), *(one.least - least for one in found))
        return Lengths(least, max((one.most for one in found), default=0), step)

    def heads(self) -> Iterator[tuple[frozenset[int], ByteSet]]:
        """Those of every part."""
        for byte_set in self.parts:
            yield from byte_set.heads()


@frozen(eq=False, repr=False)
class RepeatedPart(Value, ByteSet):
    """Members of ``part``, ``least`` of them to ``most``, one behind the other; without an end where ``most`` is None."""

    part: ByteSet
    least: int
    most: int | None

    @property
    def holds_nothing(self) -> bool:
        """Where none is needed, or the part may be nothing."""
        return not self.least or self.part.holds_nothing

    @property
    def lengths(self) -> Lengths:
        """Those of the part, as often as it may come."""
        one = self.part.lengths
        # 0 times an endless length is nothing; inf is not, by itself.
        most = 0 if not one.most or self.most == 0 else one.most * (inf if self.most is None else self.most)
        step = one.step if self.least == self.most else gcd(one.step, one.least)
        return Lengths(self.least * one.least, most, step)

    def heads(self) -> Iterator[tuple[frozenset[int], ByteSet]]:
        """Those of the part, with as many more behind it as are left."""
        if self.most == 0:
            return
        left = RepeatedPart(self.part, max(self.least - 1, 0), None if self.most is None else self.most - 1)
        for members, rest in self.part.heads():
            yield members, sequence(rest, left)


def sequence(*parts: ByteSet) -> ByteSet:
    """A member of each part, one behind the other, in one form: so that equal sets are known as equal."""
    flat: list[ByteSet] = []
    for byte_set in parts:
        if isinstance(byte_set, Sequence):
            flat += byte_set.parts
        elif not (isinstance(byte_set, RepeatedPart) and byte_set.most == 0):
            flat.append(byte_set)
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat))


def one_of(*ends: str | bytes) -> OneByte:
    """A byte of these: each text is one, ``b"-+"`` two, or a range as ``"09"`` from its first character to its last."""
    members: set[int] = set()
    for end in ends:
        members.update(end if isinstance(end, bytes) else range(ord(end[0]), ord(end[-1]) + 1))
    return OneByte(frozenset(members))


def literal(raw: bytes) -> ByteSet:
    """``raw`` alone."""
    return sequence(*(OneByte(frozenset({one})) for one in raw))


def choice(*parts: ByteSet) -> ByteSet:
    """A member of one of the parts."""
    return parts[0] if len(parts) == 1 else Choice(parts)


def many(part: ByteSet, least: int = 0, most: int | None = None) -> ByteSet:
    """Members of ``part``, ``least`` of them to ``most``."""
    return RepeatedPart(part, least, most)


def exactly(size: int) -> ByteSet:
    """All bytes of this length."""
    return RepeatedPart(BYTE, size, size)


BYTE = OneByte(frozenset(range(256)))
ANY = many(BYTE)
DIGIT = one_of("09")
_TAIL = one_of("\x80\xbf")
UTF8 = many(
    choice(
        one_of("\x00\x7f"),
        sequence(one_of("\xc2\xdf"), _TAIL),
        sequence(one_of("\xe0"), one_of("\xa0\xbf"), _TAIL),
        sequence(one_of("\xe1\xec", "\xee\xef"), _TAIL, _TAIL),
        sequence(one_of("\xed"), one_of("\x80\x9f"), _TAIL),
        sequence(one_of("\xf0"), one_of("\x90\xbf"), _TAIL, _TAIL),
        sequence(one_of("\xf1\xf3"), _TAIL, _TAIL, _TAIL),
        sequence(one_of("\xf4"), one_of("\x80\x8f"), _TAIL, _TAIL),
    )
)


# Pairs of states that are looked at: sets of codecs have a few dozen, but for cells of a great fixed size.
_MOST_PAIRS = 20_000
_READABLE = b"1234567890abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ{}[]+-./=:,_ "

_Path = tuple["_Path", frozenset[int]] | None


def common_bytes(one: ByteSet, other: ByteSet) -> Iterator[bytes | None]:
    """Bytes that both sets hold, the shorter ones first, a few of each form; none of it proves that there are none.

    None comes last where the search was given up, so that there may be more.
    """
    if not one.lengths.meet(other.lengths):
        return
    waiting: deque[tuple[ByteSet, ByteSet, _Path]] = deque([(one, other, None)])
    known = set[tuple[ByteSet, ByteSet]]()
    while waiting:
        left, right, path = waiting.popleft()
        if left.holds_nothing and right.holds_nothing:
            yield from _spelled(path)
        for members, after in left.heads():
            for others, behind in right.heads():
                both, pair = members & others, (after, behind)
                if both and pair not in known:
                    known.add(pair)
                    waiting.append((*pair, (path, both)))
        if len(known) > _MOST_PAIRS:
            yield None
            return


def _spelled(path: _Path) -> Iterator[bytes]:
    """Bytes along a path: different ones in a row, where people can read them; then the greatest and the least."""
    places: list[frozenset[int]] = []
    while path is not None:
        path, members = path
        places.append(members)
    places.reverse()
    yield bytes(_varied(members, at) for at, members in enumerate(places))
    yield bytes(map(max, places))
    yield bytes(map(min, places))


def _varied(members: frozenset[int], at: int) -> int:
    readable = [one for one in _READABLE if one in members] or sorted(members)
    return readable[at % len(readable)]
