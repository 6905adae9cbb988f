"""Rows in files: JSON lines and CSV as text, Parquet through Arrow; read from JSON lines and Parquet."""

import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

from attrs import frozen

from btmodel.cli.output import new_file
from btmodel.cli.row_terms import AnyRows
from btmodel.declare import Model, from_dict, schema_of, to_dict
from btmodel.errors import BtmodelError, SettingsError, ValueRefused

Count = Callable[[int], object]  # takes the number of rows so far
Report = Callable[[Exception], object]  # takes the error of a row that is left out
WRITTEN = (".jsonl", ".csv", ".parquet")
READ = (".jsonl", ".parquet")


def kind_of(path: Path, known: Sequence[str]) -> str:
    """The ending of a file's name, by which its form is known. Raises :class:`SettingsError` for others."""
    if path.suffix not in known:
        raise SettingsError(f"{path}: expected a name that ends with {', '.join(known)}")
    return path.suffix


def write_rows(
    path: Path, read: AnyRows, columns: Sequence[str], count: Count, report: Report, *, force: bool
) -> int:
    """Write rows to a new file, in the form that its name ends with; return how many.

    The file is there when it is complete, or not at all. Raises what :func:`new_file` does, and
    :class:`SettingsError` for another ending.
    """
    kind = kind_of(path, WRITTEN)
    with new_file(path, force=force) as file:
        if kind == ".parquet":
            return _write_parquet(file, read, count)
        text = TextIOWrapper(file, "utf-8", newline="")
        written = _write_text(text, read, columns if kind == ".csv" else None, count, report)
        text.detach()
    return written


def _write_text(
    file: IO[str], read: AnyRows, columns: Sequence[str] | None, count: Count, report: Report
) -> int:
    """Write rows as CSV with these columns, or as JSON lines."""
    table, written = csv.writer(file), 0
    if columns is not None:
        table.writerow(columns)
    for values in as_json(read, report):
        if columns is None:
            file.write(json.dumps(values) + "\n")
        else:
            table.writerow([as_text(values.get(name)) for name in columns])
        written += 1
        count(written)
    return written


def as_json(read: AnyRows, report: Report) -> Iterator[dict[str, Any]]:
    """Each row as JSON has it; ``report`` takes the errors of those that it has no form for, such as an infinite number."""
    for row in read:
        try:
            yield to_dict(row, json=True)
        except ValueRefused as error:
            report(error)


def as_text(value: Any) -> str:
    """A value of JSON as a cell of a table: text as it is, nothing for null, and JSON of anything else."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _write_parquet(file: IO[bytes], read: AnyRows, count: Count) -> int:
    from btmodel.columnar import parquet  # here, as few files are of that form

    written, batches = 0, iter(read.arrow_batches())
    first = next(batches, None)
    schema = read.limit(1).to_arrow().schema if first is None else first.schema
    with parquet().ParquetWriter(file, schema) as writer:
        while first is not None:
            writer.write_batch(first)
            written += first.num_rows
            count(written)
            first = next(batches, None)
    return written


class LineRefused(BtmodelError):
    """A line that is no row of the model, with its place."""


@frozen
class Lines:
    """Reads rows of a model from lines of JSON: from pairs of a number, from 1 on, and a line."""

    model: type[Model]
    name: str

    def row(self, line: tuple[int, bytes]) -> Model:
        """The row of one line. Raises :class:`LineRefused`."""
        try:
            return self._row(line[1])
        except (BtmodelError, TypeError) as error:
            raise self.refused(line, error) from None

    def refused(self, line: tuple[int, bytes], error: Exception) -> LineRefused:
        """The error of a line, with its place."""
        return LineRefused(f"{self.name}:{line[0]}: {error}")

    def _row(self, line: bytes) -> Model:
        name = schema_of(self.model).name
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ValueRefused(f"a row as a JSON object on one line ({error})", line, where=name) from None
        if not isinstance(values, dict):
            raise ValueRefused("a row as a JSON object", values, where=name)
        return from_dict(self.model, values, json=True)


@contextmanager
def lines_of(path: Path | None) -> Iterator[tuple[str, Iterator[tuple[int, bytes]]]]:
    """The name of a file, or else of standard input, and its lines with their numbers, but for empty ones.

    Raises :class:`SettingsError` where it cannot be read.
    """
    if path is None:
        yield "standard input", _numbered(sys.stdin.buffer)
        return
    with _opened(path) as file:
        yield str(path), _numbered(file)


def _numbered(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


@contextmanager
def batches_of(path: Path) -> Iterator[Any]:
    """A reader of the record batches in a file of Parquet. Raises :class:`SettingsError` where it is none."""
    from btmodel.columnar import parquet, pyarrow

    library, pq = pyarrow(), parquet()
    with _opened(path) as file:
        try:
            opened = pq.ParquetFile(file)
        except (library.ArrowException, ValueError) as error:
            raise SettingsError(f"{path}: is no file of Parquet: {error}") from None
        yield library.RecordBatchReader.from_batches(opened.schema_arrow, opened.iter_batches())


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    with file:
        yield file
