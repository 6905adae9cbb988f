"""What the rows of two tables add up to, by groups of keys: where these sums are equal, so are the rows.

Each row goes to one of 262,144 groups by a hash of its key. A part of both tables can be read anywhere, in any order: the sums of parts are added.
"""

from array import array
from collections.abc import Container
from hashlib import blake2b

from attrs import define, field, frozen

_GROUPS = 2**18
_HASHES = 2**64


@frozen
class Counts:
    """How many rows follow from the old table, and how many the new one has."""

    old: int = 0
    new: int = 0

    @property
    def most_are_beyond(self) -> bool:
        """Whether most rows of the new table follow from none of the old one, which has lost its own, as far as can be seen."""
        return self.old * 2 < self.new


@define(eq=False)
class Sums:
    """The sum of the hashes of new rows less those that follow from old ones, by groups, and how many rows there are."""

    old: int = 0
    new: int = 0
    _groups: "array[int]" = field(factory=lambda: array("Q", bytes(8 * _GROUPS)))

    def add_old(self, key: bytes, hash: int) -> None:
        """Count what follows from an old row under the new ``key``."""
        self.old += 1
        self._add(key, -hash)

    def add_new(self, key: bytes, hash: int, *, counts: bool = True) -> None:
        """Add a new row, and count it unless it says nothing of how many there should be."""
        self.new += counts
        self._add(key, hash)

    def _add(self, key: bytes, hash: int) -> None:
        group = _group(key)
        self._groups[group] = (self._groups[group] + hash) % _HASHES

    def include(self, other: "Sums") -> None:
        """Add the sums of another part."""
        self.old += other.old
        self.new += other.new
        both = zip(self._groups, other._groups, strict=True)
        self._groups = array("Q", [(mine + theirs) % _HASHES for mine, theirs in both])

    @property
    def counts(self) -> Counts:
        """How many rows there are."""
        return Counts(self.old, self.new)

    def differing(self) -> "Differing | None":
        """The keys of groups that are not equal in both tables; None if all are."""
        groups = bytes(map(bool, self._groups))
        return Differing(groups) if any(groups) else None


@frozen
class Differing(Container[bytes]):
    """The keys of some groups: a byte for each group, which is 1 if its keys are among them."""

    groups: bytes

    def __contains__(self, key: object) -> bool:
        return isinstance(key, bytes) and self.groups[_group(key)] == 1


def _group(key: bytes) -> int:
    return int.from_bytes(blake2b(key, digest_size=4).digest()) % _GROUPS
