"""What the id of a table is made of: words, numbers and dates, of which some may be values."""

import re
from collections.abc import Iterator

_DATE = re.compile(r"(?<![0-9])(?:19[89]|20[0-9])[0-9](?:[-_.]?(?:0[1-9]|1[0-2])(?:[-_.]?[0-3][0-9])?)?\Z")
_WORD = re.compile(r"[0-9]+|[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def date_in(table: str) -> str:
    """The year, month or day that ends a table's id: ``2015`` of ``EVENTS_2015``; empty where none does."""
    found = _DATE.search(table)
    # A table that is called by a year alone has nothing else to be called by.
    return found[0] if found and table[: found.start()].strip("-_.") else ""


def undated(table: str) -> str:
    """The id without the date that ends it, and without what joined the two."""
    return table.removesuffix(date_in(table)).strip("-_.")


def without(table: str, value: str) -> str:
    """The id without ``value``, where that comes first in it, and without what joined the two."""
    return re.sub("[-_.]{2,}", "_", table.replace(value, "", 1)).strip("-_.")


def patterns(table: str) -> Iterator[tuple[str, str]]:
    """The id with a word or a number of it left out, each with what was left out."""
    for found in _WORD.finditer(table):
        yield f"{table[: found.start()]}*{table[found.end() :]}", found[0]
