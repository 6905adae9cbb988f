"""What the recorded texts of codecs say of the bytes that they read."""

from btmodel.migrate.wider import wider
from btmodel.schema import CellLayout, KeyPart
from btmodel.schema.layout_text import closing, pieces, unquoted
from btmodel.schema.recorded_codec import enums_of, recorded_codec
from btmodel.schema.recorded_layout import RecordedCell, recorded_cell, recorded_part

_EITHER = "Either(new="
# Codecs of several Eithers read all their combinations.
_MOST_EITHERS = 8


def reads_all(declared: str, recorded: str) -> bool:
    """Whether cells of the ``declared`` layout are read as those of the ``recorded`` one, for any of these."""
    old, new = readings(recorded), readings(declared)
    if old <= new:
        return True
    # Of several, one that reads more could read what another has written.
    return len(old) == 1 and any(_wider(one, *old, key=False) for one in new)


def takes_all(declared: KeyPart, recorded: KeyPart) -> bool:
    """Whether every field of a key that was written as ``recorded`` is the same one as ``declared``."""
    if declared.behind != recorded.behind:
        return False
    return declared.codec == recorded.codec or _wider(declared.codec, recorded.codec, key=True)


def lost_key(declared: KeyPart, recorded: KeyPart) -> bool:
    """Whether ``recorded`` needs code that ``declared`` lacks: a function, an enum, a codec of the user's."""
    new, old = recorded_part(declared), recorded_part(recorded)
    return bool(old.derived and not new.derived) or (_needs_code(old.codec) and not _needs_code(new.codec))


def lost_cell(declared: str, recorded: str) -> bool:
    """Whether cells of ``recorded`` need code that those of ``declared`` lack."""
    new, old = (recorded_cell(CellLayout("", text)) for text in (declared, recorded))
    return old is not None and new is not None and _cell_needs_code(old) and not _cell_needs_code(new)


def _cell_needs_code(cell: RecordedCell) -> bool:
    return not cell.whole or any(enums_of((cell.codec, cell.names)))


def _needs_code(codec: object) -> bool:
    return codec is None or any(enums_of(codec))


def readings(text: str) -> frozenset[str]:
    """Every codec that reads cells of this layout: one, or each of those in an ``Either``."""
    at = _outside_quotes(text, _EITHER) if text.count(_EITHER) <= _MOST_EITHERS else None
    if at is None:
        return frozenset({text})
    end = closing(text, at + len("Either"))
    if end is None:
        return frozenset({text})
    inner = pieces(text[at + len("Either(") : end], ",")
    if len(inner) != 2 or not inner[1].startswith("old=(") or not inner[1].endswith(")"):
        return frozenset({text})
    codecs = [inner[0].removeprefix("new="), *pieces(inner[1][len("old=(") : -1], ",")]
    return frozenset(
        reading for codec in codecs for reading in readings(f"{text[:at]}{codec}{text[end + 1 :]}")
    )


def _wider(declared: str, recorded: str, *, key: bool) -> bool:
    """Whether the texts differ in nothing but codecs that take more than before."""
    new, old = pieces(declared, " "), pieces(recorded, " ")
    return len(new) == len(old) and all(
        one == other or wider(recorded_codec(one), recorded_codec(other), key=key)
        for one, other in zip(new, old, strict=True)
    )


def _outside_quotes(text: str, word: str) -> int | None:
    """Where ``word`` stands first, as a word and in no quotes."""
    for at, _ in unquoted(text):
        if text.startswith(word, at) and not (at and (text[at - 1].isalnum() or text[at - 1] == "_")):
            return at
    return None
