"""Rows of slots out of a serialized ``ReadRowsResponse``: a column for each slot, all of one size.

What servers send of such a row is as regular as an array, so it is proved by one regular expression,
and all its values are taken by one call. Rows of any other form are left to the strict way.
"""

import re
from collections.abc import Callable, Collection
from datetime import UTC, date, datetime, timedelta
from struct import Struct
from typing import Any

from btmodel.codecs.inline import InlineCell, Memo, cell_inline
from btmodel.codecs.time import in_utc
from btmodel.rows.compiled.instance import write_instance
from btmodel.rows.compiled.keys import inline_fields, read_key
from btmodel.rows.compiled.places import CHUNK, COMMIT, KEY, STAMP, family_name, value_head
from btmodel.rows.compiled.source import Source
from btmodel.rows.compiled.template import SMALL, STAMPED, lengths
from btmodel.rows.compiled.walk import STOP
from btmodel.rows.decoder import Fast
from btmodel.rows.slots import Slots
from btmodel.rows.wire import BYTES, NUMBER, tag
from btmodel.schema import Column, ModelSchema, Shape
from btmodel.schema.slot import SlotFormat

_LABELS = 64  # buckets whose times are kept
_EVEN = timedelta(days=1)  # of buckets up to this one, each has the same slots


def slot_rows_reader(
    model: ModelSchema, make: Callable[..., Any], only: Collection[str] | None = None
) -> Fast[Any] | None:
    """The function that reads rows of ``model``, as ``row_reader`` does; None where there is no fast one.

    There is one of models that have slots and nothing else, with values and names of one size.
    """
    found = _slots(model, only)
    fields = inline_fields(model.key)
    label = model.bucket_field
    if found is None or fields is None or label is None:
        return None
    column, inline, slots = found
    form = _Form(model, column, inline, slots)
    if form.last >= SMALL - model.key.least - len(form.family):
        return None
    source = Source()
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = []", "end = len(m)")
        with source.guarded(STOP), source.block("while at < end:"):
            source.line(f"g = {source.name(re.compile(form.pattern, re.DOTALL).match)}(m, at)")
            source.line("h, n, key, cells = g.groups()")
            one, more = (source.name(lengths(2 + len(form.family) + size)) for size in (form.last, form.size))
            checks = f"h == ({one} if len(cells) == {form.size} else {more})[len(key)] and key > last"
            with source.block(f"if not (n == {source.name(lengths(0))}[len(key)] and {checks}):"):
                source.line(STOP)
            values = read_key(source, model.key, fields, STOP)
            unpack = source.name(Struct(form.layout).iter_unpack)
            # The first one is as long as the others with what stands in front of it.
            source.line(f"names, values = zip(*{unpack}(m[g.start(4) - 2 : g.end(4)]))")
            times = source.name(_times(slots))
            source.line(f"times = {times}[{values[label.name]}]")
            source.name_all(inline.names, "v")
            read = inline.read.replace("$", "v")
            given = "values" if read == "v" else f"[{read} for v in values]"
            source.line(f"slots = {source.name(Slots)}(zip(map(times.__getitem__, names), {given}))")
            with source.block("if len(slots) != len(names):"):
                source.line(STOP)  # older values of a slot
            write_instance(source, make, values | {column.name: "slots"})
            source.line("rows.append(row)", "keys.append(key)", "last = key", "at = g.end()")
        source.line(STOP)
    reader: Fast[Any] = source.function("read", f"reads {model.name}")
    return reader


def _slots(model: ModelSchema, only: Collection[str] | None) -> tuple[Column, InlineCell, SlotFormat] | None:
    """The one column of a model that has no other, its codec and its slots; None where it is of another kind."""
    mirrored = any(part.mirror for part in model.key.fields)
    if (
        len(model.columns) != 1
        or mirrored
        or model.key.hashed
        or (model.stamp.stored and model.stamp.attribute)
    ):
        return None
    [column] = model.columns
    if column.shape is not Shape.SLOTS or (only is not None and column.name not in only):
        return None
    inline = cell_inline(column.codec)
    if (
        inline is None
        or inline.size is None
        or inline.holds
        or column.slots is None
        or column.slots.length.fixed is None
    ):
        return None
    return column, inline, column.slots


class _Form:
    """What the chunks of a row look like: all are of one ``size``, but the ``last``, which ends the row."""

    def __init__(self, model: ModelSchema, column: Column, inline: InlineCell, slots: SlotFormat) -> None:
        assert inline.size is not None
        assert slots.length.fixed is not None
        width = len(column.qualifier) + slots.length.fixed
        name = tag(3, BYTES) + bytes((width + 2,)) + tag(1, BYTES) + bytes((width,)) + column.qualifier
        head = value_head(inline.size)
        self.family = family_name(column.family)
        self.size = len(name) + slots.length.fixed + len(tag(4, NUMBER)) + STAMP + len(head) + inline.size
        self.last = self.size + len(COMMIT)
        unread = len(tag(4, NUMBER)) + STAMP + len(head)
        value = inline.layout.format[1:] if inline.layout else f"{inline.size}s"
        self.layout = f">{2 + len(name)}x{slots.length.fixed}s{unread}x{value}"
        cell = b"%s.{%d}%s%s%s.{%d}" % (
            re.escape(name),
            slots.length.fixed,
            re.escape(tag(4, NUMBER)),
            STAMPED,
            re.escape(head),
            inline.size,
        )
        more, end = (re.escape(bytes((CHUNK, size))) + cell for size in (self.size, self.last))
        least, most = model.key.least, min(model.key.most, SMALL - 1)
        key = rb"%s(.)%s(.)([^\x12]{%d,%d}+)" % (
            re.escape(bytes((CHUNK,))),
            re.escape(bytes((KEY,))),
            least,
            most,
        )
        self.pattern = b"%s%s(%s(?:(?:%s)*+%s)?)%s" % (
            key,
            re.escape(self.family),
            cell,
            more,
            end,
            re.escape(COMMIT),
        )


def _times(slots: SlotFormat) -> Memo[date, Memo[bytes, datetime]]:
    """The times of slots by their names, by the label of their bucket."""
    first = datetime(2000, 1, 3, tzinfo=UTC)
    offsets: Memo[bytes, timedelta] = Memo(lambda name: slots.read(name, first) - first)

    def of_label(label: date) -> Memo[bytes, datetime]:
        start = (
            in_utc(label)
            if isinstance(label, datetime)
            else datetime.combine(label, datetime.min.time(), UTC)
        )
        if slots.bucket.longest <= _EVEN and slots.bucket.start(start) == start:
            return Memo(lambda name: start + offsets[name])
        return Memo(lambda name: slots.read(name, start))

    return Memo(of_label, _LABELS)
