"""What was probably meant by a name that is none."""

from collections.abc import Iterable
from difflib import get_close_matches


def meant(wrong: str, names: Iterable[str], known: str = "known") -> str:
    """The end of a sentence: the names that are near to ``wrong``, whatever its case, or else all that are ``known``."""
    folded = {name.casefold(): name for name in names}
    near = get_close_matches(wrong.casefold(), folded, 3)
    if near:
        return f"did you mean {' or '.join(folded[one] for one in near)}?"
    return f"{known}: {', '.join(folded.values()) or 'none'}"
