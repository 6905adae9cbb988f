"""The queries of views in GoogleSQL: an index of a table, or a rollup; and such a query taken apart again.

A view is grouped by a column ``_key`` of bytes, so that its row keys are those that btmodel's own codecs write: the rows of an index have
one row of the table each, as the whole key of the table's row is in theirs. Assumed: that the service keeps such an index; its
documentation has each part of it, and shows indexes with ORDER BY alone.

The service drops a row whose key is NULL, or for which an expression fails, and counts it as an error of the user. So no expression here
can fail, and a row whose key could not be written is left out by WHERE.

Of queries only what is written here is understood again: whoever takes a query apart writes it again and compares the two.
"""

import re
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from itertools import product
from typing import Any

from attrs import frozen

from btmodel.codecs import cell, key
from btmodel.codecs.cell import CellCodec
from btmodel.codecs.key import KeyCodec
from btmodel.errors import DeclarationError, shown
from btmodel.schema import Column, KeyField, ModelSchema, RowKey
from btmodel.sql import bytes_, identifier, leading_constant, part_of_key, renamed, string
from btmodel.sql.readings import INT64_DIGITS, SqlReading, StoredType, letters_of, of_cell, of_key
from btmodel.words import did_you_mean, near

_KINDS: dict[type, str] = {
    str: "STRING",
    bytes: "BYTES",
    int: "INT64",
    float: "FLOAT64",
    bool: "BOOL",
    datetime: "TIMESTAMP",
    date: "DATE",
}
# What the functions of SQL make of values, and the codec of the 8 bytes, or the text, that a view has of it.
_RESULTS: dict[str, CellCodec[Any]] = {
    "INT64": cell.Int64(),
    "FLOAT64": cell.Float64(),
    "STRING": cell.Utf8(),
    "TIMESTAMP": cell.Micros(),
}
FUNCTIONS = {
    "count": "COUNT({})",
    "sum": "SUM({})",
    "min": "MIN({})",
    "max": "MAX({})",
    "average": "AVG({})",
    # Assumed: that a view may extract the number from the sketch that it aggregates.
    "distinct": "HLL_COUNT.EXTRACT(HLL_COUNT.INIT({}))",
}
_SUMMED = ("INT64", "FLOAT64")


@frozen
class ViewSource:
    """An attribute of the table's model in SQL: its bytes, the type of its value, and the expression of that; None where SQL has none.

    ``note`` says why it has none. ``may_lack`` is whether rows may be without it, and ``partial`` whether some of its
    values are NULL in SQL.
    """

    raw: str
    codec: KeyCodec[Any] | CellCodec[Any]
    kind: str | None
    value: str
    note: str
    may_lack: bool
    partial: bool


def source(model: ModelSchema, name: str) -> ViewSource:
    """The attribute ``name`` of ``model`` in SQL. Raises :class:`DeclarationError` where SQL cannot find one value of it."""
    part = next((field for field in model.key.fields if field.name == name), None)
    if part is not None:
        raw = part_of_key(model.key, part, "_key")
        if raw is None:
            raise DeclarationError(f"SQL cannot find {model.name}.{name} in the key {model.key.shape}")
        return _source(raw, part.codec, of_key(part.codec), part.optional)
    column = next((column for column in model.columns if column.name == name), None)
    if column is None:
        known = (*(field.name for field in model.key.asked), *(column.name for column in model.columns))
        raise DeclarationError(
            f"expected an attribute of {model.name} ({', '.join(known)}), got {name!r}{did_you_mean(near(name, known))}"
        )
    if not column.shape.plain:
        raise DeclarationError(
            f"{model.name}.{name} is {column.shape.lies}, and a view takes the newest value of single columns: name one that is declared "
            "with bt.column(...)"
        )
    return _source(cell_of(column), column.codec, of_cell(column.codec), not column.required)


def cell_of(column: Column) -> str:
    """The bytes of a single column; NULL where a row has no cell of it."""
    family = identifier(column.family)
    cells = [f"{family}[{bytes_(place.qualifier)}]" for place in column.places]
    return f"COALESCE({', '.join(cells)})" if column.also else cells[0]


def _source(raw: str, codec: Any, reading: SqlReading, may_lack: bool) -> ViewSource:
    undecoded = (
        bool(reading.note) and not reading.before and reading.stored in (StoredType.BYTES, StoredType.TEXT)
    )
    kind = None if undecoded else _kind(codec)
    return ViewSource(raw, codec, kind, reading.in_bigtable(raw), reading.note, may_lack, reading.partial)


def _kind(codec: KeyCodec[Any] | CellCodec[Any]) -> str | None:
    kind: Any = codec.python_type
    if isinstance(kind, type) and issubclass(kind, Enum):
        values = {type(member.value) for member in kind}
        return _KINDS.get(values.pop()) if len(values) == 1 else None
    if kind.__name__ == "UUID":
        return "STRING"
    return _KINDS.get(kind)


@frozen
class Written:
    """The bytes of a key field in SQL, NULL for a value that it does not take, and further conditions that a row must fulfil."""

    expression: str
    conditions: tuple[str, ...] = ()


def written(row_key: RowKey, part: KeyField, of: ViewSource) -> Written:
    """The bytes of the key field ``part`` of a view. Raises :class:`DeclarationError` where SQL cannot make them."""
    if of.codec == part.codec:
        return Written(of.raw)
    found = None if of.kind is None else _written(row_key, part, of.kind, of.value)
    if found is None:
        has = "no value in SQL" if of.kind is None else f"{of.kind} in SQL"
        why = f" ({of.note})" if of.kind is None and of.note else ""
        raise DeclarationError(
            f"SQL cannot make the bytes of {shown(part.codec)} of {shown(of.codec)}, which is {has}{why}: give the field the codec "
            f"of the table's key field, or one of {_OFFERED.get(of.kind or '', 'Text, PaddedInt, DateText, EpochMillis')}"
        )
    return found


_OFFERED = {
    "STRING": "Text, EnumText, HexDigest, UuidText",
    "BYTES": "Bytes",
    "INT64": "PaddedInt, Int",
    "BOOL": "Boolean",
    "DATE": "DateText",
    "TIMESTAMP": "EpochSeconds, EpochMillis, EpochMicros, ReversedSeconds, ReversedMillis, ReversedMicros, DateText, TimeText, IsoWeek",
}


def _written(row_key: RowKey, part: KeyField, kind: str, value: str) -> Written | None:
    match part.codec, kind:
        case key.Text() as codec, "STRING":
            return _text(row_key, part, codec, value)
        case (key.EnumText() | key.HexDigest() | key.UuidText(dashes=True)) as codec, "STRING":
            return Written(_checked(codec, value))
        case key.Bytes() as codec, "BYTES" if not row_key.refuses_delimiter(part):
            return Written(value, (_sized(value, codec),))
        case key.Boolean(), "BOOL":
            return Written(f"CASE {value} WHEN TRUE THEN b'1' WHEN FALSE THEN b'0' END")
        case (key.PaddedInt() | key.Int()) as codec, "INT64":
            return _number(codec, value)
        case key.DateText(), "DATE" | "TIMESTAMP":
            return Written(_checked(part.codec, _formatted(part.codec.format.text, kind, value)))
        case key.TimeText(), "TIMESTAMP" if not {"%f", "%3f", "%9f"} & set(part.codec.format.directives):
            return Written(_checked(part.codec, _formatted(part.codec.format.text, kind, value)))
        case key.IsoWeek(), "DATE" | "TIMESTAMP":
            return Written(_checked(part.codec, _formatted(part.codec.format, kind, value)))
        case codec, "TIMESTAMP" if type(codec) in _UNITS:
            return _since_1970(codec, value)
    return None


def _text(row_key: RowKey, part: KeyField, codec: key.Text, value: str) -> Written | None:
    delimiter = row_key.behind(part) if row_key.refuses_delimiter(part) else b""
    if codec.controls or codec.encoding not in ("utf-8", "ascii") or len(delimiter) > 1:
        return None
    # In hexadecimal: what is written so means the same in every regular expression.
    controls = "\\x{00}-\\x{1f}\\x{7f}-" + ("\\x{10ffff}" if codec.encoding == "ascii" else "\\x{9f}")
    letter, last = (f"[^{controls}{''.join(map(_hex, out))}]" for out in (delimiter, delimiter + b" "))
    if codec.width is None:
        text = f"CAST(REGEXP_EXTRACT({value}, {string(f'^{letter}*$')}) AS BYTES)"
        return Written(text, (_sized(text, codec),))
    text = f"CAST(REGEXP_EXTRACT({value}, {string(f'^(?:{letter}*{last})?$')}) AS BYTES)"
    sized = f"BYTE_LENGTH({text}) BETWEEN {codec.min_length} AND {codec.width}"
    return Written(f"RPAD({text}, {codec.width}, b' ')", (sized,))


def _hex(byte: int) -> str:
    return f"\\x{{{byte:02x}}}"


def _checked(codec: KeyCodec[Any], text: str) -> str:
    """The bytes of a text where the codec may have written it, and NULL elsewhere."""
    least, most = codec.length.least, codec.length.most
    size = f"{least}" if least == most else f"{least},{most}"
    if isinstance(codec, key.EnumText):
        members: Any = codec.enum
        names = "".join(
            f" WHEN {string(member.value)} THEN {bytes_(member.value.encode())}" for member in members
        )
        return f"CASE {text}{names} END"
    return f"CAST(REGEXP_EXTRACT({text}, {string(f'^{letters_of(codec.alphabet)}{{{size}}}$')}) AS BYTES)"


def _sized(value: str, codec: KeyCodec[Any]) -> str:
    return f"BYTE_LENGTH({value}) BETWEEN {codec.length.least} AND {codec.length.most}"


def _number(codec: key.PaddedInt | key.Int, value: str) -> Written:
    digits = codec.length.most
    digits_of = f"CAST({value} AS STRING)"
    padded = f"LPAD({digits_of}, {digits}, '0')" if isinstance(codec, key.PaddedInt) else digits_of
    within = f"{value} >= 0" if digits > INT64_DIGITS else f"{value} BETWEEN 0 AND {10**digits - 1}"
    return Written(f"CAST({padded} AS BYTES)", (within,))


def _formatted(form: str, kind: str, value: str) -> str:
    return f"FORMAT_{kind}({string(form)}, {value})"


# The function of SQL that counts since 1970, and whether the key has what is left of 2^63 - 1.
_UNITS: dict[type, tuple[str, bool]] = {
    key.EpochSeconds: ("UNIX_SECONDS", False),
    key.EpochMillis: ("UNIX_MILLIS", False),
    key.EpochMicros: ("UNIX_MICROS", False),
    key.ReversedSeconds: ("UNIX_SECONDS", True),
    key.ReversedMillis: ("UNIX_MILLIS", True),
    key.ReversedMicros: ("UNIX_MICROS", True),
}


def _since_1970(codec: KeyCodec[Any], value: str) -> Written:
    function, reversed_ = _UNITS[type(codec)]
    count, digits = f"{function}({value})", codec.length.most
    if reversed_:
        return Written(
            f"CAST(CAST(SAFE_SUBTRACT({2**63 - 1}, {count}) AS STRING) AS BYTES)", (f"{count} >= 0",)
        )
    within = f"{count} BETWEEN 0 AND {10**digits - 1}"
    return Written(f"CAST(LPAD(CAST({count} AS STRING), {digits}, '0') AS BYTES)", (within,))


def aggregate(function: str, of: ViewSource | None) -> tuple[str, CellCodec[Any]]:
    """The expression of a function over a group of rows, and the codec of what it gives; raises :class:`DeclarationError`."""
    if of is None:
        return "COUNT(*)", cell.Int64()
    if function in ("count", "distinct"):
        return FUNCTIONS[function].format(of.raw), cell.Int64()
    if isinstance(of.codec, cell.DecimalNumber):
        raise DeclarationError(
            "it is decimal text, and SQL has no decimal numbers here: declare the column as whole units (cents, as an int), or as a float"
        )
    wanted = _SUMMED if function in ("sum", "average") else tuple(_RESULTS)
    if of.kind is None or of.kind not in wanted:
        has = f"is {of.kind}" if of.kind else "has no value"
        raise DeclarationError(
            f"expected an attribute that SQL has as one of {', '.join(wanted)}, got one that {has} in SQL"
        )
    kind = "FLOAT64" if function == "average" else of.kind
    return FUNCTIONS[function].format(of.value), _RESULTS[kind]


def query(
    model: ModelSchema,
    row_key: RowKey,
    parts: Sequence[tuple[KeyField, Written]],
    whole_key: bool,
    cells: Iterable[tuple[str, str]],
    conditions: Iterable[str],
) -> str:
    """The query of a view of the table of ``model``: ``parts`` are its key fields in order, followed by the table's whole key where ``whole_key`` is true.

    ``cells`` are the names of its columns with their expressions.
    """
    pieces: list[str] = []
    text = b""
    last = parts[-1][0] if parts and not whole_key else None
    for part, value in parts:
        behind = b"" if part is last else row_key.behind(part)
        if part.constant is not None:
            text += part.literal + behind
            continue
        pieces += [bytes_(text), value.expression] if text else [value.expression]
        text = behind
    pieces += [bytes_(text)] if text else []
    pieces += ["_key"] if whole_key else []
    made = pieces[0] if len(pieces) == 1 else f"CONCAT({', '.join(pieces)})"
    columns = [f"{made} AS _key", *(f"{expression} AS {identifier(name)}" for name, expression in cells)]
    # Of bytes that are cut out of a key, or converted, any may be NULL.
    needed = [f"{value.expression} IS NOT NULL" for part, value in parts if part.constant is None]
    further = [condition for _, value in parts for condition in value.conditions]
    every = list(dict.fromkeys((*conditions, *needed, *further)))
    where = [f"WHERE {every[0]}", *(f"  AND {condition}" for condition in every[1:])] if every else []
    return "\n".join(
        [
            "SELECT",
            ",\n".join(f"  {column}" for column in columns),
            f"FROM {identifier(model.table)}{renamed(model.table, model)}",
            *where,
            "GROUP BY 1",
        ]
    )


def definition(
    model: ModelSchema,
    row_key: RowKey,
    parts: Sequence[tuple[KeyField, Written]],
    taken: Mapping[str, str | None],
    cells: Iterable[tuple[str, str]],
    where: Iterable[str],
) -> str:
    """The query of a view of the table of ``model`` whose row key is ``row_key``: ``parts`` are its fields with their bytes.

    ``taken`` says for each field the attribute that it is made of, ``cells`` are the columns, and ``where`` the declared conditions.
    """
    tail = _is_tail(row_key, model, taken)
    own = parts[: len(parts) - len(model.key.fields)] if tail else parts
    cut = any("(_key, " in one.expression for _, one in parts) and not tail
    return query(model, row_key, own, tail, cells, [*starts(model, cut=cut), *where])


def _is_tail(row_key: RowKey, model: ModelSchema, taken: Mapping[str, str | None]) -> bool:
    """Whether the last fields are the key of the other model as a whole, which is copied as it is."""
    size = len(model.key.fields)
    last = row_key.fields[-size:]
    return (
        len(row_key.fields) > size
        and all(
            field.codec == part.codec and (part.constant is not None or taken[field.name] == part.name)
            for field, part in zip(last, model.key.fields, strict=True)
        )
        and all(
            row_key.behind(field) == model.key.behind(part)
            for field, part in zip(last[:-1], model.key.fields[:-1], strict=True)
        )
    )


def starts(model: ModelSchema, *, cut: bool) -> list[str]:
    """What distinguishes the rows of ``model`` from others of its table: the constants that its keys begin with.

    Where parts are ``cut`` out of the key, also its length, as what is cut out of other keys is anything.
    """
    constant = leading_constant(model.key)
    found = [f"STARTS_WITH(_key, {bytes_(constant)})"] if constant else []
    return [*found, f"BYTE_LENGTH(_key) BETWEEN {model.key.least} AND {model.key.most}"] if cut else found


_TOKEN = re.compile(r"`(?:[^`\\]|\\.)*`|b?'(?:[^'\\]|\\.)*'|\w+|\s+|.")
# Literals as they are written by btmodel, and Python reads them: a user's query may have any.
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
