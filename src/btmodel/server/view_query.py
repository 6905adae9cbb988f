"""The queries of views: the part of GoogleSQL that btmodel writes for them, parsed and evaluated row by row.

It is no SQL engine: one SELECT over one table, grouped by its first column, which is `_key`. What is not understood is refused by name
when a view is created. Tests compare it with Google's own implementation of GoogleSQL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, NoReturn

from attrs import define, field, frozen

from btmodel.server import view_functions as functions
from btmodel.server.request_errors import invalid, unimplemented
from btmodel.server.view_functions import Failed

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<bytes>[bB]'(?:[^'\\]|\\.)*')|(?P<text>'(?:[^'\\]|\\.)*')|(?P<quoted>`(?:[^`\\]|\\.)*`)
    |(?P<number>\d+)|(?P<name>[A-Za-z_][A-Za-z_0-9]*(?:\.[A-Za-z_][A-Za-z_0-9]*)*)|(?P<sign><<|>>|<=|>=|!=|<>|[-+*/^|&~<>=()\[\],;.])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "r": "\r", "t": "\t"}
_DEPTH = 60  # of expressions in one another

Value = Any


class ViewedRow(NamedTuple):
    """A row of the table: its key, and the newest value of each of its columns."""

    key: bytes
    cells: dict[tuple[str, bytes], bytes]


Expression = Callable[[ViewedRow], Value]


@frozen
class Output:
    """A column of a view: its qualifier, the function over the rows of a group, and what that is of; None of a count of rows."""

    name: str
    function: str
    value: Expression | None


@frozen
class ViewQuery:
    """A parsed query: the table's id, the expression of `_key`, the columns, and the condition of WHERE."""

    table: str
    key: Expression
    outputs: tuple[Output, ...]
    condition: Expression | None
    families: frozenset[str]

    def part(self, row: ViewedRow) -> tuple[bytes, list[Value]] | None:
        """What a row adds to the view: the key of its group, and a value for each column; None where it is in none.

        The service leaves a row out, too, for which an expression fails or the key is NULL.
        """
        try:
            if self.condition is not None and self.condition(row) is not True:
                return None
            key = self.key(row)
            if not key:
                return None
            return key, [1 if output.value is None else output.value(row) for output in self.outputs]
        except Failed:
            return None

    def cells(self, parts: Sequence[Sequence[Value]]) -> list[tuple[bytes, bytes]]:
        """Qualifiers and values of the view's row of a group of rows, in the order of qualifiers; none where an aggregate fails."""
        found: list[tuple[bytes, bytes]] = []
        for at, output in enumerate(self.outputs):
            try:
                value = functions.AGGREGATES[output.function]([part[at] for part in parts])
            except Failed:
                return []
            if value is not None:
                found.append((output.name.encode(), functions.stored(value)))
        return sorted(found)


def parse(query: str) -> ViewQuery:
    """The query of a view. Raises INVALID_ARGUMENT, and UNIMPLEMENTED for what only the service's SQL knows."""
    return _ViewParser(_tokens(query)).query()


class _Token(NamedTuple):
    kind: str
    text: str
    value: Any = None


def _tokens(query: str) -> list[_Token]:
    lines = "\n".join(line for line in query.split("\n") if not line.lstrip().startswith("--")).rstrip()
    found, at = [], 0
    while at < len(lines):
        match = _TOKEN.match(lines, at)
        if match is None or match.lastgroup is None:
            raise invalid(f"Syntax error in the query of a view: unexpected {lines[at : at + 20].strip()!r}")
        kind, text = match.lastgroup, match[match.lastgroup]
        found.append(_Token(kind, text, _literal(kind, text)))
        at = match.end()
    return found


def _literal(kind: str, text: str) -> Any:
    match kind:
        case "number":
            return int(text)
        case "text" | "quoted":
            return _ESCAPE.sub(lambda one: _escaped(one[1]), text[1:-1])
        case "bytes":
            return b"".join(_piece(one) for one in re.split(r"(\\x[0-9a-fA-F]{2}|\\.)", text[2:-1]))
    return None


def _escaped(one: str) -> str:
    return chr(int(one[1:], 16)) if len(one) > 1 else _PLAIN.get(one, one)


def _piece(one: str) -> bytes:
    if one.startswith("\\x"):
        return bytes([int(one[2:], 16)])
    return _escaped(one[1:]).encode() if one.startswith("\\") else one.encode()


@define
class _ViewParser:
    tokens: list[_Token]
    at: int = 0
    depth: int = 0
    families: set[str] = field(factory=set)

    def query(self) -> ViewQuery:
        self._words("SELECT")
        columns = [self._column()]
        while self._take(","):
            columns.append(self._column())
        self._words("FROM")
        token = self._next("quoted", "name")
        table = token.value or token.text
        if self._take("AS"):
            self._next("quoted", "name")
        condition = self._conditions() if self._take("WHERE") else None
        self._words("GROUP", "BY")
        if self._next("number").value != 1:
            raise unimplemented(
                "The local server keeps views that are grouped by their first column, _key, alone"
            )
        self._take(";")
        if self.at < len(self.tokens):
            self._refuse()
        name, function, value = columns[0]
        if name != "_key" or function or value is None:
            raise unimplemented(
                "The local server keeps views whose first column is an expression AS _key alone"
            )
        outputs = tuple(Output(name, function, value) for name, function, value in columns[1:])
        for output in outputs:
            if not output.function:
                raise invalid(f"Column {output.name} of the view is neither grouped nor aggregated")
        return ViewQuery(table, value, outputs, condition, frozenset(self.families))

    def _column(self) -> tuple[str, str, Expression | None]:
        """The name of a column, its aggregate function, or none, and what that is of."""
        function, value = self._aggregate()
        if not function:
            value = self._expression()
        self._words("AS")
        token = self._next("quoted", "name")
        return token.value or token.text, function, value

    def _aggregate(self) -> tuple[str, Expression | None]:
        name = self._peek().text.upper()
        if self._peek().kind != "name" or name not in functions.AGGREGATE_NAMES:
            return "", None
        self.at += 1
        self._sign("(")
        if name == "HLL_COUNT.EXTRACT":
            self._words("HLL_COUNT.INIT")
            self._sign("(")
        if name == "COUNT" and self._take("*"):
            self._sign(")")
            return "COUNT", None
        value = self._expression()
        self._sign(")")
        if name == "HLL_COUNT.EXTRACT":
            self._sign(")")
        return name, value

    def _conditions(self) -> Expression:
        found = [self._condition()]
        while self._take("AND"):
            found.append(self._condition())
        return lambda row: all(one(row) is True for one in found)

    def _condition(self) -> Expression:
        left = self._expression()
        if self._take("IS"):
            negated = self._take("NOT")
            self._words("NULL")
            return lambda row: (left(row) is None) is not negated
        if self._take("BETWEEN"):
            low = self._expression()
            self._words("AND")
            high = self._expression()
            return functions.null_in(
                lambda value, least, most: bool(least <= value <= most), [left, low, high]
            )
        for sign, compare in functions.COMPARISONS.items():
            if self._take(sign):
                return functions.null_in(compare, [left, self._expression()])
        return left

    def _expression(self, level: int = 0) -> Expression:
        """An expression of operators that bind as tightly as those of a level, or more."""
        if level == len(functions.OPERATORS):
            return self._unary()
        left = self._expression(level + 1)
        while (sign := self._peek().text) in functions.OPERATORS[level] and self._peek().kind == "sign":
            self.at += 1
            left = functions.null_in(functions.OPERATORS[level][sign], [left, self._expression(level + 1)])
        return left

    def _unary(self) -> Expression:
        if self._take("-"):
            return functions.null_in(lambda value: functions.int64(-value), [self._unary()])
        found = self._primary()
        while self._take("["):
            self._words("SAFE_OFFSET")
            self._sign("(")
            place = self._expression()
            self._sign(")")
            self._sign("]")
            found = functions.null_in(functions.item, [found, place])
        return found

    def _primary(self) -> Expression:
        self.depth += 1
        if self.depth > _DEPTH:
            raise invalid(f"The query of a view has more than {_DEPTH} expressions in one another")
        try:
            return self._innermost()
        finally:
            self.depth -= 1

    def _innermost(self) -> Expression:
        token = self._next("text", "bytes", "number", "quoted", "name", "sign")
        match token.kind:
            case "text" | "bytes" | "number":
                constant = token.value
                return lambda row: constant
            case "quoted":
                return self._cell(token.value)
            case "sign" if token.text == "(":
                inner = self._expression()
                self._sign(")")
                return inner
            case "name":
                return self._named(token.text)
        self.at -= 1
        self._refuse()

    def _cell(self, family: str) -> Expression:
        """The newest value of a column; NULL where a row has none."""
        self._sign("[")
        qualifier = self._next("bytes", "text").value
        self._sign("]")
        self.families.add(family)
        place = family, qualifier if isinstance(qualifier, bytes) else qualifier.encode()
        return lambda row: row.cells.get(place)

    def _named(self, name: str) -> Expression:
        upper = name.upper()
        if name == "_key":
            return lambda row: row.key
        if upper in functions.CONSTANTS:
            constant = functions.CONSTANTS[upper]
            return lambda row: constant
        if upper == "CASE":
            return self._case()
        if self._peek().text == "[":
            return self._cell(name)
        if self._peek().text != "(":
            raise unimplemented(f"The local server keeps no view whose query has {name}")
        self.at += 1
        if upper in ("CAST", "SAFE_CAST"):
            return self._cast(safe=upper == "SAFE_CAST")
        arguments = [] if self._peek().text == ")" else [self._expression()]
        while self._take(","):
            arguments.append(self._expression())
        self._sign(")")
        return functions.call(upper, arguments)

    def _cast(self, *, safe: bool) -> Expression:
        value = self._expression()
        self._words("AS")
        kind = self._next("name").text.upper()
        self._sign(")")
        return functions.cast(kind, value, safe=safe)

    def _case(self) -> Expression:
        subject = self._expression()
        choices = []
        while self._take("WHEN"):
            wanted = self._expression()
            self._words("THEN")
            choices.append((wanted, self._expression()))
        self._words("END")

        def chosen(row: ViewedRow) -> Value:
            value = subject(row)
            return (
                None
                if value is None
                else next((then(row) for when, then in choices if when(row) == value), None)
            )

        return chosen

    def _peek(self) -> _Token:
        return self.tokens[self.at] if self.at < len(self.tokens) else _Token("end", "the end")

    def _next(self, *kinds: str) -> _Token:
        token = self._peek()
        if token.kind not in kinds:
            self._refuse()
        self.at += 1
        return token

    def _take(self, text: str) -> bool:
        token = self._peek()
        if token.kind in ("name", "sign") and token.text.upper() == text:
            self.at += 1
            return True
        return False

    def _sign(self, text: str) -> None:
        if not self._take(text):
            self._refuse(text)

    def _words(self, *words: str) -> None:
        for word in words:
            if not self._take(word):
                self._refuse(word)

    def _refuse(self, wanted: str | None = None) -> NoReturn:
        found = self._peek().text
        if found.upper() in (
            "ORDER",
            "HAVING",
            "LIMIT",
            "JOIN",
            "UNION",
            "WITH",
            "DISTINCT",
            "OR",
            "NOT",
            "IN",
            "LIKE",
            "UNPACK",
        ):
            raise unimplemented(f"The local server keeps no view whose query has {found.upper()}")
        expected = f"expected {wanted}, " if wanted else ""
        raise invalid(f"Syntax error in the query of a view: {expected}got {found}")
