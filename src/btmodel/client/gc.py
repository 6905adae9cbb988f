"""GC rules as the service speaks them, both ways."""

from collections.abc import Iterator
from datetime import timedelta
from typing import cast

from attrs import frozen
from google.cloud.bigtable_admin_v2.types import GcRule as Message

from btmodel.schema import GcRule, Intersection, KeepAll, MaxAge, MaxVersions, Union
from btmodel.schema.gc import simplified

_LEAST_AGE = timedelta(milliseconds=1)


@frozen(str=False)
class DeleteAll(GcRule):
    """Deletes every cell.

    Never declared: it stands for a live limit that the service refuses (no versions,
    an age under 1 ms), and that an emulator stores all the same.
    """

    def deletes(self, age: timedelta, rank: int) -> bool:
        """Always."""
        return True

    def thresholds(self) -> Iterator[MaxAge | MaxVersions]:
        """None."""
        yield from ()

    def __str__(self) -> str:
        return "nothing"


def from_message(message: Message) -> GcRule:
    """The rule that ``message`` states; one that is unset or empty keeps everything."""
    kind = Message.pb(message).WhichOneof("rule")
    match kind:
        case "max_num_versions":
            return MaxVersions(message.max_num_versions) if message.max_num_versions > 0 else DeleteAll()
        case "max_age":
            age = cast("timedelta", message.max_age)  # proto-plus gives a Duration as a timedelta
            return MaxAge(age) if age >= _LEAST_AGE else DeleteAll()
        case "union":
            parts = tuple(map(from_message, message.union.rules))
            return Union(parts) if parts else KeepAll()
        case "intersection":
            parts = tuple(map(from_message, message.intersection.rules))
            return Intersection(parts) if parts else KeepAll()
        case _:
            return KeepAll()


def to_message(rule: GcRule | None) -> Message | None:
    """``rule`` as a message; None, which leaves the field unset, where it keeps everything."""
    return None if rule is None else _message(simplified(rule))


def _message(rule: GcRule) -> Message | None:
    match rule:
        case KeepAll():
            return None
        case MaxVersions(versions):
            return _new(max_num_versions=versions)
        case MaxAge(age):
            return _new(max_age=age)
        case Union(rules):
            return _new(union=Message.Union(rules=[_message(part) for part in rules]))
        case Intersection(rules):
            return _new(intersection=Message.Intersection(rules=[_message(part) for part in rules]))
        case _:
            raise TypeError(f"a GC rule that cannot be declared: {rule!r}")


def _new(**rule: object) -> Message:
    return Message(**rule)  # type: ignore[no-untyped-call]
