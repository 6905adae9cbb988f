"""Text that holds what is a delimiter elsewhere, and is one value all the same."""

import re
from collections.abc import Sequence

from btmodel.codecs.key import Text
from btmodel.guess.fields.base import FieldGuess, fits, roomy, sizes

_MAIL = re.compile(rb"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_URL = re.compile(rb"[a-z][a-z0-9+.-]*://[^\s#|]+")


def mail_address(values: Sequence[bytes]) -> FieldGuess | None:
    """Mail addresses."""
    return _text(values, _MAIL, "a mail address", "mail")


def url(values: Sequence[bytes]) -> FieldGuess | None:
    """Addresses of the web."""
    return _text(values, _URL, "a URL", "url")


def _text(values: Sequence[bytes], form: re.Pattern[bytes], what: str, name: str) -> FieldGuess | None:
    codec = Text(max_length=roomy(values))
    if not all(map(form.fullmatch, values)) or not fits(codec, values):
        return None
    return FieldGuess(codec, f"{what}, {sizes(values)}", name, sure=True)
