"""The ids of new revisions."""

import re
import unicodedata
from collections.abc import Iterable

from btmodel.errors import MigrationError
from btmodel.migrate.revisions.revision import Revision

_LONGEST = 50  # characters of the part that comes from the message


def id_on(parents: Iterable[Revision], message: str) -> str:
    """The id of a revision on top of ``parents``: the next number, and its message.

    The number is one more than the greatest of the parents, so that files in the order of their
    names stand behind their parents. Two branches that write the next one at once give both the same number and
    names of their own: git merges them without a conflict, and they lie side by side.
    """
    number = max((one.number for one in parents), default=0) + 1
    return f"{number:04}_{slug(message)}"


def slug(message: str) -> str:
    """A message as a part of a file name, cut behind a whole word: ``Add trades (NYSE)`` is ``add_trades_nyse``."""
    letters = unicodedata.normalize("NFKD", message).encode("ascii", "ignore").decode().lower()
    plain = re.sub(r"[^a-z0-9]+", "_", letters).strip("_")
    if len(plain) > _LONGEST:  # whole words, where the first one is not too long itself
        plain = plain[: _LONGEST + 1].rpartition("_")[0] or plain[:_LONGEST]
    return plain or "revision"


def checked(message: str) -> str:
    """``message`` without blanks at its ends; raises :class:`MigrationError` where it is none, or no one line."""
    text = message.strip()
    if not text or not text.isprintable():
        raise MigrationError(f'wanted a message on one line, such as "add trades", got {message!r}')
    return text
