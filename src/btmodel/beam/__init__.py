"""Apache Beam: rows as sources and sinks of pipelines. ``pip install "btmodel[beam]"``.

What a pipeline reads and writes are reads and repositories, as anywhere else: ``ReadRows(quotes.by_symbol("NYSE", "IBM"))`` and
``WriteRows(quotes)``. Workers connect to the instance of their connection, with its options. docs/beam.md has a page on it.
"""

from btmodel.errors import SettingsError
from btmodel.on_demand import library

library("apache_beam", "beam", "btmodel.beam", SettingsError)

from btmodel.beam.rows import AsRows, FromRows, ModelCoder
from btmodel.beam.sinks import FailedWrite, WriteResult, WriteRows
from btmodel.beam.sources import ReadColumns, ReadRows, ReadStored
from btmodel.beam.steps import RunStep

__all__ = [
    "AsRows",
    "FailedWrite",
    "FromRows",
    "ModelCoder",
    "ReadColumns",
    "ReadRows",
    "ReadStored",
    "RunStep",
    "WriteResult",
    "WriteRows",
]
