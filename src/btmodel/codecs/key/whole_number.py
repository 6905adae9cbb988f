"""What all codecs of whole numbers share."""

from abc import abstractmethod

from btmodel.codecs.key.base import KeyCodec, Kind, whole_number


class WholeNumber(KeyCodec[int]):
    """A whole number from ``least`` to ``most``."""

    @property
    def python_type(self) -> type:
        """``int``."""
        return int

    @property
    def kind(self) -> Kind:
        """A number."""
        return Kind.NUMBER

    @property
    def least(self) -> int:
        """The least number: 0, unless overridden."""
        return 0

    @property
    @abstractmethod
    def most(self) -> int:
        """The greatest number."""

    def checked(self, value: int) -> int:
        """``value``, where it is a number that the field can hold; else it is refused."""
        return whole_number(value, least=self.least, most=self.most)

    def bound(self, value: int) -> bytes | None:
        """The bytes of ``value``, or of the least number where it is below; None where it is above the greatest."""
        if type(value) is not int:
            return self.encode(value)
        return self.encode(max(value, self.least)) if value <= self.most else None
