"""Scenarios: the models that are simulated together; and alternatives to a model: with a salt, with another bucket, or with the proposed key."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from attrs import evolve, frozen

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import DateText, Descending, IsoWeek, KeyCodec, Order, PaddedInt, TimeText
from btmodel.design.advice import price, steps_to
from btmodel.design.candidates import salt_of
from btmodel.design.keys import salt_declaration
from btmodel.design.keys import salted as behind_constants
from btmodel.design.proposal import Design, proposals, proposed
from btmodel.design.spread import MOST_SALTS, buckets_of
from btmodel.errors import SimulationRefused, ValueRefused
from btmodel.estimates import timed
from btmodel.lint import review
from btmodel.rows import RowKeyCodec
from btmodel.schema import Bucket, Column, Derived, KeepAll, KeyField, ModelSchema, RowKey, Shape
from btmodel.schema.bucket import bucket_of
from btmodel.simulate.workload import Workload
from btmodel.words import counted


@frozen
class Scenario:
    """Workloads that share a cluster, and the name of the scenario in a comparison."""

    name: str
    workloads: tuple[Workload, ...]


def declared(workloads: Iterable[Workload]) -> Scenario:
    """The models as they are declared."""
    found = tuple(workloads)
    return Scenario(found[0].model.name if len(found) == 1 else "as declared", found)


def alternatives(
    workload: Workload,
    others: Sequence[ModelSchema],
    salts: Sequence[int],
    buckets: Sequence[Bucket],
    workload_of: Callable[[ModelSchema], Workload],
) -> Iterator[Scenario]:
    """Each of ``others`` instead of the model, then the model with salts, then with buckets.

    ``workload_of`` makes the workloads of the others. Raises :class:`SimulationRefused` for an impossible
    alternative.
    """
    for other in others:
        alternative = evolve(workload_of(other), keys=_keys(workload, other))
        yield Scenario(other.name, (alternative,))
    for count in salts:
        made = salted(workload.model, count)
        yield Scenario(f"salt of {count:,}", (_with(workload, made),))
    for bucket in buckets:
        made = bucketed(workload.model, bucket)
        article = "an" if bucket is Bucket.HOUR else "a"
        yield Scenario(f"a row {article} {bucket.value}", (_with(workload, made),))


def _with(workload: Workload, model: ModelSchema) -> Workload:
    return evolve(workload, model=model, keys=_keys(workload, model), declared=None)


def _keys(workload: Workload, model: ModelSchema) -> tuple[bytes, ...] | None:
    return None if workload.keys is None else rekeyed(workload.keys, workload.model, model)


@frozen
class Checksum:
    """A number from 0 up to ``buckets``, computed from bytes like the result of ``bt.salt``."""

    buckets: int

    def __call__(self, *parts: bytes) -> int:
        """The number of these parts, in this order."""
        return zlib.crc32(b"\0\1".join(parts)) % self.buckets


_CODECS: dict[Bucket, KeyCodec[Any]] = {
    Bucket.MINUTE: TimeText("%Y%m%d%H%M"),
    Bucket.HOUR: TimeText("%Y%m%d%H"),
    Bucket.DAY: DateText("%Y%m%d"),
    Bucket.WEEK: IsoWeek(),
    Bucket.MONTH: DateText("%Y%m"),
    Bucket.YEAR: DateText("%Y"),
}


def bucketed(model: ModelSchema, bucket: Bucket) -> ModelSchema:
    """``model`` with one row per ``bucket`` of time, in which events are versions of cells.

    Raises :class:`SimulationRefused` for a key without a time.
    """
    if model.bucket is bucket:
        return model
    times = timed(model)
    time = model.bucket_field or (times[-1] if times else None)
    if time is None:
        raise SimulationRefused(
            f"{model.name}: expected a time in `{model.key.shape}` to take a {bucket.value} of, got none"
        )
    cut = evolve(time, codec=_codec(time, bucket), mirror=None, cardinality=None)
    fields = tuple(cut if part == time else _following(part, time) for part in model.key.fields)
    return evolve(
        model,
        key=RowKey(fields, model.key.delimiter),
        families=tuple(evolve(family, gc=KeepAll()) for family in model.families)
        if model.bucket is None
        else model.families,
        columns=tuple(map(_gathered, model.columns)),
        bucket=bucket,
    )


def _codec(time: KeyField, bucket: Bucket) -> KeyCodec[Any]:
    codec = _CODECS[bucket]
    return Descending(codec) if time.codec.order is Order.DESCENDING else codec


def _following(part: KeyField, time: KeyField) -> KeyField:
    """``part``, derived from the bucket if a function of the time alone derived it."""
    derived = part.derived
    if derived is None or time.name not in derived.of or derived.of_bytes or derived.values is None:
        return part
    return evolve(part, derived=evolve(derived, by=_Among(derived.values), of_bytes=True))


class _Among:
    """One of some values, chosen by a checksum of bytes."""

    def __init__(self, values: tuple[Any, ...]) -> None:
        self._values = values
        self._at = Checksum(len(values))

    def __call__(self, *parts: bytes) -> Any:
        return self._values[self._at(*parts)]


def _gathered(column: Column) -> Column:
    """A column of one event, turned into a column of all events of a row."""
    if column.slots is not None:
        expected = evolve(column.expected, every=column.slots.every)
        return evolve(column, shape=Shape.HISTORY, slots=None, expected=expected)
    if column.shape.plain and not is_class(column.codec.python_type, date):
        return evolve(column, shape=Shape.HISTORY)
    return column


def salted(model: ModelSchema, buckets: int) -> ModelSchema:
    """``model`` with a salt of ``buckets`` values in front, instead of its own salts.

    The salt is derived from the time, or from the field with the most values if there is no time. Raises
    :class:`SimulationRefused`.
    """
    if not 1 <= buckets <= MOST_SALTS:
        raise SimulationRefused(
            f"{model.name}: expected a salt of 1 to {counted(MOST_SALTS, 'value')}, got {buckets!r}"
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
    """``salt`` of ``buckets`` values with a function that computes them; a proposed salt has none."""
    assert salt.derived is not None
    derived = Derived(salt.derived.of, Checksum(buckets), tuple(range(buckets)), of_bytes=True)
    return evolve(salt, codec=PaddedInt(len(str(buckets - 1))), cardinality=buckets, derived=derived)


# Assumed for a field without a declared cardinality, in a key that is only proposed.
ASSUMED_VALUES = 100_000


@frozen
class Fixed:
    """A proposed model, the change and its cost in words, and the fields for which ``ASSUMED_VALUES`` was used."""

    model: ModelSchema
    words: str
    price: str
    assumed: tuple[str, ...]


_OF_SPREAD = ("KEY001", "KEY002", "KEY003")


def fixed(model: ModelSchema) -> Fixed | None:
    """The key to which the review leads by a fix that it has proved, or, where it finds none, the proposed one.

    None if the model already has it.
    """
    found = [finding.models[0] for finding in review(model) if finding.rule in _OF_SPREAD and finding.models]
    designs = {design.key.fields: design for design in proposals(model)}
    design = next((designs[made.key.fields] for made in found if made.key.fields in designs), None)
    if design is None and found:
        return _of_key(model, found[0])
    design = design or proposed(model)
    if design.key.fields == model.key.fields:
        return None
    fields = tuple(_working(model, design, part) for part in design.key.fields)
    guessed = tuple(
        part.name
        for part, before in zip(fields, design.key.fields, strict=True)
        if part.cardinality != before.cardinality and part.derived is None
    )
    made = evolve(design.model, key=RowKey(fields, model.key.delimiter))
    return Fixed(made, steps_to(model, design), price(model, design).strip(" ;()"), guessed)


def _of_key(model: ModelSchema, made: ModelSchema) -> Fixed:
    """The model with a key that is none of the proposed ones, such as a salt of ids that are looked for alone."""
    fields = tuple(
        working(part, len(part.derived.values))
        if part.derived and part.derived.values and part not in model.key.fields
        else part
        for part in made.key.fields
    )
    fixed = evolve(made, key=RowKey(fields, made.key.delimiter))
    return Fixed(fixed, f"make the key `{made.key.shape}`", "", ())


def with_salt(model: ModelSchema, nodes: int) -> Fixed | None:
    """``model`` with a salt value per node; None if a field has as many already, or if there is nothing to derive it from."""
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
    price = f"each read that does not give `{salt.name}` is then {nodes} reads, merged"
    return Fixed(made, f"put `{salt_declaration(salt)}` in front", price, ())


def _working(model: ModelSchema, design: Design, part: KeyField) -> KeyField:
    if part == design.salt:
        return working(part, buckets_of(model))
    new = part.name == design.invented or (design.column is not None and part.name == design.column.name)
    if new and part.cardinality is None:
        return evolve(part, cardinality=ASSUMED_VALUES)
    return part


def rekeyed(keys: tuple[bytes, ...], model: ModelSchema, other: ModelSchema) -> tuple[bytes, ...]:
    """``keys`` of ``model``, as ``other`` would write them.

    Raises :class:`SimulationRefused` if that takes a field that the keys do not contain.
    """
    held = {part.name for part in model.key.asked}
    wanted = {part.name for part in other.key.asked} | set(other.key.hashed)
    if wanted - held:
        raise SimulationRefused(
            f"{other.name}: keys of {model.name} lack `{'`, `'.join(sorted(wanted - held))}`, "
            f"which `{other.key.shape}` is made of"
        )
    reader, writer = RowKeyCodec(model), RowKeyCodec(other)
    try:
        return tuple(writer.key(_fitted(reader.decode(key), other)) for key in keys)
    except ValueRefused as error:
        raise SimulationRefused(f"a key of {model.name} does not fit {other.name}: {error}") from None


def _fitted(values: dict[str, Any], other: ModelSchema) -> dict[str, Any]:
    return {part.name: _cut(part, values[part.name]) for part in other.key.asked}


def _cut(part: KeyField, value: Any) -> Any:
    """A time, rounded down to the precision of the field."""
    granularity = part.codec.granularity
    coarse = isinstance(granularity, timedelta) or granularity in [bucket.value for bucket in Bucket]
    if not isinstance(value, datetime) or not coarse:
        return value
    start = bucket_of(granularity).start(value)
    kind = part.codec.python_type
    return start.date() if is_class(kind, date) and not is_class(kind, datetime) else start
