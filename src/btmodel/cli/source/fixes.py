"""Locate findings in the source, and decide which fixes can be written as an edit."""

import ast
import re
from collections.abc import Collection, Sequence
from inspect import Parameter, signature
from typing import get_args

from attrs import field, frozen

from btmodel import declare
from btmodel.cli.source.file import ImportedNames, Region, SourceFile, Statement, bound
from btmodel.lint import Finding

_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@frozen
class Argument:
    """An argument: ``value`` is what is given; without one, it is to be added to ``owner`` under its ``name``."""

    owner: ast.Call | ast.ClassDef
    name: str | None
    value: ast.expr | None
    whole: ast.expr | ast.keyword | None


def argument(owner: ast.Call | ast.ClassDef, wanted: int | str, names: ImportedNames) -> Argument | None:
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
    """The region of the source to replace, and its new text, so that the argument becomes ``text``."""
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


def names_there(source: SourceFile, statement: Statement, finding: Finding) -> ImportedNames | None:
    """The names of btmodel at the declaration in the finding's model that a fix changes.

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
        # No class derives from one with a table.
        or all(keyword.arg != "table" for keyword in model.keywords)
    ):
        return None
    if node is model:
        # Another base may do with the keywords what it likes.
        plain = all(source.names.meant(base) == "Model" for base in model.bases)
        return source.names if plain else None
    names = source.names.without(frozenset(bound(model.body)))
    return names if _used_once(model, statement, names) else None


def replaceable(source: SourceFile, found: Argument, names: ImportedNames) -> bool:
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


def _used_once(model: ast.ClassDef, statement: Statement, names: ImportedNames) -> bool:
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


@frozen
class Excerpt:
    """A line of source, and the columns in it that are meant: from ``start`` to before ``end``, in code points."""

    number: int
    line: str
    start: int
    end: int


@frozen
class Edit:
    """A change of a file: ``text`` in the place of a region."""

    file: str
    region: Region
    text: str


@frozen
class Sources:
    """The files of one run, each of which is read and parsed once."""

    _files: dict[str, SourceFile | None] = field(factory=dict, init=False)

    def excerpt(self, finding: Finding) -> Excerpt | None:
        """The line that a finding is about; None where the source cannot be read, or has changed."""
        found = self._found(finding)
        if found is None:
            return None
        source, statement = found
        meant = _argument(statement, finding, source.names)
        if meant and meant.whole:
            at = source.region(meant.whole)
        elif isinstance(statement.node, ast.ClassDef):
            at = _class_name(source, statement.node)
        else:
            at = source.region(statement.value or statement.node)
        line = source.lines[at.line - 1]
        return Excerpt(at.line, line, at.column, at.end_column if at.end_line == at.line else len(line))

    def edit(self, finding: Finding) -> Edit | None:
        """The edit that fixes a finding; None if there is none that surely applies."""
        found = self._found(finding)
        if found is None or finding.edit is None or finding.location is None:
            return None
        source, statement = found
        names = names_there(source, statement, finding)
        meant = names and _argument(statement, finding, names)
        text = names and names.written(finding.edit.text)
        if not names or not meant or not text or not replaceable(source, meant, names):
            return None
        return Edit(finding.location.file, *change(source, meant, text))

    def file(self, path: str) -> SourceFile | None:
        """A file, read and parsed once; None where that cannot be."""
        if path not in self._files:
            self._files[path] = SourceFile.read(path)
        return self._files[path]

    def lines(self, path: str) -> Sequence[str]:
        """The lines of a file that was read, without their ends."""
        source = self.file(path)
        return source.lines if source else ()

    def _found(self, finding: Finding) -> tuple[SourceFile, Statement] | None:
        """The file of a finding, and the statement at its line; of several there, the one that is meant."""
        if finding.location is None:
            return None
        source = self.file(finding.location.file)
        there = source.statements.get(finding.location.line, ()) if source else ()
        if source is None:
            return None
        found = [one for one in there if _declares(one, finding, source.names)] or there
        return (source, found[0]) if len(found) == 1 else None


def _declares(statement: Statement, finding: Finding, names: ImportedNames) -> bool:
    """Whether the statement declares what the finding is about: the model, an attribute, or a family by its id."""
    if finding.field is None:
        return isinstance(statement.node, ast.ClassDef) and finding.model in statement.names
    value = statement.value
    if isinstance(value, ast.Call) and names.meant(value.func) == "family":
        # By its id alone: the attribute may be called as another family is.
        return family_id(value) == finding.field
    return finding.field in statement.names


def family_id(family: ast.Call) -> object:
    """The id that a call declares a family with; None where it is no literal."""
    given = [*family.args[:1], *(keyword.value for keyword in family.keywords if keyword.arg == "id")]
    return given[0].value if given and isinstance(given[0], ast.Constant) else None


def _argument(statement: Statement, finding: Finding, names: ImportedNames) -> Argument | None:
    """The argument that the finding's fix changes, where the statement declares what it is about."""
    owner = statement.node if isinstance(statement.node, ast.ClassDef) else statement.value
    if finding.edit is None or not isinstance(owner, ast.Call | ast.ClassDef):
        return None
    if not _declares(statement, finding, names):
        return None
    return argument(owner, finding.edit.argument, names)


def _class_name(source: SourceFile, node: ast.ClassDef) -> Region:
    """The name of a class, or the whole of its first line where it stands on another one."""
    line = source.lines[node.lineno - 1]
    found = re.search(rf"class\s+({re.escape(node.name)})", line)
    start, end = found.span(1) if found else (len(line) - len(line.lstrip()), len(line))
    return Region(node.lineno, start, node.lineno, end)
