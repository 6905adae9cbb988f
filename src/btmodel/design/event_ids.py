"""What tells the events of one key and one time apart: an id that each of them has, or who acts at that time, by declared numbers, names and descriptions."""

import re
from itertools import takewhile
from uuid import UUID

from btmodel.codecs.key import HexDigest
from btmodel.design.attribute_words import GENERIC, singular
from btmodel.design.denials import denied, denies
from btmodel.design.hints import NUMBERS, sentences
from btmodel.on_demand import pattern
from btmodel.schema import Column, KeyField, ModelSchema
from btmodel.words import words

_DAY = 86_400.0  # in seconds
_TELL_APART = frozenset(
    words(
        "id uuid guid tag serial barcode ticket number nr no ref reference isbn sku receipt voucher seq sequence nonce ulid ksuid"
    )
)


def called_id(column: Column) -> bool:
    """Whether a column is called like an id, such as ``tag`` or ``ticket``, by its name or its qualifier."""
    return called_so(column.name) or called_so(column.qualifier.decode(errors="replace"))


def called_so(name: str) -> bool:
    """Whether a name ends as that of an id does."""
    return bool(_TELL_APART.intersection(word.lower() for word in words(name)[-1:]))


# Of an id, the words that say no more than that it is one.
_ID = frozenset(
    words(
        "id uuid guid number nr no serial sequence seq ref reference event record entry row nonce ulid ksuid"
    )
)
# What ends the first words of a description, which name what a row is: "a rejected bottle of one of 24 lines".
_SUBJECT = pattern(
    r"(?i)^\s*(?:an?|one|each|every|the)\s+((?:[\w'-]+\s+){0,3}?[\w'-]+)(?=[.,;:]|\s+(?:of|from|with|at|in|on|by|for|to|that|which|who|as|is|was|has)\b|\s*$)"
)


# What a model is called behind the name of what its rows are.
_ROW = frozenset(words("event record entry row"))
_OF = frozenset(words("by of in at per for on to"))


def _called(model: ModelSchema) -> set[str]:
    """What a row is called: by the end of the name of the model, and by what the description begins with."""
    subject = _SUBJECT.match(model.doc)
    # An ItemOfOffice is an item.
    name = [*takewhile(lambda word: word not in _OF, [word.lower() for word in words(model.name)])]
    before = name[-2:-1] if name[-1:] and name[-1] in _ROW else []
    return {*name[-1:], *before, *(word.lower() for word in words(subject[1] if subject else "")[-1:])}


def called_own_id(model: ModelSchema, name: str) -> bool:
    """Whether a name is that of the id of what a row is, such as ``sale_no`` of a Sale, and not of a part of its name, such as ``device_id`` of a DeviceReading."""
    core = [word.lower() for word in words(name) if word.lower() not in _ID]
    own = {word.lower() for word in words(model.name)} | _called(model)
    return called_so(name) and own.issuperset(core) and (not core or core[-1] in _called(model))


def names_row(model: ModelSchema, name: str) -> bool:
    """Whether a name is that of what a row is, or of its id: ``ticket``, ``ticket_id``, ``number`` or ``id`` of a Ticket."""
    core = [singular(word) for word in words(name) if word.lower() not in _ID]
    rows = {singular(word) for word in _called(model)}
    own = rows | {singular(word) for word in words(model.name)}
    return called_own_id(model, name) or (bool(core) and own.issuperset(core) and core[-1] in rows)


def own_id(model: ModelSchema) -> Column | None:
    """The column that every row has and that is the id of what a row is, by its name; None where there is none."""
    ids = (column for column in model.columns if column.required and column.shape.plain)
    return next(
        (one for one in ids if one.codec.python_type in (str, int, UUID) and called_own_id(model, one.name)),
        None,
    )


def identifies_events(model: ModelSchema, column: Column) -> bool:
    """Whether a column is the id of what a row is, by its name, its type and the description, or has more values than events come in a day.

    The id of something else, such as the article of a sale, may be that of the next event, too.
    """
    if column.codec.python_type is UUID:
        return True
    if model.events is not None and (column.expected.cardinality or 0) >= model.events.per_second * _DAY:
        return True
    own = called_own_id(model, column.name) or (
        called_id(column) and not called_so(column.name) and called_own_id(model, f"{column.name}_id")
    )
    return own or _described(model, column)


# What is given out once, and is mostly that of one event: a receipt, and the number of one.
_GIVEN_ONCE = frozenset(
    words(
        "receipt ticket voucher invoice waybill awb docket cheque payslip ballot quotation coupon txn trx transaction ulid ksuid nonce"
    )
)


def of_one_event(model: ModelSchema, column: Column) -> bool:
    """Whether a column is called like what is given out once for an event, such as a receipt, though two events may share it.

    A line of a receipt, and a comment on a ticket, is one of several.
    """
    core = [word.lower() for word in words(column.name)]
    while core[1:] and core[-1] in GENERIC:
        core.pop()
    one = singular(core[-1])
    if one not in _GIVEN_ONCE or column.codec.python_type not in (str, int):
        return False
    first = next(iter(sentences(model.doc)), "")
    part = rf"(?i)\b(?:of|on|in|for|about|to|from) (?:an?|one|the|each|every|its) (?:\w+ )?{re.escape(one)}\b"
    name = [singular(word) for word in words(model.name)]
    return one not in name[:-1] and re.search(part, first) is None


def tells_apart_by_name(model: ModelSchema, column: Column) -> bool:
    """Whether a column is that of one event alone, as far as anything says it: its id, or what is given out once."""
    return identifies_events(model, column) or of_one_event(model, column)


# So many times as many values as events come together are enough for these to differ (this project's own figure).
_ENOUGH = 100
# What is drawn or counted so that no two events have the same.
_DRAWN = frozenset(words("nonce random rand salt uniq unique seq sequence ordinal ulid snowflake"))


def tells_apart(part: KeyField, rate: float) -> bool:
    """Whether events that come together, at this rate, differ in a field: a number or a text that is drawn or counted for each, an id, or what has far more values."""
    named = [word.lower() for word in words(part.name)]
    if not part.asked or _DRAWN.intersection(named[-1:]):
        return bool(part.asked)
    if part.cardinality is not None:
        return (part.even or 0) >= _ENOUGH * max(rate, 1)
    return part.codec.python_type is UUID or isinstance(part.codec, HexDigest) or called_so(part.name)


# What stands behind a word for a thing that is unique among some others alone.
_AMONG = r"(?! (?:with)?in\b| among\b| only\b| on\b| at\b)(?! (?:for|per|to|of) (?!(?:each|every|one|an?|the) (?:\w+ )?(?:{own})\b))"


def _described(model: ModelSchema, column: Column) -> bool:
    """Whether a sentence says that a column is another one in each event: "each sale has its own slip", "`slip` is unique"."""
    name = re.escape(words(column.name)[-1].casefold()) + "s?"
    known = [one for one in sentences(model.doc) if words(column.name)[-1].casefold() in one.casefold()]
    if not known or column.codec.python_type not in (str, int):
        return False
    own = "|".join(re.escape(word) for word in sorted(_called(model) | {"event", "record", "row", "entry"}))
    of_each = rf"(?:an?|each|every|the|one) (?:\w+ )?(?:{own})\b"
    said = re.compile(
        rf"(?i)\b{name}`? (?:is|are) (?:\w+ly |always )?unique\b{_AMONG.replace('{own}', own)}"
        rf"|\b(?:an?|each|every) (?:{own}) (?:has|gets|carries|bears|receives|is given) (?:(?:its|an?|one) )?(?:(?:own|unique|new|different) )+(?:\w+ )?`?{name}\b"
        rf"|\b{name}`? (?:\w+ly )?identif(?:y|ies) {of_each}"
        rf"|\bidentified by (?:its|their) (?:own |unique )?`?{name}\b"
        rf"|\b{name}`? (?:is|are) (?:different|another|a new one|new|drawn|generated) (?:for|in|of|with) {of_each}"
        rf"|\b(?:an?|one) (?:new|own|unique|different) `?{name}`? (?:for|per|with) (?:an? |each |every )?(?:{own})\b"
    )
    never = re.compile(
        rf"(?i)\b(?:no|never)\b[^,;]*\b{name}\b[^,;]*\b(?:twice|again|reused)\b|\b{name}`? (?:is|are) never[^,;]*\b(?:twice|again|reused|repeated)\b"
    )
    return any(
        any(not denied(one[: at.start()]) for at in said.finditer(one)) or never.search(one) is not None
        for one in known
    )


# Shorter words are those of the language.
_SHORTEST = 3
# Who does something of one time together.
_TOGETHER = r"(?:at once|at (?:the same|one|a single) (?:time|moment|instant)|simultaneously|together|in parallel|(?:with)?in (?:the same|one|a|a single) (?:second|millisecond|moment|instant|tick))"
_SEVERAL = (
    rf"(?:several|many|multiple|all|both|different|other|the|\d+|dozens of|{'|'.join(sorted(NUMBERS))})"
)
# What somebody is or has, and does not do.
_IS = r"(?!(?:is|are|was|has|have|had|belongs?|keeps?|knows?|stays?|works?|uses?|wears?)\b)"


def acts_at_once(model: ModelSchema, name: str, unit: str | None = None) -> bool:
    """Whether the description says of what an attribute names that several act at one time, each in an event of its own, as the judges of a skater do.

    With a ``unit``, such as ``day``, that each does so once in it.
    """
    core = [word for word in words(name) if word.lower() not in GENERIC]
    one = singular(core[-1]) if core else ""
    if len(one) < _SHORTEST or one not in model.doc.lower():
        return False
    named, plural = re.escape(one), rf"(?:{re.escape(one)}e?s|{re.escape(one.removesuffix('y'))}ies)"
    alone = (
        rf"\b(?:one|an?|a single) (?:\w+ ){{1,3}}?(?:per|(?:from|by|for|of) (?:each|every)) (?:\w+ )?{named}\b"
        rf"|\bone (?:per|(?:from|by|for|of) (?:each|every)) (?:\w+ )?{named}\b"
        rf"|\b(?:each|every) (?:of the )?(?:\w+ )?(?:{named}|{plural}) {_IS}\w+ (?:exactly |only |just )?(?:one|an?|once)\b"
    )
    if unit is None:
        alone += rf"|\b{_SEVERAL} (?:of the )?(?:\w+ )??{plural}\b[^.;]*\b{_TOGETHER}\b"
    said = re.compile(f"(?i){alone}")
    often = re.compile(rf"(?i)\b(?:an?|per|each|every|and|once an?) {unit}\b") if unit else None
    return any(
        said.search(sentence) is not None
        and not denies(sentence)
        and (often is None or often.search(sentence) is not None)
        for sentence in sentences(model.doc)
    )
