"""Real keys of one model as those of another, with the same fields in other places."""

from datetime import date, datetime
from typing import Any

from btmodel.codecs.classes import is_class
from btmodel.errors import SimulationRefused, ValueRefused
from btmodel.rows import RowKeyCodec
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.bucket import Bucket


def rekeyed(keys: tuple[bytes, ...], model: ModelSchema, other: ModelSchema) -> tuple[bytes, ...]:
    """``keys``, which are those of ``model``, as ``other`` would write them.

    Raises :class:`SimulationRefused` where that needs a field that they do not hold.
    """
    held = {part.name for part in model.key.asked}
    wanted = {part.name for part in other.key.asked} | set(other.key.hashed)
    if wanted - held:
        raise SimulationRefused(
            f"{other.name}: keys of {model.name} do not tell `{'`, `'.join(sorted(wanted - held))}`, "
            f"which `{other.key.shape}` is made of"
        )
    reader, writer = RowKeyCodec(model), RowKeyCodec(other)
    try:
        return tuple(writer.key(_fitted(reader.decode(key), other)) for key in keys)
    except ValueRefused as error:
        raise SimulationRefused(f"a key of {model.name} is none of {other.name}: {error}") from None


def _fitted(values: dict[str, Any], other: ModelSchema) -> dict[str, Any]:
    return {part.name: _cut(part, values[part.name]) for part in other.key.asked}


def _cut(part: KeyField, value: Any) -> Any:
    """A time as coarse as the field tells it."""
    names = [bucket.value for bucket in Bucket]
    if not isinstance(value, datetime) or part.codec.granularity not in names:
        return value
    start = Bucket.parse(part.codec.granularity).start(value)
    kind = part.codec.python_type
    return start.date() if is_class(kind, date) and not is_class(kind, datetime) else start
