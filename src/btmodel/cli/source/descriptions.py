"""Where in a source file the description of a model says something."""

import ast
import re
from collections.abc import Sequence


def said_at(
    tree: ast.Module, lines: Sequence[str], model: str, line: int, said: str
) -> tuple[int, int, int] | None:
    """Line, first column and end of the words ``said`` in the docstring of the class ``model`` around a line, as far as they stand on the first line of theirs.

    None where the class has no docstring there, or one that is written otherwise than it reads.
    """
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and node.name == model
        and node.lineno <= line <= (node.end_lineno or 0)
    ]
    if not around:
        return None
    match max(around, key=lambda node: node.lineno).body[0]:
        case ast.Expr(value=ast.Constant(value=str()) as text):
            return _found(lines, text.lineno, text.end_lineno or text.lineno, said)
    return None


def _found(lines: Sequence[str], first: int, last: int, said: str) -> tuple[int, int, int] | None:
    words = r"\s+".join(map(re.escape, said.split()))
    words = words.replace(r"such\s+as", r"(?:such\s+as|e\.g\.)")  # which descriptions are read with
    found = re.search(words, "\n".join(lines[first - 1 : last]))
    if found is None:
        return None
    before = found.string[: found.start()]
    line, start = first + before.count("\n"), found.start() - (before.rfind("\n") + 1)
    return line, start, start + len(found[0].partition("\n")[0])
