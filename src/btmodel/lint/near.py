"""Ids of rules that are near to what is none."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_ID = re.compile("([A-Z]+)[-_ ]*([0-9]*)")


def near_ids(wrong: str, ids: Iterable[str]) -> list[str]:
    """The ids that ``wrong`` may have meant, the likeliest first: the same number, of a group called so or nearly so.

    ``KEY1`` and ``KEYS001`` are KEY001; a number that no rule has is near to nothing.
    """
    found = _ID.fullmatch(wrong.strip().upper())
    if found is None or not found[2]:
        return []
    groups: dict[str, dict[int, str]] = {}
    for id in sorted(ids):
        known = _ID.fullmatch(id)
        if known and known[2]:
            groups.setdefault(known[1], {})[int(known[2])] = id
    near = [found[1]] if found[1] in groups else get_close_matches(found[1], groups, 1)
    number = int(found[2])
    return [groups[group][number] for group in near if number in groups[group]]
