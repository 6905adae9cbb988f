"""Enums as code: a revision declares those of its models itself, as they are when it is written."""

import ast
import builtins
import enum as standard
import inspect
from enum import Enum, Flag
from textwrap import dedent, indent
from typing import Any

from btmodel_codegen.literals import value_code

_LITERALS = (str, bytes, int, float, bool)
_MISSING = "_missing_"
# What decides by itself which values there are, or what becomes of them.
_OWN_VALUES = ("__new_member__", "__init__")


def enum_code(enum: type[Enum], name: str) -> str | None:
    """The declaration of an enum with the same members, as the class ``name``; None for one that is more than its members say.

    That is one with a base of the user's, with values that have no literal, or with code that makes values. A ``_missing_`` that needs
    nothing but the enum and Python's own functions is copied.
    """
    if not _is_plain(enum):
        return None
    parts = [f'    """{enum.__name__} as it was when this was written."""']
    members = [f"{member} = {value_code(one.value)}" for member, one in enum.__members__.items()]
    parts.append(indent("\n".join(members), "    "))
    if _MISSING in vars(enum):
        function = _missing_code(enum, name)
        if function is None:
            return None
        parts.append(indent(function, "    "))
    bases = ", ".join(base.__name__ for base in enum.__bases__)
    return f"class {name}({bases}):\n" + "\n\n".join(parts)


def bases_of(enum: type[Enum]) -> tuple[type, ...]:
    """The bases of an enum, which a module with its declaration imports."""
    return enum.__bases__


def _is_plain(enum: type[Enum]) -> bool:
    bases = enum.__bases__
    if any(base.__module__ not in (standard.__name__, builtins.__name__) for base in bases):
        return False
    if any(name in vars(enum) for name in _OWN_VALUES):
        return False
    if issubclass(enum, Flag):
        usual = next(base for base in bases if issubclass(base, Flag))
        if enum._boundary_ is not usual._boundary_:  # type: ignore[attr-defined]
            return False
    members = enum.__members__.values()
    return bool(members) and all(type(one.value) in _LITERALS for one in members)


def _missing_code(enum: type[Enum], name: str) -> str | None:
    """The function ``_missing_`` of an enum; None where it needs what this module does not have."""
    try:
        source = dedent(inspect.getsource(vars(enum)[_MISSING].__func__))
        node = ast.parse(source).body[0]
    except (OSError, TypeError, SyntaxError, AttributeError):
        return None
    if not isinstance(node, ast.FunctionDef) or not _is_simple(node):
        return None
    bound = {argument.arg for argument in node.args.args} | {
        part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    read = {part.id for line in node.body for part in ast.walk(line) if isinstance(part, ast.Name)}
    if read - bound - {*dir(builtins)} - ({enum.__name__} if name == enum.__name__ else set[str]()):
        return None
    class_, value = (argument.arg for argument in node.args.args)
    first = min(line.lineno for line in node.body)
    if first == node.lineno:  # on the line of the `def`
        return None
    body = indent(dedent("\n".join(source.splitlines()[first - 1 : node.end_lineno])), "    ")
    return f'@classmethod\ndef {_MISSING}({class_}, {value}: object) -> "{name} | None":\n{body}'


def _is_simple(node: ast.FunctionDef) -> bool:
    """Whether a function takes the class and a value, and nothing else."""
    given: Any = node.args
    others = (given.posonlyargs, given.kwonlyargs, given.defaults, given.vararg, given.kwarg)
    return len(given.args) == 2 and not any(others) and len(node.decorator_list) == 1
