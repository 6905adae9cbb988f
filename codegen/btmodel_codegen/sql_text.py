"""GoogleSQL source: literals, identifiers and comments, quoted."""

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
    # A dollar is written by its number: whoever fills in ${PROJECT} must find it nowhere else.
    if character == quote or not character.isprintable() or character == "$":
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x1_0000 else f"\\U{code:08x}"
    return character


def _byte(byte: int) -> str:
    plain = 0x20 <= byte < 0x7F and byte not in b"'\\$"
    return chr(byte) if plain else f"\\x{byte:02x}"
