"""Lists in one cell to which there is always one more, and what their items would be better in."""

from collections.abc import Iterator
from datetime import timedelta
from math import ceil
from typing import Any, get_args, get_origin

from attrs import evolve

from btmodel.codecs.cell import CellCodec
from btmodel.design.hints import gathering, sentences
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.finding import Fix
from btmodel.lint.growth import MUCH_WRITTEN, bounded_said, grows, grows_said
from btmodel.lint.retention import (
    WINDOW,
    YOURS,
    declared_family,
    free_family,
    moved,
    rows_of_events,
)
from btmodel.schema import Access, AccessKind, Column, Expected, Family, MaxAge, ModelSchema, Shape, access
from btmodel.schema.limits import ADVISED_ROW_BYTES
from btmodel.words import quoted, size_text, words

# Ages of items, of which the first that fits is proposed.
_AGES = tuple(timedelta(days=days) for days in (365, 90, 30, 7, 1))
_MOST_OF_LIST = 1_000_000  # bytes of a list that is read and written again as a whole, without much ado
_LARGE = 100 * 1_024  # bytes of a list that are too many to write again for one more item


def listed(model: ModelSchema) -> Iterator[tuple[Column, CellCodec[Any]]]:
    """Each cell of rows without a time that holds a list to which there is always one more, by the words of the model, with the codec of one.

    What has a declared largest size is bounded, unless the list has so many bytes that no node writes it again with each item.
    """
    if model.bucket is not None or timed(model) or model.stamp.expires:
        return
    for column in model.columns:
        one = _of_list(column)
        most = column.expected.max_size or column.codec.max_size
        bounded = most and most <= _MOST_OF_LIST and not rewritten_bytes(model, column)
        gathers = gathering(column.name) and not bounded_said(model.doc)
        if one is not None and not bounded and (gathers or grows_said(model.doc)):
            yield column, one


def rewritten_bytes(model: ModelSchema, column: Column) -> int | None:
    """The bytes of a large cell that the declared rate writes in a second, where they are more than a quarter of what a node writes; else None."""
    size = column.expected.size or 0
    written = 0 if model.events is None or size < _LARGE else round(size * model.events.per_second)
    return written if written >= MUCH_WRITTEN else None


def _of_list(column: Column) -> CellCodec[Any] | None:
    """The codec of one item of a list in a plain cell; None where the cell holds none, or items that no cell holds alone."""
    of = getattr(column.codec, "of", None) if column.shape.plain else None  # the type of a JSON document
    items = get_args(of)
    if get_origin(of) not in (list, tuple) or (get_origin(of) is tuple and items[1:] != (...,)):
        return None
    from btmodel.codecs.cell import default_codec  # here: models load the codecs that they have

    return default_codec(items[0]) if items else None


def appended(model: ModelSchema, column: Column) -> CellCodec[Any] | None:
    """The codec of what is added to a cell of text, bytes or a JSON document, where a sentence of the description names the column and says that it grows."""
    if model.bucket is not None or timed(model) or not column.shape.plain:
        return None
    added = (grows(sentence) and spoken_of(column, sentence) for sentence in sentences(model.doc))
    return column.codec if column.codec.python_type in (bytes, str, dict) and any(added) else None


def spoken_of(column: Column, sentence: str) -> bool:
    """Whether a sentence names the column, in the singular or the plural."""
    own, spoken = (
        {word.lower().removesuffix("s") for word in words(text)} for text in (column.name, sentence)
    )
    return own <= spoken


def each_alone(model: ModelSchema, column: Column, one: CellCodec[Any]) -> Iterator[Fix]:
    """A row for each item of the list in a cell, whose items have the codec ``one``; or a column for each, of a row that a query reads as a whole."""
    held = evolve(
        column, codec=one, required=True, expected=evolve(column.expected, size=None, max_size=None)
    )
    columns = tuple(held if other == column else other for other in model.columns)
    usual = column.expected.size
    saved = f"; a write is then one item, and not about {size_text(usual)}" if usual else ""
    for fix in rows_of_events(evolve(model, columns=columns), held):
        yield evolve(fix, text=f"{fix.text}{saved}")
    yield from _each_a_column(model, column, one)


def _each_a_column(model: ModelSchema, column: Column, one: CellCodec[Any]) -> Iterator[Fix]:
    """A column for each item, named by its time, in a family with an age: of those that the declared rate brings, a window of them fits into a row."""
    from btmodel.codecs.key import EpochMillis  # here, as above: models load the codecs that they have
    from btmodel.lint.descriptions import kept_said, past_of, times_said

    most, rate = column.expected.max_size or column.codec.max_size or 0, rate_of_one(model)
    if kept_said(model.doc):
        return
    least = max((*times_said(model.doc), past_of(model) or timedelta(0)))
    ages = (age for age in _AGES if age >= least and (not rate or rate * age.total_seconds() <= WINDOW))
    readers = [
        query.name
        for query in model.queries
        if isinstance(found := access(model.key, query), Access)
        and found.kind is AccessKind.POINT
        and (not query.only or column.name in query.only)
    ]
    if not readers or most > ADVISED_ROW_BYTES or (age := next(ages, None)) is None:
        return
    family = Family(free_family(model, column.family), MaxAge(age))
    entries = ceil(rate * age.total_seconds()) if rate else None
    prefix = column.qualifier + b":"
    changes = {
        "shape": Shape.MAPPING,
        "names": EpochMillis(),
        "codec": one,
        "required": False,
        "qualifier": prefix,
    }
    made = moved(model, column, family, **changes, expected=Expected(entries=entries))
    many = f", of which a row then has about {entries:,}" if entries else ""
    yield Fix(
        f"if {quoted(readers)} {'is' if len(readers) == 1 else 'are'} to read them with the row, and old ones may go, a column for each item: "
        f'`{column.name}: dict[datetime, ...] = bt.mapping(..., bt.EpochMillis(), prefix="{prefix.decode(errors="backslashreplace")}")` in '
        f"`{declared_family(family)}`{many}{YOURS}",
        (made,),
        alternative=True,
    )
