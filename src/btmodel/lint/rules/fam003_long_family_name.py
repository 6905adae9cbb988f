"""FAM003 long-family-name: a family id that outweighs the data

What it finds
    A family id of more than 12 bytes that is longer than the typical value of its columns on
    average: `measurements_blob` is fine with messages of 20 bytes, but not with numbers. If a
    column may have values of any length, and the model does not declare their `size`, the rule
    finds nothing. In a table without models it finds ids of more than 16 bytes.

Why
    The family id is sent with every cell that is read, so most of a short value with a long
    family id is the id.

Example
    import btmodel as bt


    class Machine(bt.Model, table="machine"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        figures = bt.family("machine_measurements", gc=bt.max_versions(1))
        load: float = bt.column("load", figures)

Use instead
    import btmodel as bt


    class Machine(bt.Model, table="machine"):
        host: str = bt.key(bt.Text(width=20), cardinality=100_000)

        figures = bt.family("machine", gc=bt.max_versions(1))
        load: float = bt.column("load", figures)

Allow
    Suppress it if the table has the family already, or if other programs read it by its name;
    say which. You can name the attribute as you like.

Source
    https://cloud.google.com/bigtable/docs/schema-design (choose short names for your
    column families), https://cloud.google.com/bigtable/docs/schema-design-time-series (use short
    but meaningful names). The 12 and 16 bytes are this project's own choice.
"""

from collections.abc import Iterator

from btmodel.estimates import value_size
from btmodel.lint.cells import LONG, shortened
from btmodel.lint.finding import Finding, Level, family_renamed
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import Column, ModelSchema
from btmodel.schema.limits import FAMILY_ID
from btmodel.schema.names import sample

# A name of more bytes is long, whatever the values are (this project's own figure).
VERY_LONG = 16


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each family whose id is long for what it holds; illegal ids are left to FAM002."""
    taken = {family.id for family in model.families}
    for family in model.families:
        id = sample(family.id)
        if len(id) <= LONG or not FAMILY_ID.fullmatch(id):
            continue
        size, usual = len(id), _typical(model, family.id)
        unsaid = usual is None and any(column.family == family.id for column in model.columns)
        if unsaid or size <= (VERY_LONG if usual is None else max(LONG, usual)):
            continue
        words, brace, open_end = family.id.partition("{")
        short = shortened(words, taken) + brace + open_end
        taken.add(short)
        values = "" if usual is None else f", and a typical value of its columns only {usual:.3g}"
        yield RULE.finding(
            model,
            f"the family id {family.id!r} has {size} bytes{values}",
            why="the family id is sent with every cell that is read",
            fix=_fix(model, family.id, short),
            part=family.id,
            at=family.location,
            edit=family_renamed(model, family, short),
        )


def _fix(model: ModelSchema, id: str, short: str) -> str:
    if model.undeclared:
        return f'a family that is there cannot be renamed: make a new one, "{short}", copy the cells, and delete {id!r}; or leave it so'
    return f'call it `"{short}"`; the attribute keeps its name'


def _typical(model: ModelSchema, id: str) -> float | None:
    """Bytes of a typical value in the family, on the average of its columns; None where it has none, or one of unknown size."""
    columns = [_data(column) for column in model.columns if column.family == id]
    mirrors = (part.mirror for part in model.key.fields if part.mirror)
    sizes = [*columns, *(mirror.codec.typical_size for mirror in mirrors if mirror.family == id)]
    known = [size for size in sizes if size is not None]
    return sum(known) / len(known) if known and len(known) == len(sizes) else None


def _data(column: Column) -> int | None:
    """Bytes that a cell is there for: its value, or the qualifier where that is the value; None without a declaration."""
    if column.shape.empty and column.names is not None:
        return column.names.length.most
    return value_size(column.codec, column.name, column.expected).usual.value


RULE: Rule[ModelSchema] = Rule(
    "FAM003", "long-family-name", check, page=__doc__, rewrites=Rewritten.FAMILY, levels=(Level.WARNING,)
)
