"""Columns that hold the end of a row, where a GC rule does not know of it."""

import re
from datetime import datetime, timedelta

from attrs import evolve

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind
from btmodel.estimates import rate_of_one, timed
from btmodel.lint.descriptions import FOR_A_TIME, RENEWED, UNTIL_IT_ENDS
from btmodel.lint.finding import Fix
from btmodel.on_demand import pattern
from btmodel.schema import Column, KeyField, MaxAge, ModelSchema, Stamp
from btmodel.words import quoted, words

_END = pattern(
    r"(.*_)?(expires|expiry|expiration|((expires?|expiry|expiration|delete|purge|remove)_(at|on|after|by|time)))"
)
# What names a moment, as an attribute of DynamoDB by which it deletes items does, of numbers and of cells.
_SECONDS = pattern(r"(.*_)?(expires?|expiration|expiry|delete|purge|remove)_(at|on|time)")
_ATTRIBUTE = pattern(r"(.*_)?ttl")
_MOMENT = timedelta(seconds=1)
# What lives for minutes or days, by the last words of the names of models and tables, whatever stands in front of them; and after how long such a thing is over in any case (this project's own figure).
_ONCE = (
    r"one time (?:codes?|passwords?|passcodes?|pins?|links?|tokens?)|t?otps?|tan requests?|magic links?|nonces?|captchas?|pickup (?:pins?|codes?)|"
    r"(?:verification|confirmation|pairing|login|signin|sign in|sms|auth|authorization|device|activation|pkce|captcha|mfa|two factor|2fa|3ds|three ds|unlock|pickup) (?:codes?|challenges?|tokens?|links?)|"
    r"(?:email|mail|phone|address) (?:verifications?|confirmations?)|(?:auth|access|refresh|reset|session|csrf|bearer|upload|download|invite|invitation|unsubscribe|signin|checkout|export) (?:tokens?|links?)|job links?|"
    r"(?:oauth|login|sso) states?|password resets?|(?:presigned|signed|upload|download) urls?|idempotency(?: (?:keys?|records?|tokens?))?|(?:dedup|deduplication)(?: (?:keys?|markers?|ids?))?|(?:processed|seen|handled) (?:messages?|ids?)"
)
_OPEN = (
    r"(?:^|(?:web|user|guest|visitor|customer|shop|online|abandoned) )(?:shopping )?(?:carts?|baskets?)|shopping (?:carts?|baskets?)|(?:web|user|login|browser|checkout|shopping|auth|sso|http|portal|upload) sessions?|(?:form|draft|order|message|mail|post|comment|reply|application) drafts?|"
    r"^drafts?|draft (?:orders?|forms?|messages?|mails?|posts?|comments?|applications?)|(?:seat|stock|inventory|parking|room|ticket|slot|table|spot) (?:holds?|locks?|reservations?)|payment intents?|fare quotes?|matchmaking tickets?|(?:queue|waiting) tickets?|(?:virtual|online|visitor) waiting rooms?|^lobb(?:y|ies)|(?:game|match) lobb(?:y|ies)|"
    r"(?:chunk|multipart|partial|pending|resumable) uploads?|bid requests?|(?:search|scroll|page|list) cursors?|(?:websocket|web socket|open|live) connections?|web ?sockets?|presence|typing(?: (?:indicators?|states?))?|heartbeats?|"
    r"(?:login|signin) attempts?|failed logins?|(?:api|request|rate) throttles?|rate limit (?:buckets?|counters?|windows?)|callback requests?|telephone callbacks?|consent requests?|handshakes?|(?:distributed|job|leader|attempt|edit|row|record|task|resource|advisory) locks?|(?:shard|leader|worker|job|task) leases?"
)
# The same where a column says when it ends.
_PASSING = pattern(rf"\b(?:{_ONCE}|{_OPEN}|sessions?)$")
_SURELY_PASSING = pattern(rf"\b(?:{_ONCE}|{_OPEN})$")
# What of it is wanted later.
REMEMBERED = pattern(
    r"(?i)\b(?:audit\w*|accounts|accounting|evidence|disputes?|analy[sz]\w+|statistics|reports?|research|training|histor(?:y|ies)|later|years?|law|legal|court|the minutes|for ever|forever|never (?:deleted|removed)|permanent\w*|deletes?|deleted|removes?|removed|cleans?|cleaned|swe(?:ep|pt)\w*)\b"
)
LONG = timedelta(days=30)


def come_and_go(model: ModelSchema) -> bool:
    """Whether rows without a time in their key are those of sessions and the like: for a while, by the description or their name, and of ids without number, or of ids of what the row is."""
    if passing(model):
        return True
    if FOR_A_TIME.search(model.doc) and any(part.cardinality is None for part in model.key.asked):
        return True
    said = UNTIL_IT_ENDS.search(model.doc) and not RENEWED.search(model.doc)
    return bool(said) and bool(model.key.asked) and _own_id(model, model.key.asked[-1])


def passing(model: ModelSchema) -> bool:
    """Whether rows are called like what is used once or for a while, as one-time codes are, and each is seldom written again, so that a new one is a new row.

    A code in the row of a user is overwritten by the next one of the user.
    """
    return _called(model, _PASSING) and _new_rows(model)


def never_ending(model: ModelSchema, *, said: bool) -> bool:
    """Whether rows are surely :func:`passing` by their names, or the description has ``said`` it, which speaks of no use of them later, and of no program that deletes them."""
    return (
        (said or _called(model, _SURELY_PASSING))
        and not REMEMBERED.search(model.doc)
        and not timed(model)
        and model.view is None
        and _new_rows(model)
    )


def _called(model: ModelSchema, names: re.Pattern[str]) -> bool:
    return any(
        names.search(" ".join(word.lower() for word in words(name))) for name in (model.name, model.table)
    )


def _new_rows(model: ModelSchema) -> bool:
    """Whether each row is seldom written again, so that a new thing is a new row."""
    if not model.key.asked or RENEWED.search(model.doc):
        return False
    if model.key.asked[-1].cardinality is None:
        return True
    rate = rate_of_one(model)
    return rate is not None and rate * LONG.total_seconds() < 1


def _own_id(model: ModelSchema, part: KeyField) -> bool:
    """Whether a field of the key is the id of what a row is, as `quote` is of a `FreightQuote`: a new one is a new row."""
    thing = words(model.name)[-1:]
    return part.codec.kind is not Kind.TIME and any(
        word.lower() == one.lower() for word in thing for one in words(part.name)
    )


def is_end(model: ModelSchema, column: Column) -> bool:
    """Whether a column holds the end of a row: a time, or a number of seconds, as an attribute that other databases delete by."""
    name = "_".join(words(column.name)).lower()
    kind = column.codec.python_type
    if is_class(kind, datetime):
        return _END.fullmatch(name) is not None
    if kind is not int:
        return False
    cell = "_".join(words(column.qualifier.decode(errors="replace"))).lower()
    if _SECONDS.fullmatch(name) or _SECONDS.fullmatch(cell):
        return True
    # A number may also be a length of time, or the month on a card: the description decides.
    named = any(one.fullmatch(each) for one in (_END, _ATTRIBUTE) for each in (name, cell))
    return named and UNTIL_IT_ENDS.search(model.doc) is not None


def by_timestamps(model: ModelSchema, column: Column) -> Fix:
    """The end as the time of the cells; where rows have another form than it takes, an age."""
    age = "an age, `bt.max_age(...)`, the longest that a row lasts"
    rest = tuple(other for other in model.columns if other != column)
    if not rest or not column.required or any(other.eventful or other.shape.summed for other in rest):
        return Fix(f"give each family {age}")
    families = tuple(evolve(family, gc=MaxAge(_MOMENT)) for family in model.families)
    stamp = Stamp(column.name, stored=True, required=True, expires=True, round=True)
    return Fix(
        f"make it the time of the cells: `{column.name}: datetime = bt.expires(round=True)` in the place of the column, and "
        f"`gc=bt.max_age(seconds=1)` for {quoted(family.id for family in families)}",
        (evolve(model, columns=rest, families=families, stamp=stamp),),
        otherwise=f"; or, if all rows last equally long, keep the column, and give each family {age}",
    )
