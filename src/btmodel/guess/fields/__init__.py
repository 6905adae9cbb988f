"""Guesses at fields of row keys, and at qualifiers. To add one: a file, and a line in this table."""

from collections.abc import Sequence

from btmodel.guess.fields.base import FieldGuess, FieldGuesser, fits
from btmodel.guess.fields.binary import binary
from btmodel.guess.fields.calendar import calendar
from btmodel.guess.fields.digits import padded, reversed_digits, unpadded
from btmodel.guess.fields.domain import reversed_domain
from btmodel.guess.fields.epoch import epoch, reversed_epoch
from btmodel.guess.fields.hexadecimal import hexadecimal
from btmodel.guess.fields.path import path
from btmodel.guess.fields.text import escaped, padded_text, text
from btmodel.guess.fields.uuids import uuid_text
from btmodel.guess.fields.whole_text import mail_address, url

# The first that fits all values is taken, so what says most stands in front.
FIELDS: tuple[FieldGuesser, ...] = (
    uuid_text,
    calendar,
    epoch,
    reversed_epoch,
    reversed_digits,
    padded,
    unpadded,
    hexadecimal,
    reversed_domain,
    mail_address,
    url,
    padded_text,
    escaped,
    path,
    text,
)


def guess_field(values: Sequence[bytes]) -> FieldGuess:
    """What ``values``, of which there is at least one, seem to be: whatever fails, they are bytes."""
    found = (guess(values) for guess in FIELDS)
    return next((guess for guess in found if guess is not None), None) or binary(values)


__all__ = ["FIELDS", "FieldGuess", "fits", "guess_field"]
