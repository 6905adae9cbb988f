"""Names that are near to one that is none."""

from collections.abc import Sequence
from difflib import get_close_matches


def near(wrong: str, names: Sequence[str], what: str) -> str:
    """The end of a sentence: what was probably meant, or else all that there is."""
    found = get_close_matches(wrong, names, 3, cutoff=0.5)
    if found:
        return f"did you mean {' or '.join(found)}?"
    return f"{what}: {', '.join(names) or 'none'}"
