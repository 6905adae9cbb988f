"""Pictures of a simulation: a page of HTML, a PNG, and heat maps for the terminal."""

from btmodel.simulate.picture.heat import BUCKETS, ColorScale, Heat, Side, scale_of
from btmodel.simulate.picture.page import heat_sentences, node_sentences, page
from btmodel.simulate.picture.png import png

__all__ = [
    "BUCKETS",
    "ColorScale",
    "Heat",
    "Side",
    "heat_sentences",
    "node_sentences",
    "page",
    "png",
    "scale_of",
]
