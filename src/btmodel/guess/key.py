"""The row key of some rows: fields, delimiters, and the evidence for each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs
from attrs import frozen

from btmodel.codecs.key import Bytes, Constant, KeyCodec, Kind, Text
from btmodel.errors import DeclarationError
from btmodel.guess.fields import FieldGuess
from btmodel.guess.parts import Part, parts_of
from btmodel.schema import KeyField, RowKey
from btmodel.schema.figures import KEY_BYTES

_MANY = 20  # keys, from which on it counts how often each value comes
_SAME = 100  # keys, from which on a word that all have is not taken for one value of a field
_EACH = 10  # times that each of a few values comes on average
_USUAL = b"#"


@frozen
class KeyGuess:
    """A row key, and the evidence for each of its fields, by name."""

    key: RowKey
    evidence: dict[str, str]


def guess_key(keys: Sequence[bytes]) -> KeyGuess:
    """The key of ``keys``, of which there is at least one."""
    return key_of(parts_of(keys), len(keys))


def key_of(parts: Sequence[Part], rows: int, *, kind: bool = False, optional: bool = False) -> KeyGuess:
    """The key of these parts of ``rows`` keys.

    ``kind`` says that the first part is the same in all, and tells them from other rows of the table;
    ``optional`` that some keys end in front of the last part.
    """
    guesses = [_settled(part, kind=kind and part is parts[0]) for part in parts]
    delimiter = commonest([part.behind for part in parts[:-1]], parts[0].values)
    fields: list[KeyField] = []
    evidence: dict[str, str] = {}
    for part, guess, name in zip(parts, guesses, _names(guesses), strict=True):
        last = part is parts[-1]
        ends = None if last or part.behind == delimiter else part.behind
        few = _few(part, guess)
        fields.append(KeyField(name, guess.codec, few, optional=optional and last, ends=ends))
        count = len(part.values)
        evidence[name] = f"{count:,} of {rows:,} keys: {guess.said}{_variety(part, guess, few)}"
    return KeyGuess(RowKey(tuple(fields), delimiter), evidence)


def any_key(why: str) -> KeyGuess:
    """The key that fits every row there can be; ``why`` nothing more can be said of it."""
    field = KeyField("key", Bytes(max_length=KEY_BYTES))
    return KeyGuess(RowKey((field,), _USUAL), {field.name: f"any bytes: {why}"})


def _settled(part: Part, *, kind: bool) -> FieldGuess:
    """The guess at a part; text that is the same in many keys is a constant."""
    guess, values = part.guess, part.values
    same = len(set(values)) == 1 and (kind or (len(values) >= _SAME and isinstance(guess.codec, Text)))
    if same and guess.codec.kind is not Kind.TIME:
        constant = _constant(values[0])
        if constant is not None:
            return FieldGuess(constant, "the same in all of them", "kind", sure=True)
    holds = bool(part.behind) and any(part.behind in value for value in values)
    if holds and isinstance(guess.codec, Text | Bytes) and part.behind:
        return attrs.evolve(guess, codec=attrs.evolve(guess.codec, holds_delimiter=True))
    return guess


def _constant(value: bytes) -> KeyCodec[str] | None:
    try:
        return Constant(value.decode())
    except (UnicodeDecodeError, DeclarationError):
        return None


def commonest(behind: Sequence[bytes], values: Iterable[bytes]) -> bytes:
    """The delimiter that most fields end with, by what stands ``behind`` each but the last.

    Where there is one field, it is one that is in none of its ``values``, if any can be.
    """
    found = Counter(behind)
    if found:
        return found.most_common(1)[0][0]
    return b"" if any(_USUAL in value for value in values) else _USUAL


def _few(part: Part, guess: FieldGuess) -> int | None:
    """How many values there are, where each of them came often; constants are counted, too, as one."""
    if isinstance(guess.codec, Constant):
        return 1
    count = len(set(part.values))
    many = len(part.values) >= _MANY and count * _EACH <= len(part.values)
    return count if many and guess.codec.kind is Kind.TEXT else None


def _variety(part: Part, guess: FieldGuess, few: int | None) -> str:
    """How many values there are, where that is worth a word."""
    if len(part.values) > 1 and len(set(part.values)) == 1 and not isinstance(guess.codec, Constant):
        return "; the same in all of them"
    return f"; {few:,} different values" if few and few > 1 else ""


def _names(guesses: Sequence[FieldGuess]) -> Iterator[str]:
    """What the fields may be called: by what they are, numbered where several are the same."""
    seen: Counter[str] = Counter()
    for guess in guesses:
        seen[guess.name] += 1
        count = seen[guess.name]
        yield guess.name if count == 1 else f"{guess.name}_{count}"
