"""UUIDs as text, with and without dashes."""

from collections.abc import Sequence
from uuid import UUID

from btmodel.codecs.key import UuidText
from btmodel.guess.fields.base import SEVERAL, FieldGuess, fits

_VERSIONS = range(1, 9)


def uuid_text(values: Sequence[bytes]) -> FieldGuess | None:
    """Text of UUIDs; without dashes only where several say a version, for any digest has as many digits."""
    if fits(UuidText(), values):
        return FieldGuess(UuidText(), "the text of a UUID", "id", sure=True)
    several = len(set(values)) >= SEVERAL and fits(UuidText(dashes=False), values)
    if several and all(_says_version(value) for value in values):
        return FieldGuess(UuidText(dashes=False), "the text of a UUID, without dashes", "id", sure=True)
    return None


def _says_version(value: bytes) -> bool:
    found = UUID(value.decode())
    return found.version in _VERSIONS
