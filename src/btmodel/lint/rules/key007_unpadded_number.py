"""KEY007 unpadded-number: a number or a time whose bytes sort differently from its values

What it finds
    A key field with a number or a time in an encoding that does not keep the order of its
    values: a number without leading zeros, or a date with the day in front of the month.

    The queries decide how grave that is. It is an error if one of them asks for a range, for a
    prefix or for the newest rows by this field, or if it is the time of a bucket; information
    if one reads rows in the order of this field; a warning if the model declares no query, or the docstring asks for rows in its order ("the fifty lowest ranks").
    The rule finds nothing if every query gives the field, or reads the whole table.

    A codec with functions of your own that declares an order, as `bt.mapped(..., ordered=True)` does, is tried with numbers, days or lengths of time: if two of
    them are written the other way round, it counts as one without order. Numbers below zero are tried only where the field is called like what may be below zero, such as a temperature.

    A text is a warning if a query wants a range of it (`between`), and it is called like what does not sort as text: a version (2.10
    sorts in front of 2.9), a number or a quantity, such as `room`, `page`, `price`, `elo`, `offset` or `weight_kg` (10 sorts in front of 9), a weekday or a month (Friday in
    front of Monday), a size (L in front of S), an IP address, or a time, whose formats may differ. With a fixed width, which values that are padded have, a quantity is
    information, and the others are nothing. So is a range of names or titles, in which capitals sort in front of small letters.
    Whatever it is called, and also with a fixed width, it is a warning if the description of the model gives samples of it (`such as 9.4.1, 10.0.2`)
    whose texts sort otherwise than their numbers, or numbers with decimals of which some have more digits before the point (`"0.5", "10.02"`, as 9 is one, too). So it is without a range, if the description says that rows are read in order ("one after the other", "from the first on") and a query reads them in the order of this field.
    An enum is a warning if a query wants a range of it, or the docstring says that "the gravest come first", and its members are declared in another order than that of their texts.
    A float that a codec writes with all of its digits (`repr`, `str`, eight bytes), or that is such a text by the description, is a warning if a query gives it exactly.

Why
    Bigtable compares keys byte by byte. `10` sorts below `9`, and the 2nd of March below the
    3rd of January. So a range of such values is not a range of rows, and rows that belong
    together are stored apart. Two floats that should be equal may differ in their last digit, and so do their keys.

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
    Suppress it if the keys exist already and no query asks for a range of this field; say whose
    keys they are.

Source
    https://cloud.google.com/bigtable/docs/schema-design (row keys: pad integers with
    leading zeros).
"""

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

from btmodel import design
from btmodel.codecs import meaning_of
from btmodel.codecs.key import EnumText, Kind, Order, Text
from btmodel.design.hints import sentences
from btmodel.lint.finding import ArgumentEdit, Finding, Fix, Level, encoded
from btmodel.lint.rule import Rewritten, Rule
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema, Query
from btmodel.words import natural, words

# What the last digit of a number with so many decimals stands for.
_LAST_DIGITS = {1: "tenths", 2: "hundredths", 3: "thousandths"}
_DECIMALS = 2


def _in_whole_numbers(decimals: int) -> str:
    """How to write numbers with so many decimals as whole ones with as many digits always, which sort as they do."""
    digits = _LAST_DIGITS.get(decimals, "last_digits")
    return (
        f"where its values are numbers, write all of them in {digits.replace('_', ' ')} with as many digits, and none below zero: "
        f"`{{name}}: Decimal = bt.key(bt.mapped(bt.PaddedInt(9), to={digits}, from_=decimal, ordered=True))`, with "
        f"`def {digits}(value: Decimal) -> int: return int(value.scaleb({decimals}))` and "
        f"`def decimal(number: int) -> Decimal: return Decimal(number).scaleb({-decimals})`"
    )


_NUMBERED = (
    "write its number with as many digits always: `{name}: int = bt.key(bt.PaddedInt(9))`, or, where letters stand beside it, "
    '`{name}: tuple[str, int] = bt.key(bt.Joined((bt.Text(width=4), bt.PaddedInt(5)), "-"))`, with the bytes of the longest letters and '
    "the digits of the largest number in the place of 4 and 5"
)
_DIGITS_OF_NUMBERS = 9  # those of the codec above
_IN_PARTS = (
    "write each of its numbers with as many digits always: "
    '`{name}: tuple[int, ...] = bt.key(bt.Joined(({codecs}), "."))`'
)


class _Meant(NamedTuple):
    """What fields of some names hold, and how as text it sorts: ``text`` is the fix, ``codec`` what it is proved by."""

    names: frozenset[str]
    what: str
    why: str
    text: str
    codec: str
    surely: bool = True


def _in_parts(digits: int, parts: int) -> tuple[str, str]:
    codecs = ", ".join([f"bt.PaddedInt({digits})"] * parts)
    return _IN_PARTS.replace("{codecs}", codecs), f'bt.Joined(({codecs}), ".")'


# What is called so (the last word of a name) is that, however it is written.
_QUANTITY = _Meant(
    frozenset(
        words(
            "latitude longitude lat lng lon altitude elevation price amount temperature pressure humidity distance weight score "
            "speed volume mass duration cost fee rating salary income wage rent tax percentage ratio voltage wattage mileage odometer "
            "calories magnitude density viscosity radius diameter thickness torque frequency wavelength concentration acidity alcohol "
            "brightness azimuth bearing carat carats elo interest bid yield discount"
        )
    ),
    "a number",
    "as text, 9 sorts behind 10, and -1 in front of -2",
    _in_whole_numbers(_DECIMALS),
    "bt.PaddedInt(9)",
)
# What may be below zero as well.
_SIGNED = frozenset(
    words(
        "latitude longitude lat lng lon temperature celsius fahrenheit degrees altitude elevation balance offset delta change difference"
    )
)
# Behind another word, these say in what a number is measured: `from_kg`, `price_cents`.
_UNITS = frozenset(
    words(
        "kg mg lb lbs oz kilos tons km cm mm mi miles ft feet nm meters metres ms millis micros nanos sec secs seconds minutes hours days weeks "
        "months years cents pence eur usd gbp kmh kph mph kn knots kw kwh mw mwh volts amps watts celsius fahrenheit kelvin hpa psi pct percent "
        "bps ppm hz khz mhz ghz bytes kb gb tb kib mib gib px pixels deg degrees ct grams grammes kilograms tonnes ounces pounds litres liters "
        "millilitres gallons inches kilometres kilometers euros dollars"
    )
)
# A unit by itself is a number of it where it is written out, as `grams`; `mi` and `in` are anything, and so may `meters` and `cents` be.
_WRITTEN_OUT = frozenset(
    words(
        "kilos miles metres millis seconds volts amps watts percent celsius fahrenheit kelvin grams grammes kilograms tonnes ounces pounds "
        "litres liters millilitres gallons inches kilometres kilometers euros dollars"
    )
)
_COUNTED = frozenset(words("revision rev patch build hotfix"))
_VERSIONS = frozenset(words("version release firmware semver ver")) | _COUNTED
_TEXTS = (
    _QUANTITY,
    _Meant(
        _COUNTED,
        "the number of a version",
        "as text, 10 sorts in front of 9, and a range leaves out what it should find",
        _NUMBERED,
        "bt.PaddedInt(9)",
    ),
    _Meant(
        _VERSIONS - _COUNTED,
        "a version",
        "as text, 2.10 sorts in front of 2.9, and a range leaves out what it should find",
        *_in_parts(5, 3),
    ),
    _Meant(
        frozenset(words("ip ipv4 ipaddress")),
        "an IP address",
        "as text, 10.0.0.10 sorts in front of 10.0.0.9",
        *_in_parts(3, 4),
    ),
    _Meant(
        frozenset(
            words(
                "number no nr num room flight seat house floor apartment page chapter section line verse paragraph position index "
                "gate platform track lane stop bay aisle shelf rack age count year length height width depth level step ordinal "
                "clause subsection episode season round lap locker berth storey hour minute kilometre kilometer mile milestone points marks priority offset seq sequence counter week generation "
                "stage rank run attempt iteration epoch"
            )
        ),
        "a number",
        "as text, 10 sorts in front of 9, and a range leaves out what it should find",
        _NUMBERED,
        "bt.PaddedInt(9)",
    ),
    _Meant(
        frozenset(words("weekday dow month monthname dayname")),
        "a day or a month",
        "as text, Friday sorts in front of Monday, and April in front of January",
        "write its number: `{name}: int = bt.key(bt.PaddedInt(2))`",
        "bt.PaddedInt(2)",
    ),
    _Meant(
        frozenset(words("size grade")),
        "a size",
        "as text, L sorts in front of M and S, and 10 in front of 9",
        "write the place of each in their order: `{name}: int = bt.key(bt.PaddedInt(3))`",
        "bt.PaddedInt(3)",
    ),
    _Meant(
        frozenset(words("at time timestamp date datetime when")),
        "a time",
        "texts sort as the times only where all have one format, all digits, and one time zone",
        "encode the time itself: `{name}: datetime = bt.key(bt.EpochMillis())`, or a day as `bt.DateText()`",
        "bt.EpochMillis()",
    ),
    _Meant(
        frozenset(words("name surname title author artist city street")),
        "a name",
        "capitals sort in front of all small letters, so `Zoe` is in front of `adam`",
        "if a range should not depend on capitals, keep a folded text in the key, `{name}.casefold()`, and the text in a column",
        "",
        False,
    ),
)


def check(model: ModelSchema) -> Iterator[Finding]:
    """Flag each number and time whose codec is not ordered, as far as queries need the order."""
    for part in model.key.fields:
        if (turned := _turned(part)) is not None:
            yield from _of_order(model, part, turned)
            continue
        unordered = part.codec.kind in (Kind.NUMBER, Kind.TIME) and part.codec.order is Order.NONE
        level = _level(model, part) if unordered else None
        if level in (Level.ERROR, Level.WARNING) or (level and not _exact_floats(model, part)):
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
            continue
        exact = [query.name for query in model.queries if part.name in query.equal]
        if exact and _exact_floats(model, part):
            yield _of_floats(model, part, exact[0])
        elif isinstance(part.codec, Text | EnumText):
            ranged = [query.name for query in model.queries if query.between == part.name]
            if ranged:
                yield from _as_text(model, part, ranged[0])
            elif isinstance(part.codec, EnumText):
                if said := _order_said(model, part, _FIRST):
                    yield from _members(model, part, part.codec, f"the description says {said!r}, of")
            elif (said := _order_said(model, part, _IN_ORDER)) and (samples := _samples(model, part)):
                yield _of_samples(model, part, f"the description says {said!r} of its rows", samples)


def _turned(part: KeyField) -> tuple[Any, Any] | None:
    """Two values that the codec writes the other way round, though it declares an order; None where it keeps it."""
    own = not type(part.codec).__module__.startswith("btmodel.")
    if not part.codec.ordered or not (own or hasattr(part.codec, "codec")):
        return None
    from btmodel.design.orders_tried import out_of_order  # here: few keys have such codecs

    signed = not _SIGNED.isdisjoint(word.lower() for word in words(part.name))
    return out_of_order(part.codec, below_zero=signed)


def _of_order(model: ModelSchema, part: KeyField, turned: tuple[Any, Any]) -> Iterator[Finding]:
    """The finding on a codec that does not keep the order that it declares."""
    level = _level(model, part)
    if level is None:
        return
    text, codec = _sorting(turned[0])
    lower, higher = (value if isinstance(value, date | timedelta) else str(value) for value in turned)
    yield RULE.finding(
        model,
        f"`{part.name}` ({meaning_of(part.codec)}) declares that it sorts as its values do, but it writes {lower} behind {higher}",
        why="keys are compared byte by byte, so a range of such values leaves out rows that it should find, without an error",
        fix=Fix(text.replace("{name}", part.name), as_if=ArgumentEdit("codec", codec)),
        part=part.name,
        at=part.location,
        level=level,
    )


def _sorting(value: Any) -> tuple[str, str]:
    """How values like this one are written so that they sort, as a fix says it, and the codec."""
    if isinstance(value, datetime):
        return (
            "write the time itself: `{name}: datetime = bt.key(bt.EpochMillis(round=True))`",
            "bt.EpochMillis(round=True)",
        )
    if isinstance(value, date):
        return "write the day itself: `{name}: date = bt.key(bt.DateText())`", "bt.DateText()"
    if isinstance(value, int) and value >= 0:
        return (
            "write the number with as many digits always: `{name}: int = bt.key(bt.PaddedInt(9))`",
            "bt.PaddedInt(9)",
        )
    if isinstance(value, int):
        return (
            "write a number that is never below zero, by adding what the least lacks, with as many digits always: "
            "`{name}: int = bt.key(bt.PaddedInt(9))`"
        ), "bt.PaddedInt(9)"
    if isinstance(value, timedelta):
        return (
            "write its seconds with as many digits always: `{name}: int = bt.key(bt.PaddedInt(9))`",
            "bt.PaddedInt(9)",
        )
    text = _in_whole_numbers(_DECIMALS).removeprefix("where its values are numbers, ")
    below = "; to values that may be below zero, add what the least lacks" if value < 0 else ""
    return text + below, "bt.PaddedInt(9)"


def _exact_floats(model: ModelSchema, part: KeyField) -> bool:
    """Whether the values are floats with all of their digits; no codec of a whole number or a time writes these."""
    if part.codec.ordered and part.codec.kind is not Kind.TEXT:
        return False
    if isinstance(part.codec, Text) and not model.doc:
        return False
    from btmodel.lint.floats import exact_floats  # here: few keys have such codecs

    return exact_floats(model, part)


def _of_floats(model: ModelSchema, part: KeyField, query: str) -> Finding:
    """The finding on floats with all of their digits, which a query gives exactly."""
    return RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` is a float with all of its digits, and the query `{query}` gives it exactly",
        why="the same value computed in another way may differ in its last digit: it is then another row, and the query finds none",
        fix=Fix(
            f"write a scaled integer, such as millionths, with what has to be added so that none is below zero: `{part.name}: int = bt.key(bt.PaddedInt(9))`, "
            "of `round((value + least) * 1_000_000)`, and give queries the same",
            as_if=ArgumentEdit("codec", "bt.PaddedInt(9)"),
        ),
        part=part.name,
        at=part.location,
        level=Level.WARNING,
    )


def _as_text(model: ModelSchema, part: KeyField, query: str) -> Iterator[Finding]:
    """The finding on a text whose bytes sort otherwise than what it is called like, of which a query wants a range."""
    if isinstance(part.codec, EnumText):
        yield from _members(model, part, part.codec, f"the query `{query}` wants a range of")
        return
    last = words(part.name)[-1].lower()
    meant = _meant(part.name)
    samples = _samples(model, part)
    if samples:
        yield _of_samples(model, part, f"the query `{query}` wants a range of it", samples)
        return
    fixed = part.codec.length.fixed is not None
    if meant is None or (
        fixed and meant is not _QUANTITY and not (last in _MONTHS and part.codec.length.most == 3)
    ):
        return
    text, codec = _fitted(part, meant.text, meant.codec)
    yield RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` is a text and called like {meant.what}, and the query `{query}` "
        "wants a range of it",
        why=meant.why,
        fix=Fix(text, as_if=ArgumentEdit("codec", codec)) if codec else text,
        part=part.name,
        at=part.location,
        level=Level.INFO if not meant.surely or (fixed and meant is _QUANTITY) else Level.WARNING,
    )


def _fitted(part: KeyField, text: str, codec: str) -> tuple[str, str]:
    """The text of a fix for the field, and its codec; a whole number has no more digits than the text may have bytes."""
    most = part.codec.length.most
    if text == _NUMBERED and most is not None and most < _DIGITS_OF_NUMBERS:
        fitted = f"bt.PaddedInt({most})"
        text, codec = text.replace(codec, fitted), fitted
    return text.replace("{name}", part.name), codec


def _meant(name: str) -> _Meant | None:
    """What a field of that name holds; None where the name does not say it."""
    *before, last = [word.lower() for word in words(name)]
    measured = (before and last in _UNITS) or last in _WRITTEN_OUT
    return next((one for one in _TEXTS if last in one.names), _QUANTITY if measured else None)


_SAMPLE = r"[\"'`]?[A-Za-z]{0,6}[-_.]?[0-9](?:[-_.]?[A-Za-z0-9])*[\"'`]?"
_ON = r"(?:,? (?:and so on|and on|and so forth)|,? ?\.\.\.)?,?(?: up)? to"
_SAMPLES = pattern(
    rf"(?i)(?:\b(?:such as|named|called|numbered|written|like|for example|for instance),?|\b(?:numbered|counted|counts) (?:\w+ ){{0,4}}?from|:)\s+"
    rf"({_SAMPLE}(?:(?:,|,? (?:and|or|then)|{_ON})\s+{_SAMPLE})+)(?![-_.]?\w)"
)
_OF_LIST = pattern(rf"(?i)(?:{_ON}|,? (?:and|or|then)|,) ")
_FORM = pattern(r"^[A-Za-z]+|[0-9]+(?:\.[0-9]+)*")
_DECIMAL = pattern(r"[0-9]+(?:\.[0-9]+)?")
_DAY = pattern(r"[0-9]{1,2}[-.][0-9]{1,2}[-.][0-9]{4}")
_DIGITS = pattern(r"[0-9]+")
_UNIT = pattern(r"\s*([a-zA-Z]+|%)")


def _form(found: re.Match[str]) -> str:
    return "A" if found[0].isalpha() else "9"


def _samples(model: ModelSchema, part: KeyField) -> list[str] | None:
    """Values that the description gives of the field, in the order of their numbers, of which two neighbours sort the other way as texts; None without."""
    own = words(part.name)[-1]
    named = re.compile(rf"(?i)\b{re.escape(own)}s?\b")
    for sentence in sentences(model.doc):
        spoken = bool(named.search(sentence)) or _of_the_only_text(model, part, sentence)
        for given in _SAMPLES.finditer(sentence) if spoken else ():
            texts = [one.strip("\"'`") for one in _OF_LIST.split(" ".join(given[1].split()))]
            if len({_FORM.sub(_form, text) for text in texts}) > 1:
                continue  # ids, not numbers of one form
            decimal = all(map(_DECIMAL.fullmatch, texts)) and own.lower() not in _VERSIONS
            unit = _UNIT.match(sentence, given.end()) if decimal and given[1][-1].isdigit() else None
            if unit is not None and not named.fullmatch(unit[1]):
                continue  # an amount of something else
            if all(map(_DAY.fullmatch, texts)):
                climbing = sorted(texts, key=lambda day: [int(one) for one in _DIGITS.findall(day)][::-1])
            else:
                climbing = sorted(texts, key=float) if decimal else sorted(texts, key=natural)
            if decimal and climbing == sorted(climbing):
                climbing = _with_those_between(climbing)
            if climbing != sorted(climbing):
                return climbing
    return None


def _with_those_between(climbing: list[str]) -> list[str]:
    """Numbers, with two beside them where their digits before the point are not as many: as texts, 10 sorts in front of 9."""
    whole = [text.partition(".")[0] for text in climbing]
    if len({*map(len, whole)}) == 1:
        return climbing
    least = min(map(len, whole))
    return sorted({*climbing, "9" * least, f"1{'0' * least}"}, key=float)


def _of_the_only_text(model: ModelSchema, part: KeyField, sentence: str) -> bool:
    """Whether quoted values in a sentence can be those of the field alone: no query reads a range of another text, and it is a quantity, or no other attribute is named."""
    ranged = {query.between for query in model.queries}
    texts = [one.name for one in model.key.asked if isinstance(one.codec, Text) and one.name in ranged]
    if texts != [part.name] or not _QUOTED.search(sentence):
        return False
    if _meant(part.name) is _QUANTITY:
        return True
    others = {*(one.name for one in model.key.asked), *(one.name for one in model.columns)} - {part.name}
    spoken = {word.lower().removesuffix("s") for word in words(sentence.replace("'", " "))}
    return not any(words(name)[-1].lower().removesuffix("s") in spoken for name in others)


_QUOTED = pattern(r"[\"'`][0-9]+(?:\.[0-9]+)?[\"'`]")


def _of_samples(model: ModelSchema, part: KeyField, wanted: str, samples: list[str]) -> Finding:
    lower, higher = next(pair for pair in pairwise(samples) if pair[0] > pair[1])
    parts = max(sample.count(".") for sample in samples) + 1
    digits = max(5, *(len(number) for sample in samples for number in sample.split(".")))
    text, codec = _in_parts(digits, parts) if parts > 1 else (_NUMBERED, "bt.PaddedInt(9)")
    if _DAY.fullmatch(lower):
        text, codec = "encode the day itself: `{name}: date = bt.key(bt.DateText())`", "bt.DateText()"
    elif _is_decimal(part, samples):
        decimals = max(len(sample.partition(".")[2]) for sample in samples)
        text, codec = _in_whole_numbers(decimals), "bt.PaddedInt(9)"
    text, codec = _fitted(part, text, codec)
    return RULE.finding(
        model,
        f"`{part.name}` of the key `{model.key.shape}` is a text with values such as {lower} and {higher}, and {wanted}",
        why=f"as text, {higher} sorts in front of {lower}, so rows come in another order, and a range leaves out what it should find",
        fix=Fix(text, as_if=ArgumentEdit("codec", codec)),
        part=part.name,
        at=part.location,
        level=Level.WARNING,
    )


def _is_decimal(part: KeyField, samples: list[str]) -> bool:
    """Whether samples are numbers with decimals: those of a quantity, or with other decimals than a version or a section has."""
    return (
        _meant(part.name) in (None, _QUANTITY)
        and all(map(_DECIMAL.fullmatch, samples))
        and any("." in sample for sample in samples)
    )


# Three letters of each, all different.
_MONTHS = frozenset(("month", "weekday", "dow"))


# Which of several ranks come first.
_FIRST = pattern(
    r"(?i)\b(?:the )?(?:gravest|most \w+|worst|highest|best|hottest|top|lowest|least \w+)\b(?: \w+){0,5}? first\b|\bfirst the (?:gravest|most \w+|worst|highest|best|hottest)\b"
)


# What is told of reading rows in the order of a number.
_IN_ORDER = pattern(
    r"(?i)\bin (?:the |their |its )?(?:right |correct |same |that |this )?(?:order|sequence)\b|\bin the order (?:in which|of)\b|\bfrom (?:the|its|their) first\b[^.;]* on\b|\bone after (?:the other|another)\b"
    r"|\bas they come\b|\b(?:put|strung|string\w*|join\w*|piece[sd]?) (?:\w+ ){0,3}?together\b"
)


def _by_rank(part: KeyField) -> re.Pattern[str]:
    """The pattern of a sentence that asks for the first rows in the order of a field: "the fifty lowest ranks"."""
    name = re.escape(words(part.name)[-1])
    first = r"lowest|highest|smallest|largest|biggest|top|first|best|worst|(?:starting|beginning) (?:with|at|from)|(?:sorted|ordered|order) (?:by|of)"
    return re.compile(rf"(?i)\b(?:{first}) (?:\w+ ){{0,2}}?{name}s?\b")


def _order_said(model: ModelSchema, part: KeyField, words_of_order: re.Pattern[str]) -> str | None:
    """What the description says of the order of rows, where a query reads them in the order of ``part``."""
    front = [other.name for other in takewhile(lambda other: other != part, model.key.fields) if other.asked]
    ordered = any(front == [*query.equal] and query.between is None for query in model.queries)
    said = words_of_order.search(model.doc) if ordered else None
    return " ".join(said[0].split()) if said else None


def _members(model: ModelSchema, part: KeyField, codec: EnumText[Any], wanted: str) -> Iterator[Finding]:
    """The finding on members whose texts sort otherwise than they are declared, which is what is ``wanted``."""
    members: Any = codec.enum
    texts = [str(member.value) for member in members]
    if codec.ordered and texts != sorted(texts):
        shown = [", ".join(some[:4]) + (", ..." if some[4:] else "") for some in (texts, sorted(texts))]
        yield RULE.finding(
            model,
            f"{wanted} `{part.name}`, whose members are declared as {shown[0]}, and sort as {shown[1]}",
            why="rows come in the order of the texts, and a range of them leaves out members that are declared between its ends",
            fix=Fix(
                "give the members texts that sort as they are declared, such as `1-...`, `2-...`, or write their numbers: "
                f"`{part.name}: int = bt.key(bt.PaddedInt(2))`",
                as_if=ArgumentEdit("codec", "bt.PaddedInt(2)"),
            ),
            part=part.name,
            at=part.location,
            level=Level.WARNING,
        )


def _level(model: ModelSchema, part: KeyField) -> Level | None:
    """How much the declared queries need the order of ``part``; None where none does."""
    if part == model.bucket_field or any(_needs_order(model, query, part) for query in model.queries):
        return Level.ERROR
    if not model.queries or _order_said(model, part, _by_rank(part)) or _order_said(model, part, _IN_ORDER):
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
