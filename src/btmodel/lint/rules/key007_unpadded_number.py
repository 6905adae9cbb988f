"""KEY007 unpadded-number: a number or a time whose bytes sort differently from its values

What it finds
    A key field with a number or a time in an encoding that does not keep the order of its
    values: a number without leading zeros, or a date with the day in front of the month.

    The queries decide how grave that is. It is an error if one of them asks for a range, for a
    prefix or for the newest rows by this field, or if it is the time of a bucket; information
    if one reads rows in the order of this field; a warning if the model declares no query.
    The rule finds nothing if every query gives the field, or reads the whole table.

    The rule asks (info) about a text that is called like a quantity, such as `latitude` or
    `price`, if a query wants a range of it: numbers as text sort only with as many digits each.

Why
    Bigtable compares keys byte by byte. `10` sorts below `9`, and the 2nd of March below the
    3rd of January. So a range of such values is not a range of rows, and rows that belong
    together are stored apart.

Example
    import btmodel as bt


    class Reading(bt.Model, table="READING"):
        meter: str = bt.key(bt.Text(width=10), cardinality=10_000)
        number: int = bt.key(bt.Int(6))

        data = bt.family("data", gc=bt.max_versions(1))
        kwh: float = bt.column("kwh", data)

Use instead
    import btmodel as bt


    class Reading(bt.Model, table="READING"):
        meter: str = bt.key(bt.Text(width=10), cardinality=10_000)
        number: int = bt.key(bt.PaddedInt(6))

        data = bt.family("data", gc=bt.max_versions(1))
        kwh: float = bt.column("kwh", data)

Allow
    Suppress it if the keys exist already and nobody asks for a range of this field; say whose
    keys they are.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: pad integers with
    leading zeros).
"""

from collections.abc import Iterator

from btmodel import design
from btmodel.codecs import meaning_of
from btmodel.codecs.key import Kind, Order, Text
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level, encoded
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.words import words

# What is called so is a number, however it is written.
_QUANTITIES = frozenset(
    words(
        "latitude longitude lat lng lon altitude elevation price amount temperature pressure humidity distance weight score"
    )
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each number and time whose codec is not ordered, as far as queries need the order."""
    for part in model.key.fields:
        unordered = part.codec.kind in (Kind.NUMBER, Kind.TIME) and part.codec.order is Order.NONE
        level = _level(model, part) if unordered else None
        if level is not None:
            instead = design.digits_in_front(model, part) or design.sortable(part.codec)
            yield RULE.finding(
                model,
                f"the {part.codec.kind.value} `{part.name}` ({meaning_of(part.codec)}) does not sort as its values do",
                why="keys are compared byte by byte, so a range of such values is not a range of rows",
                fix=encoded(part, instead),
                part=part.name,
                at=part.location,
                level=level,
            )
        elif isinstance(part.codec, Text) and not _QUANTITIES.isdisjoint(_last(part.name)):
            yield from _as_text(model, part)


def _last(name: str) -> list[str]:
    """The last word of a name, if it has one."""
    return [word.lower() for word in words(name)[-1:]]


def _as_text(model: ModelSchema, part: KeyField) -> Iterator[Finding]:
    """The question about a quantity that is written as text, where a query wants a range of it."""
    ranged = [query.name for query in model.queries if query.between == part.name]
    if ranged:
        yield RULE.finding(
            model,
            f"`{part.name}` of the key `{model.key.shape}` is a text and called like a number, and the query `{ranged[0]}` "
            "wants a range of it",
            why="as text, 9 sorts behind 10, and -1 in front of -2",
            fix=Fix(
                "where its values are numbers, write all of them with as many digits, and none below zero: "
                f"`{part.name}: Decimal = bt.key(bt.mapped(bt.PaddedInt(9), to=..., from_=..., ordered=True))`",
                as_if=ArgumentEdit("codec", "bt.PaddedInt(9)"),
            ),
            part=part.name,
            at=part.location,
            level=Level.INFO,
        )


def _level(model: ModelSchema, part: KeyField) -> Level | None:
    """How much the declared queries need the order of ``part``; None where none does."""
    if part == model.bucket_field or any(_needs_order(model, query, part) for query in model.queries):
        return Level.ERROR
    if not model.queries:
        return Level.WARNING
    given = [query for query in model.queries if query.scan is None]
    return Level.INFO if any(part.name not in query.equal for query in given) else None


def _needs_order(model: ModelSchema, query: Query, part: KeyField) -> bool:
    if part.name in (query.between, query.starting):
        return True
    return query.newest and part.codec.kind is Kind.TIME and part.name not in query.equal


RULE: Rule[ModelSchema] = Rule(
    "KEY007",
    "unpadded-number",
    check,
    page=__doc__,
    rewrites=Rewritten.ROWS,
    levels=(Level.ERROR, Level.WARNING, Level.INFO),
)
