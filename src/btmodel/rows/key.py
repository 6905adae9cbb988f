"""Row keys: the fields of a model to bytes and back."""

from collections.abc import Iterable, Mapping
from typing import Any

from btmodel.errors import QueryRefused, UndecodableKey, ValueRefused
from btmodel.rows.ranges import RowRange
from btmodel.schema import KeyField, ModelSchema
from btmodel.schema.figures import KEY_BYTES


class RowKeyCodec:
    """Encodes and decodes the row keys of one model.

    A key is taken apart from the left: a field of fixed width by its position, one
    of variable width up to the next delimiter, and the last one of variable width up
    to what the fixed fields behind it need. So only that last one may hold the
    delimiter, which the rule KEY008 sees to.
    """

    def __init__(self, model: ModelSchema) -> None:
        self._model = model.name
        self._key = model.key
        self._delimiter = model.key.delimiter
        self._names = {field.name for field in model.key.asked}
        variable = [field for field in model.key.fields if field.fixed is None]
        self._last_variable = variable[-1] if variable else None
        self._constants = {
            field.name: field.constant.encode() for field in model.key.fields if field.constant
        }

    def encode(self, values: Mapping[str, Any]) -> bytes:
        """The row key of ``values``, a value for each field that is no constant.

        Raises :class:`QueryRefused` for a missing or unknown field and
        :class:`ValueRefused` for a value that does not fit.
        """
        if values.keys() != self._names:
            raise QueryRefused(misfit(f"{self._model}: a row key", self._names, values))
        return self.key(values)

    def key(self, values: Mapping[str, Any]) -> bytes:
        """The row key of ``values``, which may hold more than the key's fields."""
        key = self._delimiter.join([self.part(field, values) for field in self._key.fields])
        if not 0 < len(key) <= KEY_BYTES:
            raise ValueRefused(f"a row key of 1 to {KEY_BYTES} bytes", key, where=self._model)
        return key

    def prefix(self, fields: tuple[KeyField, ...], values: Mapping[str, Any]) -> bytes:
        """The bytes that every key begins with whose leading ``fields`` have these values.

        It ends with the delimiter, so that ``phone#4c`` never reaches ``phone#4c41``.
        """
        parts = [self.part(field, values) for field in fields]
        if len(fields) < len(self._key.fields):
            parts.append(b"")
        return self._delimiter.join(parts)

    def part(self, field: KeyField, values: Mapping[str, Any]) -> bytes:
        """The bytes of one field."""
        if field.constant:
            return self._constants[field.name]
        value = values[field.name]
        try:
            raw: bytes = field.codec.encode(value)
        except ValueRefused as error:
            raise error.at(f"{self._model}.{field.name}") from None
        self.check_delimiter(field, raw, value)
        return raw

    def bound(self, field: KeyField, value: Any) -> bytes | None:
        """The bytes of one end of a range over ``field``; None where every value of it is below ``value``."""
        try:
            raw: bytes | None = field.codec.bound(value)
        except ValueRefused as error:
            raise error.at(f"{self._model}.{field.name}") from None
        if raw is not None:
            self.check_delimiter(field, raw, value)
        return raw

    def range(self, whole: RowRange, field: KeyField, start: Any, end: Any) -> RowRange | None:
        """The keys of the prefix ``whole`` with ``start <= field < end``; None where there can be none.

        An end that is None is open.
        """
        low = b"" if start is None else self.bound(field, start)
        high = None if end is None else self.bound(field, end)
        if low is None:
            return None
        rows = RowRange(whole.start + low, whole.end if high is None else whole.start + high)
        return None if rows.empty else rows

    def check_delimiter(self, field: KeyField, raw: bytes, value: object) -> None:
        """Refuse a value whose bytes would be taken for the end of the field."""
        if not self._key.refuses_delimiter(field):
            return
        if self._blurred(raw):
            wanted = f"a value without the delimiter {self._delimiter.decode(errors='replace')!r}"
            raise ValueRefused(wanted, value, where=f"{self._model}.{field.name}")

    def _blurred(self, raw: bytes) -> bool:
        """Whether the delimiter begins before ``raw`` ends: of a longer one, its end may be the beginning."""
        return (raw + self._delimiter).find(self._delimiter) != len(raw)

    def decode(self, raw: bytes) -> dict[str, Any]:
        """The fields of a row key, constants left out. Raises :class:`UndecodableKey`."""
        if not 0 < len(raw) <= KEY_BYTES:
            raise UndecodableKey(self._model, raw, f"wanted 1 to {KEY_BYTES} bytes")
        values: dict[str, Any] = {}
        for field, part in self.split(raw):
            try:
                value = field.codec.decode(part)
            except (ValueError, OverflowError) as error:
                raise UndecodableKey(self._model, raw, f"{field.name}: {error}") from None
            if not field.constant:
                values[field.name] = value
        return values

    def split(self, raw: bytes) -> list[tuple[KeyField, bytes]]:
        """The fields of a row key, each with its bytes."""
        parts: list[tuple[KeyField, bytes]] = []
        at = 0
        for index, field in enumerate(self._key.fields):
            end = self._end(raw, at, index)
            parts.append((field, raw[at:end]))
            at = end
            if index < len(self._key.fields) - 1:
                if not raw.startswith(self._delimiter, at):
                    raise UndecodableKey(self._model, raw, f"no delimiter at byte {at}, after {field.name}")
                at += len(self._delimiter)
        if at != len(raw):
            raise UndecodableKey(self._model, raw, f"{len(raw) - at} bytes too many at the end")
        return parts

    def _end(self, raw: bytes, at: int, index: int) -> int:
        field = self._key.fields[index]
        if field.fixed is not None:
            end = at + field.fixed
        elif field is self._last_variable:
            behind = self._key.fields[index + 1 :]
            end = len(raw) - sum(part.codec.length.most + len(self._delimiter) for part in behind)
        else:
            end = raw.find(self._delimiter, at)
        if not at <= end <= len(raw):
            raise UndecodableKey(self._model, raw, f"it ends before {field.name} does")
        if self._key.refuses_delimiter(field) and self._blurred(raw[at:end]):
            raise UndecodableKey(self._model, raw, f"more delimiters than fields, at {field.name}")
        return end


def misfit(what: str, wanted: set[str], given: Iterable[str]) -> str:
    """A message for a call that gave the wrong fields."""
    came = set(given)
    parts = [f"{what} takes {', '.join(sorted(wanted)) or 'no fields'}"]
    if wanted - came:
        parts.append(f"missing: {', '.join(sorted(wanted - came))}")
    if came - wanted:
        parts.append(f"unknown: {', '.join(sorted(came - wanted))}")
    return "; ".join(parts)
