"""What a description says of some rows alone, such as "mails in the trash": a GC rule, which knows no state of a row, would do it to all of them.

Which of the rows a sentence means is decided by its grammar: what stands in front of their noun or behind it narrows it, unless it is known to hold of each row.
What is not understood is taken to narrow, as an age of all rows that was meant for some deletes the others.
"""

from collections.abc import Iterator, Sequence, Set

from btmodel.design.attribute_words import caption, singular
from btmodel.design.hints import sentences
from btmodel.estimates import timed
from btmodel.lint.lifetimes import COUNT, LENGTH, Bound, Lifetime, lifetimes
from btmodel.lint.sentence_parts import AGE, WRITING, led_by_condition, scoped, with_condition
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import words

_WORD = pattern(r"[\w'-]+|[,;:()]")
_LABEL = pattern(r"^.*[;:]")
# What takes some rows out of all of them.
_EXCEPT = pattern(
    r"(?i)\b(?:except|excepting|excluding|exempt|other than|apart from|aside from|with the exception of|save for|barring|bar (?=the|those|any)|unless|all but|but not|only if|only when)\b(?! that\b)"
    r"|\b(?:all|every|each|any)\s+(?:\w+\s+){1,2}but\s+(?!not\b)"
)
_EXCEPT_LATER = pattern(
    r"(?i)^(?:(?:the|an?|some)\s+)?(?:only\s+)?(?:exceptions?|exempt\w*|except|unless)\b|^(?:those|the ones|ones|some|(?!(?:older|old|earlier|former|previous|past|all|these|new|our)\b)\w+ (?:ones|rows))\b[^.;]*\b(?:stays?|remains?|kept|keeps?|never|longer)\b"
)
# What is so as a rule, and at times not.
_MOSTLY = pattern(
    r"(?i)\b(?:usually|normally|generally|typically|mostly|commonly|ordinarily|by default|as a rule|in general|in most cases|in some cases|in many cases)\b|\b(?:often|sometimes)\s*$"
)
# Behind a time, what says that others have another one.
_OTHERS = pattern(
    rf"\s*(?:(?i:by default|in (?:most|some|many) cases|usually|elsewhere|otherwise)\b|in [A-Z]\w+"
    rf"|(?:[,;]|,?\s+(?:and|but|while|whereas|though))\s+(?!(?:{WRITING}|kept|held|needed|deleted|removed|read|then|there|after|for|by|from|to|in|on|at|with|later)\b)(?:(?!(?:is|are|must|may|can|will|has|have|goes?)\b)[\w'-]+\s+){{1,4}}?(?:for|after|within)\s+(?:ever\b|good\b|{LENGTH}|{COUNT}(?=[,.;]|$))"
    rf"|,?\s+(?:and|but)\s+(?:for|after|within)\s+{LENGTH}\s+(?:elsewhere|otherwise|in|on|at|if|for|of|with|when)\b)"
)
_NEWEST = pattern(r"(?i)\b(?:current|newest|latest|last|most recent) ")
# Of rows that stay: "though pinned ones stay for ever".
_SOME_STAY = pattern(
    r"(?i)\b(?:though|but|while|whereas|although|however|yet)\b[^.;]*\b(?:ones|those)\b[^.;]*\b(?:stays?|remains?|kept|never|longer)\b"
)
# In front of a noun, with what it speaks of each row.
_EACH = frozenset(
    words(
        "a an the this that these those its their his her our your my each every all any no both single individual whole entire full complete own same such "
        "old older earlier past previous former historical historic new newer recent further stored written collected saved kept"
    )
)
# Where the words of a noun begin.
_BREAK = frozenset(",;:()") | frozenset(
    words(
        "of in on at for with by from to about under per after before than as that which who whose when if once we us you they it i he she is are was were be been has have had "
        "must may can could should shall will would do does did keep keeps hold holds store stores delete deletes remove removes says said say so but then here there now today also because while where"
    )
)
_ARTICLES = frozenset(words("a an the this these those its their our each every all any"))
_AND = frozenset(words("and or nor but"))
# In front of "of", "with" or a noun, how many of them.
_PART = frozenset(
    words(
        "most some many few several half part parts certain third quarter share majority minority percent rest remainder two three only other others"
    )
)
_AUXILIARY = frozenset(
    words(
        "is are was were be been being has have had must may can could should shall will would do does did cannot not never to only just also always then get gets got need needs now else thus therefore "
        "both all each still and but so we they it"
    )
) | {","}
_FINITE = frozenset(
    words(
        "is are was were has have had must may can could should shall will would do does did cannot get gets need needs"
    )
)
_RELATIVE = frozenset(words("that which who whose"))
_OLD = frozenset(words("older old over past beyond more of from that which are is were was not than"))
# Behind a preposition, whose or of what each row is.
_ANY_ONE = frozenset(words("a an each every all any its their our"))
_HERE = frozenset(words("this these table tables database system bigtable here"))
_OF = frozenset(words("of from by for to about per in on at"))
_WITH = frozenset(words("with"))
_THEIRS = frozenset(words("its their all each every"))
_PREPOSITION = frozenset(
    words("of from by for to about per in on at with without under below above over behind")
)
_PRONOUNS = frozenset(
    words(
        "it they them each every all any anything whatever ones these those this everything nothing none one"
    )
)
_NO_ADVERB = frozenset(words("weekly daily monthly yearly hourly nightly early"))


def of_some(model: ModelSchema, own: Set[str], sentence: str, said: Lifetime, subject: str) -> bool:
    """Whether a sentence says so of some of the rows alone; ``own`` are the words for these in the singular, ``subject`` are those in front of the verb."""
    behind = sentence[said.end :]
    return (
        _some_left_out(sentence, said)
        or led_by_condition(sentence, said, own)
        or with_condition(behind, own)
        or scoped(sentence, said, _known(model))
        or picked(model, own, subject)
        or any(_stays(model, own, said, other) for other in sentences(model.doc))
    )


def _some_left_out(sentence: str, said: Lifetime) -> bool:
    """Whether a sentence excepts some rows, or says of others that they have another time."""
    before = sentence[: said.start].rpartition(";")[2]
    behind = sentence[said.end :]
    here = f"{before} {said.said} {behind.partition(';')[0]}"
    return (
        _EXCEPT.search(here) is not None
        or _MOSTLY.search(before) is not None
        or _OTHERS.match(behind) is not None
        or _SOME_STAY.search(behind) is not None
    )


def _stays(model: ModelSchema, own: Set[str], said: Lifetime, sentence: str) -> bool:
    """Whether another sentence says of some of the rows that they stay for longer."""
    if said.said not in sentence and _EXCEPT_LATER.match(sentence):
        return True
    return any(
        picked(model, own, other.subject)
        for other in lifetimes(sentence)
        if timed(model) or not _NEWEST.search(other.subject)  # versions of one row
        if other.bound is Bound.EVER
        or (
            other.bound in (Bound.ABOUT, Bound.LEAST)
            and said.length is not None
            and other.length is not None
            and other.length > said.length
        )
    )


def picked(model: ModelSchema, own: Set[str], subject: str) -> bool:
    """Whether a subject are rows, and which of them: "read notifications", "jobs that failed"."""
    spoken = [word.lower() for word in _WORD.findall(AGE.sub(" ~ ", _LABEL.sub("", subject)))]
    spoken = _reported(spoken, own)
    at = _head(spoken, own)
    if at is None:
        return False
    known = own | _known(model)
    if _explained(model, spoken[at + 1 :]):
        return False
    return _chosen(spoken[:at], known, pronoun=spoken[at] in _PRONOUNS) or _narrowed(spoken[at + 1 :], known)


def _reported(spoken: list[str], own: Set[str]) -> list[str]:
    """What somebody says or promises, behind its "that"; a relative clause has one, too, behind its noun."""
    for at in range(len(spoken) - 1, 0, -1):
        if (
            spoken[at] == "that"
            and not _called(spoken[at - 1], own)
            and _head(spoken[at + 1 :], own) is not None
        ):
            return spoken[at + 1 :]
    return spoken


def _head(spoken: Sequence[str], own: Set[str]) -> int | None:
    """The place of the first noun for rows, the last of several in a row; or else of a pronoun."""
    nouns = [at for at, word in enumerate(spoken) if word not in _EACH | _PRONOUNS and _called(word, own)]
    if not nouns:
        alone = (at for at, word in enumerate(spoken) if word in _PRONOUNS)
        return next((at for at in alone if not _determines(spoken, at)), None)
    return next(at for at in nouns if at + 1 not in nouns)


def _determines(spoken: Sequence[str], at: int) -> bool:
    """Whether a pronoun stands in front of a noun, as in "these mails"; "those marked as spam" stands for one."""
    behind = spoken[at + 1] if at + 1 < len(spoken) else "is"
    stands = _FINITE | _PREPOSITION | _RELATIVE | _AUXILIARY | _BREAK
    return spoken[at] in _EACH and behind not in stands and not behind.endswith(("ed", "ing"))


def _called(word: str, own: Set[str]) -> bool:
    return bool({singular(word), word.removesuffix("s")} & own)


def _explained(model: ModelSchema, behind: Sequence[str]) -> bool:
    """Whether columns behind a noun tell what it is: "the inspection record, with serial and gauge"."""
    if behind[:1] not in (["("], [","]):
        return False
    held = {singular(word.lower()) for one in model.columns for word in words(one.name)}
    until = next((at for at, word in enumerate(behind) if word in _FINITE), len(behind))
    return any(_called(word, held) for word in behind[:until])


def _known(model: ModelSchema) -> Set[str]:
    """What each row has or is: the words of its name and of its key, and of the columns that it must have, if they are no states."""
    columns = (
        one.name for one in model.columns if one.required and one.codec.python_type not in (bool, type(None))
    )
    names = [model.name, model.table, *(part.name for part in model.key.asked), *columns]
    spoken = {word.lower() for name in names for word in words(name)}
    stated = {word for word in spoken if word.endswith("ed") and word not in words(model.name.lower())}
    return {*map(singular, spoken - stated), *map(singular, caption(model.doc))}


def _chosen(before: Sequence[str], known: Set[str], *, pronoun: bool) -> bool:
    """Whether the words in front of a noun say which of them: adjectives, participles and numbers; in front of a pronoun, how many."""
    for at in range(len(before) - 1, -1, -1):
        word = before[at]
        if word in _PART or (word == "of" and at and before[at - 1] in _PART):
            return True
        if word in _BREAK or (pronoun and word not in _EACH):
            return False
        if word in _EACH or word in _AND or _called(word, known) or word == "~":
            continue
        if word.endswith("ly") and word not in _NO_ADVERB:
            continue
        return not _determined(before[at + 1 :])
    return False


def _determined(between: Sequence[str]) -> bool:
    """Whether an article stands between a word and the noun, which then does not go with it."""
    return any(word in _ARTICLES for word in between)


def _narrowed(behind: Sequence[str], known: Set[str]) -> bool:
    """Whether the words behind the rows say which of them: "of free accounts", and not "of a meter", where each row is of one, nor how old they are."""
    rest = list(_without_verb(behind))
    if not rest or rest[0] in _FINITE or rest[0] in (",", ":", "(", *_AND):
        return False
    if not _AND.isdisjoint(behind[len(rest) :]):
        return False  # another verb, whose subject they are: "meters report and are kept"
    if rest[0] in _RELATIVE and len(rest) == 1:
        return False  # whose verb is that of the sentence
    if "~" in rest and all(word in _OLD or word == "~" for word in rest):
        return False
    if rest[0] in _PREPOSITION:
        return _narrowing(rest[0], rest[1:], known)
    return rest[0] not in ("here", "there", "alone", "itself", "themselves", "older", "~")


def _without_verb(behind: Sequence[str]) -> Sequence[str]:
    """The words without those that belong to the verb behind them."""
    end = len(behind)
    while end and (behind[end - 1] in _AUXILIARY or behind[end - 1].endswith("ly")):
        end -= 1
    return behind[:end]


def _narrowing(preposition: str, rest: Sequence[str], known: Set[str]) -> bool:
    """Whether a preposition and what follows says which rows."""
    noun = list(_noun(rest))
    if not noun:
        return preposition not in _OF
    if not _HERE.isdisjoint(noun) or "~" in noun:
        return False
    if preposition in _WITH:
        return noun[0] not in _THEIRS
    plain = noun[1:] if noun[0] in _ANY_ONE or noun[0] in ("the", "and") else noun
    strange = [word for word in plain if word not in _EACH and word not in _AND and not _called(word, known)]
    if preposition not in _OF:
        return True
    return bool(strange[1:] if noun[0] in _ANY_ONE else strange)


def _noun(rest: Sequence[str]) -> Iterator[str]:
    for word in rest:
        if word in _BREAK or word in _FINITE:
            return
        yield word
