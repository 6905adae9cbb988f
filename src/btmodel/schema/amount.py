"""Computed numbers of bytes and cells, which are known as far as the figures of a model tell."""

from attrs import frozen


@frozen
class Amount:
    """A number, or as much of it as is known.

    ``least`` is the part that is known; ``missing`` names the figures that the rest depends on,
    as the model would declare them: "`size` of `title`". Without any, ``least`` is the number.
    """

    least: int
    missing: tuple[str, ...] = ()

    @classmethod
    def unknown(cls, *missing: str) -> "Amount":
        """A number of which nothing is known."""
        return cls(0, missing)

    @property
    def value(self) -> int | None:
        """The number, or None where a figure is missing."""
        return None if self.missing else self.least

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.least + other.least, _all(self, other))

    def __mul__(self, other: "Amount") -> "Amount":
        return Amount(self.least * other.least, _all(self, other))


@frozen
class Sizes:
    """What is usual, and what is the most, which is no less: of bytes, or of a number of cells."""

    usual: Amount
    largest: Amount

    def __attrs_post_init__(self) -> None:
        if self.largest.missing and self.largest.least < self.usual.least:
            object.__setattr__(self, "largest", Amount(self.usual.least, self.largest.missing))

    @classmethod
    def of(cls, usual: int, largest: int | None = None) -> "Sizes":
        """Both known; they are one number unless ``largest`` is given."""
        return cls(Amount(usual), Amount(usual if largest is None else largest))

    def __add__(self, other: "Sizes") -> "Sizes":
        return Sizes(self.usual + other.usual, self.largest + other.largest)

    def __mul__(self, other: "Sizes") -> "Sizes":
        return Sizes(self.usual * other.usual, self.largest * other.largest)


def _all(one: Amount, other: Amount) -> tuple[str, ...]:
    """The figures that either lacks, each once."""
    return tuple(dict.fromkeys((*one.missing, *other.missing)))
