"""The bytes of a GC rule as the service stores it, by the wire format of Protocol Buffers.

A rule is a message ``GcRule`` of google/bigtable/admin/v2/table.proto: one of
``max_num_versions`` (1, a number), ``max_age`` (2, a ``Duration``), ``intersection`` (3) and ``union`` (4),
which hold rules themselves (1). All these field numbers take one byte.
"""

from datetime import timedelta

from btmodel.schema.gc import GcRule, Intersection, MaxAge, MaxVersions, Union, simplified

_SECOND = timedelta(seconds=1)
_NANOS = 1_000
_TAG = 1


def serialized_size(rule: GcRule) -> int:
    """The bytes of ``rule`` as a message; 0 where it keeps everything, which is no rule there."""
    return _size(simplified(rule))


def _size(rule: GcRule) -> int:
    match rule:
        case MaxVersions(versions):
            return _TAG + _number(versions)
        case MaxAge(age):
            return _message(_field(age // _SECOND) + _field((age % _SECOND).microseconds * _NANOS))
        case Union(rules) | Intersection(rules):
            return _message(sum(_message(_size(part)) for part in rules))
        case _:
            return 0


def _number(value: int) -> int:
    """Seven bits of a number lie in a byte."""
    return max(1, -(-value.bit_length() // 7))


def _field(value: int) -> int:
    """The bytes of a number in a message: a field of 0 is left out."""
    return _TAG + _number(value) if value else 0


def _message(size: int) -> int:
    """The bytes of a message of this size in another one, its length in front."""
    return _TAG + _number(size) + size
