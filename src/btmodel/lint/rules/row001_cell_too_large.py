"""ROW001 cell-too-large: a value larger than a cell should be

What it finds
    A column whose largest value is over 10 MB (a warning) or over 100 MB (an error: the service
    refuses it), by its `max_size`, its `size` or its codec. If none of them bounds the values,
    the rule finds nothing. Of a list, a text or a document that grows by the words of the model, the fix is a row for each item; or, where a query reads
    the row as a whole, a column for each item in a family with an age: an object store, or cells for its parts, would be written again with each item. An object store is first among the ways of values of more than 40 MB, of those that come at
    100 MB a second or more by their `size` and the declared `events`, and of those that are a petabyte or more in all.

Why
    A cell is written, stored and sent as a whole, so a large one delays every other request to
    its tablet, and no request can read a part of it. The service refuses a value over the limit
    when it is written, which is when the first large one arrives.

Example
    import btmodel as bt


    class Photo(bt.Model, table="PHOTO"):
        id: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        photo: bytes = bt.column("photo", p, size=2_000_000, max_size=30_000_000)

Use instead
    import btmodel as bt


    class Photo(bt.Model, table="PHOTO"):
        id: str = bt.key(bt.HexDigest(16), cardinality=1_000_000)

        p = bt.family("p", gc=bt.max_versions(1))
        photo: dict[int, bytes] = bt.mapping(
            p, bt.PaddedInt(1), prefix="photo:", entries=3, size=2_000_000, max_size=10_000_000
        )

Allow
    Suppress the warning if large values are rare and nothing else in the table is urgent. The
    error is a hard limit of the service and cannot be suppressed.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series and
    https://cloud.google.com/bigtable/docs/schema-design (10 MB a cell is a guideline),
    https://cloud.google.com/bigtable/quotas (100 MB a value).
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from attrs import evolve

from btmodel.codecs import cell, key
from btmodel.estimates import Share, shares, sized_rows
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.row_size import outside
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, Expected, ModelSchema, Shape
from btmodel.schema.limits import ADVISED_CELL_BYTES, ADVISED_ROW_BYTES, CELL_BYTES, ROW_BYTES
from btmodel.source_text import written
from btmodel.words import size_text

if TYPE_CHECKING:
    from btmodel.lint.sizes_said import SaidSize

# What a part of a value is to have: round, and below the advice.
_PART = 10_000_000
# Beyond so many bytes a value is a file, and all that reads its row waits for it (this project's own figure).
_FILE = 4 * _PART
# So many bytes of values a second, or in all, are the work of an object store: nodes for them cost more than what they hold (this project's own figures).
_STREAM, _HOARD = 100_000_000, 10**15


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each column whose largest value, as far as it is known, is over the limit, or over the advice."""
    for share in shares(model):
        column, size = share.source, _largest(share)
        if not isinstance(column, Column):
            continue
        said = _said(model, column)
        size = max(size, said.bytes if said else 0)
        if size <= ADVISED_CELL_BYTES:
            continue
        refused = size > CELL_BYTES
        by = f", by the description ({said.words!r})" if said else ""
        yield RULE.finding(
            model,
            f"the largest value of `{column.name}` has {size:,} bytes ({size_text(size)}){by}",
            why=f"the service refuses a value of more than {size_text(CELL_BYTES)}"
            if refused
            else f"a cell is read and sent as a whole, and should stay below {size_text(ADVISED_CELL_BYTES)}",
            fix=partial(_ways, model, column, size),
            part=column.name,
            at=column.location,
            level=Level.ERROR if refused and not said else Level.WARNING,
        )


def _said(model: ModelSchema, column: Column) -> "SaidSize | None":
    """How large a value of bytes is by the description, where no size is declared."""
    if not model.doc or column.codec.python_type is not bytes:
        return None
    from btmodel.lint.sizes_said import size_said  # here: this rule is loaded with every model

    return size_said(model, column)


def _largest(share: Share) -> int:
    return max(share.value.usual.least, share.value.largest.least)


def _at_most(model: ModelSchema) -> int:
    """The bytes of a row whose values are as large as is known that they may be."""
    return sum(_largest(share) for share in shares(model))


def _ways(model: ModelSchema, column: Column, size: int) -> Iterator[Fix]:
    """Cells for its parts, unless its row would be too large in parts, too; or a place elsewhere, which is first of large files; of a list that grows, its items."""
    from btmodel.lint.lists import appended, each_alone, listed  # here: this rule is loaded with every model

    item = next((one for grown, one in listed(model) if grown == column), None) or appended(model, column)
    if item is not None:  # however it is cut or wherever it lies, each new item would write all of it again
        yield from each_alone(model, column, item)
        return
    ways = [outside(model, column)]
    if (
        column.shape.plain
        and size <= ADVISED_ROW_BYTES
        and _at_most(model) <= ROW_BYTES
        and not _versions_wanted(model, column)
    ):
        ways.insert(size > _FILE or _of_a_store(model, column), _split(model, column, size))
    yield ways[0]
    yield from (evolve(way, alternative=True) for way in ways[1:])


def _versions_wanted(model: ModelSchema, column: Column) -> bool:
    """Whether older versions of a value are to be kept: its parts could not be written again without an end of these."""
    from btmodel.lint.descriptions import VERSIONS_WANTED  # here: this rule is loaded with every model

    family = model.family(column.family)
    rule = family.gc if family else None
    several = rule is None or not rule.deletes(timedelta(0), 2)
    return several and VERSIONS_WANTED.search(model.doc) is not None


def _of_a_store(model: ModelSchema, column: Column) -> bool:
    """Whether the usual values are so many bytes a second, or in all, that no number of nodes is worth it."""
    usual = next(share.value.usual.least for share in shares(model) if share.source == column)
    rows = sized_rows(model)
    streamed = model.events is not None and usual * model.events.per_second >= _STREAM
    return streamed or (rows is not None and usual * rows >= _HOARD)


# Bytes of the longest character, at which a text is not cut to the byte.
_CHARACTER = 4


def _split(model: ModelSchema, column: Column, size: int) -> Fix:
    text_of = isinstance(column.codec, cell.Utf8)
    parts = ceil(size / (_PART - _CHARACTER if text_of else _PART))
    names = key.PaddedInt(len(str(parts - 1)))
    usual = None if column.expected.size is None else min(column.expected.size, _PART)
    prefix = column.qualifier + b":"
    text = (
        f"split it into {parts} cells, `{column.name}: dict[int, {'str' if text_of else 'bytes'}] = bt.mapping({column.family}, {written(names)}, "
        f'prefix="{prefix.decode(errors="backslashreplace")}", entries={parts}, '
        f"{'' if usual is None else f'size={usual:_}, '}max_size={_PART:_})`{_of_its_bytes(column)}; to write it again, clear it first in the same edit, as a longer value has more parts"
    )
    split = evolve(
        column,
        shape=Shape.MAPPING,
        names=names,
        codec=cell.Utf8() if text_of else cell.Raw(),
        required=False,
        qualifier=prefix,
        expected=Expected(size=usual, max_size=_PART, entries=parts),
    )
    columns = tuple(split if other == column else other for other in model.columns)
    return Fix(text, (evolve(model, columns=columns),))


def _of_its_bytes(column: Column) -> str:
    """What the parts are made of and read as, where a part of a value is no value of its type; empty for texts and bytes."""
    if isinstance(column.codec, cell.Utf8 | cell.Raw):
        return ""
    codec = written(column.codec)
    return (
        f", with the parts of `{codec}.encode(value)`, and read it by `{codec}.decode` of all parts together"
    )


RULE: Rule[ModelSchema] = Rule(
    "ROW001",
    "cell-too-large",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.WARNING, Level.ERROR),
    limit=True,
)
