"""The large cells of the rows that a query reads, beside what a list shows of them."""

from collections.abc import Sequence

from btmodel.design.hints import sentences
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, Query
from btmodel.words import size_text, words

# Cells from this size on are large beside numbers and names.
_LARGE = 64 * 1024
# Cells from this size on are read in the table, rather than copied to an index, or shown in a list (this project's own figure).
HEAVY = 1_024
# What shows a little of many rows.
LISTS = pattern(r"(?i)\b(lists?|listed|pages?|screens?|overview|shows?|names?|dashboard|table of|index)\b")


def cells_read(model: ModelSchema, query: Query) -> list[Column]:
    """The plain columns of the families that a query reads, but those that it picks rows by."""
    asked = {*query.only, *query.where} if query.only else {column.name for column in model.columns}
    families = {column.family for column in model.columns if column.name in asked}
    return [
        column
        for column in model.columns
        if column.shape.plain and column.family in families and column.name not in query.where
    ]


def large_cells(model: ModelSchema, query: Query) -> list[Column]:
    """The large columns of the families that a query reads, but those that it picks rows by."""
    return [column for column in cells_read(model, query) if (column.expected.size or 0) >= _LARGE]


def heavy_cells(model: ModelSchema, query: Query, large: Sequence[Column]) -> list[Column]:
    """The columns beside large ones that are heavy for a list, too, and that no sentence on the list names."""
    shown = {
        word.lower().removesuffix("s")
        for sentence in sentences(model.doc)
        if LISTS.search(sentence)
        for word in words(sentence)
    }
    return [
        column
        for column in cells_read(model, query)
        if column not in large
        and (column.expected.size or 0) >= HEAVY
        and shown.isdisjoint(word.lower().removesuffix("s") for word in words(column.name))
    ]


def more_than(model: ModelSchema, large: Sequence[Column]) -> bool:
    """Whether a list could show something of rows without their large cells, beside what is in the key or makes it."""
    known = {name for part in model.key.fields if part.derived for name in part.derived.of}
    return any(column not in large and column.name not in known for column in model.columns)


def sized(columns: Sequence[Column]) -> str:
    """The columns with their declared sizes, as a list in words."""
    return ", ".join(f"`{column.name}` ({size_text(column.expected.size or 0)})" for column in columns)
