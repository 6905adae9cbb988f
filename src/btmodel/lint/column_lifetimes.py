"""What descriptions say of the life of single columns: by when they must be gone, for how long or for ever they are kept, and that they are written once."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple

from attrs import evolve

from btmodel.design.hints import called_following, sentences
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.descriptions import (
    ELSEWHERE,
    by_others,
    in_full,
    kept_for,
    subject_nouns,
    subject_of,
    words_for_rows,
)
from btmodel.lint.finding import Fix
from btmodel.lint.lifetimes import Bound, length_of, lifetimes
from btmodel.lint.retention import declared_family, free_family, moved, raised
from btmodel.lint.row_ends import REMEMBERED, passing
from btmodel.lint.some_rows import picked
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
_ONCE = pattern(
    r"(?i)\b(?:enter(?:s|ed)?|writes?|written|wrote|registers?|registered|sets?|records?|recorded|gives?|given|stores?|stored|puts?|fill(?:s|ed)?(?:\s+in)?|typed(?:\s+in)?|noted|assigned|scanned|measured|captured|loaded|imported|determined|known)"
    r"\b[^;!?.]{0,80}?\b(?:(?:only\s+|just\s+)?once\b(?!\s+(?:a|an|per|every|each|more|again|the|it|he|she|they|somebody|someone)\b)|(?:at|on|upon|during|with)\s+(?:the\s+|its\s+|their\s+)?(?:day\s+of\s+the\s+)?(?:installation|delivery|commissioning|registration|purchase|manufacture|setup|enrollment|enrolment|construction|sign-?up|onboarding|(?:very\s+)?first\s+(?:start|use|launch|visit|log-?in|sign-?in|run|boot|contact|order|session))\b)"
    r"|\b(?:never|don't|doesn't|(?:do|does|will|can|may)\s+not|cannot)\s+(?:ever\s+)?(?:change|be\s+changed|alter|be\s+altered|vary)\b(?!\s+(?:often|much|together|at\s+once))|\b(?:never|not)\s+(?:written|entered|set|sent|reported)\s+again\b"
    r"|\b(?:stays?|remains?)\s+(?:the\s+same|as\s+(?:it\s+is|they\s+are)|unchanged)\b|\bare\s+(?:fixed|immutable|constant)\b|\bis\s+(?:immutable|constant)\b"
)
_AGAIN = pattern(
    r"(?i)\bevery\s+(?:few\s+|couple\s+of\s+|\w+\s+)?(?:seconds?|minutes?|hours?|days?)\b|\b(?:each|per|a)\s+(?:second|minute|hour|day)\b|\b(?:all the time|again and again|continuously|constantly|steadily|periodically|regularly)\b"
)
# Behind a time that begins with an event, of which the words that follow speak.
_FROM_EVENT = pattern(r"(?i)^\s*(?:after|from|past)\b")
_PERMITTED = pattern(r"(?i)\b(?:may|can|could)\s+be\s*$")
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
    rows = words_for_rows(model) if model.doc else frozenset()
    for clause in _clauses(model.doc):
        if ELSEWHERE.search(clause) or any(
            picked(model, rows, subject_of(one.subject)) for one in lifetimes(clause)
        ):
            continue  # of some of the rows, which no GC rule knows
        for said in (
            *_must_go(model, clause),
            *_for_so_long(model, clause),
            *_for_ever(model, clause),
            *_once(model, clause),
        ):
            if found.isdisjoint(column.name for column in said.columns):
                found.update(column.name for column in said.columns)
                yield said
    yield from _used_once(model, found)


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

    The code of a `LoginCode` is the row itself, and "a wind turbine" speaks of no `wind`.
    """
    name = words(model.name)
    own = {_one(word.lower()) for word in name[-1:]}
    whole = r"[\s-]+".join(map(re.escape, name))
    text = re.sub(rf"(?i)\b{whole}s?\b", " ".join(name[-1:]), _EARLIER.sub(" ", text))
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
    said = next((one for one in lifetimes(clause) if one.bound in (Bound.ENDS, Bound.MOST)), None)
    if said is None or said.length is None:
        return
    if not _FROM_EVENT.match(clause[said.end :]) and by_others(clause[said.end :]):
        return
    for family, rule, columns in _held(model, _named(model, clause[: said.end])):
        if rule.deletes(said.length / _NEARLY, 1):
            continue
        yield Said(
            clause,
            False,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {said.said!r}, but family {family.id!r} keeps {kept_text(rule)}",
            "a GC rule belongs to a family, and what no rule deletes is kept, whatever has been promised",
            [_ending(model, family, rule, columns, said.length)],
        )


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


# What is used once, or for minutes or hours, by the name of a column; what is like it and lasts, as a code of a booking or a token of a device, is not.
_ONE_TIME = pattern(
    r"(?:.* )?(?:one time (?:code|password|passcode|pin|link|token)|otp(?: code)?|(?:login|signin|sign in|sms|mfa|2fa|two factor|verification) (?:code|pin|link)|(?:password )?reset (?:token|code|link)|"
    r"(?:e ?mail|phone|sms) (?:verification|confirmation) (?:token|code|link)|magic (?:link|token)|csrf token|session token|(?:oauth|sso|login) state|(?:login|auth|webauthn|pkce) (?:challenge|nonce|verifier))"
)
_A_DAY = timedelta(days=1)


def _used_once(model: ModelSchema, found: Collection[str]) -> Iterator[Said]:
    """The columns of rows that last which are called like what is used once, in families that no age ends; not those of which something is ``found`` already."""
    if timed(model) or model.bucket is not None or model.view is not None or passing(model):
        return
    called = [
        one
        for one in model.columns
        if one.shape.plain
        and one.name not in found
        and _ONE_TIME.fullmatch(" ".join(word.lower() for word in words(one.name)))
    ]
    spoken = {
        one.name: [said for said in sentences(model.doc) if one in _named(model, said)] for one in called
    }
    lasting = [one for one in called if not any(map(REMEMBERED.search, spoken[one.name]))]
    for family, rule, columns in _held(model, lasting):
        if not keeps_for_ever(rule):
            continue
        ages = {one.name: next(filter(None, map(length_of, spoken[one.name])), None) for one in columns}
        for age in dict.fromkeys(ages.values()):
            alike = tuple(one for one in columns if ages[one.name] == age)
            fix = _ending(model, family, rule, alike, age or _A_DAY)
            them = "it is" if len(alike) == 1 else "they are"
            how = f"{quoted(one.name for one in alike)} {them.split()[1]} used once or for a while, judging by {'its name' if len(alike) == 1 else 'their names'}"
            yield Said(
                "",
                False,
                alike,
                family,
                f"{how}, but family {family.id!r} keeps {kept_text(rule)}",
                "what is used once stays in a row that lasts until it is written again, and can be read and stolen for so long",
                [
                    evolve(
                        fix,
                        otherwise=f"{'' if age else f'; or another age, as long as {them} valid'}{fix.otherwise}",
                    )
                ],
            )


def _own(columns: Sequence[Column]) -> str:
    return "a family of its own" if len(columns) == 1 else "a family of their own"


def _for_so_long(model: ModelSchema, clause: str) -> Iterator[Said]:
    """The columns that are kept for a time, in families that delete them earlier; they are what the clause is about, and not named beside it."""
    said = next((one for one in lifetimes(clause) if one.bound in (Bound.ABOUT, Bound.LEAST)), None)
    if said is None or said.length is None or said.noun or by_others(clause[said.end :]):
        return
    rows = kept_for(model)
    nouns = subject_nouns(said.subject)
    if not nouns or _PERMITTED.search(said.subject) or (rows is not None and rows.said in clause):
        return  # of rows, of which their columns are only a part
    named = _named(model, " ".join(nouns))
    if _one(nouns[-1]) not in {_one(words(column.name)[-1].lower()) for column in named}:
        return
    needed = in_full(said.said, said.length)
    for family, rule, columns in _held(model, named):
        if not rule.deletes(said.length * _NEARLY, 1):
            continue
        home = evolve(family, gc=raised(rule, needed, 1))
        families = tuple(home if one == family else one for one in model.families)
        yield Said(
            clause,
            False,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {said.said!r}, but family {family.id!r} keeps {kept_text(rule)}",
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
    said = next((one for one in lifetimes(clause) if one.bound is Bound.EVER), None)
    if said is None or by_others(clause[said.end :]):
        return
    for family, rule, columns in _aging(model, _named(model, clause[: said.end])):
        yield Said(
            clause,
            False,
            columns,
            family,
            f"the description says of {quoted(one.name for one in columns)} {said.said!r}, but family {family.id!r} keeps {kept_text(rule)}",
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
            f"the description says of {quoted(one.name for one in columns)} {match[0]!r}, but family {family.id!r} keeps {kept_text(rule)}, "
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
