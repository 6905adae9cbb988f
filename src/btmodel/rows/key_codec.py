"""Row keys: the fields of a model to bytes and back."""

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Any

from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec, Order
from btmodel.errors import QueryRefused, UndecodableKey, ValueRefused, raised, reason
from btmodel.rows.compiled import FieldsWriter, KeyReader, KeyWriter, fields_writer, key_reader, key_writer
from btmodel.rows.ranges import RowRange, refuse_reversed, successor
from btmodel.schema import Derived, KeyField, ModelSchema
from btmodel.schema.key import begins_within
from btmodel.schema.limits import KEY_BYTES
from btmodel.words import counted

HALF_OPEN = "[)"
_SPACE = 0x20  # nothing that prints sorts below it
# Behind every key that there can be.
END = b"\xff" * (KEY_BYTES + 1)


class RowKeyCodec:
    """Encodes and decodes the row keys of one model.

    A key is taken apart from the left: a field of fixed width by its position, one
    of variable width up to the next delimiter. Only the last one of variable width may
    hold the delimiter, which the rule KEY008 sees to: it ends where the fixed fields
    behind it begin.
    """

    def __init__(self, model: ModelSchema) -> None:
        self._model = model.name
        self._table = model.table
        self._key = model.key
        self._behind = {field.name: model.key.behind(field) for field in model.key.fields}
        self._guarded = {field.name for field in model.key.fields if model.key.refuses_delimiter(field)}
        self._names = dict.fromkeys((*(field.name for field in model.key.asked), *model.key.hashed))
        self._asked = [field.name for field in model.key.asked]
        self._unstored = [field.name for field in model.key.unstored]
        self._optional = model.key.optional
        self._most = min(model.key.bound or KEY_BYTES, KEY_BYTES)
        self._begun: dict[str, tuple[bytes, bytes]] = {}
        self._free = model.key.free
        self._constants = {field.name: field.literal for field in model.key.fields if field.constant}
        sources: dict[str, KeyCodec[Any] | CellCodec[Any]] = {
            field.name: field.codec for field in model.key.asked
        }
        sources |= {column.name: column.codec for column in model.columns if column.name in model.key.hashed}
        self._sources = sources
        self._derived = [(field, field.derived) for field in model.key.fields if field.derived]

    def encode(self, values: Mapping[str, Any]) -> bytes:
        """The row key of ``values``, a value for each field that is no constant.

        Raises :class:`QueryRefused` for a missing or unknown field and
        :class:`ValueRefused` for a value that does not fit.
        """
        if values.keys() != self._names.keys():
            raise QueryRefused(misfit(f"{self._model}: a row key", self._names, values))
        return self.key(values)

    def key(self, values: Mapping[str, Any]) -> bytes:
        """The row key of ``values``, which may hold more than the key's fields."""
        fields = self._key.fields
        if self._optional and values[self._optional.name] is None:
            fields = fields[:-1]
        key = self._joined(fields, values)
        if not 0 < len(key) <= self._most:
            raise ValueRefused(f"a row key of 1 to {self._most} bytes", key, where=self._model)
        return key

    def prefix(self, fields: tuple[KeyField, ...], values: Mapping[str, Any]) -> bytes:
        """The bytes that every key begins with whose leading ``fields`` have these values.

        It ends with the delimiter, so that ``phone#4c`` never reaches ``phone#4c41``.
        """
        raw = self._joined(fields, values)
        return (
            raw + self._behind[fields[-1].name] if fields and fields[-1] is not self._key.fields[-1] else raw
        )

    def length(self, values: Mapping[str, Any]) -> int:
        """The bytes of every key whose fields up to the free one have these values: those behind it have a fixed width."""
        assert self._free is not None
        fields = self._key.fields[: self._key.fields.index(self._free) + 1]
        return len(self._joined(fields, values)) + self._key.after_free

    def _joined(self, fields: tuple[KeyField, ...], values: Mapping[str, Any]) -> bytes:
        parts: list[bytes] = []
        for field in fields:
            parts += (self.part(field, values), self._behind[field.name])
        return b"".join(parts[:-1])

    def part(self, field: KeyField, values: Mapping[str, Any]) -> bytes:
        """The bytes of one field."""
        constant = self._constants.get(field.name)
        if constant is not None:
            return constant
        value = values[field.name] if field.derived is None else self._follows(field, field.derived, values)
        try:
            raw: bytes = field.codec.encode(value)
        except ValueRefused as error:
            raise error.at(f"{self._model}.{field.name}") from None
        except Exception as error:
            raise _raised(error, value, f"{self._model}.{field.name}") from error
        self.check_delimiter(field, raw, value)
        return raw

    def _follows(self, field: KeyField, derived: Derived, values: Mapping[str, Any]) -> Any:
        """The value of a derived field; one that was chosen, to read the rows of each, stands in ``values``."""
        if field.name in values:
            return values[field.name]
        stored = [self._stored(name, values[name], derived) for name in derived.of]
        try:
            value = derived.by(*stored)
        except Exception as error:
            reason = raised(error)
            wanted = f"values of {', '.join(derived.of)} that its function takes (it raised {reason})"
            raise ValueRefused(wanted, stored, where=f"{self._model}.{field.name}") from error
        if derived.values is not None and value not in derived.values:
            wanted = f"one of {', '.join(map(repr, derived.values))} from its function"
            raise ValueRefused(wanted, value, where=f"{self._model}.{field.name}")
        return value

    def _stored(self, name: str, value: Any, derived: Derived) -> Any:
        """``value`` as it will be read, in UTC: a time must derive the same from whatever zone it is given in."""
        if value is None and self._optional and name == self._optional.name:
            return b"" if derived.of_bytes else None
        if value is None and name in self._unstored:
            wanted = "a value: no row holds it, so it is given wherever a key is made"
            raise ValueRefused(wanted, None, where=f"{self._model}.{name}")
        codec = self._sources[name]
        try:
            raw = codec.encode(value)
            return raw if derived.of_bytes else codec.decode(raw)
        except ValueRefused as error:
            raise error.at(f"{self._model}.{name}") from None

    def stem(self, field: KeyField, value: Any) -> bytes:
        """The bytes that begin every value of ``field`` that begins with ``value``, and goes on behind it."""
        try:
            raw = field.codec.stem(value)
        except ValueRefused as error:
            raise error.at(f"{self._model}.{field.name}") from None
        assert raw is not None, field
        if len(raw) > field.codec.length.most and not self.stemless(field, value, raw):
            # It would go on in the next field.
            wanted = f"the beginning of a value, of at most {counted(field.codec.length.most, 'byte')}"
            raise ValueRefused(wanted, value, where=f"{self._model}.{field.name}")
        delimiter = self._behind[field.name]
        if self._key.refuses_delimiter(field) and delimiter in raw:
            way_out = self._way_out(field)
            wanted = f"the beginning of a value, without the delimiter {self._named(field)} ({way_out})"
            raise ValueRefused(wanted, value, where=f"{self._model}.{field.name}")
        if self._runs(field) and _ends_within(raw, delimiter):
            # Shorter values begin so, too, with the delimiter behind them: `p` and `->` as `p-` does.
            wanted = (
                "the beginning of a value that does not end as the delimiter "
                f"{delimiter.decode(errors='replace')!r} begins"
            )
            raise ValueRefused(wanted, value, where=f"{self._model}.{field.name}")
        return raw

    def _runs(self, field: KeyField) -> bool:
        """Whether only the delimiter behind ``field`` shows where it ends."""
        placed = field.fixed is not None or field.codec.self_ending
        return not placed and field is not self._key.fields[-1]

    def stemless(self, field: KeyField, value: Any, stem: bytes) -> bool:
        """Whether ``value`` itself is one of ``field`` that does not begin with the ``stem`` of those that go on."""
        try:
            raw: bytes = field.codec.encode(value)
        except ValueRefused:
            return False
        return not raw.startswith(stem) and not self._key.blurred(field, raw)

    def bound(self, field: KeyField, value: Any) -> bytes | None:
        """The bytes of one end of a range over ``field``; None where every value of it is below ``value``."""
        try:
            raw: bytes | None = field.codec.bound(value)
        except ValueRefused as error:
            raise error.at(f"{self._model}.{field.name}") from None
        if raw is not None:
            self.check_delimiter(field, raw, value)
        return raw

    def range(
        self, whole: RowRange, field: KeyField, start: Any, end: Any, closed: str = HALF_OPEN
    ) -> RowRange | None:
        """The keys of the prefix ``whole`` with ``field`` from ``start`` to ``end``; None where there can be none.

        An end that is None is open. ``closed`` says, as in mathematics, which ends belong to it.
        Raises :class:`QueryRefused` for a start that is after the end.
        """
        ends = [(start, closed[0] == "("), (end, closed[1] == "]")]
        if field.codec.order is Order.DESCENDING:
            ends.reverse()
        low, high = (
            None if value is None else self._cut(whole, field, value, after=after) for value, after in ends
        )
        if low is None and field is self._optional:
            low = (
                whole.start + b"\0" if not self._behind[self._key.fields[-2].name] else None
            )  # behind the row without it
        # Nothing lies in front of the empty key, which as an end would be that of the table.
        if low != END and high != b"":
            begun = self.going_on(whole.start, field)
            # An end that lies beyond all values is an open one, too.
            start_open, end_open = low in (None, whole.start), high in (None, END, whole.end)
            rows = RowRange(begun.start if start_open else low, begun.end if end_open else high)  # type: ignore[arg-type]
            if not rows.empty:
                return rows
        if start is not None and end is not None and self._after(field, start, end):
            refuse_reversed(f"{self._model}.{field.name}", start, end)
        return None

    def going_on(self, prefix: bytes, field: KeyField) -> RowRange:
        """The keys that begin with ``prefix`` and go on as values of ``field`` begin: those of other models of the table may not."""
        found = self._begun.get(field.name)
        if found is None:
            found = self._begun[field.name] = _first_bytes(field)
        first, behind = found
        return RowRange(prefix + first, prefix + behind if behind else successor(prefix))

    def _after(self, field: KeyField, start: Any, end: Any) -> bool:
        """Whether ``start`` lies behind ``end`` in the order of the field's values."""
        first, last = self.bound(field, start), self.bound(field, end)
        if first is None or last is None:
            return last is not None
        return first < last if field.codec.order is Order.DESCENDING else first > last

    def _cut(self, whole: RowRange, field: KeyField, value: Any, *, after: bool) -> bytes:
        """Where the keys of ``whole`` are cut: between those with ``field`` below ``value``, and the others.

        With ``after``, those with just this value are counted as below it. ``END`` is behind every key.
        """
        raw = self.bound(field, value)
        down = field.codec.order is Order.DESCENDING
        if raw is None:
            return whole.start if down else whole.end or END
        behind = after and self._is(field, value, raw)
        if behind is down:
            return whole.start + raw
        if field.fixed is None and not field.codec.self_ending:
            if field is self._key.fields[-1]:
                return whole.start + raw + b"\0"
            raw += self._behind[field.name]
        return successor(whole.start + raw) or END

    def _is(self, field: KeyField, value: Any, raw: bytes) -> bool:
        """Whether ``raw`` encodes ``value`` itself, and not the next one that can be stored."""
        try:
            return bool(field.codec.encode(value) == raw)
        except ValueRefused:
            return False

    def check_delimiter(self, field: KeyField, raw: bytes, value: object) -> None:
        """Refuse a value whose bytes would be taken for the end of the field; one that is not stored ends nowhere."""
        if field.name in self._guarded and begins_within(raw, self._behind[field.name]):
            wanted = f"a value without the delimiter {self._named(field)} ({self._way_out(field)})"
            raise ValueRefused(wanted, value, where=f"{self._model}.{field.name}")

    def _named(self, field: KeyField) -> str:
        """The delimiter behind a field, for people."""
        return repr(self._behind[field.name].decode(errors="replace"))

    def _way_out(self, field: KeyField) -> str:
        """How a field may hold its delimiter."""
        variable = [one for one in self._key.fields if one.fixed is None and not one.codec.self_ending]
        options = [one.name for one in getattr(field.codec, "__attrs_attrs__", ())]
        if len(variable) > 1 or "holds_delimiter" not in options:
            return "a field may hold it with another delimiter=, or as EscapedText"
        codec = type(field.codec).__name__
        return f"the field may hold it as {codec}(..., holds_delimiter=True), if no other rows of the table continue after it"

    @cached_property
    def of_row(self) -> KeyWriter:
        """The function from an object with the key's fields to the row key. It raises :class:`ValueRefused`."""
        return key_writer(self._key, self._of_row)

    @cached_property
    def of_fields(self) -> FieldsWriter:
        """:meth:`encode` as a function that is given the fields by name."""
        return fields_writer(self._key, self._encode)

    def _encode(self, values: Mapping[str, Any], given: tuple[Any, ...]) -> bytes:
        if given:
            first = next(iter(self._asked), "")
            said = f"expected each field by its name, as row_key({first}=...), got {len(given)} without"
            raise QueryRefused(f"{self._model}: row_key: {said}")
        return self.encode(values)

    @cached_property
    def read(self) -> KeyReader:
        """The function from a row key to its fields in their order. It raises :class:`UndecodableKey`."""
        return key_reader(self._key, self._read)

    def _of_row(self, row: Any) -> bytes:
        return self.key({name: getattr(row, name) for name in self._names})

    def _read(self, raw: bytes) -> tuple[Any, ...]:
        return tuple(self.taken_apart(raw).values())

    def decode(self, raw: bytes) -> dict[str, Any]:
        """The fields of a row key that a row gives, by name. Raises :class:`UndecodableKey`."""
        return dict(zip(self._asked, self.read(raw), strict=True))

    def fits(self, raw: bytes) -> bool:
        """Whether the bytes are a row key of the model."""
        try:
            self.read(raw)
        except UndecodableKey:
            return False
        return True

    def taken_apart(self, raw: bytes) -> dict[str, Any]:
        """The same as :meth:`decode`, field by field: what says why a key is none."""
        if not isinstance(raw, bytes):
            raise ValueRefused("the bytes of a row key", raw, where=f"{self._model}.read_key")
        if not 0 < len(raw) <= KEY_BYTES:
            raise self._undecodable(raw, f"expected 1 to {KEY_BYTES} bytes")
        values: dict[str, Any] = dict.fromkeys(self._unstored)
        parts = self.split(raw)
        for field, part in parts:
            try:
                value = field.codec.decode(part)
            except Exception as error:
                # Whatever a codec of the user's raises: rows of others must not end a read.
                raise self._undecodable(raw, f"{field.name}: {reason(error)}") from error
            if field.name in self._asked:
                values[field.name] = value
        if self._optional:
            values.setdefault(self._optional.name, None)
        if self._derived:
            self._check_derived(raw, parts, values)
        return values

    def check_derived(self, raw: bytes, values: Mapping[str, Any]) -> None:
        """Refuse a key whose derived fields do not follow from ``values``, as far as those are known."""
        self._check_derived(raw, self.split(raw), values)

    def _check_derived(
        self, raw: bytes, split: Iterable[tuple[KeyField, bytes]], values: Mapping[str, Any]
    ) -> None:
        parts = {field.name: part for field, part in split}
        for field, derived in self._derived:
            lacked = self._optional.name if self._optional else None
            if any(
                values.get(name) is None and (name != lacked or name not in values) for name in derived.of
            ):
                continue
            try:
                wanted = self.part(field, {name: values[name] for name in derived.of})
            except ValueRefused as error:
                raise self._undecodable(raw, str(error)) from None
            if parts[field.name] != wanted:
                of = ", ".join(derived.of)
                why = f"{field.name}: expected {wanted!r}, which follows from {of}, got {parts[field.name]!r}"
                raise self._undecodable(raw, why)

    def split(self, raw: bytes) -> list[tuple[KeyField, bytes]]:
        """The fields of a row key, each with its bytes; one that the row lacks is left out."""
        parts: list[tuple[KeyField, bytes]] = []
        at = 0
        last = len(self._key.fields) - 1
        for index, field in enumerate(self._key.fields):
            end = self._end(raw, at, index)
            parts.append((field, raw[at:end]))
            at = end
            if at == len(raw) and index == last - 1 and self._optional:
                return parts
            if index < last:
                behind = self._behind[field.name]
                if not raw.startswith(behind, at):
                    raise self._undecodable(raw, f"expected {behind!r} at byte {at}, after {field.name}")
                at += len(behind)
        if at != len(raw):
            ending = self._key.fields[-1]
            if self._key.refuses_delimiter(ending) and raw.startswith(self._behind[ending.name], at):
                raise self._overfull(raw, ending)
            raise self._undecodable(raw, f"{counted(len(raw) - at, 'byte')} too many at the end")
        return parts

    def _end(self, raw: bytes, at: int, index: int) -> int:
        field = self._key.fields[index]
        constant = self._constants.get(field.name)
        if constant is not None and not raw.startswith(constant, at):
            raise self._undecodable(raw, f"{field.name}: expected {constant!r} at byte {at}")
        if field.fixed is not None:
            end = at + field.fixed
        elif field.codec.self_ending:
            end = self._own_end(raw, at, field)
        elif field is self._free and not self._key.refuses_delimiter(field):
            end = len(raw) - self._key.after_free
        else:
            behind = self._behind[field.name]
            end = raw.find(behind, at)
            if end < 0 and index >= len(self._key.fields) - (2 if self._optional else 1):
                end = len(raw)
            elif end < 0:
                raise self._undecodable(raw, f"expected {behind!r} after {field.name}, and there is none")
        if not at <= end <= len(raw):
            wanted = "more" if field.fixed is None else counted(field.fixed, "byte")
            raise self._undecodable(
                raw, f"expected {wanted} of {field.name} at byte {at}, got {len(raw) - at} at the end"
            )
        if self._key.blurred(field, raw[at:end]):
            raise self._overfull(raw, field)
        return end

    def _overfull(self, raw: bytes, field: KeyField) -> UndecodableKey:
        own = self._own_keys
        others = (
            f"; where it is a row of another model, leave such rows out of the read with `.matching({own!r})`"
        )
        why = (
            f"more delimiters {self._named(field)} than fields, at {field.name} "
            f"({self._way_out(field)}{others if own else ''})"
        )
        return self._undecodable(raw, why)

    @property
    def _own_keys(self) -> str:
        """An expression for keys of so many fields, for people; empty where their number or a delimiter is not a single one."""
        if self._optional or any(len(behind) != 1 for behind in self._behind.values()):
            return ""
        ends = {name: _literal(behind) for name, behind in self._behind.items()}
        constants = {name: _literal(raw) for name, raw in self._constants.items()}
        parts = [
            constants.get(field.name, f"[^{ends[field.name]}]*") + ends[field.name]
            for field in self._key.fields
        ]
        return "".join(parts).removesuffix(ends[self._key.fields[-1].name])

    def _undecodable(self, raw: bytes, why: str) -> UndecodableKey:
        return UndecodableKey(self._model, self._table, raw, why)

    def _own_end(self, raw: bytes, at: int, field: KeyField) -> int:
        try:
            return field.codec.end(raw, at)
        except ValueError as error:
            raise self._undecodable(raw, f"{field.name}: {reason(error)}") from None


def _raised(error: Exception, value: Any, where: str) -> ValueRefused:
    """What a codec of the user's raised for a value, in the form of other refused values."""
    return ValueRefused(f"a value that its codec takes (it raised {raised(error)})", value, where=where)


def _first_bytes(field: KeyField) -> tuple[bytes, bytes]:
    """The least byte that values of ``field`` begin with, and the one behind the greatest; empty where there is no such bound."""
    alphabet = field.codec.alphabet
    if not field.codec.length.least or not alphabet:
        return b"", b""
    first, last = min(alphabet), max(alphabet)
    return bytes([first]) if first > _SPACE else b"", bytes([last + 1]) if last < 255 else b""


def _literal(raw: bytes) -> str:
    """Bytes in an expression of RE2, with a backslash where they mean something else."""
    text = raw.decode(errors="replace")
    return "".join(f"\\{one}" if one in r"\.|()[]{}*+?^$-" else one for one in text)


def _ends_within(raw: bytes, delimiter: bytes) -> bool:
    """Whether ``raw`` ends with a part of the delimiter that begins it, but not with all of it."""
    return any(raw.endswith(delimiter[:size]) for size in range(1, len(delimiter)))


def misfit(what: str, wanted: Collection[str], given: Iterable[str]) -> str:
    """A message for a call that gave the wrong fields; it names those ``wanted`` in their order."""
    came = dict.fromkeys(given)
    parts = [f"{what} takes {', '.join(wanted) or 'no fields'}"]
    if missing := [name for name in wanted if name not in came]:
        parts.append(f"missing: {', '.join(missing)}")
    if unknown := [name for name in came if name not in wanted]:
        parts.append(f"unknown: {', '.join(unknown)}")
    return "; ".join(parts)
