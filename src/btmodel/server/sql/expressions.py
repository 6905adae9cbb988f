"""Expressions of the resolved tree as functions of a row: a list with a place for each column of the query."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias

from attrs import frozen

from btmodel.googlesql.analysis import Node, QueryError
from btmodel.server.sql.functions import FUNCTIONS
from btmodel.server.sql.values import CASTS, literal
from btmodel.server.view_functions import Failed, null_in

Value: TypeAlias = Any
Row: TypeAlias = list[Value]
Expression: TypeAlias = Callable[[Row], Value]

_SAFE = 1  # ErrorMode.SAFE_ERROR_MODE
_QUIET = {
    "node",
    "type",
    "signature",
    "error_mode",
    "function",
    "has_explicit_type",
    "float_literal_id",
    "preserve_in_literal_remover",
}
_QUIET |= {
    "is_correlated",
    "is_untyped",
    "position",
    "type_modifiers",
    "argument_alias",
    "field_expr_is_positional",
    "column_list",
    "is_ordered",
}
_QUIET |= {"alias", "function_call_signature", "is_value_table", "read_as_row_type", "collation"}


def refused(what: str) -> QueryError:
    """The refusal of what the local server cannot evaluate, by its name."""
    return QueryError(f"The local server's SQL has no {what}", 12)


def foreign(what: str) -> QueryError:
    """The refusal of what Bigtable's own SQL does not have either."""
    return QueryError(f"Bigtable's SQL has no {what}")


def only(node: Node, *known: str) -> None:
    """Refuse a node with more to it than is known here."""
    for name, value in node.items():
        if name not in known and name not in _QUIET and value:
            raise refused(f"{name.removesuffix('_list')} of {words(node['node'])}")


def words(name: str) -> str:
    """OrderByScan -> ORDER BY."""
    spaced = "".join(f" {char}" if char.isupper() else char for char in name.removesuffix("Scan"))
    return spaced.strip().upper()


@frozen
class Compiler:
    """Compiles the expressions of one query, for values of its parameters."""

    parameters: Mapping[str, Value]
    now: datetime

    @classmethod
    def of(cls, parameters: Mapping[str, Value]) -> Compiler:
        """The compiler for one run of a query: it has one time."""
        return cls({name.lower(): value for name, value in parameters.items()}, datetime.now(UTC))

    def constant(self, node: Node) -> tuple[Value] | None:
        """The value of an expression that is the same for all rows, in a tuple; None of another one, or of one that fails."""
        if _reads(node):
            return None
        try:
            return (self.expression(node)([]),)
        except Failed:
            return None

    def expression(self, node: Node) -> Expression:
        """The function of a row that an expression is."""
        method = _NODES.get(node["node"])
        if method is None:
            name = node["node"]
            raise foreign(_FOREIGN[name]) if name in _FOREIGN else refused(words(name))
        return method(self, node)

    def _literal(self, node: Node) -> Expression:
        value = literal(node["type"], node["value"]["value"])
        return lambda row: value

    def _parameter(self, node: Node) -> Expression:
        value = self.parameters[node["name"].lower()]
        return lambda row: value

    def _column(self, node: Node) -> Expression:
        place = node["column"]["column_id"]
        return lambda row: row[place]

    def _cast(self, node: Node) -> Expression:
        only(node, "expr", "return_null_on_error")
        target, value = node["type"], self.expression(node["expr"])
        if target == node["expr"]["type"]:
            return value
        if not isinstance(target, str) or target not in CASTS or not isinstance(node["expr"]["type"], str):
            raise refused(f"CAST to {target if isinstance(target, str) else target[0]}")
        cast = CASTS[target]
        return null_in(_safe(cast) if node.get("return_null_on_error") else cast, [value])

    def _field(self, node: Node) -> Expression:
        place = node["field_idx"]
        return null_in(lambda value: value[place], [self.expression(node["expr"])])

    def _structure(self, node: Node) -> Expression:
        only(node, "field_list")
        fields = [self.expression(one) for one in node.get("field_list", ())]
        return lambda row: tuple(field(row) for field in fields)

    def _call(self, node: Node) -> Expression:
        only(node, "argument_list", "generic_argument_list")
        name = node["function"].rpartition(":")[2].lower()
        if node.get("generic_argument_list"):
            return self._with_lambda(name, node["generic_argument_list"])
        arguments = [self.expression(one) for one in node.get("argument_list", ())]
        if name in _SPECIAL:
            return _SPECIAL[name](arguments)
        if name in ("current_timestamp", "current_date"):
            now = self.now if name == "current_timestamp" else self.now.date()
            return lambda row: now
        if name not in FUNCTIONS:
            raise refused(f"function {name.lstrip('$').upper()}")
        quiet = node.get("error_mode") == _SAFE or name.startswith("safe_")
        return _called(_safe(FUNCTIONS[name]) if quiet else FUNCTIONS[name], arguments)

    def _with_lambda(self, name: str, given: Sequence[Node]) -> Expression:
        """ARRAY_FILTER and ARRAY_TRANSFORM: the element, and its place, are columns while the body is evaluated."""
        if name not in ("array_filter", "array_transform"):
            raise refused(f"function {name.upper()}")
        array, inner = self.expression(given[0]["expr"]), given[1]["inline_lambda"]
        places = [one["column_id"] for one in inner["argument_list"]]
        body, filters = self.expression(inner["body"]), name == "array_filter"

        def run(row: Row) -> Value:
            items = array(row)
            if items is None:
                return None
            inside = row + [None] * (max(places) + 1 - len(row))
            found = []
            for at, item in enumerate(items):
                for place, value in zip(places, (item, at), strict=False):
                    inside[place] = value
                value = body(inside)
                if not filters:
                    found.append(value)
                elif value is True:
                    found.append(item)
            return found

        return run


_NODES: Mapping[str, Callable[[Compiler, Node], Expression]] = {
    "Literal": Compiler._literal,
    "Parameter": Compiler._parameter,
    "ColumnRef": Compiler._column,
    "Cast": Compiler._cast,
    "GetStructField": Compiler._field,
    "MakeStruct": Compiler._structure,
    "FunctionCall": Compiler._call,
}
_FOREIGN = {"SubqueryExpr": "subqueries", "AnalyticFunctionCall": "OVER"}


def _reads(node: Any) -> bool:
    if isinstance(node, dict):
        return node.get("node") == "ColumnRef" or any(map(_reads, node.values()))
    return isinstance(node, list) and any(map(_reads, node))


def _called(function: Callable[..., Value], arguments: Sequence[Expression]) -> Expression:
    """A call; with two arguments, the most frequent, without a list."""
    if len(arguments) != 2:
        return null_in(function, arguments)
    first, second = arguments

    def called(row: Row) -> Value:
        one, other = first(row), second(row)  # both, as either may fail
        return None if one is None or other is None else function(one, other)

    return called


def _safe(function: Callable[..., Value]) -> Callable[..., Value]:
    """The function, NULL where it fails; what its arguments do is another matter."""

    def tried(*values: Value) -> Value:
        try:
            return function(*values)
        except Failed:
            return None

    return tried


def _logical(decides: bool, arguments: Sequence[Expression]) -> Expression:
    """Of AND and OR, whose result one argument ``decides`` alone."""

    def run(row: Row) -> bool | None:
        found: bool | None = not decides
        for argument in arguments:
            value: bool | None = argument(row)
            if value is decides:
                return decides
            if value is None:
                found = None
        return found

    return run


def _if(arguments: Sequence[Expression]) -> Expression:
    condition, then, other = arguments
    return lambda row: then(row) if condition(row) is True else other(row)


def _case(arguments: Sequence[Expression]) -> Expression:
    """WHEN and THEN in turn, and ELSE where the number is odd."""
    pairs = list(zip(arguments[0::2], arguments[1::2], strict=False))
    other = arguments[-1] if len(arguments) % 2 else None

    def run(row: Row) -> Value:
        for when, then in pairs:
            if when(row) is True:
                return then(row)
        return None if other is None else other(row)

    return run


def _case_of(arguments: Sequence[Expression]) -> Expression:
    subject, rest = arguments[0], arguments[1:]
    equal = [
        _called(FUNCTIONS["$equal"], [subject, one]) if at % 2 == 0 and at + 1 < len(rest) else one
        for at, one in enumerate(rest)
    ]
    return _case(equal)


def _coalesce(arguments: Sequence[Expression]) -> Expression:
    return lambda row: next((value for argument in arguments if (value := argument(row)) is not None), None)


def _nullif(arguments: Sequence[Expression]) -> Expression:
    first, second = arguments
    return lambda row: None if (value := first(row)) == second(row) else value


def _in(arguments: Sequence[Expression]) -> Expression:
    subject, rest = arguments[0], arguments[1:]
    return _among(subject, lambda row: [one(row) for one in rest])


def _in_array(arguments: Sequence[Expression]) -> Expression:
    subject, array = arguments
    return _among(subject, lambda row: array(row) or ())


def _among(subject: Expression, choices: Callable[[Row], Sequence[Value]]) -> Expression:
    def run(row: Row) -> bool | None:
        offered = choices(row)
        if not offered:
            return False
        value = subject(row)
        if value is None:
            return None
        there = value == value and value in offered  # NaN is nothing, not even itself
        return True if there else None if None in offered else False

    return run


def _between(arguments: Sequence[Expression]) -> Expression:
    value, low, high = arguments

    def run(row: Row) -> bool | None:
        given, least, most = value(row), low(row), high(row)
        if given is None:
            return None
        above = None if least is None else given >= least
        below = None if most is None else given <= most
        return False if above is False or below is False else None if above is None else below

    return run


def _distinct(arguments: Sequence[Expression], *, wanted: bool = True) -> Expression:
    """NULL and NaN are the same as themselves."""
    first, second = arguments

    def run(row: Row) -> bool:
        one, other = first(row), second(row)
        return (one != other and (one == one or other == other)) is wanted

    return run


def _error(arguments: Sequence[Expression]) -> Expression:
    def run(row: Row) -> Value:
        raise Failed(str(arguments[0](row)))

    return run


# Functions that look at their arguments themselves.
_SPECIAL: Mapping[str, Callable[[Sequence[Expression]], Expression]] = {
    "$and": partial(_logical, False),
    "$or": partial(_logical, True),
    "$between": _between,
    "$in": _in,
    "$in_array": _in_array,
    "$case_no_value": _case,
    "$case_with_value": _case_of,
    "$is_null": lambda arguments: lambda row: arguments[0](row) is None,
    "$is_true": lambda arguments: lambda row: arguments[0](row) is True,
    "$is_false": lambda arguments: lambda row: arguments[0](row) is False,
    "$is_distinct_from": _distinct,
    "$is_not_distinct_from": partial(_distinct, wanted=False),
    "$make_array": lambda arguments: lambda row: [argument(row) for argument in arguments],
    "coalesce": _coalesce,
    "ifnull": _coalesce,
    "nullif": _nullif,
    "if": _if,
    "error": _error,
}
