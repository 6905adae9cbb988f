"""JSON lines and CSV: rows as text, written and read."""

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any, Protocol

from btmodel.cli.row_files.source import Count, LineReader, Report, Source, note_empty, opened
from btmodel.codecs.cell.json import unique_keys
from btmodel.declare import Model, from_dict, key_of, schema_of, to_dict
from btmodel.declare.row_forms import from_text
from btmodel.errors import SettingsError, ValueRefused, shown
from btmodel.repository.any_repository import AnyRows
from btmodel.repository.row_texts import json_text
from btmodel.words import as_text as bytes_text
from btmodel.words import counted


class Writable(Protocol):
    """What text is written to."""

    def write(self, text: str, /) -> object:
        """Write some text."""


def write_lines(file: IO[bytes], read: AnyRows, columns: Sequence[str], count: Count, report: Report) -> int:
    """Write rows as JSON lines, with all their attributes; return how many."""
    written = 0
    with _as_text(file) as text:
        for written, values in enumerate(as_json(read, report), 1):
            text.write(json.dumps(values) + "\n")
            count(written)
    return written


def write_csv(file: IO[bytes], read: AnyRows, columns: Sequence[str], count: Count, report: Report) -> int:
    """Write rows as CSV with these columns; return how many."""
    with _as_text(file) as text:
        return write_records(text, read, columns, count, report)


@contextmanager
def _as_text(file: IO[bytes]) -> Iterator[TextIOWrapper]:
    """A file that takes text and has it in UTF-8, with the line ends that are written."""
    text = TextIOWrapper(file, "utf-8", newline="")
    yield text
    text.detach()


def write_records(file: Writable, read: AnyRows, columns: Sequence[str], count: Count, report: Report) -> int:
    """Write the records of CSV, the names of the columns first; return how many rows there are."""
    table, written = csv.writer(file), 0
    table.writerow(columns)
    for written, values in enumerate(as_json(read, report, "CSV"), 1):
        table.writerow([json_text(values.get(name)) for name in columns])
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


@contextmanager
def lines_of(path: Path | None, model: type[Model]) -> Iterator[Source[bytes]]:
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
    with opened(path) as file:
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
        note_empty(name, wanted)


@contextmanager
def records_of(path: Path, model: type[Model]) -> Iterator[Source[list[str] | csv.Error]]:
    """A reader of CSV, and the records of a file, each with the number of its first line.

    In place of what is not CSV comes the error, and nothing behind it: it is one of the refused records, which are all reported.

    Nor is the last record, where it has no line end: cut off within a field, it would be a row with another value. A file without any record holds no rows, and a note says so. An empty field means no value; of what every row must have, in its key or in a column, it is the empty text, or no bytes. Raises :class:`SettingsError` where the file cannot be
    read, or where its first line is not a list of attributes of the ``model``, with each that a row must have.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    # What is not UTF-8 comes as surrogates, of which the reader refuses the record: the file as such has no place for an error.
    with opened(path) as file, TextIOWrapper(file, "utf-8-sig", "surrogateescape", newline="") as text:
        records = _records(path, text)
        first = next(records, None)
        schema = schema_of(model)
        if first is None:
            wanted = f"a first line with names of attributes of {schema.name}, and a row on each other line"
            note_empty(str(path), wanted)
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
