"""Code as what it does: its syntax tree, without what formatters change, and without docstrings."""

import ast
from collections.abc import Collection
from typing import Any

# What a parser tells of a node beside what it does.
_BESIDE = frozenset({"ctx", "kind", "type_comment"})
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def form(code: str, without: Collection[str] = ()) -> Any:
    """What ``code`` does, as lists and texts that are the same in every version of Python, without its functions ``without``.

    Comments, blank lines, line ends, quotes and docstrings are none of it. Raises :class:`SyntaxError`, and what :func:`ast.parse` does.
    """
    module = ast.parse(code)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    module.body = [one for one in module.body if not (isinstance(one, functions) and one.name in without)]
    return _form(module)


def _form(node: Any) -> Any:
    if isinstance(node, list):
        return [_form(one) for one in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:]
    if isinstance(node, ast.JoinedStr):
        node.values = _joined(node.values)
    # A version of Python that knows more of a node tells nothing of it where the code does not say it.
    fields = ((name, one) for name, one in ast.iter_fields(node) if name not in _BESIDE)
    return [
        type(node).__name__,
        *([name, _form(one)] for name, one in fields if one is not None and one != []),
    ]


def _joined(parts: list[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string, with texts that stand side by side as one: Python 3.12 parts them at braces, and tells empty ones."""
    found: list[ast.expr] = []
    for one in parts:
        if isinstance(one, ast.Constant) and not one.value:
            continue
        last = found[-1] if found else None
        if isinstance(one, ast.Constant) and isinstance(last, ast.Constant):
            found[-1] = ast.Constant(str(last.value) + str(one.value))
        else:
            found.append(one)
    return found
