"""Rows in files: JSON lines and CSV as text, Parquet through Arrow."""

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import date, datetime
from io import TextIOWrapper
from os.path import isdir
from pathlib import Path
from typing import IO, Any, Generic, Protocol, TypeVar

from attrs import evolve, field, frozen

from btmodel.cli.cells_origin import CellsOrigin
from btmodel.cli.output import new_file, new_folder
from btmodel.cli.partitions import NO_ROWS, PARTITIONS, UNITS, PartWriter, write_partitions, writer_of
from btmodel.cli.terminal import echo
from btmodel.codecs.cell.json import unique_keys
from btmodel.declare import Model, from_dict, key_of, schema_of, to_dict
from btmodel.declare.row_forms import from_text
from btmodel.errors import BtmodelError, QueryRefused, SettingsError, ValueRefused, shown
from btmodel.repository.terms import AnyRepository, AnyRows, as_text
from btmodel.schema import ModelSchema
from btmodel.words import as_text as bytes_text
from btmodel.words import counted, meant

Count = Callable[[int], object]  # takes the number of rows so far
Report = Callable[[Exception], object]  # takes the error of a row that is left out


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


class Writable(Protocol):
    """What text is written to."""

    def write(self, text: str, /) -> object:
        """Write some text."""


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
                PartWriter.of(folder / NO_ROWS, _schema(read)).close()
            return written
    file_format = _FORMATS[kind_of(path, ENDINGS)]
    with new_file(path, force=force) as file:
        if form.cells:
            about = CellsOrigin.of(repository).metadata
            return _write_batches(file, read.cells_arrow(), _no_cells, count, about)
        return file_format.write(file, read, columns, count, report)


def _write_lines(file: IO[bytes], read: AnyRows, columns: Sequence[str], count: Count, report: Report) -> int:
    """Write rows as JSON lines, with all their attributes; return how many."""
    return _write_as_text(file, read, None, count, report)


def _write_as_text(
    file: IO[bytes], read: AnyRows, columns: Sequence[str] | None, count: Count, report: Report
) -> int:
    """Write rows as CSV with these columns, or as JSON lines, in UTF-8; return how many."""
    text = TextIOWrapper(file, "utf-8", newline="")
    written = write_text(text, read, columns, count, report)
    text.detach()
    return written


def _write_parquet(
    file: IO[bytes], read: AnyRows, columns: Sequence[str], count: Count, report: Report
) -> int:
    """Write rows as Parquet, by way of Arrow, which has a form for each of them; return how many."""
    return _write_batches(file, read.arrow_batches(), lambda: _schema(read), count)


def write_text(
    file: Writable, read: AnyRows, columns: Sequence[str] | None, count: Count, report: Report
) -> int:
    """Write rows as CSV with these columns, or as JSON lines; return how many."""
    table, written = csv.writer(file), 0
    if columns is not None:
        table.writerow(columns)
    for values in as_json(read, report, "JSON" if columns is None else "CSV"):
        if columns is None:
            file.write(json.dumps(values) + "\n")
        else:
            table.writerow([as_text(values.get(name)) for name in columns])
        written += 1
        count(written)
    return written


def as_json(read: AnyRows, report: Report, written_as: str = "JSON") -> Iterator[dict[str, Any]]:
    """Each row as JSON has it; ``report`` takes the errors of those that it has no form for, such as an infinite number.

    An error names the row by its key, and the form that the row is ``written_as``.
    """
    for row in read:
        try:
            yield to_dict(row, json=True)
        except ValueRefused as error:
            wanted = error.wanted.removesuffix(", in JSON")
            where = f"row {bytes_text(key_of(row))}: {error.where}"
            report(ValueRefused(f"{wanted}, in {written_as}", error.got, where=where))


def _schema(read: AnyRows) -> Any:
    return evolve(read, parallel=None).limit(1).to_arrow().schema


def _no_cells() -> Any:
    from btmodel.columnar import Cells

    return Cells(1).batch().schema


def _write_batches(
    file: IO[bytes],
    given: Iterable[Any],
    empty: Callable[[], Any],
    count: Count,
    metadata: dict[bytes, bytes] | None = None,
) -> int:
    """Write record batches; of none, the schema is that of ``empty``."""
    written, batches = 0, iter(given)
    first = next(batches, None)
    schema = empty() if first is None else first.schema
    with writer_of(file, schema.with_metadata(metadata)) as writer:
        while first is not None:
            writer.write_batch(first)
            written += first.num_rows
            count(written)
            first = next(batches, None)
    return written


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


def source_of(path: Path | None, model: type[Model]) -> AbstractContextManager[Source[Any]]:
    """A reader for a file, or else for standard input, and what it reads: records of CSV, rows of Parquet, or JSON lines.

    Raises :class:`SettingsError` where there is nothing of this kind.
    """
    if path is None:
        return _lines_of(None, model)
    if isdir(path):
        return _parquet_rows_of(path, model)
    return _FORMATS[kind_of(path, ENDINGS)].read(path, model)


@contextmanager
def _lines_of(path: Path | None, model: type[Model]) -> Iterator[Source[bytes]]:
    """A reader of JSON lines, and the lines of a file, or else of standard input, with their numbers, but for empty ones.

    Raises :class:`SettingsError` where it cannot be read.
    """

    def row(line: bytes) -> Model:
        name = schema_of(model).name
        try:
            # json itself would guess UTF-16 and UTF-32, too, line by line.
            values = json.loads(line.decode("utf-8-sig"), object_pairs_hook=unique_keys)
        except (ValueError, RecursionError) as error:
            raise ValueRefused(
                f"a row as a JSON object on one line ({_why(error)})", line, where=name
            ) from None
        if not isinstance(values, dict):
            raise ValueRefused("a row as a JSON object", values, where=name)
        return from_dict(model, values, json=True)

    wanted = f"a row of {schema_of(model).name} as a JSON object on each line"
    if path is None:
        yield LineReader(row), _numbered("standard input", sys.stdin.buffer, wanted)
        return
    with _opened(path) as file:
        yield LineReader(row), _numbered(str(path), file, wanted)


def _why(error: Exception) -> str:
    """What is wrong with one line; the parser would count lines from this one on."""
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, at character {error.pos + 1}"
    return str(error)


def _numbered(name: str, lines: Iterable[bytes], wanted: str) -> Iterator[tuple[str, bytes]]:
    """The lines that are not empty, with their numbers; of none, a note says what is ``wanted``."""
    empty = True
    for number, line in enumerate(lines, 1):
        if line.strip():
            empty = False
            yield f"{name}:{number}", line
    if empty:
        _note_empty(name, wanted)


def _note_empty(name: str, wanted: str) -> None:
    """Say that a file holds nothing: an export of no rows may be such a file, and so is one whose writer has failed."""
    echo(f"note: {name} is empty: expected {wanted}", err=True)


@contextmanager
def _records_of(path: Path, model: type[Model]) -> Iterator[Source[list[str] | csv.Error]]:
    """A reader of CSV, and the records of a file, each with the number of its first line.

    In place of what is not CSV comes the error, and nothing behind it: it is one of the refused records, which are all reported.

    Nor is the last record, where it has no line end: cut off within a field, it would be a row with another value. A file without any record holds no rows, and a note says so. An empty field means no value; of what every row must have, in its key or in a column, it is the empty text, or no bytes. Raises :class:`SettingsError` where the file cannot be
    read, or where its first line is not a list of attributes of the ``model``, with each that a row must have.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    # What is not UTF-8 comes as surrogates, of which the reader refuses the record: the file as such has no place for an error.
    with _opened(path) as file, TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="") as text:
        records = _records(path, text)
        first = next(records, None)
        schema = schema_of(model)
        if first is None:
            wanted = f"a first line with names of attributes of {schema.name}, and a row on each other line"
            _note_empty(str(path), wanted)
            first = ("", list(schema.attributes))
        place, names = first
        if isinstance(names, csv.Error):
            raise SettingsError(f"{place}: expected names of attributes of {model.__name__} as CSV: {names}")
        _check_encoding(place, names)
        _check_header(place, model, names)
        empty = {name for name in schema.required_attributes if _may_be_empty(model, name)}

        def row(record: list[str] | csv.Error) -> Model:
            if isinstance(record, UnendedRecord):
                raise SettingsError(str(record))
            if isinstance(record, csv.Error):
                raise SettingsError(
                    f"the record that begins here is not CSV: {record}. The lines behind it were not read: put a whole file"
                )
            if len(record) != len(names):
                raise ValueRefused(f"{counted(len(names), 'field')}, as in the first line", record)
            for name, value in zip(names, record, strict=True):
                if not (value.isascii() or _is_text(value)):
                    raw = value.encode("utf-8", "surrogateescape")
                    raise ValueRefused("text in UTF-8", raw, where=f"{schema.name}.{name}")
            fields = zip(names, record, strict=True)
            return from_dict(
                model,
                {name: from_text(model, name, value) for name, value in fields if value or name in empty},
            )

        yield LineReader(row), records


def _may_be_empty(model: type[Model], name: str) -> bool:
    try:
        from_text(model, name, "")
    except ValueRefused:
        return False
    return True


def _check_encoding(place: str, names: Sequence[str]) -> None:
    """Raise :class:`SettingsError` where the first line is not UTF-8, as of a file in UTF-16."""
    line = ",".join(names)
    if not _is_text(line):
        raise SettingsError(
            f"{place}: expected text in UTF-8, got {shown(line.encode('utf-8', 'surrogateescape'))}"
        )


def _check_header(place: str, model: type[Model], names: Sequence[str]) -> None:
    """Raise :class:`SettingsError` where ``names`` are not those of attributes of the model, with each that a row must have."""
    schema = schema_of(model)
    known = schema.attributes
    wrong = next((name for name in names if name not in known or names.count(name) > 1), None)
    if wrong is not None or not names:
        got = "an empty file" if wrong is None else repr(wrong)
        raise SettingsError(
            f"{place}: expected names of attributes of {model.__name__} ({', '.join(known)}), each once, got {got}"
        )
    lacking = [name for name in schema.required_attributes if name not in names]
    if lacking:
        raise SettingsError(
            f"{place}: expected a field for each attribute that a row of {model.__name__} must have; "
            f"there is none for {', '.join(lacking)}"
        )


_LONGEST_FIELD = 2**31 - 1  # the one of Python, 128 KiB, is less than a cell may hold


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


class UnendedRecord(csv.Error):
    """The last record of a file, which has no line end."""

    def __init__(self) -> None:
        super().__init__(
            "the last record has no line end, and may have been cut off: put a whole file, in which the last line ends, too"
        )


def _records(path: Path, text: Iterable[str]) -> Iterator[tuple[str, list[str] | csv.Error]]:
    """The records that are not empty, each with its first line; in place of the first that is not CSV, or that has no line end, the error."""
    ended, last = 0, ""  # the line on which the last record ended, and the last one that was read

    def lines() -> Iterator[str]:
        nonlocal last
        for last in text:
            yield last

    reader = csv.reader(lines(), strict=True)
    try:
        for record in reader:
            if record:
                whole = last.endswith(("\n", "\r"))
                yield f"{path}:{ended + 1}", record if whole else UnendedRecord()
            ended = reader.line_num
    except csv.Error as error:
        yield f"{path}:{ended + 1}", error


@contextmanager
def _parquet_rows_of(path: Path, model: type[Model]) -> Iterator[Source[dict[str, Any] | ValueRefused]]:
    """A reader of the rows of a Parquet file, or of those of a folder. Raises :class:`SettingsError` where its columns are not those of the model."""
    from btmodel.columnar import rows_of

    schema = schema_of(model)
    paths = _parquet_files_in(path)
    for each in paths:  # before a row of any of them is written
        with _parquet_file(each) as file, _placed(each):
            rows_of(schema, file.schema_arrow.empty_table())

    def rows() -> Iterator[tuple[str, dict[str, Any] | ValueRefused]]:
        for each in paths:
            with _parquet_file(each) as file:
                found = rows_of(schema, _reader(file.schema_arrow, _batches(each, file)))
                yield from ((f"{each}, row {number}", row) for number, row in enumerate(found, 1))

    def row(given: dict[str, Any] | ValueRefused) -> Model:
        if isinstance(given, ValueRefused):
            raise given
        return model(**given)

    yield LineReader(row), rows()


@contextmanager
def cells_of_file(path: Path, repository: AnyRepository | None) -> Iterator[Any]:
    """A reader of the cells in a Parquet file, or in those of a folder.

    Raises :class:`SettingsError` where it has none, or those of another table than that of the ``repository``; None takes all.
    """
    from btmodel.columnar import cells_of

    paths = _parquet_files_in(path)
    schemas = []
    for each in paths:
        with _parquet_file(each) as file, _placed(each):
            cells_of("", (), file.schema_arrow.empty_table())
            origin = CellsOrigin.in_(file.schema_arrow.metadata)
            if repository is not None and origin is not None:
                origin.check(each, CellsOrigin.of(repository))
            schemas.append(file.schema_arrow)

    def batches() -> Iterator[Any]:
        for each in paths:
            with _parquet_file(each) as file:
                yield from (batch.cast(schemas[0]) for batch in _batches(each, file))

    with _placed(path):
        yield _reader(schemas[0], batches())


def _reader(schema: Any, batches: Iterator[Any]) -> Any:
    from btmodel.columnar import pyarrow

    return pyarrow().RecordBatchReader.from_batches(schema, batches)


def _parquet_files_in(path: Path) -> list[Path]:
    """The Parquet files of a folder and of those in it, or the file itself. Raises :class:`SettingsError` where a folder cannot be listed."""
    if not isdir(path):
        return [path]
    paths = []
    for top, folders, names in os.walk(path, onerror=_refuse_unlisted):
        folders[:] = [name for name in folders if not _hidden(name)]
        _refuse_links(Path(top, name) for name in folders)
        paths += [Path(top, name) for name in names if name.endswith(".parquet") and not _hidden(name)]
    if not paths:
        raise SettingsError(f"{path}: expected a folder with Parquet files, found none")
    return sorted(paths)


def _refuse_unlisted(error: OSError) -> None:
    raise SettingsError(f"{error.filename}: cannot be read: {error.strerror or error}") from None


def _refuse_links(folders: Iterable[Path]) -> None:
    """Raise :class:`SettingsError` for a link, which is not followed: its rows would be left out."""
    for folder in folders:
        if folder.is_symlink():
            raise SettingsError(
                f"{folder}: expected a folder, got a link to one: put the folder that it leads to by itself"
            )


def _hidden(name: str) -> bool:
    return name.startswith((".", "_"))


@contextmanager
def _placed(path: Path) -> Iterator[None]:
    """Say which file has what is refused."""
    try:
        yield
    except (QueryRefused, ValueRefused) as error:
        raise SettingsError(f"{path}: {error}") from None


@contextmanager
def _parquet_file(path: Path) -> Iterator[Any]:
    """A Parquet file."""
    from btmodel.columnar import parquet, pyarrow

    with _opened(path) as file:
        # Broken bytes are an OSError of pyarrow's.
        try:
            opened = parquet().ParquetFile(file, page_checksum_verification=True)
            for column in opened.schema_arrow:
                _read_texts(column)
        except (pyarrow().ArrowException, ValueError, OSError) as error:
            raise SettingsError(f"{path}: is not a Parquet file: {_words_of(error)}") from None
        yield opened


def _batches(path: Path, file: Any) -> Iterator[Any]:
    """The record batches of a file."""
    from btmodel.columnar import pyarrow

    try:
        yield from file.iter_batches()
    except (pyarrow().ArrowException, ValueError, OSError) as error:
        raise SettingsError(
            f"{path}: is damaged: {_words_of(error)}. Rows in front of the damage may be written; put a whole file"
        ) from None


def _read_texts(column: Any) -> None:
    """Read the name and the time zone of a column, of which broken ones would be an error wherever they are looked at."""
    _ = column.name, getattr(column.type, "tz", None)
    for at in range(column.type.num_fields):
        _read_texts(column.type.field(at))


def _words_of(error: Exception) -> str:
    """What pyarrow says, on one line and without a full stop."""
    return " ".join(str(error).split()).rstrip(".")


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror or error}") from None
    with file:
        yield file


@frozen
class _Format:
    """How files with one ending are written, by ``btmodel rows --out``, and read, by ``btmodel put``."""

    write: Callable[[IO[bytes], AnyRows, Sequence[str], Count, Report], int]
    read: Callable[[Path, type[Model]], AbstractContextManager[Source[Any]]]


_FORMATS = {
    ".jsonl": _Format(_write_lines, _lines_of),
    ".csv": _Format(_write_as_text, _records_of),
    ".parquet": _Format(_write_parquet, _parquet_rows_of),
}
ENDINGS = tuple(_FORMATS)
