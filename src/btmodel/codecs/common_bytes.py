"""What two sets of bytes have in common."""

from collections import deque
from collections.abc import Iterator

from btmodel.codecs.byte_set import ByteSet

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


def disjoint(one: ByteSet, other: ByteSet) -> bool:
    """Whether it is proved that no bytes are in both."""
    return not any(True for _ in common_bytes(one, other))


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
