"""What is read from files of rows: pairs of a place and what a reader makes a row of."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Generic, TypeVar

from attrs import frozen

from btmodel.cli.terminal import echo
from btmodel.declare import Model
from btmodel.errors import BtmodelError, SettingsError

Count = Callable[[int], object]  # takes the number of rows so far
Report = Callable[[Exception], object]  # takes the error of a row that is left out


class LineRefused(BtmodelError):
    """A line of a file that is not a row of the model, with its place."""


T = TypeVar("T")


@frozen
class LineReader(Generic[T]):
    """Makes rows of a model from what a file has for them: pairs of a place, as messages have it, and what ``made`` takes."""

    made: Callable[[T], Model]

    def row(self, line: tuple[str, T]) -> Model:
        """The row of one line. Raises :class:`LineRefused`."""
        try:
            return self.made(line[1])
        except (BtmodelError, TypeError) as error:
            raise self.refused(line, error) from None

    def refused(self, line: tuple[str, T], error: Exception) -> LineRefused:
        """The error of a line, with its place."""
        return LineRefused(f"{line[0]}: {error}")


Source = tuple[LineReader[T], Iterator[tuple[str, T]]]


def note_empty(name: str, wanted: str) -> None:
    """Say that a file holds nothing: an export of no rows may be such a file, and so is one whose writer has failed."""
    echo(f"note: {name} is empty: expected {wanted}", err=True)


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file. Raises :class:`SettingsError` where it cannot be read."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    with file:
        yield file
