"""Names taken apart into their words."""

import re

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> list[str]:
    """The words of a name in snake case or camel case: ``user_email`` and ``userEmail`` have two."""
    return _WORD.findall(name)
