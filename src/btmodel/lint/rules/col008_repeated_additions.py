"""COL008 repeated-additions: exact sums of what may be added twice

What it finds
    Counters, and other columns with declared `increments`, of a model whose docstring says that an event may come twice ("at least once",
    "is sent again", "retries", "duplicates"). It is a warning if the docstring says, too, that its sums must be right ("invoice", "pays by", "exact", "to the cent"), or a name is that of money or the like (`balance`, `paid_cents`, `stock`, `seats_left`, `votes`), and
    else information.

Why
    An addition that comes twice counts twice: neither an aggregate family nor `increment` knows what it has added. The same is true of an
    addition whose answer was lost, which may have been made or not. A cell that is written twice with the same name and
    time is the same cell.

Example
    from datetime import date

    import btmodel as bt


    class Usage(bt.Model, table="USAGE", events="40/s"):
        \"\"\"Kilometres of a rented car in a month, by which the customer pays. Cars send a report again if they get no answer.\"\"\"

        car: str = bt.key(bt.Text(width=10), cardinality=280_000)
        month: date = bt.key(bt.DateText("%Y-%m"))

        s = bt.family("s", gc=bt.keep_all(), aggregate="sum")
        kilometres: int | None = bt.counter("k", s, increments="12/day")

        of_car = bt.query("car", between="month")

Use instead
    from datetime import date

    import btmodel as bt


    class Usage(bt.Model, table="USAGE", events="40/s"):
        \"\"\"Kilometres of a rented car in a month, by which the customer pays. Cars send a report again if they get no answer.\"\"\"

        car: str = bt.key(bt.Text(width=10), cardinality=280_000)
        month: date = bt.key(bt.DateText("%Y-%m"))

        r = bt.family("r", gc=bt.keep_all())
        kilometres: dict[str, int] = bt.mapping(r, bt.Text(max_length=12), entries=400)

        of_car = bt.query("car", between="month")

Allow
    Suppress it if what adds drops repetitions before, or a sum may be a little too large; say which.

Source
    https://cloud.google.com/bigtable/docs/schema-design (cells: aggregates), and google/bigtable/v2/bigtable.proto (additions are not idempotent, so clients do not repeat them).
"""

from collections.abc import Iterator

from btmodel.design.hints import sentences
from btmodel.design.value_hints import exact as called_exact
from btmodel.lint.finding import Finding, Level
from btmodel.lint.rule import Rule
from btmodel.on_demand import pattern
from btmodel.schema import Aggregate, Column, ModelSchema
from btmodel.schema.possible_edits import added_to
from btmodel.words import duration_text, quoted

_TWICE = pattern(
    r"(?i)\b(at[- ]least[- ]once|twice|(sends?|sent|comes?|delivers?|delivered|reports?|writes?) (\w+ ){0,3}again|retr(y|ies|ied)|re-?sen[dt]s?|re-?deliver\w*|a second time|"
    r"duplicates?|repeated|more than once)\b"
)
_EXACT = pattern(
    r"(?i)\b(balances?|pays?|paid|bill(s|ed|ing)?|invoic\w+|exact(ly)?|charged?|charges|royalt\w+|quotas?|computed from|settle\w*|audit\w*|tax(es)?|courts?|official|subsid\w+|(counted|added) (twice|too often)|fees?|money|must be right|correct|to the (\w+))\b"
)
_NOT = pattern(
    r"(?i)\b(not|never|nobody|no one|none|nothing|no|another|elsewhere|other (system|table)s?|to some)\b"
)
_NOT_TWICE = pattern(r"(?i)\b(not|never|no|none|nothing|not one)\b.*\b(twice|too often|again)\b")
_APPROXIMATE = pattern(
    r"(?i)\b(approximate\w*|roughly|about right|rough|need not be exact|nobody minds|(does|do) not mind|(does|do|did|would) no harm|harmless|(does|do|would) not hurt|not for (an |the )?invoices?|no matter|does not matter|may be (\w+ ){0,3}(off|wrong|large|high|too)|charts?|trends?|not exact\w*)\b"
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag the sums of a model whose events may come twice, and whose sums must be right."""
    sums = [column for column in model.columns if _added_to(model, column)]
    twice = next(filter(None, map(_TWICE.search, sentences(model.doc))), None)
    exact = next(
        (found for one in sentences(model.doc) for found in (_EXACT.search(one),) if found and _meant(one)),
        None,
    )
    if not sums or twice is None or _APPROXIMATE.search(model.doc):
        return
    also = "" if exact is None else f" and {exact[0]!r}"
    called = [column for column in sums if called_exact(column.name)] if exact is None else []
    if called:
        sums = called
        also = f"; judging by {'its name' if len(sums) == 1 else 'their names'}, the sum must be right"
    yield RULE.finding(
        model,
        f"{quoted(column.name for column in sums)} {'is' if len(sums) == 1 else 'are'} added up, and the description says {twice[0]!r}{also}",
        why="what is added twice counts twice: the service does not know what it has added, and what is written twice under one name is the same cell",
        fix=f"write each event under its id, as an entry of a `bt.mapping(...)` of the row{_of_span(sums[0])}, or as a row with its id in the key, and add up what is read; or, if "
        'writers know the whole count, let them send it each time, in a family with `aggregate="max"`',
        part=sums[0].name,
        at=sums[0].location,
        level=Level.INFO if exact is None and not called else Level.WARNING,
    )


def _of_span(column: Column) -> str:
    """A word on the row of entries, where a counter tells spans of time apart."""
    return (
        ""
        if column.spans is None
        else f", which then has the time in its key, one for {duration_text(column.spans.every)}"
    )


def _meant(sentence: str) -> bool:
    """Whether a sentence says that sums are right, and not that they need not be: that nothing may be counted twice is no negation."""
    return not _NOT.search(sentence) or _NOT_TWICE.search(sentence) is not None


def _added_to(model: ModelSchema, column: Column) -> bool:
    family = model.family(column.family)
    kept = family is not None and family.aggregate not in (
        None,
        Aggregate.SUM,
    )  # the largest of two like ones is the same
    return added_to(column) and not kept


RULE: Rule[ModelSchema] = Rule(
    "COL008", "repeated-additions", check, page=__doc__, rewrites=None, levels=(Level.WARNING, Level.INFO)
)
