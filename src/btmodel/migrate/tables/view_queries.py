"""The columns that the query of a view reads, each from the qualifiers under which its cells lie."""

import re
from ast import literal_eval
from collections.abc import Iterator

from btmodel.schema import Column, Table, TableView

_CELL = r"`(?:[^`\\]|\\.)+`\[b'(?:[^'\\]|\\.)*'\]"
# A column as `btmodel.sql.views.cell_of` writes it: one cell, or the first one that is there.
_READ = re.compile(rf"COALESCE\(({_CELL}(?:, {_CELL})+)\)|({_CELL})")
_PLACE = re.compile(_CELL)
_SELECT = re.compile(r"SELECT (.+?) FROM `")
_COLUMN = re.compile(r"(.+) AS (\w+|`[^`]+`)")
_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|`[^`]*`|[(),\[\]]")


def reads_the_same(declared: TableView, live: TableView, table: Table) -> bool:
    """Whether the view in the instance has the rows of the one that is ``declared``, now that rows of ``table`` are as they are declared.

    It may also look under former qualifiers of its columns, under which no declared column of the table is any more.
    """
    if declared.asked == live.asked:
        return True
    now, there = _read(declared), _read(live)
    if _rest(declared) != _rest(live) or len(now) != len(there):
        return False
    pairs = list(zip(now, there, strict=True))
    if any(found[: len(wanted)] != wanted for wanted, found in pairs):
        return False
    return not any(_is_declared(table, place) for wanted, found in pairs for place in found[len(wanted) :])


def is_emptied(view: TableView, column: Column) -> bool:
    """Whether the view would lose cells of a column once all of them lie under its own qualifier alone, and no longer under those of ``also=``."""
    here, *others = (place.cell for place in column.places)
    reads = ({_name(place) for place in places} for places in _read(view))
    return any(here not in read and not read.isdisjoint(others) for read in reads)


def columns(view: TableView) -> dict[str, str]:
    """The expressions of the columns of a view by their names, ``_key`` first; empty where the query is not one that btmodel writes."""
    found = _SELECT.match(view.asked)
    made = (_COLUMN.fullmatch(part) for part in _parts(found[1])) if found else ()
    return {part[2].strip("`"): part[1] for part in made if part}


def differences(declared: TableView, live: TableView) -> Iterator[str]:
    """What the query that is ``declared`` does otherwise than that of the ``live`` view, in words."""
    wanted, there = columns(declared), columns(live)
    if not (wanted and there):
        yield "the query in the instance is not one that btmodel writes"
        return
    for verb, names in (("has in addition", wanted.keys() - there), ("has no longer", there.keys() - wanted)):
        if names:
            yield f"{verb}: {', '.join(sorted(names))}"
    made = [name for name in wanted.keys() & there if wanted[name] != there[name]]
    if "_key" in made:
        yield "makes its row keys otherwise"
    if others := sorted({*made} - {"_key"}):
        yield f"makes otherwise: {', '.join(others)}"
    places = [{_name(place) for read in _read(view) for place in read} for view in (declared, live)]
    if new := sorted(places[0] - places[1]):
        yield f"reads in addition: {', '.join(new)}"
    if gone := sorted(places[1] - places[0]):
        yield f"reads no longer: {', '.join(gone)}"
    if not made and _where(declared) != _where(live):
        yield "has rows by another condition"


def _where(view: TableView) -> str:
    return view.asked.partition(" FROM ")[2]


def _parts(text: str) -> Iterator[str]:
    """The parts of a list between commas that are in no brackets and in no text."""
    depth, begin = 0, 0
    for found in _TOKEN.finditer(text):
        depth += (found[0] in "([") - (found[0] in ")]")
        if found[0] == "," and not depth:
            yield text[begin : found.start()].strip()
            begin = found.end()
    yield text[begin:].strip()


def _read(view: TableView) -> list[tuple[str, ...]]:
    return [tuple(_PLACE.findall(found[0])) for found in _READ.finditer(view.asked)]


def _rest(view: TableView) -> list[str]:
    """What stands between the columns that the query reads."""
    rest, end = [], 0
    for found in _READ.finditer(view.asked):
        rest.append(view.asked[end : found.start()])
        end = found.end()
    return [*rest, view.asked[end:]]


def _is_declared(table: Table, place: str) -> bool:
    """Whether a model of a table has a column where a query looks."""
    cell = _name(place)
    names = [one.cell for layout in table.layouts for one in layout.cells]
    return any(cell == name or (name.endswith("...") and cell.startswith(name[:-3])) for name in names)


def _name(place: str) -> str:
    """Where a query looks, as cells are named: ``MD:BID``."""
    family, _, literal = place.partition("[")
    qualifier: bytes = literal_eval(literal.removesuffix("]"))
    return f"{family.strip('`')}:{qualifier.decode(errors='backslashreplace')}"
