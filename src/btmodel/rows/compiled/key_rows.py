"""Rows of which just a key is wanted, out of a serialized ``ReadRowsResponse``: one cell of each was read, without its value."""

from collections.abc import Callable
from typing import Any

from btmodel.codecs.inline import Memo
from btmodel.rows.compiled.keys import inline_fields, read_key
from btmodel.rows.compiled.places import CHUNK, COMMIT, FAMILY, KEY, STAMP
from btmodel.rows.compiled.source import Source
from btmodel.rows.compiled.walk import STOP
from btmodel.rows.decoder import Fast
from btmodel.rows.wire import BYTES, NUMBER, is_varint, tag
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
    source = Source()
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
