"""What an answer says in words."""

from attrs import frozen


@frozen
class Said:
    """The sentence of one table, whether it tells of a hot spot, and ``more`` that belongs to it, a line each."""

    table: str
    sentence: str
    hot: bool
    more: tuple[str, ...] = ()
