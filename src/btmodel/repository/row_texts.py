"""Rows as people read and type them: the text of each attribute."""

import json
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from btmodel.declare import Model, to_dict
from btmodel.errors import ValueRefused


def texts_of(row: Model, most: int | None = None) -> dict[str, str]:
    """The attributes of a row as short texts: a time is in UTC, without an offset; of an attribute of many the first entries, at ``most`` so many."""
    plain = to_dict(row)
    try:
        values = to_dict(row, json=True)
    except ValueRefused:  # an infinite number, which JSON does not have
        values = {name: str(value) for name, value in plain.items()}
    return {name: _cut(plain[name], value, most) for name, value in values.items()}


def _cut(plain: object, value: object, most: int | None) -> str:
    """The text of a value; of more entries than ``most``, which is for people, how many are left out."""
    left = len(value) - most if most is not None and isinstance(value, dict | list) else 0
    if left <= 0:
        return _text(plain, value)
    assert isinstance(value, dict | list)
    shown = dict(islice(value.items(), most)) if isinstance(value, dict) else value[:most]
    return f"{_text(plain, shown)} … {left:,} more"


def _text(plain: object, value: object) -> str:
    return time_text(plain) if isinstance(plain, datetime) else json_text(value)


def time_text(time: datetime) -> str:
    """A time in UTC, without an offset, as people read it."""
    fine = "auto" if time.microsecond % 1_000 or not time.microsecond else "milliseconds"
    return time.astimezone(UTC).replace(tzinfo=None).isoformat(" ", fine)


def json_text(value: Any) -> str:
    """A value of JSON as people read and type it: text as it is, nothing for null, and JSON of anything else."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
