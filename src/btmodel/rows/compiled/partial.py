"""Partial readers of serialized answers: keys alone, and spans of column values."""

from collections.abc import Callable, Collection
from struct import Struct
from typing import Any

from attrs import frozen

from btmodel.codecs.inline import Memo
from btmodel.rows.cells import Fast
from btmodel.rows.compiled.inline_keys import inline_fields, read_key
from btmodel.rows.compiled.source import FunctionSource
from btmodel.rows.compiled.template import Template, usual
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
    walkable,
)
from btmodel.rows.serialized import BYTES, NUMBER, is_varint, tag
from btmodel.schema import ModelSchema

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
