"""Pictures of a simulation: a page of HTML, a PNG, and heat maps for the terminal."""

from btmodel.simulate.picture.files import heat_sentences, node_sentences, page, png
from btmodel.simulate.picture.heat import BUCKETS, ColorScale, Heat, Side, scale_of

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
