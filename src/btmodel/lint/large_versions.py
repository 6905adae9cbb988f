"""Large values of which a family keeps many versions, though one is wanted."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

from btmodel.design.hints import NUMBERS, sentences
from btmodel.estimates import Share, least_rows, rate_of_one, shares, timed
from btmodel.lint.descriptions import WRITTEN_ONCE
from btmodel.lint.finding import Fix
from btmodel.lint.numbers_kept import number_kept
from btmodel.lint.rare_writes import said_often
from btmodel.lint.retention import declared_family, free_family, moved, overwritten, with_rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, Family, GcRule, MaxVersions, ModelSchema, Union
from btmodel.schema.gc import simplified
from btmodel.schema.limits import ADVISED_ROW_BYTES
from btmodel.source_text import gc_code
from btmodel.words import words

# So many bytes of old versions of one column are a burden, where only the newest is read (this project's own figure).
_HEAVY = ADVISED_ROW_BYTES // 10
# And so many bytes of them in the whole table, however small each row is (this project's own figure).
_COSTLY = 2**40

_NUMBER = rf"(?:[0-9][0-9,]*|{'|'.join(sorted(NUMBERS, key=len, reverse=True))})"
_NEWEST = r"(?:newest|latest|current|present|most recent|last)"
# What is spoken of where old versions of a whole row are wanted.
_STATES = (
    r"(?:versions?|drafts?|revisions?|editions?|copies|states?|edits?|releases?|uploads?|saves?|snapshots?)"
)
_SEVERAL = rf"(?:all|every|each|any|both|earlier|previous|former|older?|past|replaced|(?:the )?last {_NUMBER}|{_NUMBER})"
_BACK = pattern(
    r"(?i)\b(?:undo|undone|history|histories|restor(?:es?|ed|ing)|roll(?:s|ed)? back|rollback|goes back|go back|going back|diffs?|reverts?|reverted|audit (?:trail|log)|as (?:it|they) (?:was|were))\b"
)


# The same, without a name: "the page shows what was computed last".
_WHAT_CAME_LAST = pattern(
    r"(?i)\b(?:shows?|reads?|serves?|uses?|takes?|asks? for|needs?|wants?|gets?|sees?|loads?|looks? at) (?:only |just )?(?:what|the one that|that which) (?:was|were|has been|is) \w+ (?:last|most recently|latest)\b"
)


class Kept(NamedTuple):
    """A plain column of large values, how many versions of it its family keeps, and whether the description wants the ``newest`` alone, or ``several``."""

    share: Share
    column: Column
    family: Family
    versions: int
    newest: bool
    several: bool
    rows: int

    @property
    def usual(self) -> int:
        """The bytes of all versions of usual size."""
        return self.versions * self.share.cell.usual.least

    @property
    def largest(self) -> int:
        """The bytes of all versions of the declared ``max_size``; of usual size where none is declared."""
        return self.versions * max(self.share.cell.largest.least, self.share.cell.usual.least)

    @property
    def heavy(self) -> bool:
        """Whether the old versions are many bytes of a row or of the table, and nobody wants them, as far as the description says."""
        return (self.usual >= _HEAVY or self.costly) and not self.several

    @property
    def old_of_table(self) -> int:
        """The bytes of the old versions of all rows that there are at least."""
        return self.rows * (self.versions - 1) * self.share.cell.usual.least

    @property
    def costly(self) -> bool:
        """Whether the old versions are many bytes of the table."""
        return self.old_of_table >= _COSTLY


def kept_versions(model: ModelSchema) -> list[Kept]:
    """The plain columns of rows that are written again, of which a rule keeps a number of versions: the heaviest first.

    What declares by `keep` that it wants them is counted with its row, and of what is kept for ever, other rules speak.
    """
    if timed(model) or model.bucket is not None or model.stamp.repeated or WRITTEN_ONCE.search(model.doc):
        return []
    rewritten = {column.name for column, _, _ in overwritten(model)}
    found = []
    for share in shares(model):
        column, family = share.column, model.family(share.family)
        if column is None or family is None or not column.shape.plain or column.name in rewritten:
            continue
        if column.expected.keep is not None or family.aggregate is not None or family.gc is None:
            continue
        versions = 1 if family.gc.given else _number(model, family.gc)
        if versions > 1:
            newest, several = _newest_said(model, column), _several_said(model, column)
            found.append(Kept(share, column, family, versions, newest, several, least_rows(model) or 0))
    return sorted(found, key=lambda one: -one.usual)


def _number(model: ModelSchema, rule: GcRule) -> int:
    """How many versions the rule keeps at most, where it says a number; one where it says none, or the row is not written so often."""
    most = max((one.versions for one in rule.thresholds() if isinstance(one, MaxVersions)), default=1)
    if not rule.deletes(timedelta(0), most + 1):
        return 1  # an age keeps more
    said, rate = said_often(model.doc), rate_of_one(model)
    between = said[1].total_seconds() if said else 1 / rate if rate else 0.0
    ranks = range(most, 1, -1) if most <= _HEAVY else ()
    return next(
        (
            rank
            for rank in ranks
            if not rule.deletes(timedelta(seconds=min(between * (rank - 1), 1e10)), rank)
        ),
        1,
    )


def _called(column: Column) -> str:
    """A pattern of what a column is called: its whole name, or the noun that it ends with."""
    parts = words(column.name)
    name = r"\s+".join(re.escape(part) for part in parts)
    return rf"`?(?:{name}|{re.escape(parts[-1])})(?:s|es)?`?" if parts else re.escape(column.name)


def _newest_said(model: ModelSchema, column: Column) -> bool:
    """Whether the description says that the newest value of a column is what is read."""
    name = _called(column)
    said = rf"\b{_NEWEST} (?:\w+ )?{name}\b|\b(?:of )?{name},? (?:only|just) (?:the|its) {_NEWEST}\b|\bof (?:the |its )?{name},? (?:the|its) {_NEWEST} (?:one )?(?:is|counts|matters)\b|\b{_NEWEST} (?:one |version )?of (?:the |its )?{name}\b|\b(?:one|a single) (?:\w+ )?{name}\b"
    doc = " ".join(model.doc.split())
    return re.search(rf"(?i){said}", doc) is not None or _WHAT_CAME_LAST.search(doc) is not None


def _several_said(model: ModelSchema, column: Column) -> bool:
    """Whether the description wants old values of a column, or of the whole row."""
    name = _called(column)
    row = "|".join(re.escape(word.lower()) for word in words(model.name)[-1:]) or "row"
    several = rf"(?i)\b{_SEVERAL} (?:of (?:the|its|their) )?(?:\w+ )?(?:{name}|{_STATES})(?!\w)"
    number = number_kept(model, column)
    if number is not None and number[1] > 1:
        return True
    for sentence in sentences(model.doc):
        if re.search(several, sentence):
            return True
        back = _BACK.search(sentence)
        others = [_called(other) for other in model.columns if other != column]
        of_another = any(re.search(rf"(?i)\b{other}(?!\w)", sentence) for other in others)
        if back and (not of_another or re.search(rf"(?i)\b(?:{name}|{row}s?|row)(?!\w)", sentence)):
            return True
    return False


def fewer(model: ModelSchema, kept: Kept, versions: int) -> Iterator[Fix]:
    """So many versions of a column: in a family of its own, where other columns have versions beside it."""
    rule = _fewer(kept.family.gc, versions)
    beside = [other for other in model.columns if other.family == kept.family.id and other != kept.column]
    of_row = versions == 1 and _WHAT_CAME_LAST.search(" ".join(model.doc.split())) is not None
    if beside and not (of_row and all(map(_wanted_as_it_is, beside))):
        home = Family(free_family(model, kept.family.id), rule)
        text = f"give `{kept.column.name}` a family of its own, which keeps {'its newest version' if versions == 1 else f'{versions:,} versions'}: `{declared_family(home)}`"
        yield Fix(text, (moved(model, kept.column, home),))
        return
    text = f'keep {"the newest version" if versions == 1 else f"{versions:,} versions"}: `bt.family("{kept.family.id}", gc={gc_code(rule)})`'
    yield Fix(text, (with_rule(model, kept.family.id, rule),))


def _wanted_as_it_is(column: Column) -> bool:
    """Whether nothing says of a column that its old versions are wanted."""
    return column.shape.plain and column.expected.keep is None


def _fewer(rule: GcRule | None, versions: int) -> GcRule:
    """The rule with no more versions than that; what an age ends, it still ends."""
    if not isinstance(rule, Union):
        return MaxVersions(versions)
    rest = (part for part in rule.rules if not isinstance(part, MaxVersions))
    return simplified(Union((MaxVersions(versions), *rest)))
