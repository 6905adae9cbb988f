"""Where the values of rows lie in a serialized ``ReadRowsResponse``, for those who want columns, and no rows."""

from collections.abc import Collection
from struct import Struct

from attrs import frozen

from btmodel.rows.compiled.keys import inline_fields
from btmodel.rows.compiled.places import by_family, walkable
from btmodel.rows.compiled.source import Source
from btmodel.rows.compiled.walk import STOP, Walk
from btmodel.rows.decoder import Fast
from btmodel.schema import ModelSchema


@frozen(eq=False)
class Block:
    """Rows of one message, ``message[start:end]``: their keys, and where their values lie.

    ``spans`` are 32-bit numbers of this machine, as many for each row as :class:`SpanReader` says.
    """

    message: bytes
    start: int
    end: int
    keys: list[bytes]
    spans: bytes


@frozen
class SpanReader:
    """``read`` gives for each row the block that it lies in.

    ``places`` are of each column the index of its number in a row, and the size of its values. Where that is
    None, the number behind it is where the value ends. -1 is an absent one. Names are proved, values and keys not.
    """

    read: Fast[Block]
    width: int
    places: dict[str, tuple[int, int | None]]


def span_reader(model: ModelSchema, only: Collection[str] | None = None) -> SpanReader | None:
    """The reader of the spans of rows of ``model``; None where there is no fast one, as for ``row_reader``."""
    columns = walkable(model, only)
    if columns is None or inline_fields(model.key) is None:
        return None
    families = by_family(model, columns, spans=True)
    found = [place for family in families for place in family if place.column is not None]
    variables = [name for place in found for name in place.variables]
    source = Source()
    walk = Walk(source, families)
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

    def read(message: bytes, at: int, last: bytes) -> tuple[int, list[bytes], list[Block]]:
        stop, keys, spans = walked(message, at, last)
        return stop, keys, [Block(message, at, stop, keys, spans)] * len(keys)

    places = {
        place.column.name: (variables.index(place.variable), place.size) for place in found if place.column
    }
    return SpanReader(read, len(variables), places)
