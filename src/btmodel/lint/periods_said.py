"""Over what time figures are wanted together, by what descriptions say of bills, reports and comparisons."""

from collections.abc import Iterator
from datetime import timedelta

from btmodel.design.hints import length_said, sentences
from btmodel.design.time_adverbs import UNITS_OF, either
from btmodel.lint.descriptions import BACK, ELSEWHERE, IN_ANOTHER
from btmodel.on_demand import pattern

# A season is longer than the quarter that it may be, and no length of time.
_PERIODS = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 365}
_ADJECTIVES = {word: unit for word, unit in UNITS_OF.items() if unit in _PERIODS}
_PAPERS = (
    r"(?:bills?|billing|invoices?|invoicing|reports?|reporting|reviews?|statements?|settlements?|comparisons?|audits?|accounts?|accounting|returns?|summar(?:y|ies)|figures|charts?|overviews?|"
    r"balances?|budgets?|sums?|totals?|curves?|fees?|charges?|plans?|planning)"
)
_PERIOD = "|".join(_PERIODS)
_TOGETHER = (
    pattern(rf"(?i)\b(?P<adjective>{either(_ADJECTIVES)}) (?:\w+ )?{_PAPERS}\b"),
    pattern(
        rf"(?i)\b(?:billed|bill|charged|paid|settled|invoiced|reported|reviewed|compared|audited|added up|summed up|shown|drawn)(?: \w+){{0,3}}? (?:by the|once an?|every|each|per|over an?|over the|for a whole) (?P<unit>{_PERIOD})\b"
    ),
    pattern(
        rf"(?i)\b(?:last|previous|past) (?P<unit>{_PERIOD})(?:'s)?\b|\b(?:an?|one) (?P<ago>{_PERIOD}) (?:ago|back|earlier|before)\b|\b(?P<over>{_PERIOD})[- ](?:over|on|to|by)[- ](?P=over)\b|\bwhole (?P<whole>{_PERIOD})\b"
    ),
)


def periods_said(doc: str) -> Iterator[tuple[str, timedelta]]:
    """The words of a description that say over what time figures are wanted together, as "for the yearly bill" and "compared with last year", and that time; not where they are read elsewhere."""
    for sentence in sentences(doc):
        if ELSEWHERE.search(sentence) or IN_ANOTHER.search(sentence):
            continue
        for found in (found for each in _TOGETHER for found in each.finditer(sentence)):
            named = {name: text.lower() for name, text in found.groupdict().items() if text}
            adjective = named.pop("adjective", "")
            period = _ADJECTIVES[adjective] if adjective else next(iter(named.values()))
            yield found[0], timedelta(days=_PERIODS[period])
        for found in BACK.finditer(sentence):
            texts = [text for text in found.groups() if text]
            length = length_said(*(texts if len(texts) > 1 else ("", *texts)))
            if length is not None:
                yield found[0], length
