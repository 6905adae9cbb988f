"""The tables of a page: what is in them, for whatever prints them."""

from collections.abc import Iterable

from attrs import frozen

from btmodel import described as phrases
from btmodel.described import keeps, reads, served
from btmodel.estimates import Share, cells_of_row, key_size, row_size, shares
from btmodel.schema import Family, ModelSchema
from btmodel_codegen.prose import Prose, code, listed, prose, words


@frozen
class Heading:
    """The heading of a column, and whether numbers stand below it."""

    text: str
    number: bool = False


@frozen
class GridEntry:
    """What stands in a row of a table; ``part`` is the number of the field of the key that it is, or 0."""

    heading: Heading
    prose: Prose
    part: int = 0


@frozen
class Grid:
    """A table: its title, its headings, and rows whose first entry names them."""

    title: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[GridEntry, ...], ...]


def grid(title: str, headings: Iterable[Heading | str], rows: Iterable[Iterable[Prose]]) -> Grid:
    """A table of rows of texts, one for each heading."""
    named = tuple(Heading(heading) if isinstance(heading, str) else heading for heading in headings)
    entries = (tuple(GridEntry(*pair) for pair in zip(named, row, strict=True)) for row in rows)
    return Grid(title, named, tuple(entries))


def fields_of(model: ModelSchema) -> Grid:
    """The fields of a key."""
    headings = (
        Heading("field"),
        Heading("bytes", number=True),
        Heading("sorts"),
        Heading("values", number=True),
        Heading("written as"),
    )
    rows = (
        (
            GridEntry(headings[0], code(part.name), number),
            GridEntry(headings[1], words(phrases.width(part))),
            GridEntry(headings[2], words(phrases.sorts(part))),
            GridEntry(headings[3], words(phrases.values(part))),
            GridEntry(headings[4], words(phrases.meaning(part))),
        )
        for number, part in enumerate(model.key.fields, 1)
    )
    return Grid("Fields of the key", headings, tuple(rows))


def families_of(families: Iterable[Family]) -> Grid:
    """The families of a table."""
    rows = (
        (
            code(family.id),
            words(keeps(family)),
            words(f"aggregates: {family.aggregate.value}" if family.aggregate else "plain"),
        )
        for family in families
    )
    return grid("Column families", ("family", "keeps", "cells"), rows)


def cells_of(model: ModelSchema) -> Grid:
    """The cells of a row."""
    headings = (
        "attribute",
        "cell",
        Heading("cells in a row", number=True),
        Heading("bytes of a value", number=True),
        "written as",
    )
    rows = (
        (
            code(share.source.name),
            code(phrases.place(share)),
            words(phrases.both(share.cells)),
            words(phrases.both(share.value)),
            words(phrases.written(share) + _absent(share)),
        )
        for share in shares(model)
    )
    return grid("Columns", headings, rows)


def _absent(share: Share) -> str:
    column = share.column
    may = column is not None and column.shape.plain and not column.required
    return ", may be absent" if may else ""


def sizes_of(model: ModelSchema) -> Grid:
    """The sizes of keys and rows."""
    key, row, count = key_size(model.key), row_size(model), cells_of_row(model)
    rows = (
        ("key", phrases.size(key.usual), phrases.size(key.largest)),
        ("full row", phrases.size(row.usual), phrases.size(row.largest)),
        ("cells of a full row", phrases.number(count.usual), phrases.number(count.largest)),
    )
    headings = ("of", Heading("usual", number=True), Heading("largest", number=True))
    return grid("Sizes", headings, (map(words, row) for row in rows))


def queries_of(model: ModelSchema) -> Grid:
    """The declared queries, and what each reads."""
    rows = (
        (
            code(query.name),
            words(served(model, query).given),
            prose(reads(model, query)),
            code(served(model, query).rows),
            listed(query.only) or words("all"),
        )
        for query in model.queries
    )
    return grid("Queries", ("query", "given", "reads", "rows", "columns"), rows)
