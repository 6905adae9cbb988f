"""What a description says that a key field is, where that identifies a person: "`insured` is the number on the health insurance card"."""

import re
from collections.abc import Iterator

from btmodel.codecs.key import Kind
from btmodel.design.hints import may_tell, sentences
from btmodel.design.personal_names import personal
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import words

# What people log in with, by its name: an e-mail address, or a name that somebody has invented.
_LOGINS = frozenset(words("login logon user username userid account contact member"))
_MAIL_SAID = r"(e-?mails?(?: address(?:es)?)?|(?:mobile |tele)?phone numbers?|(?:mobile|passport) numbers?)"
_SAID_OF_PEOPLE = pattern(rf"(?i)\b{_MAIL_SAID}")
# What is said to be made of a value says nothing of a person.
_HIDDEN = pattern(
    r"(?i)\b(?:hash\w*|digests?|hmac|tokens?|tokeni[sz]ed|pseudonym\w*|anonym\w*|encrypt\w*|fingerprint\w*|salted|internal|random|surrogate|opaque|synthetic|"
    r"mask\w*|not|never|no|instead|made from|derived|only the (?:first|last))\b"
)
# A mere one may be that of a machine.
_ADDRESS = ("address", "addresses")
_WHOSE = r"(?:the|an?|his|her|their|our|its|each|every|one|somebody's|someone's)"
_PHRASE_ENDS = re.compile(
    r"(?i)[,.;:()]|\s-+\s|\b(?:that|which|who|and|or|as|when|where|if|so|by|in|with|is|are|was|for)\b"
)
_OF = re.compile(r"(?i)\b(?:of|on|from)\b")


def described_personal(model: ModelSchema, part: KeyField) -> str | None:
    """What the description says that a field holds, as an e-mail address or the number of a passport; None where it says nothing of it."""
    if not part.asked or not model.doc:
        return None
    return _mail_said(model, part) or _thing_said(model, part)


def _mail_said(model: ModelSchema, part: KeyField) -> str | None:
    """The words of how somebody is reached, or logs in."""
    if part.codec.python_type is not str or b"@"[0] not in part.codec.alphabet:
        return None
    if not _SAID_OF_PEOPLE.search(model.doc):
        return None
    own = words(part.name)[-1].lower()
    name = rf"`?(?:{re.escape(part.name)}|{re.escape(own)})`?"
    said = [
        rf"\b(?:an?|the|each|every|our|their) {name} is (?:the|an?|his|her|their|its|somebody's) (?:\w+ )?{_MAIL_SAID}",
        rf"\b{_MAIL_SAID},? (?:which|that) is (?:the |their |a )?{name}(?!\w)",
    ]
    if own in _LOGINS:
        said.append(
            rf"\b(?:logs?|signs?) (?:in|on) (?:with|by) (?:an?|the|their|his|her)? ?(?:own )?{_MAIL_SAID}"
        )
    found = (re.search(rf"(?i){one}", " ".join(model.doc.split())) for one in said)
    return next((one[1] for one in found if one), None)


def _thing_said(model: ModelSchema, part: KeyField) -> str | None:
    """The words of a sentence that says what the field is, if a field that is called so identifies a person."""
    if part.codec.kind is Kind.TIME:
        return None
    name = "[ _]".join(map(re.escape, part.name.split("_")))
    said = re.compile(
        rf"(?i)(?:^|[\s(])(?:{_WHOSE} )?`?{name}`? ?(?:is|are|holds|contains|:|=) ?((?:{_WHOSE} )?.+)"
    )
    for sentence in sentences(model.doc):
        found = said.search(sentence)
        if found is None or _HIDDEN.search(sentence):
            continue
        for phrase in _phrases(found[1]):
            called = _compound(phrase)
            word = None if called in _ADDRESS else personal(called)
            if word is not None and may_tell(part, word):
                return phrase
    return None


# What stands between commas says once more what the thing is: "what we were given at the desk, a mobile number".
_AGAIN = re.compile(
    r"(?i),\s+(?:(?:mostly|usually|normally|typically|often|i\.e\.|that is|namely|as a rule),?\s+)?((?:an?|the|his|her|their) .+)"
)


def _phrases(said: str) -> Iterator[str]:
    """What a field is, by what stands behind "is": its first phrase, and one that says the same in other words."""
    first = _PHRASE_ENDS.split(said)[0].strip()
    yield first
    if re.match(r"(?i)(?:what|whatever|how)\b", said) and (again := _AGAIN.search(said)):
        yield _PHRASE_ENDS.split(again[1])[0].strip()


def _compound(phrase: str) -> str:
    """A phrase as the name that it would be: ``health insurance card number`` of "the number on the patient's health insurance card"."""
    head, *owners = (_nouns(text) for text in _OF.split(phrase))
    return "_".join([*owners[0], *head] if owners else head)


def _nouns(text: str) -> list[str]:
    plain = re.sub(r"['\u2019]s?\b", "", re.sub(r"(?i)\be-?mails?\b", "email", text))
    return [word for word in re.findall(r"[a-z]+", plain.lower()) if not re.fullmatch(_WHOSE, word)]
