"""Cursors: where a page of rows ended, as text for the query string of a web page."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

from btmodel.errors import QueryRefused, shown
from btmodel.rows.read import ReadPlan

DIGEST = LEFT = 8  # bytes


def cursor_of(plan: ReadPlan, key: bytes, left: int | None = None) -> str:
    """Where ``plan`` stands once the row of ``key`` has come; of a limited one, ``left`` rows may follow.

    The text is neither secret nor authenticated: whoever has it can read the key, and whoever knows
    this code can make one up, for any key in the ranges of the read. The digest in it finds what was
    changed or mixed up by accident.
    """
    told = b"" if plan.limit is None else (left or 0).to_bytes(LEFT)
    return urlsafe_b64encode(_digest(plan, told + key) + told + key).decode().rstrip("=")


def resumed(plan: ReadPlan, text: str) -> ReadPlan:
    """What is left of ``plan`` behind a cursor, and never more than that, whoever made the cursor.

    Raises :class:`QueryRefused` for what is no cursor of this read, and for one that was changed.
    """
    try:
        raw = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (AttributeError, TypeError, UnicodeEncodeError, binascii.Error):
        raw = b""
    told = raw[DIGEST:]
    left = None if plan.limit is None else int.from_bytes(told[:LEFT])
    key = told if left is None else told[LEFT:]
    if raw[:DIGEST] != _digest(plan, told) or cursor_of(plan, key, left) != text:
        raise _refused(text)
    if plan.limit is None or left is None:
        return plan.after(key)
    if not 0 < left < plan.limit:
        raise _refused(text)
    return plan.after(key).limited(left)


def _refused(text: object) -> QueryRefused:
    return QueryRefused(
        "cursor: wanted the one of a page of this read, as it was given; this one is of another read, "
        f"or was changed: {shown(text)}"
    )


def _digest(plan: ReadPlan, told: bytes) -> bytes:
    """What tells reads apart, and what the cursor tells. Columns and conditions may change between pages.

    The arguments of a query lie in the ranges; a read is told apart by them, their order and its limit.
    """
    read = (plan.table, plan.ranges, plan.joined.name, plan.leads, plan.backwards, plan.limit)
    return blake2b(repr((read, told)).encode(), digest_size=DIGEST).digest()
