"""Rows that a description says are read by their own id: "opens a claim by its id"."""

from btmodel.design.attribute_words import GENERIC, singular
from btmodel.design.hints import sentences
from btmodel.design.question_words import AROUND, ARTICLES, FAR, LONGEST, SHOWS, TOKEN, WHO
from btmodel.design.questions_said import Reader, key_serves
from btmodel.schema import ModelSchema
from btmodel.schema.model import remembered
from btmodel.words import words


@remembered
def found_by_own_id(model: ModelSchema) -> str | None:
    """The field of the key that is the id of a row, where the key serves it and the description says that a row is read by it, as in "opens a claim by its id"."""
    called = singular((words(model.name) or ["row"])[-1])  # a table of an instance may have any name
    ids = [part.name for part in model.key.asked if _is_id_of(part.name, called)]
    if len(ids) != 1 or not model.doc or not key_serves(model, ids):
        return None
    reader = Reader(model)
    return ids[0] if any(_by_own_id(reader, sentence, called) for sentence in sentences(model.doc)) else None


def _by_own_id(reader: Reader, sentence: str, called: str) -> bool:
    """Whether the sentence says that a row, which is ``called`` so, is read by its id: "opens a claim by its id", "looked up by the claim number"."""
    low = [token.strip("`").lower() for token in TOKEN.findall(sentence)]
    if reader.is_elsewhere(sentence):
        return False
    for at, word in enumerate(low):
        verb = next((place for place in reversed(range(at)) if low[place] in SHOWS), None)
        if word != "by" or verb is None or at - verb > FAR or reader.denied(low, verb):
            continue
        spoken = [one for one in low[verb + 1 : at] if one not in AROUND]
        subject = any(reader.is_thing(one) or one in WHO for one in low[max(0, verb - 4) : verb])
        if any(not reader.is_thing(one) for one in spoken) or not (spoken or subject):
            continue
        after = [one for one in low[at + 1 : at + 1 + LONGEST] if one not in ARTICLES]
        if after[:1] and (after[0] in GENERIC or (singular(after[0]) == called and {*after[1:2]} & GENERIC)):
            return True
    return False


def _is_id_of(name: str, called: str) -> bool:
    parts = [word.lower() for word in words(name)]
    return parts[-1] in GENERIC and [singular(part) for part in parts[:-1]] in ([], [called])
