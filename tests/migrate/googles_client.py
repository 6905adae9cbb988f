"""What is in a table, as Google's own client reads it."""

from unittest.mock import patch

from google.cloud.bigtable.data import BigtableDataClient, ReadRowsQuery

from btmodel import emulator
from btmodel.rows import Cell


def cells_of(instance: str, host: str, table: str) -> dict[bytes, set[Cell]]:
    """Every cell of every row of a table of ``instance``, by its path, on the server at ``host``."""
    _, project, _, id = instance.split("/")
    with (
        patch.dict("os.environ", {emulator.VARIABLE: host}),
        BigtableDataClient(project=project) as client,
        client.get_table(id, table) as opened,
    ):
        return {
            row.row_key: {
                Cell(one.family, one.qualifier, one.timestamp_micros, one.value) for one in row.cells
            }
            for row in opened.read_rows(ReadRowsQuery())
        }
