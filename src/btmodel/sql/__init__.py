"""Row keys in GoogleSQL: the bytes of each field, by position or by delimiter; and literals, identifiers and comments, quoted."""

from collections.abc import Sequence
from itertools import count

from btmodel.schema import KeyField, ModelSchema, RowKey

_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def identifier(name: str) -> str:
    """``name`` in backticks."""
    return f"`{_escaped(name, '`')}`"


def string(text: str) -> str:
    """A literal of text."""
    return f"'{_escaped(text, _QUOTE)}'"


def bytes_(raw: bytes) -> str:
    """A literal of bytes: printable ASCII as it is, everything else by its number."""
    return f"b'{''.join(map(_byte, raw))}'"


def comment(text: str) -> str:
    """``text`` as one line that can stand behind ``--``."""
    return _escaped(text, "")


_QUOTE = "'"


def _escaped(text: str, quote: str) -> str:
    return "".join(_character(character, quote) for character in text)


def _character(character: str, quote: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    # A dollar is written by its number: a program that fills in ${PROJECT} must find it nowhere else.
    if character == quote or not character.isprintable() or character == "$":
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x1_0000 else f"\\U{code:08x}"
    return character


def _byte(byte: int) -> str:
    plain = 0x20 <= byte < 0x7F and byte not in b"'\\$"
    return chr(byte) if plain else f"\\x{byte:02x}"


def part_of_key(key: RowKey, part: KeyField, whole: str) -> str | None:
    """The expression of the bytes of ``part`` in the key ``whole``; None where SQL cannot find where it lies.

    Of a field that a row lacks it is NULL.
    """
    at = key.fields.index(part)
    if part.optional and not part.codec.length.least:
        # By position, an empty one looks like a missing one.
        return _by_delimiter(key, at, whole)
    before, after = key.fields[:at], key.fields[at + 1 :]
    start = _size(key, before)
    if start is not None:
        found = _from_start(key, part, whole, start + 1, after)
    else:
        found = _from_end(key, part, whole, after)
    if found is None:
        return _by_delimiter(key, at, whole)
    return f"NULLIF({found}, b'')" if part.optional else found


def leading_constant(key: RowKey) -> bytes:
    """What every key begins with: the constants in front, and their delimiters."""
    raw = b""
    for part in key.fields:
        if part.constant is None:
            break
        raw += part.literal + (b"" if part is key.fields[-1] else key.behind(part))
    return raw


def _size(key: RowKey, parts: Sequence[KeyField]) -> int | None:
    """Bytes of some fields, with the delimiters behind them; None where they differ."""
    sizes = [None if part.fixed is None or part.optional else part.fixed for part in parts]
    return (
        None if None in sizes else sum(filter(None, sizes)) + sum(len(_behind(key, part)) for part in parts)
    )


def _behind(key: RowKey, part: KeyField) -> bytes:
    return b"" if part is key.fields[-1] else key.behind(part)


def _from_start(key: RowKey, part: KeyField, whole: str, at: int, after: Sequence[KeyField]) -> str | None:
    """Behind fields of fixed width: up to its own width, or to the fixed fields behind it."""
    # To the end of the last one, so that a longer key is not taken for one of the right length.
    if part.fixed is not None and after:
        return f"SUBSTR({whole}, {at}, {part.fixed})"
    rest = _size(key, after)
    if rest is None:
        return None
    if not after:
        return whole if at == 1 else f"SUBSTR({whole}, {at})"
    taken = at - 1 + len(key.behind(part)) + rest
    return f"SAFE.SUBSTR({whole}, {at}, BYTE_LENGTH({whole}) - {taken})"


def _from_end(key: RowKey, part: KeyField, whole: str, after: Sequence[KeyField]) -> str | None:
    """In front of fields of fixed width, and of a fixed width itself."""
    rest = _size(key, (part, *after))
    if rest is None or part.fixed is None:
        return None
    return f"SUBSTR({whole}, BYTE_LENGTH({whole}) - {rest - 1}, {part.fixed})"


def _by_delimiter(key: RowKey, at: int, whole: str) -> str | None:
    """The n-th piece between delimiters, where no field up to it can hold the delimiter."""
    first = next(index for index in range(at + 1) if _size(key, key.fields[: index + 1]) is None)
    parts = key.fields[first : at + 1]
    delimiters = {key.behind(part) for part in parts if part is not key.fields[-1]}
    if len(delimiters) != 1:
        return None
    [delimiter] = delimiters
    if len(delimiter) != 1 or any(_may_hold(key, part, delimiter[0]) for part in parts):
        return None
    start = _size(key, key.fields[:first])
    rest = f"SUBSTR({whole}, {start + 1})" if start else whole
    return f"SPLIT({rest}, {bytes_(delimiter)})[SAFE_OFFSET({at - first})]"


def _may_hold(key: RowKey, part: KeyField, byte: int) -> bool:
    refused = key.refuses_delimiter(part) and key.behind(part) == bytes([byte])
    return byte in part.codec.alphabet and not refused


def renamed(table: str, model: ModelSchema) -> str:
    """What stands behind ``table`` in FROM: nothing, or another name for it where a family is called so, too.

    SQL would take the family's name for that of the whole row.
    """
    taken = {family.id.casefold() for family in model.families}
    if taken.isdisjoint((table.casefold(), table.rsplit(".", 1)[-1].casefold())):
        return ""
    return next(f" AS {alias}" for at in count(1) if (alias := f"table_{at}") not in taken)
