"""COL009 lost-update: a cell that several writers read, change and put back, or whose time is that of a plan

What it finds
    A plain column that holds a list, a set or a dict, of which the docstring of the model says that a program reads it, changes it and writes it back ("reads the cart, adds an
    article and puts the row"), that several change it at the same time, or that all that happens is appended to it ("to which each payment is appended"), unless ROW003 speaks of the list; and a whole number without declared `increments` that such a sentence names. It finds nothing in a row with a time in its key, in a model whose docstring says that the write is
    conditional, that a version is compared, or that there is one writer alone, and nothing of a column that is said to be replaced as a whole. Of a list of "the last 200 payments" the fix
    keeps so many versions of a column, of which the service deletes older ones.

    A document (a mapping, a list or a record in one cell) of 16 KiB or more, by its declared `size`, of which the docstring says that a part alone is changed or read ("only the balance in it changes", "reads nothing but the
    balance"), if no attribute is called like that part.

    A `bt.timestamp()` that is the time of something to come, by its name (`departs`, `planned_start`) or the docstring ("is planned to leave", of `leaves`), if the docstring says that
    it may be moved ("a sailing is rescheduled", "to an earlier or a later time"), or if it is called like a plan (`scheduled_for`, `eta`, `next_run`, `remind_at`); information if only its name says that it is to come (`exam_date`, `departs`). One from which a value holds, by its name (`valid_from`, `effective_date`), if the docstring says that
    values are written before ("enters prices up to three weeks before they become valid") and the family keeps one version; information if not. A name of an end, such as `due`, is in FAM005.

Why
    A put writes the whole cell. If two programs read the same list or number, each puts it back with its own change, and the change of the first one is lost without an error. And each
    change of one item of a list reads and writes all of them.
    The newest cell of a column is that with the latest timestamp, whenever it was written. If it is the time of a plan that is then moved to an earlier one, the cells of the new plan are
    behind those of the old one: no read shows them, and garbage collection deletes them. If it is the time from which a price holds, the price of next week has the latest one: no read shows that of today.

Example
    import btmodel as bt


    class Basket(bt.Model, table="BASKET", events="900/s"):
        \"\"\"The basket of a family. Its phones change it at the same time: a phone reads the basket, adds an item to the list and puts the row.\"\"\"

        family: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)

        b = bt.family("b", gc=bt.max_age(days=30))
        items: list[str] = bt.column("i", b, size=4_000, max_size=40_000)

        of_family = bt.query("family")

Use instead
    import btmodel as bt


    class Basket(bt.Model, table="BASKET", events="900/s"):
        \"\"\"The basket of a family, with a cell for each item: a phone writes that of the item which it adds.\"\"\"

        family: str = bt.key(bt.HexDigest(12), cardinality=6_000_000)

        b = bt.family("b", gc=bt.max_age(days=30))
        items: dict[str, str] = bt.mapping(b, bt.Text(max_length=40), prefix="i:", entries=1_000)

        of_family = bt.query("family")

Allow
    Suppress it if each row has one writer at a time; say what makes it so.

Source
    https://cloud.google.com/bigtable/docs/schema-design (columns: store data as column qualifiers), https://cloud.google.com/bigtable/docs/writes (a write is atomic in its row, and
    overwrites; conditional writes decide by what is there). The lost update is described in Kleppmann, "Designing Data-Intensive Applications", chapter 7. The 1,000 entries are this
    project's own figure.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, get_args, get_origin

from attrs import evolve

from btmodel.codecs.cell.record import is_record
from btmodel.design.attribute_words import singular
from btmodel.design.denials import denied
from btmodel.design.hints import called_planned, sentences
from btmodel.estimates import timed
from btmodel.lint.finding import Finding, Fix, Level
from btmodel.lint.growth import MUCH_WRITTEN
from btmodel.lint.lists import each_alone, listed, spoken_of
from btmodel.lint.numbers_kept import number_kept
from btmodel.lint.retention import declared_family, free_family, moved
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import Column, Family, MaxVersions, ModelSchema, Shape
from btmodel.schema.gc import MOST_VERSIONS
from btmodel.words import size_text, words

_VERSIONED = (
    "; or, if it must stay one cell, give the row a number of its version, and write by `put_if` that this is the one that was read, "
    "and read again where it is not"
)
_MANY = (list, tuple, set, frozenset, dict)
# Entries that are proposed (this project's own figure).
_ENTRIES = 1_000
_READS = r"(?:reads?|reading|loads?|loading|gets?|getting|fetch(?:es)?|fetching|takes?|queries)"
_CHANGES = (
    r"(?:adds?|adding|appends?|appending|changes?|changing|removes?|removing|inserts?|inserting|edits?|editing|ticks?|"
    r"modif(?:y|ies|ying)|increments?|increases?|subtracts?|decreases?|counts? (?:up|down)|updates?|updating|extends?|extending|drops?|dropping|strikes?|puts? (?:\w+ ){1,3}(?:in|into|on|onto)|pushes)"
)
_PUTS = r"(?:puts?|putting|writes?|writing|saves?|saving|stores?|storing|sends? (?:\w+ ){0,3}back)"
_BACK = pattern(
    rf"(?i)\b{_READS}\b[^.;]*\b{_CHANGES}\b[^.;]*\b{_PUTS}\b|\bread[-,\s]+(?:and[-\s]+)?(?:modify|change|update)[-,\s]+(?:and[-\s]+)?(?:write|put)\b"
)
_AT_ONCE = r"(?:at the same time|at once|simultaneously|concurrent(?:ly)?|in parallel)"
_WHO = (
    r"(?:several|many|two|three|different|any|all) (?:of \w+ )?(?:\w+ )?(?:phones?|devices?|users?|people|persons?|friends|members?|players?|workers?|processes|servers?|services?|"
    r"clients?|programs?|editors?|writers?|browsers?|nurses?|agents?|staff|colleagues)"
)
_CHANGE = r"(?:add|append|change|remove|insert|edit|fill|tick|modify|update|extend|write to|write into)"
# Several that change something, or what is changed by several, or at the same time.
_SEVERAL = pattern(
    rf"(?i)\b(?:each|every) (?:phone|device|user|person|friend|member|player|client|browser|editor) (?:\w+ly )?(?:rewrites?|{_CHANGES})\b|\b{_WHO} (?:(?:may|can|could|might|will) )?(?:\w+ly )?(?:{_CHANGE}|{_CHANGES})\b|\b(?:{_CHANGE}e?d|added|edited|filled|{_CHANGE}|{_CHANGES})\b[^.;,]*\b(?:{_AT_ONCE}|by {_WHO})\b"
)
# What grows by one for all that happens, in the passive voice: nobody is named who would be the only one.
_APPENDED = pattern(
    r"(?i)\b(?:to|onto|into) which\b[^.;]*\b(?:each|every|all|any|new|an?|the)\b[^.;]*\b(?:is|are|gets?) (?:\w+ly )?(?:appended|added|pushed|prepended)\b"
    r"|\b(?:each|every|any) (?:\w+ ){1,3}(?:is|gets) (?:\w+ly )?(?:appended|pushed|prepended|added to the (?:list|end|front|others))\b"
    r"|\b(?:an?|each|every) (?:new |next )?\w+ goes (?:to|at|onto|on) (?:the|its) (?:end|top|front|head)\b"
    r"|\b(?:updated|rewritten|changed|extended)(?: \w+){0,2} (?:by|with|on|for|at) (?:each|every) (?!week\b|month\b|day\b|night\b|hour\b)\w+"
)
# What makes such a change safe, or is none.
_SAFE = pattern(
    r"(?i)\b(?:conditional(?:ly)?|(?:under|on) (?:a|the|one|that) condition|(?:compare|check)[- ]and[- ]\w+|optimistic(?:ally)?|put_if|version (?:number|counter)|revision|etag|locks?|locked|lease|transaction(?:al)?|mutex"
    r"|(?:one|a single|only one) (?:\w+ )?(?:writer|process|job|worker|program|service|thread|person|user|device)|nobody else|no one else|alone|(?:as|in) (?:a )?whole|replac(?:es?|ed) (?:\w+ ){0,3}(?:list|whole|all)|atomic(?:ally)?|serial(?:ly|ized)|in turn|one (?:after the other|at a time))\b"
)


# A part of something, which alone is changed or read.
_OWNED = r"(?:the|its|their|his|her|an?|one|two|a few)"
_PART = pattern(
    rf"(?i)\b(?:only|nothing but|just|merely)\s+{_OWNED}\s+(?P<changed>\w+)(?:\s+\w+)?\b[^.;,]{{0,60}}?\s(?:changes?|(?:is|are)\s+(?:changed|written|updated|rewritten|read|needed|wanted))\b"
    rf"|\b(?:reads?|changes?|updates?|rewrites?|needs?|wants?|asks?\s+for)\s+(?:nothing\s+but|only|just|merely)\s+{_OWNED}\s+(?P<read>\w+)"
)
# What is no part of a document.
_WHOLE = frozenset(
    words(
        "whole all newest latest last first current new old row rows cell document same one few next id key"
    )
)
# Such a document is large beside what changes in it (this project's own figure).
_LARGE = 16 * 1024


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each list that is read, changed and put back, by the description, or written whole for a part of it, and the time of a plan as that of the cells."""
    if model.stamp.stored:
        yield from _hidden(model)
    found = list(_put_back(model))
    yield from found or _of_part(model)


def _of_part(model: ModelSchema) -> Iterator[Finding]:
    """A document that is written or read whole, of which a part alone is wanted."""
    documents = [one for one in model.columns if one.shape.plain and _document(one)]
    if len(documents) != 1 or model.view is not None:
        return
    (column,) = documents
    names = [*(one.name for one in model.key.asked), *(one.name for one in model.columns)]
    attributes = {singular(word) for name in names for word in words(name)}
    for sentence in sentences(model.doc):
        found = _PART.search(sentence)
        part = found and (found["changed"] or found["read"]).lower()
        if (
            not found
            or not part
            or denied(sentence[: found.start()])
            or singular(part) in attributes | _WHOLE
        ):
            continue
        yield RULE.finding(
            model,
            f"`{column.name}` is one cell of about {size_text(column.expected.size or 0)}, and the description says {found[0]!r}{_written(model, column)}",
            why="a cell is written and read as a whole: each change of a part writes all of it, and puts back what others have changed meanwhile",
            fix=f"keep what is changed or read alone, the {part}, in a column of its own, and the rest of `{column.name}` in a few cells, each with what changes together",
            part=column.name,
            at=column.location,
            level=Level.WARNING,
        )
        return


def _document(column: Column) -> bool:
    large = (column.expected.size or 0) >= _LARGE
    kind = column.codec.python_type
    return large and (_collects(column) or (isinstance(kind, type) and is_record(kind)))


def _put_back(model: ModelSchema) -> Iterator[Finding]:
    """Each list or number that a program reads, changes and puts back."""
    held = [
        column for column in model.columns if column.shape.plain and (_collects(column) or _counts(column))
    ]
    if not held or model.view is not None or timed(model) or not model.doc or _SAFE.search(model.doc):
        return
    said = [
        sentence for sentence in sentences(model.doc) if _BACK.search(sentence) or _APPENDED.search(sentence)
    ]
    several = [sentence for sentence in sentences(model.doc) if _SEVERAL.search(sentence)]
    if not said and not several:
        return
    growing = {column.name for column, _ in listed(model)}
    for column in held:
        if column.name in growing and not any(map(_BACK.search, said)) and not several:
            continue  # ROW003 says so
        alone = len(held) == 1 and not _counts(column)
        put_back = bool(said) and (alone or any(spoken_of(column, sentence) for sentence in said))
        beside = not _counts(column) and any(spoken_of(column, sentence) for sentence in several)
        if not (put_back or beside):
            continue
        how = (
            "reads it, changes it and puts it back"
            if put_back
            else "changes it beside others at the same time"
        )
        yield RULE.finding(
            model,
            f"`{column.name}` is {_kind(column)} in one cell, and by the description a program {how}{_written(model, column)}",
            why="of two programs that do so at the same time, the one that writes last deletes what the other has changed, without an error",
            fix=partial(_ways, model, column),
            part=column.name,
            at=column.location,
            level=Level.WARNING,
        )


def _hidden(model: ModelSchema) -> Iterator[Finding]:
    """The time of a plan as the timestamp of the cells, which hides a plan that is earlier."""
    from btmodel.lint.planned_times import (  # here: few models have such a time
        effect_said,
        in_a_column,
        moved_said,
    )

    said, name = moved_said(model), model.stamp.attribute
    effect = effect_said(model)
    if effect is not None and name is not None and (effect or not said):
        yield from _hides_what_holds(model, name, surely=effect)
        return
    if said is None or name is None:
        return
    declared, made = in_a_column(model, name)
    surely = bool(said)
    words_said = f", and the description says {said!r}" if surely else ""
    unless = "" if surely else "if it may be moved to an earlier time, "
    yield RULE.finding(
        model,
        f"`{name}` is the time of something to come, and the timestamp of the cells{words_said}",
        why="the newest cell is that with the latest timestamp, so where a plan is moved to an earlier time, the old plan hides the new one, without an error",
        fix=Fix(f"{unless}keep it in a column, so that what was written last counts: {declared}", (made,)),
        part=name,
        at=model.location,
        level=Level.WARNING if surely or called_planned(name) else Level.INFO,
    )


def _hides_what_holds(model: ModelSchema, name: str, *, surely: bool) -> Iterator[Finding]:
    """The time from which a value holds as the timestamp of the cells: what comes later hides what holds now."""
    from btmodel.lint.planned_times import in_the_key

    made = in_the_key(model, name)
    if made is None:
        return
    said = ", and the description says that values are written before" if surely else ""
    unless = "" if surely else "if values are written before they hold, "
    yield RULE.finding(
        model,
        f"`{name}` is the time from which a value holds, and the timestamp of the cells{said}",
        why="a read gives the cell with the latest timestamp, so from the moment when the next value is written it hides the one that holds until then, and garbage collection may delete that",
        fix=Fix(
            f"{unless}write a row for each, and read the first one from the present time on: {made[0]}",
            (made[1],),
        ),
        part=name,
        at=model.location,
        level=Level.WARNING if surely else Level.INFO,
    )


def _collects(column: Column) -> bool:
    """Whether a cell holds many things of one kind: a list or a mapping as a JSON document."""
    of = getattr(column.codec, "of", None)
    return (get_origin(of) or of) in _MANY or column.codec.python_type in _MANY


def _counts(column: Column) -> bool:
    return column.codec.python_type is int and column.expected.increments is None


def _kind(column: Column) -> str:
    if _counts(column):
        return "a number"
    of = getattr(column.codec, "of", None)
    found = get_origin(of) or of or column.codec.python_type
    return "a mapping" if found is dict else "a set" if found in (set, frozenset) else "a list"


def _written(model: ModelSchema, column: Column) -> str:
    """What the declared rate writes of the column in a second, where it is much."""
    size = column.expected.size
    rate = 0 if model.events is None or size is None else round(size * model.events.per_second)
    if not size or rate < MUCH_WRITTEN:
        return ""
    return f"; each change then writes about {size_text(size)}, {size_text(rate)} a second"


def _ways(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """A cell for each item; or a write under the condition that nobody has written meanwhile."""
    if _counts(column):
        yield from _added(model, column)
        return
    from btmodel.codecs.cell import default_codec  # here: models load the codecs that they have
    from btmodel.codecs.key import Text

    items = get_args(getattr(column.codec, "of", None))
    codec: Any = default_codec(items[-1] if _kind(column) == "a mapping" else items[0]) if items else None
    if codec is not None and _kind(column) == "a list":
        yield from _last_as_versions(model, column, codec)
        if any(other == column for other, _ in listed(model)):
            yield from (
                evolve(fix, otherwise=_VERSIONED)
                for fix in each_alone(model, column, codec)
                if not fix.alternative
            )
    family = model.family(column.family)
    if (
        codec is None
        or family is None
        or family.aggregate is not None
        or any(one.open and one.family == column.family and one.qualifier == b"" for one in model.columns)
    ):
        yield Fix(f"write a cell for each item of `{column.name}`, or a row for each{_VERSIONED}")
        return
    prefix = column.qualifier + b":"
    expected = evolve(column.expected, size=None, max_size=None, entries=column.expected.entries or _ENTRIES)
    shape: dict[str, Any] = {
        "shape": Shape.MAPPING,
        "names": Text(max_length=40),
        "codec": codec,
        "qualifier": prefix,
        "also": (),
    }
    made = evolve(column, **shape, required=False, expected=expected)
    columns = tuple(made if one == column else one for one in model.columns)
    text = (
        f"write a cell for each item, under its id or its name, so that two changes do not meet: `{column.name}: dict[str, {_type(codec)}] = "
        f'bt.mapping({family.id}, bt.Text(max_length=40), prefix="{prefix.decode(errors="replace")}", entries={expected.entries:_})`'
    )
    yield Fix(text, (evolve(model, columns=columns),), otherwise=_VERSIONED)


def _last_as_versions(model: ModelSchema, column: Column, codec: Any) -> Iterator[Fix]:
    """A version of the column for each item, of which the service keeps as many as the description says are kept."""
    _, count = number_kept(model, column) or ("", 0)
    if not 1 < count <= MOST_VERSIONS:
        return
    size = column.expected.size and max(1, column.expected.size // count)
    expected = evolve(column.expected, size=size, max_size=None)
    home = Family(free_family(model, column.family), MaxVersions(count))
    made = moved(model, column, home, shape=Shape.HISTORY, codec=codec, required=False, expected=expected)
    sized = "" if size is None else f", size={size:_}"
    yield Fix(
        f"write each as a version of its own, which no change of another meets, and let the service keep the last {count:,}: `{declared_family(home)}`, "
        f'`{column.name}: bt.History[{_type(codec)}] = bt.history("{column.qualifier.decode(errors="replace")}", {home.id}{sized})`',
        (made,),
        otherwise=_VERSIONED,
    )


def _added(model: ModelSchema, column: Column) -> Iterator[Fix]:
    """A counter, to which the service adds without a read; or a write under a condition."""
    from btmodel.lint.counters import as_counters  # here: few models have a fault
    from btmodel.lint.decided_numbers import decided

    for made in as_counters(model, [column] if decided(model, column) is None else []):
        yield Fix(
            f"let the service add, which reads nothing: {made.declared()}",
            (made.model,),
            otherwise=_VERSIONED,
            longer=made.longer,
        )
    yield Fix(
        f"give the row a number of its version, and write by `put_if` that it is the one that was read, or `{column.name}` itself"
    )


def _type(codec: Any) -> str:
    of = getattr(codec, "of", None)
    return str(of) if get_args(of) else codec.python_type.__name__


RULE: Rule[ModelSchema] = Rule(
    "COL009", "lost-update", check, page=__doc__, rewrites=Rewritten.CELLS, levels=(Level.WARNING, Level.INFO)
)
