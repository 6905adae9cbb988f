"""What can be said of the code of a data step without running it."""

import ast
import hashlib
import json
from collections.abc import Iterator

from btmodel.migrate.revisions.code_form import form
from btmodel.migrate.revisions.revision import Revision


def step_checksum(revision: Revision, step: str) -> str:
    """The checksum of what one data step does: of its file without the functions of the other steps.

    Comments, and what a formatter changes, are none of it.
    """
    code = form(revision.code, without=[name for name in revision.data_steps if name != step])
    return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:32]


def step_checksum_of_lines(revision: Revision, step: str) -> str:
    """The checksum as it was recorded before what a formatter changes was none of it; blanks at ends of lines never were."""
    lines = revision.code.split("\n")
    for one in _functions(revision):
        if one.name != step:
            first = min([one.lineno, *(each.lineno for each in one.decorator_list)])
            lines[first - 1 : one.end_lineno] = [""] * ((one.end_lineno or first) - first + 1)
    kept = [line.rstrip() for line in lines if line.strip()]
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()[:32]


def unwritten(revision: Revision) -> Iterator[tuple[str, int]]:
    """The data steps that were never filled in, which do nothing but raise NotImplementedError, each with its line."""
    for one in _functions(revision):
        body = one.body[1:] if ast.get_docstring(one, clean=False) is not None else one.body
        if len(body) == 1 and isinstance(body[0], ast.Raise) and _is_not_implemented(body[0].exc):
            yield one.name, one.lineno


def _functions(revision: Revision) -> Iterator[ast.FunctionDef]:
    for one in ast.parse(revision.code).body:
        if isinstance(one, ast.FunctionDef) and one.name in revision.data_steps:
            yield one


def _is_not_implemented(raised: ast.expr | None) -> bool:
    name = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(name, ast.Name) and name.id == "NotImplementedError"
