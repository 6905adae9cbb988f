"""KEY006 binary-field: raw bytes in the row key

What it finds
    A key field in an encoding that is not text: raw bytes, binary numbers, the 16 bytes of a
    UUID, and the result of `bt.Descending` unless it consists of digits.

    The length in front of a text and the end mark of an escaped text are not text either, but
    their values are, so the rule does not find such fields.

    In a model that declares its queries the finding is information: raw bytes hurt none of
    them. So it is of a UUID, which is read by its key alone, and whose text is more than twice as long.

Why
    When something is wrong, you look at keys: in the Key Visualizer, in logs, in `cbt`. Raw
    bytes are fine in the values of columns, but unreadable in keys.

Example
    import btmodel as bt


    class Reading(bt.Model, table="READING"):
        meter: str = bt.key(bt.Text(width=10), cardinality=10_000)
        number: int = bt.key(bt.BigEndian(4))

        data = bt.family("data", gc=bt.max_versions(1))
        kwh: float = bt.column("kwh", data)

Use instead
    import btmodel as bt


    class Reading(bt.Model, table="READING"):
        meter: str = bt.key(bt.Text(width=10), cardinality=10_000)
        number: int = bt.key(bt.PaddedInt(10))

        data = bt.family("data", gc=bt.max_versions(1))
        kwh: float = bt.column("kwh", data)

Allow
    Suppress it if another program reads or writes the keys, or if the keys are most of the
    stored bytes; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: human-readable string values; row keys
    to avoid: raw bytes).
"""

from collections.abc import Iterator
from uuid import UUID

from btmodel.codecs import meaning_of
from btmodel.design.candidates import digits_in_front
from btmodel.design.encodings import is_readable, readable
from btmodel.lint.finding import Finding, Level, encoded
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each field whose encoding people cannot read."""
    for part in model.key.fields:
        if not is_readable(part.codec):
            instead = digits_in_front(model, part) or readable(part.codec)
            yield RULE.finding(
                model,
                f"`{part.name}` of the key `{model.key.shape}` is raw bytes ({meaning_of(part.codec)})",
                why="you look at keys when something is wrong, and raw bytes are unreadable",
                fix=encoded(part, instead),
                part=part.name,
                at=part.location,
                level=Level.INFO if model.queries or part.codec.python_type is UUID else Level.WARNING,
            )


RULE: Rule[ModelSchema] = Rule(
    "KEY006", "binary-field", check, page=__doc__, rewrites=Rewritten.ROWS, levels=(Level.WARNING, Level.INFO)
)
