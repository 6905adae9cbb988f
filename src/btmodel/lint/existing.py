"""The review of rows that exist already: what another design would do better is information, with its cost.

What cannot be true, or would lose data, stays what it is.
"""

from collections.abc import Mapping
from enum import Enum

from attrs import evolve

from btmodel.estimates import shares, stored_bytes, stored_rows
from btmodel.lint.finding import Finding, Level
from btmodel.schema import ModelSchema
from btmodel.words import counted, size_text


class Rewritten(Enum):
    """What is written again where the advice of a rule is followed."""

    ROWS = "rows"
    FAMILY = "family"
    CELLS = "cells"


# The rules whose fixes lead to other keys, ids or cells than those that are stored. The other rules are about what
# can change at any time (queries, GC rules, estimates), or about what the service refuses.
REWRITES: Mapping[str, Rewritten] = {
    **dict.fromkeys(
        (
            *(f"KEY{number:03}" for number in (1, 2, 3, 4, 5, 6, 7, 9, *range(10, 17), 18, 19, 21)),
            *("QRY004", "QRY005", "COL003", "COL005"),
            *("ROW002", "ROW003", "ROW004", "ROW005", "ROW006", "ROW007"),
            *("TAB001", "TAB002", "TAB003", "TAB004"),
        ),
        Rewritten.ROWS,
    ),
    **dict.fromkeys(("FAM001", "FAM003", "QRY002"), Rewritten.FAMILY),
    **dict.fromkeys(("COL001", "COL004", "COL006", "QRY003", "ROW001"), Rewritten.CELLS),
}
# Of these rules even errors are advice: rows are written and read well, though not by several nodes, or not fast.
# An error of any other says that a query would get wrong rows, that cells would be lost, or that the service refuses them.
_NEVER_WRONG = frozenset({"KEY001", "KEY002", "FAM001", "QRY003", "ROW003"})


def as_advice(model: ModelSchema, finding: Finding) -> Finding:
    """``finding`` as information with its cost, where ``model`` describes rows that exist and its fix would write them again."""
    if not model.existing:
        return finding
    if finding.edit is not None and (finding.edit.rewrites or finding.edit.argument == "table"):
        finding = evolve(finding, edit=None)  # the rows stay as they are, and would not be found any more
    rewritten = REWRITES.get(finding.rule)
    wrong = finding.level is Level.ERROR and finding.rule not in _NEVER_WRONG
    if rewritten is None or wrong:
        return finding
    return evolve(finding, level=Level.INFO, cost=_cost(model, finding, rewritten))


def _cost(model: ModelSchema, finding: Finding, rewritten: Rewritten) -> str:
    if rewritten is Rewritten.ROWS or (
        model.family(finding.field or "") is None and rewritten is Rewritten.FAMILY
    ):
        return f"a new table, and a copy of {_rows(model)}{_bytes(stored_bytes(model))}"
    if rewritten is Rewritten.FAMILY:
        size = _bytes(_cells(model, finding.field))
        return f"a new family, and a copy of the cells of {finding.field!r} in {_rows(model)}{size}"
    return f"its cells are written again in {_rows(model)}{_bytes(_cells(model, finding.field))}"


def _rows(model: ModelSchema) -> str:
    count = stored_rows(model)
    return "every row" if count is None else f"up to {counted(count, 'row')}"


def _bytes(count: int | None) -> str:
    return "" if count is None else f" ({size_text(count)})"


def _cells(model: ModelSchema, name: str | None) -> int | None:
    """The bytes of the cells of a family, or of an attribute, in all rows."""
    rows = stored_rows(model)
    sizes = [share.bytes.usual.value for share in shares(model) if name in (share.family, share.source.name)]
    if rows is None or not sizes or None in sizes:
        return None
    return rows * sum(size for size in sizes if size is not None)
