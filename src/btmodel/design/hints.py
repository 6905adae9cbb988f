"""What names and descriptions say without a declaration: personal data, values that change, and what happens again and again.

A name is a hint: what it says is warned of, never refused, and the author may declare otherwise.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Boolean, EnumText
from btmodel.design.personal_names import MAIL, PEOPLE, PERSONAL, SHORT_NUMBERS
from btmodel.on_demand import pattern
from btmodel.schema import KeyField, ModelSchema
from btmodel.words import quoted, words

# The parts of a length of time in a description, such as "two years": one of these words, or a number, and a unit.
UNIT = r"(?:second|minute|hour|day|week|month|quarter|year)s?"
NUMBERS = {
    word: number
    for number, word in enumerate(
        words(
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
        ),
        1,
    )
}
NUMBERS |= {
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
    "dozens": 24,
    "hundreds": 200,
    "a": 1,
    "an": 1,
}
_LENGTHS = {
    "millisecond": timedelta(milliseconds=1),
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "month": timedelta(days=31),
    "quarter": timedelta(days=92),
    "year": timedelta(days=365),
}
# What an age may be that a sentence says: a GC rule has 1 ms at least and 10,000 years at most, and a fix adds leap days and room.
_SHORTEST, _LONGEST = timedelta(milliseconds=1), timedelta(days=5_000 * 365)
_MOST_DIGITS = 15
# A number in digits, of which no part is one: neither "5 days" of "1.5 days", nor "3 days" of "-3 days".
DIGITS = r"(?<![0-9][.,])(?<!\W[-\N{MINUS SIGN}])\d[\d,]*"

# What happens again and again, so that there is always one more.
_HAPPENING = frozenset(
    words(
        "alarm alert bet bid bill block booking bookmark call charge check claim click comment commit completion delivery deposit "
        "document download entry event fan file fill follower friend impression interaction invoice job like "
        "listen listener log lookup match measurement message mint move note notification observation order participant "
        "payment photo play post posting purchase reader reading receipt recipient reference referral refund repost request "
        "reservation result revision review ride sale scan search session share shipment signup spend subscriber swap task ticket trade "
        "transaction transfer trip update upload view viewer visit visitor vote watch watcher withdrawal"
    )
)
# What has happened, of words that form it otherwise.
_DONE = frozenset(words("seen read bought sold sent paid won lost met heard sung"))
# Numbers that count what is written.
_CLIMBING = frozenset(
    words(
        "height offset revision seq seqno seqnum sequence lsn scn csn txid xid txn rowid autoincrement version round slot "
        "block ledger tick checkpoint generation ordinal epoch counter serial cursor watermark commit"
    )
)
_NUMBER = frozenset(words("no nr num number index idx id count counter position serial"))
# What is written down once and gets the next number then, papers and cases, of which a bare number is that one; and other things, whose number it is where they say so.
_PAPERS = frozenset(
    words(
        "accession admission application audit awb ballot bol bug case certificate cheque citation claim complaint deed docket encounter endorsement "
        "enrolment enrollment folio incident invoice manifest passage payslip permit petition po prescription quotation receipt rma rx statement summons tender "
        "ticket timesheet trx txn voucher waybill"
    )
)
_FILED = _PAPERS | frozenset(
    words(
        "auction batch bl booking build change chg cn consignment contract coupon declaration deploy deployment dispatch dn doc donation exam exec exposure file "
        "fine frame game inspection inv issue lading lead loss lot msg note ord order outage packet pallet parcel pick pledge pr proposal pulse quote record "
        "registration res return round run sample sheet shot slip so specimen spin sr study thesis trouble tt tx wave wo"
    )
)
_IN_SEQUENCE = frozenset(words("seq seqno sequence lsn scn"))
# Of these, the number is mostly that of somebody, or of what somebody else has made.
_NOT_FILED = frozenset(
    words(
        "fan follower friend listener participant reader recipient subscriber viewer visitor watcher reference share photo like view item number con token serial"
    )
)
# What has its number for long, and rows that are written anew.
_KEPT = frozenset(
    words(
        "account customer cust client member employee emp staff badge student pupil matric patient policy loan vendor supplier driver user "
        "meter device sensor machine vehicle fleet tail chip card phone mobile msisdn imei sim line part model article material product sku catalog catalogue cas drug din "
        "container wagon coach bus flight train route trip stop station platform room seat house building floor flat unit plot plant store shop branch terminal till pos locker "
        "tank well bridge pole pump tower panel camera kiosk berth valve lane gate chapter page hymn licence license mrn passport tax company"
    )
)
_SHORT_NUMBERS = SHORT_NUMBERS | frozenset(words("number seq seqno"))


def happening(name: str) -> bool:
    """Whether a name is that of things of which there is always one more, as ``orders`` and ``watched``."""
    parts = [word.lower() for word in words(name)]
    return any(_one(word) in _HAPPENING for word in parts) or (bool(parts) and _done(parts[-1]))


# What holds all that has happened, by the last word of a name.
_GATHERED = frozenset(
    words(
        "history histories log logs journal trail timeline feed activity activities thread tracking telemetry samples movements positions statements correspondence "
        "transcript replies logins prescriptions absences filings decisions submissions timesheets attendance route points waypoints incidents edits "
        "amendments episodes encounters treatments refills repairs inspections findings complaints warnings penalties fines snapshots pings traces"
    )
)
# Of so many, or those of a short time, there are no more.
_SOME_OF = frozenset(words("last latest recent newest top best first max maximum next"))


def gathering(name: str) -> bool:
    """Whether a name is that of things of which a row has ever more: of what is :func:`happening`, or of all that has, as ``status_history``; the last ten are no more than ten."""
    parts = [word.lower() for word in words(name)]
    if not parts or (len(parts) > 1 and parts[0] in _SOME_OF):
        return False
    return happening(name) or parts[-1] in _GATHERED or (len(parts) > 1 and _done(parts[0]))


def counted_up(name: str) -> bool:
    """Whether a name is that of a number that is counted up, as ``height``, ``seq_no`` and ``order_number``."""
    parts = [word.lower() for word in words(name) if not word.isdigit()]
    if not parts:
        return False
    before = _one(parts[-2]) if len(parts) > 1 else ""
    if parts[-1] in _NUMBER and before in (_CLIMBING | _HAPPENING | _PAPERS) - {"serial"}:
        return True
    if called_filed_number(name):
        return True
    return parts[-1] in _CLIMBING and not (parts[-1] == "serial" and len(parts) == 1)


def called_filed_number(name: str) -> bool:
    """Whether a name is that of the number of what is written down once, as ``docket_no``, ``po_number`` and ``orderno``, or a sequence."""
    parts = [word.lower() for word in words(name) if not word.isdigit()]
    if not _IN_SEQUENCE.isdisjoint(parts[-1:] if parts[-1:] != ["no"] else parts[-2:-1]):
        return True
    if len(parts) > 1 and parts[-1] in _SHORT_NUMBERS:
        return _filed(parts[-2])
    ends = (end for end in _SHORT_NUMBERS if parts and parts[-1].endswith(end))
    return any(_filed(parts[-1].removesuffix(end)) for end in ends)


def called_number(name: str) -> bool:
    """Whether a name is that of a number of any thing, but of somebody, of a place, of a machine or of what somebody else has made."""
    parts = [word.lower() for word in words(name) if not word.isdigit()]
    return (
        len(parts) > 1
        and parts[-1] in _SHORT_NUMBERS
        and (_NOT_FILED | _KEPT).isdisjoint((parts[-2], _one(parts[-2])))
    )


def called_paper(name: str) -> bool:
    """Whether a name is that of a paper or a case, which is written down once and gets the next number then, as ``waybill``."""
    parts = [word.lower() for word in words(name) if not word.isdigit()]
    return bool(parts) and _one(parts[-1]) in _PAPERS


def _filed(word: str) -> bool:
    one = word if word in _FILED else _one(word)
    return one in _FILED | _HAPPENING and one not in _NOT_FILED


def _done(word: str) -> bool:
    """Whether it is a participle: what somebody ``watched`` or has ``seen``."""
    return word in _DONE or (word.endswith("ed") and not _HAPPENING.isdisjoint((word[:-1], word[:-2])))


def _one(word: str) -> str:
    """The singular of a word."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes")):
        return word[:-2]
    return word.removesuffix("s")


_SENTENCE = pattern(r"[.;!?]\s+|\n\s*\n")


def sentences(doc: str) -> list[str]:
    """The sentences of a description, each in one line."""
    return [" ".join(part.split()) for part in _SENTENCE.split(doc.replace("e.g.", "such as"))]


def cited(sentence: str) -> str:
    """A sentence as findings cite it, or its beginning."""
    from textwrap import shorten  # only here: few sentences are cited

    return shorten(sentence, 120, placeholder=" ...")


def length_said(count: str, unit: str) -> timedelta | None:
    """The length of time of a number, or a word for one, and a unit; of no number, one; None of a word that is no number, and of what is no :func:`time_of`."""
    number = whole_said(count) if count[:1].isdigit() else NUMBERS.get(count.lower()) if count else 1
    return None if number is None else time_of(number, _LENGTHS[unit.lower().removesuffix("s")])


def time_of(number: float, unit: timedelta) -> timedelta | None:
    """So many units of time; None where no GC rule has such an age: of nothing, and of more than thousands of years."""
    return number * unit if _SHORTEST / unit <= number <= _LONGEST / unit else None


def whole_said(text: str) -> int | None:
    """The number that digits say, with commas or without; None of other text, and of more digits than anything has that a sentence counts."""
    digits = text.replace(",", "")
    stripped = digits.lstrip("0")
    return int(stripped or "0") if digits.isdecimal() and len(stripped) <= _MOST_DIGITS else None


_SECRETS = pattern(
    r"(?i)(.*_)?(api_?keys?|(access|auth|refresh|bearer|session|csrf|device|reset|push)_tokens?|passwords?|passwd|passphrase|secrets?|private_keys?|pin_?codes?)"
)


def secret(name: str) -> bool:
    """Whether ``name`` is that of a secret, such as ``api_key``."""
    return _SECRETS.fullmatch("_".join(words(name))) is not None


# Bytes of the longest value of a name that somebody has invented for themselves.
_INVENTED = 32


# What a text is called that holds an address of the web.
_WEB_TEXTS = frozenset(
    words("url uri link href page referrer referer location request target uris urls landing destination")
)
_PARAMETERS = pattern(
    r"(?i)\b(?:with|including|incl|and|plus|together with)\b[^.;:]{0,30}\b(?:query (?:strings?|parameters|parts?)|(?:url|get|request|utm|tracking|click) (?:parameters|ids?)|all (?:of )?(?:its |the )?parameters|search strings?|session ids?)\b"
)
_TAKEN_OFF = pattern(
    r"(?i)\b(?:without|strip(?:s|ped)?|removed?|removes|no|never|not|cut|cleaned|dropped|normali[sz]ed|canonical)\b"
)


def with_parameters(model: ModelSchema, part: KeyField) -> str | None:
    """What the description says of an address of the web that is kept with its parameters, in which people's names, e-mail addresses and tokens stand; None where it does not."""
    parts = {word.lower() for word in words(part.name)}
    if not part.asked or part.codec.python_type is not str or parts.isdisjoint(_WEB_TEXTS):
        return None
    if b"?"[0] not in part.codec.alphabet:
        return None
    for sentence in sentences(model.doc):
        found = _PARAMETERS.search(sentence)
        if found is not None and not _TAKEN_OFF.search(sentence):
            return " ".join(found[0].split())
    return None


def perhaps_login(part: KeyField) -> str | None:
    """What a text is called that is longer than names that people invent: what they log in with, or where they are reached."""
    called = words(part.name)[-1].lower()
    long = part.codec.length.most > _INVENTED and b"@"[0] in part.codec.alphabet
    known = called in ("login", "logon", "contact") and part.asked and part.codec.python_type is str
    return called if known and long else None


# What makes a host or an address one of the web, and not that of a machine or of a person.
_OF_THE_WEB = pattern(
    r"(?i)\b((sub)?domains?|web(sites?|pages?)?|crawl\w*|urls?|sites?|[-a-z0-9]+\.(com|org|net|io|dev|example))\b"
)


def of_the_web(model: ModelSchema) -> bool:
    """Whether a model is about pages and hosts of the web, by its name and its description."""
    return bool(_OF_THE_WEB.search(f"{' '.join(words(model.name))} {model.doc}"))


def web_address(model: ModelSchema, part: KeyField) -> bool:
    """Whether a text is called an address, and no more, in a model that is about the web: it is a URL."""
    return part.name.lower() == "address" and part.codec.python_type is str and of_the_web(model)


# What makes an address one of a chain of blocks, and not that of a person.
_OF_A_CHAIN = pattern(
    r"(?i)\b(block-?chains?|on-chain|smart contracts?|contract address(es)?|ethereum|bitcoin|solana|polygon|erc-?[0-9]+|nfts?|crypto(currenc\w+)?|token transfers?)\b"
)


def chain_address(model: ModelSchema, part: KeyField) -> bool:
    """Whether a field of bytes or of digits is called an address in a model that is about a chain of blocks: it is that of a contract or of an account, as it is public there."""
    called = [word.lower() for word in words(part.name)][-1:] == ["address"]
    digits = part.codec.python_type is bytes or part.codec.alphabet <= _HEX_DIGITS
    about = f"{' '.join(words(model.name))} {model.table} {model.doc}"
    return called and digits and _OF_A_CHAIN.search(about) is not None


_HEX_DIGITS = frozenset(b"0123456789abcdefABCDEFx")


def may_tell(part: KeyField, word: str) -> bool:
    """Whether the values of ``part`` can be what its name says: an e-mail address is no bytes, and has an @ in it."""
    if not part.asked or part.domain or isinstance(part.codec, EnumText | Boolean):
        return False
    mail = MAIL.issuperset(word.split())
    return not mail or (part.codec.python_type is str and b"@"[0] in part.codec.alphabet)


def surrogate(name: str) -> str:
    """A name for an id that stands for a value called ``name``: ``user_id`` for ``user_email``."""
    parts = [word.lower() for word in words(name)]
    whose = next((word for word in parts if word in PEOPLE), "person")
    return f"{whose}_id"


def finding_the_id(names: Iterable[str]) -> str:
    """How a caller that has what identifies a person finds the id that stands for it, as the end of a sentence: by all that identifies together."""
    names = [*names]
    shown = quoted(names)
    given = ", ".join(f'"{name}"' for name in names)
    return (
        f"; a caller that has only {shown} finds the id in another table, by `bt.digest({given})` of what no row there holds (`stored=False`), or by an HMAC with a secret where "
        "all values can be tried"
    )


_CHANGING = frozenset(words("status balance assignee progress"))
# Of many things they are as they were given at first.
_MAYBE_CHANGING = frozenset(words("score rank ranking priority stage phase"))
_AFTER_LAST = frozenset(
    words("seen active activity login access change modified changed updated update used run")
)
_EDITED = frozenset(words("updated modified assigned"))
_AT_PRESENT = frozenset(words("next current latest newest present"))
# Of a program, a call or a request that is over: those stay.
_ENDED = frozenset(words("http exit grpc response return"))
# Letters of the shortest word that says what was done; "red" and "speed" say what is.
_SHORTEST_DONE = 5
_STATES = frozenset(
    words(
        "active enabled disabled open opened closed done finished completed processed paid shipped delivered archived deleted "
        "online available occupied pending resolved acknowledged approved verified read unread sold ready new draft waiting running failed started planned"
    )
)


# What comes to an end, so that those of which it is said pile up; what is deleted or archived is rare, or goes.
_OVER = frozenset(
    words(
        "closed done finished completed processed paid shipped delivered resolved acknowledged sold returned settled handled answered fulfilled "
        "cancelled canceled collected dispatched picked billed invoiced redeemed"
    )
)
_MOMENTS = frozenset(words("at on time date day"))


def called_over(name: str) -> bool:
    """Whether an attribute is called like what is done to a thing at the end, as ``shipped`` and ``closed_at``: few things wait for it, and it is true of ever more."""
    parts = [word.lower() for word in words(name)]
    if len(parts) > 1 and parts[-1] in _MOMENTS:
        parts.pop()
    return bool(_OVER.intersection(parts[-1:]))


def called_next(name: str) -> bool:
    """Whether an attribute is called like a time that moves on whenever it has come, as ``due`` and ``next_run``."""
    parts = [word.lower() for word in words(name)]
    return bool(parts) and (parts[0] in _AT_PRESENT or not {"due", "next", "until"}.isdisjoint(parts))


def called_changing(name: str, kind: Any) -> bool:
    """Whether an attribute, whose values are of the type ``kind``, is called like a value that a row changes in its life."""
    parts = [word.lower() for word in words(name)]
    return surely_changing(name, kind) or bool(_MAYBE_CHANGING.intersection(parts[-1:]))


def surely_changing(name: str, kind: Any) -> bool:
    """Whether nothing that is called so stays as it was, as long as its row is no event that is over."""
    parts = [word.lower() for word in words(name)]
    if not parts:
        return False
    if _CHANGING.intersection(parts[-1:]):
        return not _ENDED.intersection(parts)
    if parts[0] in _AT_PRESENT or parts[-1] == "now":
        return True
    if "state" in parts[-1:]:  # one of a country is none
        return is_class(kind, Enum)
    if _MAYBE_CHANGING.intersection(parts[-1:]) and is_class(kind, Enum):
        return _stages(kind)
    if kind is bool:
        return bool(_STATES.intersection(parts[-1:]))
    return (
        bool(_EDITED.intersection(parts))
        or called_last_time(name, kind)
        or (parts[0] == "last" and bool(_AFTER_LAST.intersection(parts)))
    )


def _stages(kind: Any) -> bool:
    """Whether the members of an enum are what something goes through: one is a state, or two say what was done to it."""
    parts = [word for member in kind.__members__ for word in member.lower().split("_")]
    done = [word for word in parts if len(word) > _SHORTEST_DONE and word.endswith(("ed", "ing"))]
    return bool(_STATES.intersection(parts)) or len(done) > 1


def called_last_time(name: str, kind: Any) -> bool:
    """Whether a time is called like that of what happened last, as ``last_request``: no event has one, and what has events moves with each."""
    parts = [word.lower() for word in words(name)]
    return parts[:1] == ["last"] and len(parts) > 1 and is_class(kind, datetime)


_FOLLOWING = frozenset(words("last latest newest current currently now recent live"))


def called_following(name: str, kind: Any) -> bool:
    """Whether an attribute is called like a value that is written again and again, as ``last_seen`` and ``load_now``."""
    return called_changing(name, kind) or not _FOLLOWING.isdisjoint(word.lower() for word in words(name))


_HASHES = frozenset(words("hash hashed md5 sha digest murmur crc"))
# Of what a hash is no content of a row, but stands for a value that a reader knows.
_HASHED = PERSONAL | frozenset(words("url uri domain fqdn host hostname website site user username login"))

# What an id of hexadecimal digits may be called, too; and the digits of the shortest digest that is usual, an MD5.
_MAYBE_HEX = frozenset(words("user username login host hostname site website"))
_DIGEST = 32


def hashed_outside(model: ModelSchema, part: KeyField) -> str | None:
    """What a field holds a hash of, by its name, as ``url`` of ``url_md5``, by its codec, or by the column beside it; None where it holds none.

    A hash of what is stored, such as the bytes of a file, is its name and not meant.
    """
    from btmodel.codecs.key import HexDigest  # here: binary codecs are loaded where a model has one

    if chain_address(model, part):
        return None
    parts = [word.lower() for word in words(part.name)]
    rest = [word for word in parts if word not in _HASHES and not word.isdigit()]
    digest = isinstance(part.codec, HexDigest) and part.codec.digits >= _DIGEST
    if part.asked and digest and parts[-1] in _HASHED - _MAYBE_HEX:
        return part.name
    if not part.asked or len(rest) == len([word for word in parts if not word.isdigit()]):
        return None
    if rest:
        return "_".join(rest) if rest[-1] in _HASHED else None
    columns = [column.name for column in model.columns if column.shape.plain]
    return next((name for name in columns if words(name)[-1].lower() in _HASHED), None)


# What the end of something is called.
_ENDS = frozenset(words("until expires expiry expiration deadline due end ends"))
_END_OF = frozenset(
    (
        ("valid", "to"),
        ("not", "after"),
        ("good", "till"),
        ("expires", "at"),
        ("expire", "at"),
        ("ends", "at"),
        ("due", "at"),
    )
)


def called_end(name: str) -> bool:
    """Whether a time is called like the end of something."""
    parts = tuple(word.lower() for word in words(name))
    return bool(parts) and (parts[-1] in _ENDS or parts[-2:] in _END_OF)


# What things are called that are to happen.
_TO_COME = frozenset(
    words(
        "departs departure departing due deadline starts start begins expires expiry until planned scheduled appointment kickoff stay showtime "
        "delivery forecast target valid for performance flight sailing arrives arrival next reminder renewal maturity eta etd starting upcoming "
        "promised expected"
    )
)
# The same of two words, and of the day of something.
_TO_COME_PAIRS = frozenset(
    tuple(each.split())
    for each in [
        "remind at",
        "run at",
        "execute at",
        "fire at",
        "publish at",
        "send at",
        "retry at",
        "wake at",
        "notify at",
        "trigger at",
        "call at",
        "check in",
        "check out",
        "go live",
        "show time",
    ]
)
_DAY_OF = frozenset(
    words(
        "exam execution collection moving wedding travel payment payout pickup interview surgery settlement event closing election maintenance service inspection"
    )
)


# What is planned, by a name, and may be planned anew.
_PLANNED = frozenset(words("planned scheduled eta etd expected promised appointment next reminder"))


def called_planned(name: str) -> bool:
    """Whether a time is called like that of a plan, which may be moved."""
    parts = tuple(word.lower() for word in words(name))
    return not _PLANNED.isdisjoint(parts) or parts[-2:] in _TO_COME_PAIRS


def called_ahead(name: str) -> bool:
    """Whether a time is called like that of something that is to happen."""
    parts = tuple(word.lower() for word in words(name))
    return (
        not _TO_COME.isdisjoint(parts)
        or parts[-2:] in _TO_COME_PAIRS
        or (parts[-1:] == ("date",) and parts[-2:-1] != () and parts[-2] in _DAY_OF)
    )
