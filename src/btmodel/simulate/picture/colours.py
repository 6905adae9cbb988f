"""The colours of a heat map: cold is dark, hot is bright, as in Key Visualizer."""

from collections.abc import Sequence
from itertools import pairwise

Colour = tuple[int, int, int]

# Each step is about as much brighter as any other, so that the order is seen also in grey and by the colour-blind.
STOPS: Sequence[Colour] = (
    (20, 11, 52),
    (58, 12, 96),
    (101, 21, 110),
    (144, 37, 103),
    (186, 54, 85),
    (221, 81, 58),
    (243, 118, 27),
    (252, 165, 10),
    (246, 215, 70),
    (255, 255, 240),
)
#: Where nothing is written or read.
NOTHING: Colour = (0, 0, 4)


def colour(share: float) -> Colour:
    """The colour between the coldest, 0, and the hottest, 1."""
    place = min(max(share, 0.0), 1.0) * (len(STOPS) - 1)
    at = min(int(place), len(STOPS) - 2)
    (low, high), rest = list(pairwise(STOPS))[at], place - at
    red, green, blue = (round(one + (two - one) * rest) for one, two in zip(low, high, strict=True))
    return red, green, blue
