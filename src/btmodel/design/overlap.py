"""Proof that the row keys of two models cannot be equal."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs.key import KeyCodec
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.value import Value


def apart(one: RowKey, other: RowKey) -> bool:
    """Whether it is proved that no row key is one of both.

    Both are read side by side, byte by byte, in every way in which either could go on. Where
    both begin a field that ends at the same byte in either, the two fields are held against
    each other instead. False says only that there is no proof.
    """
    a, b = _path(one), _path(other)
    met = {(0, 0)}
    ahead = [(0, 0)]
    while ahead:
        at = ahead.pop()
        if at[0] in a.ends and at[1] in b.ends:
            return False
        new = set(_onwards(a, b, *at)) - met
        met |= new
        ahead += new
    return True


def alike(one: RowKey, other: RowKey) -> bool:
    """Whether two keys have the same fields, so that their models are views of the same rows."""
    return fields_of(one) == fields_of(other)


def fields_of(key: RowKey, count: int | None = None) -> list[tuple[object, ...]]:
    """The properties that determine the first ``count`` fields of a key, or all of them.

    How a model calls a constant does not show in its rows.
    """
    return [
        (None if part.constant else part.name, part.codec, part.derived, part.optional, behind(key, part))
        for part in key.fields[:count]
    ]


def cut_alike(one: RowKey, other: RowKey) -> bool:
    """Whether the first fields of two keys end at the same byte in every key that is one of both."""
    a, b = one.fields[0], other.fields[0]
    if a.fixed is not None and a.fixed == b.fixed:
        return True
    if a.codec.self_ending and a.codec == b.codec:
        return True
    marks = {behind(key, key.fields[0]) for key in (one, other) if len(key.fields) > 1}
    # Without any, both are the last fields, and end where the key does.
    return len(marks) < 2 and all(_lacks(key, mark) for key in (one, other) for mark in marks)


def common(one: RowKey, other: RowKey) -> int:
    """How many fields in front are the same in both, and end at the same byte."""
    count = 0
    for a, b in zip(one.fields, other.fields, strict=False):
        rests = (RowKey(key.fields[count:], key.delimiter) for key in (one, other))
        if a.codec != b.codec or a.optional or b.optional or not cut_alike(*rests):
            break
        count += 1
    return count


def behind(key: RowKey, part: KeyField) -> bytes:
    """The delimiter behind ``part``; empty behind the last field."""
    return b"" if part is key.fields[-1] else key.behind(part)


def _refused(key: RowKey, part: KeyField) -> bytes:
    """The delimiter that no value of ``part`` may hold; empty where it may hold any."""
    return key.behind(part) if key.refuses_delimiter(part) else b""


def _lacks(key: RowKey, mark: bytes) -> bool:
    """Whether no ``mark`` begins in the first field of ``key``, so that the first one there is ends it."""
    part = key.fields[0]
    if not mark:
        return False
    if part.constant is not None:
        raw = part.literal
        return (raw + mark).find(mark) == len(raw)
    return _refused(key, part) == mark or not part.codec.alphabet.issuperset(mark)


@frozen(eq=False, repr=False)
class _KeyByte(Value):
    """A byte of a key, one of ``bytes``; where it ``repeats``, any number of such bytes, or none."""

    bytes: frozenset[int]
    repeats: bool = False


@frozen(eq=False, repr=False)
class _Begin(Value):
    """The beginning of a field: the key from there on, and the step behind the field."""

    rest: RowKey
    end: int


@frozen(eq=False, repr=False)
class _Path(Value):
    """A key as steps, each of one byte or of any number; ``ends`` are the places where it may be over."""

    steps: tuple[_KeyByte, ...]
    begins: Mapping[int, _Begin]
    ends: frozenset[int]


_NOTHING = _KeyByte(frozenset())


def _path(key: RowKey) -> _Path:
    steps: list[_KeyByte] = []
    begins: dict[int, _Begin] = {}
    ends: set[int] = set()
    for index, part in enumerate(key.fields):
        at = len(steps)
        steps += _steps(key, part)
        # A reader of a field has one, even where rows may lack it.
        rest = (evolve(part, optional=False),) if part.optional else key.fields[index:]
        begins[at] = _Begin(RowKey(rest, key.delimiter), len(steps))
        if key.optional and key.fields[index + 1 :] == (key.optional,):
            ends.add(len(steps))
        steps += [_KeyByte(frozenset((byte,))) for byte in behind(key, part)]
    return _Path((*steps, _NOTHING), begins, frozenset(ends | {len(steps)}))


def _steps(key: RowKey, part: KeyField) -> list[_KeyByte]:
    if part.constant is not None:
        return [_KeyByte(frozenset((byte,))) for byte in part.literal]
    refused = _refused(key, part)
    # Of a longer delimiter each byte alone may be there.
    bytes = part.codec.alphabet - set(refused if len(refused) == 1 else b"")
    steps = [_KeyByte(bytes)] * part.codec.length.least
    return steps if part.fixed is not None else [*steps, _KeyByte(bytes, repeats=True)]


def _onwards(a: _Path, b: _Path, i: int, j: int) -> Iterator[tuple[int, int]]:
    """The pairs of places that follow a pair, in a key that is one of both."""
    one, other = a.begins.get(i), b.begins.get(j)
    if one and other:
        if one.rest.most < other.rest.least or other.rest.most < one.rest.least:
            return
        if cut_alike(one.rest, other.rest):
            if _may_be_equal(one.rest.fields[0], other.rest.fields[0]):
                yield one.end, other.end
            return
    step, beside = a.steps[i], b.steps[j]
    if step.repeats:
        yield i + 1, j
    if beside.repeats:
        yield i, j + 1
    if not step.bytes.isdisjoint(beside.bytes):
        yield i + (not step.repeats), j + (not beside.repeats)


def _may_be_equal(a: KeyField, b: KeyField) -> bool:
    """Whether the bytes of one field may be those of the other."""
    if a.constant is not None:
        return _reads(b.codec, a.literal)
    if b.constant is not None:
        return _reads(a.codec, b.literal)
    one, other = a.codec.length, b.codec.length
    if one.most < other.least or other.most < one.least:
        return False
    return not (one.least or other.least) or not a.codec.alphabet.isdisjoint(b.codec.alphabet)


def _reads(codec: KeyCodec[Any], raw: bytes) -> bool:
    try:
        codec.decode(raw)
    except Exception:
        # Whatever a codec of the user's raises for bytes that are none of its own.
        return False
    return True


def neighbours(models: Sequence[ModelSchema]) -> Iterator[tuple[ModelSchema, ModelSchema]]:
    """The pairs of ``models``, in their order, but for those that constants in one place distinguish.

    Behind the fields that all of the models have in common, keys that go on with constants
    of which neither begins the other are never the same.
    """
    place = _in_common(models)
    order = {id(model): number for number, model in enumerate(models)}
    beginnings: dict[int, bytes] = {}
    for number, model in enumerate(models):
        beginning = _beginning(model, place)
        if beginning:
            beginnings[number] = beginning
    open_ended = [model for number, model in enumerate(models) if number not in beginnings]
    constant = [models[number] for number in beginnings]
    pairs = [*combinations(open_ended, 2), *product(open_ended, constant)]
    for group in _of_one_beginning(models, beginnings):
        pairs += combinations(group, 2)
    ordered = (sorted(pair, key=lambda model: order[id(model)]) for pair in pairs)
    for first, second in sorted(ordered, key=lambda pair: [order[id(model)] for model in pair]):
        yield first, second


def _in_common(models: Sequence[ModelSchema]) -> int:
    """How many fields in front are the same in all, and end at the same byte, with one delimiter behind each."""
    count = min((common(models[0].key, other.key) for other in models[1:]), default=0)
    for place in range(count):
        if len({behind(model.key, model.key.fields[place]) for model in models}) > 1:
            return place
    return count


def _beginning(model: ModelSchema, place: int) -> bytes:
    """The constant with which the rest of every key begins; empty if there is none."""
    part = model.key.fields[place] if place < len(model.key.fields) else None
    if part is None or part.constant is None:
        return b""
    # A field that rows may lack goes with the delimiter in front of it.
    return part.literal + (b"" if model.key.optional else behind(model.key, part))


def _of_one_beginning(
    models: Sequence[ModelSchema], beginnings: dict[int, bytes]
) -> Iterator[list[ModelSchema]]:
    """The models in groups in which the shortest beginning begins all others."""
    group: list[ModelSchema] = []
    shortest = b""
    for number in sorted(beginnings, key=lambda number: beginnings[number]):
        if not group or not beginnings[number].startswith(shortest):
            yield group
            group, shortest = [], beginnings[number]
        group.append(models[number])
    yield group
