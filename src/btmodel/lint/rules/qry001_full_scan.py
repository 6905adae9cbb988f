"""QRY001 full-scan: a query that no row key serves

What it finds
    A declared query that the row key serves neither as one row, nor as one prefix, nor as one
    range; a query by a field that is not in the key; and a query without fields that does not
    say that it reads the whole table. If another model with the same key fields serves the
    query, the finding names that model, unless it has a hotspot itself (KEY001, KEY003) that it
    does not suppress. Of a query for a rectangle of a map, which no order of the fields serves,
    it names the ways that exist (see QRY005).

    Where a query gives a column that identifies a person, such as an `email`, the fix is a second table whose key begins with its digest.

    A declared scan is a warning if the table has a million rows or more by the declared cardinalities, and its reason says that somebody
    waits for it, as "the start page", "a display", "each request" and "every 10 s" do. So is one that picks by a column, or by a field of the key, of 10,000 values or more
    (`where`), unless its reason is that of a batch, such as "nightly" or "an export". Where the key has a hash of columns, the rows are counted by these, and the readable key is the fix.

Why
    Bigtable finds rows only by their key. Any other query reads the whole table, and takes
    longer with every row that you add.

Example
    from datetime import date

    import btmodel as bt


    class Score(bt.Model, table="SCORE"):
        game: str = bt.key(bt.Text(max_length=12), cardinality=50)
        player: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        day: date = bt.key(bt.DateText())

        data = bt.family("GAME", gc=bt.max_versions(1))
        won: bool = bt.column("WIN", data)

        of_player = bt.query("game", "player", between="day")
        of_month = bt.query("game", between="day")

Use instead
    from datetime import date

    import btmodel as bt


    class Score(bt.Model, table="SCORE"):
        game: str = bt.key(bt.Text(max_length=12), cardinality=50)
        player: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)
        day: date = bt.key(bt.DateText())

        data = bt.family("GAME", gc=bt.max_versions(1))
        won: bool = bt.column("WIN", data)

        of_player = bt.query("game", "player", between="day")


    class ScoreByDay(bt.Model, table="SCORE_BY_DAY"):
        game: str = bt.key(bt.Text(max_length=12), cardinality=50)
        day: date = bt.key(bt.DateText())
        player: str = bt.key(bt.Text(max_length=20), cardinality=1_000_000)

        data = bt.family("GAME", gc=bt.max_versions(1))
        won: bool = bt.column("WIN", data)

        of_month = bt.query("game", between="day")

Allow
    Declare a query that is meant to read the whole table with its reason instead:
    `bt.query(scan="the nightly report")`.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: base them on the
    queries), https://cloud.google.com/bigtable/docs/reads. The 10,000 are
    this project's own choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial

from attrs import evolve

from btmodel import design
from btmodel.codecs.key import Kind
from btmodel.design.keys import rectangle
from btmodel.estimates import least_rows, stored_rows
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level, literal
from btmodel.lint.rule import Rule, Suppressions
from btmodel.lint.rules import (
    key001_timestamp_first,
    key003_low_cardinality_before_time,
    key007_unpadded_number,
)
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema, Query, RowKey, Unserved, access
from btmodel.source_text import asked, declaration, names_of
from btmodel.words import did_you_mean, near, quoted

_WHY = "Bigtable finds rows only by their key, so any other query reads the whole table"
# The models by their key fields, whatever the order of those is.
Orders = Mapping[frozenset[object], Sequence[ModelSchema]]


def check(models: Sequence[ModelSchema]) -> Iterator[Finding]:
    """Flag each query that the key of its model does not serve."""
    for model in models:
        yield from _waited_for(model)
    unserved = [
        (model, query, served.why)
        for model in models
        for query in model.queries
        if isinstance(served := access(model.key, query), Unserved)
    ]
    orders = _orders(models) if unserved else {}
    for model, query, why in unserved:
        why_not, fix = _misnamed(model, query) or (
            why,
            _elsewhere(model, query, orders) or _refused_scan(model, query) or partial(_ways, model, query),
        )
        yield RULE.finding(
            model,
            f"no key, prefix or range of `{model.key.shape}` serves the query `{query.name}` "
            f"({_asked(query)}): {why_not}",
            why=_WHY,
            fix=fix,
            part=query.name,
            at=query.location,
            edit=_respelt(model, query),
        )


# Rows that no user should wait for (this project's own figure).
_MANY = 1_000_000
_WAITS = pattern(
    r"(?i)\b(pages?|screens?|dashboards?|maps?|apps?|requests?|live|buttons?|search(es)?|"
    r"(?P<perhaps>users?|customers?|visitors?|boards?|displays?|monitors?|kiosks?|clerks?|dispatchers?|alarms?|alerts?)|"
    r"(every|each|per|once an?) ((\d+|few|two|three|five|ten|fifteen|twenty|thirty) ?)?(seconds?|secs?|s|minutes?|mins?|requests?|calls?|clicks?|visits?))\b"
)


# What somebody gets later, if it is for them.
_LATER = pattern(
    r"(?i)\b(night\w*|weekly|monthly|quarterly|yearly|annual\w*|batch\w*|exports?|migrat\w+|back-?ups?|audits?)\b"
)


def _waited(reason: str) -> str | None:
    """The words of a reason that say that somebody waits, or how often; whoever gets a monthly bill does not wait for it."""
    later = _LATER.search(reason) is not None
    return next((one[0] for one in _WAITS.finditer(reason) if not (later and one["perhaps"])), None)


# A column of so many values picks few of these rows (this project's own figure).
_PICKS = 10_000
_BATCH = pattern(
    r"(?i)\b(night\w*|daily|week\w*|month\w*|quarter\w*|year\w*|annual\w*|batch\w*|jobs?|exports?|migrat\w+|reports?|back-?ups?|audits?|once)\b"
)


def _waited_for(model: ModelSchema) -> Iterator[Finding]:
    """The scans of a large table for which somebody waits, by their reasons, or of which almost all rows are dropped."""
    if not any(query.scan for query in model.queries):
        return
    from btmodel.design.unhashed import readable  # here: this rule is loaded with every model

    most = stored_rows(model) or stored_rows(readable(model))
    rows = least_rows(model) if most is None else most
    for query in model.queries:
        said = _waited(query.scan or "")
        picking = _picking(model, query)
        if rows is None or rows < _MANY or not query.scan:
            continue
        if said is not None:
            what = f", and its reason says that somebody waits for it, or how often it runs ({said!r})"
        elif picking is not None and not _BATCH.search(query.scan):
            what = f", to pick those of one `{picking[0]}`, which has {picking[1]:,} values"
        else:
            continue
        yield RULE.finding(
            model,
            f"the query `{query.name}` reads the whole table, {'at least' if most is None else 'up to'} {rows:,} rows{what}",
            why="a scan takes longer with every row, and slows down whatever else reads the table",
            fix=partial(_ways_to_pick, model, query, _picked(model, query, picking)),
            part=query.name,
            at=query.location,
            level=Level.WARNING,
        )


def _picking(model: ModelSchema, query: Query) -> tuple[str, int] | None:
    """The column or the field of the key of most values, if of many, by which the reader of a scan picks among its rows, and how many it has."""
    counts = {
        part.name: part.cardinality or 0 for part in model.key.asked if part.codec.kind is not Kind.TIME
    }
    counts |= {column.name: column.expected.cardinality or 0 for column in model.columns}
    picked = [(name, counts[name]) for name in query.where if counts.get(name, 0) >= _PICKS]
    return max(picked, key=lambda one: one[1], default=None)


# What a query is called after: what its rows are of.
_OF = pattern(r"^(?:of|by|for|with|in)_")


def _picked(model: ModelSchema, query: Query, picking: tuple[str, int] | None) -> Column | None:
    """The column by which the reader picks, of many values, or else that of the most, or the first that is no number, which may be of a range; None where it picks by a field of the key."""
    if picking is not None:
        return next((column for column in model.columns if column.name == picking[0]), None)
    called = _OF.sub("", query.name)
    wanted = query.where or (called,)
    columns = [column for column in model.columns if column.name in wanted and column.shape.plain]
    return max(columns, key=_exactly_given, default=None)


def _exactly_given(column: Column) -> tuple[int, bool]:
    return column.expected.cardinality or 0, column.codec.python_type not in (int, float, Decimal)


def _ways_to_pick(model: ModelSchema, query: Query, picking: Column | None) -> Iterator[Fix]:
    """What serves the query if it gives what it picks by: a field that the key begins with, or the column; else what it may give or show instead."""
    from btmodel.design.unhashed import narrowed, unspread  # here: this rule is loaded with every model

    ranged = narrowed(model, query)
    if ranged is not None:
        text, unhashed, named = ranged
        only = "" if named else f"if `{query.name}` wants a part of the rows, "
        yield Fix(
            f"{only}keep what is hashed readable in the key, and give what is asked for: {text}", (unhashed,)
        )
    for part in model.key.fields:
        without = unspread(model, part)
        if without is not None:
            text, unhashed = without
            yield Fix(f"{text}; a hash of what the query bounds scatters its rows", (unhashed,))
    fields = [name for name in query.where if any(part.name == name for part in model.key.asked)]
    made, declared = design.asking(model, lambda other: fields if other == query else (), served=True)
    if declared:
        yield Fix(f"give {quoted(fields)}, which the key begins with: {declared}", (made,))
    # By what is given, be it a column or a field that stands behind others in the key, another key or a second table serves it.
    names = [picking.name] if picking is not None else [] if declared else fields
    if names:
        asking, declared = design.asking(model, lambda other: names if other == query else (), served=False)
        given = next(other for other in asking.queries if other.name == query.name)
        for text, models, alternative in design.served(asking, given):
            ask = "" if alternative else f"give {quoted(names)}, {declared}, and "
            yield Fix(f"{ask}{text}", models, alternative=alternative, together=True)
    yield Fix(
        "no other schema serves it as it is: give it a field or a range that a key begins with, such as the day, in this table "
        "or a second one; or let a batch job write what it shows to a small table, or a `bt.Rollup` count it"
    )


def _orders(models: Sequence[ModelSchema]) -> Orders:
    found: dict[frozenset[object], list[ModelSchema]] = {}
    tables: dict[object, set[str]] = {}
    # A table that is named at run time is no place to ask what a standing one answers.
    for model in sorted(models, key=lambda model: (bool(model.parameters), design.identity(model))):
        # What one key serves another that is equal serves, too, and of two tables one is another one.
        seen = tables.setdefault((model.key, model.events, model.nodes, frozenset(model.allow)), set())
        if model.table not in seen and len(seen) < 2:
            seen.add(model.table)
            found.setdefault(_key_contents(model), []).append(model)
    return found


def _key_contents(model: ModelSchema) -> frozenset[object]:
    """What the keys of the model hold."""
    return frozenset((part.name, part.codec) for part in model.key.asked)


def _elsewhere(model: ModelSchema, query: Query, orders: Orders) -> str:
    """The model with the same key fields whose table serves the query; empty where there is none."""
    for other in orders.get(_key_contents(model), ()):
        if (
            other.table != model.table
            and names_of(query)
            and not isinstance(access(other.key, query), Unserved)
            and not _hot(other)
        ):
            known = next((one.name for one in other.queries if asked(one) == asked(query)), None)
            ask = (
                f"ask `{other.name}.{known}`"
                if known
                else f"declare it there, `{query.name} = {declaration(query)}`, and ask it there"
            )
            return f"`{other.name}`, table {other.table!r}, serves it by its key `{other.key.shape}`: {ask}"
    return ""


def _hot(model: ModelSchema) -> bool:
    """Whether the writes of the model meet at one tablet, and it does not say why they may."""
    return any(
        not Suppressions(model, (), {}).cover(finding)
        for rule in (key001_timestamp_first, key003_low_cardinality_before_time)
        for finding in rule.check(model)
    )


def _asked(query: Query) -> str:
    given = ", ".join(query.equal) or "no field"
    between = f", between two values of {query.between}" if query.between else ""
    return f"{given} given{between}" + (f", the beginning of {query.starting}" if query.starting else "")


def _misnamed(model: ModelSchema, query: Query) -> tuple[str, str] | None:
    """Message and fix where the query names what is neither a field of the key nor a column."""
    fields = [part.name for part in model.key.asked]
    columns = [column.name for column in model.columns]
    constants = [part.name for part in model.key.fields if part.constant]
    follows = {part.name: part.derived for part in model.key.fields if part.derived}
    for name in names_of(query):
        if name in follows:
            of = "`, `".join(follows[name].of)
            return f"{name!r} follows from other attributes", f"give `{of}` instead of `{name}`"
        if name in constants:
            return (
                f"{name!r} is the same in every row",
                f"leave `{name}` out of the query: it is always given",
            )
        if name not in fields and name not in columns:
            alike = _near(model, name)
            known = "`, `".join(fields)
            return (
                f"{model.name} has no field {name!r}" + did_you_mean(alike),
                f"write `{alike[0]}` for `{name}`" if alike else f"name fields of the key: `{known}`",
            )
    return None


def _near(model: ModelSchema, name: str) -> list[str]:
    """The key fields and columns that an unknown name may have meant, the likeliest first."""
    known = [*(part.name for part in model.key.asked), *(column.name for column in model.columns)]
    return near(name, known)


def _respelt(model: ModelSchema, query: Query) -> ArgumentEdit | None:
    """The change of a misspelt name, where the key serves the query once that is fixed."""
    known = {part.name for part in model.key.fields} | {column.name for column in model.columns}
    wrong = [name for name in names_of(query) if name not in known]
    alike = _near(model, wrong[0]) if len(wrong) == 1 else []
    if not alike:
        return None
    fixed = evolve(
        query,
        equal=tuple(alike[0] if name in wrong else name for name in query.equal),
        between=alike[0] if query.between in wrong else query.between,
        starting=alike[0] if query.starting in wrong else query.starting,
    )
    if len(set(names_of(fixed))) < len(names_of(fixed)) or isinstance(access(model.key, fixed), Unserved):
        return None
    at = query.equal.index(wrong[0]) if wrong[0] in query.equal else None
    name = "between" if wrong[0] == query.between else "starting"
    return ArgumentEdit(name if at is None else at, literal(alike[0]))


def _refused_scan(model: ModelSchema, query: Query) -> str | Fix:
    """The fix of a query that no key can serve as it is declared; empty of others."""
    place = rectangle(model, query)
    if place is not None:
        return Fix(*place)
    if query.between in query.equal:
        return f"name `{query.between}` once, as given or as bounded"
    if not names_of(query):
        rows = (
            "all rows of the model are" if model.key.fields[0].constant is not None else "the whole table is"
        )
        return f'say why {rows} read: `scan="the nightly report"`; or give a field'
    return ""


def _ways(model: ModelSchema, query: Query) -> Iterator[Fix]:
    whole = f"; or, if you want to read the whole table, {_scan(model.key, query)}"
    for text, made in _sorting(model, query):
        yield Fix(text, (made,), otherwise=whole)
    for text, models, alternative in design.served(model, query):
        # A query that moves to a second table is served there, whatever the description says of it, too.
        yield Fix(text, models, otherwise=whole, alternative=alternative, together=True)


def _sorting(model: ModelSchema, query: Query) -> Iterator[tuple[str, ModelSchema]]:
    """The fix of a text that does not sort as what it is meant for, where it serves the query too: a range must be one of the values."""
    from btmodel.lint.proof import applied  # here: rules are loaded with every model, and few find anything

    for finding in key007_unpadded_number.check(model):
        if finding.field != query.between or finding.level is Level.INFO or finding.ways is None:
            continue
        for fix in finding.ways():
            made = applied(model, finding, fix.as_if) if fix.as_if else None
            if made is not None and not isinstance(access(made.key, query), Unserved):
                yield fix.text, made


def _scan(key: RowKey, query: Query) -> str:
    if isinstance(access(key, evolve(query, scan="meant")), Unserved):
        return 'declare a query without fields, `bt.query(scan="why")`, and filter its rows in Python'
    return 'say why: `scan="why"`'


RULE: Rule[Sequence[ModelSchema]] = Rule(
    "QRY001", "full-scan", check, page=__doc__, rewrites=None, levels=(Level.ERROR, Level.WARNING)
)
