"""Times that begin with something that happens long after the writing, such as the end of a contract: no age of a cell counts from then."""

from btmodel.design.attribute_words import caption, singular
from btmodel.design.hints import sentences
from btmodel.lint.sentence_parts import WRITING
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema
from btmodel.words import words

_EVENT = pattern(r"(?i)^\s*(?:after|from|past|beyond|following)\s+([^.;,:()]*)")
_WORD = pattern(r"[\w'-]+")
# "They end, but are kept for another year": a time that goes on where the one before has ended.
_GOES_ON = pattern(r"(?i)\b(?:another|further)\b")
_ENDED = pattern(
    r"(?i)\b(?:ends?|ended|expir\w+|closes?|closed|closing|over|gone|left|leaves?|lapses?|finish\w*|completes?|completed|completion)\b"
)
_DETERMINERS = frozenset(words("the a an its their his her our each every any this that these"))
# What counts from the writing: it itself, and what is said of it.
_WRITTEN = frozenset(WRITING.split("|")) | frozenset(
    words(
        "then which there now today date creation writing write receipt entry issue issuance upload ingestion ingest recording measurement capture collection arrival insertion "
        "registration posting submission sending storage given came arrived happened occurred done"
    )
)
_ROW = frozenset(
    words("row record entry event it they time timestamp day one transaction purchase sale order booking")
)
_AUXILIARY = frozenset(words("is are was were has have had been gets get"))
# So many words of a clause say when it is.
_FAR = 6


def from_later(model: ModelSchema, said: str) -> bool:
    """Whether the time of what is ``said`` begins with something that happens after the writing, by the description of a model."""
    text = " ".join(model.doc.split())
    before, found, behind = text.partition(said)
    if not found:
        return False
    event = _EVENT.match(behind)
    if event is None:
        sentence = before.rpartition(". ")[2]
        return _GOES_ON.search(said) is not None and _ENDED.search(sentence) is not None
    return _later(model, [word.lower() for word in _WORD.findall(event[1])][:_FAR])


def _first(doc: str) -> list[str]:
    """The words of the first sentence, which says how a row came about."""
    return [word.lower() for word in _WORD.findall(next(iter(sentences(doc)), ""))]


def _later(model: ModelSchema, spoken: list[str]) -> bool:
    """Whether these words name something else than the row, or tell what becomes of it."""
    while spoken and spoken[0] in _DETERMINERS:
        spoken = spoken[1:]
    if not spoken or not _WRITTEN.isdisjoint(spoken):
        return False
    if spoken[0] in ("last", "final"):
        return True
    names = (model.name, model.table, *(part.name for part in model.key.asked))
    own = {singular(word) for name in names for word in words(name)} | {*map(singular, caption(model.doc))}
    if any(done.startswith(spoken[0]) and done.endswith("ed") for done in _first(model.doc)):
        return False  # the scan of what was scanned
    at = next((at for at, word in enumerate(spoken) if singular(word) not in own and word not in _ROW), None)
    if at is None:
        return False  # the row, which is an event
    return at == 0 or spoken[at] in _AUXILIARY or spoken[at].endswith(("s", "ed"))
