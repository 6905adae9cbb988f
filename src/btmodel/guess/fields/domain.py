"""Names of internet domains, the top one first."""

import re
from collections.abc import Sequence

from btmodel.codecs.key import ReversedDomain
from btmodel.guess.fields.base import SEVERAL, FieldGuess, fits, roomy, sizes

_TOP = frozenset(
    b"com org net edu gov mil int info biz io dev app ai co uk de fr nl eu us ca au jp cn in br ru it es ch at"
    b" se no pl be dk fi ie nz za kr tw mx".split()
)


_LABELS = re.compile(rb"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")


def reversed_domain(values: Sequence[bytes]) -> FieldGuess | None:
    """Three or more of labels between dots: the first is a top-level domain in all values, and the last in few."""
    labels = [value.split(b".") for value in values]
    last = sum(one[-1] in _TOP for one in labels)
    if (
        len(set(values)) < SEVERAL
        or not all(map(_LABELS.fullmatch, values))
        or not all(one[0] in _TOP for one in labels)
        or 4 * last > len(values)
    ):
        return None
    codec = ReversedDomain(roomy(values))
    said = f"a domain in reverse, {sizes(values)}"
    return FieldGuess(codec, said, "domain", sure=True) if fits(codec, values) else None
