"""Column families as the service speaks them, both ways."""

import json
from typing import Any, cast

from google.cloud.bigtable_admin_v2.types import ColumnFamily as Message
from google.cloud.bigtable_admin_v2.types import Type
from google.protobuf import json_format

from btmodel.client import gc
from btmodel.schema import Aggregate, Family
from btmodel.schema.family import OtherAggregate

# proto-plus keeps clear of Python's own min and max.
_FIELDS = {Aggregate.SUM: "sum", Aggregate.MIN: "min_", Aggregate.MAX: "max_"}
_BIG_ENDIAN = Type.Int64.Encoding(big_endian_bytes=Type.Int64.Encoding.BigEndianBytes())


def from_message(id: str, message: Message) -> Family:
    """The family called ``id`` that ``message`` states."""
    raw = Message.pb(message).value_type
    kind = raw.WhichOneof("kind")
    aggregate = _aggregate(raw.aggregate_type) if kind == "aggregate_type" else None
    # Cells of bytes are plain cells, whether or not that is said.
    ours = isinstance(aggregate, Aggregate) or kind in (None, "bytes_type")
    rule = gc.from_message(message.gc_rule)
    return Family(id, rule, cast("Aggregate", aggregate), value_type=None if ours else _text(raw))


def to_message(family: Family) -> Message:
    """``family`` as a message; the sums, minima and maxima of an aggregate are 64-bit big-endian integers."""
    rule = gc.to_message(family.gc)
    if family.value_type is not None:
        return Message(gc_rule=rule, value_type=Type.from_json(family.value_type))
    if family.aggregate is None:
        return Message(gc_rule=rule)
    number = Type(int64_type=Type.Int64(encoding=_BIG_ENDIAN))
    aggregate = Type.Aggregate({"input_type": number, _FIELDS[family.aggregate]: {}})
    return Message(gc_rule=rule, value_type=Type(aggregate_type=aggregate))


def _aggregate(aggregate: Any) -> Aggregate | OtherAggregate:
    """How values of a raw ``Type.Aggregate`` aggregate."""
    named = aggregate.WhichOneof("aggregator") or "nothing"
    for ours, name in _FIELDS.items():
        if named == name and aggregate.input_type.HasField("int64_type"):
            return ours
    return OtherAggregate(named)


def _text(value_type: Any) -> str:
    """A raw ``Type`` as JSON, without what the service adds to it."""
    type_ = json_format.MessageToDict(value_type)
    type_.get("aggregateType", {}).pop("stateType", None)
    return json.dumps(type_, sort_keys=True, ensure_ascii=False)
