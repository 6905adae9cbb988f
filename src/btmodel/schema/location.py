"""Where something was declared."""

from attrs import frozen


@frozen
class Location:
    """A line of a source file, counted from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"
