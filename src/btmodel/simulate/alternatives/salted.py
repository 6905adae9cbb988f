"""The same model with a salt of another size."""

from attrs import evolve

from btmodel.codecs.key import PaddedInt
from btmodel.counted import counted
from btmodel.errors import SimulationRefused
from btmodel.lint.candidates import salt_of
from btmodel.lint.orders import salted as behind_constants
from btmodel.lint.spread import MOST_SALTS
from btmodel.schema import Derived, KeyField, ModelSchema, RowKey
from btmodel.simulate.alternatives.checksum import Checksum


def salted(model: ModelSchema, buckets: int) -> ModelSchema:
    """``model`` with a salt of ``buckets`` values in front, in the place of those that it has.

    It is made of the time, or of the field with the most values where there is none. Raises :class:`SimulationRefused`.
    """
    if not 1 <= buckets <= MOST_SALTS:
        raise SimulationRefused(
            f"{model.name}: wanted a salt of 1 to {counted(MOST_SALTS, 'value')}, got {buckets!r}"
        )
    plain = tuple(part for part in model.key.fields if not (part.derived and part.derived.values))
    unsalted = evolve(model, key=RowKey(plain, model.key.delimiter))
    proposed = salt_of(unsalted, plain)
    if proposed is None:
        raise SimulationRefused(
            f"{model.name}: nothing in `{unsalted.key.shape}` differs from row to row, to salt by"
        )
    fields = behind_constants(plain, working(proposed, buckets))
    return evolve(model, key=RowKey(fields, model.key.delimiter))


def working(salt: KeyField, buckets: int) -> KeyField:
    """``salt`` of ``buckets`` values, by a function that gives them: one that is only proposed has none."""
    assert salt.derived is not None
    derived = Derived(salt.derived.of, Checksum(buckets), tuple(range(buckets)), of_bytes=True)
    return evolve(salt, codec=PaddedInt(len(str(buckets - 1))), cardinality=buckets, derived=derived)
