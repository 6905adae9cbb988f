"""Parquet by way of Arrow: rows, and cells as they are stored, written and read; a folder of such files is read as one."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os.path import isdir
from pathlib import Path
from typing import IO, Any

from attrs import evolve

from btmodel.cli.row_files.cells_origin import CellsOrigin
from btmodel.cli.row_files.source import Count, LineReader, Report, Source, opened
from btmodel.cli.terminal import echo
from btmodel.declare import Model, schema_of
from btmodel.errors import QueryRefused, SettingsError, ValueRefused, some
from btmodel.repository.any_repository import AnyRepository, AnyRows


def write_rows(file: IO[bytes], read: AnyRows, columns: Sequence[str], count: Count, report: Report) -> int:
    """Write rows as Parquet, by way of Arrow, which has a form for each of them; return how many."""
    return _write_batches(file, read.arrow_batches(), lambda: schema_of_rows(read), count)


def write_cells(file: IO[bytes], repository: AnyRepository, read: AnyRows, count: Count) -> int:
    """Write every cell as it is stored, and whose they are; return how many."""
    about = CellsOrigin.of(repository).metadata
    return _write_batches(file, read.cells_arrow(), _no_cells, count, about)


def schema_of_rows(read: AnyRows) -> Any:
    """The schema of a file with the rows of a read."""
    return evolve(read, parallel=None).limit(1).to_arrow().schema


def writer_of(place: IO[bytes], schema: Any) -> Any:
    """A writer of a Parquet file with checksums: reading it refuses pages that were damaged since."""
    from btmodel.columnar import parquet  # here, as few files are of that form

    return parquet().ParquetWriter(place, schema, write_page_checksum=True)


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


@contextmanager
def rows_in(path: Path, model: type[Model]) -> Iterator[Source[dict[str, Any] | ValueRefused]]:
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
def cells_in(
    path: Path, repository: AnyRepository | None, models: Iterable[type[Model]] = ()
) -> Iterator[Any]:
    """A reader of the cells in a Parquet file, or in those of a folder.

    Raises :class:`SettingsError` where it has none, or those of another table than that of the ``repository``, or in a way that the model which wrote them does not
    read: one of the project's ``models``, or that of the repository. None takes all.
    """
    from btmodel.columnar import cells_of

    paths = _parquet_files_in(path)
    schemas = []
    for each in paths:
        with _parquet_file(each) as file, _placed(each):
            cells_of("", (), file.schema_arrow.empty_table())
            origin = CellsOrigin.in_(file.schema_arrow.metadata)
            if repository is not None and origin is not None:
                into = CellsOrigin.of(repository)
                origin.check(each, into, CellsOrigin.layouts(models, into.named))
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
    paths, others = list[Path](), list[str]()
    for top, folders, names in os.walk(path, onerror=_refuse_unlisted):
        folders[:] = [name for name in folders if not _hidden(name)]
        _refuse_links(Path(top, name) for name in folders)
        for name in (name for name in names if not _hidden(name)):
            if name.endswith(".parquet"):
                paths.append(Path(top, name))
            else:
                others.append(os.path.relpath(Path(top, name), path))
    if not paths:
        raise SettingsError(f"{path}: expected a folder with Parquet files, found none")
    if others:
        echo(f"note: {path}: not read, as no name ends with .parquet: {some(sorted(others), 3)}", err=True)
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

    with opened(path) as file:
        # Broken bytes are an OSError of pyarrow's.
        try:
            table = parquet().ParquetFile(file, page_checksum_verification=True)
            for column in table.schema_arrow:
                _read_texts(column)
        except (pyarrow().ArrowException, ValueError, OSError) as error:
            raise SettingsError(f"{path}: is not a Parquet file: {_words_of(error)}") from None
        yield table


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
