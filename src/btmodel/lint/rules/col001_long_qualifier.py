"""COL001 long-qualifier: a column name that outweighs its values

What it finds
    A qualifier of more than 12 bytes that is longer than the typical value of its column (a
    warning), or a qualifier of more than 16 KiB (an error: the service refuses it). Cells that
    mirror a key field count, too. Of values of any length, such as text, the typical size is
    what the model declares (`size`); without it the rule finds no name too long for them. The fix is
    the name of the attribute, if that has no more than 8 bytes, and else made of the words of the qualifier.

Why
    The qualifier is stored in every cell and sent with every cell that is read, so most of the
    traffic of short values with a long name is the name.

Example
    import btmodel as bt


    class Phone(bt.Model, table="PHONE"):
        device: str = bt.key(bt.Text(width=8), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        cellphone: int = bt.column("CELLPHONE_NUMBER", data)

Use instead
    import btmodel as bt


    class Phone(bt.Model, table="PHONE"):
        device: str = bt.key(bt.Text(width=8), cardinality=1_000_000)

        data = bt.family("data", gc=bt.max_versions(1))
        cellphone: int = bt.column("CELL", data)

Allow
    Suppress the warning if other programs read the cell by its name, and say which. You can
    rename the attribute at any time, but the cell only while it is new. The error is a hard
    limit of the service and cannot be suppressed.

Source
    https://cloud.google.com/bigtable/docs/schema-design (columns: short, meaningful
    names), https://cloud.google.com/bigtable/quotas (16 KB a qualifier). The 12 bytes
    are this project's own choice.
"""

from collections import Counter
from collections.abc import Iterator, Set

from btmodel.codecs import meaning_of
from btmodel.lint.cells import LONG, NamedCell, first_short, named_cells, shortened
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rewritten, Rule
from btmodel.schema import ModelSchema
from btmodel.schema.limits import QUALIFIER_BYTES
from btmodel.words import counted, words

# Bytes of the name of an attribute that does for a qualifier as it is (this project's own figure).
_BRIEF = 8


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each qualifier over the limit; else each long one with shorter values."""
    cells = list(named_cells(model))
    taken = {(cell.family, cell.text) for cell in cells}
    begun = Counter((cell.family, first_short(words(cell.text) or ["c"])) for cell in cells if _long(cell))
    for cell in cells:
        size, usual = len(cell.qualifier), cell.usual
        if cell.longest > QUALIFIER_BYTES >= size:
            yield _too_long(model, cell)
            continue
        if not _long(cell):
            continue
        used = {text for family, text in taken if family == cell.family}
        alike = begun[cell.family, first_short(words(cell.text) or ["c"])] > 1
        short = _attribute(cell, used) or shortened(cell.text, used, alike=alike)
        taken.add((cell.family, short))
        if size > QUALIFIER_BYTES:
            message = (
                f"the qualifier of `{cell.cell}` has {size:,} bytes; at most {QUALIFIER_BYTES:,} are possible"
            )
            why, level = "the service refuses a cell whose qualifier is longer", Level.ERROR
        else:
            message = f"the qualifier of `{cell.cell}` has {size} bytes, and its typical value only {usual} ({meaning_of(cell.codec)})"
            why, level = (
                "the qualifier is stored in every cell and sent with every cell that is read",
                Level.WARNING,
            )
        yield RULE.finding(
            model,
            message,
            why=why,
            fix=f"call the cell `{cell.family}:{short}`; the attribute keeps its name",
            part=cell.attribute,
            at=cell.location,
            level=level,
            edit=cell.renamed(short),
        )


def _too_long(model: ModelSchema, cell: NamedCell) -> Finding:
    """The finding of qualifiers that are data, and may get longer than any can be."""
    return RULE.finding(
        model,
        f"a qualifier of `{cell.attribute}` may have {cell.longest:,} bytes; at most {QUALIFIER_BYTES:,} are possible",
        why="the service refuses a cell whose qualifier is longer",
        fix=f"bound them to {counted(QUALIFIER_BYTES - len(cell.qualifier), 'byte')}, or put the long part into the cell's value",
        part=cell.attribute,
        at=cell.location,
        level=Level.ERROR,
    )


def _long(cell: NamedCell) -> bool:
    """Whether the qualifier is long for its values, or longer than any may be."""
    size, usual = len(cell.qualifier), cell.usual
    return size > QUALIFIER_BYTES or (usual is not None and size > max(LONG, usual))


def _attribute(cell: NamedCell, taken: Set[str]) -> str | None:
    """The name of the attribute, where that is short already, and names one cell that is not called so yet; in capitals where these are."""
    name = cell.attribute.strip("_")
    name = name.upper() if cell.text.isupper() else name
    fits = name.isascii() and 0 < len(name) <= _BRIEF
    return name if fits and cell.argument is not None and name not in taken else None


RULE: Rule[ModelSchema] = Rule(
    "COL001",
    "long-qualifier",
    check,
    page=__doc__,
    rewrites=Rewritten.CELLS,
    levels=(Level.WARNING, Level.ERROR),
    limit=True,
)
