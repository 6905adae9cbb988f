"""A cell whose presence is its value."""

from attrs import frozen

from btmodel.codecs.cell.base import CellCodec
from btmodel.errors import ValueRefused


@frozen
class Present(CellCodec[bool]):
    """True as an empty cell; what is not so has no cell, so the attribute is ``bool | None``."""

    @property
    def python_type(self) -> type:
        """``bool``."""
        return bool

    @property
    def typical_size(self) -> int:
        """0 bytes."""
        return 0

    @property
    def meaning(self) -> str:
        """In words."""
        return "an empty value"

    def encode(self, value: bool) -> bytes:
        """No bytes, for True alone."""
        if value is not True:
            raise ValueRefused("True (or None, for an absent cell)", value)
        return b""

    def decode(self, raw: bytes) -> bool:
        """True, for no bytes alone."""
        if raw:
            raise ValueError(f"wanted an empty value, got {raw!r}")
        return True
