"""A table in a folder of Parquet files, divided by the values of a field, or by the units of a time."""

import errno
import re
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from attrs import frozen

from btmodel.cli.row_files.parquet import writer_of
from btmodel.errors import SettingsError, shown
from btmodel.repository.any_repository import AnyRows

UNITS = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}
_OPEN = 64  # files of partitions at once
NO_ROWS = "part-0.parquet"
PARTITIONS = re.compile(
    rf"[^/]+=[^/]*(/part-\d+\.parquet)?|{re.escape(NO_ROWS)}"
)  # what is in the folder of an export


def write_partitions(
    folder: Path, name: str, unit: str, read: AnyRows, count: Callable[[int], object]
) -> int:
    """Write a file for each partition, in a folder that names its value as Hive does; another one where it was closed meanwhile."""
    writers: dict[str, Any] = {}
    files: Counter[str] = Counter()
    written = 0
    try:
        for batch in read.arrow_batches():
            for value, part in _partitions(batch, name, unit):
                label = f"{unit or name}={_label(value)}"
                writer = writers.pop(label, None)
                if writer is None:
                    if len(writers) == _OPEN:
                        writers.pop(next(iter(writers))).close()
                    place = _folder_of(name, value, folder / label)
                    writer = PartWriter.of(place / f"part-{files[label]}.parquet", batch.schema)
                    files[label] += 1
                writers[label] = writer  # the last one used stands last
                writer.write_batch(part)
            written += batch.num_rows
            count(written)
        return written
    finally:
        for writer in writers.values():
            writer.close()


def _folder_of(name: str, value: Any, place: Path) -> Path:
    """The folder of a value. Raises :class:`SettingsError` for one that is too long for the name of a folder."""
    try:
        place.mkdir(exist_ok=True)
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise SettingsError(
            f"--partition: {name}: expected values that fit into the name of a folder, got {shown(value)}"
        ) from None
    return place


@frozen
class PartWriter:
    """A writer of one file, which it opens itself: its name may be none that Arrow takes, as in a folder that is no UTF-8."""

    file: IO[bytes]
    rows: Any

    @classmethod
    def of(cls, path: Path, schema: Any) -> "PartWriter":
        """A writer of a new file."""
        file = path.open("xb")
        return cls(file, writer_of(file, schema))

    def write_batch(self, batch: Any) -> None:
        """Write some rows."""
        self.rows.write_batch(batch)

    def close(self) -> None:
        """Write the end of the file."""
        with self.file:
            self.rows.close()


def _partitions(batch: Any, name: str, unit: str) -> Iterator[tuple[Any, Any]]:
    """The rows of each value in a batch, with the value."""
    from btmodel.columnar import pyarrow

    pa = pyarrow()
    column = batch.column(name)
    if unit:
        column = pa.compute.strftime(column, format=UNITS[unit])
    else:
        column = column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column
    for value in pa.compute.unique(column):
        rows = pa.compute.is_null(column) if value.as_py() is None else pa.compute.equal(column, value)
        yield value.as_py(), batch.filter(rows)


def _label(value: Any) -> str:
    """A value in the name of a folder, as Hive writes it: what is empty as what is missing, for which Spark does so, too."""
    text = (
        ""
        if value is None
        else value.hex()
        if isinstance(value, bytes)
        else value.isoformat()
        if isinstance(value, date)
        else str(value)
    )
    return quote(text, safe=" ") or "__HIVE_DEFAULT_PARTITION__"
