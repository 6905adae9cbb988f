"""A mark: a cell that says something by being there."""

from attrs import frozen

from btmodel.codecs.byte_set import ByteSet, literal
from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import ValueRefused


@frozen
class Present(CellCodec[bool]):
    """True as an empty cell: for tags, marks and the members of a set.

    Declare the column as ``bool | None`` with ``default=None``: None is the absent cell, and False is refused,
    since a put leaves the cells of what is None as they are and could not take a mark away.
    """

    @property
    def python_type(self) -> type:
        """``bool``."""
        return bool

    @property
    def typical_size(self) -> int:
        """0."""
        return 0

    @property
    def max_size(self) -> int:
        """0."""
        return 0

    @property
    def reads(self) -> ByteSet:
        """No bytes."""
        return literal(b"")

    @property
    def meaning(self) -> str:
        """In words."""
        return "an empty cell, true by being there"

    def encode(self, value: bool) -> bytes:
        """No bytes."""
        if value is not True:
            raise ValueRefused("True, or None for an absent cell", value)
        return b""

    def decode(self, raw: bytes) -> bool:
        """True."""
        if raw:
            raise ValueError(f"wanted an empty cell, got {raw!r}")
        return True
