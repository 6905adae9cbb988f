"""What descriptions say of numbers and ids that climb: that they are given in order, begin with a time, or look like one that is counted up."""

import re

from btmodel.design.hints import sentences
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

# What descriptions say of numbers that come in no order.
NO_ORDER = pattern(
    r"(?i)\b(?:random(?:ly)?|drawn(?! from)|shuffled|scrambled|unguessable|(?:no|any) (?:particular )?order|not (?:\w+ ){0,2}in (?:order|sequence)|reversed|hash(?:ed)?|blocks of)\b"
)
# A number with zeros on its left behind letters, and perhaps a year: what hands it out counts up, as drawn numbers seldom begin so.
_ZEROS = pattern(r"(?<![\w/-])[\"'`]?[A-Za-z]{1,6}[-_/. ]?(?:[0-9]{2,4}[-_/. ])?0[0-9]{4,}[\"'`]?(?![\w/-])")
_NUMBER_SAID = pattern(r"(?i)\b(?:numbers?|numbered|ids?|such as|like)\b")


def sample_counts_up(doc: str) -> bool:
    """Whether a description gives a number that is counted up, such as `R26-000471`."""
    if not _ZEROS.search(doc):
        return False
    return any(_ZEROS.search(one) and _NUMBER_SAID.search(one) for one in sentences(doc))


# What descriptions say of ids that begin with a time, and of numbers that are given in order.
_TIME_ORDERED = pattern(
    r"(?i)\b(uuid ?v ?[167]|uuids? of version [167]|version [167] uuids?|ulids?|ksuids?|object ?ids?|snowflakes?|time-ordered)\b"
    r"|\b(?:ids?|identifiers?|numbers?)\b[^.;]{0,60}\b(?:begins?|starts?) with (?:the|a|an|its|their) (?:\w+ )?(?:time|timestamp|moment|date|day|hour|(?:milli|micro)?second)s?\b"
)
# Where a number comes from that is counted up.
_COUNTER = r"(?:comes?|came|taken|drawn|given|assigned|issued|generated) (?:from|by|out of) (?:an?|the|our|its|one) (?:[\w']+ ){0,3}?(?:sequence|counter)|auto[-_ ]?increment(?:ed|s|ing)?"
_IN_ORDER = pattern(
    rf"(?i)\b({_COUNTER}|one after (the other|another)|consecutive(ly)?|sequential(ly)?|in sequence|monotonic(ally)?|"
    r"(?:hands?|handed|gives?|given|assigns?|assigned|issues?|gets?|takes?)(?: out)? the next (?:\w+ ){0,2}(?:number|id)|numbers? [^.;]{0,30}\bone by one|"
    r"without gaps|counted up|counts [^.;]{0,30}\bup|counts? up|running numbers?|number(s|ed) [^.;]{0,30}\b(as|when|in the order))\b"
)


# What is said so of numbers alone, also where they are written as text: other phrases speak of anything that happens in order.
_NUMBERS_IN_ORDER = pattern(
    rf"(?i)\b(?:{_COUNTER}|"
    r"(?:hands?|handed|gives?|given|assigns?|assigned|issues?|issued|gets?|takes?|draws?|drawn|uses?|prints?)(?: out)? the next (?:\w+ ){0,2}(?:number|id)|"
    r"(?:consecutive|running|sequential|successive|ascending) (?:\w+ )?numbers?|"
    r"(?:numbers?|numbered) (?:(?:are|is|that are|which are) )?(?:(?:given|issued|assigned|drawn) )?(?:without gaps|one after (?:the other|another)|consecutively|sequentially|in sequence)|"
    r"numbers? (?:\w+ ){0,3}(?:counts?|counted) up)\b"
)
_NUMBER_WORDS = frozenset(words("no nr num number numbers nos id"))


def said_in_order(model: ModelSchema, part: KeyField) -> bool:
    """Whether the description of the model says of the values of ``part``, and of nothing else, that they climb."""
    return any(
        not _of_another(model, part, sentence, found)
        for text in _said_of(part)
        for sentence in sentences(model.doc)
        for found in text.finditer(sentence)
    )


def _said_of(part: KeyField) -> tuple[re.Pattern[str], ...]:
    """What says that ids of this type climb: numbers may be given in order, and also those that are written as text, if that is what they are called."""
    if part.codec.python_type is int:
        return _TIME_ORDERED, _IN_ORDER
    numbered = part.codec.python_type is str and words(part.name)[-1].lower() in _NUMBER_WORDS
    return (_TIME_ORDERED, _NUMBERS_IN_ORDER) if numbered else (_TIME_ORDERED,)


# Words that say nothing of what an id is of.
_OF_ANY = frozenset(
    words(
        "id ids identifier number numbers no nr key uuid row record entry a an the its their his her our your this that these those each every all any such some one both most "
        "next free unused available running last first highest consecutive successive ascending sequential new old own public private internal external unique global long short numeric generated time and or but so is are as of by with under in for to"
    )
)
_ID = r"(?:ids?|identifiers?|numbers?|keys?|uuids?)"
_ID_OF = pattern(
    rf"(?i)\b{_ID}\s+of\s+(?:(?:an?|the|each|every|all|its|their|one)\s+)?(?:\w+\s+(?={_ID}\b))?([a-z]\w+)|\b([a-z]\w*?)(?:'s|s')?[\s-]+(?!numbers\s+(?:the\s+)?\w+s\b){_ID}\b"
)
# What something has, or is.
_HAS = pattern(
    r"(?i)\b([a-z]\w+)`?\s+(?:has|have|carry|carries|gets?|bears?|holds?|is|are|come|comes|with|by|under)\b[^.;]*$"
)
_PART = pattern(r"[;:]\s+|,\s+(?:and|but|while|whose)\s+|\s+(?:while|whereas|whose|but)\s+")


def _of_another(model: ModelSchema, part: KeyField, sentence: str, found: re.Match[str]) -> bool:
    """Whether a sentence says of other ids than those of ``part`` that they climb: of a column, or of what neither the key nor the rows are called."""
    begin = max((cut.end() for cut in _PART.finditer(sentence, 0, found.start())), default=0)
    front, said = sentence[begin : found.start()], sentence[begin : found.end()]
    own = {*_stems(model.name), *_stems(model.table), *_stems(part.name)} - _OF_ANY
    others = {word for column in model.columns for word in _stems(column.name)} - own - _OF_ANY
    of_id = [each[1] or each[2] for each in _ID_OF.finditer(said)]
    named = [word for each in of_id for word in _stems(each) if word not in _OF_ANY]
    if not named and own.isdisjoint(_stems(said)):
        if (has := _HAS.search(front)) is not None:
            named = [word for word in _stems(has[1]) if word not in _OF_ANY]
        else:  # who gives the ids may stand there
            named = [word for text in front.split()[-1:] for word in _stems(text) if word in others]
    if not named or not own.isdisjoint(named):
        return False
    # A key that is called `id` may be that of anything but of a column.
    return not others.isdisjoint(named) or not _OF_ANY.issuperset(_stems(part.name))


def _stems(text: str) -> list[str]:
    """The words of a text, in small letters, without the letter of their plural."""
    return [word.lower().removesuffix("s") if len(word) > 3 else word.lower() for word in words(text)]
