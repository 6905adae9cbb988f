"""Row keys taken apart at what seem to be delimiters."""

from collections.abc import Sequence

from attrs import frozen

from btmodel.guess.fields import FieldGuess, guess_field

# What people put between fields, the least likely within a value first.
DELIMITERS = (b"#", b"|", b"\x1f", b"/", b":", b"@", b"~", b";", b"$", b"%", b",", b"+", b"\t", b"\0")
# What stands within names, too: cut there only where nothing else divides a key.
_WITHIN_NAMES = (b"_", b"-", b".")
_MANY = 20
# What stands in text soon as well: one or two keys that have as many of them prove nothing.
_IN_TEXT = frozenset((b"/", b":", b"@", b"~", b";", b"$", b"%", b",", b"+", b"\t"))
_SEVERAL = 5


@frozen
class Part:
    """One field of some keys: its values, what they seem to be, and what stands behind them."""

    values: tuple[bytes, ...]
    guess: FieldGuess
    behind: bytes = b""


def parts_of(keys: Sequence[bytes]) -> tuple[Part, ...]:
    """The fields of ``keys``, as far as the same delimiters stand in all of them; one, where none does."""
    found = _divided(tuple(keys), b"", DELIMITERS)
    first, *others = found
    if others or first.guess.sure:
        return found
    return _within_names(keys) or found


def columns_at(values: Sequence[bytes], delimiter: bytes) -> list[tuple[bytes, ...]] | None:
    """The values between the delimiters, a tuple for each place; None unless all have as many, and one at least."""
    cuts = [value.split(delimiter) for value in values]
    if len(cuts[0]) == 1 or len({len(cut) for cut in cuts}) > 1:
        return None
    columns = list(zip(*cuts, strict=True))
    return columns if all(map(any, columns)) else None


def _divided(values: tuple[bytes, ...], behind: bytes, delimiters: Sequence[bytes]) -> tuple[Part, ...]:
    whole = guess_field(values)
    if not whole.sure:
        few = len(set(values)) < _SEVERAL
        for at, delimiter in enumerate(delimiters):
            if few and delimiter in _IN_TEXT:
                continue
            columns = columns_at(values, delimiter)
            if columns:
                rest = delimiters[at + 1 :]
                ends = [delimiter] * (len(columns) - 1) + [behind]
                pairs = zip(columns, ends, strict=True)
                return tuple(part for column, end in pairs for part in _divided(column, end, rest))
    return (Part(values, whole, behind),)


def _within_names(keys: Sequence[bytes]) -> tuple[Part, ...] | None:
    """The fields between dashes and the like, where many keys have them and one of them is sure."""
    if len(set(keys)) < _MANY:
        return None
    for delimiter in _WITHIN_NAMES:
        columns = columns_at(keys, delimiter)
        guesses = [guess_field(column) for column in columns or ()]
        if columns and any(guess.sure for guess in guesses):
            ends = [delimiter] * (len(columns) - 1) + [b""]
            return tuple(map(Part, columns, guesses, ends))
    return None
