"""What descriptions say of the life of single columns: by when they must be gone, for how long or for ever they are kept, and that they are written once."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple

from attrs import evolve

from btmodel.design.hints import NUMBERS, UNIT, called_following, length_said, sentences
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.descriptions import ELSEWHERE, by_others, in_full, kept_for, subject_nouns
from btmodel.lint.finding import Fix
from btmodel.lint.retention import declared_family, free_family, moved, raised
from btmodel.on_demand import pattern
from btmodel.schema import Column, Family, GcRule, MaxAge, MaxVersions, ModelSchema
from btmodel.schema.gc import keeps_for_ever, kept_text, oldest, simplified
from btmodel.schema.model import Clock
from btmodel.words import quoted, words


class Said(NamedTuple):
    """A contradiction between a clause of a description and a family: the columns, what is wrong with them, and how to fix it.

    It is about what is written ``once``, or else about how long something may or must be kept.
    """

    clause: str
    once: bool
    columns: tuple[Column, ...]
    family: Family
    message: str
    why: str
    ways: Sequence[Fix]


# So much of the age of a rule is what was said: a month has 30 or 31 days.
_NEARLY = 0.97
_COUNT = rf"(?:\d+|{'|'.join(NUMBERS)})"
_TIME = rf"(?:(?:the|about|another|full|a maximum of|some)\s+)?({_COUNT})[\s-]+({UNIT})\b"
_GONE = (
    r"(?:deleted|erased|removed|purged|dropped|gone|forgotten|anonymi[sz]ed|destroyed|wiped|scrubbed|cleared|blanked|cleaned(?:\s+up)?|"
    r"disappear(?:ed)?|vanish(?:ed)?|go\s+away)"
)
_DELETE = r"(?:delete|erase|remove|purge|drop|forget|anonymi[sz]e|destroy|wipe|scrub|clear|blank)"
_KEPT = r"(?:kept|held|retained|stored|saved|remembered|on\s+record|here|there)"
_MUST = (
    r"(?:must|have\s+to|has\s+to|needs?\s+to|shall|should|ought\s+to|(?:is|are)\s+to|will|may\s+have\s+to)"
)
_BY_THEN = rf"(?:(?:after|within|in|no\s+later\s+than|not\s+later\s+than|at\s+the\s+latest(?:\s+after)?|by)\s+{_TIME}|{_TIME}\s+(?:after|later|from|past)\b|once\s+{_TIME}\s+have\b)"
_AT_MOST = r"(?:for\s+)?(?:no\s+longer\s+than|not\s+longer\s+than|no\s+more\s+than|not\s+more\s+than|at\s+most|up\s+to|a\s+maximum\s+of)"
# By when something must be gone, in whichever order a sentence says it.
_MUST_GO = [
    pattern(rf"(?i){each}")
    for each in (
        rf"\b{_MUST}\s+(?:all\s+|both\s+)?(?:be\s+)?{_GONE}\s+(?:(?!after\b|within\b)\w+\s+){{0,3}}{_BY_THEN}",
        rf"\b{_MUST}\s+{_DELETE}\s+(?:(?!after\b|within\b)[\w`',]+\s+){{1,12}}{_BY_THEN}",
        rf"\bafter\s+{_TIME}[^.;]*?\b{_MUST}\s+(?:all\s+|both\s+)?(?:be\s+)?{_GONE}\b",
        rf"\b{_TIME}\s+(?:after|later)\b[^.;]*?\b{_MUST}\s+(?:all\s+|both\s+)?(?:be\s+)?{_GONE}\b",
        rf"\b(?:may|can|must|should|shall)\s+(?:only\s+)?be\s+{_KEPT}\s+(?:only\s+)?(?:{_AT_MOST}|for(?:\s+only)?)\s+{_TIME}",
        rf"\b(?:may|must|should|shall|can)(?:\s+not|not)\s+(?:be\s+{_KEPT}|stay|remain|last|live)\s+(?:(?!longer\b|more\b|beyond\b)\w+\s+){{0,3}}(?:for\s+)?(?:(?:longer|more)\s+than|beyond|after|past)\s+{_TIME}",
        rf"\b(?:may|must|should|shall|can)(?:\s+not|not)\s+outlive\s+{_TIME}",
        rf"\b(?:is|are)\s+(?:never|not|nowhere)\s+{_KEPT}\s+(?:for\s+)?(?:(?:longer|more)\s+than|beyond)\s+{_TIME}",
        rf"\b(?:is|are)\s+{_KEPT}\s+(?:for\s+)?(?:no\s+longer\s+than|not\s+longer\s+than|no\s+more\s+than|at\s+most)\s+{_TIME}",
        rf"\b(?:is|are|gets?)\s+(?:all\s+|both\s+)?{_GONE}\s+{_BY_THEN}",
    )
]
# For how long something is kept, and not at most, or if at all.
_FOR_SO_LONG = pattern(
    rf"(?i)(?<!may be )(?<!can be )(?<!could be )\b(?:{_KEPT}|needed|wanted|required|readable|available)\s+(?:for\s+)?"
    rf"(?:(?:at\s+least|no\s+less\s+than|not\s+less\s+than|a\s+minimum\s+of|all\s+of|the|about|another|a?\s*full)\s+){{0,2}}({_COUNT})[\s-]+({UNIT})\b"
)
_FOR_EVER = pattern(
    r"(?i)\b(?:(?:kept|held|retained|stored|remembered|needed|wanted|there|stays?|stay|remains?)\s+(?:\w+\s+){0,2}?(?:for\s*ever|for\s+good|indefinitely|permanently|for\s+all\s+time|in\s+perpetuity|always)"
    r"|(?:kept|held|retained|stored|needed|stays?|remains?)\s+(?:for\s+)?as\s+long\s+as\b|always\s+(?:kept|there|needed|known)|never\s+(?:be\s+)?(?:deleted|erased|removed|purged|dropped|gone|goes?|lost|expires?)|must\s+(?:not|never)\s+(?:be\s+)?(?:deleted|erased|removed|lost|get\s+lost|disappear))\b"
)
_ONCE = pattern(
    r"(?i)\b(?:enter(?:s|ed)?|writes?|written|wrote|registers?|registered|sets?|records?|recorded|gives?|given|stores?|stored|puts?|fill(?:s|ed)?(?:\s+in)?|typed(?:\s+in)?|noted|assigned|scanned|measured|captured|loaded|imported|determined|known)"
    r"\b[^;!?.]{0,80}?\b(?:(?:only\s+|just\s+)?once\b(?!\s+(?:a|an|per|every|each|more|again|the|it|he|she|they|somebody|someone)\b)|(?:at|on|upon|during|with)\s+(?:the\s+|its\s+|their\s+)?(?:day\s+of\s+the\s+)?(?:installation|delivery|commissioning|registration|purchase|manufacture|setup|enrollment|enrolment|construction|sign-?up|onboarding|(?:very\s+)?first\s+(?:start|use|launch|visit|log-?in|sign-?in|run|boot|contact|order|session))\b)"
    r"|\b(?:never|don't|doesn't|(?:do|does|will|can|may)\s+not|cannot)\s+(?:ever\s+)?(?:change|be\s+changed|alter|be\s+altered|vary)\b(?!\s+(?:often|much|together|at\s+once))|\b(?:never|not)\s+(?:written|entered|set|sent|reported)\s+again\b"
    r"|\b(?:stays?|remains?)\s+(?:the\s+same|as\s+(?:it\s+is|they\s+are)|unchanged)\b|\bare\s+(?:fixed|immutable|constant)\b|\bis\s+(?:immutable|constant)\b"
)
_AGAIN = pattern(
    r"(?i)\bevery\s+(?:few\s+|couple\s+of\s+|\w+\s+)?(?:seconds?|minutes?|hours?|days?)\b|\b(?:each|per|a)\s+(?:second|minute|hour|day)\b|\b(?:all the time|again and again|continuously|constantly|steadily|periodically|regularly)\b"
)
_DENIED = pattern(r"(?i)\b(?:not|never|nor|need\s+not|without)\s*$")
# Another clause, where the one before it has a verb of its own: lists have commas, too.
_CLAUSE = pattern(
    r",?\s+(?:but|while|whereas|yet|though|although)\s+|,\s+(?:and|so)\s+|:\s+|\s+and\s+(?=the\b)"
)
_VERB = pattern(
    r"(?i)\b(?:is|are|was|were|has|have|must|may|can|will|shall|should|goes|go|stays?|needs?|keeps?|reports?|sends?|writes?|changes?|moves?|comes?|ends?|lasts?|shows?|gets?|does|do|never)\b"
)
# Behind a name, in what something is measured: no description says it.
_UNITS = frozenset(
    words(
        "kg mg lb km cm mm mi ms sec secs min mins hours days eur usd gbp cents kmh kw kwh volts amps watts pct percent bytes kb mb gb hz khz mhz deg celsius"
    )
)
# Names that are words of any sentence.
_ANY = frozenset(words("at on in to by of is it as or be no an and the day days time once after"))
# So often a row is written while an age lasts, where its cells are deleted while it lives on.
_MANY_TIMES = 10
_A_WEEK = "; the service may take a week more to delete them: from that age on, reads of btmodel leave them out, and other programs have to filter them"


def said_of_columns(model: ModelSchema) -> Iterator[Said]:
    """Each contradiction between what a sentence says of the life of some columns, and the rule of their family."""
    found: set[str] = set()
    for clause in _clauses(model.doc):
        if ELSEWHERE.search(clause):
            continue
        for said in (
            *_must_go(model, clause),
            *_for_so_long(model, clause),
            *_for_ever(model, clause),
            *_once(model, clause),
        ):
            if found.isdisjoint(column.name for column in said.columns):
                found.update(column.name for column in said.columns)
                yield said


def _clauses(doc: str) -> Iterator[str]:
    """The clauses of a description, each with a verb."""
    for sentence in sentences(doc):
        begin = 0
        for cut in _CLAUSE.finditer(sentence):
            if _VERB.search(sentence[begin : cut.start()]) and _VERB.search(sentence[cut.end() :]):
                yield sentence[begin : cut.start()]
                begin = cut.end()
        yield sentence[begin:]


# Values that a column had before, which are not its own life.
_EARLIER = pattern(r"(?i)\b(?:earlier|older|old|previous|former|past|replaced|outdated|superseded)\s+\w+")


def _named(model: ModelSchema, text: str) -> list[Column]:
    """The columns of one value that a text names by all words of their names, but those of a unit; none where it names all of several, or as it is of rows.

    The code of a `LoginCode` is the row itself.
    """
    own = {_one(word.lower()) for word in words(model.name)[-1:]}
    text = _EARLIER.sub(" ", text)
    spoken = {_one(word.lower()) for word in words(text)}
    found = []
    for column in model.columns:
        called = [word.lower() for word in words(column.name)]
        said = {_one(word) for word in called if word not in _UNITS or len(called) == 1}
        if said and said <= spoken and not said <= _ANY | own and column.shape.plain:
            found.append(column)
    return found if len(found) < len(model.columns) or len(found) == 1 else []


# Letters of the shortest participle; "speed" and "ring" are none.
_PARTICIPLE = 6


def _one(word: str) -> str:
    """A word as it is compared: in the singular, and a participle by its stem, as "the date of signing up" is that of ``signed_up``."""
    if len(word) >= _PARTICIPLE and word.endswith(("ed", "ing")):
        return word.removesuffix("ed").removesuffix("ing")
    return word.removesuffix("s") if len(word) > 2 else word


def _held(
    model: ModelSchema, columns: Sequence[Column]
) -> Iterator[tuple[Family, GcRule, tuple[Column, ...]]]:
    """The columns by their families whose rules are known, without those that declare what they want, and those whose timestamps are no times."""
    for family in model.families:
        held = tuple(
            column
            for column in columns
            if column.family == family.id
            and column.expected.keep is None
            and model.clock(column) in (Clock.WRITING, Clock.EVENT)
        )
        if held and family.gc is not None and not family.gc.given and family.aggregate is None:
            yield family, family.gc, held


def _must_go(model: ModelSchema, clause: str) -> Iterator[Said]:
    """The columns that must be gone after a time, in families that keep them longer."""
    match = next((found for each in _MUST_GO if (found := each.search(clause))), None)
    if match is None or _DENIED.search(clause[: match.start()]):
        return
    length = length_said(*[text for text in match.groups() if text][:2])
    event = (
        match[0].lower().endswith((" after", " from", " past"))
    )  # what stands behind it, and where that is
    if length is None or (not event and by_others(clause[match.end() :])):
        return
    for family, rule, columns in _held(model, _named(model, clause[: match.end()])):
        if rule.deletes(length / _NEARLY, 1):
            continue
        yield Said(
            clause,
            False,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {_short(match[0])!r}, but family {family.id!r} keeps {kept_text(rule)}",
            "a GC rule belongs to a family, and what no rule deletes is kept, whatever has been promised",
            [_ending(model, family, rule, columns, length)],
        )


def _short(said: str) -> str:
    return " ".join(said.split())


def _ending(
    model: ModelSchema, family: Family, rule: GcRule, columns: Sequence[Column], length: timedelta
) -> Fix:
    """That age for the family, or for a new one of these columns; a row then goes on without those that it needed."""
    alone = all(column in columns for column in model.columns if column.family == family.id)
    versions = not timed(model) and isinstance(rule, MaxVersions)
    kept: GcRule = simplified(rule | MaxAge(length)) if versions else MaxAge(length)
    home = evolve(family, gc=kept) if alone else Family(free_family(model, family.id), kept)
    made, lost = model, [one for one in columns if one.required and len(columns) < len(model.columns)]
    if alone:
        families = tuple(home if one == family else one for one in model.families)
        made = evolve(model, families=families)
    for column in columns:
        made = moved(made, column, home, required=column.required and column not in lost)
    where = (
        f"give their family that age: `{declared_family(home)}`"
        if alone
        else f"give {quoted(one.name for one in columns)} {_own(columns)}: `{declared_family(home)}`"
    )
    them = "it" if len(lost) == 1 else "them"
    declared = ", ".join(f"`{one.name}: {one.codec.python_type.__name__} | None`" for one in lost)
    without = f", and let a row be without {them}: {declared}, with `default=None`" if lost else ""
    return Fix(f"{where}{without}", (made,), otherwise=_A_WEEK)


def _own(columns: Sequence[Column]) -> str:
    return "a family of its own" if len(columns) == 1 else "a family of their own"


def _for_so_long(model: ModelSchema, clause: str) -> Iterator[Said]:
    """The columns that are kept for a time, in families that delete them earlier; they are what the clause is about, and not named beside it."""
    match = _FOR_SO_LONG.search(clause)
    length = None if match is None else length_said(match[1], match[2])
    if (
        match is None
        or length is None
        or _DENIED.search(clause[: match.start()])
        or by_others(clause[match.end() :])
    ):
        return
    rows = kept_for(model)
    nouns = subject_nouns(clause[: match.start()])
    if not nouns or (rows is not None and rows[0] in clause):
        return  # of rows, of which their columns are only a part
    named = _named(model, " ".join(nouns))
    if _one(nouns[-1]) not in {_one(words(column.name)[-1].lower()) for column in named}:
        return
    needed = in_full(match[0], length)
    for family, rule, columns in _held(model, named):
        if not rule.deletes(length * _NEARLY, 1):
            continue
        home = evolve(family, gc=raised(rule, needed, 1))
        families = tuple(home if one == family else one for one in model.families)
        yield Said(
            clause,
            False,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {_short(match[0])!r}, but family {family.id!r} keeps {kept_text(rule)}",
            "the service silently deletes what a rule allows, before the time that was meant",
            [
                Fix(
                    f"keep the family for so long: `{declared_family(home)}`",
                    (evolve(model, families=families),),
                )
            ],
        )


def _for_ever(model: ModelSchema, clause: str) -> Iterator[Said]:
    """The columns that are kept for ever, in families that delete them at an age."""
    match = _FOR_EVER.search(clause)
    if match is None or _DENIED.search(clause[: match.start()]) or by_others(clause[match.end() :]):
        return
    for family, rule, columns in _aging(model, _named(model, clause[: match.end()])):
        yield Said(
            clause,
            False,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {_short(match[0])!r}, but family {family.id!r} keeps {kept_text(rule)}",
            "the service silently deletes what a rule allows, also what was meant to stay",
            _apart(model, family, columns),
        )


def _once(model: ModelSchema, clause: str) -> Iterator[Said]:
    """The columns that are written once in a row that goes on, beside others that are written again, in families that delete them at an age."""
    match = _ONCE.search(clause)
    if match is None or timed(model) or model.bucket is not None:
        return
    named = _named(model, clause[: match.end()])
    for family, rule, columns in _aging(model, named):
        others = [one for one in model.columns if one.family == family.id and one not in named]
        if not others or not _goes_on(model, others, oldest(rule)):
            continue
        yield Said(
            clause,
            True,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {_short(match[0])!r}, but family {family.id!r} keeps {kept_text(rule)}, "
            f"and its rows are written again and again",
            "the age of a cell counts from when it was written, so what is written once is deleted while the row is still in use",
            _apart(model, family, (*_with(model, others, columns), *columns)),
        )


def _with(model: ModelSchema, others: Sequence[Column], once: Sequence[Column]) -> list[Column]:
    """The columns that every row has as it has what is written ``once``, where the others are those that come and go: they were written with it.

    What the description names elsewhere, or what is called like a value that is written again, is left where it is.
    """
    if not all(column.required for column in once) or all(column.required for column in others):
        return []
    spoken = {column.name for clause in _clauses(model.doc) for column in _named(model, clause)}
    return [
        column
        for column in others
        if column.required
        and column.shape.plain
        and column.expected.keep is None
        and column.name not in spoken
        and not called_following(column.name, column.codec.python_type)
    ]


def _aging(
    model: ModelSchema, columns: Sequence[Column]
) -> Iterator[tuple[Family, GcRule, tuple[Column, ...]]]:
    yield from (
        (family, rule, held) for family, rule, held in _held(model, columns) if not keeps_for_ever(rule)
    )


def _goes_on(model: ModelSchema, others: Sequence[Column], age: timedelta | None) -> bool:
    """Whether rows are written many times while that age lasts, by their rate, by what the description says, or by the names of the other columns."""
    if any(not one.shape.plain for one in model.columns):
        return False  # FAM005 says so
    rate = rate_of_one(model)
    if rate is not None and age is not None:
        return rate * age.total_seconds() >= _MANY_TIMES
    following = any(called_following(one.name, one.codec.python_type) for one in others)
    return following or _AGAIN.search(model.doc) is not None


def _apart(model: ModelSchema, family: Family, columns: Sequence[Column]) -> list[Fix]:
    """The columns in a family that keeps the newest value; where rows then need what goes earlier, without that."""
    newest = MaxVersions(1)
    home = next(
        (one for one in model.families if one.gc == newest and one.aggregate is None),
        Family(free_family(model, "once"), newest),
    )
    made = model
    for column in columns:
        made = moved(made, column, home)
    known = home in model.families
    text = (
        f"declare {quoted(one.name for one in columns)} in the family {home.id!r}, which keeps the newest value"
        if known
        else f"give {quoted(one.name for one in columns)} {_own(columns)}: `{declared_family(home)}`"
    )
    ways = [Fix(text, (made,), longer=True)]
    needed = [one for one in model.columns if one.family == family.id and one not in columns and one.required]
    if needed:
        lacking = tuple(
            evolve(one, required=False) if any(one.name == other.name for other in needed) else one
            for one in made.columns
        )
        declared = ", ".join(f"`{one.name}: {one.codec.python_type.__name__} | None`" for one in needed)
        them = "it" if len(needed) == 1 else "them"
        ways.append(
            Fix(
                f"{text}, and let a row be without {quoted(one.name for one in needed)}, as it loses {them} first: {declared}, with `default=None`",
                (evolve(made, columns=lacking),),
                longer=True,
            )
        )
    return ways
