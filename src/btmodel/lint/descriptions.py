"""What descriptions say of time: for how long something is kept, asked for or there, and what is written once or again.

The patterns are of English sentences; a rule decides what follows from them.
"""

import re
from collections.abc import Iterator, Set
from datetime import timedelta
from math import ceil

from btmodel.design.attribute_words import caption, singular
from btmodel.design.denials import denied
from btmodel.design.hints import DIGITS, NUMBERS, UNIT, length_said, sentences
from btmodel.estimates import timed
from btmodel.lint.lifetimes import LENGTH, Bound, Lifetime, all_go, length_of, lifetimes, surely_ever
from btmodel.lint.some_rows import of_some
from btmodel.on_demand import pattern
from btmodel.schema import Column, ModelSchema
from btmodel.words import words

_COUNT = rf"(?:{DIGITS}|{'|'.join(NUMBERS)})"
_TIME = (
    rf"(?:(?:the|about|up to|at most|at least|no longer than|no more than|only|just|another)\s+)?({LENGTH})\b"
)
# That values are read as they were in the past.
_MOMENT = r"(?:time|moment|day|date|hour|instant)"
_AS_THEN = pattern(
    r"(?i)\bas\s+(?:they|it|these|those|he|she)\s+(?:was|were|stood|looked|had\s+been)(?=[*_`]*\s*(?:$|[.,;:)(]|(?:at|on|when|then|back|in\s+the\s+past|during|while|\w+\s+(?:\w+\s+)?(?:ago|back|earlier))\b))"
    r"|\bpoint[-\s]in[-\s]time\b|\btime[-\s]travel\w*"
    rf"|\bas[-\s]of[-\s](?:joins?|quer(?:y|ies)|reads?|lookups?|(?:the|any|a|each|every|that|some)\s+(?:\w+(?:'s)?\s+){{0,2}}{_MOMENT})\b"
    rf"|\b(?:values?|state|figures?|settings?|features?|what\s+(?:it|they|each|an?\s+\w+))\s+(?:(?:that|which)\s+)?(?:was|were|held|had|stood|applied)\s+(?:\w+\s+)?(?:at|on)\s+(?:the|that|any|an?|each|its|their)\s+(?:\w+(?:'s)?\s+){{0,2}}{_MOMENT}\b"
)
_UNCHANGED = pattern(
    r"(?i)\b(?:stays?|remains?|left|leaves?|leave|restores?|restored|puts?\s+back|unchanged|same)\s+(?:[\w,]+\s+){0,2}$"
)
IN_ANOTHER = pattern(
    r"(?i)\b(?:tables?|elsewhere|separate(?:ly)?|archives?|warehouse|bigquery|logs?|backups?|lake|snapshots?|exports?)\b"
)
# That older versions of a value are wanted.
VERSIONS_WANTED = pattern(
    r"(?i)\b(?<!no )(?<!no older )(?:versions|revisions|histor(?:y|ies)|undo|undone|roll(?:ed|s)? back|(?:go|goes|going|gone) back|restored?|"
    r"(?:earlier|previous|former|older|past|last|newest|latest) (?:\w+ )?(?:values|texts|states|drafts|copies|settings|editions|changes|saves|ones))\b"
)
# What an intersection deletes, and what it keeps.
OLDER = pattern(
    r"(?i)\b(old(er(?! than))?|earlier|previous|former|past|replaced|superseded|outdated|those before|ones before)\b"
    r"|\b(in force|current|newest|latest|last)\b[^.;]{0,40}\b(never|always|stays?|remains?|kept|for ever|forever)\b|\bnever (goes?|deleted|removed|ends?)\b"
)
_ROWS = frozenset(
    words(
        "it they them each every all any anything whatever ones these those this everything nothing none data table row event cell entry entries record value version one position reading measurement sample point message request result detail"
    )
)
# What stands around a noun, and is none: articles, auxiliaries and adverbs.
_AROUND = frozenset(
    words(
        "a an the its their his her our your some such most that which who and or but so then is are was were be been being has have had must may can could should shall will would do does did not "
        "cannot from once never only just also still always usually normally often now here there itself themselves both first later thus therefore else get gets"
    )
)
# Where another clause begins, with a subject of its own.
_ANOTHER = pattern(
    r"(?i)(?:[,:]\s+(?:(?:and|but|while|whereas|though|although|yet|so)\s+)?|\s+(?:and|but|while|whereas|though|although|yet)\s+)"
    r"(?=(?:an?|the|its|their|his|her|our|each|every|all|this|that|these|those|it|they|no|some|most)\b|(?!(?:and|but|or|while|though|yet|so)\b)\w+\s+(?:is|are|was|were|has|have|must|may|can|will)\b)"
)
VERB = pattern(
    r"(?i)\b(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\bper )(?:is|are|was|were|has|have|had|may|must|can|will|does|do|goes?|comes?|lasts?|ends?|runs?|takes?|needs?|reads?|asks?|keeps?|gets?|gives?|sends?|shows?|sees?|"
    r"says?|holds?|prints?|pays?|costs?|stays?|belongs?|begins?|writes?|wants?|\w+ed|kept|held|sent|given|written|gone)\b"
)
# What stands behind a noun and says whose it is, or where.
_BEHIND = pattern(
    r"(?i)\s(?:of|in|on|at|for|with|by|from|to|behind|about|under)\s+(?:(?:an?|the|its|their|his|her|our|each|every|all|some|one)\s+)?(?!which\b|whom\b)[\w`]+"
)
# Who keeps another thing, or where.
_BY_OTHERS = pattern(
    r"(?i),?\s*(?:\w+ ){0,3}(?:by|in|on|at|before|with) (?!the (?:gc|table|rule|(?:very )?latest\b)|a rule|garbage|law|bigtable)(?:the|an?|another|some\w*|our|their) "
)
ALL_EARLIER = pattern(
    r"(?i)\b(all|every|each|any)\s+(of\s+)?(its|his|her|their|the|our)?\s*(earlier|previous|former|old|older|past)\b"
    r"|\b(full|complete|entire|whole)\s+history\b|\baudit\s+(trail|log)\b"
)
# What is wanted of all that ever was, however long ago.
EACH_EVER = pattern(
    r"(?i)\b(?:each|every|all|any)\b[^.;!?]*(?<!hardly )(?<!scarcely )(?<!rarely )(?<!if )\bever\b"
)
WRITTEN_ALONE = pattern(
    r"(?i)\b(?:updates?|updated|renews?|touch(?:es)?|writes?|sets?|refresh(?:es)?|replaces?|sends?|reports?)\b.*\b(?:alone|only|nothing else)\b"
)
WRITTEN_ONCE = pattern(
    r"(?i)\b(?:enters?|entered|writes?|written|registers?|registered|sets?|records?|recorded|gives?|given|stores?|stored|puts?|fills? in)\b[^;!?]*\bonce\b"
    r"|\b(?:entered|registered|recorded|written|noted|filled in) when\b(?![^.;!?]*\b(?:and|then|,) again\b)"
)
HOWEVER_OLD = pattern(
    r"(?i)\b(however old|no matter how old|whatever (its|their) age|always (be )?(there|kept|shown|stay|present|readable|available|known|at hand|on file)\b(?! (?:as (?:a whole|one)|whole|in full|together|with|to|by)\b)|(newest|last|latest)( \w+){0,2} (always|in any case|never go)|"
    r"at least (the )?(\w+ )?(newest|last|latest)|older ones only if"
    r"|(always|in any case) ((finds?|have|has|sees?|gets?|shows?|needs?|wants?) )?(the|its|their) (newest|last|latest)"
    r"|even (if|when|though)\b[^.;]{0,60}\b(years|months|decades) (ago|old|back|before)"
    r"|(counts?|holds?|applies|apply|stays?|remains?|stands?|valid|in force|in effect|effective|binding|true|kept)( (good|so|valid|in force|in effect|the same|there))? until( \w+){0,4} "
    r"(another|new|newer|next|replaced?|replaces|superseded?|supersedes|changed?|changes|sets?|overwritten|overwrites|withdrawn|revoked)(?!,? or\b)"
    r"|(newest|last|latest|current)\b[^.;]{0,40}\bnever (be )?(deleted|removed|dropped|goes|go|expires?))\b"
)
# For how long something is asked for.
_ASKED = pattern(
    rf"(?i)\b(?:ask|asks|need|needs|see|sees|want|wants|show|shows|compares?|looks?)\b([^;]*)\b(?:last|past)\s+({_COUNT})[\s-]+({UNIT})\b(?:\s+of\s+((?:(?!(?:and|or|but)\b)\w+\s?)+))?"
)
# The same, of what looks back or shows so much of it, and of who wants so much of something.
_LOOKS_BACK = pattern(
    rf"(?i)\b(?:looks?|goes?|reach(?:es)?)\s+back\s+(?:by\s+|over\s+|for\s+|to\s+)?{_TIME}"
    rf"|\b(?:charts?|graphs?|plots?|dashboards?|reports?|screens?|pages?|apps?|views?)\s+(?:shows?|displays?|draws?|covers?|plots?)\s+{_TIME}(?=\s*(?:$|[.,;]))"
    rf"|\b(?:lawyers?|auditors?|regulators?|law|courts?|compliance|inspectors?)\s+(?:\w+\s+)?(?:wants?|needs?|demands?|insists?\s+on|asks?\s+for|requires?)\s+{_TIME}(?=\s*(?:$|[.,;]))"
    rf"|\b(?:wants?|needs?|demands?|insists?\s+on|asks?\s+for|requires?)\s+{_TIME}\s+of\s+(?P<thing>\w+)(?=\s*(?:$|[.,;]))"
    rf"|\b(?:wants?|needs?|asks?\s+for|reads?)\s+(?P<aged>\w+)\s+that\s+(?:is|are)\s+{_TIME}\s+old\b"
)
# What is asked for, in front of the time.
_OBJECT = pattern(r"(?i)([\w`']+)\s+(?:of|from|in|over|for|within|during)\s+(?:the|its|their|his|her)?\s*$")
# No object, but a time of the rows: "any day of the past year".
_ANY_TIME = frozenset(words("day date hour minute week month time moment anything everything all any"))
_ANY_OF = pattern(r"(?i)\bany\s+$")
# How long something goes on, with the larger of two numbers; and what says that it may rest meanwhile, and then goes on.
_GOES_ON = pattern(
    rf"(?i)\b(?:takes?|lasts?|runs?|goes on|go on|needs?)\s+(?:for\s+)?(?:(?:about|around|some|from|between|up to|at most|usually|often)\s+){{0,2}}"
    rf"(?:{_COUNT}\s*(?:{UNIT}\s*)?(?:-|to|and|or)\s*)?({_COUNT})[\s-]+({UNIT})\b"
)
_RESTS = pattern(
    r"(?i)\b(?:comes? back|coming back|returns? (?:to|after|later)|resumes?|resumed|(?:with|between|after|during|long|many) (?:\w+ )?breaks|breaks (?:are|of|between)|pauses?|interruptions?|picks? up again)\b"
)
# How long what the rows are about is valid or needed, behind their name or a word for them.
_LASTS = (
    r"(?:(?:(?:is|are|stays?|remains?|must be|has to be)\s+)?(?:(?:still|only|just|then)\s+)?(?:valid|good|usable|fresh|in force|needed|wanted|required|effective|binding|asked for|looked up|read|used)|runs?|lasts?|lives?|stands?|applies|works?|(?:can|may) be (?:used|redeemed|claimed|opened|cashed)|(?:is|are) (?:accepted|honou?red)|has\s+a\s+life(?:time)?\s+of)"
    rf"\s+(?:(?:for|by)\s+(?!{_TIME})\w+\s+)?(?:(?:for|within)\s+)?{_TIME}(?!\s+(?:a|an|per|each|every)\b)"
    rf"|(?:ends?|lapses?|dies?|runs? out|stops? (?:working|being valid)|ceases? to be valid|(?:is|are) (?:over|released|void|invalid|worthless|valid until|needed until|of no (?:more )?use)|becomes? (?:void|invalid|useless|worthless|stale))\s+(?:only\s+)?(?:{_TIME}\s+(?:after|later)\b|after\s+{_TIME})"
)
_CLAUSE = r"(?:^|[,:]\s+|\b(?:and|but|so|until|as|while|because|that|when)\s+)"
# How long a row itself is needed, in whatever words its thing is spoken of; it is not read after that.
_ROW = r"(?:(?:the|an?|each|every|its|this|all|our)\s+)?(?:rows?|record|records|entry|entries)"
_OF_A_ROW = pattern(
    rf"(?i){_CLAUSE}{_ROW}\s+(?:(?:that|which)\s+)?(?:{_LASTS})"
    rf"|\b(?:nobody|no one|nothing|no\s+\w+)\s+(?:needs|reads|asks\s+for|wants|looks\s+at)\s+{_ROW}\s+(?:after\s+{_TIME}|{_TIME}\s+later)"
    rf"|{_CLAUSE}{_ROW}\s+(?:is|are)\s+(?:not|no\s+longer)\s+(?:needed|read|asked\s+for|wanted)\s+(?:any\s+more\s+)?(?:after\s+{_TIME}|{_TIME}\s+later)(?!\s+(?:after|it)\b)"
)
_NEED = pattern(
    r"(?i)\b(?:needed|needs|wanted|wants|required|asked|asks|looked|looks|read|reads|used|uses|checks?)\b"
)
_READER = r"(?:the|an?|our|each|every|all|its)?\s*(?:\w+\s+){1,2}?(?:(?:may|must|can|still|(?:has|have)\s+to(?:\s+be\s+able\s+to)?)\s+)?(?:asks?\s+for|needs?(?:\s+to\s+(?:see|read|have))?|reads?|wants?|looks?\s+up|uses?|checks?|disputes?|contests?|audits?|refers?\s+to|(?:has\s+to|have\s+to|must|can|could)\s+(?:be\s+able\s+to\s+)?(?:show|produce|present|prove|hand\s+over)|inspects?|views?|quer(?:y|ies)|search(?:es)?|examines?)"
_SO_LONG = rf"(?:for\s+{_TIME}|until\s+{_TIME}\s+(?:after|later)\b)"
_READS = rf"(?:^|,\s+(?:(?:and|but|so)\s+)?|\bthat\s+){_READER}\s+(?:THING)\s+{_SO_LONG}"
# A part of all patterns of how long rows last: without it, these are not compiled, which takes long and is done for each model.
_SOME_TIME = pattern(rf"(?i)(?:{_LASTS}|{_SO_LONG}|^after\s+{_TIME})")
_IT = pattern(
    rf"(?i)^(?:(?:it|they|each of them|every one|all of them)\b|each (?:is|has|was|runs?|lasts?|ends)\b|{_LASTS})"
)
# What a caption is of, in front of what says more of it.
_HEAD = r"^(?:an?\s+|the\s+)?(?:(?!(?:of|with|for|in|on|by|to|under|from)\b)\w+\s+){0,2}\w+"
_CAPTION = pattern(rf"(?i){_HEAD},?\s+(?:of|by|that|which|who|for|in|on|with|from|under|to)\b")
_LED = pattern(rf"(?i){_READER}\s+(?:it|them)\b")
# Another thing that "it" may stand for; where something happens is none.
_THING = pattern(
    r"(?i)(?<!\bat )(?<!\bin )(?<!\bon )(?<!\bby )(?<!\bafter )(?<!\bbefore )\b(?:an?|the|its|his|her|their|one|some|two)\s+([a-z]+)"
)
# What is written again while it lasts, or has its home elsewhere, may go earlier.
_AGAIN = pattern(
    r"(?i)\b(?:renew\w*|refresh\w*|extend(?:s|ed)?|prolong(?:s|ed)?|updates?|updated|touched|rewritten|again and again|(?:written|sent|put|stored|set) (?:again|anew)|heartbeats?|alive)\b"
    r"|\b(?:written|writes?|sent|sends?|puts?|stores?|stored|sets?|saves?|saved|reports?)\b[^.;]*\b(?:each|every)\b|\b(?:each|every) \w+ (?:writes|sends|puts|stores|sets|saves|reports)\b"
)
_WITHOUT_OBJECT = frozenset(("again", "alive", "heartbeat", "heartbeats", "renewal", "renewals"))
_WRITTEN = pattern(r"(?i)\w+ed|written|rewritten|sent|put|set")
_WHEN = pattern(r"(?i)\s*(?:$|[.,]|(?:at|with|on|when|whenever|each|every|while|during)\b)")
_COPY = pattern(r"(?i)\b(?:caches?|cached|caching|cop(?:y|ies)|mirror\w*|preview|draft)\b")
# In front of "last", which is no verb then: "sessions last ten minutes".
_THE = (
    "(?:^|"
    + "|".join(
        rf"(?<={word} )"
        for word in ("the", "its", "their", "his", "her", "our", "of", "over", "in", "for", "[.,;:(]")
    )
    + ")"
)
# How far back what is read goes.
BACK = pattern(
    rf"(?i)\b(?:{_THE}last|past|recent|newest|latest)\s+(?:([a-z]+|[0-9]{{1,4}})\s+)?({UNIT})\b|\b({_COUNT})\s+({UNIT})\s+(?:back|ago)\b"
    rf"|\bback\s+(?:(?:as|to|for|at|most|least|about|up)\s+){{0,3}}({_COUNT})\s+({UNIT})\b"
    rf"|\b(?:ask|asks|asked|need|needs|see|sees|show|shows|shown|look|looks|known)\b[^;.]*\bfor\s+(?:(?:up|to|at|most|least|about)\s+){{0,2}}({_COUNT})\s+({UNIT})\b"
)
# A promise that nothing is kept beyond what is said.
AT_MOST = pattern(
    r"(?i)\b(at most|never more|no more|each|every|all|none|nothing|no longer|agreement|contract|privacy|longer than|by law|must (not )?be)\b"
)
ELSEWHERE = pattern(r"\b(?i:table|elsewhere|separate(ly)?|other model|see)\b|\b[Ii]n\s+`?[A-Z]")
FOR_A_TIME = pattern(
    rf"(?i)\b(for|after|within|until|lasts?|lives?)\s+(\w+\s+){{0,2}}?{_COUNT}\s+{UNIT}\b|\b{_COUNT}\s+{UNIT}\s+(after|later)\b"
)
# What changes as a whole.
ALL_OR_NONE = pattern(
    r"(?i)(?<!not )(?<!never )(?:\ball or (?:nothing|none)\b|\ball (?:of (?:them|these|those|its|his|her|the|their)\b|\w+)[^.;]{0,60}\bor (?:else )?none\b|\bor (?:else )?none (?:does|do|is|are)\b)"
)
# What is filled in or read as one.
TOGETHER = pattern(
    r"(?i)\b(?:shows?|reads?|displays?|needs?|loads?|writes?|sends?|prints?|fills? in|filled in) (?:\w+ ){0,2}(?:both|together)\b|\b(?:from|in|by|with|on) (?:the same|one|a single) (?:form|message|request|page|screen|dialog)\b"
)
# That families live for different times by intent.
_LIFETIME = r"(?:lifetimes?|life\s+times?|life\s*spans?|ages?|retentions?|retention\s+(?:periods?|times?|rules?)|ttls?|gc\s+rules?|garbage[-\s]collection\s+(?:rules?|policy|policies)|time\s+to\s+live)"
OWN_LIFETIMES = pattern(
    rf"(?i)\b(?:each|every|the|all|both|its|two|three|four|five)\s+(?:\w+\s+)?famil(?:y|ies)\s+(?:each\s+)?(?:has|have|with|keeps?|follows?|gets?)\s+(?:(?:its|their|an?)\s+)?(?:own|different|separate)\s+{_LIFETIME}\b"
    rf"|\b(?:each|every|all|both)\s+(?:\w+\s+)?famil(?:y|ies)\s+(?:has|have|with|gets?)\s+(?:an?\s+)?{_LIFETIME}\s+of\s+(?:its|their)\s+own\b"
    rf"|(?<!no )\b{_LIFETIME}\s+(?:differs?|are\s+(?:different|separate)|is\s+(?:different|separate)|varies|vary)\s+(?:by|per|from|for\s+each|in\s+each|between)\s+(?:the\s+|each\s+)?famil(?:y|ies)\b"
    rf"|\bfamilies\s+(?:differ|are\s+divided|are\s+split)\s+(?:in|by)\s+(?:their\s+|the\s+)?{_LIFETIME}\b|\b(?:own|separate)\s+{_LIFETIME}\s+(?:per|for\s+(?:each|every))\s+family\b"
)
SHORT_LIVED = pattern(r"(?i)\b(ephemeral|temporary|temporarily|disappears?|vanish(es)?|expires?)\b")
# That each lasts until its end; and that this end is moved.
UNTIL_IT_ENDS = pattern(
    r"(?i)\b(ephemeral|temporary|temporarily|short-lived|disappears?|vanish(es)?|until (?:\w+ ){0,2}?(?:expires?|expired|expiry|expiration)|expires? (?:after|in|within|at)|(?:has|have|is|are) expired)\b"
)
RENEWED = pattern(r"(?i)\b(renew\w*|prolong\w*|remember\w*|archive\w*|kept|keeps?|histor(?:y|ies|ical))\b")
# What is promised, and that rows themselves go, and not their older versions.
_PROMISED = pattern(
    r"(?i)\b(?:promis\w*|guarant\w*|assur\w*|pledg\w*|terms of (?:use|service)|gdpr|data protection)\b"
)
_GOES = (
    r"(?:gone|deletes?|deleted|erases?|erased|removed?|removes|purged?|wiped|forgotten|destroyed|disappears?)"
)
_ROW_GOES = pattern(
    rf"(?i)\b(?:it|they|we|row|rows|entry|entries|record|records|\w*data)\b[^.;]{{0,40}}?\b{_GOES}\b"
)
_VERSIONS = pattern(r"(?i)\b(?:versions?|values?|states?|changes?|history|positions?|readings?|ones)\b")


def rows_go(model: ModelSchema, text: str) -> bool:
    """Whether the sentence in which ``text`` stands promises that whole rows go, and speaks of no versions of their values."""
    plain = " ".join(text.split())
    sentence = next((one for one in sentences(model.doc) if plain in " ".join(one.split())), "")
    called = re.escape(words(model.name)[-1].lower()) if words(model.name) else "row"
    itself = re.compile(
        rf"(?i)^(?:an?|the|each|every|all|its) (?:\w+ )?{called}s? (?:is|are|gets?|has to be|must be|shall be) {_GOES}\b"
    )
    said = _PROMISED.search(sentence) or _ROW_GOES.search(sentence) or itself.search(sentence)
    return said is not None and not _VERSIONS.search(sentence)


_FOR_SO_LONG = pattern(rf"(?i)\bfor\s+{_TIME}")


def longest_said(doc: str) -> timedelta | None:
    """The longest time for which something is, by a description; None where it says none."""
    said = (length_of(found[1]) for one in sentences(doc) for found in _FOR_SO_LONG.finditer(one))
    return max((length for length in said if length is not None), default=None)


def kept_for(model: ModelSchema) -> Lifetime | None:
    """What the description says of how long rows are kept, in a length of time; None where it says nothing of that."""
    return next((said for said in _of_rows_said(model) if said.bound is not Bound.EVER), None)


def needed_for(model: ModelSchema) -> timedelta | None:
    """For how long rows are kept at least, by the description; None where it says nothing of that, or only when they are to be gone."""
    said = kept_for(model)
    return said.length if said is not None and said.bound in (Bound.LEAST, Bound.ABOUT) else None


def kept_for_ever(model: ModelSchema) -> Lifetime | None:
    """What the description says of rows that are never deleted; None where it says nothing of that, or a time for which they are kept."""
    said = [*_of_rows_said(model)]
    if any(one.bound is not Bound.EVER for one in said):
        return None
    doc = " ".join(model.doc.split())
    return next((one for one in said if surely_ever(one, doc.partition(one.said)[2])), None)


def as_they_were(doc: str) -> str | None:
    """The words of a description that say that values are read as they were in the past; None without any, or where they are read elsewhere."""
    for sentence in sentences(doc):
        found = _AS_THEN.search(sentence)
        if found is None or IN_ANOTHER.search(sentence):
            continue
        before = sentence[: found.start()]
        if not denied(before) and not _UNCHANGED.search(before):
            return found[0]
    return None


_AT_MOST_SAID = pattern(r"(?i)\b(?:up to|at most)\b")


def in_full(said: str, length: timedelta, bound: Bound = Bound.LEAST) -> timedelta:
    """A time for which something is needed, with the leap days that its years may have; one that is not exceeded as it is."""
    years = length / timedelta(days=365)
    exact = bound in (Bound.ENDS, Bound.MOST) or _AT_MOST_SAID.search(said)
    if "year" not in said.lower() or years != int(years) or exact:
        return length
    return timedelta(days=ceil(365.25 * years))


def kept_alone(model: ModelSchema) -> list[Column]:
    """The columns that are the subject of :func:`kept_for`, by all words of their names, where others are not; none that is called as the row is."""
    said = kept_for(model)
    none = _NO_SUCH.match(said.said) if said else None
    spoken = _singulars(f"{said.subject} {none[1] if none else ''}") if said else set()
    spoken -= _singulars(words(model.name)[-1])
    found = [one for one in model.columns if spoken >= _singulars(one.name)]
    return found if len(found) < len(model.columns) else []


def _of_another(model: ModelSchema, noun: str) -> bool:
    """Whether what may not be there any more is neither the rows nor anything in them, as entries that have a table of their own."""
    held = {word for one in model.columns for word in _singulars(one.name)}
    return not timed(model) and not _of_rows(model, noun) and held.isdisjoint(_singulars(noun))


# What may not be there any more: "no click may be kept for longer".
_NO_SUCH = pattern(r"(?i)(?:no|none of the) ([\w -]+?) (?:may|must|can|should|shall|is|are)\b")


def _singulars(text: str) -> set[str]:
    return {singular(word) for word in words(text)}


def _of_the_table(model: ModelSchema, said: Lifetime) -> bool:
    """Whether the newest of a time are rows, or events of them, and not what a program writes into one cell of a row."""
    if timed(model) or any(column.eventful for column in model.columns):
        return True
    return re.search(rf"(?i)\b(?:{_own(model)}|tables?)\b", f"{said.subject} {said.said}") is not None


_BY_SOMEBODY = pattern(r"(?i)\bby (?!the (?:gc|table|rule|law|service|next)\b)(?:the|an?|our|their|hand)\b")


_HAS = pattern(r"(?i)\b(?:has|have|had)\s*(?:an?|the)?\s*$")


def _of_rows_said(model: ModelSchema) -> Iterator[Lifetime]:
    """What the description says of how long rows are kept; a retention without a name is that of rows, where there is one alone."""
    retentions = []
    for number, sentence in enumerate(sentences(model.doc)):
        for said in lifetimes(sentence):
            if said.need or by_others(sentence[said.end :]) or _BY_SOMEBODY.search(said.said):
                continue
            subject = subject_of(said.subject)
            if not said.noun and of_some(model, words_for_rows(model), sentence, said, subject):
                continue
            if (said.beat and not all_go(sentence)) or (said.window and not _of_the_table(model, said)):
                continue
            if said.noun and _HAS.search(said.subject) and not _of_rows(model, said.subject):
                continue  # the shelf life of another thing
            if said.noun:
                retentions.append((sentence, said))
            elif said.of_object:
                if _of_rows(model, said.subject):
                    yield said
            else:
                whole = subject == said.subject and "whose" not in subject and "of which" not in subject
                such = _NO_SUCH.match(said.said)
                none = said.said.lower().startswith(("none", "nothing", "no ")) and not (
                    such and _of_another(model, such[1])
                )
                if none or (not number and whole) or _of_rows(model, subject):
                    yield said
    if len(retentions) == 1 and not IN_ANOTHER.search(retentions[0][0]):
        yield retentions[0][1]


def subject_of(before: str) -> str:
    """The last clause in front of a verb, whose subject is that of the verb: a clause begins with a noun of its own behind one that has a verb."""
    begins = (found.end() for found in _ANOTHER.finditer(before))
    return before[max((at for at in begins if VERB.search(before[:at])), default=0) :]


def _own_words(model: ModelSchema) -> set[str]:
    """What rows are called, and what they hold of events: of a day of a tank, the row is the day."""
    names = [model.name, model.table, *(column.name for column in model.columns if column.eventful)]
    return {words(name)[-1].lower().removesuffix("s") for name in names if words(name)}


def words_for_rows(model: ModelSchema) -> Set[str]:
    """What rows are called, by any model and by this one, in the singular."""
    return _ROWS | _own_words(model)


def _of_rows(model: ModelSchema, subject: str) -> bool:
    """Whether the noun in front of a verb is a word for rows, or the name of the model; or is none, as in a note. "A reading's picture" is a picture, and so is "the picture of a reading"."""
    said = _ASIDE.sub(" ", subject).rpartition(": ")[2]  # behind a label, as "GDPR: "
    nouns = _nouns_of(said)
    if not nouns:
        return re.search(r"(?i)\b(?:its|their|his|her)\s", said) is None
    called = words_for_rows(model) | {*map(singular, caption(model.doc))}
    return bool({nouns[-1], nouns[-1].removesuffix("s")} & called)


_ASIDE = pattern(r"\([^)]*\)")


def _nouns_of(subject: str) -> list[str]:
    verb = VERB.search(subject)
    return (verb and _nouns(subject[: verb.start()])) or _nouns(subject)


def subject_nouns(before: str) -> list[str]:
    """The nouns of what a verb is about, by the words in front of it; the last is the thing itself."""
    return _nouns_of(_ASIDE.sub(" ", subject_of(before)))


def _nouns(text: str) -> list[str]:
    """The words of a subject without what stands around nouns, and without whose they are, or where."""
    spoken = (word.lower() for word in words(_BEHIND.sub(" ", f" {text} ")))
    return [
        word
        for word in spoken
        if word not in _AROUND and not (word.endswith("ly") and word not in _NO_ADVERBS)
    ]


# Nouns that end like adverbs.
_NO_ADVERBS = frozenset(words("family reply supply assembly anomaly monthly weekly daily assembly ally fly"))


# The clause that goes on with something else.
_NEXT = pattern(r",\s+(?:and|but|so|or|while)\s")


def asked_for(model: ModelSchema) -> tuple[str, timedelta] | None:
    """The words of a description that say for how long rows are asked for, and the longest such time; not those on other things."""
    found = filter(None, (_asked_in(model, sentence) for sentence in sentences(model.doc)))
    return max(found, key=lambda one: one[1], default=None)


def _asked_in(model: ModelSchema, sentence: str) -> tuple[str, timedelta] | None:
    looks = _LOOKS_BACK.search(sentence)
    thing = looks and (looks["thing"] or looks["aged"])
    of_rows = looks and (thing is None or _of_rows(model, thing))
    if looks and of_rows and not denied(sentence[: looks.start()]) and (back := length_of(looks[0])):
        return looks[0], back
    found = _ASKED.search(sentence)
    length = length_said(found[2], found[3]) if found else None
    if found is None or length is None or _BY_OTHERS.match(_NEXT.split(sentence[found.end() :])[0]):
        return None
    before = _OBJECT.search(found[1])
    # Any day is no thing, and any such thing is one of the rows.
    if before and (before[1].lower() in _ANY_TIME or _ANY_OF.search(found[1][: before.start()])):
        before = None
    thing = before[1] if before else found[4] or ""
    # Of the years of a field, if a row is of one, its rows are meant.
    keys = {word.lower() for part in model.key.fields for word in words(part.name)}
    if _of_rows(model, thing) or (not before and keys.intersection(_nouns(thing)[-1:])):
        return found[0], length
    return None


def goes_on(doc: str) -> tuple[str, timedelta] | None:
    """The words of a description that say how long something goes on that rests meanwhile, and the longest that this is."""
    text = " ".join(doc.split())
    if not _RESTS.search(text):
        return None
    found = ((each[0], length_said(each[1], each[2])) for each in _GOES_ON.finditer(text))
    known = [(said, length) for said, length in found if length is not None]
    return max(known, key=lambda each: each[1], default=None)


def lasts_for(model: ModelSchema, *, rewritten: bool) -> tuple[str, timedelta] | None:
    """The words that say how long what the rows are about is valid or needed, and that time; of rows that are ``rewritten`` meanwhile, or are copies, None."""
    if not model.doc or _COPY.search(model.doc):
        return None
    if (row := _row_itself(model)) is not None:
        return row
    described = sentences(model.doc)
    if not any(_SOME_TIME.search(sentence) for sentence in described):
        return None
    own = _own(model)
    named = re.compile(rf"(?i)^(?:(?:an?|the|one|each|every|all|such|most)\s+){{0,2}}(?:\w+\s+)?(?:{own})\b")
    about = True  # whether "it" stands for a row
    said: list[tuple[str, timedelta]] = []
    for number, sentence in enumerate(described):
        titled = not number and (_CAPTION.match(sentence) or len(_THING.findall(sentence)) <= 1)
        subject = bool(titled or named.match(sentence) or (about and _IT.match(sentence)))
        led = about and _LED.match(sentence) is not None
        if rewritten and _renewed(model, sentence, own, first=not number, pronouns=about):
            return None
        for found in _lasting(sentence, own, first=not number, pronouns=subject or led):
            length = length_of(found[0])
            said += [(found[0].strip(" ,:").removeprefix("that "), length)] if length is not None else []
        about = subject or led
    # For how long somebody needs it counts, where it is valid for longer.
    needs = [one for one in said if _NEED.search(one[0])]
    return max(needs or said, key=lambda one: one[1], default=None)


def _renewed(model: ModelSchema, sentence: str, own: str, *, first: bool, pronouns: bool) -> bool:
    """Whether a sentence says that rows are written again, and not something else; ``pronouns`` may stand for them."""
    it = r"(?:it|they|them)\b|" if pronouns else ""
    thing = re.compile(rf"(?i)\s*(?:{it}(?:(?:an?|the|its|each|every|all)\s+)?(?:\w+\s+)?(?:{own})\b)")
    for found in _AGAIN.finditer(sentence):
        said = found[0].lower().split()
        verb, end = (
            (said[-1], found.end())
            if said[0] in ("each", "every")
            else (said[0], found.start() + len(said[0]))
        )
        before, after = sentence[: found.start()], sentence[end:]
        if verb in _WITHOUT_OBJECT:
            if any(thing.match(before + after, at.start()) for at in re.finditer(r"\b", before + after)):
                return True
            continue
        subject = subject_of(before)
        unclear = re.match(r"(?i)\s*(?:it|they)\b", subject) and not pronouns
        if (
            _WRITTEN.fullmatch(verb)
            and not unclear
            and ((first and subject == before) or _of_rows(model, subject))
        ):
            return True
        if thing.match(after) or (_WHEN.match(after) and not _WRITTEN.fullmatch(verb)):
            return True
    return False


def _row_itself(model: ModelSchema) -> tuple[str, timedelta] | None:
    """The words that say how long a row, and not what it is about, is needed, and that time."""
    for sentence in sentences(model.doc):
        for found in _OF_A_ROW.finditer(sentence):
            length = length_of(found[0])
            if length is not None:
                return found[0].strip(" ,:"), length
    return None


def _own(model: ModelSchema) -> str:
    """A pattern of what rows are called: as their model and their table, or as rows."""
    names = {words(name)[-1].lower() for name in (model.name, model.table) if words(name)}
    return "|".join(
        rf"{re.escape(name.removesuffix('s'))}s?" for name in sorted(names | {"row", "record", "entry"})
    )


def _lasting(sentence: str, own: str, *, first: bool, pronouns: bool) -> Iterator[re.Match[str]]:
    """The words of a sentence that say how long rows last, or somebody reads them; ``pronouns`` may stand for them."""
    article = r"(?:(?:an?|the|each|every|one|most|all|our)\s+)?"
    thing = rf"{article}(?:\w+\s+)?(?:{own}),?\s+(?:(?:that|which)\s+)?"
    yield from re.finditer(rf"(?i){_CLAUSE}{thing}(?:{_LASTS})", sentence)
    if first:  # a caption begins with the name of what it is of
        yield from re.finditer(rf"(?i){_HEAD}(?:,?\s+(?:that|which)|,)\s+(?:{_LASTS})", sentence)
    ends = r"(?:(?:is|are)\s+(?:no\s+longer\s+(?:valid|good|usable)|void|invalid|worthless|useless|over)|lapses?|dies?|ends?)"
    yield from re.finditer(rf"(?i)^after\s+{_TIME},?\s+(?:{article}(?:{own})|it|they)\s+{ends}", sentence)
    yield from re.finditer("(?i)" + _READS.replace("THING", rf"(?:an?|the|each|every)\s+(?:{own})"), sentence)
    for each in (rf"(?:{_CLAUSE}(?:it|they)\s+|^)(?:{_LASTS})", _READS.replace("THING", "it|them")):
        for found in re.finditer(rf"(?i){each}", sentence) if pronouns else ():
            if not _others(sentence[: found.start()], own):
                yield found


def _others(before: str, own: str) -> bool:
    """Whether a pronoun may stand for another thing that is named in front of it, and reads nothing."""
    return any(not re.fullmatch(rf"(?i){own}|{UNIT}", each) for each in _THING.findall(_LED.sub(" ", before)))


def past_of(model: ModelSchema) -> timedelta | None:
    """The longest time in the past of which the description says something, as "the last two years", "six years back" and "kept for six years"; None without one."""
    kept = kept_for(model)
    return max(filter(None, (past_in(" ".join(model.doc.split())), kept and kept.length)), default=None)


def past_in(text: str) -> timedelta | None:
    """The longest time in the past of which a text says something, without what is kept; None without one."""
    texts = ([text for text in groups if text] for groups in BACK.findall(text))
    found = (length_said(*(each if len(each) > 1 else ("", *each))) for each in texts)
    return max(filter(None, found), default=None)


def by_others(behind: str) -> bool:
    """Whether the words behind what is said of a thing name another place for it, or who does it."""
    return _BY_OTHERS.match(behind) is not None


# What says that old items are wanted as long as there is a row.
_KEPT_LONG = pattern(
    r"(?i)\b(?:for|over|during|throughout|of|in) (?:the|its|his|her|their|a)(?: \w+)? (?:life|lifetime|lives)\b|\bfor (?:life|good|ever|all time)\b|\bforever\b|"
    r"\b(?:never|not|none|nothing)(?: \w+){0,3} (?:deleted|removed|dropped|purged|erased|trimmed|pruned|forgotten|thrown away)\b|\bas long as\b|\bby law\b|"
    r"\b(?:indefinitely|in perpetuity|permanently|permanent|life-?long)\b"
)
_FOR_SOME = pattern(
    rf"(?i)\b(?:for|over|within|lasts?|lives?|after)\s+(?:\w+\s+){{0,2}}?([a-z]+|[0-9]+)\s+({UNIT})\b"
)


def kept_said(doc: str) -> bool:
    """Whether a description says that what is old is wanted, too."""
    return _KEPT_LONG.search(doc) is not None


def times_said(doc: str) -> list[timedelta]:
    """For how long something is kept, lasts or is looked at, by the description."""
    lengths = (length_said(*groups) for groups in _FOR_SOME.findall(" ".join(doc.split())))
    return [length for length in lengths if length is not None]
