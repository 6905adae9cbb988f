"""The pairs of models of one table whose rows may meet, without holding every model against every other."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from btmodel.lint.apart import behind, common
from btmodel.schema import ModelSchema


def neighbours(models: Sequence[ModelSchema]) -> Iterator[tuple[ModelSchema, ModelSchema]]:
    """The pairs of ``models``, in their order, but for those that constants in one place tell apart.

    Behind the fields that all of the models have in common, keys that go on with constants
    of which neither begins the other are never the same.
    """
    place = _in_common(models)
    order = {id(model): number for number, model in enumerate(models)}
    told: dict[int, bytes] = {}
    for number, model in enumerate(models):
        beginning = _beginning(model, place)
        if beginning:
            told[number] = beginning
    open_ended = [model for number, model in enumerate(models) if number not in told]
    constant = [models[number] for number in told]
    pairs = [*combinations(open_ended, 2), *product(open_ended, constant)]
    for group in _of_one_beginning(models, told):
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
    """What the rest of every key begins with; empty where that is no constant."""
    part = model.key.fields[place] if place < len(model.key.fields) else None
    if part is None or part.constant is None:
        return b""
    # A field that rows may lack goes with the delimiter in front of it.
    return part.constant.encode() + (b"" if model.key.optional else behind(model.key, part))


def _of_one_beginning(models: Sequence[ModelSchema], told: dict[int, bytes]) -> Iterator[list[ModelSchema]]:
    """The models in groups in which the shortest beginning begins all others."""
    group: list[ModelSchema] = []
    shortest = b""
    for number in sorted(told, key=lambda number: told[number]):
        if not group or not told[number].startswith(shortest):
            yield group
            group, shortest = [], told[number]
        group.append(models[number])
    yield group
