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
    forms = [*_forms_of(part)]
    is_key = _is_key(model, part)
    for sentence in sentences(model.doc):
        if _HIDDEN.search(sentence):
            continue
        for form in (*forms, *(_OF_THE_KEY if is_key else ())):
            for found in form.finditer(sentence):
                for phrase in _phrases(found["phrase"]):
                    if _A_CLAUSE.match(phrase) or (
                        form in _OF_THE_KEY and _names_another(model, part, phrase)
                    ):
                        continue
                    called = _compound(phrase)
                    word = None if called in _ADDRESS else personal(called)
                    if word is not None and may_tell(part, word) and not _name_of_a_thing(phrase, word):
                        return phrase
    return None


# Which name of a person it is.
_OF_A_NAME = frozenset(words("full first last family given middle legal maiden birth real own"))


def _name_of_a_thing(phrase: str, word: str) -> bool:
    """Whether a phrase speaks of the name of what is no person, as "the full name of the table"."""
    owners = [one for one in _compound(phrase).split("_")[:-1] if one not in _OF_A_NAME]
    return word.endswith("name") and bool(owners) and personal(f"{owners[-1]}_name") is None


# What says what something is, behind its name: verbs, and the signs of notes.
_IS = (
    r"(?: ?[:=] ?| (?:(?:is|are)\s+(?:taken|copied|read|filled)\s+from|(?:is|are)\s+(?:just|simply|always|nothing\s+but|what\s+we\s+call)|is|are|be|being|holds?|contains?|stores?|carr(?:y|ies)|"
    r"equals?|means|denotes|stands\s+for|comes?\s+from),? |, being | ?\((?:i\.e\.,? |= ?)?|,? i\.e\.,? )"
)
_STANDS = (
    r"(?:stands?|goes|go|we\s+(?:use|store|keep|put|take)|(?:is|are)\s+(?:kept|stored|put|written|used))"
)
_SERVES = r"(?:serves?\s+as|acts?\s+as|(?:is|are)\s+(?:used\s+as|taken\s+as|our|the)|makes?\s+up|forms?|becomes?|as)"
_KEY = r"(?:row[\s-]?)?key"
_PHRASE = rf"(?P<phrase>(?:{_WHOSE} )?[^\W\d_].*)"
_ROWS = r"(?:rows?|records?|entry|entries)"
# A message and a device are called so, too: "one row per e-mail".
_SENT = r"(?:e-?mails?|mails?|phones?|telephones?|mobiles?|cells?)\s*(?:$|[.,;:]|(?:that|which|of|in|on)\b)"
# What says so of the key as a whole, which then is the one field that can hold it.
_OF_THE_KEY = tuple(
    re.compile(f"(?i){each}")
    for each in (
        rf"\bkeyed (?:by|on|with|under) {_PHRASE}",
        rf"^(?:(?:(?:the|all|our|its|each|every) )?(?:{_ROWS}|it|they) (?:is|are) )?(?:(?:found|addressed|identified|indexed) (?:by|under|on)|(?:stored|filed|kept) under) {_PHRASE}",
        rf"(?:^|\b(?:the|our|its|a) ){_KEY}(?: ?[:=] ?| (?:is|holds|contains|consists of|is made of|is made up of|starts with|begins with) ){_PHRASE}",
        rf"\b(?:one|an?|each|every) {_ROWS}(?: (?:is|stands|exists|belongs|there is))? (?:per|for (?:each|every|an?|one)|to (?:an?|one|each)) (?!{_SENT}){_PHRASE}",
        rf"\bwe (?:key|index) (?:it |them |rows )?(?:on|by|under) {_PHRASE}",
        rf"\bwe use (?P<phrase>(?:{_WHOSE} )?[^\W\d_][^,;:]*?) as (?:the |our |a )?{_KEY}\b",
        rf"^(?P<phrase>(?:{_WHOSE} )?[^\W\d_][^,;:]*?) {_SERVES} (?:the )?{_KEY}(?=$|[.,;:]|\s+(?:here|of\s+(?:the|this)\s+table))",
    )
)
# A clause, of which the nouns say nothing: "whatever the mail is about".
_A_CLAUSE = pattern(rf"(?i)^(?:what|whatever|who|how|whether|when|where|which)\s+{_WHOSE}\b")
# Names of what is made, and is no number that somebody has.
_MADE = frozenset(words("id uuid guid hash digest token hmac key"))


def _forms_of(part: KeyField) -> Iterator[re.Pattern[str]]:
    """The patterns of sentences that say what a field is, by its name."""
    plain = "[ _]".join(map(re.escape, part.name.split("_")))
    name = rf"(?:{_WHOSE} )?`?{plain}`?"
    many = rf"{plain}s" if len(plain) > 2 else plain
    yield re.compile(rf"(?i)(?:^|[\s(])(?:{name}|{many}){_IS}{_PHRASE}")
    yield re.compile(rf"(?i)(?:^|[\s(]){name}, (?P<phrase>{_WHOSE} [^,;:]+), (?:is|are|comes?|stands?|has)\b")
    yield re.compile(rf"(?i)\b(?:in|as|under) {name},? {_STANDS} {_PHRASE}")
    yield re.compile(
        rf"(?i)^(?P<phrase>(?:{_WHOSE} )?[^\W\d_][^,;:]*?) {_SERVES} (?:the |our )?`?{plain}`?(?=$|[.,;:])"
    )


def _is_key(model: ModelSchema, part: KeyField) -> bool:
    """Whether the field alone can hold what the key is said to be: a text or a number, which is called after nothing that is made."""
    able = [
        one
        for one in model.key.asked
        if one.codec.python_type in (str, int)
        and one.codec.kind is not Kind.TIME
        and not one.sequential
        and one.derived is None
        and _MADE.isdisjoint(word.lower() for word in words(one.name)[-1:])
    ]
    return able == [part]


def _names_another(model: ModelSchema, part: KeyField, phrase: str) -> bool:
    """Whether a phrase is the name of another attribute, of which it then speaks."""
    spoken = _compound(phrase)
    called = [*(column.name for column in model.columns), *(one.name for one in model.key.fields)]
    return any(
        name != part.name and {*_compound(name.replace("_", " ")).split("_")} <= {*spoken.split("_")}
        for name in called
    )


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
