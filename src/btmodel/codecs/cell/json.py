"""JSON documents in cells."""

import json
from typing import Any, TypeVar

from attrs import field, frozen

from btmodel.codecs.byte_set import UTF8, ByteSet, literal, many, one_of, sequence
from btmodel.codecs.cell.base import CellCodec
from btmodel.codecs.cell.json_entries import document_entries
from btmodel.codecs.cell.json_forms import Form, Misfit, form_of
from btmodel.codecs.cell.record import is_record
from btmodel.errors import ValueRefused, shown

T = TypeVar("T")

_SPACE = many(one_of(b" \t\n\r"))


@frozen
class Json(CellCodec[T]):
    """A JSON document: UTF-8, without spaces, keys and fields in the order of the value.

    ``of`` is the type of the values: ``dict[str, X]``, ``list[X]``, ``tuple[X, ...]``, a class of attrs, a
    dataclass or a NamedTuple. Inside may also stand None, bool, int, finite floats, str, Enum (its value),
    Decimal, datetime (ISO, in UTC), date, UUID and bytes (base64), these as text, ``X | None``, and Any for
    whatever JSON itself has.

    Every part is held against its type, both on writing and on reading: ``1.5`` or ``True`` in a field of int is
    refused, not converted, and so is a key that the class lacks, since writing it back would lose it. A
    field that is absent has its default, so that a class may gain fields.
    """

    of: type[T]
    _form: Form = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_form", form_of(self.of))  # computed once; the class is frozen

    def __reduce__(self) -> tuple[Any, ...]:
        return Json, (self.of,)  # the form is functions, which a pickle does not hold

    @property
    def python_type(self) -> type:
        """The type, without what its values hold: ``dict`` of ``dict[str, int]``."""
        cls: type = getattr(self.of, "__origin__", self.of)
        return cls

    @property
    def typical_size(self) -> int:
        """An assumption."""
        return 128

    @property
    def reads(self) -> ByteSet:
        """UTF-8 text, in braces or brackets where it is an object or a list, and what JSON allows around it."""
        cls = self.python_type
        if cls is dict or is_record(cls):
            return sequence(_SPACE, literal(b"{"), UTF8, literal(b"}"), _SPACE)
        if cls in (list, tuple):
            return sequence(_SPACE, literal(b"["), UTF8, literal(b"]"), _SPACE)
        return UTF8

    @property
    def stated(self) -> tuple[str, ...]:
        """The type in full, with the fields of its classes and the members of its enums."""
        return document_entries(self.of)

    @property
    def meaning(self) -> str:
        """In words."""
        return f"JSON of {self.of.__name__ if self.of is self.python_type else self.of}"

    def encode(self, value: T) -> bytes:
        """The document."""
        try:
            tree = self._form.write(value)
            return json.dumps(tree, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        except Misfit as misfit:
            got = f" (not {shown(misfit.got)})" if misfit.place else ""
            raise ValueRefused(f"{misfit.wanted} at ${misfit.place}{got}", value) from None
        except RecursionError:
            raise ValueRefused("a document that is nested less deeply", value) from None

    def decode(self, raw: bytes) -> T:
        """The value. The error names the place in the document that does not fit."""
        try:
            tree = json.loads(raw.decode(), parse_constant=_no_number, object_pairs_hook=_unique)
            value: T = self._form.read(tree)
        except RecursionError:
            raise ValueError("wanted a document that is nested less deeply") from None
        return value


def _no_number(name: str) -> Any:
    raise ValueError(f"wanted JSON, which has no {name}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of a key that comes twice, one value would be lost."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError(f"wanted each key once, got {shown([name for name, _ in pairs])}")
    return made
