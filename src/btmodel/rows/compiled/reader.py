"""Rows out of a serialized ``ReadRowsResponse``, without a message of protobuf in between.

What is written here walks over the bytes of the chunks, in the forms in which servers send them, and
compares every tag, length and name of a row with what the model says. A row that agrees
with all of them is proved to be what protobuf and the rules of the protocol would have made of
it; in front of the first one that does not, it stops.
"""

from collections.abc import Callable, Collection
from typing import Any

from btmodel.rows.compiled.instance import write_instance
from btmodel.rows.compiled.keys import inline_fields, read_key
from btmodel.rows.compiled.places import Place, by_family, walkable
from btmodel.rows.compiled.slot_rows import slot_rows_reader
from btmodel.rows.compiled.source import Source
from btmodel.rows.compiled.template import TRIES, Template, usual
from btmodel.rows.compiled.walk import STOP, Walk
from btmodel.rows.decoder import Fast
from btmodel.schema import ModelSchema


def row_reader(
    model: ModelSchema,
    make: Callable[..., Any],
    only: Collection[str] | None = None,
    part_of: type | None = None,
) -> Fast[Any] | None:
    """The function that reads rows of ``model``; None where there is no fast one.

    There is one of models whose cells are plain columns, and repeated key fields, and of those with slots alone. ``make`` makes
    a row of its fields, given by name. Where ``only`` names columns, just those are among them, and what is made may
    be an instance of ``part_of``, if that is given.
    """
    columns = walkable(model, only)
    if columns is None:
        return slot_rows_reader(model, make, only)
    fields = inline_fields(model.key)
    if fields is None:
        return None
    families = by_family(model, columns)
    source = Source()
    walk = Walk(source, families)
    forms = [Template(source, model.key, families, repeats) for repeats in (False, True)]
    with source.block("def read(m, at, last):"):
        source.line("keys = []", "rows = []", "end = len(m)", f"tries = {TRIES}")
        walk.prepare()
        with source.guarded(STOP), source.block("while at < end:"):
            _write_row(source, walk, forms if usual(model.key, families) else [])
            values = read_key(source, model.key, fields, STOP)
            values |= _values(source, [place for family in families for place in family])
            write_instance(source, make, values, part_of)
            source.line("rows.append(row)", "keys.append(key)", "last = key", "at = c")
        source.line(STOP)
    reader: Fast[Any] = source.function("read", f"reads {model.name}")
    return reader


def _write_row(source: Source, walk: Walk, forms: list[Template]) -> None:
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


def _values(source: Source, places: Collection[Place]) -> dict[str, str]:
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
