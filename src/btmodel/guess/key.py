"""The row key of a guess: fields, delimiters, and the evidence for each; and the sampled rows that it is made from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations

import attrs
from attrs import frozen

from btmodel.codecs.key import Bytes, Constant, Kind, Text
from btmodel.errors import DeclarationError
from btmodel.guess.key_codecs import FieldGuess, guess_field
from btmodel.rows import Cell
from btmodel.schema import KeyField, Layout, RowKey, Table
from btmodel.schema.limits import KEY_BYTES


@frozen(slots=False)
class SampledRow:
    """A row, its key and its cells as they were read: of each column the newest cell first."""

    key: bytes
    cells: tuple[Cell, ...]

    @cached_property
    def places(self) -> frozenset[tuple[str, bytes]]:
        """Family and qualifier of each of its columns."""
        return frozenset(cell[:2] for cell in self.cells)


@frozen
class TableSample:
    """A live table, and rows of it.

    ``whole`` is true where these are all its rows; ``said`` says in words what was read. ``layouts`` are
    what was recorded when btmodel migrated the table: how its keys and cells were declared then.
    """

    table: Table
    rows: tuple[SampledRow, ...]
    whole: bool
    said: str
    layouts: tuple[Layout, ...] = ()


def sampled(rows: Iterable[tuple[bytes, Sequence[Cell]]]) -> tuple[SampledRow, ...]:
    """Rows as a read gives them."""
    return tuple(SampledRow(key, tuple(cells)) for key, cells in rows)


# What people put between fields, the least likely within a value first.
DELIMITERS = (b"#", b"|", b"\x1f", b"/", b":", b"@", b"~", b";", b"$", b"%", b",", b"+", b"\t", b"\0")
# What stands within names, too: cut there only where nothing else divides a key.
_WITHIN_NAMES = (b"_", b"-", b".")
_MANY = 20
# What stands in text soon as well: one or two keys that have as many of them prove nothing.
_IN_TEXT = frozenset((b"/", b":", b"@", b"~", b";", b"$", b"%", b",", b"+", b"\t"))
_SEVERAL = 5


@frozen
class KeyFieldGuess:
    """One field of some keys: its values, what they seem to be, and what stands behind them."""

    values: tuple[bytes, ...]
    guess: FieldGuess
    behind: bytes = b""


def parts_of(keys: Sequence[bytes]) -> tuple[KeyFieldGuess, ...]:
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


def _divided(
    values: tuple[bytes, ...], behind: bytes, delimiters: Sequence[bytes]
) -> tuple[KeyFieldGuess, ...]:
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
    return (KeyFieldGuess(values, whole, behind),)


def _within_names(keys: Sequence[bytes]) -> tuple[KeyFieldGuess, ...] | None:
    """The fields between dashes and the like, where many keys have them and one of them is sure."""
    if len(set(keys)) < _MANY:
        return None
    for delimiter in _WITHIN_NAMES:
        columns = columns_at(keys, delimiter)
        guesses = [guess_field(column) for column in columns or ()]
        if columns and any(guess.sure for guess in guesses):
            ends = [delimiter] * (len(columns) - 1) + [b""]
            return tuple(map(KeyFieldGuess, columns, guesses, ends))
    return None


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


def key_of(
    parts: Sequence[KeyFieldGuess], rows: int, *, kind: bool = False, optional: bool = False
) -> KeyGuess:
    """The key of these parts of ``rows`` keys.

    ``kind`` says that the first part is the same in all, and distinguishes them from other rows of the table;
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


def _settled(part: KeyFieldGuess, *, kind: bool) -> FieldGuess:
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


def _constant(value: bytes) -> Constant | None:
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


def _few(part: KeyFieldGuess, guess: FieldGuess) -> int | None:
    """How many values there are, where each of them came often; constants are counted, too, as one."""
    if isinstance(guess.codec, Constant):
        return 1
    count = len(set(part.values))
    many = len(part.values) >= _MANY and count * _EACH <= len(part.values)
    return count if many and guess.codec.kind is Kind.TEXT else None


def _variety(part: KeyFieldGuess, guess: FieldGuess, few: int | None) -> str:
    """How many values there are, where that is worth a word."""
    if len(part.values) > 1 and len(set(part.values)) == 1 and not isinstance(guess.codec, Constant):
        return "; the same in all of them"
    return f"; {few:,} different values" if few and few > 1 else ""


def _names(guesses: Sequence[FieldGuess]) -> Iterator[str]:
    """Names for the fields, by their kinds, numbered if several are of the same kind."""
    seen: Counter[str] = Counter()
    for guess in guesses:
        seen[guess.name] += 1
        count = seen[guess.name]
        yield guess.name if count == 1 else f"{guess.name}_{count}"


_FEWEST = 5  # rows, below which they are no kind of their own
_SHARE = 0.05  # of the keys, below which they are an exception
_MOST_KINDS = 8
_MOST_SHAPES = 4
_SLASH = b"/"


@frozen
class KeyGroup:
    """Rows that seem to be of one model, with their key; ``description`` says how they differ from the others."""

    rows: tuple[SampledRow, ...]
    key: KeyGuess
    description: str = ""


def groupings(rows: Sequence[SampledRow]) -> Iterator[tuple[KeyGroup, ...]]:
    """The ways in which ``rows`` may be those of one model or of several, the likeliest first.

    The last one is right whatever the keys are: one model, whose key is bytes.
    """
    keys = [row.key for row in rows]
    kinds = _by_first_part(rows)
    if kinds:
        yield kinds
    parts = parts_of(keys)
    first, *others = parts
    if others or first.guess.sure:
        yield (KeyGroup(tuple(rows), key_of(parts, len(rows))),)
    elif not isinstance(first.guess.codec, Bytes):
        yield from _by_number(rows)
    yield (KeyGroup(tuple(rows), guess_key(keys)),)
    whole = (KeyFieldGuess(tuple(keys), guess_field(keys)),)
    yield (KeyGroup(tuple(rows), key_of(whole, len(rows))),)
    yield (KeyGroup(tuple(rows), any_key("nothing else fits all of the keys")),)


def _by_first_part(rows: Sequence[SampledRow]) -> tuple[KeyGroup, ...] | None:
    """Models that differ in the first part of their keys: a few words, behind which the keys differ in kind."""
    for delimiter in DELIMITERS:
        if not all(row.key.find(delimiter) > 0 for row in rows):
            continue
        found: dict[bytes, list[SampledRow]] = {}
        for row in rows:
            found.setdefault(row.key.split(delimiter, 1)[0], []).append(row)
        if not 2 <= len(found) <= _MOST_KINDS or min(map(len, found.values())) < _FEWEST:
            continue
        if not isinstance(guess_field(list(found)).codec, Text):
            continue
        divided = {kind: parts_of([row.key for row in group]) for kind, group in found.items()}
        if any(len(parts) < 2 or parts[0].behind != delimiter for parts in divided.values()):
            continue
        if all(_apart(found, divided, one, other) for one, other in combinations(found, 2)):
            return tuple(
                KeyGroup(
                    tuple(group),
                    key_of(divided[kind], len(group), kind=True),
                    f"whose keys begin with {kind.decode()!a}",
                )
                for kind, group in found.items()
            )
    return None


def _apart(
    found: dict[bytes, list[SampledRow]],
    divided: dict[bytes, tuple[KeyFieldGuess, ...]],
    one: bytes,
    other: bytes,
) -> bool:
    """Whether two first parts begin rows of different models: of another shape, or of other cells."""
    if len(divided[one]) != len(divided[other]):
        return True
    cells, others = ({place for row in found[kind] for place in row.places} for kind in (one, other))
    return not cells & others


def _by_number(rows: Sequence[SampledRow]) -> Iterator[tuple[KeyGroup, ...]]:
    """Keys with delimiters of which some have more than others."""
    for delimiter in DELIMITERS:
        found: dict[int, list[SampledRow]] = {}
        for row in rows:
            found.setdefault(row.key.count(delimiter), []).append(row)
        counts = sorted(found)
        if len(counts) == 1 or delimiter == _SLASH:
            continue
        fewest = min(map(len, found.values()))
        if counts[-1] - counts[0] == 1 and fewest >= _SHARE * len(rows):
            yield _optional(rows, delimiter, counts[-1])
        elif len(counts) <= _MOST_SHAPES and fewest >= _FEWEST:
            yield tuple(
                KeyGroup(
                    tuple(found[count]),
                    guess_key([row.key for row in found[count]]),
                    f"whose keys have {count + 1} part{'s' * (count > 0)}",
                )
                for count in counts
            )


def _optional(rows: Sequence[SampledRow], delimiter: bytes, count: int) -> tuple[KeyGroup, ...]:
    """One model, of which some keys end in front of the last field."""
    cuts = [row.key.split(delimiter) for row in rows]
    ahead = zip(*(cut[:count] for cut in cuts), strict=True)
    parts = [KeyFieldGuess(values, guess_field(values), delimiter) for values in ahead]
    last = tuple(cut[count] for cut in cuts if len(cut) > count)
    parts.append(KeyFieldGuess(last, guess_field(last)))
    return (KeyGroup(tuple(rows), key_of(parts, len(rows), optional=True)),)
