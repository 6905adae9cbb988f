"""Column families as the service speaks them, both ways."""

from typing import cast

from attrs import frozen
from google.cloud.bigtable_admin_v2.types import ColumnFamily as Message
from google.cloud.bigtable_admin_v2.types import Type

from btmodel.client import gc
from btmodel.schema import Aggregate, Family


@frozen
class OtherAggregate:
    """How a live family aggregates, where that is none of ours.

    Never declared: it stands for what the service calls ``value``, and is equal to no
    :class:`Aggregate`.
    """

    value: str


def from_message(id: str, message: Message) -> Family:
    """The family called ``id`` that ``message`` states."""
    return Family(id, gc.from_message(message.gc_rule), _aggregate(Message.pb(message).value_type))


def to_message(family: Family) -> Message:
    """``family`` as a message; the sums, minima and maxima of an aggregate are 64-bit big-endian integers."""
    message = Message(gc_rule=gc.to_message(family.gc))
    if family.aggregate is not None:
        aggregate = Message.pb(message).value_type.aggregate_type
        aggregate.input_type.int64_type.encoding.big_endian_bytes.SetInParent()
        getattr(aggregate, family.aggregate.value).SetInParent()
    return message


def _aggregate(value_type: Type) -> Aggregate | None:
    """How values of a raw ``Type`` aggregate; None where they are plain cells."""
    if not value_type.HasField("aggregate_type"):
        return None
    aggregate = value_type.aggregate_type
    name = aggregate.WhichOneof("aggregator") or "nothing"
    if name in [one.value for one in Aggregate] and aggregate.input_type.HasField("int64_type"):
        return Aggregate(name)
    return cast("Aggregate", OtherAggregate(name))
