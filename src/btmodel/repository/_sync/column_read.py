# Written by codegen/sync_twins.py from its twin in _async: edit that one.

"""Reads of columns as record batches of Arrow."""

from collections.abc import Sequence
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, Any

from attrs import define, evolve

from btmodel.client.row_streams import Stream
from btmodel.columnar import ArrowFields, Collector
from btmodel.repository.lazy import UNDECODABLE, OnError, Skipped, skipping, tell
from btmodel.repository.model_codecs import Reader
from btmodel.rows import Parallel, RangeOrder, ReadPlan, RowDecoder, Selection
from btmodel.rows.compiled import Block, SpanReader

if TYPE_CHECKING:
    from btmodel.client._sync.database import Database


@define
class ColumnRead:
    """A read of ``names`` of the fields of rows, or of all of them."""

    db: "Database"
    reader: Reader[Any, Any]
    asked: ReadPlan
    selection: Selection
    handler: OnError | None
    parallel: Parallel | None
    fields: ArrowFields

    @classmethod
    def of(
        cls,
        db: "Database",
        reader: Reader[Any, Any],
        asked: ReadPlan,
        selection: Selection,
        handler: OnError | None,
        parallel: Parallel | None,
        names: Sequence[str] | None,
    ) -> "ColumnRead":
        """The read. Raises :class:`QueryRefused` for unknown names."""
        fields = ArrowFields.of(selection.model, selection.columns, names)
        known = {column.name for column in selection.model.columns}
        # The time of a row lies in all of its plain cells.
        if names is not None and fields.columns and known.issuperset(fields.columns):
            selection = selection.only(fields.columns)
        return cls(db, reader, asked, selection, handler, parallel, fields)

    def batches(self, most: int) -> Stream[Any]:
        """Record batches of about ``most`` rows, one at least."""
        plain, fast = self._decoders()
        collector = Collector(self.fields, fast, partial(self._plainly, plain), most)
        decoder = skipping(plain if fast is None else RowDecoder(plain.strict, fast.read))
        asked = self.selection.filter if self.fields.columns else self.selection.keys
        plan = evolve(self.asked, filter=asked)
        with closing(self.db.read_batches(plan, decoder, self.parallel)) as batches:
            for batch in batches:
                failed = self._collect(collector, batch.rows)
                if collector.full or (failed is not None and collector.rows):
                    made, undecoded = collector.batch()
                    failed = undecoded or failed
                    if made.num_rows:
                        yield made
                if failed is not None:
                    raise failed
        if collector.rows:
            made, failed = collector.batch()
            if made.num_rows:
                yield made
            if failed is not None:
                raise failed

    def _decoders(self) -> tuple[RowDecoder[Any], SpanReader | None]:
        if not self.fields.columns:
            return self.reader.keys, None
        whole = self.selection.times is None
        plain = self.reader.rows(self.selection.columns, whole=whole)
        # Rows that are merged with others do not stay in one piece.
        merged = self.asked.joined is RangeOrder.MERGED and self.parallel is None
        spans = self.reader.codec.compiled_spans
        return plain, None if merged or not whole else spans(self.selection.columns)

    def _collect(self, collector: Collector, rows: Sequence[Any]) -> Exception | None:
        """Take rows in, up to one that cannot be decoded; its error."""
        if rows and type(rows[-1]) is Block:
            collector.add(rows)  # what is decoded the plain way comes behind blocks
            return None
        kept: list[Any] = []
        failed = None
        try:
            for row in rows:
                if type(row) is Skipped:
                    tell(row.error, self.handler)
                else:
                    kept.append(row)
        except UNDECODABLE as error:
            failed = error
        collector.add(kept)
        return failed

    def _plainly(self, decoder: RowDecoder[Any], block: Block, count: int, rows: list[Any]) -> None:
        # Here, as it loads Google's client.
        from btmodel.client.chunks import decoded_plainly

        found = decoded_plainly(block.message[block.start : block.end], skipping(decoder))
        for row in found[:count]:
            if type(row) is Skipped:
                tell(row.error, self.handler)
            else:
                rows.append(row)
