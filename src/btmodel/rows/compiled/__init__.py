"""Codecs that are compiled for one model, as attrs compiles constructors.

A schema is known when its class is made, so what a row of it looks like on the wire is
known as well. The functions here write Python source for one model: straight code that
proves what it takes, and leaves everything else to the plain codecs of ``rows``, which alone decide
what is refused. Both ways give the same, which property tests hold.
"""

from btmodel.rows.compiled.inline_keys import (
    FieldsWriter,
    KeyReader,
    KeyWriter,
    fields_writer,
    key_reader,
    key_writer,
)
from btmodel.rows.compiled.reader import Block, SpanReader, key_rows_reader, row_reader, span_reader
from btmodel.rows.compiled.writer import RowWriter, row_writer

__all__ = [
    "Block",
    "FieldsWriter",
    "KeyReader",
    "KeyWriter",
    "RowWriter",
    "SpanReader",
    "fields_writer",
    "key_reader",
    "key_rows_reader",
    "key_writer",
    "row_reader",
    "row_writer",
    "span_reader",
]
