"""Rows of several models in one table, told apart by how their keys look."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from attrs import frozen

from btmodel.codecs.key import Bytes, Text
from btmodel.guess.fields import guess_field
from btmodel.guess.key import KeyGuess, any_key, guess_key, key_of
from btmodel.guess.parts import DELIMITERS, Part, parts_of
from btmodel.guess.rows import SampledRow

_FEWEST = 5  # rows, below which they are no kind of their own
_SHARE = 0.05  # of the keys, below which they are an exception
_MOST_KINDS = 8
_MOST_SHAPES = 4
_SLASH = b"/"


@frozen
class Group:
    """Rows that seem to be of one model, with their key; ``told`` is how they are told from the others."""

    rows: tuple[SampledRow, ...]
    key: KeyGuess
    told: str = ""


def groupings(rows: Sequence[SampledRow]) -> Iterator[tuple[Group, ...]]:
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
        yield (Group(tuple(rows), key_of(parts, len(rows))),)
    elif not isinstance(first.guess.codec, Bytes):
        yield from _by_number(rows)
    yield (Group(tuple(rows), guess_key(keys)),)
    whole = (Part(tuple(keys), guess_field(keys)),)
    yield (Group(tuple(rows), key_of(whole, len(rows))),)
    yield (Group(tuple(rows), any_key("nothing else fits all of the keys")),)


def _by_first_part(rows: Sequence[SampledRow]) -> tuple[Group, ...] | None:
    """Models told apart by the first part of their keys: a few words, behind which the keys differ in kind."""
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
                Group(
                    tuple(group),
                    key_of(divided[kind], len(group), kind=True),
                    f"whose keys begin with {kind.decode()!a}",
                )
                for kind, group in found.items()
            )
    return None


def _apart(
    found: dict[bytes, list[SampledRow]], divided: dict[bytes, tuple[Part, ...]], one: bytes, other: bytes
) -> bool:
    """Whether two first parts begin rows of different models: of another shape, or of other cells."""
    if len(divided[one]) != len(divided[other]):
        return True
    cells, others = ({place for row in found[kind] for place in row.places} for kind in (one, other))
    return not cells & others


def _by_number(rows: Sequence[SampledRow]) -> Iterator[tuple[Group, ...]]:
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
                Group(
                    tuple(found[count]),
                    guess_key([row.key for row in found[count]]),
                    f"whose keys have {count + 1} part{'s' * (count > 0)}",
                )
                for count in counts
            )


def _optional(rows: Sequence[SampledRow], delimiter: bytes, count: int) -> tuple[Group, ...]:
    """One model, of which some keys end in front of the last field."""
    cuts = [row.key.split(delimiter) for row in rows]
    ahead = zip(*(cut[:count] for cut in cuts), strict=True)
    parts = [Part(values, guess_field(values), delimiter) for values in ahead]
    last = tuple(cut[count] for cut in cuts if len(cut) > count)
    parts.append(Part(last, guess_field(last)))
    return (Group(tuple(rows), key_of(parts, len(rows), optional=True)),)
