"""The key that the review proposes for a model, so that it can be simulated."""

from attrs import evolve, frozen

from btmodel.errors import SimulationRefused
from btmodel.lint.candidates import buckets_of
from btmodel.lint.design import Design, proposed
from btmodel.lint.proposals import price, salt_declaration, steps_to
from btmodel.schema import KeyField, ModelSchema, RowKey
from btmodel.simulate.alternatives.salted import salted, working

# Of a field whose values nobody has counted, for a key that is only proposed.
ASSUMED_VALUES = 100_000


@frozen
class Mended:
    """A proposed model, how to come to it and what that costs in words, and which of its fields were given ``ASSUMED_VALUES``."""

    model: ModelSchema
    words: str
    price: str
    assumed: tuple[str, ...]


def mended(model: ModelSchema) -> Mended | None:
    """The proposed key of ``model``; None where it is the one that it has."""
    design = proposed(model)
    if design.key.fields == model.key.fields:
        return None
    fields = tuple(_working(model, design, part) for part in design.key.fields)
    guessed = tuple(
        part.name
        for part, before in zip(fields, design.key.fields, strict=True)
        if part.cardinality != before.cardinality and part.derived is None
    )
    made = evolve(design.model, key=RowKey(fields, model.key.delimiter))
    return Mended(made, steps_to(model, design), price(model, design).strip(" ;()"), guessed)


def with_salt(model: ModelSchema, nodes: int) -> Mended | None:
    """``model`` with a salt for each node, where no field does; None where it has as many, or nothing to salt by."""
    if (
        any(part.derived and len(part.derived.values or ()) >= nodes for part in model.key.fields)
        or nodes < 2
    ):
        return None
    try:
        made = salted(model, nodes)
    except SimulationRefused:
        return None
    salt = next(part for part in made.key.fields if part.derived and part.derived.values)
    price = f"each read that does not tell `{salt.name}` is then {nodes} reads, merged"
    return Mended(made, f"put `{salt_declaration(salt)}` in front", price, ())


def _working(model: ModelSchema, design: Design, part: KeyField) -> KeyField:
    if part == design.salt:
        return working(part, buckets_of(model))
    new = part.name == design.invented or (design.column is not None and part.name == design.column.name)
    if new and part.cardinality is None:
        return evolve(part, cardinality=ASSUMED_VALUES)
    return part
