"""The formats of files with rows, by the endings of their names, and what a command asks of such a file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import date, datetime
from os.path import isdir
from pathlib import Path
from typing import IO, Any

from attrs import field, frozen

from btmodel.cli.output import new_file, new_folder
from btmodel.cli.row_files import parquet, text
from btmodel.cli.row_files.partitions import NO_ROWS, PARTITIONS, UNITS, PartWriter, write_partitions
from btmodel.cli.row_files.source import Count, Report, Source
from btmodel.declare import Model
from btmodel.errors import SettingsError, ValueRefused
from btmodel.repository.any_repository import AnyRepository, AnyRows
from btmodel.schema import ModelSchema
from btmodel.words import meant


def kind_of(path: Path, known: Sequence[str]) -> str:
    """The ending of a file's name, by which its form is known. Raises :class:`SettingsError` for others."""
    if path.suffix not in known:
        raise SettingsError(f"{path}: expected a name that ends with {', '.join(known)}")
    return path.suffix


@frozen
class FileForm:
    """What a file holds: rows, or every cell of them; and by which field, or unit of a time, it is divided into a folder of files."""

    partition: str | None
    cells: bool = field(kw_only=True)

    @property
    def name(self) -> str:
        """The field that divides it."""
        return (self.partition or "").partition(":")[0]

    @property
    def unit(self) -> str:
        """The unit of its time; empty where each value is meant."""
        return (self.partition or "").partition(":")[2]

    def check(self, path: Path | None, model: ModelSchema) -> None:
        """Raise :class:`SettingsError` where there is no such file of the ``model``."""
        if path is None:
            if self.partition is not None or self.cells:
                raise SettingsError("--partition and --cells: expected --out, the file or folder to write to")
            return
        if self.partition is None:
            kind_of(path, (".parquet",) if self.cells else ENDINGS)
            return
        if self.cells:
            raise SettingsError("--partition: expected rows, which have fields, and --cells writes cells")
        known = {part.name: part.codec.python_type for part in model.key.asked}
        if self.name not in known:
            raise SettingsError(
                f"--partition: {model.name} has no key field {self.name!r}{meant(self.name, list(known), 'key fields')}"
            )
        timed = known[self.name] in (date, datetime)
        if self.unit and not (timed and self.unit in UNITS):
            what = f"one of the units {', '.join(UNITS)}" if timed else "no unit, as the field is no time"
            raise SettingsError(f"--partition: expected {what}, got {self.partition!r}")


@contextmanager
def _columns_named_by_only() -> Iterator[None]:
    """Report a value that no column of Parquet can hold with what the command has for that."""
    try:
        yield
    except ValueRefused as error:
        from btmodel.columnar import Unfit

        if not isinstance(error, Unfit):
            raise
        raise SettingsError(f"{error} with --only, or write .jsonl or .csv") from None


@_columns_named_by_only()
def write_rows(
    path: Path,
    form: FileForm,
    repository: AnyRepository,
    read: AnyRows,
    columns: Sequence[str],
    count: Count,
    report: Report,
    *,
    force: bool,
) -> int:
    """Write rows or cells to a new file, in the form that its name ends with, or to a folder; return how many.

    The file or folder is there when it is complete, or not at all. Raises what :func:`new_file` does, and
    :class:`SettingsError` for another ending or for a value that Parquet cannot hold.
    """
    if form.partition is not None:
        with new_folder(path, PARTITIONS, force=force) as folder:
            if not (written := write_partitions(folder, form.name, form.unit, read, count)):
                # As `put` needs a file, whatever it holds.
                PartWriter.of(folder / NO_ROWS, parquet.schema_of_rows(read)).close()
            return written
    file_format = _FORMATS[kind_of(path, ENDINGS)]
    with new_file(path, force=force) as file:
        if form.cells:
            return parquet.write_cells(file, repository, read, count)
        return file_format.write(file, read, columns, count, report)


def source_of(path: Path | None, model: type[Model]) -> AbstractContextManager[Source[Any]]:
    """A reader for a file, or else for standard input, and what it reads: records of CSV, rows of Parquet, or JSON lines.

    Raises :class:`SettingsError` where there is nothing of this kind.
    """
    if path is None:
        return text.lines_of(None, model)
    if isdir(path):
        return parquet.rows_in(path, model)
    return _FORMATS[kind_of(path, ENDINGS)].read(path, model)


@frozen
class _Format:
    """How files with one ending are written, by ``btmodel rows --out``, and read, by ``btmodel put``."""

    write: Callable[[IO[bytes], AnyRows, Sequence[str], Count, Report], int]
    read: Callable[[Path, type[Model]], AbstractContextManager[Source[Any]]]


_FORMATS = {
    ".jsonl": _Format(text.write_lines, text.lines_of),
    ".csv": _Format(text.write_csv, text.records_of),
    ".parquet": _Format(parquet.write_rows, parquet.rows_in),
}
ENDINGS = tuple(_FORMATS)
