"""ROW002 row-too-large: a row that outgrows what can be read

What it finds
    A model whose full row has more than 100 MB (a warning), or more than 256 MB (an error: the
    service cannot read such a row in full). A row is full at the end of its bucket, with the
    events that the declared rates bring, or with all of its entries. Its cells have their
    typical size, each with its family, qualifier and timestamp. If an estimate is missing, the
    rule counts only what it knows. It also warns if a typical row is small enough, but the
    plain columns have more than 256 MB together when each has its declared `max_size`.

    Of rows that are written again, a GC rule keeps a number of versions of all columns of its family. The rule counts these, too, for both limits (a warning). It also
    warns where the old versions of large values have 10 MB and more of a row, or 1 TiB of the table, and the docstring wants the newest value alone ("serves the newest manual", "shows what was computed last"); where it
    says nothing of them, and other columns stand beside them in the family, it is information. It is silent where the docstring wants old versions
    ("all drafts", "undo"), and the row is small enough with them. The bucket that the fix proposes is the one nearest to the `span` of the
    queries in which a row has at most 10 MB; without a `span`, the coarsest of up to 200,000 cells.

Why
    A row is on one node and is read into memory as a whole. Many large rows make the table
    slow. A row over the limit fails every read, which happens when the first bucket is full,
    and not while you test the model.

Example
    from datetime import date

    import btmodel as bt


    class Vibration(bt.Model, table="VIBRATION", bucket="day", events="1000/s"):
        machine: str = bt.key(bt.Text(width=8), cardinality=1_000)
        day: date = bt.key(bt.DateText())

        v = bt.family("v", gc=bt.max_versions(100_000))
        wave: bt.History[bytes] = bt.history("w", v, size=2_000, max_size=4_000)

Use instead
    from datetime import datetime

    import btmodel as bt


    class Vibration(bt.Model, table="VIBRATION", bucket="hour", events="1000/s"):
        machine: str = bt.key(bt.Text(width=8), cardinality=1_000)
        hour: datetime = bt.key(bt.TimeText("%Y%m%d%H"))

        v = bt.family("v", gc=bt.max_versions(100_000))
        wave: bt.History[bytes] = bt.history("w", v, size=2_000, max_size=4_000)

Allow
    Suppress the warning if such rows are few and are read in parts. The error is a hard limit
    of the service and cannot be suppressed.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (rows below 100 MB;
    no unbounded number of events in a row) and https://cloud.google.com/bigtable/quotas
    (256 MB).
"""

from collections.abc import Iterator
from functools import partial

from btmodel.estimates import Share, row_size, shares
from btmodel.lint.finding import Finding, Level
from btmodel.lint.row_size import outside, smaller
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import MaxVersions, ModelSchema
from btmodel.schema.limits import ADVISED_ROW_BYTES, MB, ROW_BYTES
from btmodel.words import size_text


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag a full row over the limit, or over the advice, as far as its size is known."""
    size = row_size(model).usual.least
    if size <= ADVISED_ROW_BYTES:
        yield from list(_with_versions(model)) or _at_most(model)
        return
    share = max(shares(model), key=lambda one: one.bytes.usual.least)
    count, each = share.cells.usual.least, share.cell.usual.least
    cells = f"{count:,} cells of {each:,} bytes" if count > 1 else f"a cell of {each:,} bytes"
    refused = size > ROW_BYTES
    yield RULE.finding(
        model,
        f"a full row has about {size_text(size)}, of which `{share.source.name}` has {size_text(count * each)} ({cells})",
        why=f"a row of more than {size_text(ROW_BYTES)} cannot be read in full"
        if refused
        else f"rows are read and kept as a whole, and should stay below {size_text(ADVISED_ROW_BYTES)}",
        fix=partial(smaller, model, share),
        part=share.source.name,
        at=share.source.location,
        level=Level.ERROR if refused else Level.WARNING,
    )


def _with_versions(model: ModelSchema) -> Iterator[Finding]:
    """What is found of a row whose newest values are small enough: values that are too much together with their old versions, or of which nobody wants these."""
    if all(family.gc == MaxVersions(1) for family in model.families):
        return
    from btmodel.lint.large_versions import fewer, kept_versions  # here: this rule is loaded with every model

    kept = kept_versions(model)
    if not kept:
        return
    first = kept[0]
    usual = row_size(model).usual.least + sum(one.usual - one.share.cell.usual.least for one in kept)
    most = sum(one.largest for one in kept if one.column.expected.max_size is not None)
    most += sum(
        share.cell.largest.least for share in _limited(model) if share not in [one.share for one in kept]
    )
    too_large, unreadable = usual > ADVISED_ROW_BYTES, most > ROW_BYTES
    if not (too_large or unreadable or first.heavy):
        return
    others = any(other.family == first.family.id and other != first.column for other in model.columns)
    if not (too_large or unreadable or first.newest or others):
        return
    of_table = f", and {size_text(first.old_of_table)} of old ones in the table" if first.costly else ""
    up_to = f", and up to {size_text(first.largest)} by its `max_size`" if first.largest > first.usual else ""
    read = ", though the description speaks of its newest" if first.newest and not first.several else ""
    why = (
        f"a row of more than {size_text(ROW_BYTES)} cannot be read in full, and a GC rule keeps the versions of all columns of its family"
        if unreadable
        else f"rows should stay below {size_text(ADVISED_ROW_BYTES)}, and a GC rule keeps the versions of all columns of its family"
        if too_large
        else "a GC rule keeps the versions of all columns of its family: old ones of large values are stored, paid for, and in the way of each read of the row"
    )
    # A value that is small by itself belongs into its row.
    elsewhere = [outside(model, first.column)] if first.share.cell.largest.least >= MB else []
    versions = 1
    if first.several:
        each = max(first.share.cell.largest.least, first.share.cell.usual.least)
        versions = max(1, min(first.versions - 1, ADVISED_ROW_BYTES // each))
    yield RULE.finding(
        model,
        f"family {first.family.id!r} keeps {first.versions:,} versions of `{first.column.name}`, about {size_text(first.usual)} of a row{up_to}{of_table}{read}",
        why=why,
        fix=lambda: (*fewer(model, first, versions), *elsewhere),
        part=first.column.name,
        at=first.column.location,
        level=Level.WARNING if too_large or unreadable or first.newest else Level.INFO,
    )


def _limited(model: ModelSchema) -> list[Share]:
    """The plain columns that declare how large their values may be."""
    return [
        share
        for share in shares(model)
        if share.column and share.column.shape.plain and share.column.expected.max_size is not None
    ]


def _at_most(model: ModelSchema) -> Iterator[Finding]:
    """What is found of a usual row that passes: plain columns that may be too much together."""
    declared = _limited(model)
    size = sum(share.cell.largest.least for share in declared)
    if size <= ROW_BYTES:
        return
    largest = max(declared, key=lambda one: one.cell.largest.least)
    names = ", ".join(f"`{share.source.name}`" for share in declared)
    yield RULE.finding(
        model,
        f"by the declared `max_size`, {names} of a row may have {size_text(size)}, of which `{largest.source.name}` has "
        f"{size_text(largest.cell.largest.least)}",
        why=f"a row of more than {size_text(ROW_BYTES)} cannot be read in full, however many cells it lies in",
        fix=partial(smaller, model, largest),
        part=largest.source.name,
        at=largest.source.location,
        level=Level.WARNING,
    )


RULE: Rule[ModelSchema] = Rule(
    "ROW002",
    "row-too-large",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.WARNING, Level.ERROR, Level.INFO),
    limit=True,
)
