"""Compiled readers of serialized answers: to model objects, to keys alone, and to spans of column values.

What is written here walks over the bytes of the chunks, in the forms in which servers send them, and
compares every tag, length and name of a row with what the model says. A row that agrees
with all of them is proved to be what protobuf and the rules of the protocol would have made of
it; in front of the first one that does not, it stops.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from struct import Struct
from typing import Any

import attrs
from attrs import frozen

from btmodel.codecs.aware_times import in_utc
from btmodel.codecs.inline import FunctionSource, InlineCell, Memo, cell_inline
from btmodel.rows.cells import Fast, Stored
from btmodel.rows.collections import Slots
from btmodel.rows.compiled.inline_keys import inline_fields, read_key
from btmodel.rows.compiled.template import SMALL, STAMPED, TRIES, Template, lengths, usual
from btmodel.rows.compiled.walk import (
    CHUNK,
    COMMIT,
    FAMILY,
    KEY,
    STAMP,
    STOP,
    ColumnPlace,
    WalkWriter,
    by_family,
    family_name,
    value_head,
    walkable,
)
from btmodel.rows.serialized import BYTES, NUMBER, is_varint, number_of, tag
from btmodel.schema import Column, ModelSchema
from btmodel.schema.bucket import SlotFormat


def write_instance(
    source: FunctionSource, make: Callable[..., Any], values: Mapping[str, str], part_of: type | None = None
) -> None:
    """Add the lines that make ``row`` as ``make`` does of ``values``, which are expressions by name.

    Where that is a class whose constructor only sets its attributes, they are set here: the call of
    a class takes four times as long. So they are where ``make`` makes instances of such a class, ``part_of``, in which
    all attributes that are not among the values stay unset.
    """
    fields = _set_alone(part_of or make)
    if fields is None or (part_of is None and _lacks(values, fields)):
        given = ", ".join(f"{name}={value}" for name, value in values.items())
        source.line(f"row = {source.name(make)}({given})")
        return
    source.line(f"row = {source.name(object.__new__)}({source.name(part_of or make)})")
    for attribute in fields:
        value = values.get(attribute.name)
        if (value is None and part_of is None) or not attribute.init:
            value = source.name(attribute.default)
        source.line(*([] if value is None else [f"row.{attribute.name} = {value}"]))


def _set_alone(make: Callable[..., Any]) -> tuple["attrs.Attribute[Any]", ...] | None:
    """The attributes that calling ``make`` sets; None where it may do anything else."""
    if not (isinstance(make, type) and attrs.has(make)):
        return None
    written = getattr(make.__init__, "__code__", None)
    # attrs calls what it writes so; of any other constructor nothing is known.
    if written is None or not written.co_filename.startswith("<attrs generated"):
        return None
    hooks = ("__attrs_pre_init__", "__attrs_post_init__")
    if any(hasattr(make, hook) for hook in hooks) or type(make).__call__ is not type.__call__:
        return None
    if make.__new__ is not object.__new__ or make.__setattr__ is not object.__setattr__:
        return None
    fields: tuple[attrs.Attribute[Any], ...] = attrs.fields(make)
    if any(attribute.converter or attribute.validator for attribute in fields):
        return None
    return fields


def _lacks(values: Mapping[str, str], fields: Iterable["attrs.Attribute[Any]"]) -> bool:
    """Whether ``values`` are not just what a constructor takes: of one that is left out, it would give the default."""
    needed = {attribute.name for attribute in fields if attribute.init}
    return not needed <= values.keys() <= {attribute.name for attribute in fields}


# What servers send of such a row is as regular as an array, so it is proved by one regular expression,
# and all its values are taken by one call. Rows of any other form are left to the strict way.

_LABELS = 64  # buckets whose times are kept
_STAMPS = 1_024  # timestamps whose numbers are kept
_EVEN = timedelta(days=1)  # of buckets up to this one, each has the same slots


def slot_rows_reader(
    model: ModelSchema, make: Callable[..., Any], only: Collection[str] | None = None, *, stored: bool = False
) -> Fast[Any] | None:
    """The function that reads rows of ``model``, as ``row_reader`` does; None where there is no fast one.

    There is one of models that have slots and nothing else, with values and names of one size.
    """
    slotted = _slots(model, only)
    fields = inline_fields(model.key)
    label = model.bucket_field
    if slotted is None or fields is None or label is None:
        return None
    column, inline, slots = slotted
    form = _ChunkForm(model, column, inline, slots)
    if form.last >= SMALL - model.key.least - len(form.family):
        return None
    source = FunctionSource()
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = []", "end = len(m)")
        with source.guarded(STOP), source.block("while at < end:"):
            source.line(f"g = {source.name(re.compile(form.pattern, re.DOTALL).match)}(m, at)")
            source.line("h, n, key, cells = g.groups()")
            alone, among_others = (
                source.name(lengths(2 + len(form.family) + size)) for size in (form.last, form.size)
            )
            checks = (
                f"h == ({alone} if len(cells) == {form.size} else {among_others})[len(key)] and key > last"
            )
            with source.block(f"if not (n == {source.name(lengths(0))}[len(key)] and {checks}):"):
                source.line(STOP)
            values = read_key(source, model.key, fields, STOP)
            unpack = source.name(Struct(form.layout).iter_unpack)
            # The first one is as long as the others with what stands in front of it.
            source.line(f"names, stamps, values = zip(*{unpack}(m[g.start(4) - 2 : g.end(4)]))")
            times = source.name(_times(slots))
            source.line(f"times = {times}[{values[label.name]}]")
            source.name_all(inline.names, "v")
            read = inline.read.replace("$", "v")
            given = "values" if read == "v" else f"[{read} for v in values]"
            source.line(f"slots = {source.name(Slots)}(zip(map(times.__getitem__, names), {given}))")
            with source.block("if len(slots) != len(names):"):
                source.line(STOP)  # older values of a slot
            write_instance(source, make, values | {column.name: "slots"})
            if stored:
                source.line("newest = max(set(stamps), key=lambda stamp: stamp[::-1])")
                _write_stored(source)
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
    if not column.shape.slotted or (only is not None and column.name not in only):
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


class _ChunkForm:
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
        value = inline.layout.format[1:] if inline.layout else f"{inline.size}s"
        stamped, headed = len(tag(4, NUMBER)), len(head)
        self.layout = f">{2 + len(name)}x{slots.length.fixed}s{stamped}x{STAMP}s{headed}x{value}"
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


def row_reader(
    model: ModelSchema,
    make: Callable[..., Any],
    only: Collection[str] | None = None,
    part_of: type | None = None,
    *,
    stored: bool = False,
) -> Fast[Any] | None:
    """The function that reads rows of ``model``; None where there is no fast one.

    There is one of models whose cells are plain columns, and repeated key fields, and of those with slots alone. ``make`` makes
    a row of its fields, given by name. Where ``only`` names columns, just those are among them, and what is made may
    be an instance of ``part_of``, if that is given. With ``stored``, each is a :class:`Stored` row.
    """
    columns = walkable(model, only)
    if columns is None:
        return slot_rows_reader(model, make, only, stored=stored)
    fields = inline_fields(model.key)
    if fields is None:
        return None
    families = by_family(model, columns)
    source = FunctionSource()
    walk = WalkWriter(source, families, stored=stored)
    forms = [Template(source, model.key, families, repeats, stored) for repeats in (False, True)]
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = []", "end = len(m)", f"tries = {TRIES}")
        walk.prepare()
        with source.guarded(STOP), source.block("while at < end:"):
            _write_row(source, walk, forms if usual(model.key, families) else [])
            values = read_key(source, model.key, fields, STOP)
            values |= _values(source, [place for family in families for place in family])
            write_instance(source, make, values, part_of)
            if stored:
                _write_stored(source)
            source.line("rows.append(row)", "keys.append(key)", "last = key", "at = c")
        source.line(STOP)
    reader: Fast[Any] = source.function("read", f"reads {model.name}")
    return reader


def _write_stored(source: FunctionSource) -> None:
    """Add the lines that make ``row`` a stored one, whose newest timestamp has the bytes ``newest``."""
    made = (source.name(one) for one in (tuple.__new__, Stored, Memo(number_of, _STAMPS)))
    source.line("row = {}({}, (key, row, {}[newest]))".format(*made))


def _write_row(source: FunctionSource, walk: WalkWriter, forms: list[Template]) -> None:
    """Add the lines that take a row: of the first form that it has, or else piece by piece."""
    if not forms:
        source.line("tries = tries and tries - 1")
        walk.row()
        return
    forms[0].match()
    with source.block("if g is None:"):
        _write_row(source, walk, forms[1:])
    with source.block("else:"):
        forms[0].take()


def _values(source: FunctionSource, places: Collection[ColumnPlace]) -> dict[str, str]:
    """Add the checks of the values, and give the expression of each attribute."""
    values: dict[str, str] = {}
    for place in places:
        if place.column is None:
            continue
        name, inline = place.variable, place.inline
        if inline is None:
            read, holds = f"{source.name(place.column.codec.decode)}({name})", ""
        else:
            source.name_all(inline.names, name)
            read, holds = inline.read.replace("$", name), inline.holds.replace("$", name)
        if holds:
            absent = "" if place.required else f"{name} is None or "
            with source.block(f"if not ({absent}{holds}):"):
                source.line(STOP)
        values[place.column.name] = (
            read if place.required or read == name else f"None if {name} is None else {read}"
        )
    return values


_QUALIFIER = tag(3, BYTES)[0]
_STAMPED = tag(4, NUMBER)
_NAME = tag(1, BYTES)[0]
_BEHIND = STAMP + len(COMMIT)


def key_rows_reader(model: ModelSchema, make: Callable[[tuple[Any, ...]], Any] | None) -> Fast[Any] | None:
    """The function that reads the keys of rows of ``model``; None where there is no fast one.

    ``make`` makes a row of the fields of its key, in their order; without it, rows are raw keys, which were
    proved to be some of the model.
    """
    fields = inline_fields(model.key)
    if fields is None:
        return None
    source = FunctionSource()
    names = source.name(Memo(_proved))
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = []", "end = len(m)", "stamp = b''")
        with source.guarded(STOP), source.block("while at < end:"):
            source.line("c = at + 2 + m[at + 1]", "p = at + 4 + m[at + 3]", "key = m[at + 4 : p]")
            small = "m[at + 1] < 128 and m[at + 3] < 128"
            ends = f"m[c - 2] == {COMMIT[0]} and m[c - 1] == {COMMIT[1]}"
            with source.block(
                f"if not (m[at] == {CHUNK} and m[at + 2] == {KEY} and {small} and {ends} and key > last):"
            ):
                source.line(STOP)
            source.line(f"{names}[m[p : c - {_BEHIND}]]")
            with source.block(f"if m[c - {_BEHIND} : c - 2] != stamp:"):
                source.line(f"stamp = m[c - {_BEHIND} : c - 2]")
                with source.block(f"if not {source.name(is_varint)}(stamp):"):
                    source.line(STOP)
            values = read_key(source, model.key, fields, STOP)
            made = f"({''.join(f'{value}, ' for value in values.values())})"
            # Without a row to make, the fields are made all the same: only so are they known to be good.
            source.line(*([made, "row = key"] if make is None else [f"row = {source.name(make)}({made})"]))
            source.line("rows.append(row)", "keys.append(key)", "last = key", "at = c")
        source.line(STOP)
    reader: Fast[Any] = source.function("read", f"reads keys of {model.name}")
    return reader


def _proved(names: bytes) -> bytes:
    """``names``, if they are those of one cell, and of nothing else; raises otherwise."""
    behind = 2 + names[1]
    family, qualifier = names[2:behind], names[behind + 2 : -1]
    small = len(names) < 128 and names[-1:] == _STAMPED
    whole = names[0] == FAMILY and names[behind] == _QUALIFIER and names[behind + 1] == len(qualifier)
    named = all(one[0] == _NAME and one[1] == len(one) - 2 for one in (family, qualifier))
    if not (small and whole and named and family[2:].decode()):
        raise ValueError(names)
    return names


@frozen(eq=False)
class Block:
    """Rows of one message, ``message[start:end]``: their keys, and where their values lie.

    ``spans`` are 32-bit numbers of this machine, as many for each row as :class:`SpanReader` says. Where there are ``columns``,
    they hold the bytes of the values of all rows instead, in the order of the reader's places, and None for absent ones.
    """

    message: bytes
    start: int
    end: int
    keys: list[bytes]
    spans: bytes
    columns: list[tuple[bytes | None, ...]] | None = None


@frozen
class SpanReader:
    """``read`` gives for each row the block that it lies in.

    ``places`` are of each column the index of its number in a row, and the size of its values. Where that is
    None, the number behind it is where the value ends. -1 is an absent one. Names are proved, values and keys not.
    """

    read: Fast[Block]
    width: int
    places: dict[str, tuple[int, int | None]]


def _values_reader(
    model: ModelSchema, families: list[list[ColumnPlace]], found: list[ColumnPlace]
) -> Fast[tuple[bytes | None, ...]]:
    """The reader of the bytes of values, of rows in the usual form: it stops in front of the first one of another form."""
    source = FunctionSource()
    form = Template(source, model.key, families, apart=True)
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = []", "end = len(m)", "tries = 1")
        with source.guarded(STOP), source.block("while at < end:"):
            form.match()
            with source.block("if g is None:"):
                source.line("break")
            source.line(f"rows.append(({', '.join(place.variable for place in found)}, ))")
            source.line("keys.append(key)", "last = key", "at = g.end()")
        source.line(STOP)
    reader: Fast[tuple[bytes | None, ...]] = source.function("read", f"values of {model.name}")
    return reader


def span_reader(model: ModelSchema, only: Collection[str] | None = None) -> SpanReader | None:
    """The reader of the spans of rows of ``model``; None where there is no fast one, as for ``row_reader``."""
    columns = walkable(model, only)
    if columns is None or inline_fields(model.key) is None:
        return None
    families = by_family(model, columns, spans=True)
    places = [place for family in families for place in family if place.column is not None]
    variables = [name for place in places for name in place.variables]
    source = FunctionSource()
    walk = WalkWriter(source, families)
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = bytearray()", "end = len(m)")
        walk.prepare()
        with source.guarded(STOP), source.block("while at < end:"):
            walk.row()
            pack = source.name(Struct(f"={len(variables)}i").pack)
            source.line(f"rows += {pack}({', '.join(variables)})")
            source.line("keys.append(key)", "last = key", "at = c")
        source.line(STOP)
    walked = source.function("read", f"places in {model.name}")
    matched = _values_reader(model, families, places) if usual(model.key, families) else None

    def read(message: bytes, at: int, last: bytes) -> tuple[int, list[bytes], list[Block]]:
        named: list[bytes] = []
        blocks: list[Block] = []
        if matched is not None:
            stop, named, values = matched(message, at, last)
            if named:
                # Held by the column: so many tuples, one a row, keep Python's garbage collector busy.
                blocks = [Block(message, at, stop, named, b"", list(zip(*values, strict=True)))] * len(named)
                at, last = stop, named[-1]
                if at == len(message):
                    return at, named, blocks
        stop, keys, spans = walked(message, at, last)
        return stop, named + keys, blocks + [Block(message, at, stop, keys, spans)] * len(keys)

    place_of = {
        place.column.name: (variables.index(place.variable), place.size) for place in places if place.column
    }
    return SpanReader(read, len(variables), place_of)
