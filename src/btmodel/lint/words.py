"""Words: names taken apart into them, articles put in front of them, and lists of them."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def one(noun: str) -> str:
    """One thing: ``an hour``, ``a day``."""
    return f"{'an' if noun == 'hour' or noun[0] in 'aeiou' else 'a'} {noun}"


def words(name: str) -> list[str]:
    """The words of a name in snake case or camel case: ``user_email`` and ``userEmail`` have two."""
    return _WORD.findall(name)


def quoted(names: Iterable[str]) -> str:
    """The names as code, one after the other."""
    return ", ".join(f"`{name}`" for name in names)
