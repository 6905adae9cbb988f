"""Whether a change of the source is sure to change one model, and nothing but what the review saw of it."""

import ast

from btmodel.cli.source.arguments import Argument
from btmodel.cli.source.file import SourceFile, Statement
from btmodel.cli.source.names import Names, bound
from btmodel.lint import Finding

# What a literal is made of, beside the names that it calls.
_LITERAL = (
    ast.Constant,
    ast.UnaryOp,
    ast.unaryop,
    ast.BinOp,
    ast.operator,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Call,
    ast.keyword,
    ast.expr_context,
)


def names_there(source: SourceFile, statement: Statement, finding: Finding) -> Names | None:
    """What the names of btmodel are where the finding's model declares what is meant.

    None where ``statement`` is not sure to be a declaration of that model, and of it alone: it is the only
    class of that name, in the module itself, and the declaration stands in its body.
    """
    node = statement.node
    model = node if isinstance(node, ast.ClassDef) else statement.parent
    if (
        not isinstance(model, ast.ClassDef)
        or model not in source.tree.body
        or model.name != finding.model
        or source.bound[model.name] != 1
        # A class with a table is nobody's base.
        or all(keyword.arg != "table" for keyword in model.keywords)
    ):
        return None
    if node is model:
        # Another base may do with the keywords what it likes.
        plain = all(source.names.meant(base) == "Model" for base in model.bases)
        return source.names if plain else None
    names = source.names.without(frozenset(bound(model.body)))
    return names if _used_once(model, statement, names) else None


def replaceable(source: SourceFile, found: Argument, names: Names) -> bool:
    """Whether all that the argument says now is known: it is a literal, or calls of btmodel with such, without comments."""
    if found.value is None:
        return True
    nodes = list(ast.walk(found.value))
    called = {
        part
        for node in nodes
        if isinstance(node, ast.Call) and names.known(node.func)
        for part in ast.walk(node.func)
    }
    plain = all(isinstance(node, _LITERAL) or node in called for node in nodes)
    return plain and not source.commented(source.region(found.value))


def _used_once(model: ast.ClassDef, statement: Statement, names: Names) -> bool:
    """Whether what is declared is one attribute of the model; a family may be named by many."""
    node, value = statement.node, statement.value
    if isinstance(node, ast.Assign) and len(node.targets) > 1:
        return False
    if isinstance(value, ast.Call) and names.meant(value.func) == "family":
        return True
    return not any(
        isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load) and each.id in statement.names
        for part in model.body
        for each in ast.walk(part)
    )
