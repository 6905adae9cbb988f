"""What decides how the values of a type stand in a JSON document, entry by entry: what is recorded of it."""

import typing
from enum import Enum
from types import NoneType, UnionType
from typing import Any

from btmodel.codecs.cell.record import is_record, record_fields, value_text


def document_entries(annotation: Any) -> tuple[str, ...]:
    """The type itself, the fields of the classes inside, ``Line.n: int = 1``, and members, ``Side.BUY = 'B'``."""
    walk = _Walk()
    return (walk.spelt(annotation), *walk.entries)


class _Walk:
    """The classes that were met, each with a name of its own, and what is said of them."""

    def __init__(self) -> None:
        self.names: dict[type, str] = {}
        self.entries: list[str] = []

    def spelt(self, annotation: Any) -> str:
        """The annotation as text; what it says of classes becomes entries."""
        origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
        if origin in (typing.Union, UnionType):
            return f"{self.spelt(inner[inner[0] is NoneType])} | None"
        if origin is not None:
            parts = ("..." if one is ... else self.spelt(one) for one in inner)
            return f"{origin.__name__}[{', '.join(parts)}]"
        if not isinstance(annotation, type) or not (issubclass(annotation, Enum) or is_record(annotation)):
            return "None" if annotation in (None, NoneType) else value_text(annotation)
        if annotation not in self.names:
            self.names[annotation] = self._name(annotation)
            if issubclass(annotation, Enum):
                self._enum(annotation)
            else:
                self._record(annotation)
        return self.names[annotation]

    def _name(self, cls: type) -> str:
        """Its own; of two classes of one name, the second has a number."""
        same = sum(one.__qualname__ == cls.__qualname__ for one in self.names)
        return f"{cls.__qualname__}#{same + 1}" if same else cls.__qualname__

    def _enum(self, cls: type[Enum]) -> None:
        self.entries += [f"{self.names[cls]}.{one.name} = {one.value!r}" for one in cls]

    def _record(self, cls: type) -> None:
        hints = typing.get_type_hints(cls)
        for one in record_fields(cls):
            default = "" if one.required else f" = {one.default_text}"
            self.entries.append(f"{self.names[cls]}.{one.name}: {self.spelt(hints[one.name])}{default}")
