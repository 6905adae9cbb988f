"""Python that a template prints an item a line, joined to one line where it fits, as formatters leave it."""

from collections.abc import Iterator

from attrs import frozen

from btmodel_codegen.python_text import NARROW, width

_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")


@frozen
class _Piece:
    """A line of code; one that ends with an opening bracket holds the lines up to ``last``, which closes it."""

    first: str
    last: str = ""
    inside: "tuple[_Piece, ...]" = ()

    @property
    def flat(self) -> str:
        items = ", ".join(piece.flat.removesuffix(",") for piece in self.inside)
        return f"{self.first}{items}{self.last}"

    def lines(self, indent: int) -> Iterator[str]:
        """The one line, or, where that is too long, a line for each item, and a comma behind the last one."""
        pad = " " * indent
        if not self.inside or indent + width(self.flat) <= NARROW:
            yield f"{pad}{self.flat}"
            return
        yield f"{pad}{self.first}"
        for piece in self.inside:
            yield from piece.lines(indent + 4)
        yield f"{pad}{self.last}"


def joined(text: str) -> str:
    """``text``, in which every bracket that is opened at the end of a line stands on one line where it fits.

    Every item ends with a comma, as in what formatters leave a line for each.
    """
    lines = text.splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    rest = iter([line.strip() for line in lines])
    return "".join(f"{line}\n" for piece in _pieces(rest) for line in piece.lines(indent))


def _pieces(lines: Iterator[str]) -> "Iterator[_Piece]":
    """The lines up to the one that closes what is open, which is given back last of all, by itself."""
    for line in lines:
        if line.startswith(_CLOSING):
            yield _Piece("", line)
            return
        if line.endswith(_OPENING):
            *inside, closing = _pieces(lines)
            yield _Piece(line, closing.last, tuple(inside))
        else:
            yield _Piece(line)
