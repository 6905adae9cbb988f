"""Column families as the service speaks them, both ways."""

from typing import cast

from attrs import frozen
from google.cloud.bigtable_admin_v2.types import ColumnFamily as Message
from google.cloud.bigtable_admin_v2.types import Type

from btmodel.client import gc
from btmodel.schema import Aggregate, Family

# proto-plus keeps clear of Python's own min and max.
_FIELDS = {Aggregate.SUM: "sum", Aggregate.MIN: "min_", Aggregate.MAX: "max_"}
_BIG_ENDIAN = Type.Int64.Encoding(big_endian_bytes=Type.Int64.Encoding.BigEndianBytes())


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
    rule = gc.to_message(family.gc)
    if family.aggregate is None:
        return Message(gc_rule=rule)
    number = Type(int64_type=Type.Int64(encoding=_BIG_ENDIAN))
    aggregate = Type.Aggregate({"input_type": number, _FIELDS[family.aggregate]: {}})
    return Message(gc_rule=rule, value_type=Type(aggregate_type=aggregate))


def _aggregate(value_type: Type) -> Aggregate | None:
    """How values of a raw ``Type`` aggregate; None where they are plain cells."""
    if not value_type.HasField("aggregate_type"):
        return None
    aggregate = value_type.aggregate_type
    field = aggregate.WhichOneof("aggregator") or "nothing"
    for ours, name in _FIELDS.items():
        if field == name and aggregate.input_type.HasField("int64_type"):
            return ours
    return cast("Aggregate", OtherAggregate(field))
