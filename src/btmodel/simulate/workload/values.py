"""Values of key fields from text, as people write them."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import Enum
from typing import Any
from uuid import UUID

from btmodel.codecs.classes import is_class
from btmodel.errors import ValueRefused
from btmodel.simulate.workload.asked import Asked

_TRUTHS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def value_of(asked: Asked, text: str) -> Any:
    """The value that ``text`` names. Raises :class:`ValueRefused` where the field can hold none such."""
    kind = asked.codec.python_type
    try:
        value = _reader(kind)(text)
    except (ValueError, KeyError):
        raise ValueRefused(f"text of a {kind.__name__}", text) from None
    asked.codec.encode(value)
    return value


def _reader(kind: type) -> Callable[[str], Any]:
    if is_class(kind, Enum):
        return lambda text: next(one for one in kind if text in (one.name, str(one.value)))
    readers: dict[type, Callable[[str], Any]] = {
        str: str,
        int: int,
        bool: lambda text: _TRUTHS[text.lower()],
        UUID: UUID,
        bytes: str.encode,
        datetime: _time,
        date: date.fromisoformat,
    }
    return readers.get(kind, kind)


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)
