"""Cursors: where a page of rows ended, as text for the query string of a web page."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import blake2b

from btmodel.errors import QueryRefused, shown
from btmodel.rows.read import ReadPlan

DIGEST = 8  # bytes


def cursor_of(plan: ReadPlan, key: bytes) -> str:
    """Where ``plan`` stands once the row of ``key`` has come. The text holds the key, which whoever has it can read."""
    return urlsafe_b64encode(_digest(plan) + key).decode().rstrip("=")


def resumed(plan: ReadPlan, text: str) -> ReadPlan:
    """What is left of ``plan`` behind a cursor, and never more than that, whoever made the cursor.

    Raises :class:`QueryRefused` for what is no cursor of this read.
    """
    try:
        raw = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (AttributeError, TypeError, UnicodeEncodeError, binascii.Error):
        raw = b""
    if raw[:DIGEST] != _digest(plan) or cursor_of(plan, raw[DIGEST:]) != text:
        raise QueryRefused(f"cursor: wanted the one of a page of this read, got {shown(text)}")
    return plan.after(raw[DIGEST:])


def _digest(plan: ReadPlan) -> bytes:
    """What tells reads apart: the table, the ranges and their order. A filter may change between pages."""
    told = (plan.table, plan.ranges, plan.joined.name, plan.leads, plan.backwards)
    return blake2b(repr(told).encode(), digest_size=DIGEST).digest()
