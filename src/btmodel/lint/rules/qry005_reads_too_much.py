"""QRY005 reads-too-much: a query that drops most of the rows that it reads

What it finds
    A query of one range or one prefix whose `where` selects rows by a column, or by a key field
    that the query does not give, and drops more than half of them. The share follows from the
    cardinalities: with 500 values, one row in 500 is kept. A bool has two values, an enum has
    its members. If another cardinality is not declared, the share is unknown, and the finding
    says so. It is a warning if more than 99 % are dropped, and what the query gives has fewer than 100 values, so that it
    reads a large part of the table, or if it reads 100,000 rows or 100 MB in vain by the declared cardinalities and sizes; else information. One of two values of a column may be
    that of few rows: a query that picks by it among a million rows or more is found, too, as a warning in a table of things, and as information where the key has a time. A column
    that is called like what is done to a thing at the end, as `shipped` or `closed_at`, is such a one from 100,000 rows on, where the key has no time and no GC rule deletes by age: those that
    wait for it become rare. The rule ignores scans of the whole table, except for the following.

    A query of several rows is a warning, too, if it reads columns (`only`) of a family in which another column, which it does not
    read, has a declared `size` of 64 KiB or more: a family is read as a whole. So is a query of one row, if such columns, from 16 KiB on, have 100 KB or more together and ten times what it reads (information if they have less).

    A query without `only` whose rows bring 100 MB of such cells with them is information, and a warning from 10 MB on if the docstring of the model, or the name of the query, speaks
    of a list or a page; other cells of 1 KiB and more, which no sentence on the list names, then go with them. How many rows come follows from `events` and the `span` of the query, from the docstring ("a matter has some 600 documents"), or from the cardinalities of what it gives and of the rest of the key. A query
    of a million rows or more of one thing is a warning if the docstring speaks of a chart or a screen that shows them.

    What rows change in their life, as a `state`, belongs in no key by itself: the fix is an index, whose rows the service moves, or an owned
    twin, whose `replace` deletes the old row. Of a bool, the index holds the rows alone for which it is true, without cells of 1 KiB or more. The description may say how
    rare these are ("1 in 5,000", "0.02 %"), in a sentence that names the column, and how many rows there are of what is given ("a player has up to 60,000 rounds"). Where the time of an event comes next in the key, it also says how many rows a
    read of a short time would be.

    If the query asks for a rectangle of a map (one of `latitude` and `longitude` in a range,
    the other in `where`), the fix names the ways that exist: no key serves two ranges at once.

Why
    A filter saves sending a row or a cell, but not reading it. Only the key saves reading rows, and only a family of their own
    saves reading large cells beside small ones.

Example
    from datetime import datetime

    import btmodel as bt


    class Payment(bt.Model, table="PAYMENT", events="100/s"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        shop: str = bt.column("shop", data, cardinality=500)
        cents: int = bt.column("cents", data)

        in_shop = bt.query("account", between="at", where=["shop"])

Use instead
    from datetime import datetime

    import btmodel as bt


    class Payment(bt.Model, table="PAYMENT", events="100/s"):
        account: str = bt.key(bt.Text(width=10), cardinality=1_000_000)
        shop: str = bt.key(bt.Text(width=8), cardinality=500)
        at: datetime = bt.key(bt.EpochMillis())

        data = bt.family("data", gc=bt.max_versions(1))
        cents: int = bt.column("cents", data)

        in_shop = bt.query("account", "shop", between="at")

Allow
    Suppress it if the range is small, or if the query is rare; say how many rows it reads.

Source
    https://cloud.google.com/bigtable/docs/schema-design-time-series (field promotion;
    query and filter performs poorly), https://cloud.google.com/bigtable/docs/schema-design (column families: what is read together
    in one family). That up to half of the rows may be thrown away, the 99 %, the 100 values, the 100,000 rows, the 100 MB,
    the 64 KiB, the 16 KiB, the ten times and the 100 KB are this project's own choice.
"""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from enum import Enum
from functools import partial

from attrs import evolve

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind, Text
from btmodel.design.candidates import adjusted, as_field
from btmodel.design.copied_rows import copied, kept_cell
from btmodel.design.hints import called_over
from btmodel.design.keys import drawn, rectangle
from btmodel.design.second_tables import (
    declared_there,
    drawing,
    followed,
    index_instead,
    moves,
    second_tables,
    written_again,
)
from btmodel.design.spread import MANY
from btmodel.design.unhashed import given as given_by
from btmodel.estimates import distinct, rows_of_one, timed
from btmodel.lint.finding import Finding, Fix, Level, literal
from btmodel.lint.large_cells import HEAVY, LISTS, cells_read, heavy_cells, large_cells, more_than, sized
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.lint.rows_read import kept_share, rows_read, rows_said, share_said, values_of
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Access, AccessKind, Column, Family, KeyField, ModelSchema, Query, RowKey, access
from btmodel.schema.gc import keeps_for_ever
from btmodel.source_text import declaration
from btmodel.words import counted, quoted, size_text

# A query that keeps this share of what it reads is not worth another key (this project's own figure).
WORTHWHILE = 0.5
# One that keeps less than this is a warning, where it reads far and wide.
_WASTE = 0.01


# Rows, and bytes, that a query may read in vain.
_ROWS = 100_000
_BYTES = 100_000_000
# And bytes with which a list comes (this project's own figure).
_BYTES_OF_LIST = 10_000_000
# And bytes beside what is wanted of one row (this project's own figure).
_OF_ONE = 100_000
# And those of one cell beside it, and how often what is wanted (this project's own figures).
_BESIDE_ONE = 16 * 1024
_TIMES_WANTED = 10
# Rows of which nobody looks at each (this project's own figure).
_MOST = 1_000_000
_WAITED = pattern(
    r"(?i)\b(charts?|graphs?|curves?|diagrams?|dashboards?|screens?|plots?|plotted|draws|drawn|renders|rendered)\b"
)
# Types of values of which a reader wants those up to one, in their order.
_ORDERED = (date, datetime)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each query of a range or a prefix that keeps less than half of its rows, or reads large cells that it does not want."""
    for query in model.queries:
        found = access(model.key, query)
        if not isinstance(found, Access):
            continue
        if found.kind is AccessKind.POINT:
            yield from _beside_one(model, query)
            continue
        picked = _picked(model, query)
        rare = share_said(model, picked)
        kept = kept_share(picked) if rare is None else rare[2]
        over = _over(model, query, found, picked)
        few = over is None and kept is not None and kept >= WORTHWHILE
        if (
            found.kind is AccessKind.SCAN
            or not picked
            or (few and not _of_millions(model, query, found, picked))
        ):
            yield from _beside(model, query)
            continue
        grave = kept is not None and kept < _WASTE and _wide(found)
        yield RULE.finding(
            model,
            f"the query `{query.name}` reads {found.kind.value} and selects by "
            f"{', '.join(f'`{part.name}`' for part in picked)}, {_said(model, query, found, picked)}{_with(large_cells(model, query))}",
            why="a filter saves sending rows, but not reading them"
            + (", and one of two values may be that of few rows" if few else ""),
            fix=partial(_ways, model, query, found, picked),
            part=query.name,
            at=query.location,
            level=Level.WARNING
            if grave
            or over is not None
            or ((not few or not timed(model)) and _in_vain(model, query, found, kept))
            else Level.INFO,
        )


def _beside_one(model: ModelSchema, query: Query) -> Iterator[Finding]:
    """The finding on a query of one row that wants small cells beside which large ones lie."""
    if not query.only:
        return
    wanted = sum(_size(column) for column in model.columns if column.name in query.only)
    beside = [column for column in cells_read(model, query) if column.name not in query.only]
    large = [column for column in beside if _size(column) >= _BESIDE_ONE]
    read = sum(map(_size, large))
    if large and read >= _TIMES_WANTED * wanted:
        yield _read_with(model, query, large, "one row", Level.WARNING if read >= _OF_ONE else Level.INFO)


def _size(column: Column) -> int:
    return column.expected.size or 0


def _beside(model: ModelSchema, query: Query) -> Iterator[Finding]:
    """The finding on a query that wants small cells beside which large ones lie."""
    large = [column for column in large_cells(model, query) if column.name not in query.only]
    yield from _many(model, query)
    if not query.only and large:
        yield from _sent(model, query, large)
    if query.only and large:
        yield _read_with(model, query, large, "many rows")


def _read_with(
    model: ModelSchema, query: Query, large: Sequence[Column], rows: str, level: Level = Level.WARNING
) -> Finding:
    return RULE.finding(
        model,
        f"the query `{query.name}` wants {quoted(query.only)} of {rows}, and reads {sized(large)} with it, "
        "in the same family",
        why="a family is read as a whole: what is not wanted of it is left out only when it is sent",
        fix=partial(_apart, model, query, large),
        part=query.name,
        at=query.location,
        level=level,
    )


def _sent(model: ModelSchema, query: Query, large: Sequence[Column]) -> Iterator[Finding]:
    """The finding on a query whose rows come with large cells, as far as it is declared how many come: a list is sent as a whole."""
    found = access(model.key, query)
    rows = _declared_rows(model, query, found) if isinstance(found, Access) else None
    if rows is None:
        return
    size = round(rows * sum(column.expected.size or 0 for column in large))
    listed = LISTS.search(f"{query.name} {model.doc}") is not None
    if size < (_BYTES_OF_LIST if listed else _BYTES) or not more_than(model, large):
        return
    if listed and more_than(model, both := [*large, *heavy_cells(model, query, large)]):
        large, size = both, round(rows * sum(column.expected.size or 0 for column in both))
    yield RULE.finding(
        model,
        f"the query `{query.name}` returns about {round(rows):,} rows, and {size_text(size)} with them: {sized(large)} of each",
        why="without `only`, all that a row has is read and sent, also what a list does not show",
        fix=partial(_apart, model, query, large),
        part=query.name,
        at=query.location,
        level=Level.WARNING if listed else Level.INFO,
    )


def _many(model: ModelSchema, query: Query) -> Iterator[Finding]:
    """The finding on a query for which a person waits, and which returns more rows than one looks at."""
    found = access(model.key, query)
    rows = _declared_rows(model, query, found) if isinstance(found, Access) else None
    said = _WAITED.search(model.doc)
    few = rows is None or rows < _MOST or not (query.span and query.equal)
    if few or rows is None or said is None or model.view is not None:
        return
    yield RULE.finding(
        model,
        f"the query `{query.name}` returns about {round(rows):,} rows, and the description {f'speaks of a {said[0].lower()}' if said[1] else f'says {said[0]!r}'}",
        why="each row is read and sent, though a picture of them needs a few hundred numbers",
        fix="no other schema makes them fewer: keep what is shown of each day or hour beside them, as sums or averages of a `bt.Rollup`, or as counters that the program adds to, "
        "and ask for that",
        part=query.name,
        at=query.location,
        level=Level.WARNING,
    )


def _declared_rows(model: ModelSchema, query: Query, found: Access) -> float | None:
    """About how many rows a query returns, where that is declared: by the rate and its span, by the description, or by the values of the fields that it does not give."""
    given = distinct(found.prefix)
    if query.span is not None and model.events is not None and model.bucket is None:
        return None if given is None else rows_read(model, query, found)
    if query.between or query.starting:
        return None
    if (said := rows_said(model, found)) is not None:
        return said
    rest = [part.cardinality for part in model.key.asked if part not in found.prefix]
    if given is None or None in rest or not rest:
        return None
    rows = rows_of_one(max(count for count in rest if count is not None), found.prefix)
    return rows if rows is not None and rows > 1 else None


def _with(large: Sequence[Column]) -> str:
    return f"; it reads {sized(large)} of each row, also of those that it drops" if large else ""


def _over(
    model: ModelSchema, query: Query, found: Access, picked: Sequence[KeyField | Column]
) -> Column | None:
    """The column, called like what is done to a thing at the end, by which a query picks among many rows: as rows with it are never deleted, those without it become rare."""
    if timed(model) or not all(
        family.gc is not None and keeps_for_ever(family.gc) for family in model.families
    ):
        return None
    if rows_read(model, query, found) < _ROWS:
        return None
    ends = (part for part in picked if isinstance(part, Column) and called_over(part.name))
    return next((one for one in ends if not one.required or one.codec.python_type is bool), None)


def _said(model: ModelSchema, query: Query, found: Access, picked: Sequence[KeyField | Column]) -> str:
    """How many rows a query drops."""
    over, kept, rare = _over(model, query, found, picked), kept_share(picked), share_said(model, picked)
    if rare is not None:
        rows = round(rows_read(model, query, found))
        return f"of about {rows:,} rows, of which it returns about 1 in {round(1 / rare[2]):,}, as the description says {rare[0]!r}"
    if over is not None:
        lack = f"of which `{over.name}` is False" if over.required else f"that lack `{over.name}`"
        return f"of about {round(rows_read(model, query, found)):,} rows, of which those {lack} become an ever smaller part, as no GC rule deletes the others"
    few = kept is not None and kept >= WORTHWHILE
    return _of_two(model, query, found) if few else _share(model, found, picked, kept)


def _in_vain(model: ModelSchema, query: Query, found: Access, kept: float | None) -> bool:
    """Whether a query drops many rows, or large ones, as far as declared; where the share is unknown, half of the rows."""
    dropped = rows_read(model, query, found) * (1 - WORTHWHILE if kept is None else 1 - kept)
    large = large_cells(model, query) if kept is None or kept >= WORTHWHILE else cells_read(model, query)
    size = sum(column.expected.size or 0 for column in large)
    return dropped * size >= _BYTES or (kept is not None and dropped >= _ROWS)


def _of_millions(
    model: ModelSchema, query: Query, found: Access, picked: Sequence[KeyField | Column]
) -> bool:
    """Whether a query picks by what has two values, of which one may be rare, among more rows than anybody looks at."""
    return any(isinstance(part, Column) for part in picked) and rows_read(model, query, found) >= _MOST


def _of_two(model: ModelSchema, query: Query, found: Access) -> str:
    return f"of about {round(rows_read(model, query, found)):,} rows, of which it drops half if both values are alike in number"


def _wide(found: Access) -> bool:
    """Whether what the query gives leaves it a large part of the table: of a narrow one, few rows may be left to drop."""
    given = distinct(found.prefix)
    return given is not None and given < MANY


def _picked(model: ModelSchema, query: Query) -> list[KeyField | Column]:
    """What the query picks by among the rows that come: single values, and fields that it leaves open."""
    if not query.where:
        return []
    asked = (*query.equal, query.between, query.starting)
    found: list[KeyField | Column] = [part for part in model.key.asked if part.name not in asked]
    found += [column for column in model.columns if column.shape.plain]
    return [part for name in query.where for part in found if part.name == name]


def _alike(model: ModelSchema, picked: Sequence[KeyField | Column]) -> str:
    """What the share takes for granted of values that only their type counts; of a state that rows leave again, they are not alike."""
    few = [one for one in picked if isinstance(one, Column) and one.expected.cardinality is None]
    if not few:
        return ""
    moving = [one.name for one in few if moves(model, one)]
    said = f" if the values of {quoted(one.name for one in few)} are alike in number"
    return (
        f"{said}, and far fewer where rows soon leave the value of {quoted(moving)} that is asked for"
        if moving
        else said
    )


def _share(model: ModelSchema, found: Access, picked: Sequence[KeyField | Column], kept: float | None) -> str:
    """The rows that are returned of those that are read; where all values may belong to one that is given, as the shops of a city, at most."""
    if kept is not None:
        count, given = round(1 / kept), distinct(found.prefix) or 1
        if given > 1 and count >= 2 * given:
            return f"which returns 1 in {count // given:,} of the rows that it reads, or fewer"
        return f"which returns about 1 in {count:,} of the rows that it reads{_alike(model, picked)}"
    unknown = ", ".join(f"`{part.name}`" for part in picked if values_of(part) is None)
    return f"and the share of dropped rows is unknown: {unknown} has no declared cardinality"


def _ways(
    model: ModelSchema, query: Query, found: Access, picked: Sequence[KeyField | Column]
) -> Iterator[Fix]:
    """Large cells apart, first; and the key with what is picked by in front of the rest, and the query that gives it."""
    large = large_cells(model, query)
    if large:
        yield from _apart(model, query, large)
    names = [part.name for part in picked]
    place = rectangle(model, query)
    if place is not None:
        yield Fix(*place)
        return
    over = _over(model, query, found, picked)
    if over is not None and not over.required:
        yield from _those_without(model, query, over, picked, alternative=bool(large))
        return
    rest = [part for part in model.key.fields if part not in found.prefix and part.name not in names]
    given_then: list[KeyField | str] = [part if isinstance(part, KeyField) else part.name for part in picked]
    fields: list[KeyField | str] = [*found.prefix, *given_then, *rest]
    times = [part.name for part in picked if isinstance(part, KeyField) and part.codec.kind is Kind.TIME]
    bound = times[0] if len(times) == 1 and query.between is None and query.starting is None else None
    names = [name for name in names if name != bound]
    base = evolve(query, between=bound) if bound else query
    given = declaration(base, *names)
    promoted = [part for part in picked if isinstance(part, Column)]
    left = tuple(name for name in base.where if name != bound)
    asked = given_by(evolve(base, where=left), names)
    queries = tuple(asked if other == query else other for other in model.queries)
    if fields == list(model.key.fields):
        text = f"give {quoted([*names, *times])}, which comes next in the key: `{given}`"
        yield Fix(text, (evolve(model, queries=queries),))
        return
    moving = [column for column in promoted if moves(model, column)]
    lacking = [column.name for column in promoted if not column.required]
    second = bool(moving or lacking) or _needed_as_it_is(model, query, fields)
    rare = share_said(model, picked)
    only = rare and _those_with(model, query, rare[1], picked)
    if only:
        yield evolve(only, alternative=bool(large))
    if not second:
        columns = quoted(column.name for column in promoted)
        what = f"make {columns} part of the key, if a row never changes it" if promoted else "reorder it"
        made = evolve(_with_key(model, promoted, fields), queries=queries)
        serves = f"{what}: the key `{drawn(model.key, fields)}` serves `{given}`"
        yield Fix(serves, (made,), alternative=bool(only))
    rest_of_queries = evolve(model, queries=tuple(one for one in queries if one != asked))
    flags = [column for column in moving if column.codec.python_type is bool and column.required and not only]
    alone = _those_with(model, query, flags[0], picked) if len(flags) == 1 else None
    if alone is not None:
        yield evolve(alone, alternative=bool(large))
    for way in _second(rest_of_queries, asked, moving, lacking, large):
        yield evolve(way, alternative=way.alternative or alone is not None or bool(only))
    if moving:
        yield from _lately(model, query, found)


def _with_second(model: ModelSchema, query: Query, asked: Query) -> tuple[ModelSchema, ModelSchema]:
    """The model without the query, and the second table for what is asked instead."""
    kept = evolve(model, queries=tuple(one for one in model.queries if one != query))
    (made,) = second_tables(evolve(kept, queries=(*kept.queries, asked)), [asked])
    return kept, made


def _those_with(
    model: ModelSchema, query: Query, flag: Column, picked: Sequence[KeyField | Column]
) -> Fix | None:
    """An index of the rows alone for which something is true, under a key with what else the query picks by; None where the service can keep none."""
    rest = [part.name for part in picked if part != flag]
    asked = given_by(evolve(query, where=()), rest)
    kept, made = _with_second(model, query, asked)
    columns = [column for column in made.columns if column != flag]
    light = [
        one for one in columns if one.name in query.only or (one.expected.size or 0) < HEAVY
    ]  # others are read in the table
    others = evolve(made, columns=tuple(light or columns))
    index = index_instead(kept, others, {flag.name: "True"})
    if index is None:
        return None
    alone = index[0].partition(": ")[2]
    text = f"if the rows are asked for of which `{flag.name}` is true, let the service keep those alone: {alone}, which serves `{declaration(asked)}`"
    return Fix(text, (kept, index[1]))


def _those_without(
    model: ModelSchema,
    query: Query,
    over: Column,
    picked: Sequence[KeyField | Column],
    *,
    alternative: bool,
) -> Iterator[Fix]:
    """An index, or a table, of the rows that lack a column, under a key with what else the query picks by."""
    rest = [part for part in picked if part != over]
    ordered = [part for part in rest if part.codec.python_type in _ORDERED]
    free = query.between is None and query.starting is None
    bound = ordered[0].name if len(ordered) == 1 and free else None
    left = evolve(query, where=(), between=bound or query.between)
    asked = given_by(left, [part.name for part in rest if part.name != bound])
    kept, made = _with_second(model, query, asked)
    serves, shape = f"serves `{declaration(asked)}`", drawing(model, made)
    begin = f"if the rows without `{over.name}` are asked for, "
    index = index_instead(kept, made, {over.name: "bt.absent()"})
    if index is not None:
        text = f"{begin}keep them alone: {index[0].partition(': ')[2]}, which {serves}"
        yield Fix(text, (kept, index[1]), alternative=alternative)
        begin = "if the query may not be behind the table, "
    other = copied(kept, evolve(made, columns=tuple(column for column in made.columns if column != over)))
    text = f"{begin}write them to a second table, whose key `{shape}` {serves}{kept_cell(kept, other)}{declared_there(kept, other)}, and delete a row there when it gets `{over.name}`; for the rows with it, `{over.name}` belongs in the key, too"
    yield Fix(text, (kept, other), alternative=alternative or index is not None)


def _second(
    model: ModelSchema,
    query: Query,
    moving: Sequence[Column],
    lacking: Sequence[str],
    large: Sequence[Column],
) -> Iterator[Fix]:
    """A second table for the query, or an index, without large cells that are found in the first one; the index first where rows move, which the service does there."""
    (made,) = second_tables(model, [query])
    without = f", without {quoted(column.name for column in large)}" if large else ""
    if large:
        left = tuple(other for other in made.columns if other.name not in {column.name for column in large})
        made = adjusted(model, copied(model, evolve(made, columns=left)))
    text = f"write a second table{without}, whose key `{drawing(model, made)}` serves `{declaration(query)}`{kept_cell(model, made)}{declared_there(model, made)}"
    text += written_again(model, (made,))
    text += followed(model, made, [column.name for column in moving])
    text += "; a value that nobody asks for needs no row there" if any(map(_of_few, moving)) else ""
    if lacking:
        text += (
            f"; a row without {quoted(lacking)} has no row there: if those are asked for, keep them alone in a table with the key "
            f"`{_without(model, made, lacking)}`, and delete a row when it gets one"
        )
    index = index_instead(model, made)
    kept = f"; it moves a row when {quoted(column.name for column in moving)} changes" if moving else ""
    ways = [] if index is None else [Fix(f"{index[0]}{kept}", (model, index[1]), together=True)]
    if index is not None and moving:
        text = f"if the query may not be behind the table, {text}"
    ways.insert(bool(moving and ways), Fix(text, (model, made), together=True))
    yield evolve(ways[0], alternative=bool(large))
    yield from (evolve(way, alternative=True) for way in ways[1:])


# So many rows are read at once, as one page shows them (this project's own figure).
_PAGE = 1_000


def _lately(model: ModelSchema, query: Query, found: Access) -> Iterator[Fix]:
    """The same query of a short time, where the time of events comes next in the key: what is not over yet is often recent."""
    rest = model.key.fields[len(found.prefix) :]
    if query.between or query.starting or not rest or rest[0].codec.kind is not Kind.TIME:
        return
    given = distinct(found.prefix)
    if model.events is None or given is None or model.bucket is not None:
        return
    rate = model.events.per_second / given
    span = next((one for one in _SPANS if rate * one.total_seconds() <= _PAGE), _SPANS[-1])
    recent = evolve(query, between=rest[0].name, span=span)
    rows = max(1, round(rate * span.total_seconds()))
    yield Fix(
        f"if only recent rows are asked for, keep `where=` and bound their time, as in `{declaration(recent)}`: "
        f"it reads about {counted(rows, 'row')}",
        alternative=True,
    )


_SPANS = (timedelta(days=1), timedelta(hours=1), timedelta(minutes=1))


def _of_few(column: Column) -> bool:
    """Whether a column has the few values that its type names."""
    return is_class(column.codec.python_type, bool) or is_class(column.codec.python_type, Enum)


def _without(model: ModelSchema, made: ModelSchema, names: Sequence[str]) -> str:
    """The key of a second table without these fields."""
    fields = tuple(part for part in made.key.fields if part.name not in names)
    return drawing(model, evolve(made, key=evolve(made.key, fields=fields)))


def _apart(model: ModelSchema, query: Query, large: Sequence[Column]) -> Iterator[Fix]:
    """The large columns in a family of their own, where the query then reads the others alone."""
    rest = tuple(column.name for column in model.columns if column not in large)
    wanted = tuple(name for name in query.only if name in rest) or rest
    old = model.family(large[0].family)
    if old is None or not wanted or any(column.family != old.id for column in large):
        return
    new = Family(free_family(model, old.id), old.gc)
    made = model
    for column in large:
        made = moved(made, column, new)
    asked = evolve(query, only=wanted)
    made = evolve(made, queries=tuple(asked if other == query else other for other in made.queries))
    names = quoted(column.name for column in large)
    text = f"give {names} a family of {'its' if len(large) == 1 else 'their'} own, `{declared_family(new)}`"
    if query.only != wanted:
        text += (
            f", let `{query.name}` read the others, `only=[{', '.join(map(literal, wanted))}]`, and read {names} of the rows "
            "that are wanted by their keys"
        )
    yield Fix(text, (made,))


def _with_key(
    model: ModelSchema, promoted: Sequence[Column], fields: Sequence[KeyField | str]
) -> ModelSchema:
    """The model with these fields for its key; a str is the name of a column that becomes one."""
    columns = {column.name: as_field(column) for column in promoted}
    parts = tuple(field if isinstance(field, KeyField) else columns[field] for field in fields)
    return evolve(
        model,
        key=evolve(model.key, fields=parts),
        columns=tuple(column for column in model.columns if column not in promoted),
    )


def _needed_as_it_is(model: ModelSchema, query: Query, fields: Sequence[KeyField | str]) -> bool:
    """Whether another query that the key serves would not be served by these fields."""
    parts = (part if isinstance(part, KeyField) else KeyField(part, Text(width=1)) for part in fields)
    moved = RowKey(tuple(parts), model.key.delimiter)
    served = (
        other for other in model.queries if other != query and isinstance(access(model.key, other), Access)
    )
    return any(not isinstance(access(moved, one), Access) for one in served)


RULE: Rule[ModelSchema] = Rule(
    "QRY005",
    "reads-too-much",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.INFO, Level.WARNING),
)
