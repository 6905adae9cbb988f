"""The argument of a declaration that a fix changes."""

import ast
from collections.abc import Collection, Sequence
from inspect import Parameter, signature
from typing import get_args

from attrs import frozen

from btmodel import declare
from btmodel.cli.source.file import Region, SourceFile
from btmodel.cli.source.names import Names

_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@frozen
class Argument:
    """An argument: ``value`` is what is given; without one, it is to be added to ``owner`` under its ``name``."""

    owner: ast.Call | ast.ClassDef
    name: str | None
    value: ast.expr | None
    whole: ast.expr | ast.keyword | None


def argument(owner: ast.Call | ast.ClassDef, wanted: int | str, names: Names) -> Argument | None:
    """The argument ``wanted`` of a declaration, whether given by position or by name; None where that is not known."""
    if any(isinstance(one, ast.Starred) for one in _positional(owner)):
        return None
    if isinstance(owner, ast.ClassDef):
        found = _found(owner, wanted, None) if isinstance(wanted, str) else None
        # A table that states more than its id has the id as its first argument.
        if wanted == "table" and found and isinstance(found.value, ast.Call):
            return argument(found.value, 0, names) if names.meant(found.value.func) == "table" else None
        return found
    function = getattr(declare, names.meant(owner.func) or "", None)
    if function is None:
        return None
    parameters = tuple(signature(function).parameters.values())
    for position, parameter in enumerate(parameters):
        if parameter.kind is Parameter.VAR_POSITIONAL and isinstance(wanted, int):
            return _found(owner, None, wanted)
        if wanted in (position, parameter.name):
            return _found(owner, parameter.name, position if parameter.kind in _BY_POSITION else None)
        if isinstance(wanted, str) and wanted in _keys(parameter):
            return _found(owner, wanted, None)
    return None


def change(source: SourceFile, found: Argument, text: str) -> tuple[Region, str]:
    """What of the source is replaced, and by what, for the argument to become ``text``."""
    if found.value is not None:
        return source.region(found.value), text
    line, column, last = source.last_of(found.owner)
    comma = "" if last == "(" else " " if last == "," else ", "
    return Region(line, column, line, column), f"{comma}{found.name}={text}"


def _keys(parameter: Parameter) -> Collection[str]:
    """The names that stand behind ``**figures: Unpack[Figures]``."""
    if parameter.kind is not Parameter.VAR_KEYWORD:
        return ()
    return [key for each in get_args(parameter.annotation) for key in each.__annotations__]


def _positional(owner: ast.Call | ast.ClassDef) -> Sequence[ast.expr]:
    return owner.args if isinstance(owner, ast.Call) else owner.bases


def _found(owner: ast.Call | ast.ClassDef, name: str | None, position: int | None) -> Argument | None:
    given = _positional(owner)
    if position is not None and position < len(given):
        return Argument(owner, name, given[position], given[position])
    for keyword in owner.keywords:
        if name is not None and keyword.arg == name:
            return Argument(owner, name, keyword.value, keyword)
    # Behind ** it may be given, after all.
    if name is None or any(keyword.arg is None for keyword in owner.keywords):
        return None
    return Argument(owner, name, None, None)
