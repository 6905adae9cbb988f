"""Pictures of a simulation: a page of HTML, a PNG, and heat maps for the terminal."""

from btmodel.simulate.picture.heat import BUCKETS, Heat
from btmodel.simulate.picture.page import page
from btmodel.simulate.picture.png import png
from btmodel.simulate.picture.scale import Scale, scale_of
from btmodel.simulate.picture.side import Side
from btmodel.simulate.picture.summary import told, told_of_nodes

__all__ = ["BUCKETS", "Heat", "Scale", "Side", "page", "png", "scale_of", "told", "told_of_nodes"]
