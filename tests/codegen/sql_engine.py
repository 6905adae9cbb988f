"""A small evaluator of GoogleSQL expressions, as its reference describes the functions; parsed by sqlglot."""

import base64
import struct
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlglot
from sqlglot import exp

DIALECT = "bigquery"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def statements(text: str) -> list[exp.Expression]:
    """The statements of a file."""
    return [statement for statement in sqlglot.parse(text, dialect=DIALECT) if statement is not None]


def expression(text: str) -> exp.Expression:
    """One expression."""
    [found] = sqlglot.parse_one(f"SELECT {text}", dialect=DIALECT, into=exp.Select).expressions
    return found


def raw_of(literal: exp.ByteString) -> bytes:
    """The bytes of a literal; sqlglot holds a character for each."""
    return str(literal.this).encode("latin-1")


def path(node: exp.Expression) -> str:
    """A path such as ``family.field.cell.value``, with dots between its names; of a long one, sqlglot nests the end."""
    if isinstance(node, exp.Identifier):
        return str(node.name)
    assert isinstance(node, exp.Column | exp.Dot)
    places = ("catalog", "db", "table", "this", "expression")
    return ".".join(path(part) for place in places if (part := node.args.get(place)) is not None)


def paths(node: exp.Expression) -> set[str]:
    """Every path that an expression reads."""
    return {path(one) for one in node.find_all(exp.Column)}


def value(node: exp.Expression, row: Mapping[str, Any]) -> Any:
    """The value of an expression in a row: what lies at each path; NULL is None."""
    match node:
        case exp.Alias() | exp.Paren():
            return value(node.this, row)
        case exp.Column():
            return row[path(node)]
        case exp.ByteString():
            return raw_of(node)
        case exp.Literal():
            return node.this if node.is_string else int(node.this)
        case exp.Boolean():
            return node.this
        case exp.Null():
            return None
        case exp.Not(this=exp.Is(this=inner, expression=exp.Null())):
            return value(inner, row) is not None
        case exp.Case():
            return _case(node, row)
    parts = [value(part, row) for part in _operands(node)]
    return None if None in parts else _computed(node, *parts)


def _operands(node: exp.Expression) -> list[exp.Expression]:
    """The operands of a function, in order."""
    if isinstance(node, exp.Bracket):
        return [node.this, *node.expressions]
    if isinstance(node, exp.Anonymous):
        return node.expressions
    names = ("this", "start", "length", "expression", "scale", "format")
    return [part for name in names if isinstance(part := node.args.get(name), exp.Expression)]


def _case(node: exp.Case, row: Mapping[str, Any]) -> Any:
    found = value(node.this, row)
    for branch in node.args["ifs"]:
        if found is not None and found == value(branch.this, row):
            return value(branch.args["true"], row)
    return None


def _computed(node: exp.Expression, this: Any, *more: Any) -> Any:
    match node:
        case exp.Substring():
            start, length = more[0], more[1] if len(more) > 1 else None
            assert start >= 1
            assert length is None or length >= 0
            return this[start - 1 :] if length is None else this[start - 1 : start - 1 + length]
        case exp.ByteLength():
            return len(this)
        case exp.Split():
            assert type(this) is type(more[0])
            return this.split(more[0])
        case exp.Bracket() if isinstance(this, dict):
            return this.get(more[0])
        case exp.Bracket():
            assert node.args["safe"]
            assert node.args["offset"] == 0
            return this[more[0]] if more[0] < len(this) else None
        case exp.Nullif():
            return None if this == more[0] else this
        case exp.StartsWith():
            return this.startswith(more[0])
        case exp.EQ():
            assert type(this) is type(more[0])
            return this == more[0]
        case exp.Sub():
            return this - more[0]
        case exp.Trim():
            assert node.args["position"] == "TRAILING"
            return this.rstrip(more[0])
        case exp.TryCast():
            return _cast(this, node.to.sql(DIALECT))
        case exp.UnixToTime():
            return EPOCH + timedelta(microseconds=this * 10 ** (6 - (more[0] if more else 0)))
        case exp.StrToDate():
            return datetime.strptime(this, more[0]).date()
        case exp.StrToTime():
            return datetime.strptime(this, more[0]).replace(tzinfo=UTC)
        case exp.Unhex():
            return bytes.fromhex(this)
        case exp.FromBase64():
            return base64.b64decode(this, validate=True)
        case exp.Anonymous(this="TO_INT64"):
            return struct.unpack(">q", this)[0]
        case exp.Anonymous(this="TO_FLOAT64"):
            return struct.unpack(">d", this)[0]
    raise AssertionError(f"not a function that both engines have: {node!r}")


def _cast(this: Any, to: str) -> Any:
    """SAFE_CAST: NULL for what does not fit."""
    try:
        match to:
            case "STRING":
                assert isinstance(this, bytes)
                return this.decode()
            case "INT64":
                number = int(this)
                return number if -(2**63) <= number < 2**63 else None
            case "FLOAT64":
                return float(this)
            case "DATE":
                return date.fromisoformat(this)
    except ValueError:
        return None
    raise AssertionError(f"no type of both engines: {to}")
