"""Which timestamp the plain cells of a write get."""

from attrs import frozen


@frozen
class Stamp:
    """The timestamp of plain cells: that of an attribute, a fixed one, or the time of writing.

    ``attribute`` names a time of the row. Where it is no key field it lives in the
    timestamps alone (``stored`` is true), and is read from them; where it is None, the
    time of writing is taken, unless it is ``required``. ``fixed`` counts microseconds since 1970.
    """

    attribute: str | None = None
    stored: bool = False
    required: bool = False
    fixed: int | None = None


# The time of writing.
WRITTEN = Stamp()
