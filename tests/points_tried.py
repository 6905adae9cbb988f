"""Which of many points a test disturbs: some of every kind, spread evenly, or with ``--thorough`` all of them."""

from collections.abc import Hashable, Sequence

from tests.examples_tried import THOROUGH


def points(kinds: Sequence[Hashable], spread: int = 0, *, thorough: bool = THOROUGH) -> list[int]:
    """The first and the last point, the first of each kind, and so many that lie evenly between; or all of them.

    ``kinds`` holds for each point what it is: two points of one kind are expected to prove the same.
    """
    last = len(kinds) - 1
    if thorough:
        return list(range(last + 1))
    firsts = {kind: at for at, kind in reversed([*enumerate(kinds)])}
    evenly = (round(last * part / (spread + 1)) for part in range(spread + 2))
    return sorted({*firsts.values(), *evenly}) if kinds else []
