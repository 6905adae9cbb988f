"""The query of a view taken apart again: its table, what its key is made of, its columns and conditions, and codecs that would write so.

Only what :mod:`btmodel.sql.views` writes is understood; who reads a query by this writes it again and compares the two.
"""

import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from attrs import frozen

from btmodel.codecs import key
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError

_TOKEN = re.compile(r"`(?:[^`\\]|\\.)*`|b?'(?:[^'\\]|\\.)*'|\w+|\s+|.")
# Literals as they are written by btmodel, and Python reads them: a query of somebody else may have any.
_BYTES = re.compile(r"b'(?:[ -&(-\[\]-~]|\\x[0-9a-f]{2})*'")
_ESCAPE = r"\\(?:[\\nrt]|u[0-9a-f]{4}|U000[0-9a-f]{5}|U0010[0-9a-f]{4})"
_FORMAT = re.compile(rf"FORMAT_\w+\(('(?:[^'\\\x00-\x1f]|{_ESCAPE})*'), ")
_CLAUSES = ("SELECT", "FROM", "WHERE", "GROUP")


@frozen
class ViewText:
    """The parts of a view's query.

    ``key`` is what its row key is joined of: expressions, and constant bytes. ``cells`` are names of columns with their expressions.
    """

    table: str
    key: tuple[str | bytes, ...]
    cells: tuple[tuple[str, str], ...]
    conditions: tuple[str, ...]


def parsed(query: str) -> ViewText | None:
    """The parts of ``query``; None where it is not of the form that btmodel writes."""
    found = _clauses(query)
    if found is None or found.get("GROUP") != ["BY 1"] or len(found.get("FROM", ())) != 1:
        return None
    cells = [(name, made) for made, _, name in (one.rpartition(" AS ") for one in found.get("SELECT", ()))]
    if not cells or cells[0][0] != "_key" or not all(_is_quoted(name) for name, _ in cells[1:]):
        return None
    table = found["FROM"][0].split(" AS ")[0]
    made = cells[0][1]
    joined = made.startswith("CONCAT(") and made.endswith(")")
    pieces = _split(made[len("CONCAT(") : -1]) if joined else [made]
    return ViewText(
        _unquoted(table) if _is_quoted(table) else table,
        tuple(literal_eval(piece) if _BYTES.fullmatch(piece) else piece for piece in pieces),
        tuple((_unquoted(name), expression) for name, expression in cells[1:]),
        tuple(found.get("WHERE", ())),
    )


def _clauses(query: str) -> dict[str, list[str]] | None:
    """The parts of each clause, between commas and between ``AND``; None where one comes twice, or something else first."""
    found: dict[str, list[str]] = {}
    name, text = "", ""
    for token, depth in _tokens(query):
        if depth or token.upper() not in _CLAUSES:
            text += token
            continue
        if name in found or (not name and text.strip()):
            return None
        found |= {name: _split(text)} if name else {}
        name, text = token.upper(), ""
    return None if not name or name in found else {**found, name: _split(text)}


def _split(text: str) -> list[str]:
    """The parts between the commas and ``AND`` that stand in no brackets, without superfluous spaces."""
    parts, between = [""], False
    for token, depth in _tokens(text):
        word = "" if depth else token.upper()
        if word == "," or (word == "AND" and not between):
            parts.append("")
        else:
            parts[-1] += " " if token.isspace() else token
            between = word == "BETWEEN" or (between and word != "AND")
    return [part.strip() for part in parts]


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    """The words, literals and signs of ``text``, each with the number of brackets that it stands in."""
    depth = 0
    for token in _TOKEN.findall(text):
        depth -= token in (")", "]")
        yield token, depth
        depth += token in ("(", "[")


def _is_quoted(name: str) -> bool:
    return len(name) > 1 and name[0] == name[-1] == "`"


def _unquoted(name: str) -> str:
    return re.sub(_ESCAPE, lambda found: str(literal_eval(f"'{found[0]}'")), name[1:-1])


def compared(condition: str) -> tuple[str, bytes | None] | None:
    """The expression that ``condition`` compares with bytes, or that it says is there (None); None for other conditions."""
    left, _, right = condition.rpartition(" = ")
    if left and _BYTES.fullmatch(right):
        return left, literal_eval(right)
    left = condition.removesuffix(" IS NOT NULL")
    return None if left == condition else (left, None)


def key_codecs(expression: str, conditions: Sequence[str]) -> Iterator[KeyCodec[Any]]:
    """Codecs of key fields whose bytes ``expression`` may make, by the numbers and formats in it and in the conditions on it."""
    about = [condition for condition in conditions if (inner := _measured(condition)) and inner in expression]
    sizes = [tuple(map(int, one.rpartition(" BETWEEN ")[2].split(" AND "))) for one in about]
    digits = {int(one) for one in re.findall(r"\{(\d+)\}|, (\d+), '0'", expression) for one in one if one}
    digits |= {
        len(condition.rpartition(" AND ")[2]) for condition in conditions if " BETWEEN 0 AND " in condition
    }
    formats = [literal_eval(one) for one in _FORMAT.findall(expression)]
    texts: list[Mapping[str, object]] = [
        {kind: most, "min_length": least} for kind in ("width", "max_length") for least, most in sizes
    ]
    wanted: list[tuple[Callable[..., KeyCodec[Any]], Mapping[str, object]]] = [
        *(
            (key.Text, {**size, "encoding": encoding})
            for size, encoding in product(texts, ("utf-8", "ascii"))
        ),
        *((key.Bytes, {"width": most}) for least, most in sizes if least == most),
        *((key.Bytes, {**size, "holds_delimiter": holds}) for size, holds in product(texts, (False, True))),
        *((kind, {"digits": count}) for kind, count in product((key.PaddedInt,), sorted(digits))),
        *((key.HexDigest, {"digits": count}) for count in sorted(digits)),
        *((key.Int, {"max_digits": count}) for count in (*sorted(digits), 19)),
        *(
            (kind, {"format": one})
            for kind, one in product((key.DateText, key.TimeText, key.IsoWeek), formats)
        ),
    ]
    yield from (made for kind, given in wanted if (made := _codec_or_none(kind, given)) is not None)
    yield from (key.UuidText(), key.Boolean(), key.EpochSeconds(), key.EpochMillis(), key.EpochMicros())
    yield from (key.ReversedSeconds(), key.ReversedMillis(), key.ReversedMicros())


def _measured(condition: str) -> str:
    found = re.fullmatch(r"BYTE_LENGTH\((.*)\) BETWEEN \d+ AND \d+", condition)
    return found[1] if found else ""


def _codec_or_none(kind: Callable[..., KeyCodec[Any]], given: Mapping[str, object]) -> KeyCodec[Any] | None:
    try:
        return kind(**given)
    except DeclarationError:
        return None
