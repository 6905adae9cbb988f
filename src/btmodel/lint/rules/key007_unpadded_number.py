"""KEY007 unpadded-number: a number or a time whose bytes sort differently from its values

What it finds
    A key field with a number or a time in an encoding that does not keep the order of its
    values: a number without leading zeros, or a date with the day in front of the month.

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
from btmodel.codecs.key import Kind, Order
from btmodel.lint.finding import Finding, codec_named
from btmodel.lint.rule import Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each number and time whose codec is not ordered."""
    for part in model.key.fields:
        if part.codec.kind in (Kind.NUMBER, Kind.TIME) and part.codec.order is Order.NONE:
            instead = design.digits_in_front(model, part) or design.sortable(part.codec)
            yield RULE.finding(
                model,
                f"the {part.codec.kind.value} `{part.name}` ({meaning_of(part.codec)}) does not sort as its values do",
                why="keys are compared byte by byte, so a range of such values is not a range of rows",
                fix=f"encode `{part.name}` as {instead}",
                part=part.name,
                at=part.location,
                edit=codec_named(instead),
            )


RULE: Rule[ModelSchema] = Rule("KEY007", "unpadded-number", check, page=__doc__)
