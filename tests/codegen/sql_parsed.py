"""What the SQL says, parsed by sqlglot."""

import sqlglot
from sqlglot import exp

DIALECT = "bigquery"


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
