"""The names of generated files: each in the output folder itself, and no two that a disk could take for one."""

import unicodedata
from collections.abc import Iterable

from btmodel.errors import GenerationError


def refuse_bad_names(names: Iterable[str]) -> None:
    """Refuse names that lead out of the output folder, and names that collide on some disk.

    Disks of macOS and Windows take capitals for small letters, and one spelling of an accent
    for the other. Raises :class:`GenerationError`.
    """
    seen: dict[str, str] = {}
    for name in sorted(names):
        _refuse_leaving(name)
        other = seen.setdefault(folded(name), name)
        if other != name:
            raise GenerationError(
                f"{other!r} and {name!r} are the same file on systems that ignore case; nothing was written: "
                "rename a model, or a template"
            )


def _refuse_leaving(name: str) -> None:
    if name in ("", ".", "..") or any(one in "/\\" or not one.isprintable() for one in name):
        raise GenerationError(
            f"expected the name of a file in the output folder, got {name!r}; nothing was written"
        )


def folded(name: str) -> str:
    """``name`` as the disks see it that know neither capitals nor two spellings of an accent."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())
