"""Models in the place of another: with a salt, with another bucket, or with the key that the review proposes."""

from btmodel.simulate.alternatives.bucketed import bucketed
from btmodel.simulate.alternatives.mended import Mended, mended, with_salt
from btmodel.simulate.alternatives.salted import salted

__all__ = ["Mended", "bucketed", "mended", "salted", "with_salt"]
